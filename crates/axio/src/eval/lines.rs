//! Scores for programs, one value per line. A run may have a million topics, so whatever repeats is
//! made once and copied, and lines leave as they are made instead of gathering in memory.

use std::io::{Result, Write};
use std::ops::Range;

use axiometrics::report::{Separator, push_number};
use axiometrics::score::ranges::Range as ScoreRange;
use serde_json::json;

use super::Results;

/// The summary's name in the column of topics.
const ALL: &[u8] = b"all";

/// How many bytes are written at once.
const PORTION: usize = 1 << 16;

/// `run measure topic value`, with a header.
pub(super) fn delimited(
    results: &Results<'_>,
    separator: Separator,
    out: &mut dyn Write,
) -> Result<()> {
    let ends: &[&str] = if results.has_ranges() { &["low", "high"] } else { &[] };
    let titles: Vec<&str> =
        ["run", "measure", "topic", "value"].iter().chain(ends).copied().collect();
    let mark = char::from(separator.byte()).to_string();
    writeln!(out, "{}", titles.join(&mark))?;
    let field = |out: &mut Vec<u8>, value: &[u8]| {
        separator.push(out, value);
        out.push(separator.byte());
    };
    let form = Form {
        head: |out: &mut Vec<u8>, run: &str, measure: &str| {
            field(out, run.as_bytes());
            field(out, measure.as_bytes());
        },
        topic: field,
        undefined: b"NA",
        ends: [mark.as_bytes(), mark.as_bytes()],
        close: b"\n",
    };
    form.write(results, out)
}

/// The same as objects.
pub(super) fn json(results: &Results<'_>, out: &mut dyn Write) -> Result<()> {
    let form = Form {
        head: |out: &mut Vec<u8>, run: &str, measure: &str| {
            out.extend_from_slice(
                format!("{{\"run\":{},\"measure\":{},\"topic\":", json!(run), json!(measure))
                    .as_bytes(),
            );
        },
        topic: |out: &mut Vec<u8>, topic: &[u8]| {
            out.extend_from_slice(
                format!("{},\"value\":", json!(String::from_utf8_lossy(topic))).as_bytes(),
            );
        },
        undefined: b"null",
        ends: [b",\"low\":", b",\"high\":"],
        close: b"}\n",
    };
    form.write(results, out)
}

/// The pieces of a line: head, topic, value, close.
struct Form<'f, H, T> {
    head: H,
    topic: T,
    undefined: &'static [u8],
    /// What stands before the low and the high end of a range.
    ends: [&'f [u8]; 2],
    close: &'static [u8],
}

impl<H: Fn(&mut Vec<u8>, &str, &str), T: Fn(&mut Vec<u8>, &[u8])> Form<'_, H, T> {
    fn write(&self, results: &Results<'_>, out: &mut dyn Write) -> Result<()> {
        let mut all = Vec::new();
        (self.topic)(&mut all, ALL);
        let close = [self.close, &[0; CHUNK]].concat();
        let mut portion = Portion::default();
        let mut numbers = Numbers::new(results.places, self.undefined);
        let mut head = Vec::new();
        // The topics of a run as they are written, one behind the other; nearly always those of the
        // run before.
        let (mut topics, mut starts, mut written) = (Vec::new(), vec![0], None);
        for run in results.runs {
            if results.per_topic && written != Some(run.scores.topics()) {
                (topics.clear(), starts.truncate(1));
                for topic in run.scores.topics().iter() {
                    (self.topic)(&mut topics, topic);
                    starts.push(topics.len());
                }
                topics.extend_from_slice(&[0; CHUNK]);
                written = Some(run.scores.topics());
            }
            for (column, metric) in results.metrics.iter().enumerate() {
                head.clear();
                (self.head)(&mut head, &run.name, &metric.to_string());
                let head_len = head.len();
                head.extend_from_slice(&[0; CHUNK]);
                let mut line =
                    |topics: &[u8],
                     topic: Range<usize>,
                     value: Option<f64>,
                     range: &dyn Fn() -> Option<ScoreRange>| {
                        portion.push(&head, 0..head_len);
                        portion.push(topics, topic);
                        numbers.push(&mut portion, value);
                        if results.has_ranges() {
                            let range = range();
                            for (before, end) in
                                self.ends.iter().zip([range.map(|r| r.low), range.map(|r| r.high)])
                            {
                                portion.push(before, 0..before.len());
                                numbers.push(&mut portion, end);
                            }
                        }
                        portion.push(&close, 0..self.close.len());
                        if portion.len < PORTION { Ok(()) } else { portion.leave(out) }
                    };
                if results.per_topic {
                    for row in 0..run.scores.len() {
                        let topic = starts[row]..starts[row + 1];
                        line(&topics, topic, run.scores.value(row, column), &|| {
                            run.scores.range(row, column)
                        })?;
                    }
                }
                line(&all, 0..all.len(), results.summary(run, column), &|| {
                    results.summary_range(run, column)
                })?;
            }
        }
        portion.leave(out)
    }
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
            self.bytes.resize((end + CHUNK).max(2 * PORTION), 0);
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
struct Numbers {
    places: Option<u8>,
    undefined: &'static [u8],
    kept: Vec<Kept>,
    /// The text at hand.
    text: Vec<u8>,
}

/// A number and its text.
#[derive(Clone, Copy)]
struct Kept {
    bits: u64,
    len: usize,
    text: [u8; CHUNK],
}

/// How many texts are kept, a power of two.
const KEPT: usize = 512;

impl Numbers {
    fn new(places: Option<u8>, undefined: &'static [u8]) -> Numbers {
        let mut text = Vec::new();
        push_number(&mut text, 0.0, places);
        Numbers { places, undefined, kept: vec![Kept::new(0.0, &text); KEPT], text }
    }

    #[inline]
    fn push(&mut self, out: &mut Portion, value: Option<f64>) {
        let Some(x) = value else { return out.push(self.undefined, 0..self.undefined.len()) };
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
            *kept = Kept::new(x, &self.text);
        }
        out.push(&self.text, 0..self.text.len());
    }
}

impl Kept {
    /// Of a text that fits.
    fn new(x: f64, bytes: &[u8]) -> Kept {
        let mut text = [0; CHUNK];
        text[..bytes.len()].copy_from_slice(bytes);
        Kept { bits: x.to_bits(), len: bytes.len(), text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_and_kept_numbers_are_what_was_pushed() {
        for places in [None, Some(4), Some(30)] {
            let (mut portion, mut numbers, mut plain) =
                (Portion::default(), Numbers::new(places, b"NA"), Vec::new());
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
