//! Lines that look as nearly all lines do: single blanks of one kind between the fields, and a
//! plain number.
//!
//! Within a topic the first two fields hardly ever change, so they are compared as bytes instead of
//! being split.

use super::line::{BYTE_ORDER_MARK, lone_return};
use super::rows::Rows;
use super::{Fields, Halt, Layout, MixedLine, Sink, Text};
use crate::data::{Entry, bytes};

/// The bytes before the document, of which most lines have few.
#[derive(Default)]
pub(super) struct LinePrefix {
    bytes: Vec<u8>,
    len: usize,
    words: [u64; 2],
    masks: [u64; 2],
    /// The blank before the document; those behind it are expected to be of the same kind.
    blank: u8,
}

/// The longest prefix that is looked for.
const LONGEST: usize = 63;

impl LinePrefix {
    /// False if the prefix is too long to be looked for.
    pub(super) fn set(&mut self, prefix: &[u8]) -> bool {
        self.len = prefix.len();
        self.bytes.clear();
        self.bytes.extend_from_slice(prefix);
        self.blank = prefix.last().copied().unwrap_or(b' ');
        for i in 0..2 {
            let covered = prefix.len().saturating_sub(8 * i).min(8);
            self.masks[i] = if covered == 8 { u64::MAX } else { (1u64 << (8 * covered)) - 1 };
            self.words[i] = bytes::load(prefix, 8 * i) & self.masks[i];
        }
        self.len <= LONGEST
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn blank(&self) -> u8 {
        self.blank
    }

    /// What is behind the prefix on the line that begins here; `None` if it begins otherwise.
    #[inline(always)]
    pub(super) fn view<'b>(&self, buf: &'b [u8], pos: usize) -> Option<&'b bytes::View> {
        let line = buf.get(pos..)?.first_chunk::<{ LONGEST + size_of::<bytes::View>() }>()?;
        let differs = ((bytes::load(line, 0) ^ self.words[0]) & self.masks[0])
            | ((bytes::load(line, 8) ^ self.words[1]) & self.masks[1]);
        if differs != 0 || self.len > 16 && !line.starts_with(&self.bytes) {
            return None;
        }
        line[self.len & LONGEST..].first_chunk()
    }
}

/// Reads on as long as lines look like those before: the same first fields, single blanks of the
/// same kind, a plain decimal. Returns where the first other line begins.
#[inline(never)]
pub(super) fn usual_lines<const RUN: bool>(
    text: Text<'_>,
    mut pos: usize,
    prefix: &LinePrefix,
    rows: &mut Rows,
) -> usize {
    let Text { buf, base, limit, hashing } = text;
    loop {
        rows.make_room();
        rows.fill(|| {
            let view = prefix.view(buf, pos).filter(|_| pos < limit)?;
            let Usual { doc_end: len, score, newline, .. } = usual_line::<RUN>(view, prefix.blank)?;
            let start = pos + prefix.len;
            pos = 1 + match newline {
                Some(newline) => start + newline as usize,
                None => rest_of_line(buf, start + len as usize, limit)?,
            };
            Some(Entry::new(hashing.within(view, 0, len), score, (start - base) as u32))
        });
        if !rows.is_full() {
            return pos;
        }
    }
}

/// The end of a line, of which all up to `from` is known; `None` if what is left is not usual.
#[inline]
pub(super) fn rest_of_line(buf: &[u8], from: usize, limit: usize) -> Option<usize> {
    let end = bytes::line_end(buf, from, limit);
    lone_return(&buf[from..end]).is_none().then_some(end)
}

/// What is in sight of a line: indices into its view.
pub(super) struct Usual {
    /// Where the topic ends, for a line that is seen from its start.
    pub(super) topic_end: u32,
    pub(super) doc: u32,
    pub(super) doc_end: u32,
    /// The blanks before and behind the number.
    pub(super) before: u32,
    pub(super) number_end: u32,
    /// The number: a score or a grade.
    pub(super) score: f64,
    /// True for a short decimal, without an exponent.
    pub(super) plain: bool,
    /// The end of the line, if it is in sight.
    pub(super) newline: Option<u32>,
}

