//! The range of a difference of two runs.
//!
//! That their ranges overlap says little: an unjudged document that both retrieved counts for both.
//! The joint range gives each document one grade.
//! - A sum over documents: each adds what it adds to one run less what it adds to the other.
//! - A quotient whose divisor both share (nDCG): Dinkelbach's method over these differences, as for
//!   one run.
//! - Counts over what both share (recall, F): for each number of relevant documents, those that
//!   only one run shows come first or last.
//! - A sum of precisions over what both share (AP): a bound over pairs of documents.
//! - The first relevant document: one document alone makes the first run as good as it can be, and
//!   any other could only help the second.

use super::{Completion, Range, RangeKind, Vary};
use crate::data::Judged;
use crate::measure::Score;

/// A document that is unjudged and that at least one of two runs retrieved: its rank in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedDocument {
    /// In the first run.
    pub in_a: Option<u32>,
    /// In the second run.
    pub in_b: Option<u32>,
}

/// One topic of two runs, and the unjudged documents of either.
pub struct JointTopic<'j> {
    /// The completions of the first run.
    pub a: Completion,
    /// The completions of the second run.
    pub b: Completion,
    /// Every unjudged document that either retrieved; none if no grade is above 0.
    pub unjudged: &'j [SharedDocument],
}

impl<'j> JointTopic<'j> {
    /// Both runs of one topic. `unjudged` holds every unjudged document that either retrieved.
    pub fn new(
        a: &Judged<'_>,
        b: &Judged<'_>,
        unjudged: &'j [SharedDocument],
        vary: Vary,
    ) -> JointTopic<'j> {
        // What the other run alone retrieved is a further document of the collection.
        let completion = |topic: &Judged<'_>, rank: fn(&SharedDocument) -> Option<u32>| {
            let only_other = unjudged.iter().filter(|d| rank(d).is_none()).count() as u32;
            Completion::new(topic, Vary::collection(vary.further.saturating_add(only_other)))
        };
        let (a, b) = (completion(a, |d| d.in_a), completion(b, |d| d.in_b));
        // If no grade is above 0, none can be given.
        let unjudged = if a.max_grade() > 0.0 { unjudged } else { &[] };
        JointTopic { a, b, unjudged }
    }
}

/// What an algorithm knows of the difference of two runs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Jointly {
    /// Its range.
    Range(Range),
    /// Both scores are undefined in every completion.
    Undefined,
    /// No more than follows from the ranges of both.
    Apart,
}

impl From<Option<Range>> for Jointly {
    fn from(range: Option<Range>) -> Jointly {
        range.map_or(Jointly::Undefined, Jointly::Range)
    }
}

/// The difference of two scores. One that is undefined counts as 0 if the other is defined.
pub(super) fn less(a: Score, b: Score) -> Score {
    match (a, b) {
        (Score::Undefined(why), Score::Undefined(_)) => Score::Undefined(why),
        (a, b) => Score::Value(a.value().unwrap_or(0.0) - b.value().unwrap_or(0.0)),
    }
}

impl Range {
    /// The range of a difference, as far as the two ranges alone tell it.
    pub(crate) fn less(self, other: Range) -> Range {
        let fixed = [self, other].iter().all(|range| range.low == range.high && !range.undefined);
        let kind = if fixed { self.kind.max(other.kind) } else { RangeKind::Bound };
        let (a, b) = (self.or_zero(), other.or_zero());
        Range { low: a.low - b.high, high: a.high - b.low, tail: a.tail, kind, undefined: false }
    }
}
