//! A window that moves over a stream: some hundred kilobytes of it, in whole lines, padded for
//! loads of many bytes.

use std::io::Read;

use crate::data::bytes::PAD;
use crate::error::{Error, Place, Result};

/// A longer line is not one of any format we read, and neither is a longer field or string.
pub(super) const LONGEST_LINE: usize = 64 << 20;

/// The bytes from `start` on, of which all before `limit` are whole lines.
pub(crate) struct Window<R> {
    input: R,
    /// How much is read at once.
    chunk: usize,
    pub(crate) buf: Vec<u8>,
    end: usize,
    /// Behind the last newline, or at the end of the input.
    pub(crate) limit: usize,
    done: bool,
}

impl<R: Read> Window<R> {
    /// A window over a stream of which `chunk` bytes are read at once.
    pub(crate) fn new(input: R, chunk: usize) -> Window<R> {
        let chunk = chunk.max(4);
        Window { input, chunk, buf: vec![0; chunk + PAD], end: 0, limit: 0, done: false }
    }

    /// Forgets what is before `keep`, moves the rest to the front and reads on until there is at
    /// least one more whole line. False at the end of the input. What was at `keep` is at 0
    /// afterwards. `line` names the line that begins at the limit.
    pub(crate) fn advance(&mut self, keep: usize, name: &str, line: u64) -> Result<bool> {
        self.buf.copy_within(keep..self.end, 0);
        let known = self.limit - keep;
        self.end -= keep;
        self.limit = known;
        while self.limit == known && !self.done {
            if self.end + self.chunk / 4 + PAD > self.buf.len() {
                let larger = (self.buf.len() * 2).max(self.chunk + PAD);
                self.buf.resize(larger, 0);
            }
            let from = self.end;
            let room = (self.buf.len() - PAD).min(from + self.chunk);
            let n = loop {
                match self.input.read(&mut self.buf[from..room]) {
                    Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                    other => break other.map_err(|e| Error::io(name, e))?,
                }
            };
            self.end += n;
            if self.end - known > LONGEST_LINE {
                let text = &self.buf[known..self.end];
                if memchr::memchr(b'\n', text).unwrap_or(text.len()) > LONGEST_LINE {
                    return Err(too_long(name, line));
                }
            }
            if n == 0 {
                self.done = true;
                self.limit = self.end;
            } else if let Some(last) = memchr::memrchr(b'\n', &self.buf[from..self.end]) {
                self.limit = from + last + 1;
            }
        }
        self.buf[self.end..self.end + PAD].fill(0);
        Ok(self.limit > known)
    }
}

/// The error that a line goes on and on.
pub(super) fn too_long(name: &str, line: u64) -> Error {
    let place = Place::column(name, line, LONGEST_LINE as u64 + 1);
    Error::input(place, "found no end of the line within 64 MB, expected lines of text")
}
