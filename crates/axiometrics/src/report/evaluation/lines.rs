//! Scores for programs, one value per line. A run may have a million topics, so whatever repeats is
//! made once and copied, and lines leave as they are made instead of gathering in memory.

use std::io::{Result, Write};
use std::ops::Range;

use super::{ALL, EvaluationReport};
use crate::report::lines::Lines;
use crate::report::number::push_number;
use crate::report::table::Column;
use crate::score::ranges::Range as ScoreRange;

/// How many bytes are written at once.
const PORTION: usize = 1 << 16;

/// `run measure topic value`, and the range if there are ranges.
pub(super) fn columns(report: &EvaluationReport<'_>) -> Vec<Column> {
    let mut columns = ["run", "measure", "topic"].map(Column::text).to_vec();
    columns.push(Column::number("value"));
    if report.has_ranges() {
        columns.extend(["low", "high"].map(Column::number));
    }
    columns
}

/// Writes the lines. A line is put together from four pieces: its head, with run and measure; its
/// topic; its numbers; its end.
pub(super) fn write(
    report: &EvaluationReport<'_>,
    form: &dyn Lines,
    places: Option<u8>,
    out: &mut dyn Write,
) -> Result<()> {
    let columns = columns(report);
    let mut text = Vec::new();
    form.head(&columns, &mut text);
    out.write_all(&text)?;
    let before: Vec<Vec<u8>> = (0..columns.len())
        .map(|place| {
            let mut text = Vec::new();
            form.before(place, columns[place].key(), &mut text);
            text
        })
        .collect();
    let push_topic = |out: &mut Vec<u8>, topic: &[u8]| {
        form.text(topic, out);
        out.extend_from_slice(&before[3]);
    };
    let mut all = Vec::new();
    push_topic(&mut all, ALL.as_bytes());
    let end = [form.end(), &[0; CHUNK]].concat();
    let ranges = report.has_ranges();
    let mut portion = Portion::default();
    let mut numbers = NumberTexts::new(places, form);
    let mut head = Vec::new();
    // The topics of a run as they are written, one behind the other; nearly always those of the run
    // before.
    let (mut topics, mut starts, mut written) = (Vec::new(), vec![0], None);
    for run in report.told() {
        let scores = run.scores;
        let rows = report.rows_of(scores);
        if report.has_topics() && written != Some(scores.topics()) {
            topics.clear();
            starts.truncate(1);
            // Exactly as much as most forms need: tables that double hold twice what they need.
            let names = scores.topics();
            topics.reserve_exact(names.text_len() + names.len() * before[3].len() + CHUNK);
            starts.reserve_exact(names.len());
            for topic in names.iter() {
                push_topic(&mut topics, topic);
                starts.push(topics.len());
            }
            topics.extend_from_slice(&[0; CHUNK]);
            written = Some(scores.topics());
        }
        for (column, metric) in report.metrics.iter().enumerate() {
            let title = metric.title();
            head.clear();
            for (place, text) in [run.name, &title].into_iter().enumerate() {
                head.extend_from_slice(&before[place]);
                form.text(text.as_bytes(), &mut head);
            }
            head.extend_from_slice(&before[2]);
            let head_len = head.len();
            head.extend_from_slice(&[0; CHUNK]);
            let mut line = |topics: &[u8],
                            topic: Range<usize>,
                            value: Option<f64>,
                            range: &dyn Fn() -> Option<ScoreRange>| {
                portion.push(&head, 0..head_len);
                portion.push(topics, topic);
                numbers.push(&mut portion, value);
                if ranges {
                    let range = range();
                    let ends = [range.map(|r| r.low), range.map(|r| r.high)];
                    for (before, end) in before[4..].iter().zip(ends) {
                        portion.push(before, 0..before.len());
                        numbers.push(&mut portion, end);
                    }
                }
                portion.push(&end, 0..form.end().len());
                if portion.len < PORTION { Ok(()) } else { portion.leave(out) }
            };
            if report.has_topics() {
                let mut told = |row: usize, value: Option<f64>| {
                    let topic = starts[row]..starts[row + 1];
                    line(&topics, topic, value, &|| scores.range(row, column))
                };
                match &rows {
                    Some(rows) => {
                        rows.iter().try_for_each(|row| told(*row, scores.value(*row, column)))?
                    }
                    None => scores
                        .column(column)
                        .enumerate()
                        .try_for_each(|(row, value)| told(row, value))?,
                }
            }
            line(&all, 0..all.len(), report.summary(&run, column), &|| {
                report.summary_range(&run, column)
            })?;
        }
    }
    portion.leave(out)
}

