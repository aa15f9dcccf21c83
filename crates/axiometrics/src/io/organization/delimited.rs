//! Rows of fields: tabs, commas or spaces, with quotes as in RFC 4180.

use super::text::TextPiece;
use crate::data::bytes;
use crate::error::{Error, Place, Result};
use crate::io::csv::{MOST_FIELDS, too_many_fields};
use crate::io::trec::{lone_return_error, refuse_lone_return};

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
        [b'\t', b',']
            .into_iter()
            .find(|&byte| header.as_bytes().contains(&byte))
            .map_or(Delimiter::Space, Delimiter::Byte)
    }
}

/// The fields of a row.
#[derive(Debug, Default)]
pub(super) struct RowFields<'a> {
    text: &'a str,
    /// Where the row begins.
    start: usize,
    /// Where each field begins and ends, quotes not counted.
    spans: Vec<(usize, usize)>,
    /// The fields with quotes inside, and what they say.
    escaped: Vec<(usize, String)>,
}

impl<'a> RowFields<'a> {
    /// How many there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// What a field says; nothing if there is no such field.
    #[inline]
    pub(super) fn text(&self, field: usize) -> &str {
        self.plain(field).unwrap_or_else(|| {
            self.escaped.iter().find(|(at, _)| *at == field).map_or("", |(_, text)| text)
        })
    }

    /// The same as a piece of the text, if it is one.
    #[inline(always)]
    pub(super) fn plain(&self, field: usize) -> Option<&'a str> {
        match self.spans.get(field) {
            Some(&(start, end)) if self.escaped.is_empty() => Some(&self.text[start..end]),
            Some(&(start, end)) if self.escaped.iter().all(|(at, _)| *at != field) => {
                Some(&self.text[start..end])
            }
            _ => None,
        }
    }

    /// The column where a field begins, with its quote.
    pub(super) fn column(&self, field: usize) -> u64 {
        let start = self.spans.get(field).map_or(self.start, |(start, _)| *start);
        let quoted = start > self.start && self.text.as_bytes()[start - 1] == b'"';
        (start - self.start - usize::from(quoted)) as u64 + 1
    }

    fn restart(&mut self, text: &'a str, start: usize) {
        (self.text, self.start) = (text, start);
        self.spans.clear();
        if !self.escaped.is_empty() {
            self.escaped.clear();
        }
    }

    fn blank(&self) -> bool {
        self.spans.is_empty() || self.spans.len() == 1 && self.text(0).trim().is_empty()
    }
}

/// The rows of a text, one after the other. Blank lines are skipped.
pub(super) struct DelimitedRows<'a> {
    name: &'a str,
    text: &'a str,
    /// Where the next row begins.
    at: usize,
    next_line: u64,
    delimiter: Delimiter,
    ends: FieldEnds,
    /// False where more text may follow, so that a quote may yet be closed.
    whole: bool,
}

