//! The TREC formats: runs (`topic Q0 document rank score tag`) and judgements
//! (`topic iteration document grade`).
//!
//! One scanner reads both, because a line of either is a topic, a field nobody uses, a document and
//! a number. Lines that look like the line before are read by [`usual`], and by [`ordered`] where
//! only the order of scores matters; all others go to [`slow_line`], which knows white space of any
//! kind, comments, missing tags, and what to say when a line is wrong.

mod ordered;
mod rows;
mod usual;

use std::io::Read;

use self::ordered::Order;
use self::rows::Rows;
use self::usual::{Prefix, fresh_line, mixed_lines, usual_lines};
use super::window::Window;
use crate::data::{Entry, Ids, Listing, bytes};
use crate::error::{Error, Place};
use crate::warning::{Kind, Warnings};

/// What a scan reports to.
pub(crate) trait Sink {
    /// Lines of one topic that follow each other.
    fn group(&mut self, group: &Group<'_>) -> Result<(), Halt>;

    /// Lines that are each of another topic than the next. Their ids stand in `text`.
    fn mixed(&mut self, lines: &[Mixed], text: &[u8]) -> Result<(), Halt> {
        lines.iter().try_for_each(|line| {
            let number = u64::from(line.number);
            let row = Entry { start: line.row.start - line.topic_start, ..line.row };
            let (topic, text) = (line.topic(text), &text[line.topic_start as usize..]);
            self.group(&Group {
                topic,
                lines: &[row],
                text,
                descending: false,
                first: number,
                last: number,
            })
        })
    }
}

/// Lines of one topic that follow each other.
pub(crate) struct Group<'g> {
    pub(crate) topic: &'g [u8],
    pub(crate) lines: &'g [Entry],
    /// Where the ids of the lines stand.
    pub(crate) text: &'g [u8],
    descending: bool,
    /// The numbers of the first line, with which the text begins, and of the last.
    first: u64,
    last: u64,
}

impl<'g> Group<'g> {
    pub(crate) fn listing(&self) -> Listing<'g> {
        Listing {
            rows: self.lines,
            ids: Ids::Text(self.text, self.first),
            descending: self.descending,
        }
    }

    /// The lines with their numbers.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (Entry, u32)> {
        // Nearly always there is nothing between them.
        let dense = self.last - self.first + 1 == self.lines.len() as u64;
        let (mut number, mut at) = (self.first, 0);
        self.lines.iter().map(move |line| {
            let start = line.start as usize;
            if !dense {
                number += memchr::memchr_iter(b'\n', &self.text[at..start]).count() as u64;
            } else if at > 0 {
                number += 1;
            }
            at = start;
            (*line, wrapped(number))
        })
    }
}

/// A line between lines of other topics.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixed {
    /// The first word of the topic.
    pub(crate) topic_head: u64,
    topic_start: u32,
    topic_len: u32,
    pub(crate) row: Entry,
    pub(crate) number: u32,
}

impl Mixed {
    #[inline]
    pub(crate) fn topic<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.topic_start as usize..][..self.topic_len as usize]
    }
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
    /// A run of which only the ranking is wanted: the scores reported order the documents of a
    /// group as those of the file do, but may be others.
    Ranking,
    Qrels,
    /// Judgements with a stratum before the grade; the fast scanner does not know it.
    Stratified,
}

