//! Measures whose scores come from somewhere else than a judged topic: the documents themselves, a
//! session, a table. They have names, parameters and an average as all others.

use super::{Aggregate, Declaration, Exact, Measure, Score};
use crate::data::{Judged, Needs};

/// What stands for the formula of such a measure: no judged topic has what it looks at.
pub(crate) struct Elsewhere {
    /// Where its scores come from instead, as the reason that a topic has none.
    pub why: &'static str,
    pub aggregate: Aggregate,
}

impl Elsewhere {
    /// One whose scores are averaged.
    pub(crate) fn new(why: &'static str) -> Elsewhere {
        Elsewhere { why, aggregate: Aggregate::Mean }
    }
}

impl Measure for Elsewhere {
    fn declaration(&self) -> Declaration<'_> {
        Declaration { aggregate: self.aggregate.clone(), ..Declaration::new(Needs::POSITIVE) }
    }

    fn score(&self, _: &Judged<'_, f64>) -> Score<f64> {
        Score::Undefined(self.why)
    }

    fn score_exact(&self, _: &Judged<'_, Exact>) -> Score<Exact> {
        Score::Undefined(self.why)
    }
}
