//! The bytes that are printed.

use std::io::{self, Write};

use axiometrics::data::{Hit, Judged};
use axiometrics::report::push_fixed;
use axiometrics::score::standardize::{References, TREC_EVAL_MISSING};

use super::columns::{Line, Summary, What};
use super::options::Options;

/// What is known of one topic: a number for each line that has one, and the grades at its top where
/// a line asks for them.
pub(super) struct TopicRow {
    pub(super) name: Vec<u8>,
    pub(super) values: Vec<f64>,
    pub(super) grades: String,
}

/// Prints topics, which come in the order of printing, and the summary.
pub(super) fn print(
    out: &mut impl Write,
    lines: &[Line],
    topics: &[TopicRow],
    tag: &str,
    references: Option<&References>,
    options: &Options,
) -> io::Result<()> {
    let standardised = references.is_some();
    let mark = if standardised { "Z" } else { "" };
    let head = |line: &Line| {
        let mark = if matches!(line.what, What::Number(..) | What::Topics) { mark } else { "" };
        format!("{mark}{:<22}\t", line.name)
    };
    let heads: Vec<String> = lines.iter().map(head).collect();
    let mut sums = vec![0.0; lines.len()];
    let mut text = Vec::new();
    let places = |summary: Summary| summary != Summary::Sum || standardised;
    for topic in topics {
        for (i, line) in lines.iter().enumerate() {
            match &line.what {
                What::Grades(length) if options.per_topic => {
                    let shown = &topic.grades[..topic.grades.len().min(*length)];
                    start(&mut text, &heads[i], &topic.name);
                    writeln!(text, "'{shown}'")?;
                }
                What::Number(_, summary) => {
                    let value = references.map_or(topic.values[i], |r| {
                        r.get(&topic.name, &line.name)
                            .and_then(|reference| reference.z(topic.values[i]))
                            .unwrap_or(TREC_EVAL_MISSING)
                    });
                    sums[i] += value;
                    if options.per_topic && *summary != Summary::Geometric {
                        number(&mut text, &heads[i], &topic.name, value, places(*summary))?;
                    }
                }
                _ => {}
            }
        }
        out.write_all(&text)?;
        text.clear();
    }
    if !options.summary {
        return Ok(());
    }
    let count = topics.len() as f64;
    for ((line, head), sum) in lines.iter().zip(&heads).zip(sums) {
        match &line.what {
            What::RunTag => {
                start(&mut text, head, ALL);
                writeln!(text, "{tag}")?;
            }
            What::Topics => number(&mut text, head, ALL, count, standardised)?,
            What::Grades(_) => {}
            What::Number(_, summary) => {
                let value = match summary {
                    Summary::Sum => sum,
                    Summary::Mean => sum / count,
                    Summary::Geometric => (sum / count).exp(),
                };
                number(&mut text, head, ALL, value, places(*summary))?;
            }
        }
    }
    out.write_all(&text)
}

/// The topic of a summary.
const ALL: &[u8] = b"all";

fn start(out: &mut Vec<u8>, head: &str, topic: &[u8]) {
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(topic);
    out.push(b'\t');
}

fn number(out: &mut Vec<u8>, head: &str, topic: &[u8], value: f64, places: bool) -> io::Result<()> {
    start(out, head, topic);
    if places {
        push_fixed(out, value, 4)
    } else {
        write!(out, "{}", value as i64)?
    }
    out.push(b'\n');
    Ok(())
}

/// The grades of the first documents, a character each.
pub(super) fn grades(topic: &Judged<'_>, length: usize) -> String {
    let mut text = vec![b'-'; length.min(topic.retrieved as usize)];
    for Hit { rank, grade, .. } in topic.hits.iter() {
        if let Some(place) = text.get_mut(*rank as usize - 1) {
            *place = match *grade as i64 {
                10.. => b'>',
                grade @ 0..10 => b'0' + grade as u8,
                _ => b'.',
            };
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axiometrics::data::OwnedTopic;

    #[test]
    fn a_character_for_each_grade() {
        let topic = OwnedTopic::new(
            &[Some(0.0), None, Some(9.0), Some(12.0), Some(-1.0), Some(1.0)],
            &[1.0],
        );
        assert_eq!(grades(&topic.view(), 5), "0-9>.");
        assert_eq!(grades(&topic.view(), 10), "0-9>.1");
    }
}
