//! Scores for programs, one value per line. A run may have a million topics, so whatever repeats is made once and copied, and lines leave as they are
//! made instead of gathering in memory.

use std::io::{Result, Write};

use axiometrics::report::{Separator, push_number};
use axiometrics::score::ranges::Range;
use serde_json::json;

use super::Results;

/// The summary's name in the column of topics.
const ALL: &[u8] = b"all";

/// How many bytes are written at once.
const PORTION: usize = 1 << 16;

/// `run measure topic value`, with a header.
pub(super) fn delimited(results: &Results<'_>, separator: Separator, out: &mut dyn Write) -> Result<()> {
    let ends: &[&str] = if results.has_ranges() { &["low", "high"] } else { &[] };
    let titles: Vec<&str> = ["run", "measure", "topic", "value"].iter().chain(ends).copied().collect();
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
            out.extend_from_slice(format!("{{\"run\":{},\"measure\":{},\"topic\":", json!(run), json!(measure)).as_bytes());
        },
        topic: |out: &mut Vec<u8>, topic: &[u8]| {
            out.extend_from_slice(format!("{},\"value\":", json!(String::from_utf8_lossy(topic))).as_bytes());
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
        // The topics as they are written, one behind the other.
        let (mut topics, mut starts) = (Vec::new(), vec![0]);
        for topic in 0..if results.per_topic { results.qrels.len() as u32 } else { 0 } {
            (self.topic)(&mut topics, results.qrels.topic_bytes(topic));
            starts.push(topics.len());
        }
        let mut all = Vec::new();
        (self.topic)(&mut all, ALL);
        let mut portion = Vec::with_capacity(2 * PORTION);
        let mut head = Vec::new();
        for run in results.runs {
            for (column, metric) in results.metrics.iter().enumerate() {
                head.clear();
                (self.head)(&mut head, &run.name, &metric.to_string());
                let mut line = |topic: &[u8], value: Option<f64>, range: &dyn Fn() -> Option<Range>| {
                    portion.extend_from_slice(&head);
                    portion.extend_from_slice(topic);
                    self.number(&mut portion, value, results.places);
                    if results.has_ranges() {
                        let range = range();
                        for (before, end) in self.ends.iter().zip([range.map(|r| r.low), range.map(|r| r.high)]) {
                            portion.extend_from_slice(before);
                            self.number(&mut portion, end, results.places);
                        }
                    }
                    portion.extend_from_slice(self.close);
                    if portion.len() < PORTION {
                        return Ok(());
                    }
                    let written = out.write_all(&portion);
                    portion.clear();
                    written
                };
                if results.per_topic {
                    for (row, topic) in run.scores.topics.iter().map(|t| *t as usize).enumerate() {
                        let topic = &topics[starts[topic]..starts[topic + 1]];
                        line(topic, run.scores.get(row, column), &|| run.scores.range(row, column))?;
                    }
                }
                line(&all, results.summary(run, column), &|| results.summary_range(run, column))?;
            }
        }
        out.write_all(&portion)
    }

    fn number(&self, out: &mut Vec<u8>, value: Option<f64>, places: Option<u8>) {
        match value {
            Some(x) => push_number(out, x, places),
            None => out.extend_from_slice(self.undefined),
        }
    }
}
