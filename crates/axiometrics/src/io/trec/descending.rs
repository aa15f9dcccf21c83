//! Lines whose scores descend, in a run of which only the ranking is wanted.
//!
//! Nearly every run lists the documents of a topic by descending score and writes scores in one
//! form. Then the text of a score tells whether it is below that of the line before or equal to it,
//! and no score need be read as a number. The first line that is otherwise sends the topic back to
//! numbers.

use wide::u8x16;

use super::Text;
use super::rows::Rows;
use super::usual::{LinePrefix, Usual, number, rest_of_line, usual_line};
use crate::data::Entry;
use crate::data::bytes::{self, View};

/// The place of a first line. Below it there are more numbers than a file has lines.
const TOP: f64 = 1.0;

/// The order of the lines of a group, as far as they were read.
#[derive(Default)]
pub(super) struct Descending {
    /// True as long as scores descend: those of the group's lines are then places in that order.
    /// Else they are the file's.
    pub(super) holds: bool,
    /// The bits of the place of the last line: those of smaller numbers are smaller, down to zero.
    place: u64,
    form: LineForm,
    /// The text of the last score, as one number.
    key: u128,
    link: Link,
    sight: Sight,
}

/// How far behind the start of its document the rank of a line was seen to end: so many bytes are
/// looked at.
#[derive(Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sight {
    /// 16.
    #[default]
    Near,
    /// 32.
    Middle,
    /// 64.
    Far,
}

impl Sight {
    /// What reaches this index.
    fn of(index: u32) -> Sight {
        match index {
            ..16 => Sight::Near,
            16..32 => Sight::Middle,
            _ => Sight::Far,
        }
    }
}

impl Descending {
    /// A new group, of which one line is known; `holds` if that is a usual one, and only its place
    /// is wanted.
    pub(super) fn begin(&mut self, holds: bool) {
        self.holds = holds;
        self.place = TOP.to_bits();
    }

    /// The first line is where the order begins.
    fn first(&mut self, text: Text<'_>, prefix: &LinePrefix, first: &mut Entry) {
        first.value = f64::from_bits(self.place);
        self.link.set(&self.form, prefix);
        // Any score is above 0, so if the first has another form the next is compared with it as a
        // number.
        self.key = 0;
        let before = before_score(text, first);
        if let Some(view) = text.buf.get(before..).and_then(|rest| rest.first_chunk())
            && self.form.matches(view, 0)
        {
            self.key = self.form.key(score_text(view, 0));
        }
    }

    /// Reads on as long as lines are usual and their scores do not rise. Returns where the first
    /// other line begins.
    pub(super) fn lines(
        &mut self,
        text: Text<'_>,
        pos: usize,
        prefix: &LinePrefix,
        rows: &mut Rows,
    ) -> usize {
        if let [first] = &mut **rows {
            self.first(text, prefix, first);
        }
        if pos >= text.limit || prefix.view(text.buf, pos).is_none() {
            return pos;
        }
        // Of a line that begins behind the limit no view fits into this.
        let buf = &text.buf[..text.limit + prefix.len() + size_of::<View>() - 1];
        let mut start = pos + prefix.len();
        loop {
            rows.make_room();
            let seen = Text { buf, ..text };
            start = match (self.sight, self.link.bytes.len()) {
                (_, 0) => start,
                (Sight::Near, ..=HEAD) => self.alike::<16, false>(seen, start, rows),
                (Sight::Middle, ..=HEAD) => self.alike::<32, false>(seen, start, rows),
                (Sight::Far, ..=HEAD) => self.alike::<64, false>(seen, start, rows),
                (Sight::Near, _) => self.alike::<16, true>(seen, start, rows),
                (Sight::Middle, _) => self.alike::<32, true>(seen, start, rows),
                (Sight::Far, _) => self.alike::<64, true>(seen, start, rows),
            };
            if rows.is_full() {
                continue;
            }
            let Some(view) = buf.get(start..).and_then(|rest| rest.first_chunk()) else { break };
            let Some(line) = self.unlike(text, view, prefix, rows) else { break };
            let Some(next) = self.next_line(text, start + line.number_end as usize, prefix) else {
                self.give_up(text, rows);
                break;
            };
            let place = f64::from_bits(self.place);
            rows.push(Entry::new(
                text.hashing.within(view, 0, line.doc_end),
                place,
                (start - text.base) as u32,
            ));
            start = match next {
                Ok(next) => next,
                Err(other) => return other,
            };
        }
        start - prefix.len()
    }

