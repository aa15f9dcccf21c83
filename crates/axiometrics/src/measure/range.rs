//! What a measure declares about its score ranges: which algorithm finds the lowest and the highest score under any judgement of the
//! unjudged documents. The algorithms are in [`crate::score::ranges`]; what they need of a formula is handed over here, so that no
//! formula is written twice.

use super::Score;
use crate::data::Judged;

/// What is known of the ends of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Some judgement has the score at each end, and none lies outside.
    Exact,
    /// No judgement that a long search tried lies outside.
    Searched,
    /// None lies outside (proved), but the ends may lie too far apart.
    Bound,
}

impl Kind {
    /// The word in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Exact => "exact",
            Kind::Searched => "searched",
            Kind::Bound => "bound",
        }
    }
}

/// A number of a topic.
pub type OfTopic<'a> = Box<dyn Fn(&Judged<'_>) -> f64 + Send + Sync + 'a>;

/// What a number becomes in a topic.
pub type InTopic<'a, A, B> = Box<dyn Fn(&Judged<'_>, A) -> B + Send + Sync + 'a>;

/// Which algorithm finds the ends.
pub enum RangeRule<'a> {
    /// None, and why.
    None(&'static str),
    /// The ends are where all unjudged documents have the lowest grade and where all have the highest.
    Extremes(Kind),
    /// Additive in how many relevant documents were retrieved and how many were not: the ends are among the four corners.
    Corners,
    /// A sum over ranks, each term of one document's grade and its rank alone, over a divisor that the judgements do not change: the ends are as for
    /// `Extremes`, and differences of two runs are sums too.
    Additive,
    /// For a fixed number of relevant documents the score never rises where one of them moves down, and only "relevant or not" matters.
    Prefix,
    /// The same where every grade is 0 or 1; elsewhere none, and why.
    PrefixIfBinary(&'static str),
    /// The same, for a function of three counts.
    Counts(Counts<'a>),
    /// The same, for a function of the sum of precisions.
    Precisions(Precisions<'a>),
    /// Discounted gain over that of the best order.
    Gains(Gains<'a>),
    /// A number over that of the ideal ranking, both of which never fall where a grade rises; at most 1.
    Quotient {
        /// Of the ranking.
        value: OfTopic<'a>,
        /// Of the collection.
        ideal: OfTopic<'a>,
    },
    /// The Q-measure.
    Blended(Blended<'a>),
}

/// What a measure declares about tied documents, besides what follows from its [`RangeRule`].
pub enum TieRule<'a> {
    /// Nothing.
    Other,
    /// For fixed judgements, a sum over documents.
    Linear,
    /// A function of the rank of the first relevant document of the top k.
    First {
        /// The cutoff.
        k: u32,
        /// The lowest relevant grade.
        rel: f64,
    },
    /// The expected reciprocal of the rank where a user stops.
    Cascade(Cascade<'a>),
    /// A sum over relevant documents of a term of how many judged non-relevant ones stand above.
    Pairs(Pairs<'a>),
}

/// A user who stops at a document with a probability of its own, and the score that the mean of 1 / (the rank of the last document) gives.
pub struct Cascade<'a> {
    /// The cutoff.
    pub k: u32,
    /// The probability that a grade satisfies.
    pub satisfies: InTopic<'a, f64, f64>,
    /// The score.
    pub value: InTopic<'a, f64, Score>,
}

/// A sum over the relevant documents of a topic.
pub struct Pairs<'a> {
    /// The lowest relevant grade.
    pub rel: f64,
    /// The term of a relevant document below so many judged non-relevant ones.
    pub term: InTopic<'a, u32, f64>,
    /// The score that the sum gives.
    pub value: InTopic<'a, f64, Score>,
}

/// A function of how many relevant documents are in the top k, how many were retrieved, and how many there are in all; never falling in the first.
pub struct Counts<'a> {
    /// The cutoff.
    pub k: u32,
    /// The lowest relevant grade.
    pub rel: f64,
    /// The function: relevant in the top k, retrieved, relevant in all.
    pub value: Box<dyn Fn(u32, u32, u32) -> Score + Send + Sync + 'a>,
}

/// A function of the sum of precisions at the relevant documents of the top k, in which it never falls; of how many these are, and how many there are in all.
pub struct Precisions<'a> {
    /// The cutoff.
    pub k: u32,
    /// The lowest relevant grade.
    pub rel: f64,
    /// The function: the sum, relevant in the top k, relevant in all.
    pub value: Box<dyn Fn(f64, u32, u32) -> Score + Send + Sync + 'a>,
    /// Proportional to the sum, whatever is relevant in the top k.
    pub linear: bool,
}

/// Gains, and what divides them by rank.
pub struct Gains<'a> {
    /// The cutoff.
    pub k: u32,
    /// Divided by the best order of the top k, not of all judged documents.
    pub own: bool,
    /// The gain of a grade.
    pub gain: Box<dyn Fn(f64) -> f64 + Send + Sync + 'a>,
    /// What a gain at a rank is divided by.
    pub discount: Box<dyn Fn(u32) -> f64 + Send + Sync + 'a>,
}

/// The sum over the relevant documents of a term, over their number.
pub struct Blended<'a> {
    /// The cutoff.
    pub k: u32,
    /// The lowest relevant grade.
    pub rel: f64,
    /// The term: relevant so far, gain so far, rank, ideal gain down to the rank.
    pub term: Box<dyn Fn(u32, f64, u32, f64) -> f64 + Send + Sync + 'a>,
    /// What the sum is divided by, of the number of relevant documents.
    pub divisor: Box<dyn Fn(u32) -> u32 + Send + Sync + 'a>,
    /// Gains play no part.
    pub binary: bool,
}

/// The reason of the measures that nobody has found an algorithm for.
pub(super) const NO_ALGORITHM: &str = "no algorithm is known that finds its ends";
/// The reason of the measures by facet.
pub(super) const BY_FACET: &str = "an unjudged document may belong to any of the subtopics, groups or strata";
/// The reason of counts.
pub(super) const NO_SCORE: &str = "it counts what was judged or retrieved, whatever the judgements say";
