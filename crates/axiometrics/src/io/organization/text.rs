//! The text of a file, piece by piece: UTF-8, or latin-1.
//!
//! Owns: how much of a file is in memory at once. Does not own: what the text means.

use std::io::{self, Read};

use super::ReadOptions;
use crate::error::{Error, Place, Result};
use crate::io::Source;
use crate::io::csv::too_long_record;
use crate::io::window::{LONGEST_LINE, Window};

const BOM: char = '\u{feff}';

/// How much is looked at together.
const CHUNK: usize = 1 << 16;

/// A file that is read.
pub(super) struct FileText<'a> {
    pub(super) source: &'a Source,
    pub(super) positive: Option<&'a str>,
    /// Each byte is one of the first 256 characters.
    pub(super) is_latin: bool,
}

/// Whole lines of a file.
pub(super) struct TextPiece<'t> {
    pub(super) text: &'t str,
    /// The number of the first of them.
    pub(super) line: u64,
    /// True if nothing follows.
    pub(super) last: bool,
}

impl<'a> FileText<'a> {
    pub(super) fn new(source: &'a Source, options: &'a ReadOptions) -> FileText<'a> {
        FileText { source, positive: options.positive.as_deref(), is_latin: false }
    }

    pub(super) fn line(&self, line: u64) -> Place {
        Place::line(self.source.name(), line)
    }

    pub(super) fn column(&self, line: u64, column: u64) -> Place {
        Place::column(self.source.name(), line, column)
    }

    /// The bytes in UTF-8.
    pub(super) fn decoded<'r>(
        &self,
        input: Box<dyn Read + Send + 'r>,
    ) -> Box<dyn Read + Send + 'r> {
        if self.is_latin { Box::new(Latin { input, second: None }) } else { input }
    }

    /// Shows the text behind a byte order mark, piece by piece. `take` says how much of a piece it
    /// used and which line comes next; the rest is shown again with what follows. If it says
    /// nothing, it has seen enough.
    pub(super) fn pieces<'r>(
        &self,
        input: Box<dyn Read + Send + 'r>,
        mut take: impl FnMut(TextPiece<'_>) -> Result<Option<(usize, u64)>>,
    ) -> Result<()> {
        let name = self.source.name();
        let mut window = Window::new(self.decoded(input), self.source.limits().window);
        let (mut used, mut line) = (0, 1);
        let mut begun = false;
        loop {
            let last = !window.advance(used, name, line)?;
            let text = std::str::from_utf8(&window.buf[..window.limit])
                .map_err(|_| Error::input(Place::file(name), "the file is not text in UTF-8"))?;
            let text = if begun { text } else { text.strip_prefix(BOM).unwrap_or(text) };
            begun = true;
            let Some((taken, next)) = take(TextPiece { text, line, last })? else { return Ok(()) };
            if last {
                return Ok(());
            }
            used = window.limit - text.len() + taken;
            line = next;
            if window.limit - used > LONGEST_LINE {
                return Err(too_long_record(name, line));
            }
        }
    }

    /// True if the first letter is the brace of an object. Its text may be one long line.
    pub(super) fn begins_json(&self) -> Result<bool> {
        let mut input = io::BufReader::with_capacity(CHUNK, self.source.look()?);
        loop {
            let bytes = io::BufRead::fill_buf(&mut input)
                .map_err(|cause| Error::io(self.source.name(), cause))?;
            let blank = |byte: &&u8| byte.is_ascii_whitespace() || BOM_BYTES.contains(byte);
            let (read, first) = (bytes.len(), bytes.iter().find(|byte| !blank(byte)).copied());
            if first.is_some() || read == 0 {
                return Ok(first == Some(b'{'));
            }
            io::BufRead::consume(&mut input, read);
        }
    }
}

const BOM_BYTES: &[u8] = b"\xef\xbb\xbf";

/// Bytes of latin-1 as UTF-8.
struct Latin<R> {
    input: R,
    /// What had no room behind the first byte of its character.
    second: Option<u8>,
}

impl<R: Read> Read for Latin<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let Some(first) = buf.first_mut() else { return Ok(0) };
        if let Some(second) = self.second.take() {
            *first = second;
            return Ok(1);
        }
        // A character is two bytes at most, the last of which can wait.
        let mut bytes = [0; CHUNK];
        let room = buf.len().div_ceil(2).min(CHUNK);
        let read = self.input.read(&mut bytes[..room])?;
        let mut filled = 0;
        for &byte in &bytes[..read] {
            let mut utf8 = [0; 2];
            for &byte in char::from(byte).encode_utf8(&mut utf8).as_bytes() {
                match buf.get_mut(filled) {
                    Some(slot) => *slot = byte,
                    None => self.second = Some(byte),
                }
                filled += 1;
            }
        }
        Ok(filled.min(buf.len()))
    }
}

/// Whether all of a file is UTF-8.
pub(super) fn is_utf8(source: &Source) -> Result<bool> {
    let mut input = source.look()?;
    let mut text = Vec::new();
    loop {
        let read = input
            .by_ref()
            .take(CHUNK as u64)
            .read_to_end(&mut text)
            .map_err(|cause| Error::io(source.name(), cause))?;
        match std::str::from_utf8(&text) {
            Ok(_) => text.clear(),
            Err(error) if error.error_len().is_some() || read == 0 => return Ok(false),
            // The last character goes on.
            Err(error) => drop(text.drain(..error.valid_up_to())),
        }
        if read == 0 {
            return Ok(true);
        }
    }
}