    /// Reads on as long as lines look like the one before and their scores do not rise. Returns
    /// where the document of the first other line begins. Nearly all lines of nearly all runs are
    /// read here, so nothing here calls anything, and what is the same for all lines stays in
    /// registers.
    #[inline(never)]
    fn alike<const SIGHT: usize, const LONG: bool>(
        &mut self,
        text: Text<'_>,
        mut start: usize,
        rows: &mut Rows,
    ) -> usize {
        let (form, link) = (&self.form, &self.link);
        let (least, most, [head, head_rest], [mask, mask_rest]) =
            (form.least, form.most, link.head, link.mask);
        let (flip, significant) = ((form.flip >> 64) as u64, (form.mask >> 64) as u64);
        let (blank, score_len, step) = (form.blank, form.len, form.len as usize + link.bytes.len());
        let (mut place, mut key, mut last) = (self.place, (self.key >> 64) as u64, None);
        rows.fill(|| {
            let view: &View = text.buf.get(start..)?.first_chunk()?;
            // If there are fewer than two blanks in sight, two behind them are taken for blanks.
            // The first may be one, and the form tells; the second touches it.
            let blanks = bytes::first_blanks::<SIGHT>(view) | 3 << SIGHT.min(62);
            let (doc_end, before) =
                (blanks.trailing_zeros(), (blanks & (blanks - 1)).trailing_zeros());
            // Neither the document nor the rank may be empty.
            if doc_end == 0 || before - doc_end < 2 || bytes::byte(view, doc_end) != blank {
                return None;
            }
            let score = u8x16::new(*bytes::sixteen(view, before as usize)) - least;
            let end = (before + score_len) as usize;
            let behind = bytes::thirty_two(view, end);
            let behind_that =
                (u8x16::new(*behind.last_chunk().unwrap_or(&[0; 16])) ^ head_rest) & mask_rest;
            let behind = (u8x16::new(*behind.first_chunk().unwrap_or(&[0; 16])) ^ head) & mask;
            if !is_zero(score.saturating_sub(most) | behind | behind_that)
                || LONG && !link.is_at(text.buf, start + end)
            {
                return None;
            }
            let score = score_text(view, before);
            let new = (bytes::first_word(score) ^ flip) & significant;
            // The first eight bytes nearly always tell.
            place -= if new < key {
                1
            } else {
                let (new, old) = (form.key(score), last.map_or(self.key, |last| form.key(last)));
                if new > old {
                    return None;
                }
                u64::from(new < old)
            };
            key = new;
            last = Some(score);
            let row = Entry::new(
                text.hashing.within(view, 0, doc_end),
                f64::from_bits(place),
                (start - text.base) as u32,
            );
            start += before as usize + step;
            Some(row)
        });
        self.place = place;
        self.key = last.map_or(self.key, |last| form.key(last));
        start
    }

    /// Reads the line in view, which may be unlike the one before. `None` if it is not a usual
    /// line, or rises.
    fn unlike(
        &mut self,
        text: Text<'_>,
        view: &View,
        prefix: &LinePrefix,
        rows: &mut Rows,
    ) -> Option<SeenLine> {
        let blanks = bytes::blanks(view, 2);
        let doc_end = blanks.trailing_zeros();
        // If there is no second blank in sight this is 0, and there is no blank there.
        let before = (blanks & blanks.wrapping_sub(1)).trailing_zeros() & 63;
        self.sight = self.sight.max(Sight::of(before));
        // Neither the document nor the rank may be empty: no blank up to this one touches another.
        let touching = (blanks & (blanks << 1 | 1)) << (63 - before);
        if touching == 0
            && bytes::byte(view, doc_end) == prefix.blank()
            && self.form.matches(view, before)
        {
            let key = self.form.key(score_text(view, before));
            if key <= self.key {
                self.place -= u64::from(key != self.key);
                self.key = key;
                return Some(SeenLine { doc_end, number_end: before + self.form.len });
            }
        }
        self.compare(text, view, prefix, rows)
    }

    /// Compares the line in view with the last one by number, and learns its form. `None` if it is
    /// not a usual line, or rises.
    #[cold]
    #[inline(never)]
    fn compare(
        &mut self,
        text: Text<'_>,
        view: &View,
        prefix: &LinePrefix,
        rows: &mut [Entry],
    ) -> Option<SeenLine> {
        let line = usual_line::<true>(view, prefix.blank())?;
        let last = rows.last().map_or(f64::INFINITY, |last| score(text, last));
        if line.score > last || !line.plain || line.number_end - line.before > LONGEST_SCORE {
            self.give_up(text, rows);
            return None;
        }
        self.place -= u64::from(line.score < last);
        self.form = LineForm::of(view, &line);
        self.key = self.form.key(score_text(view, line.before));
        self.link.set(&self.form, prefix);
        Some(SeenLine { doc_end: line.doc_end, number_end: line.number_end })
    }