/// Reads a whole stream. In lenient mode lines that are wrong are counted in `warnings` and left
/// out.
pub(crate) fn scan<S: Sink>(
    name: &str,
    input: impl Read,
    layout: Layout,
    lenient: bool,
    warnings: &mut Warnings,
    sink: &mut S,
) -> Result<(), Halt> {
    let mut window = Window::new(input);
    let mut open = Open::default();
    // Where the next line begins, where the group at hand began, and the number of the line before.
    let (mut pos, mut base, mut line) = (0, 0, 0u64);
    loop {
        let keep = if open.lines.is_empty() { pos } else { base };
        let more = window.advance(keep, name, line + 1)?;
        pos -= keep;
        base = 0;
        if !more {
            break;
        }
        let buf = window.buf.as_slice();
        let limit = window.limit;
        if u32::try_from(limit).is_err() {
            let error = Error::input(
                Place::line(name, line + 1),
                "more than 4 GB of lines in one topic, expected less",
            );
            return Err(error.help("is the first column really the topic?").into());
        }
        if line == 0 && buf.starts_with(b"\xef\xbb\xbf") {
            pos = 3;
        }
        while pos < limit {
            if open.mixed {
                open.close(&buf[base..], sink)?;
                let text = Text { buf, base, limit };
                let (other, lines) = match layout {
                    Layout::Run | Layout::Ranking => {
                        mixed_lines::<true, S>(text, pos, wrapped(line), sink)?
                    }
                    Layout::Qrels => mixed_lines::<false, S>(text, pos, wrapped(line), sink)?,
                    Layout::Stratified => (pos, 0),
                };
                (open.mixed, pos, base) = (false, other, other);
                line += lines;
            }
            if open.goes_on {
                let before = open.lines.len();
                let text = Text { buf, base, limit };
                if open.order.holds {
                    pos = open.order.lines(text, pos, &open.prefix, &mut open.lines);
                }
                pos = match layout {
                    _ if open.order.holds => pos,
                    Layout::Run | Layout::Ranking => {
                        usual_lines::<true>(text, pos, &open.prefix, &mut open.lines)
                    }
                    Layout::Qrels => usual_lines::<false>(text, pos, &open.prefix, &mut open.lines),
                    Layout::Stratified => pos,
                };
                let more = open.lines.len() - before;
                if more > 0 {
                    line += more as u64;
                    open.last = line;
                }
                if pos >= limit {
                    break;
                }
            }
            line += 1;
            let (end, read, usual) = match fresh_line(buf, pos, limit, layout) {
                Some((end, fields)) => (end, Ok(Some(fields)), true),
                None => {
                    let end = bytes::line_end(buf, pos, limit);
                    (end, slow_line(&buf[pos..end], layout), false)
                }
            };
            match read {
                Ok(None) => {}
                Ok(Some(fields)) => {
                    if open.lines.is_empty() || !bytes::same(fields.topic, open.topic(&buf[base..]))
                    {
                        open.mixed = open.lines.len() == 1;
                        open.close(&buf[base..], sink)?;
                        base = pos;
                        open.begin(&fields, line, usual && layout == Layout::Ranking);
                    } else {
                        open.mixed = false;
                        // The order of the next lines is told by the text of this one, or not at
                        // all.
                        open.order.give_up(Text { buf, base, limit }, &mut open.lines);
                    }
                    // In a file whose topics are mixed, hardly any line begins as the one before.
                    open.goes_on =
                        end + 1 >= limit || bytes::alike(buf, pos, end + 1, fields.doc_at);
                    if open.goes_on {
                        open.goes_on = open.prefix.set(&buf[pos..pos + fields.doc_at]);
                        open.mixed = false;
                    }
                    let start = pos + fields.doc_at;
                    let hash = bytes::hash(buf, start, fields.doc_len);
                    open.lines.push(Entry::new(hash, fields.value, (start - base) as u32));
                    open.last = line;
                }
                Err(bad) if lenient => warnings.add(bad.kind, 1, name, line),
                Err(bad) => return Err(bad.error(name, line).into()),
            }
            pos = end + 1;
        }
        // The last line may lack its newline.
        pos = pos.min(limit);
    }
    open.close(&window.buf[base..], sink)
}

/// What was read of a stream and is not done with: the group at hand begins at `base`, and lines
/// are whole up to `limit`.
#[derive(Clone, Copy)]
struct Text<'t> {
    buf: &'t [u8],
    base: usize,
    limit: usize,
}

/// The number of a line; those of files with more than four billion lines begin anew.
fn wrapped(line: u64) -> u32 {
    line as u32
}

