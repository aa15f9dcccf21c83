//! Scores for programs, one value per line. A run may have a million topics, so whatever repeats is written once and copied.

use axiometrics::report::{Separator, push_number};
use axiometrics::score::ranges::Range;
use serde_json::json;

use super::Results;

/// The summary's name in the column of topics.
const ALL: &[u8] = b"all";

/// `run measure topic value`, with a header.
pub(super) fn delimited(results: &Results<'_>, separator: Separator) -> Vec<u8> {
    let mut out = Vec::new();
    let ends: &[&str] = if results.has_ranges() { &["low", "high"] } else { &[] };
    for (i, title) in ["run", "measure", "topic", "value"].iter().chain(ends).enumerate() {
        if i > 0 {
            out.push(separator.byte());
        }
        out.extend_from_slice(title.as_bytes());
    }
    out.push(b'\n');
    let field = |value: &[u8]| {
        let mut field = Vec::new();
        separator.push(&mut field, value);
        field.push(separator.byte());
        field
    };
    let form = Form {
        head: |run: &str, measure: &str| [field(run.as_bytes()), field(measure.as_bytes())].concat(),
        topic: field,
        undefined: b"NA",
        ends: [vec![separator.byte()], vec![separator.byte()]],
        close: b"\n",
    };
    form.write(results, &mut out);
    out
}

/// The same as objects.
pub(super) fn json(results: &Results<'_>) -> Vec<u8> {
    let mut out = Vec::new();
    let form = Form {
        head: |run: &str, measure: &str| format!("{{\"run\":{},\"measure\":{},\"topic\":", json!(run), json!(measure)).into_bytes(),
        topic: |topic: &[u8]| format!("{},\"value\":", json!(String::from_utf8_lossy(topic))).into_bytes(),
        undefined: b"null",
        ends: [b",\"low\":".to_vec(), b",\"high\":".to_vec()],
        close: b"}\n",
    };
    form.write(results, &mut out);
    out
}

/// The pieces of a line: head, topic, value, close.
struct Form<H, T> {
    head: H,
    topic: T,
    undefined: &'static [u8],
    /// What stands before the low and the high end of a range.
    ends: [Vec<u8>; 2],
    close: &'static [u8],
}

impl<H: Fn(&str, &str) -> Vec<u8>, T: Fn(&[u8]) -> Vec<u8>> Form<H, T> {
    fn write(&self, results: &Results<'_>, out: &mut Vec<u8>) {
        let topics: Vec<Vec<u8>> = match results.per_topic {
            true => (0..results.qrels.len() as u32).map(|t| (self.topic)(results.qrels.topic_bytes(t))).collect(),
            false => Vec::new(),
        };
        let all = (self.topic)(ALL);
        for run in results.runs {
            for (column, metric) in results.metrics.iter().enumerate() {
                let head = (self.head)(&run.name, &metric.to_string());
                let number = |out: &mut Vec<u8>, value: Option<f64>| match value {
                    Some(x) => push_number(out, x, results.places),
                    None => out.extend_from_slice(self.undefined),
                };
                let mut line = |topic: &[u8], value: Option<f64>, range: &dyn Fn() -> Option<Range>| {
                    out.extend_from_slice(&head);
                    out.extend_from_slice(topic);
                    number(out, value);
                    if results.has_ranges() {
                        let range = range();
                        for (before, end) in self.ends.iter().zip([range.map(|r| r.low), range.map(|r| r.high)]) {
                            out.extend_from_slice(before);
                            number(out, end);
                        }
                    }
                    out.extend_from_slice(self.close);
                };
                if results.per_topic {
                    for (row, topic) in run.scores.topics.iter().enumerate() {
                        line(&topics[*topic as usize], run.scores.get(row, column), &|| run.scores.range(row, column));
                    }
                }
                line(&all, results.summary(run, column), &|| results.summary_range(run, column));
            }
        }
    }
}
