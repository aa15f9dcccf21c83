//! A run of which only the ranking is wanted.
//!
//! Nearly every run lists the documents of a topic by descending score and writes scores in one form. Then the text of a score tells whether it is below
//! that of the line before or equal to it, and no score need be read as a number. The first line that is otherwise sends the topic back to numbers.

use wide::u8x16;

use super::Text;
use super::usual::{Prefix, Usual, number, usual_line};
use crate::data::Entry;
use crate::data::bytes::{self, View};

/// The place of a first line. Below it there are more numbers than a file has lines.
const TOP: f64 = 1.0;

/// The order of the lines of a group, as far as they were read.
#[derive(Default)]
pub(super) struct Order {
    /// True as long as scores descend: those of the group's lines are then places in that order. Else they are the file's.
    pub(super) holds: bool,
    /// The bits of the place of the last line: those of smaller numbers are smaller, down to zero.
    place: u64,
    form: Form,
    /// The text of the last score, as one number.
    key: u128,
    link: Link,
    /// True once there was a line whose rank ended further behind than the fewest bytes that can be looked at.
    wide: bool,
}

impl Order {
    /// A new group, of which one line is known; `holds` where that is a usual one, and only its place is wanted.
    pub(super) fn begin(&mut self, holds: bool) {
        self.holds = holds;
        self.place = TOP.to_bits();
    }

    /// The first line is where the order begins.
    fn first(&mut self, text: Text<'_>, prefix: &Prefix, first: &mut Entry) {
        first.value = f64::from_bits(self.place);
        self.link.set(&self.form, prefix);
        // Any score is above 0, so where the first has another form the next is compared with it as a number.
        self.key = 0;
        let before = before_score(text, first);
        if let Some(view) = text.buf.get(before..).and_then(|rest| rest.first_chunk())
            && self.form.matches(view, 0)
        {
            self.key = self.form.key(view, 0);
        }
    }

    /// Reads on as long as lines look like those before and their scores do not rise. Returns where the first other line begins.
    #[inline(never)]
    pub(super) fn lines(&mut self, text: Text<'_>, pos: usize, prefix: &Prefix, lines: &mut Vec<Entry>) -> usize {
        if let [first] = lines.as_mut_slice() {
            self.first(text, prefix, first);
        }
        if pos >= text.limit || prefix.view(text.buf, pos).is_none() {
            return pos;
        }
        // All lines read here follow each other.
        let number = text.line.wrapping_add(1).wrapping_sub(lines.len() as u32);
        let (prefix_len, blank) = (prefix.len(), prefix.blank());
        // Of a line that begins behind the limit no view fits into this.
        let buf = &text.buf[..text.limit + prefix_len + size_of::<View>() - 1];
        let mut start = pos + prefix_len;
        while let Some(view) = buf.get(start..).and_then(|rest| rest.first_chunk()) {
            let blanks = self.blanks(view);
            let doc_end = blanks.trailing_zeros();
            // Where there is no second blank in sight this is 0, and there is no blank there.
            let before = (blanks & blanks.wrapping_sub(1)).trailing_zeros() & 63;
            // Neither the document nor the rank may be empty: no blank up to this one touches another.
            let touching = (blanks & (blanks << 1 | 1)) << (63 - before);
            let split = touching == 0 && bytes::byte(view, doc_end) == blank;
            let key = self.form.key(view, before);
            let (len, number_end) = if split && self.form.matches(view, before) && key <= self.key {
                self.place -= u64::from(key != self.key);
                self.key = key;
                (doc_end, before + self.form.len)
            } else {
                match self.compare(text, view, prefix, lines) {
                    Some(line) => (line.doc_end, line.number_end),
                    None => break,
                }
            };
            let (value, line) = (f64::from_bits(self.place), number.wrapping_add(lines.len() as u32));
            lines.push(Entry { hash: bytes::hash_view(view, len), value, start: (start - text.base) as u32, line });
            let end = start + number_end as usize;
            start = if self.link.head_matches(view, number_end) && self.link.rest_matches(text.buf, end) {
                end + self.link.bytes.len()
            } else {
                match next_line(text, end, prefix) {
                    Ok(next) => next + prefix_len,
                    Err(other) => return other,
                }
            };
        }
        start - prefix_len
    }

    /// The blanks of a line, two at least where there are two in sight.
    #[inline(always)]
    fn blanks(&mut self, view: &View) -> u64 {
        let first = bytes::first_blanks(view);
        if !self.wide && first & first.wrapping_sub(1) != 0 {
            return first;
        }
        self.wide = true;
        bytes::blanks(view, 2)
    }

    /// Compares the line in view with the last one by number, and learns its form. `None` where it is no usual line, or rises.
    #[cold]
    #[inline(never)]
    fn compare(&mut self, text: Text<'_>, view: &View, prefix: &Prefix, lines: &mut [Entry]) -> Option<Usual> {
        let line = usual_line::<true>(view, prefix.blank())?;
        let last = lines.last().map_or(f64::INFINITY, |last| score(text, last));
        if line.score > last || !line.plain || line.number_end - line.before > LONGEST_SCORE {
            self.give_up(text, lines);
            return None;
        }
        self.place -= u64::from(line.score < last);
        self.form = Form::of(view, &line);
        self.key = self.form.key(view, line.before);
        self.link.set(&self.form, prefix);
        Some(line)
    }

    /// From here on the scores of the group are those of the file.
    pub(super) fn give_up(&mut self, text: Text<'_>, lines: &mut [Entry]) {
        if std::mem::replace(&mut self.holds, false) {
            lines.iter_mut().for_each(|line| line.value = score(text, line));
        }
    }
}

