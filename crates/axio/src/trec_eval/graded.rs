//! Topics judged by grades: scored while the run is read.

use std::collections::HashMap;
use std::sync::Mutex;

use axiometrics::align::{Aligner, Policy};
use axiometrics::data::{Hits, Judged, Needs};
use axiometrics::io::{self, Facet, Format, QrelsOptions, Source};
use axiometrics::measure::condensed;
use axiometrics::score::Evaluation;
use axiometrics::warning::Warnings;
use axiometrics::work::Work;

use super::Failure;
use super::columns::{Line, What};
use super::format::{TopicRow, grades};
use super::options::Options;

/// The topics to be printed, in the order of printing, and the tag of the run.
pub(super) fn table(
    qrels: &Source,
    run: &Source,
    lines: &[Line],
    groups: bool,
    options: &Options,
) -> Result<(Vec<TopicRow>, Vec<u8>), Failure> {
    let longest = lines
        .iter()
        .filter_map(|line| if let What::Grades(length) = line.what { Some(length) } else { None })
        .max();
    let condense = options.judged_only && !groups;
    let everything = if condense || longest.is_some() { Needs::JUDGED } else { Needs::POSITIVE };
    let needs = lines.iter().fold(everything, |needs, line| match &line.what {
        What::Number(column, _) => needs.union(column.needs()),
        _ => needs,
    });

    // trec_eval has no warnings.
    let mut warnings = Warnings::default();
    let facet = if groups { Facet::Iteration } else { Facet::None };
    let reading = QrelsOptions {
        format: Some(Format::Trec),
        facet,
        whole_grades: true,
        positive_only: !needs.judged,
        lenient: false,
    };
    let qrels = io::read_qrels(qrels, reading, &mut warnings)?;

    let depth = options.depth.map(|depth| u32::try_from(depth.max(0)).unwrap_or(u32::MAX));
    let policy = Policy { needs, depth, ..Policy::default() };

    let tops: Mutex<HashMap<u32, String>> = Mutex::default();
    let row = |topic: u32, judged: &Judged<'_>, values: &mut Vec<f64>| {
        let kept = condense.then(|| condensed(judged));
        let judged = &kept.as_ref().map_or(*judged, |(hits, retrieved)| Judged {
            hits: Hits::new(hits),
            retrieved: *retrieved,
            ..*judged
        });
        values.extend(lines.iter().map(|line| {
            if let What::Number(column, _) = &line.what { column.score(judged) } else { 0.0 }
        }));
        if let Some(length) = longest {
            tops.lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .insert(topic, grades(judged, length));
        }
    };
    let mut evaluation = Evaluation::new(&qrels, &[]);
    evaluation.policy = policy;
    evaluation.work = Work::default();
    let rows = evaluation.rows(run, &row, &mut warnings)?;
    if rows.topics.is_empty() && rows.unjudged == 0 {
        return Err(Failure::input(format!("{}: the run is empty", run.name())));
    }

    let mut tops = tops.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let at: HashMap<u32, usize> = rows.topics.iter().copied().zip(0..).collect();
    let mut aligner = Aligner::new(&qrels, policy);
    let mut table = Vec::new();
    for topic in qrels.topics() {
        let name = qrels.topic_bytes(*topic);
        if options.topic.as_ref().is_some_and(|only| only.as_bytes() != name) {
            continue;
        }
        let values = match at.get(topic) {
            Some(row) => rows.values[row * lines.len()..(row + 1) * lines.len()].to_vec(),
            None if options.complete => {
                let empty = aligner.empty(*topic);
                let score = |line: &Line| {
                    if let What::Number(column, _) = &line.what {
                        column.score_missing(&empty)
                    } else {
                        0.0
                    }
                };
                lines.iter().map(score).collect()
            }
            None => continue,
        };
        table.push(TopicRow {
            name: name.to_vec(),
            values,
            grades: tops.remove(topic).unwrap_or_default(),
        });
    }
    Ok((table, rows.tag.unwrap_or_default()))
}
