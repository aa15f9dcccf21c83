//! The numbers of one topic's row: the score of each measure, and its range if that was asked for.

use serde::{Deserialize, Serialize};

use super::evaluate::Evaluation;
use super::ranges::{Range, Ranger};
use super::scores::{RowLayout, number};
use super::ties::{TiedGlance, UnderTies};
use crate::align::Tied;
use crate::data::{Judged, Needs};
use crate::measure::{Metric, Score};
use crate::policy::Ties;

/// A score that is undefined: the number of the topic, the column, the reason.
pub(super) type Unscored = (u32, u32, &'static str);

/// Fills rows, topic after topic.
pub(super) struct Cells<'e> {
    evaluation: &'e Evaluation<'e>,
    /// One for each measure, if ranges were asked for.
    rangers: Vec<Ranger<'e>>,
    /// One for each measure, if all orders of tied documents count.
    orders: Vec<UnderTies<'e>>,
    /// What ties could take and add, for each measure, over the topics so far.
    effects: Vec<(f64, f64)>,
    glance: TiedGlance,
    /// Some summary weighs topics.
    weighted: bool,
    /// A row holds scores and nothing else.
    scores_only: bool,
    undefined: Vec<Unscored>,
}

impl<'e> Cells<'e> {
    pub(super) fn new(evaluation: &'e Evaluation<'e>) -> Cells<'e> {
        let metrics = evaluation.metrics.iter();
        let ranged = evaluation.ranges.is_some();
        let ordered = matches!(evaluation.policy.ties, Ties::Average | Ties::Range);
        let weighted = evaluation.metrics.iter().any(|metric| metric.aggregate().is_weighted());
        Cells {
            evaluation,
            rangers: metrics.clone().filter(|_| ranged).map(Ranger::new).collect(),
            orders: metrics.filter(|_| ordered).map(UnderTies::new).collect(),
            effects: Vec::new(),
            glance: TiedGlance::default(),
            weighted,
            scores_only: !(ranged || ordered || weighted),
            undefined: Vec::new(),
        }
    }

    /// What a row holds.
    pub(super) fn layout(&self) -> RowLayout {
        let Evaluation { metrics, ranges, policy, .. } = self.evaluation;
        RowLayout {
            columns: metrics.len(),
            ranged: ranges.is_some() || policy.ties == Ties::Range,
            averaged: policy.ties == Ties::Average,
            weighted: self.weighted,
        }
    }

    /// What ties could take from the scores of each measure and add to them, summed over the
    /// topics; and the scores that are undefined.
    pub(super) fn finish(self) -> (Vec<(f64, f64)>, Vec<Unscored>) {
        (self.effects, self.undefined)
    }

    /// Appends the row of a topic, given also by its number in the judgements.
    pub(super) fn push(
        &mut self,
        number_of_topic: u32,
        topic: &Judged<'_>,
        tied: Tied<'_>,
        row: &mut Vec<f64>,
    ) {
        let Evaluation { metrics, policy, scorer, .. } = self.evaluation;
        let start = row.len();
        let mut errors = Vec::new();
        if policy.ties == Ties::Average && !tied.groups.is_empty() {
            for column in 0..metrics.len() {
                let stream = number_of_topic as usize;
                let expected = self.orders[column].average(topic, tied, stream);
                errors.push(expected.error.unwrap_or(f64::NAN));
                self.push_score(number_of_topic, column, &expected.score, row);
            }
        } else if let Some(score) = scorer {
            for (column, metric) in metrics.iter().enumerate() {
                let (score, _) = score(number_of_topic, metric, topic);
                self.push_score(number_of_topic, column, &score, row);
            }
        } else {
            self.push_scores(number_of_topic, topic, row);
        }
        if !(self.scores_only && tied.groups.is_empty()) {
            self.push_beside(number_of_topic, topic, tied, start, errors, row);
        }
    }

    /// The scores of all measures, each of which sees what it asked for.
    fn push_scores(&mut self, number_of_topic: u32, topic: &Judged<'_>, row: &mut Vec<f64>) {
        // What the metric before was shown; the next one mostly needs the same.
        let (mut needs, mut narrowed) = (Needs::POSITIVE, topic.narrowed(Needs::POSITIVE));
        for (column, metric) in self.evaluation.metrics.iter().enumerate() {
            if metric.needs() != needs {
                needs = metric.needs();
                narrowed = topic.narrowed(needs);
            }
            self.push_score(number_of_topic, column, &metric.score_narrowed(&narrowed), row);
        }
    }

    #[inline(always)]
    fn push_score(
        &mut self,
        number_of_topic: u32,
        column: usize,
        score: &Score,
        row: &mut Vec<f64>,
    ) {
        row.push(number(score));
        if let Score::Undefined(why) = score {
            self.undefined.push((number_of_topic, column as u32, why));
        }
    }

    /// What stands in the row behind the scores, which begin at `start`; and what ties could do.
    #[inline(never)]
    fn push_beside(
        &mut self,
        number_of_topic: u32,
        topic: &Judged<'_>,
        tied: Tied<'_>,
        start: usize,
        mut errors: Vec<f64>,
        row: &mut Vec<f64>,
    ) {
        let Evaluation { metrics, policy, scorer, .. } = self.evaluation;
        let ranges = self.under_ties(topic, tied, number_of_topic as usize, &row[start..]);
        if let Some(vary) = self.evaluation.ranges {
            let mut all = None;
            for (column, ranger) in self.rangers.iter_mut().enumerate() {
                let score = Some(row[start + column]).filter(|score| !score.is_nan());
                let range = ranger.range_sharing(topic, vary, &mut all).ok();
                row.extend(Range::cells(range.map(|range| range.snapped(score))));
            }
        } else if policy.ties == Ties::Range {
            row.extend(ranges.into_iter().flat_map(Range::cells));
        }
        if policy.ties == Ties::Average {
            errors.resize(metrics.len(), f64::NAN);
            row.extend(errors);
        }
        if self.weighted {
            let weight = |metric: &Metric| match scorer {
                Some(score) => score(number_of_topic, metric, topic).1,
                None => metric.weight(topic),
            };
            row.extend(metrics.iter().map(|metric| weight(metric).unwrap_or(f64::NAN)));
        }
    }

    /// The ranges of these scores over the orders of tied documents: exact ones if they were asked
    /// for, else a glance at two orders, if there are ties. Counts what they could do.
    fn under_ties(
        &mut self,
        topic: &Judged<'_>,
        tied: Tied<'_>,
        stream: usize,
        scores: &[f64],
    ) -> Vec<Option<Range>> {
        let Evaluation { metrics, policy, .. } = self.evaluation;
        let defined = |score: f64| !score.is_nan();
        let exact = policy.ties == Ties::Range;
        if tied.groups.is_empty() && !exact {
            return Vec::new();
        }
        if tied.groups.is_empty() {
            let point = |score: &f64| Some(*score).filter(|x| defined(*x)).map(Range::point);
            return scores.iter().map(point).collect();
        }
        let ranges: Vec<Option<Range>> = if exact {
            self.orders.iter().map(|orders| orders.range(topic, tied, stream)).collect()
        } else {
            self.glance.new_topic(topic, tied);
            metrics.iter().map(|metric| self.glance.range(metric, topic)).collect()
        };
        self.effects.resize(metrics.len(), (0.0, 0.0));
        for ((effect, range), score) in self.effects.iter_mut().zip(&ranges).zip(scores) {
            if let Some(range) = range.filter(|_| defined(*score)) {
                let (down, up) = (coarse(score - range.low), coarse(range.high - score));
                *effect = (effect.0 + down, effect.1 + up);
            }
        }
        ranges
    }
}

/// A number rounded to a multiple of 2^-30: sums of these are exact, so that they do not depend on
/// the order in which topics are read.
fn coarse(x: f64) -> f64 {
    let steps = f64::from(1u32 << 30);
    (x * steps).round() / steps
}

/// How much of the rankings of a run was judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
        self.retrieved += u64::from(topic.retrieved);
        self.top += u64::from(topic.retrieved.min(TOP));
        for hit in topic.hits.iter().filter(|hit| hit.grade >= 0.0) {
            self.judged += 1;
            self.top_judged += u64::from(hit.rank <= TOP);
        }
    }

    /// The count of these topics and of others.
    #[must_use]
    pub fn and(mut self, other: Coverage) -> Coverage {
        self.merge(other);
        self
    }

    /// Adds the count of other topics.
    pub(super) fn merge(&mut self, other: Coverage) {
        self.retrieved += other.retrieved;
        self.judged += other.judged;
        self.top += other.top;
        self.top_judged += other.top_judged;
    }
}
