//! What a hostile file may do to us: how far it may expand, and what becomes of a panic.

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};

use axiometrics::io::{check_expansion, most_expanded};
use axiometrics::{Error, Place, Result};
use parquet::errors::ParquetError;

/// How much a file has expanded to. The library limits compressed text in the same way.
#[derive(Debug)]
pub(super) struct Expansion {
    /// The bytes of the file.
    size: u64,
    expanded: AtomicU64,
}

impl Expansion {
    pub(super) fn new(size: u64) -> Expansion {
        Expansion { size, expanded: AtomicU64::new(0) }
    }

    /// Counts further bytes, before they are taken into memory.
    pub(super) fn take(&self, bytes: u64) -> std::result::Result<(), ParquetError> {
        let before = self.expanded.fetch_add(bytes, Ordering::Relaxed);
        check_expansion(self.size, before.saturating_add(bytes))
            .map_err(|error| ParquetError::External(Box::new(TooLarge(error.to_string()))))
    }

    /// How many bytes may still come.
    pub(super) fn left(&self) -> u64 {
        most_expanded(self.size).saturating_sub(self.expanded.load(Ordering::Relaxed))
    }
}

/// What is counted while a file is read: rows stay in memory, and pages only until the next one.
pub(super) struct Expansions {
    pub(super) rows: Arc<Expansion>,
    pub(super) pages: Arc<Expansion>,
}

impl Expansions {
    pub(super) fn new(size: u64) -> Expansions {
        let new = || Arc::new(Expansion::new(size));
        Expansions { rows: new(), pages: new() }
    }
}

/// The error that a file expands too far.
#[derive(Debug)]
pub(super) struct TooLarge(pub(super) String);

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TooLarge {}

thread_local! {
    /// True while this thread decodes a file.
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Calls the decoder, which panics at some damaged pages instead of returning an error. Such a panic
/// becomes an error, and prints nothing.
pub(super) fn guarded<T>(name: &str, decode: impl FnOnce() -> Result<T>) -> Result<T> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !DECODING.get() {
                usual(panic);
            }
        }));
    });
    let outer = DECODING.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(outer);
    outcome.unwrap_or_else(|_| {
        let message = "the Parquet file cannot be read: a page does not hold what its header says";
        Err(Error::input(Place::file(name), message)
            .help("the file is damaged; write it again, or copy it again from where it is whole"))
    })
}