impl<'a> DelimitedRows<'a> {
    /// The rows of some lines of a file, which has this name in messages.
    pub(super) fn part(
        name: &'a str,
        piece: TextPiece<'a>,
        delimiter: Delimiter,
    ) -> DelimitedRows<'a> {
        let ends = FieldEnds::new(match delimiter {
            Delimiter::Byte(byte) => byte,
            Delimiter::Space => b' ',
        });
        let TextPiece { text, line: next_line, last: whole } = piece;
        DelimitedRows { name, text, at: 0, next_line, delimiter, ends, whole }
    }

    /// Puts the next row into `fields` and returns its line; `None` at the end, or where the text
    /// ends within the row.
    #[inline]
    pub(super) fn next(&mut self, fields: &mut RowFields<'a>) -> Result<Option<u64>> {
        loop {
            let (line, start) = (self.next_line, self.at);
            fields.restart(self.text, start);
            if start >= self.text.len() {
                return Ok(None);
            }
            match self.delimiter {
                Delimiter::Space => self.split_spaces(fields)?,
                Delimiter::Byte(byte) => {
                    if !self.split(byte, fields)? {
                        (self.next_line, self.at) = (line, start);
                        return Ok(None);
                    }
                }
            }
            if !fields.blank() {
                return Ok(Some(line));
            }
        }
    }

    /// Where the row begins that comes next, in the text and in the file.
    pub(super) fn next_row(&self) -> (usize, u64) {
        (self.at.min(self.text.len()), self.next_line)
    }

    #[inline(never)]
    fn split_spaces(&mut self, fields: &mut RowFields<'a>) -> Result<()> {
        let rest = &self.text[self.at..];
        let row = &rest[..memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())];
        refuse_lone_return(row.as_bytes(), self.name, self.next_line)?;
        let place = |text: &str| self.at + (text.as_ptr() as usize - row.as_ptr() as usize);
        fields.spans.extend(
            row.split_ascii_whitespace()
                .map(|text| (place(text), place(text) + text.len()))
                .take(MOST_FIELDS + 1),
        );
        self.bounded(fields)?;
        self.at += row.len() + 1;
        self.next_line += 1;
        Ok(())
    }

    fn bounded(&self, fields: &RowFields<'_>) -> Result<()> {
        if fields.len() > MOST_FIELDS {
            return Err(too_many_fields(self.name, self.next_line));
        }
        Ok(())
    }

    /// Refuses a carriage return in a field without quotes.
    #[cold]
    fn without_returns(&self, fields: &RowFields<'_>, end: usize) -> Result<()> {
        let bytes = self.text.as_bytes();
        for &(start, end_of_field) in &fields.spans {
            let quoted = start > fields.start && bytes[start - 1] == b'"';
            let field = &bytes[start..end_of_field];
            if let Some(at) = memchr::memchr(b'\r', field).filter(|_| !quoted) {
                let row = &bytes[fields.start..end];
                let at = start - fields.start + at;
                if row[at..].iter().any(|byte| *byte != b'\r') {
                    return Err(lone_return_error(row, at, self.name, self.next_line));
                }
            }
        }
        Ok(())
    }

    /// Splits a row; false where the text ends within it.
    #[inline]
    fn split(&mut self, delimiter: u8, fields: &mut RowFields<'a>) -> Result<bool> {
        let bytes = self.text.as_bytes();
        loop {
            let start = self.at;
            let quoted = bytes.get(start) == Some(&b'"');
            if quoted && !self.quoted(fields)? {
                return Ok(false);
            }
            let end = self.ends.next(bytes, self.at);
            let last = bytes.get(end) != Some(&delimiter);
            let end_of_text =
                if last && end > self.at && bytes[end - 1] == b'\r' { end - 1 } else { end };
            if !quoted {
                fields.spans.push((start, end_of_text));
            } else if self.at < end_of_text {
                let place =
                    Place::column(self.name, self.next_line, (self.at - fields.start) as u64 + 1);
                return Err(Error::expected(
                    place,
                    &bytes[self.at..end_of_text],
                    "the end of the field after the closing quote",
                ));
            }
            self.at = end + 1;
            self.bounded(fields)?;
            if last {
                if memchr::memchr(b'\r', &bytes[fields.start..end_of_text]).is_some() {
                    self.without_returns(fields, end_of_text)?;
                }
                self.next_line += 1;
                return Ok(true);
            }
        }
    }

    /// Takes a field in quotes, with `""` for a quote, and moves behind it; false where it may be
    /// closed in text that follows.
    #[cold]
    #[inline(never)]
    fn quoted(&mut self, fields: &mut RowFields<'a>) -> Result<bool> {
        let (line, open) = (self.next_line, self.at);
        let body = &self.text[open + 1..];
        let mut escaped: Option<String> = None;
        let mut at = 0;
        loop {
            let Some(length) = memchr::memchr(b'"', &body.as_bytes()[at..]) else {
                if !self.whole {
                    return Ok(false);
                }
                let place = Place::column(self.name, line, (open - fields.start) as u64 + 1);
                let error = Error::input(place, "a quote that is never closed");
                return Err(
                    error.help("write a quote inside a field twice, and quote the whole field")
                );
            };
            let piece = &body[at..at + length];
            self.next_line += memchr::memchr_iter(b'\n', piece.as_bytes()).count() as u64;
            at += length + 1;
            let again = body.as_bytes().get(at) == Some(&b'"');
            if let Some(text) = &mut escaped {
                text.push_str(piece);
            } else if again {
                escaped = Some(piece.to_string());
            }
            if !again {
                break;
            }
            escaped.get_or_insert_default().push('"');
            at += 1;
        }
        self.at = open + 1 + at;
        fields.escaped.extend(escaped.map(|text| (fields.spans.len(), text)));
        fields.spans.push((open + 1, self.at - 1));
        Ok(true)
    }
}

/// Finds delimiters and ends of lines, 64 bytes at a time: fields are short, and one search for
/// each would cost more than all else.
struct FieldEnds {
    delimiter: u8,
    /// Where the bytes begin that were looked at last, and which of them are ends.
    block: usize,
    found: u64,
}

impl FieldEnds {
    fn new(delimiter: u8) -> FieldEnds {
        // Behind any text, so that the first question looks.
        FieldEnds { delimiter, block: usize::MAX, found: 0 }
    }

    /// The first end at or behind `from`, or the end of the text. Questions go forward.
    #[inline]
    fn next(&mut self, text: &[u8], from: usize) -> usize {
        let mut block = from & !63;
        if block != self.block {
            self.look(text, block);
        }
        let mut found = self.found & (u64::MAX << (from & 63));
        while found == 0 {
            block += 64;
            if block >= text.len() {
                return text.len();
            }
            self.look(text, block);
            found = self.found;
        }
        block + found.trailing_zeros() as usize
    }

    #[inline]
    fn look(&mut self, text: &[u8], block: usize) {
        self.block = block;
        self.found = match text.get(block..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => bytes::either(bytes, self.delimiter, b'\n'),
            None => self.look_at_rest(text.get(block..).unwrap_or(&[])),
        };
    }

    /// The same for fewer bytes, of which the padding is no end.
    #[cold]
    #[inline(never)]
    fn look_at_rest(&self, rest: &[u8]) -> u64 {
        let mut padded = [0; 64];
        padded[..rest.len()].copy_from_slice(rest);
        bytes::either(&padded, self.delimiter, b'\n')
    }
}
