//! Rows of fields: tabs, commas or spaces, with quotes as in RFC 4180.

use std::borrow::Cow;

use super::Text;
use crate::error::{Error, Result};

/// What stands between fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Delimiter {
    /// One such byte; fields may be empty and may be quoted.
    Byte(u8),
    /// Any amount of white space.
    Space,
}

impl Delimiter {
    /// The delimiter of a header line.
    pub(super) fn of(header: &str) -> Delimiter {
        [b'\t', b','].into_iter().find(|&byte| header.as_bytes().contains(&byte)).map_or(Delimiter::Space, Delimiter::Byte)
    }
}

/// A field and the column where it starts.
#[derive(Debug, Clone)]
pub(super) struct Field<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) column: u64,
}

/// The rows of a text, one after the other. Blank lines are skipped.
pub(super) struct Rows<'a> {
    source: &'a Text<'a>,
    rest: &'a str,
    next_line: u64,
    delimiter: Delimiter,
}

impl<'a> Rows<'a> {
    pub(super) fn new(source: &'a Text<'a>, delimiter: Delimiter) -> Rows<'a> {
        Rows { source, rest: source.text, next_line: 1, delimiter }
    }

    /// Puts the next row into `fields` and returns its line, `None` at the end.
    pub(super) fn next(&mut self, fields: &mut Vec<Field<'a>>) -> Result<Option<u64>> {
        loop {
            fields.clear();
            if self.rest.is_empty() {
                return Ok(None);
            }
            let line = self.next_line;
            match self.delimiter {
                Delimiter::Space => self.split_spaces(fields),
                Delimiter::Byte(byte) => self.split(byte, fields)?,
            }
            if !(fields.is_empty() || fields.len() == 1 && fields[0].text.trim().is_empty()) {
                return Ok(Some(line));
            }
        }
    }

    fn split_spaces(&mut self, fields: &mut Vec<Field<'a>>) {
        let end = memchr::memchr(b'\n', self.rest.as_bytes()).unwrap_or(self.rest.len());
        let row = &self.rest[..end];
        let start = row.as_ptr() as usize;
        fields.extend(
            row.split_ascii_whitespace()
                .map(|text| Field { text: Cow::Borrowed(text), column: (text.as_ptr() as usize - start) as u64 + 1 }),
        );
        self.skip(end + 1);
        self.next_line += 1;
    }

    fn split(&mut self, delimiter: u8, fields: &mut Vec<Field<'a>>) -> Result<()> {
        let mut column = 1;
        loop {
            let field_line = self.next_line;
            let quoted = self.rest.starts_with('"');
            let (text, used) = if quoted { self.quoted(field_line, column)? } else { (Cow::Borrowed(""), 0) };
            let bytes = &self.rest.as_bytes()[used..];
            let end = memchr::memchr2(delimiter, b'\n', bytes).unwrap_or(bytes.len());
            let plain = &self.rest[used..used + end];
            let terminator = bytes.get(end).copied();
            let plain = if terminator == Some(delimiter) { plain } else { plain.strip_suffix('\r').unwrap_or(plain) };
            if quoted && !plain.is_empty() {
                let place = self.source.column(self.next_line, column + used as u64);
                return Err(Error::expected(place, plain.as_bytes(), "the end of the field after the closing quote"));
            }
            fields.push(Field { text: if quoted { text } else { Cow::Borrowed(plain) }, column });
            column += (used + end + 1) as u64;
            self.skip(used + end + 1);
            if terminator != Some(delimiter) {
                self.next_line += 1;
                return Ok(());
            }
        }
    }

    /// The text between quotes, with `""` for a quote, and the bytes it took.
    fn quoted(&mut self, line: u64, column: u64) -> Result<(Cow<'a, str>, usize)> {
        let body = &self.rest[1..];
        let mut text = Cow::Borrowed("");
        let mut at = 0;
        loop {
            let Some(length) = memchr::memchr(b'"', &body.as_bytes()[at..]) else {
                let error = Error::input(self.source.column(line, column), "a quote that is never closed");
                return Err(error.help("write a quote inside a field twice, and quote the whole field"));
            };
            let piece = &body[at..at + length];
            self.next_line += memchr::memchr_iter(b'\n', piece.as_bytes()).count() as u64;
            if text.is_empty() {
                text = Cow::Borrowed(piece)
            } else {
                text.to_mut().push_str(piece)
            }
            at += length + 1;
            if body.as_bytes().get(at) != Some(&b'"') {
                return Ok((text, at + 1));
            }
            text.to_mut().push('"');
            at += 1;
        }
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }
}
