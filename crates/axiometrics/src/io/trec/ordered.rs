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
}

impl Order {
    /// A new group, of which one line is known; `holds` where that is a usual one, and only its place is wanted.
    pub(super) fn begin(&mut self, holds: bool) {
        self.holds = holds;
        self.place = TOP.to_bits();
    }

    /// The first line is where the order begins.
    fn first(&mut self, text: Text<'_>, first: &mut Entry) {
        first.value = f64::from_bits(self.place);
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
    pub(super) fn lines(&mut self, text: Text<'_>, mut pos: usize, prefix: &Prefix, lines: &mut Vec<Entry>) -> usize {
        let Text { buf, base, limit, line: mut number } = text;
        if let [first] = lines.as_mut_slice() {
            self.first(text, first);
        }
        while pos < limit
            && let Some(view) = prefix.view(buf, pos)
        {
            let blanks = bytes::blanks(view, 2);
            let doc_end = blanks.trailing_zeros();
            let before = (blanks & blanks.wrapping_sub(1)).trailing_zeros();
            // Neither the document nor the rank may be empty.
            let split = doc_end != 0 && before > doc_end + 1 && bytes::byte(view, doc_end) == prefix.blank();
            let key = self.form.key(view, before);
            let (len, newline) = if split && self.form.matches(view, before) && key <= self.key {
                self.place -= u64::from(key != self.key);
                self.key = key;
                (doc_end, self.form.newline.map(|n| before + n))
            } else {
                match self.compare(text, view, prefix, lines) {
                    Some(line) => (line.len, line.newline),
                    None => break,
                }
            };
            let start = pos + prefix.len();
            number = number.saturating_add(1);
            let value = f64::from_bits(self.place);
            lines.push(Entry { hash: bytes::hash_view(view, len), value, start: (start - base) as u32, line: number });
            pos = match newline {
                Some(newline) => start + newline as usize + 1,
                None => bytes::line_end(buf, start + len as usize, limit) + 1,
            };
        }
        pos
    }

    /// Compares the line in view with the last one by number, and learns its form. `None` where it is no usual line, or rises.
    #[cold]
    #[inline(never)]
    fn compare(&mut self, text: Text<'_>, view: &View, prefix: &Prefix, lines: &mut [Entry]) -> Option<Usual> {
        let line = usual_line::<true>(view, prefix.blank())?;
        let last = lines.last().map_or(f64::INFINITY, |last| score(text, last));
        if line.score > last || !line.plain {
            self.give_up(text, lines);
            return None;
        }
        self.place -= u64::from(line.score < last);
        self.form = Form::of(view, &line);
        self.key = self.form.key(view, line.before);
        Some(line)
    }

    /// From here on the scores of the group are those of the file.
    pub(super) fn give_up(&mut self, text: Text<'_>, lines: &mut [Entry]) {
        if std::mem::replace(&mut self.holds, false) {
            lines.iter_mut().for_each(|line| line.value = score(text, line));
        }
    }
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

/// What a line looks like from the blank before its score on: where digits stand, the point, the blanks, the end of the line.
struct Form {
    /// A byte has its place where it is at most `most` above `least`.
    least: [u8x16; 2],
    most: [u8x16; 2],
    /// Which bytes must have their place; the others within must not, as their place is that of a blank.
    expected: u32,
    within: u32,
    /// The bytes of the score, and what makes the text of a negative one descend with its value.
    mask: u128,
    flip: u128,
    /// The end of the line, where it is in sight.
    newline: Option<u32>,
}

/// How many bytes of a line a form describes.
const SEEN: usize = 32;

impl Default for Form {
    /// That of no line.
    fn default() -> Form {
        let (least, most) = ([u8x16::splat(0); 2], [u8x16::splat(u8::MAX); 2]);
        Form { least, most, expected: 0, within: 1, mask: 0, flip: 0, newline: None }
    }
}

impl Form {
    /// The form of a line with a plain decimal.
    fn of(view: &View, line: &Usual) -> Form {
        let at = line.before as usize;
        let end = (line.number_end as usize) - at;
        let newline = line.newline.map(|n| n as usize - at).filter(|n| *n < SEEN);
        let (mut least, mut most) = ([0; SEEN], [b' '; SEEN]);
        let mut expected = 0;
        for i in (0..=end).chain(newline) {
            let byte = view[at + i];
            (least[i], most[i]) = if byte.is_ascii_digit() { (b'0', 9) } else { (byte, 0) };
            expected |= 1u32 << i;
        }
        // A tag that goes on beyond what is in sight, or has blanks in it, is not looked at.
        let last = newline.unwrap_or(end);
        let vectors = |bytes: [u8; SEEN]| {
            let mut halves = [[0; 16]; 2];
            halves[0].copy_from_slice(&bytes[..16]);
            halves[1].copy_from_slice(&bytes[16..]);
            halves.map(u8x16::new)
        };
        let mask = u128::MAX << (8 * (16 - (end - 1)));
        Form {
            least: vectors(least),
            most: vectors(most),
            expected,
            within: u32::MAX >> (31 - last),
            mask,
            flip: if view[at + 1] == b'-' { mask } else { 0 },
            newline: newline.map(|n| n as u32),
        }
    }

    #[inline(always)]
    fn matches(&self, view: &View, before: u32) -> bool {
        let placed = |half: usize, bytes| {
            let above = u8x16::new(bytes) - self.least[half];
            above.min(self.most[half]).simd_eq(above).to_bitmask()
        };
        let at = before as usize;
        let found = placed(0, bytes::sixteen::<0>(view, at)) | placed(1, bytes::sixteen::<16>(view, at)) << 16;
        (found ^ self.expected) & self.within == 0
    }

    /// The text of the score as a number that is larger where the score is, for scores of this form.
    #[inline(always)]
    fn key(&self, view: &View, before: u32) -> u128 {
        (u128::from_be_bytes(bytes::sixteen::<1>(view, before as usize)) ^ self.flip) & self.mask
    }
}
