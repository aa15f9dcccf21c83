//! The TREC formats: runs (`topic Q0 document rank score tag`) and judgements
//! (`topic iteration document grade`).
//!
//! One scanner reads both, because a line of either is a topic, a field nobody uses, a document and
//! a number. Lines that look like the line before are read by [`usual`], and by [`descending`] if
//! only the order of scores matters; all others go to [`split_line`], which knows blanks of any kind,
//! comments, missing tags, and what to say when a line is wrong.

mod descending;
mod line;
mod rows;
#[cfg(test)]
mod tests;
mod usual;

use std::io::Read;

use self::descending::Descending;
pub(crate) use self::line::{
    BYTE_ORDER_MARK, Fields, LONE_RETURN, lone_return, lone_return_error, refuse_lone_return,
    split_line, topic,
};
use self::rows::Rows;
use self::usual::{LinePrefix, fresh_line, mixed_lines, usual_lines};
use super::window::Window;
use crate::data::bytes::{self, Hashing};
use crate::data::{Entry, Ids, Listing};
use crate::error::{Error, Place};
use crate::io::Source;
use crate::warning::Warnings;

/// What a scan reports to.
pub(crate) trait Sink {
    /// Lines of one topic that follow each other.
    fn group(&mut self, group: &TopicLines<'_>) -> Result<(), Halt>;

    /// Lines that are each of another topic than the next. Their ids are in `text`.
    fn mixed(&mut self, lines: &[MixedLine], text: &[u8]) -> Result<(), Halt> {
        lines.iter().try_for_each(|line| {
            let number = u64::from(line.number);
            let row = Entry { start: line.row.start - line.topic_start, ..line.row };
            let (topic, text) = (line.topic(text), &text[line.topic_start as usize..]);
            self.group(&TopicLines {
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
pub(crate) struct TopicLines<'g> {
    pub(crate) topic: &'g [u8],
    pub(crate) lines: &'g [Entry],
    /// Where the ids of the lines are.
    pub(crate) text: &'g [u8],
    descending: bool,
    /// The numbers of the first line, with which the text begins, and of the last.
    first: u64,
    last: u64,
}

impl<'g> TopicLines<'g> {
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
pub(crate) struct MixedLine {
    /// The first word of the topic.
    pub(crate) topic_head: u64,
    topic_start: u32,
    topic_len: u32,
    pub(crate) row: Entry,
    pub(crate) number: u32,
}

impl MixedLine {
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
    /// The rows of each topic must be gathered first: a topic came again after another one, or
    /// something else is such that only the general path can tell what it is.
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

/// How a source is read.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'s> {
    name: &'s str,
    layout: Layout,
    /// Lines that are wrong are counted and left out.
    lenient: bool,
    window: usize,
}

/// What is known at the end of a stream.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    /// The tag of the last line of a run, if it has one.
    pub(crate) tag: Option<Vec<u8>>,
}

impl<'s> Scan<'s> {
    pub(crate) fn new(source: &'s Source, layout: Layout, lenient: bool) -> Scan<'s> {
        Scan { name: source.name(), layout, lenient, window: source.limits().window }
    }

    /// Reads a whole stream: the source's, or a piece of it.
    pub(crate) fn read<S: Sink>(
        self,
        input: impl Read,
        warnings: &mut Warnings,
        sink: &mut S,
    ) -> Result<Scanned, Halt> {
        read(self, input, warnings, sink)
    }
}

fn read<S: Sink>(
    scan: Scan<'_>,
    input: impl Read,
    warnings: &mut Warnings,
    sink: &mut S,
) -> Result<Scanned, Halt> {
    let Scan { name, layout, lenient, window } = scan;
    let mut window = Window::new(input, window);
    let mut open = OpenGroup::default();
    let mut tag = None;
    let hashing = Hashing::default();
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
        if matches!(layout, Layout::Run | Layout::Ranking) {
            tag = last_tag(&buf[..limit], tag);
        }
        while pos < limit {
            if open.mixed {
                open.close(&buf[base..], sink)?;
                let text = Text { buf, base, limit, hashing };
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
                let text = Text { buf, base, limit, hashing };
                if open.descending.holds {
                    pos = open.descending.lines(text, pos, &open.prefix, &mut open.lines);
                }
                pos = match layout {
                    _ if open.descending.holds => pos,
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
                    (end, split_line(&buf[pos..end], layout), false)
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
                        open.descending
                            .give_up(Text { buf, base, limit, hashing }, &mut open.lines);
                    }
                    // In a file whose topics are mixed, hardly any line begins as the one before.
                    open.goes_on =
                        end + 1 >= limit || bytes::alike(buf, pos, end + 1, fields.doc_at);
                    if open.goes_on {
                        open.goes_on = open.prefix.set(&buf[pos..pos + fields.doc_at]);
                        open.mixed = false;
                    }
                    // The topic may go on although the second field is another.
                    if open.mixed {
                        let topic =
                            pos + fields.topic_at..=pos + fields.topic_at + fields.topic.len();
                        open.mixed = !buf[end + 1..].starts_with(&buf[topic]);
                    }
                    let start = pos + fields.doc_at;
                    let hash = hashing.of(buf, start, fields.doc_len);
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
    open.close(&window.buf[base..], sink)?;
    Ok(Scanned { tag })
}

/// The tag of the last line that has content; what was known before if there is none.
pub(crate) fn last_tag(text: &[u8], known: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let mut lines = text.rsplit(|b| *b == b'\n');
    match lines.find(|line| topic(line).is_some()) {
        Some(line) => line::tag(line).map(<[u8]>::to_vec),
        None => known,
    }
}

/// What was read of a stream and is not done with: the group at hand begins at `base`, and lines
/// are whole up to `limit`.
#[derive(Clone, Copy)]
struct Text<'t> {
    buf: &'t [u8],
    base: usize,
    limit: usize,
    hashing: Hashing,
}

/// The number of a line; those of files with more than four billion lines begin anew.
fn wrapped(line: u64) -> u32 {
    line as u32
}

/// The group at hand.
#[derive(Default)]
struct OpenGroup {
    /// Where its name is in the text of the group, which is not copied: a file whose topics are
    /// mixed has as many groups as lines.
    topic: std::ops::Range<usize>,
    prefix: LinePrefix,
    /// True if the next line may begin with that prefix.
    goes_on: bool,
    /// True if topics seem to be mixed: the last lines are of one topic each.
    mixed: bool,
    descending: Descending,
    lines: Rows,
    /// The numbers of its first and its last line.
    first: u64,
    last: u64,
}

impl OpenGroup {
    fn topic<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.topic.clone()]
    }

    fn begin(&mut self, fields: &Fields<'_>, line: u64, ordered: bool) {
        self.first = line;
        self.topic = fields.topic_at..fields.topic_at + fields.topic.len();
        self.lines.clear();
        self.descending.begin(ordered);
    }

    fn close(&mut self, text: &[u8], sink: &mut impl Sink) -> Result<(), Halt> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let (topic, descending) = (self.topic(text), self.descending.holds);
        sink.group(&TopicLines {
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
