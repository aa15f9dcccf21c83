//! Lines of fields between white space: what the small text formats share.
//!
//! Not for judgements and runs, whose readers are built for speed.

use std::io::{BufRead, Read};

use super::trec::refuse_lone_return;
use super::window::{LONGEST_LINE, too_long};
use crate::error::{Error, Place, Result};

/// Reads line by line; empty lines and those that begin with `#` are skipped.
pub(super) fn lines(
    mut input: impl BufRead,
    file: &str,
    mut read: impl FnMut(Line<'_>) -> Result<()>,
) -> Result<()> {
    let mut buffer = Vec::new();
    for number in 1.. {
        buffer.clear();
        let mut limited = input.by_ref().take(LONGEST_LINE as u64 + 1);
        if limited.read_until(b'\n', &mut buffer).map_err(|e| Error::io(file, e))? == 0 {
            break;
        }
        if buffer.len() > LONGEST_LINE {
            return Err(too_long(file, number));
        }
        refuse_lone_return(buffer.strip_suffix(b"\n").unwrap_or(&buffer), file, number)?;
        let start = buffer.trim_ascii_start();
        if !start.is_empty() && !start.starts_with(b"#") {
            read(Line { file, number, text: &buffer, start: 0, at: 0 })?;
        }
    }
    Ok(())
}

/// A line and how far it was read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'l> {
    file: &'l str,
    /// Its number, from 1.
    pub(super) number: u64,
    text: &'l [u8],
    /// Where the last field begins.
    start: usize,
    /// Where it ends.
    at: usize,
}

impl<'l> Line<'l> {
    /// The next field, empty at the end.
    fn field(&mut self) -> &'l [u8] {
        let rest = self.text[self.at..].trim_ascii_start();
        let field = &rest[..rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len())];
        self.start = self.text.len() - rest.len();
        self.at = self.start + field.len();
        field
    }

    /// The next field.
    pub(super) fn next(&mut self, expected: &str) -> Result<&'l [u8]> {
        let field = self.field();
        if field.is_empty() {
            let end = self.text.trim_ascii_end().len() as u64 + 1;
            return Err(Error::expected(Place::column(self.file, self.number, end), b"", expected));
        }
        Ok(field)
    }

    /// The next field as a finite number of at least `min`.
    pub(super) fn number(&mut self, expected: &str, min: f64) -> Result<f64> {
        let field = self.next(expected)?;
        let number = std::str::from_utf8(field)
            .ok()
            .and_then(|t| t.parse::<f64>().ok())
            .filter(|x| x.is_finite() && *x >= min);
        let least = if min.is_finite() { format!(" of at least {min}") } else { String::new() };
        number.ok_or_else(|| self.found(&format!("{expected}: a number{least}")))
    }

    /// Nothing but a comment may follow.
    pub(super) fn end(&mut self) -> Result<()> {
        let field = self.field();
        if field.is_empty() || field.starts_with(b"#") {
            Ok(())
        } else {
            Err(self.found("the end of the line"))
        }
    }

    /// The error that the last field is not what was expected.
    pub(super) fn found(&self, expected: &str) -> Error {
        let column = self.start as u64 + 1;
        Error::expected(
            Place::column(self.file, self.number, column),
            &self.text[self.start..self.at],
            expected,
        )
    }
}
