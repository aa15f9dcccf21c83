//! Ends that a few completions have: all open documents of the lowest grade, all of the highest.

use super::{Completion, Ends, JointTopic, Jointly, Range, RangeAlgorithm, RangeKind, ScoreOf};
use crate::data::{Hit, Hits, Judged};
use crate::measure::Tail;

/// The ends are reached if all open documents have the lowest grade, and if all have the highest.
#[derive(Debug, Clone, Copy)]
pub struct Extremes(pub RangeKind);

impl RangeAlgorithm for Extremes {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        Range::between(extremes(all, all.open(), score), self.0)
    }
}

/// Like [`Extremes`], for a score that no document changes unless it was retrieved.
#[derive(Debug, Clone, Copy)]
pub struct RetrievedExtremes(pub RangeKind);

impl RangeAlgorithm for RetrievedExtremes {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        Range::between(extremes(all, all.open_retrieved(), score), self.0)
    }
}

fn extremes(all: &mut Completion, many: u32, score: &ScoreOf<'_>) -> Ends {
    let mut ends = Ends::default();
    all.extremes(many).into_iter().for_each(|t| ends.add(score(&all.prefix(t).view())));
    ends
}

/// A sum over ranks, each term of one document's grade and its rank alone, over a divisor that the
/// judgements do not change: the ends are as for [`Extremes`], and differences of two runs are sums
/// too.
#[derive(Debug, Clone, Copy)]
pub struct Additive;

impl RangeAlgorithm for Additive {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        RetrievedExtremes(RangeKind::Exact).range(all, score)
    }

    fn difference(
        &mut self,
        joint: &mut JointTopic<'_>,
        score: &ScoreOf<'_>,
        tail: &Tail<'_>,
    ) -> Jointly {
        difference(joint, score, tail).into()
    }
}

/// Each document adds what it adds to the first run less what it adds to the second.
fn difference(joint: &mut JointTopic<'_>, score: &ScoreOf<'_>, tail: &Tail<'_>) -> Option<Range> {
    let JointTopic { a, b, unjudged } = joint;
    let start = score(&a.prefix(0).view()).value()? - score(&b.prefix(0).view()).value()?;
    let weight = |all: &Completion, rank: Option<u32>| -> Option<f64> {
        let Some(rank) = rank else { return Some(0.0) };
        let alone = |grade: f64| {
            let hits = [Hit { rank, doc: 0, grade }];
            score(&Judged { hits: Hits::new(&hits), ..all.view() }).value()
        };
        Some(alone(all.max_grade())? - alone(0.0)?)
    };
    let (mut low, mut high) = (start, start);
    for document in *unjudged {
        let change = weight(a, document.in_a)? - weight(b, document.in_b)?;
        low += change.min(0.0);
        high += change.max(0.0);
    }
    // What is below the end of one ranking may be anywhere in the other, so the tails make it a
    // bound.
    let tail = |all: &mut Completion| -> Option<f64> {
        let topic = all.prefix(0).view();
        let score = score(&topic).value()?;
        Some(tail.with(&topic, score).map_or(0.0, |with| with - score))
    };
    let (tail_a, tail_b) = (tail(a)?, tail(b)?);
    let kind = if tail_a > 0.0 || tail_b > 0.0 { RangeKind::Bound } else { RangeKind::Exact };
    Some(Range { low: low - tail_b, high: high + tail_a, tail: tail_a, kind, undefined: false })
}

/// Additive in how many relevant documents were retrieved and how many were not: the ends are among
/// the four corners.
#[derive(Debug, Clone, Copy)]
pub struct Corners;

impl RangeAlgorithm for Corners {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        let mut ends = Ends::default();
        let (open, retrieved) = (all.open(), all.open_retrieved());
        [0, retrieved, open].into_iter().for_each(|t| ends.add(score(&all.prefix(t).view())));
        ends.add(score(&all.suffix(open - retrieved).view()));
        Range::between(ends, RangeKind::Exact)
    }
}
