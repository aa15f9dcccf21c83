//! What a measure declares about its score ranges: which algorithm finds the lowest and the highest
//! score under any judgement of the unjudged documents. The algorithms are in
//! [`crate::score::ranges`]; what they need of a formula is handed over here, so that no formula is
//! written twice.

use serde::Serialize;

use super::Score;
use crate::data::Judged;

/// What is known of the ends of a range: the less, the later in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
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

/// A score of a topic.
pub type OfTopic<'a> = Box<dyn Fn(&Judged<'_>) -> Score + Send + Sync + 'a>;

/// What a number becomes in a topic.
pub type InTopic<'a, A, B> = Box<dyn Fn(&Judged<'_>, A) -> B + Send + Sync + 'a>;

/// Which algorithm finds the ends.
pub enum RangeRule<'a> {
    /// None, and why.
    None(&'static str),
    /// The ends are where all unjudged documents have the lowest grade and where all have the
    /// highest.
    Extremes(Kind),
    /// The same, for a count of documents of no use.
    Falling,
    /// Additive in how many relevant documents were retrieved and how many were not: the ends are
    /// among the four corners.
    Corners,
    /// A sum over ranks, each term of one document's grade and its rank alone, over a divisor that
    /// the judgements do not change: the ends are as for `Extremes`, and differences of two runs
    /// are sums too.
    Additive,
    /// For a fixed number of relevant documents the score never rises where one of them moves down,
    /// and only "relevant or not" matters.
    Prefix,
    /// The same where every grade is 0 or 1; elsewhere none, and why.
    PrefixIfBinary(&'static str),
    /// The same, for a function of three counts.
    Counts(Counts<'a>),
    /// The same, for a function of the relevant documents down to a rank that depends on how many
    /// there are.
    MovingCutoff(MovingCutoff<'a>),
    /// The same, for a function of the sum of precisions.
    Precisions(Precisions<'a>),
    /// Discounted gain over that of the best order.
    Gains(Gains<'a>),
    /// The sum of precisions over every threshold of relevance, over how many documents reach it.
    Thresholds {
        /// The cutoff.
        k: u32,
    },
    /// For a fixed number of documents of each grade the score never falls where a higher grade
    /// changes places with a lower one above it; it lies between 0 and 1.
    Sorted,
    /// A bound by a ranking of high grades over a collection of low ones, and the reverse.
    Opposed(Opposed<'a>),
    /// What a reader who stops at a goal has.
    Goal(Goal<'a>),
    /// A bound for readers who answer to what they have gained.
    Reading(Reading<'a>),
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

/// A user who stops at a document with a probability of its own, and the score that the mean of 1 /
/// (the rank of the last document) gives.
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

/// A function of how many relevant documents are in the top k, how many were retrieved, and how
/// many there are in all; never falling in the first, nor where one more of the top k is relevant,
/// which adds to the last too.
pub struct Counts<'a> {
    /// The cutoff.
    pub k: u32,
    /// The lowest relevant grade.
    pub rel: f64,
    /// The function: relevant in the top k, retrieved, relevant in all.
    pub value: Box<dyn Fn(u32, u32, u32) -> Score + Send + Sync + 'a>,
    /// Linear in the first.
    pub linear: bool,
}

/// A function of how many relevant documents stand down to a rank, never falling in it, where the
/// rank depends on how many there are in all.
pub struct MovingCutoff<'a> {
    /// The lowest relevant grade.
    pub rel: f64,
    /// The rank, of the number of relevant documents.
    pub depth: Box<dyn Fn(u32) -> u32 + Send + Sync + 'a>,
    /// The function: relevant down to the rank, relevant in all.
    pub value: Box<dyn Fn(u32, u32) -> Score + Send + Sync + 'a>,
}

/// A function of the sum of precisions at the relevant documents of the top k, in which it never
/// falls; of how many these are, and how many there are in all.
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

/// A score, at most 1, that never falls where a grade of the ranking rises and never rises where
/// one of the collection does, where the two may be of different completions. Where every grade is
/// 0 or 1 it is as for `Prefix`.
#[derive(Default)]
pub struct Opposed<'a> {
    /// For each number of relevant open documents, the score also never falls where the m-th
    /// relevant document stands higher, or where those down to it have higher grades, for any m.
    /// Otherwise that of a document that stays at its rank is all that is known.
    pub by_count: bool,
    /// For fixed judgements, the score never falls where a higher grade changes places with a lower
    /// one above it.
    pub ordered: bool,
    /// What takes the place of the score at the low end.
    pub low: Option<OfTopic<'a>>,
    /// The same at the high end.
    pub high: Option<OfTopic<'a>>,
}

/// What a reader has who stops where the worth collected reaches a goal. The worth of every whole
/// grade is a whole number, and so is that of the highest.
pub struct Goal<'a> {
    /// The last rank that is read.
    pub k: u32,
    /// The worth of a grade.
    pub worth: Box<dyn Fn(f64) -> f64 + Send + Sync + 'a>,
    /// Whether so much is enough.
    pub reached: Box<dyn Fn(f64) -> bool + Send + Sync + 'a>,
    /// The score of so much, and of so many documents read: it goes one way in the first.
    pub value: Box<dyn Fn(f64, u32) -> f64 + Send + Sync + 'a>,
}

/// What is told of a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Gain per document read.
    Rate,
    /// Gain in all.
    Total,
    /// Documents read.
    Depth,
}

/// A reader whose probability of going on depends on the rank and on all that was gained.
pub struct Reading<'a> {
    /// The last rank whose gain counts.
    pub last: u32,
    /// The gain of a grade, from 0 to 1.
    pub gain: Box<dyn Fn(f64) -> f64 + Send + Sync + 'a>,
    /// The lowest and the highest probability of going on behind a rank, where the total lies
    /// between two.
    pub on: Box<dyn Fn(u32, [f64; 2]) -> [f64; 2] + Send + Sync + 'a>,
    /// How many documents are read from a rank on, at least and at most, where none has a gain and
    /// the total lies between two.
    pub rest: Box<dyn Fn(u32, [f64; 2]) -> [f64; 2] + Send + Sync + 'a>,
    /// What the score is.
    pub told: Told,
    /// The reader may go on for ever, and then every gain makes it less likely.
    pub endless: bool,
}

/// The reason of the measures that nobody has found an algorithm for.
pub(super) const NO_ALGORITHM: &str = "no algorithm is known that finds its ends";
/// The reason of the measures by facet.
pub(super) const BY_FACET: &str =
    "an unjudged document may belong to any of the subtopics, groups or strata";
/// The reason of the gain measures where the gains are not in order.
pub(super) const NOT_GROWING: &str = "the gains do not grow with the grade";
/// The reason of counts that no judgement changes.
pub(super) const NOT_JUDGED: &str = "it does not depend on the judgements";
/// The reason of what is told of the judgements themselves.
pub(super) const OF_JUDGEMENTS: &str = "it says how much was judged, which no grade changes";
