//! The TREC formats: runs (`topic Q0 document rank score tag`) and judgements (`topic iteration document grade`).
//!
//! One scanner reads both, because a line of either is a topic, a field nobody uses, a document and a number. Within a topic the first two fields
//! hardly ever change, so they are compared as bytes instead of being split; whatever does not look like the line before goes to [`slow_line`],
//! which knows white space of any kind, comments, missing tags, and what to say when a line is wrong.

use std::io::Read;

use super::window::Window;
use crate::data::bytes;
use crate::error::{Error, Place};
use crate::warning::{Kind, Warnings};

/// What a scan reports to.
pub(crate) trait Sink {
    /// True where `document` spans must stay valid until the end of their topic.
    const KEEPS_TOPIC: bool;
    /// A topic begins. The second field comes along for those who read it.
    fn begin(&mut self, topic: &[u8], second: &[u8]) -> Result<(), Halt>;
    /// The topic goes on with another second field.
    fn second(&mut self, _second: &[u8]) {}
    /// A document of the topic: `len` bytes at `start` of `buf`. Spans within a topic count from `base`.
    fn document(&mut self, buf: &[u8], base: usize, doc: Doc, value: f64, line: u64) -> Result<(), Halt>;
    /// The topic ends; its text begins at the start of `text`.
    fn end(&mut self, text: &[u8]) -> Result<(), Halt>;
}

/// A document in the buffer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Doc {
    pub(crate) start: usize,
    pub(crate) len: usize,
    pub(crate) hash: u64,
}

/// Why a scan stopped early.
#[derive(Debug)]
pub(crate) enum Halt {
    /// Something is wrong.
    Failed(Error),
    /// A topic came again after another one: the file is not grouped by topic.
    Scattered,
}

impl From<Error> for Halt {
    fn from(e: Error) -> Halt {
        Halt::Failed(e)
    }
}

/// Which of the two formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    Run,
    Qrels,
}

/// The bytes before the document, compared in two words and a rest.
#[derive(Default)]
struct Prefix {
    bytes: Vec<u8>,
    words: [u64; 2],
    masks: [u64; 2],
}

impl Prefix {
    fn set(&mut self, prefix: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(prefix);
        for i in 0..2 {
            let covered = prefix.len().saturating_sub(8 * i).min(8);
            self.masks[i] = if covered == 8 { u64::MAX } else { (1u64 << (8 * covered)) - 1 };
            self.words[i] = bytes::load(prefix, 8 * i) & self.masks[i];
        }
    }

    #[inline(always)]
    fn matches(&self, buf: &[u8], pos: usize) -> bool {
        let differs =
            ((bytes::load(buf, pos) ^ self.words[0]) & self.masks[0]) | ((bytes::load(buf, pos + 8) ^ self.words[1]) & self.masks[1]);
        differs == 0 && (self.bytes.len() <= 16 || buf[pos..].starts_with(&self.bytes))
    }
}

/// Reads a whole stream. In lenient mode lines that are wrong are counted in `warnings` and left out.
pub(crate) fn scan<S: Sink>(
    name: &str,
    input: impl Read,
    layout: Layout,
    lenient: bool,
    warnings: &mut Warnings,
    sink: &mut S,
) -> Result<(), Halt> {
    let mut window = Window::new(input);
    let mut prefix = Prefix::default();
    let mut topic: Vec<u8> = Vec::new();
    let mut started = false;
    let (mut pos, mut base, mut line) = (0usize, 0usize, 0u64);
    let run = layout == Layout::Run;
    loop {
        let keep = if S::KEEPS_TOPIC && started { base } else { pos };
        let more = window.advance(keep, name, line + 1)?;
        pos -= keep;
        base = if S::KEEPS_TOPIC { base.saturating_sub(keep) } else { 0 };
        if !more {
            break;
        }
        let buf = window.buf.as_slice();
        let limit = window.limit;
        if line == 0 && buf.starts_with(b"\xef\xbb\xbf") {
            pos = 3;
        }
        while pos < limit {
            line += 1;
            if started
                && prefix.matches(buf, pos)
                && let Some((doc, value, end)) = fast_line(buf, pos + prefix.bytes.len(), limit, run)
            {
                sink.document(buf, base, doc, value, line)?;
                pos = end + 1;
                continue;
            }
            let end = bytes::line_end(buf, pos, limit);
            match slow_line(&buf[pos..end], layout) {
                Ok(None) => {}
                Ok(Some(fields)) => {
                    if !started || fields.topic != topic.as_slice() {
                        if started {
                            sink.end(&buf[base..])?;
                        }
                        base = pos;
                        topic.clear();
                        topic.extend_from_slice(fields.topic);
                        sink.begin(fields.topic, fields.second)?;
                        started = true;
                    } else {
                        sink.second(fields.second);
                    }
                    prefix.set(&buf[pos..pos + fields.doc_at]);
                    let start = pos + fields.doc_at;
                    let doc = Doc { start, len: fields.doc_len, hash: bytes::hash(buf, start, fields.doc_len) };
                    sink.document(buf, base, doc, fields.value, line)?;
                }
                Err(bad) if lenient => warnings.add(bad.kind, 1, name, line),
                Err(bad) => return Err(bad.error(name, line).into()),
            }
            pos = end + 1;
        }
        // The last line may lack its newline.
        pos = pos.min(limit);
    }
    if started {
        sink.end(&window.buf[base..])?;
    }
    Ok(())
}

