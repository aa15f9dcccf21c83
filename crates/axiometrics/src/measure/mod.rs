//! Ranking measures, and the registry that everything reads.
//!
//! One file per family. A measure is a struct with its parameters, a [`Formula`] written once over
//! any [`Number`], and a [`Def`] that says what it is. To add one: write these three in the
//! family's file and name the definition in [`REGISTRY`].

mod aggregate;
pub mod def;
mod metric;

pub mod params;
mod parse;
pub mod range;
pub mod structure;
#[cfg(test)]
pub(crate) mod tests;

mod average_precision;
mod compat;
mod counts;
mod cwl;
mod dcg;
mod diversity;
mod err;
mod graded_average_precision;
mod inferred;
mod interpolated;
mod judgement_groups;
mod pairs;
mod precision;
pub mod preference;
mod rbp;
mod reciprocal_rank;
mod reliability_sensitivity;
mod set;
mod stratified;
mod tau;
pub mod user;

pub use crate::number::{Exact, Number};
pub use aggregate::{Aggregate, GEOMETRIC_FLOOR, Summary};
pub use def::{Alias, Cutoff, Def, Example, Suffix};
pub use metric::{Metric, Own, condensed};
pub use params::{Args, Declared, Param, Value};
pub use parse::{Open, parse, parse_list, parse_list_with};
pub use range::{RangeRule, TieRule};
pub use structure::Structure;
pub use user::User;

use crate::data::{Judged, Needs};

/// Every measure. The order is that of `axio measures`: families as a reader meets them, within a
/// family the commonest first.
pub const REGISTRY: &[&[&Def]] = &[
    precision::DEFS,
    reciprocal_rank::DEFS,
    average_precision::DEFS,
    dcg::DEFS,
    rbp::DEFS,
    err::DEFS,
    cwl::DEFS,
    graded_average_precision::DEFS,
    pairs::DEFS,
    inferred::DEFS,
    compat::DEFS,
    reliability_sensitivity::DEFS,
    tau::DEFS,
    interpolated::DEFS,
    set::DEFS,
    counts::DEFS,
    diversity::DEFS,
    judgement_groups::DEFS,
    stratified::DEFS,
];

/// All definitions, in the order of [`REGISTRY`].
pub fn definitions() -> impl Iterator<Item = &'static Def<'static>> {
    REGISTRY.iter().flat_map(|family| family.iter().copied())
}

/// What a measure says of one topic.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Score<N = f64> {
    /// A number.
    Value(N),
    /// No number, and why.
    Undefined(&'static str),
}

/// The reason that most undefined scores share.
pub const NO_RELEVANT: &str = "the topic has no relevant document";

impl<N> Score<N> {
    /// The number, if there is one.
    pub fn value(self) -> Option<N> {
        match self {
            Score::Value(x) => Some(x),
            Score::Undefined(_) => None,
        }
    }

    /// The number through a function.
    pub fn map<M>(self, f: impl FnOnce(N) -> M) -> Score<M> {
        match self {
            Score::Value(x) => Score::Value(f(x)),
            Score::Undefined(why) => Score::Undefined(why),
        }
    }
}

/// A measure's formula, written once over any number.
///
/// It sees one topic and must not look anywhere else; it returns `Undefined` where its own formula
/// has no value (a 0/0), never NaN.
pub trait Formula: Send + Sync {
    /// What the formula reads of the judgements.
    fn needs(&self) -> Needs;
    /// The score of one topic.
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N>;
    /// How topics are summarised.
    fn aggregate(&self) -> Aggregate {
        Aggregate::Mean
    }
    /// What the formula declares of its own structure, for the laboratory to verify. Nothing,
    /// unless it says otherwise.
    fn structure(&self) -> Structure {
        Structure::default()
    }
    /// How the lowest and the highest score under any judgement of the unjudged documents are
    /// found, where grades go up to this one.
    fn range_rule(&self, _max_grade: f64) -> RangeRule<'_> {
        RangeRule::None(range::NO_ALGORITHM)
    }
    /// What the formula declares about tied documents.
    fn tie_rule(&self) -> TieRule<'_> {
        TieRule::Other
    }
    /// The score, which is given as it is, if every document below the end of the ranking had the
    /// highest grade, for measures that look there.
    fn with_tail(&self, _topic: &Judged<'_>, _score: f64) -> Option<f64> {
        None
    }
    /// The user whom it models, where that does not follow from its structure.
    fn user(&self) -> Option<User<'_>> {
        None
    }
}

/// The object-safe face of a [`Formula`].
pub trait Measure: Send + Sync {
    /// What the measure reads of the judgements.
    fn needs(&self) -> Needs;
    /// The score of one topic, in floating point.
    fn score(&self, topic: &Judged<'_, f64>) -> Score<f64>;
    /// The score of one topic, exactly where the formula is rational.
    fn score_exact(&self, topic: &Judged<'_, Exact>) -> Score<Exact>;
    /// How topics are summarised.
    fn aggregate(&self) -> Aggregate;
    /// What the formula declares of its own structure.
    fn structure(&self) -> Structure {
        Structure::default()
    }
    /// How the ends of its range are found.
    fn range_rule(&self, _max_grade: f64) -> RangeRule<'_> {
        RangeRule::None(range::NO_ALGORITHM)
    }
    /// What the formula declares about tied documents.
    fn tie_rule(&self) -> TieRule<'_> {
        TieRule::Other
    }
    /// The score, which is given as it is, if every document below the end of the ranking had the
    /// highest grade, for measures that look there.
    fn with_tail(&self, _topic: &Judged<'_>, _score: f64) -> Option<f64> {
        None
    }
    /// The user whom it models, where that does not follow from its structure.
    fn user(&self) -> Option<User<'_>> {
        None
    }
}

impl<F: Formula> Measure for F {
    fn needs(&self) -> Needs {
        Formula::needs(self)
    }
    fn score(&self, topic: &Judged<'_, f64>) -> Score<f64> {
        Formula::score(self, topic)
    }
    fn score_exact(&self, topic: &Judged<'_, Exact>) -> Score<Exact> {
        Formula::score(self, topic)
    }
    fn aggregate(&self) -> Aggregate {
        Formula::aggregate(self)
    }
    fn structure(&self) -> Structure {
        Formula::structure(self)
    }
    fn range_rule(&self, max_grade: f64) -> RangeRule<'_> {
        Formula::range_rule(self, max_grade)
    }
    fn tie_rule(&self) -> TieRule<'_> {
        Formula::tie_rule(self)
    }
    fn with_tail(&self, topic: &Judged<'_>, score: f64) -> Option<f64> {
        Formula::with_tail(self, topic, score)
    }
    fn user(&self) -> Option<User<'_>> {
        Formula::user(self)
    }
}

/// `a / b`, or undefined where b is zero.
pub(crate) fn ratio<N: Number>(a: N, b: N, why: &'static str) -> Score<N> {
    if b.is_zero() { Score::Undefined(why) } else { Score::Value(a / b) }
}
