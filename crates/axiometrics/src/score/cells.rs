//! The numbers of one topic's row: the score of each measure, and its range where that was asked for.

use super::evaluate::Evaluation;
use super::ranges::{Completion, Range, Ranger};
use super::table::{Layout, cell};
use super::ties::{self, Glance};
use crate::align::{Tied, Ties};
use crate::data::Judged;

/// Fills rows, topic after topic.
pub(super) struct Cells<'e> {
    evaluation: &'e Evaluation<'e>,
    rangers: Vec<Ranger<'e>>,
    /// What ties could take and add, for each measure, over the topics so far.
    effects: Vec<(f64, f64)>,
    glance: Glance,
}

impl<'e> Cells<'e> {
    pub(super) fn new(evaluation: &'e Evaluation<'e>) -> Cells<'e> {
        let ranged = evaluation.ranges.is_some();
        let max_grade = evaluation.qrels.max_grade();
        let rangers = evaluation.metrics.iter().filter(|_| ranged).map(|metric| Ranger::new(metric, max_grade)).collect();
        Cells { evaluation, rangers, effects: Vec::new(), glance: Glance::default() }
    }

    /// What a row holds.
    pub(super) fn layout(&self) -> Layout {
        let Evaluation { metrics, ranges, policy, .. } = self.evaluation;
        Layout { columns: metrics.len(), ranged: ranges.is_some() || policy.ties == Ties::Range, averaged: policy.ties == Ties::Average }
    }

    /// What ties could take from the scores of each measure and add to them, summed over the topics so far.
    pub(super) fn tie_effects(&self) -> &[(f64, f64)] {
        &self.effects
    }

    /// Appends the row of a topic, given also by its number in the judgements.
    pub(super) fn push(&mut self, number: u32, topic: &Judged<'_>, tied: Tied<'_>, row: &mut Vec<f64>) {
        let metrics = self.evaluation.metrics;
        let start = row.len();
        let stream = number as usize;
        let average = self.evaluation.policy.ties == Ties::Average;
        let mut errors = Vec::new();
        for metric in metrics {
            if average && !tied.groups.is_empty() {
                let expected = ties::average(metric, topic, tied, stream);
                row.push(cell(&expected.score));
                errors.push(expected.error.unwrap_or(f64::NAN));
            } else {
                row.push(cell(&metric.score(topic)));
            }
        }
        let full = self.evaluation.policy.ties == Ties::Range;
        let mut ranges = Vec::new();
        if !tied.groups.is_empty() {
            if !full {
                self.glance.new_topic(topic, tied);
            }
            let range = |metric| if full { ties::range(metric, topic, tied, stream) } else { self.glance.range(metric, topic) };
            self.effects.resize(metrics.len(), (0.0, 0.0));
            for (column, metric) in metrics.iter().enumerate() {
                let (range, score, effect) = (range(metric), row[start + column], &mut self.effects[column]);
                if let Some(range) = range.filter(|_| !score.is_nan()) {
                    *effect = (effect.0 + score - range.low, effect.1 + range.high - score);
                }
                ranges.push(range);
            }
        }
        if let Some(vary) = self.evaluation.ranges {
            let mut all = Completion::new(topic, vary);
            row.extend(self.rangers.iter_mut().flat_map(|ranger| Range::cells(ranger.of_completions(&mut all))));
        } else if full {
            let point = |column: usize| Some(row[start + column]).filter(|score| !score.is_nan()).map(Range::point);
            let range = |column: usize| ranges.get(column).copied().unwrap_or_else(|| point(column));
            let cells: Vec<f64> = (0..metrics.len()).flat_map(|column| Range::cells(range(column))).collect();
            row.extend(cells);
        }
        if average {
            errors.resize(metrics.len(), f64::NAN);
            row.extend(errors);
        }
    }
}

/// How much of the rankings of a run was judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Documents retrieved.
    pub retrieved: u64,
    /// Of these, judged.
    pub judged: u64,
    /// Documents in the top 10.
    pub top: u64,
    /// Of these, judged.
    pub top_judged: u64,
}

/// The top of a ranking, in which a person looks for unjudged documents first.
const TOP: u32 = 10;

impl Coverage {
    /// Counts a topic that holds all its judged hits.
    pub(super) fn count(&mut self, topic: &Judged<'_>) {
        let judged = |depth: u32| topic.top(depth).filter(|hit| hit.grade >= 0.0).count() as u64;
        self.retrieved += u64::from(topic.retrieved);
        self.judged += judged(u32::MAX);
        self.top += u64::from(topic.retrieved.min(TOP));
        self.top_judged += judged(TOP);
    }

    /// Adds the count of other topics.
    pub(super) fn merge(&mut self, other: Coverage) {
        self.retrieved += other.retrieved;
        self.judged += other.judged;
        self.top += other.top;
        self.top_judged += other.top_judged;
    }
}