/// A line that is seen from its document on; `None` if anything looks unusual.
#[inline(always)]
pub(super) fn usual_line<const RUN: bool>(view: &bytes::View, blank: u8) -> Option<Usual> {
    if !RUN && let Some(line) = one_digit(view, blank) {
        return Some(line);
    }
    seen::<false, RUN>(view, blank)
}

/// A judgement of one digit at the end of its line, as nearly all are.
#[inline(always)]
fn one_digit(view: &bytes::View, blank: u8) -> Option<Usual> {
    let doc_end = bytes::first_blanks::<32>(view).trailing_zeros();
    let newline = doc_end + 2;
    let digit = bytes::byte(view, doc_end + 1).wrapping_sub(b'0');
    let short = doc_end != 0
        && bytes::byte(view, doc_end) == blank
        && digit < 10
        && bytes::byte(view, newline) == b'\n';
    let score = f64::from(digit);
    short.then_some(Usual {
        topic_end: 0,
        doc: 0,
        doc_end,
        before: doc_end,
        number_end: newline,
        score,
        plain: true,
        newline: Some(newline),
    })
}

/// A line that is seen from its start.
#[inline(always)]
pub(super) fn whole_line<const RUN: bool>(view: &bytes::View) -> Option<Usual> {
    if begins_oddly(view) { None } else { seen::<true, RUN>(view, 0) }
}

/// Whether a line begins with a comment or a byte order mark.
#[inline(always)]
fn begins_oddly(line: &[u8]) -> bool {
    line[0] == b'#' || line.starts_with(BYTE_ORDER_MARK)
}

#[inline(always)]
fn seen<const WHOLE: bool, const RUN: bool>(view: &bytes::View, blank: u8) -> Option<Usual> {
    // The blanks, taken one by one, are the ends of the fields.
    let all = if WHOLE {
        bytes::first_blanks::<64>(view)
    } else {
        bytes::blanks(view, if RUN { 4 } else { 3 })
    };
    let mut rest = all;
    let mut next = || {
        let end = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        end
    };
    let (topic_end, doc, blank) = if WHOLE {
        let (topic_end, second_end) = (next(), next());
        let blank = bytes::byte(view, topic_end);
        if bytes::byte(view, second_end) != blank || !matches!(blank, b' ' | b'\t') {
            return None;
        }
        (topic_end, second_end + 1, blank)
    } else {
        (0, 0, blank)
    };
    let doc_end = next();
    let before = if RUN { next() } else { doc_end };
    let number_end = next();
    let tag_end = next();
    // Fields must not be empty, so no two blanks may touch before the number ends, and the first
    // byte is none.
    let touching = (all & (all << 1 | 1)) << (63 - (number_end & 63)) != 0;
    let odd = (bytes::byte(view, doc_end) ^ blank) | (bytes::byte(view, before) ^ blank);
    if touching || odd != 0 || number_end >= 64 {
        return None;
    }
    let (score, plain) = number(view, before + 1, number_end)?;
    let behind = bytes::byte(view, number_end);
    // Any other control character would be part of the number.
    if !matches!(behind, b' ' | b'\t'..=b'\r') {
        return None;
    }
    let newline = if behind == b'\n' {
        Some(number_end)
    } else {
        // A carriage return ends the line, or is none of ours.
        let ends = behind != b'\r' || tag_end == number_end + 1;
        (ends && tag_end < 64 && bytes::byte(view, tag_end) == b'\n').then_some(tag_end)
    };
    // Nothing may follow a grade.
    if !RUN && newline.is_none_or(|newline| newline > number_end + 1) {
        return None;
    }
    Some(Usual { topic_end, doc, doc_end, before, number_end, score, plain, newline })
}

/// The number between two indices of a view, and whether it is a plain decimal. Numbers that are
/// not finite are left to the slow reader.
#[inline(always)]
pub(super) fn number(view: &bytes::View, start: u32, end: u32) -> Option<(f64, bool)> {
    match bytes::plain_decimal(view, start, end) {
        Some(value) => Some((value, true)),
        None => long_number(view.get(start as usize..end as usize)?).map(|value| (value, false)),
    }
}

