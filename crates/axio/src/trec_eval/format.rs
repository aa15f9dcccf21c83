//! The bytes that are printed.

use std::io::{self, Write};

use axiometrics::data::{Hit, Judged};
use axiometrics::score::standardize::{References, TREC_EVAL_MISSING};

use super::columns::{Line, Summary, What};
use super::options::Options;

/// What is known of one topic: a number for each line that has one, and the grades at its top where a line asks for them.
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
    let mut sums = vec![0.0; lines.len()];
    let places = |summary: Summary| summary != Summary::Sum || standardised;
    for topic in topics {
        for (i, line) in lines.iter().enumerate() {
            match &line.what {
                What::Grades(length) if options.per_topic => {
                    let shown = &topic.grades[..topic.grades.len().min(*length)];
                    start(out, "", &line.name, &topic.name)?;
                    writeln!(out, "'{shown}'")?;
                }
                What::Number(_, summary) => {
                    let value = references.map_or(topic.values[i], |r| {
                        r.get(&topic.name, &line.name).and_then(|reference| reference.z(topic.values[i])).unwrap_or(TREC_EVAL_MISSING)
                    });
                    sums[i] += value;
                    if options.per_topic && *summary != Summary::Geometric {
                        number(out, mark, &line.name, &topic.name, value, places(*summary))?;
                    }
                }
                _ => {}
            }
        }
    }
    if !options.summary {
        return Ok(());
    }
    let count = topics.len() as f64;
    for (line, sum) in lines.iter().zip(sums) {
        match &line.what {
            What::RunTag => {
                start(out, "", &line.name, ALL)?;
                writeln!(out, "{tag}")?;
            }
            What::Topics => number(out, mark, &line.name, ALL, count, standardised)?,
            What::Grades(_) => {}
            What::Number(_, summary) => {
                let value = match summary {
                    Summary::Sum => sum,
                    Summary::Mean => sum / count,
                    Summary::Geometric => (sum / count).exp(),
                };
                number(out, mark, &line.name, ALL, value, places(*summary))?;
            }
        }
    }
    Ok(())
}

/// The topic of a summary.
const ALL: &[u8] = b"all";

fn start(out: &mut impl Write, mark: &str, name: &str, topic: &[u8]) -> io::Result<()> {
    write!(out, "{mark}{name:<22}\t")?;
    out.write_all(topic)?;
    out.write_all(b"\t")
}

fn number(out: &mut impl Write, mark: &str, name: &str, topic: &[u8], value: f64, places: bool) -> io::Result<()> {
    start(out, mark, name, topic)?;
    if places { writeln!(out, "{value:6.4}") } else { writeln!(out, "{}", value as i64) }
}

/// The grades of the first documents, a character each.
pub(super) fn grades(topic: &Judged<'_>, length: usize) -> String {
    let mut text = vec![b'-'; length.min(topic.retrieved as usize)];
    for Hit { rank, grade, .. } in topic.hits {
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
        let topic = OwnedTopic::new(&[Some(0.0), None, Some(9.0), Some(12.0), Some(-1.0), Some(1.0)], &[1.0]);
        assert_eq!(grades(&topic.view(), 5), "0-9>.");
        assert_eq!(grades(&topic.view(), 10), "0-9>.1");
    }
}
