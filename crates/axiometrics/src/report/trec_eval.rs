//! The lines that trec_eval prints, byte for byte.

use std::io::{self, Write};

use super::push_fixed;
use crate::score::standardize::{References, TREC_EVAL_MISSING};
use crate::trec_eval::{TrecScores, TrecSummary, TrecValue};

/// Which lines are printed, and how.
#[derive(Debug, Clone, Copy)]
pub struct TrecLines<'r> {
    /// Those of each topic (`-q`).
    pub per_topic: bool,
    /// Those of all topics together (not with `-n`).
    pub summary: bool,
    /// Scores are standardised by these (`-Z`).
    pub references: Option<&'r References>,
}

/// Prints topics, which come in the order of printing, and the summary.
pub fn write_trec_eval(
    table: &TrecScores<'_>,
    lines: TrecLines<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let references = lines.references;
    let standardised = references.is_some();
    let names = table.names();
    let evaluator = table.evaluator();
    let summaries: Vec<Option<TrecSummary>> =
        (0..names.len()).map(|column| evaluator.summary_kind(column)).collect();
    let heads: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(column, name)| {
            let number = matches!(table.value(0, column), Some(TrecValue::Number(_)));
            format!("{}{name:<22}\t", if standardised && number { "Z" } else { "" })
        })
        .collect();
    let mut sums = vec![0.0; names.len()];
    let mut text = Vec::new();
    let places = |summary: TrecSummary| summary != TrecSummary::Sum || standardised;
    for (row, topic) in table.topics().enumerate() {
        for (column, head) in heads.iter().enumerate() {
            match (table.value(row, column), summaries[column]) {
                (Some(TrecValue::Text(grades)), _) if lines.per_topic => {
                    start(&mut text, head, topic);
                    writeln!(text, "'{grades}'")?;
                }
                (Some(TrecValue::Number(value)), Some(summary)) => {
                    let value = references.map_or(value, |r| {
                        r.get(topic, names[column])
                            .and_then(|reference| reference.z(value))
                            .unwrap_or(TREC_EVAL_MISSING)
                    });
                    sums[column] += value;
                    if lines.per_topic && summary != TrecSummary::Geometric {
                        number(&mut text, head, topic, value, places(summary))?;
                    }
                }
                _ => {}
            }
        }
        out.write_all(&text)?;
        text.clear();
    }
    if !lines.summary {
        return Ok(());
    }
    let count = table.len() as f64;
    for (column, (head, sum)) in heads.iter().zip(sums).enumerate() {
        match (table.summary_of(column), summaries[column]) {
            (_, Some(summary)) => {
                number(&mut text, head, ALL, summary.of(sum, count), places(summary))?
            }
            (Some(TrecValue::Number(topics)), None) => {
                number(&mut text, head, ALL, topics, standardised)?
            }
            (Some(TrecValue::Tag(tag)), None) => {
                start(&mut text, head, ALL);
                writeln!(text, "{}", String::from_utf8_lossy(tag))?;
            }
            _ => {}
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