#[cold]
#[inline(never)]
fn long_number(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok().filter(|x: &f64| x.is_finite())
}

/// A line with new first fields, but otherwise usual, and where it ends.
#[inline(always)]
pub(super) fn fresh_line(
    buf: &[u8],
    pos: usize,
    limit: usize,
    layout: Layout,
) -> Option<(usize, Fields<'_>)> {
    let topic_end = bytes::field_end(buf, pos);
    let second_end = bytes::field_end(buf, topic_end + 1);
    let doc = second_end + 1;
    let blank = *buf.get(second_end)?;
    if topic_end == pos
        || second_end == topic_end + 1
        || begins_oddly(&buf[pos..])
        || buf[topic_end] != blank
        || !matches!(blank, b' ' | b'\t')
    {
        return None;
    }
    let view = buf.get(doc..)?.first_chunk()?;
    let line = match layout {
        Layout::Run | Layout::Ranking => usual_line::<true>(view, blank)?,
        Layout::Qrels => usual_line::<false>(view, blank)?,
        Layout::Stratified => return None,
    };
    let end = match line.newline {
        Some(newline) => doc + newline as usize,
        None => rest_of_line(buf, doc + line.doc_end as usize, limit)?,
    };
    let (topic, second) = (&buf[pos..topic_end], &buf[topic_end + 1..second_end]);
    Some((
        end,
        Fields {
            topic,
            topic_at: 0,
            second,
            doc_at: doc - pos,
            doc_len: line.doc_end as usize,
            fourth: &[],
            value: line.score,
        },
    ))
}

/// So many lines are reported at once, so that what is done with each can overlap.
const BATCH: usize = 64;

/// Reads on as long as lines are usual and each is of another topic than the next, as they are in a
/// file whose topics are mixed. `before` is the number of the line before. Returns where the first
/// other line begins, and how many there were.
#[inline(never)]
pub(super) fn mixed_lines<const RUN: bool, S: Sink>(
    text: Text<'_>,
    mut pos: usize,
    before: u32,
    sink: &mut S,
) -> Result<(usize, u64), Halt> {
    let mut batch = [MixedLine::default(); BATCH];
    let mut count = 0;
    loop {
        let begin = pos;
        let next = || {
            let (line, next) = mixed_line::<RUN>(text, pos, begin)?;
            pos = next;
            count += 1;
            Some(MixedLine { number: before.wrapping_add(count), ..line })
        };
        let filled =
            batch.iter_mut().zip(std::iter::from_fn(next)).map(|(free, line)| *free = line).count();
        sink.mixed(&batch[..filled], &text.buf[begin..])?;
        if filled < BATCH {
            return Ok((pos, u64::from(count)));
        }
    }
}

/// Such a line, but for its number, and where the next one begins.
#[inline(always)]
fn mixed_line<const RUN: bool>(
    text: Text<'_>,
    pos: usize,
    begin: usize,
) -> Option<(MixedLine, usize)> {
    let Text { buf, limit, hashing, .. } = text;
    let view = buf.get(pos..)?.first_chunk()?;
    let Usual { topic_end, doc, doc_end, score, newline, .. } = whole_line::<RUN>(view)?;
    let next = 1 + match newline {
        Some(newline) => pos + newline as usize,
        None => rest_of_line(buf, pos + doc_end as usize, limit)?,
    };
    // Of the last line in sight nobody knows yet.
    if next >= limit
        || bytes::alike(buf, pos, next, topic_end as usize + 1)
            && buf[next..].starts_with(&view[..=topic_end as usize])
    {
        return None;
    }
    let start = (pos - begin) as u32;
    let row = Entry::new(hashing.within(view, doc, doc_end - doc), score, start + doc);
    let topic_head = bytes::head(view, topic_end);
    Some((MixedLine { topic_head, topic_start: start, topic_len: topic_end, row, number: 0 }, next))
}