/// The rest of a line whose first fields are known, from the document on; `None` where it looks in any way unusual.
#[inline(always)]
fn fast_line(buf: &[u8], start: usize, limit: usize, run: bool) -> Option<(Doc, f64, usize)> {
    let blank = |i: usize| matches!(buf.get(i), Some(b' ' | b'\t'));
    let end = bytes::field_end(buf, start);
    if end == start || !blank(end) {
        return None;
    }
    let mut at = end + 1;
    if run {
        let rank_end = bytes::field_end(buf, at);
        if rank_end == at || !blank(rank_end) {
            return None;
        }
        at = rank_end + 1;
    }
    let (value, after) = bytes::plain_decimal(buf, at)?;
    let newline = if buf.get(after) == Some(&b'\n') { after } else { bytes::line_end(buf, after, limit) };
    let len = end - start;
    Some((Doc { start, len, hash: bytes::hash(buf, start, len) }, value, newline))
}

/// The fields of a line.
struct Fields<'l> {
    topic: &'l [u8],
    second: &'l [u8],
    doc_at: usize,
    doc_len: usize,
    value: f64,
}

/// What is wrong with a line.
struct Bad {
    kind: Kind,
    column: usize,
    found: Vec<u8>,
    expected: &'static str,
    help: Option<&'static str>,
}

impl Bad {
    fn error(self, name: &str, line: u64) -> Error {
        let error = Error::expected(Place::column(name, line, self.column as u64 + 1), &self.found, self.expected);
        error.help(self.help.unwrap_or("mend the line, or leave such lines out with --lenient"))
    }
}

/// Splits any line: `None` for a blank one or a comment.
fn slow_line(line: &[u8], layout: Layout) -> Result<Option<Fields<'_>>, Bad> {
    let space = |b: u8| b.is_ascii_whitespace() || b == 0x0b;
    let mut spans = [(0usize, 0usize); 5];
    let mut count = 0;
    let mut i = 0;
    while count < spans.len() {
        while i < line.len() && space(line[i]) {
            i += 1;
        }
        if i == line.len() {
            break;
        }
        let start = i;
        while i < line.len() && !space(line[i]) {
            i += 1;
        }
        spans[count] = (start, i);
        count += 1;
    }
    let field = |n: usize| &line[spans[n].0..spans[n].1];
    if count == 0 || field(0).starts_with(b"#") {
        return Ok(None);
    }
    let (wanted, expected, number_is) = match layout {
        Layout::Run => (5, "a line of a run: topic Q0 document rank score tag", "a number for the score"),
        Layout::Qrels => (4, "a line of judgements: topic iteration document grade", "a number for the grade"),
    };
    if count < wanted {
        return Err(Bad { kind: Kind::MalformedLine, column: line.len(), found: line.to_vec(), expected, help: None });
    }
    if let Some(at) = line.iter().position(|b| *b < b' ' && !space(*b)) {
        let expected = "text without control characters";
        let help = Some("is this a text file? compressed files are recognised by their content: gzip, zstd, lz4, bzip2");
        return Err(Bad { kind: Kind::MalformedLine, column: at, found: line[at..].to_vec(), expected, help });
    }
    let text = field(wanted - 1);
    let value = std::str::from_utf8(text).ok().and_then(|t| t.parse::<f64>().ok());
    let bad = |kind, expected| Bad { kind, column: spans[wanted - 1].0, found: text.to_vec(), expected, help: None };
    match value {
        None => return Err(bad(Kind::MalformedLine, number_is)),
        Some(x) if x.is_nan() => return Err(bad(Kind::NotANumber, number_is)),
        Some(x) if layout == Layout::Qrels && x.is_infinite() => return Err(bad(Kind::MalformedLine, "a finite grade")),
        Some(value) => {
            let (start, end) = spans[2];
            Ok(Some(Fields { topic: field(0), second: field(1), doc_at: start, doc_len: end - start, value }))
        }
    }
}
