//! Topics judged by grades: a run in memory, or one that is scored while it is read.

use std::collections::HashMap;
use std::sync::Mutex;

use super::columns::{LineContent, TrecLine};
use super::table::{TrecScores, TrecTopic, grades};
use super::{Evaluator, Judgements};
use crate::align::{Aligner, Policy};
use crate::data::{Hits, Judged, Needs, Qrels, Run};
use crate::error::{Error, Place, Result};
use crate::io::{self, Facet, Format, QrelsOptions, Source};
use crate::measure::condensed;
use crate::score::{Evaluation, NumbersByTopic, TopicNumbers};
use crate::warning::Warnings;
use crate::work::Work;

/// The scores of a run in memory.
pub(super) fn of_run<'e>(
    evaluator: &'e Evaluator,
    qrels: &Qrels,
    run: &Run,
) -> Result<TrecScores<'e>> {
    let tag = run.tag().map(<[u8]>::to_vec);
    scored(evaluator, qrels, |evaluation, row| {
        Ok(NumbersByTopic { tag, ..evaluation.rows_of(run, row)? })
    })
}

/// The scores of a run in a file.
pub(super) fn of_files<'e>(
    evaluator: &'e Evaluator,
    qrels: &Source,
    run: &Source,
) -> Result<TrecScores<'e>> {
    // trec_eval has no warnings.
    let mut warnings = Warnings::default();
    let groups = evaluator.judgements == Judgements::Groups;
    let reading = QrelsOptions {
        format: Some(Format::Trec),
        facet: if groups { Facet::Iteration } else { Facet::None },
        whole_grades: true,
        positive_only: !evaluator.needs().judged,
        lenient: false,
    };
    let qrels = io::read_qrels(qrels, reading, &mut warnings)?;
    scored(evaluator, &qrels, |evaluation, row| {
        let rows = evaluation.rows(run, row, &mut warnings)?;
        if rows.topics.is_empty() && rows.unjudged == 0 {
            return Err(Error::input(Place::file(run.name()), "the run is empty"));
        }
        Ok(rows)
    })
}

fn scored<'e>(
    evaluator: &'e Evaluator,
    qrels: &Qrels,
    rows: impl FnOnce(&Evaluation<'_>, &TopicNumbers<'_>) -> Result<NumbersByTopic>,
) -> Result<TrecScores<'e>> {
    let Evaluator { lines, settings, .. } = evaluator;
    let policy = evaluator.policy();
    let longest = evaluator.longest();
    let condense = evaluator.condenses();
    let tops: Mutex<HashMap<u32, String>> = Mutex::default();
    let row = |topic: u32, judged: &Judged<'_>, values: &mut Vec<f64>| {
        let kept = condense.then(|| condensed(judged));
        let judged = &kept.as_ref().map_or(*judged, |(hits, retrieved)| Judged {
            hits: Hits::new(hits),
            retrieved: *retrieved,
            ..*judged
        });
        values.extend(lines.iter().map(|line| {
            if let LineContent::Number(column, _) = &line.what { column.score(judged) } else { 0.0 }
        }));
        if let Some(length) = longest {
            tops.lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .insert(topic, grades(judged, length));
        }
    };
    let mut evaluation = Evaluation::new(qrels, &[]);
    evaluation.policy = policy;
    evaluation.work = Work::default();
    let mut rows = rows(&evaluation, &row)?;

    let mut tops = tops.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let at: HashMap<u32, usize> = rows.topics.iter().copied().zip(0..).collect();
    let mut aligner = Aligner::new(qrels, policy);
    let mut table = Vec::new();
    let mut last = rows.topics.len();
    for topic in qrels.topics() {
        let name = qrels.topic_bytes(*topic);
        if evaluator.skips(name) {
            continue;
        }
        let row = match at.get(topic) {
            Some(row) => *row,
            None if settings.complete => {
                let empty = aligner.empty(*topic);
                let score = |line: &TrecLine| {
                    if let LineContent::Number(column, _) = &line.what {
                        column.score_missing(&empty)
                    } else {
                        0.0
                    }
                };
                rows.values.extend(lines.iter().map(score));
                last += 1;
                last - 1
            }
            None => continue,
        };
        table.push(TrecTopic {
            name: name.to_vec(),
            row,
            grades: tops.remove(topic).unwrap_or_default(),
        });
    }
    Ok(TrecScores::new(evaluator, table, rows.values, rows.tag.unwrap_or_default()))
}

impl Evaluator {
    /// How many grades are to be shown at most.
    fn longest(&self) -> Option<usize> {
        let length = |line: &TrecLine| match line.what {
            LineContent::Grades(length) => Some(length),
            _ => None,
        };
        self.lines.iter().filter_map(length).max()
    }

    /// True if unjudged documents are taken out of rankings here; each judgement group has its own.
    fn condenses(&self) -> bool {
        self.settings.judged_only && self.judgements != Judgements::Groups
    }

    fn needs(&self) -> Needs {
        let all = self.condenses() || self.longest().is_some();
        let everything = if all { Needs::JUDGED } else { Needs::POSITIVE };
        self.lines.iter().fold(everything, |needs, line| match &line.what {
            LineContent::Number(column, _) => needs.union(column.needs()),
            _ => needs,
        })
    }

    fn policy(&self) -> Policy {
        let cut = |depth: i64| u32::try_from(depth.max(0)).unwrap_or(u32::MAX);
        Policy {
            needs: self.needs(),
            depth: self.settings.depth.map(cut),
            scores: self.settings.scores,
            ..Policy::default()
        }
    }
}
