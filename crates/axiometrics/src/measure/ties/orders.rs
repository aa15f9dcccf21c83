//! The orders of the documents of a topic.

use crate::align::{Tie, Tied};
use crate::data::{Hit, Hits, Judged};
use crate::measure::{Metric, Score, condensed};

/// The orders of the documents of a topic, in the measure's eyes: what it does not see is left out.
pub struct Orders<'t> {
    metric: &'t Metric,
    /// The topic in the order of the run; its hits are those of that order.
    pub(super) topic: Judged<'t>,
    /// The hits of the order of the run, those below the depth that might come above it included.
    pub(super) hits: Vec<Hit>,
    pub(super) groups: Vec<TiedGroup>,
    /// The ranking ends here.
    pub(super) depth: u32,
    /// Unjudged documents have to be removed from every order, because which are retrieved depends
    /// on it.
    pub(super) condense: bool,
}

/// Some of the hits, by their indices.
pub(super) struct TiedGroup {
    pub(super) tie: Tie,
    pub(super) hits: std::ops::Range<usize>,
}

/// A stretch of ranks: a document that is not tied, or a group.
pub(super) enum Stretch<'o> {
    Hit(&'o Hit),
    Group(&'o TiedGroup),
}

impl<'t> Orders<'t> {
    pub(crate) fn new(metric: &'t Metric, topic: &Judged<'t>, tied: Tied<'_>) -> Orders<'t> {
        let depth = topic.retrieved;
        let mut ties: Vec<Tie> =
            tied.groups.iter().filter(|tie| tie.first <= depth).copied().collect();
        let end = ties.last().map_or(depth, |tie| tie.last().max(depth));
        let mut hits: Vec<Hit> =
            topic.hits.iter().chain(tied.below).filter(|hit| hit.rank <= end).copied().collect();
        let mut orders = Orders {
            metric,
            topic: topic.narrowed(metric.needs()),
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
                let judged: Vec<u32> =
                    hits.iter().filter(|hit| hit.grade >= 0.0).map(|hit| hit.rank).collect();
                let down_to = |rank: u32| judged.partition_point(|r| *r <= rank) as u32;
                for tie in &mut ties {
                    let above = down_to(tie.first - 1);
                    *tie = Tie { first: above + 1, len: down_to(tie.last()) - above };
                }
                (hits, orders.depth) = condensed(&Judged { hits: Hits::new(&hits), ..*topic });
                orders.topic.retrieved = orders.depth;
            }
        } else if !metric.needs().judged {
            hits.retain(|hit| hit.grade > 0.0);
        }
        for tie in ties {
            let from = hits.partition_point(|hit| hit.rank < tie.first);
            let to = hits.partition_point(|hit| hit.rank <= tie.last());
            if tie.len > 1 && from < to {
                orders.groups.push(TiedGroup { tie, hits: from..to });
            }
        }
        orders.hits = hits;
        orders
    }

    /// The score of one order, whose hits may stand in any sequence.
    pub(super) fn score(&self, hits: &mut Vec<Hit>) -> Score {
        hits.retain(|hit| hit.rank <= self.depth);
        hits.sort_unstable_by_key(|hit| hit.rank);
        let topic = Judged { hits: Hits::new(hits), ..self.topic };
        if self.condense { self.metric.score(&topic) } else { self.metric.score_complete(&topic) }
    }

    /// The score of the order of the run.
    pub(super) fn score_of_run(&self) -> Score {
        self.score(&mut self.hits.clone())
    }

    /// The hits that are not tied.
    pub(super) fn settled(&self) -> impl Iterator<Item = &Hit> {
        let tied = |i: usize| {
            self.groups
                .get(self.groups.partition_point(|group| group.hits.end <= i))
                .is_some_and(|g| g.hits.contains(&i))
        };
        self.hits.iter().enumerate().filter(move |(i, _)| !tied(*i)).map(|(_, hit)| hit)
    }

    /// The hits of a group.
    pub(super) fn of(&self, group: &TiedGroup) -> &[Hit] {
        &self.hits[group.hits.clone()]
    }

    /// The group that lies on both sides of a rank, or of the end of the ranking if that comes
    /// first.
    pub(super) fn cut_at(&self, k: u32) -> Option<&TiedGroup> {
        let k = k.min(self.depth);
        self.groups.iter().find(|group| group.tie.first <= k && k < group.tie.last())
    }

    /// The hits and groups from the top.
    pub(super) fn stretches(&self) -> Vec<Stretch<'_>> {
        let mut all: Vec<Stretch<'_>> = self
            .settled()
            .map(Stretch::Hit)
            .chain(self.groups.iter().map(Stretch::Group))
            .collect();
        all.sort_by_key(|stretch| match stretch {
            Stretch::Hit(hit) => hit.rank,
            Stretch::Group(group) => group.tie.first,
        });
        all
    }

    /// The ranks of a group down to a cutoff or the end of the ranking, with their places in the
    /// group from 0.
    pub(super) fn places(
        &self,
        group: &TiedGroup,
        k: u32,
    ) -> impl Iterator<Item = (f64, u32)> + use<> {
        let last = group.tie.last().min(k).min(self.depth);
        (group.tie.first..=last).enumerate().map(|(place, rank)| (place as f64, rank))
    }

    /// No grade but 0 and 1.
    pub(super) fn is_binary(&self) -> bool {
        crate::measure::range::GradeScale::new(*self.topic.max_grade, self.topic.grades.positive)
            .binary
    }
}
