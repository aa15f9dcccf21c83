//! Functions of the rank of the first relevant document.

use super::joint::less;
use super::{
    Completion, Ends, JointTopic, Jointly, Range, RangeAlgorithm, RangeKind, RetrievedExtremes,
    ScoreOf,
};
use crate::data::{Hit, Hits, Judged};
use crate::measure::Tail;

/// A function of the rank of the first relevant document of the top k, which never rises with it.
#[derive(Debug, Clone, Copy)]
pub struct First {
    /// The cutoff.
    pub k: u32,
    /// The lowest relevant grade.
    pub rel: f64,
}

impl RangeAlgorithm for First {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        RetrievedExtremes(RangeKind::Exact).range(all, score)
    }

    fn difference(
        &mut self,
        JointTopic { a, b, unjudged }: &mut JointTopic<'_>,
        score: &ScoreOf<'_>,
        tail: &Tail<'_>,
    ) -> Jointly {
        let First { k, rel } = *self;
        let reads_on = |all: &mut Completion| {
            let topic = all.prefix(0).view();
            score(&topic).value().is_some_and(|score| tail.with(&topic, score).is_some())
        };
        if rel <= 0.0 || reads_on(a) || reads_on(b) {
            return Jointly::Apart;
        }
        let judged = |all: &Completion| {
            all.documents().find(|(hit, open)| !open && hit.grade >= rel).map(|(hit, _)| hit.rank)
        };
        let firsts = (judged(a), judged(b));
        let value = |all: &Completion, ranks: [Option<u32>; 2]| {
            let first = ranks.into_iter().flatten().min().filter(|rank| *rank <= k);
            let hit = first.map(|rank| Hit { rank, doc: 0, grade: rel });
            score(&Judged { hits: Hits::new(hit.as_slice()), ..all.view() })
        };
        let mut ends = Ends::default();
        let mut add = |rank_a, rank_b| {
            ends.add(less(value(a, [firsts.0, rank_a]), value(b, [firsts.1, rank_b])))
        };
        add(None, None);
        if rel <= a.max_grade() {
            unjudged.iter().for_each(|document| add(document.in_a, document.in_b));
        }
        Range::between(ends, RangeKind::Exact).into()
    }
}
