//! One measurement in the role of the other: judgements as what a system says, a run as what an
//! assessor says. So the agreement of two assessors, and of two systems, is a score like any other.

use std::io::BufReader;

use super::qrels::{QrelsOptions, read_qrels};
use super::run::{RunOptions, read_run};
use super::{Format, Source, write_qrels, write_run};
use crate::data::{Facet, Qrels, Run};
use crate::error::Result;
use crate::warning::Warnings;

/// Judgements as a run: each judged document, with its grade as its score.
pub fn judgements_as_run(source: &Source, lenient: bool) -> Result<Source> {
    let options = QrelsOptions { lenient, ..QrelsOptions::default() };
    let qrels = read_qrels(source, options, &mut Warnings::default())?;
    let mut run = Run::builder().named(source.name());
    for topic in 0..qrels.len() as u32 {
        for (doc, grade) in qrels.judgements(topic) {
            run.push(qrels.topic_bytes(topic), doc, grade);
        }
    }
    let mut text = Vec::new();
    write_run(&run.build()?, Format::Jsonl, "", &mut text)?;
    Ok(Source::from_bytes(source.name(), text))
}

/// A run as judgements: each retrieved document, with its score as its grade.
pub fn run_as_judgements(source: &Source, lenient: bool) -> Result<Source> {
    let options = RunOptions { lenient, ..RunOptions::default() };
    let run = read_run(source, options, &mut Warnings::default())?;
    let mut qrels = Qrels::builder().named(source.name());
    for topic in run.topics() {
        for (doc, score) in run.documents(topic) {
            qrels.push(run.topic_bytes(topic), doc, score);
        }
    }
    let mut text = Vec::new();
    write_qrels(&qrels.build()?, Facet::None, Format::Jsonl, &mut text)?;
    Ok(Source::from_bytes(source.name(), text))
}

/// Preferences as judgements, whose grades are heights in the order; `partial` keeps what is
/// incomparable so, by several judges ([`Preferences::judgements`](crate::data::Preferences)).
pub fn preferences_as_judgements(source: &Source, partial: bool) -> Result<Source> {
    let preferences = super::preferences::read(BufReader::new(source.read()?), source.name())?;
    let mut text = Vec::new();
    for (topic, judge, document, grade) in preferences.judgements(partial) {
        let grade = grade.to_string();
        text.extend([topic, &judge, document, grade.as_bytes()].join(&b' '));
        text.push(b'\n');
    }
    Ok(Source::from_bytes(source.name(), text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let judged = Source::from_bytes("a.qrels", "q 0 d1 0.5\nq 0 d2 1\np 0 d1 0\n");
        let run = judgements_as_run(&judged, false).unwrap();
        let back = run_as_judgements(&run, false).unwrap();
        let rows = |source: &Source| {
            let qrels =
                read_qrels(source, QrelsOptions::default(), &mut Warnings::default()).unwrap();
            let mut all: Vec<(String, String, f64)> = (0..qrels.len() as u32)
                .flat_map(|t| {
                    let name = qrels.topic_name(t);
                    qrels
                        .judgements(t)
                        .map(|(d, g)| (name.clone(), String::from_utf8_lossy(d).into_owned(), g))
                        .collect::<Vec<_>>()
                })
                .collect();
            all.sort_by(|a, b| a.partial_cmp(b).unwrap());
            all
        };
        assert_eq!(rows(&back), rows(&judged));
        assert_eq!(rows(&judged).len(), 3);
    }
}
