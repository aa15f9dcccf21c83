//! The functions that a browser calls.
//!
//! A caller asks for [`input`] of so many bytes, fills it with a request, calls [`call`], and finds
//! the answer at [`output`]. A file goes to the room that [`room`] makes, a piece at a time, so that
//! its bytes are in memory once. Pointers are only handed out: none is followed here, so the one
//! thing that is unsafe is that functions are exported under their own names.
#![allow(unsafe_code, reason = "exporting a function under its own name")]

use std::cell::RefCell;

use crate::Laboratory;

thread_local! {
    /// A worker has one thread, and one laboratory.
    static HERE: RefCell<Here> = RefCell::default();
}

#[derive(Default)]
struct Here {
    laboratory: Laboratory,
    input: Vec<u8>,
    output: String,
}

/// Where a request of so many bytes is to be written.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn input(length: usize) -> *mut u8 {
    HERE.with_borrow_mut(|here| {
        here.input.clear();
        here.input.resize(length, 0);
        here.input.as_mut_ptr()
    })
}

/// Answers the request, and says how long the answer is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn call() -> usize {
    HERE.with_borrow_mut(|here| {
        let Here { laboratory, input, output } = here;
        *output = laboratory.answer(&String::from_utf8_lossy(input));
        output.len()
    })
}

/// Where the answer stands, in UTF-8.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn output() -> *const u8 {
    HERE.with_borrow(|here| here.output.as_ptr())
}

/// Where the next bytes of a file are to be written; null if no such file is open.
#[cfg(feature = "files")]
#[unsafe(no_mangle)]
pub(crate) extern "C" fn room(file: u32, length: usize) -> *mut u8 {
    HERE.with_borrow_mut(|here| {
        let room = here.laboratory.room(file, length);
        room.map_or(std::ptr::null_mut(), <[u8]>::as_mut_ptr)
    })
}