/// The group at hand.
#[derive(Default)]
struct Open {
    /// Where its name stands in the text of the group, which is not copied: a file whose topics are
    /// mixed has as many groups as lines.
    topic: std::ops::Range<usize>,
    prefix: Prefix,
    /// True where the next line may begin with that prefix.
    goes_on: bool,
    /// True where topics seem to be mixed: the last lines are of one topic each.
    mixed: bool,
    order: Order,
    lines: Rows,
    /// The numbers of its first and its last line.
    first: u64,
    last: u64,
}

impl Open {
    fn topic<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.topic.clone()]
    }

    fn begin(&mut self, fields: &Fields<'_>, line: u64, ordered: bool) {
        self.first = line;
        self.topic = fields.topic_at..fields.topic_at + fields.topic.len();
        self.lines.clear();
        self.order.begin(ordered);
    }

    fn close(&mut self, text: &[u8], sink: &mut impl Sink) -> Result<(), Halt> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let (topic, descending) = (self.topic(text), self.order.holds);
        sink.group(&Group {
            topic,
            lines: &self.lines,
            text,
            descending,
            first: self.first,
            last: self.last,
        })?;
        self.lines.clear();
        Ok(())
    }
}

/// The fields of a line.
pub(crate) struct Fields<'l> {
    pub(crate) topic: &'l [u8],
    topic_at: usize,
    pub(crate) second: &'l [u8],
    pub(crate) doc_at: usize,
    pub(crate) doc_len: usize,
    /// The rank of a run, the stratum of a judgement that has one; only a line that was split field
    /// by field has it.
    pub(crate) fourth: &'l [u8],
    pub(crate) value: f64,
}

/// What is wrong with a line.
pub(crate) struct Bad {
    pub(crate) kind: Kind,
    column: usize,
    found: Vec<u8>,
    expected: &'static str,
    help: Option<&'static str>,
}

impl Bad {
    pub(crate) fn error(self, name: &str, line: u64) -> Error {
        let error = Error::expected(
            Place::column(name, line, self.column as u64 + 1),
            &self.found,
            self.expected,
        );
        error.help(self.help.unwrap_or(super::row::MEND))
    }
}

/// Splits any line: `None` for a blank one or a comment.
pub(crate) fn slow_line(line: &[u8], layout: Layout) -> Result<Option<Fields<'_>>, Bad> {
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
        Layout::Run | Layout::Ranking => {
            (5, "a line of a run: topic Q0 document rank score tag", "a number for the score")
        }
        Layout::Qrels => {
            (4, "a line of judgements: topic iteration document grade", "a number for the grade")
        }
        Layout::Stratified => (
            5,
            "a line of judgements: topic iteration document stratum grade",
            "a number for the grade",
        ),
    };
    if count < wanted {
        return Err(Bad {
            kind: Kind::MalformedLine,
            column: line.len(),
            found: line.to_vec(),
            expected,
            help: None,
        });
    }
    // Nobody reads what is behind the last of them.
    if let Some(at) = line[..spans[wanted - 1].1].iter().position(|b| *b < b' ' && !space(*b)) {
        let expected = "text without control characters";
        let help = Some(
            "is this a text file? compressed files are recognised by their content: gzip, zstd, lz4, bzip2",
        );
        return Err(Bad {
            kind: Kind::MalformedLine,
            column: at,
            found: line[at..].to_vec(),
            expected,
            help,
        });
    }
    let text = field(wanted - 1);
    let value = std::str::from_utf8(text).ok().and_then(|t| t.parse::<f64>().ok());
    let bad = |kind, expected| Bad {
        kind,
        column: spans[wanted - 1].0,
        found: text.to_vec(),
        expected,
        help: None,
    };
    match value {
        None => Err(bad(Kind::MalformedLine, number_is)),
        Some(x) if x.is_nan() => Err(bad(Kind::NotANumber, number_is)),
        Some(x) if !matches!(layout, Layout::Run | Layout::Ranking) && x.is_infinite() => {
            Err(bad(Kind::MalformedLine, "a finite grade"))
        }
        Some(value) => {
            let (start, end) = spans[2];
            Ok(Some(Fields {
                topic: field(0),
                topic_at: spans[0].0,
                second: field(1),
                doc_at: start,
                doc_len: end - start,
                fourth: field(3),
                value,
            }))
        }
    }
}