/// Lines that wait to be written, and room for more.
#[derive(Default)]
struct Portion {
    bytes: Vec<u8>,
    len: usize,
}

/// So many bytes are copied at once of a text that is not longer and has as many behind it, which
/// is less work than copying as many as there are.
const CHUNK: usize = 32;

impl Portion {
    /// Appends a part of a text.
    #[inline(always)]
    fn push(&mut self, text: &[u8], part: Range<usize>) {
        let chunk = text.get(part.start..).and_then(|rest| rest.first_chunk::<CHUNK>());
        let free = self.bytes.get_mut(self.len..).and_then(|rest| rest.first_chunk_mut::<CHUNK>());
        match (chunk, free) {
            (Some(chunk), Some(free)) if part.len() <= CHUNK => {
                *free = *chunk;
                self.len += part.len();
            }
            _ => self.push_any(&text[part]),
        }
    }

    #[inline(never)]
    fn push_any(&mut self, text: &[u8]) {
        let end = self.len + text.len();
        if self.bytes.len() < end + CHUNK {
            self.bytes.resize((end + CHUNK).max(PORTION + PORTION / 4), 0);
        }
        self.bytes[self.len..end].copy_from_slice(text);
        self.len = end;
    }

    /// Writes all that is here.
    fn leave(&mut self, out: &mut dyn Write) -> Result<()> {
        out.write_all(&self.bytes[..std::mem::take(&mut self.len)])
    }
}

/// The texts of numbers. A measure has few values, though there may be many topics, so the last
/// ones are kept.
struct NumberTexts {
    places: Option<u8>,
    missing: &'static [u8],
    holds_infinity: bool,
    kept: Vec<KeptText>,
    /// The text at hand.
    text: Vec<u8>,
}

/// A number and its text.
#[derive(Clone, Copy)]
struct KeptText {
    bits: u64,
    len: usize,
    text: [u8; CHUNK],
}

/// How many texts are kept, a power of two.
const KEPT: usize = 512;

impl NumberTexts {
    fn new(places: Option<u8>, form: &dyn Lines) -> NumberTexts {
        let mut text = Vec::new();
        push_number(&mut text, 0.0, places);
        let kept = vec![KeptText::new(0.0, &text); KEPT];
        let (missing, holds_infinity) = (form.missing(), form.holds_infinity());
        NumberTexts { places, missing, holds_infinity, kept, text }
    }

    #[inline]
    fn push(&mut self, out: &mut Portion, value: Option<f64>) {
        let Some(x) = value.filter(|x| x.is_finite() || self.holds_infinity) else {
            return out.push(self.missing, 0..self.missing.len());
        };
        let bits = x.to_bits();
        let slot = (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - KEPT.trailing_zeros()))
            as usize;
        let kept = &mut self.kept[slot % KEPT];
        if kept.bits == bits {
            return out.push(&kept.text, 0..kept.len);
        }
        self.text.clear();
        push_number(&mut self.text, x, self.places);
        if self.text.len() <= CHUNK {
            *kept = KeptText::new(x, &self.text);
        }
        out.push(&self.text, 0..self.text.len());
    }
}

impl KeptText {
    /// Of a text that fits.
    fn new(x: f64, bytes: &[u8]) -> KeptText {
        let mut text = [0; CHUNK];
        text[..bytes.len()].copy_from_slice(bytes);
        KeptText { bits: x.to_bits(), len: bytes.len(), text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::delimited::TABS;

    #[test]
    fn portions_and_kept_numbers_are_what_was_pushed() {
        for places in [None, Some(4), Some(30)] {
            let (mut portion, mut numbers, mut plain) =
                (Portion::default(), NumberTexts::new(places, &TABS), Vec::new());
            for i in 0..5000usize {
                // Texts shorter and longer than what is copied at once, with and without enough
                // behind them.
                let text = "0123456789".repeat(1 + i % 9).into_bytes();
                let part = i % 7..(i % 7 + i % 83).min(text.len()).max(i % 7);
                portion.push(&text, part.clone());
                plain.extend_from_slice(&text[part]);
                // Values that come again, values that share a place, and one that is undefined.
                let value = (i % 11 != 5).then(|| f64::from(i as u32 % 700) / 7.0 - 50.0);
                numbers.push(&mut portion, value);
                match value {
                    Some(x) => push_number(&mut plain, x, places),
                    None => plain.extend_from_slice(b"NA"),
                }
            }
            let mut written = Vec::new();
            portion.leave(&mut written).unwrap();
            assert_eq!((written, portion.len), (plain, 0));
        }
    }
}
