//! Ranking measures, and the registry that everything reads.
//!
//! One file per family. A measure is a struct with its parameters, a [`Formula`] written once over
//! any [`Number`], with its [`Declaration`], and a [`Def`] that says what it is. To add one: write
//! these three in the family's file and name the definition in [`REGISTRY`].

mod aggregate;
mod declaration;
pub mod def;
mod elsewhere;
mod metric;
pub mod params;
mod parse;
pub mod range;
pub(crate) mod spelling;
pub mod structure;
#[cfg(test)]
pub(crate) mod tests;
pub mod ties;

mod average_precision;
mod compat;
mod counts;
mod cwl;
mod dcg;
mod diversity;
mod err;
mod graded_average_precision;
mod inferred;
pub(crate) mod interpolated;
mod judgement_groups;
mod pairs;
mod percent_perfect;
mod precision;
pub mod preference;
mod rbp;
mod reciprocal_rank;
mod reliability_sensitivity;
mod set;
mod stratified;
mod tau;
pub mod user;
mod utility;

pub use crate::number::{Exact, Number};
pub use aggregate::{Aggregate, GEOMETRIC_FLOOR, Gathered, Summary};
pub use declaration::{Declaration, Tail, WithTail};
pub use def::{Alias, Cutoff, Def, Example, Span, Suffix};
pub(crate) use elsewhere::Elsewhere;
pub use metric::{Metric, Own, condensed};
pub use params::{Args, Declared, Param, Value};
pub use parse::{Open, parse, parse_list, parse_list_with};
pub use reliability_sensitivity::FAMILY as RELIABILITY_SENSITIVITY;
pub use structure::Structure;
pub use user::User;

use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::data::Judged;

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
    percent_perfect::DEFS,
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
/// It sees one topic and must not look anywhere else; it returns `Undefined` if its own formula has
/// no value (a 0/0), never NaN.
pub trait Formula: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// What it declares of itself.
    fn declaration(&self) -> Declaration<'_>;
    /// The score of one topic.
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N>;
    /// How much the topic weighs in a summary that is [weighted](Summary::is_weighted); `None` if it
    /// has no weight.
    fn weight(&self, _topic: &Judged<'_, f64>) -> Option<f64> {
        Some(1.0)
    }
}

/// The object-safe face of a [`Formula`].
pub trait Measure: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// What it declares of itself.
    fn declaration(&self) -> Declaration<'_>;
    /// The score of one topic, in floating point.
    fn score(&self, topic: &Judged<'_, f64>) -> Score<f64>;
    /// The score of one topic, exactly if the formula is rational.
    fn score_exact(&self, topic: &Judged<'_, Exact>) -> Score<Exact>;
    /// How much the topic weighs in a summary that is [weighted](Summary::is_weighted); `None` if it
    /// has no weight.
    fn weight(&self, _topic: &Judged<'_, f64>) -> Option<f64> {
        Some(1.0)
    }
}

impl<F: Formula> Measure for F {
    fn declaration(&self) -> Declaration<'_> {
        Formula::declaration(self)
    }
    fn score(&self, topic: &Judged<'_, f64>) -> Score<f64> {
        Formula::score(self, topic)
    }
    fn score_exact(&self, topic: &Judged<'_, Exact>) -> Score<Exact> {
        Formula::score(self, topic)
    }
    fn weight(&self, topic: &Judged<'_, f64>) -> Option<f64> {
        Formula::weight(self, topic)
    }
}

/// `a / b`, or undefined if b is zero.
pub(crate) fn ratio<N: Number>(a: N, b: N, why: &'static str) -> Score<N> {
    if b.is_zero() { Score::Undefined(why) } else { Score::Value(a / b) }
}
