//! Scores under ties: the expected one over all orders of tied documents, and the lowest and the
//! highest.
//!
//! A tied group is a stretch of ranks whose documents may stand in any order. Expected scores have
//! closed forms for most measures ([`closed`]); ends of ranges are found by sorting the groups by
//! grade, where that is known to be exact ([`extremes`]). What is left is counted out where there
//! are few orders, and sampled from a fixed seed where there are many ([`orders`]). A ranking that
//! is cut off within a group keeps its first documents, so the order decides which of the group are
//! retrieved at all.

mod closed;
mod extremes;
mod glance;
mod orders;
#[cfg(test)]
mod tests;

pub(crate) use self::glance::Glance;
use super::ranges::Range;
use crate::align::{Tie, Tied};
use crate::data::{Hit, Judged};
use crate::measure::{Metric, Score, condensed};

/// An expected score.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expected {
    pub(crate) score: Score,
    /// Its standard error, where it was sampled.
    pub(crate) error: Option<f64>,
}

/// The expected score over all orders of the tied documents. Undefined orders are left out. Topics
/// have streams of random numbers of their own.
pub(crate) fn average(
    metric: &Metric,
    topic: &Judged<'_>,
    tied: Tied<'_>,
    stream: usize,
) -> Expected {
    let orders = Orders::new(metric, topic, tied);
    if orders.groups.is_empty() {
        return Expected { score: metric.score(topic), error: None };
    }
    match closed::average(&orders) {
        Some(score) => Expected { score, error: None },
        None => orders.average(stream),
    }
}

/// The lowest and the highest score of any order; `None` where all are undefined.
pub(crate) fn range(
    metric: &Metric,
    topic: &Judged<'_>,
    tied: Tied<'_>,
    stream: usize,
) -> Option<Range> {
    let orders = Orders::new(metric, topic, tied);
    if orders.groups.is_empty() {
        return metric.score(topic).value().map(Range::point);
    }
    extremes::range(&orders, stream)
}

/// The orders of the documents of a topic, in the measure's eyes: what it does not see is left out.
struct Orders<'t> {
    metric: &'t Metric,
    /// The topic in the order of the run; `hits` are those of the order at hand.
    topic: Judged<'t>,
    /// The hits of the order of the run, those below the depth that might come above it included.
    hits: Vec<Hit>,
    groups: Vec<Group>,
    /// The ranking ends here.
    depth: u32,
    /// Unjudged documents have to be removed from every order, because which are retrieved depends
    /// on it.
    condense: bool,
}

/// Some of the hits, by their indices.
struct Group {
    tie: Tie,
    hits: std::ops::Range<usize>,
}

impl<'t> Orders<'t> {
    fn new(metric: &'t Metric, topic: &Judged<'t>, tied: Tied<'_>) -> Orders<'t> {
        let depth = topic.retrieved;
        let mut ties: Vec<Tie> =
            tied.groups.iter().filter(|tie| tie.first <= depth).copied().collect();
        let end = ties.last().map_or(depth, |tie| tie.last().max(depth));
        let mut hits: Vec<Hit> =
            topic.hits.iter().chain(tied.below).filter(|hit| hit.rank <= end).copied().collect();
        let mut orders = Orders {
            metric,
            topic: *topic,
            hits: Vec::new(),
            groups: Vec::new(),
            depth,
            condense: false,
        };
        if metric.is_condensed() {
            orders.condense = end > depth;
            if !orders.condense {
                // The judged documents of a group stand side by side in the condensed list, in any
                // order.
                let judged = |rank: u32| {
                    hits.iter().filter(|hit| hit.grade >= 0.0 && hit.rank <= rank).count() as u32
                };
                for tie in &mut ties {
                    let above = judged(tie.first - 1);
                    *tie = Tie { first: above + 1, len: judged(tie.last()) - above };
                }
                (hits, orders.depth) = condensed(&Judged { hits: &hits, ..*topic });
                orders.topic.retrieved = orders.depth;
            }
        } else if !metric.needs().judged {
            hits.retain(|hit| hit.grade > 0.0);
        }
        for tie in ties {
            let from = hits.partition_point(|hit| hit.rank < tie.first);
            let to = hits.partition_point(|hit| hit.rank <= tie.last());
            if tie.len > 1 && from < to {
                orders.groups.push(Group { tie, hits: from..to });
            }
        }
        orders.hits = hits;
        orders
    }

    /// The score of one order, whose hits may stand in any sequence.
    fn score(&self, hits: &mut Vec<Hit>) -> Score {
        hits.retain(|hit| hit.rank <= self.depth);
        hits.sort_unstable_by_key(|hit| hit.rank);
        let topic = Judged { hits, ..self.topic };
        if self.condense { self.metric.score(&topic) } else { self.metric.score_complete(&topic) }
    }

    /// The score of the order of the run.
    fn score_of_run(&self) -> Score {
        self.score(&mut self.hits.clone())
    }

    /// The hits that are not tied.
    fn settled(&self) -> impl Iterator<Item = &Hit> {
        let tied = |i: usize| {
            self.groups
                .get(self.groups.partition_point(|group| group.hits.end <= i))
                .is_some_and(|g| g.hits.contains(&i))
        };
        self.hits.iter().enumerate().filter(move |(i, _)| !tied(*i)).map(|(_, hit)| hit)
    }

    /// The hits of a group.
    fn of(&self, group: &Group) -> &[Hit] {
        &self.hits[group.hits.clone()]
    }

    /// The group that lies on both sides of a rank, or of the end of the ranking where that comes
    /// first.
    fn cut_at(&self, k: u32) -> Option<&Group> {
        let k = k.min(self.depth);
        self.groups.iter().find(|group| group.tie.first <= k && k < group.tie.last())
    }
}