/// The line behind the one that goes on here; as an error where it has not this prefix.
#[cold]
#[inline(never)]
fn next_line(text: Text<'_>, here: usize, prefix: &Prefix) -> Result<usize, usize> {
    let next = bytes::line_end(text.buf, here, text.limit) + 1;
    if next < text.limit && prefix.view(text.buf, next).is_some() { Ok(next) } else { Err(next) }
}

/// The blank before the score of a usual line.
fn before_score(text: Text<'_>, line: &Entry) -> usize {
    let document_end = bytes::field_end(text.buf, text.base + line.start as usize);
    bytes::field_end(text.buf, document_end + 1)
}

/// The score of a usual line.
fn score(text: Text<'_>, line: &Entry) -> f64 {
    let before = before_score(text, line);
    let end = bytes::field_end(text.buf, before + 1);
    let view = text.buf.get(before..).and_then(|rest| rest.first_chunk());
    view.and_then(|view| number(view, 1, (end - before) as u32)).map_or(line.value, |(score, _)| score)
}

/// What a line looks like from the blank before its score to the one behind: where digits stand, and the point.
struct Form {
    /// A byte has its place where it is at most `most` above `least`.
    least: u8x16,
    most: u8x16,
    /// From the blank before the score to that behind.
    len: u32,
    /// The bytes of the score, and what makes the text of a negative one descend with its value.
    mask: u128,
    flip: u128,
    /// What is behind the score, up to the next line, where that is in sight.
    tail: Vec<u8>,
}

/// The longest score, with the blank before it, that a form describes.
const LONGEST_SCORE: u32 = 15;

impl Default for Form {
    /// That of a score of one digit.
    fn default() -> Form {
        Form::new(b" 0 ", Vec::new())
    }
}

impl Form {
    /// The form of a line with a plain decimal.
    fn of(view: &View, line: &Usual) -> Form {
        let (before, end) = (line.before as usize, line.number_end as usize);
        Form::new(&view[before..=end], line.newline.map_or_else(Vec::new, |newline| view[end..=newline as usize].to_vec()))
    }

    /// The form of a score, given with the blanks before and behind.
    fn new(score: &[u8], tail: Vec<u8>) -> Form {
        // Any byte will do behind that.
        let (mut least, mut most) = ([0; 16], [u8::MAX; 16]);
        for (i, byte) in score.iter().enumerate() {
            (least[i], most[i]) = if byte.is_ascii_digit() { (b'0', 9) } else { (*byte, 0) };
        }
        let mask = u128::MAX << (8 * (18 - score.len()));
        let flip = if score[1] == b'-' { mask } else { 0 };
        Form { least: u8x16::new(least), most: u8x16::new(most), len: score.len() as u32 - 1, mask, flip, tail }
    }

    #[inline(always)]
    fn matches(&self, view: &View, before: u32) -> bool {
        let above = u8x16::new(bytes::sixteen::<0>(view, before as usize)) - self.least;
        above.min(self.most).simd_eq(above).to_bitmask() == 0xffff
    }

    /// The text of the score as a number that is larger where the score is, for scores of this form.
    #[inline(always)]
    fn key(&self, view: &View, before: u32) -> u128 {
        (u128::from_be_bytes(bytes::sixteen::<1>(view, before as usize)) ^ self.flip) & self.mask
    }
}

/// What stands between the score of a line and the document of the next, which is the same for all lines of a topic: a tag, a newline, a topic.
#[derive(Default)]
struct Link {
    bytes: Vec<u8>,
    /// The first bytes of it, and which of them count.
    head: [u8x16; 2],
    mask: [u8x16; 2],
}

/// How many bytes of a link are its head.
const HEAD: usize = 32;

impl Link {
    /// The link between lines of this form; none where the form does not tell.
    fn set(&mut self, form: &Form, prefix: &Prefix) {
        self.bytes.clear();
        if form.tail.is_empty() {
            return;
        }
        self.bytes.extend_from_slice(&form.tail);
        self.bytes.extend_from_slice(prefix.bytes());
        let len = self.bytes.len().min(HEAD);
        let (mut head, mut mask) = ([0; HEAD], [0; HEAD]);
        head[..len].copy_from_slice(&self.bytes[..len]);
        mask[..len].fill(u8::MAX);
        self.head = halves(head);
        self.mask = halves(mask);
    }

    /// Whether its head stands here. The index is at most that of a blank and the length of a score behind it.
    #[inline(always)]
    fn head_matches(&self, view: &View, at: u32) -> bool {
        let differs = |half: usize, bytes| (u8x16::new(bytes) ^ self.head[half]) & self.mask[half];
        let differs = differs(0, bytes::sixteen::<0>(view, at as usize)) | differs(1, bytes::sixteen::<16>(view, at as usize));
        differs.simd_eq(u8x16::splat(0)).to_bitmask() == 0xffff
    }

    /// Whether the rest does. There may be none, but no link is no match.
    #[inline(always)]
    fn rest_matches(&self, buf: &[u8], at: usize) -> bool {
        self.bytes.len().wrapping_sub(1) < HEAD || self.long_matches(buf, at)
    }

    #[cold]
    #[inline(never)]
    fn long_matches(&self, buf: &[u8], at: usize) -> bool {
        !self.bytes.is_empty() && buf[at..].starts_with(&self.bytes)
    }
}

fn halves(bytes: [u8; HEAD]) -> [u8x16; 2] {
    let half = |n: usize| u8x16::new(std::array::from_fn(|i| bytes[16 * n + i]));
    [half(0), half(1)]
}
