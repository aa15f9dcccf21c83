//! Ends by the number of relevant documents alone, and algorithms for some judgements only.

use super::{
    Completion, Ends, GradeScale, JointTopic, Jointly, Range, RangeAlgorithm, RangeKind, ScoreOf,
};
use crate::measure::Tail;

/// For a fixed number of relevant documents the score never rises if one of them moves down, and
/// only "relevant or not" matters: of t relevant open documents the first t give the highest score
/// and the last t the lowest.
#[derive(Debug, Clone, Copy)]
pub struct Prefix;

impl RangeAlgorithm for Prefix {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        let mut ends = Ends::default();
        (0..=all.open()).for_each(|t| ends.add(score(&all.prefix(t).view())));
        (0..=all.open()).for_each(|t| ends.add(score(&all.suffix(t).view())));
        Range::between(ends, RangeKind::Exact)
    }
}

/// One algorithm if every grade is 0 or 1, another if there are more.
#[derive(Debug, Clone, Copy)]
pub struct IfBinary<A, B> {
    /// For grades 0 and 1.
    pub binary: A,
    /// For all others.
    pub graded: B,
}

impl<A: RangeAlgorithm, B: RangeAlgorithm> RangeAlgorithm for IfBinary<A, B> {
    fn refusal(&self, scale: GradeScale) -> Option<&'static str> {
        if scale.binary { self.binary.refusal(scale) } else { self.graded.refusal(scale) }
    }

    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        if all.scale().binary {
            self.binary.range(all, score)
        } else {
            self.graded.range(all, score)
        }
    }
}

/// An algorithm for judgements that meet a condition.
pub struct Provided<'a, A> {
    /// Why the condition is not met, if it is not.
    pub refusal: Box<dyn Fn(GradeScale) -> Option<&'static str> + Send + Sync + 'a>,
    /// What holds if it is.
    pub then: A,
}

impl<'a, A> Provided<'a, A> {
    /// The algorithm, unless there is a reason against it.
    pub fn new(
        refusal: impl Fn(GradeScale) -> Option<&'static str> + Send + Sync + 'a,
        then: A,
    ) -> Self {
        Provided { refusal: Box::new(refusal), then }
    }
}

impl<A: RangeAlgorithm> RangeAlgorithm for Provided<'_, A> {
    fn refusal(&self, scale: GradeScale) -> Option<&'static str> {
        (self.refusal)(scale).or_else(|| self.then.refusal(scale))
    }

    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        self.then.range(all, score)
    }

    fn reads_on(&self) -> bool {
        self.then.reads_on()
    }

    fn difference(
        &mut self,
        joint: &mut JointTopic<'_>,
        score: &ScoreOf<'_>,
        tail: &Tail<'_>,
    ) -> Jointly {
        self.then.difference(joint, score, tail)
    }
}