    /// Where the document begins of the line behind the one that goes on here; as an error, where
    /// that line begins, if it does not begin with this prefix. `None` if the rest of the line at
    /// hand is not usual.
    fn next_line(
        &self,
        text: Text<'_>,
        here: usize,
        prefix: &LinePrefix,
    ) -> Option<Result<usize, usize>> {
        if self.link.is_at(text.buf, here) {
            return Some(Ok(here + self.link.bytes.len()));
        }
        let next = rest_of_line(text.buf, here, text.limit)? + 1;
        let alike = next < text.limit && prefix.view(text.buf, next).is_some();
        Some(if alike { Ok(next + prefix.len()) } else { Err(next) })
    }

    /// From here on the scores of the group are those of the file.
    pub(super) fn give_up(&mut self, text: Text<'_>, rows: &mut [Entry]) {
        if std::mem::replace(&mut self.holds, false) {
            rows.iter_mut().for_each(|row| row.value = score(text, row));
        }
    }
}

/// Indices into the view of a line: where its document and its score end.
struct SeenLine {
    doc_end: u32,
    number_end: u32,
}

/// The text behind the blank before a score.
#[inline(always)]
fn score_text(view: &View, before: u32) -> &[u8; 16] {
    bytes::sixteen(view, before as usize + 1)
}

#[inline(always)]
fn is_zero(bytes: u8x16) -> bool {
    bytes.simd_eq(u8x16::splat(0)).all()
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
    view.and_then(|view| number(view, 1, (end - before) as u32))
        .map_or(line.value, |(score, _)| score)
}

/// What a line looks like from the blank before its score to the one behind: where the digits are,
/// and the point.
struct LineForm {
    /// A byte fits if it is at most `most` above `least`.
    least: u8x16,
    most: u8x16,
    /// From the blank before the score to that behind.
    len: u32,
    /// The blank before the score.
    blank: u8,
    /// The bytes of the score, and what makes the text of a negative one descend with its value.
    mask: u128,
    flip: u128,
    /// What is behind the score, up to the next line, if that is in sight.
    tail: Vec<u8>,
}

/// The longest score, with the blank before it, that a form describes.
const LONGEST_SCORE: u32 = 15;

impl Default for LineForm {
    /// That of a score of one digit.
    fn default() -> LineForm {
        LineForm::new(b" 0 ", Vec::new())
    }
}

impl LineForm {
    /// The form of a line with a plain decimal.
    fn of(view: &View, line: &Usual) -> LineForm {
        let (before, end) = (line.before as usize, line.number_end as usize);
        LineForm::new(
            &view[before..=end],
            line.newline.map_or_else(Vec::new, |newline| view[end..=newline as usize].to_vec()),
        )
    }

    /// The form of a score, given with the blanks before and behind.
    fn new(score: &[u8], tail: Vec<u8>) -> LineForm {
        // Any byte will do behind that.
        let (mut least, mut most) = ([0; 16], [u8::MAX; 16]);
        for (i, byte) in score.iter().enumerate() {
            (least[i], most[i]) = if byte.is_ascii_digit() { (b'0', 9) } else { (*byte, 0) };
        }
        let mask = u128::MAX << (8 * (18 - score.len()));
        let flip = if score[1] == b'-' { mask } else { 0 };
        LineForm {
            least: u8x16::new(least),
            most: u8x16::new(most),
            len: score.len() as u32 - 1,
            blank: score[0],
            mask,
            flip,
            tail,
        }
    }

    #[inline(always)]
    fn matches(&self, view: &View, before: u32) -> bool {
        is_zero(
            (u8x16::new(*bytes::sixteen(view, before as usize)) - self.least)
                .saturating_sub(self.most),
        )
    }

    /// The text of the score as a number that is larger if the score is, for scores of this form.
    #[inline(always)]
    fn key(&self, score: &[u8; 16]) -> u128 {
        (u128::from_be_bytes(*score) ^ self.flip) & self.mask
    }
}

/// What is between the score of a line and the document of the next, which is the same for all lines
/// of a topic: a tag, a newline, a topic.
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
    /// The link between lines of this form; none if the form does not tell.
    fn set(&mut self, form: &LineForm, prefix: &LinePrefix) {
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

    /// Whether it is here; a link of no bytes never is.
    fn is_at(&self, buf: &[u8], at: usize) -> bool {
        !self.bytes.is_empty() && buf[at..].starts_with(&self.bytes)
    }
}

fn halves(bytes: [u8; HEAD]) -> [u8x16; 2] {
    let half = |n: usize| u8x16::new(std::array::from_fn(|i| bytes[16 * n + i]));
    [half(0), half(1)]
}
