//! The instance that both thresholds share: one relevant document on top, against n relevant
//! documents after n irrelevant ones.

use std::cmp::Ordering;

use super::{BinaryRanking, compare};
use crate::check::proof::many_deep;
use crate::check::search::SearchTally;
use crate::check::{Bounds, Lab, Scope, Witness};
use crate::measure::structure::{Combine, Divisor, Weights};

/// All n up to this are tried, then each half as large again ...
pub(super) const ALL: usize = 64;
/// ... up to this.
pub(super) const LARGEST: usize = 2048;

/// The documents beside those of the instance, the same for both rankings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) struct ThresholdContext {
    /// Relevant documents that were not retrieved.
    pub missed: usize,
    /// Irrelevant documents that were not retrieved.
    pub spare: usize,
    /// Irrelevant documents at the end of both rankings.
    pub appended: usize,
}

impl ThresholdContext {
    /// The instance as printed.
    pub(in crate::check) const NONE: ThresholdContext =
        ThresholdContext { missed: 0, spare: 0, appended: 0 };
}

const MISSED: [usize; 3] = [0, 1, 5];
const APPENDED: [usize; 2] = [0, 3];
const SPARE: usize = 3;

pub(super) fn contexts(scope: Scope) -> Vec<ThresholdContext> {
    const NONE: ThresholdContext = ThresholdContext::NONE;
    if scope == Scope::Printed {
        return vec![NONE];
    }
    let mut all = Vec::new();
    for missed in MISSED {
        all.extend(APPENDED.map(|appended| ThresholdContext { missed, appended, ..NONE }));
    }
    all.push(ThresholdContext { spare: SPARE, ..NONE });
    all
}

/// The cases of both thresholds.
pub(super) fn worlds() -> String {
    let ([none, one, five], [_, appended]) = (MISSED, APPENDED);
    format!(
        "every n up to {ALL}, then each half as large again up to {LARGEST}; in collections with {none}, {one} or {five} relevant documents that were not retrieved, \
         with and without {appended} irrelevant ones at the end of both rankings; also with {SPARE} irrelevant ones that were not retrieved"
    )
}

/// One on top, and n deep: two rankings of one collection, which has n relevant documents and those
/// of the context.
pub(super) fn rankings(n: usize, context: ThresholdContext) -> (BinaryRanking, BinaryRanking) {
    let ThresholdContext { missed, spare, appended } = context;
    let ranking = |mut relevant: Vec<bool>, rest: bool| {
        relevant.resize(2 * n + appended, false);
        let (others, irrelevant) = if rest { (n - 1, 0) } else { (0, n - 1) };
        BinaryRanking::of(relevant).missing(others + missed, irrelevant + spare)
    };
    let mut deep = vec![false; n];
    deep.resize(2 * n, true);
    (ranking(vec![true], true), ranking(deep, false))
}

/// Every n that is tried.
fn tried() -> impl Iterator<Item = usize> {
    (1..=ALL).chain(
        std::iter::successors(Some(ALL * 3 / 2), |n| Some(n * 3 / 2)).take_while(|n| *n <= LARGEST),
    )
}

/// For each n that was tried: whether the one on top is better, equal or worse.
pub(super) fn outcomes(
    lab: &Lab,
    tally: &mut SearchTally,
    context: ThresholdContext,
) -> Vec<(usize, Ordering)> {
    let longest = lab.landmarks().affordable as usize;
    // Each outcome is one of hundreds, of rankings of thousands of documents.
    tally.trusts_floats = true;
    tried()
        .filter(|n| 3 * n <= longest)
        .filter_map(|n| {
            let (one, deep) = rankings(n, context);
            Some((n, compare(lab, tally, &one, &deep)?))
        })
        .collect()
}

/// What the metric's structure says of every n from some n on.
pub(super) struct Sure {
    /// The one on top is better, or it is not.
    pub better: bool,
    /// From where on, if that is known.
    pub from: Option<u64>,
    /// Why.
    pub why: String,
}

impl Sure {
    fn better(from: Option<u64>, why: String) -> Option<Sure> {
        Some(Sure { better: true, from, why })
    }

    fn not(from: u64, why: &str) -> Option<Sure> {
        Some(Sure { better: false, from: Some(from), why: why.to_string() })
    }

    /// True if what was seen speaks against it.
    pub(super) fn contradicts(&self, tried: &[(usize, Ordering)]) -> bool {
        let from = self.from.unwrap_or(u64::MAX);
        tried
            .iter()
            .any(|(n, order)| *n as u64 >= from && (*order == Ordering::Greater) != self.better)
    }
}

/// What the metric's structure says. Both rankings are of one collection and of one length, so they
/// have the same divisor, unless it is that of the ranking's own documents.
pub(super) fn sure(lab: &Lab) -> Option<Sure> {
    of_shape(lab).or_else(|| {
        let (proof, from) = many_deep(lab)?;
        Sure::not(from, &proof.rule)
    })
}

fn of_shape(lab: &Lab) -> Option<Sure> {
    let shape = lab.shape().filter(|s| s.divisor != Divisor::Own)?;
    if let Some(k) = lab.metric().args().cutoff() {
        return Sure::better(
            Some(u64::from(k)),
            format!(
                "nothing below rank {k} counts, so from n = {k} on the {k} first ranks alone decide"
            ),
        );
    }
    match (shape.combine, shape.weights) {
        (Combine::Best, weights) if weights.strictly_decreasing() => Sure::better(
            Some(1),
            "only the largest contribution counts, and weights strictly decrease".to_string(),
        ),
        (Combine::Sum | Combine::Cascade, Weights::Reciprocal) => Sure::better(
            Some(1),
            "n weights of at most 1/(n+1) are less than 1, the first".to_string(),
        ),
        (Combine::Sum, weights) if weights.tail(0).is_some() => {
            let at = match first_below_one(weights) {
                Some(n) => format!("from n = {n} on"),
                None => "from some n on".to_string(),
            };
            Sure::better(
                first_below_one(weights),
                format!(
                    "the weights have a finite sum, so {at} those of ranks n+1 to 2n are together less than the first"
                ),
            )
        }
        (Combine::Sum, Weights::Constant | Weights::LogarithmicFrom(_)) => {
            Sure::not(1, "n documents of ranks n+1 to 2n weigh no less than the first, for every n")
        }
        (Combine::Sum, Weights::Logarithmic) => Sure::not(
            3,
            "each of n documents weighs at least 1/log2(2n+1), and n/log2(2n+1) is above 1 for every n from 3 on",
        ),
        (Combine::Cumulated, Weights::Reciprocal) => Sure::not(
            3,
            "the j-th of n documents adds j/(n+j), no less than j/(2n), which makes (n+1)/4 together: no less than 1 for every n from 3 on",
        ),
        _ => None,
    }
}

/// From which n on the weights of ranks n+1 to 2n are together less than the first, which is 1. All
/// weights below rank n are a bound that falls with n; below the rank at which it passes 1 each n
/// is looked at.
fn first_below_one(weights: Weights) -> Option<u64> {
    const CLEARLY: f64 = 1.0 - 1e-9;
    let below = |n: u32| weights.tail(n).is_some_and(|tail| tail < CLEARLY);
    let mut high = 1u32;
    while !below(high) {
        high = high.checked_mul(2)?;
    }
    let mut low = high / 2;
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if below(middle) { high = middle } else { low = middle }
    }
    let within = |n: u32| Some(weights.tail(n)? - weights.tail(n.checked_mul(2)?)?);
    let mut first = high;
    while first > 1 && within(first - 1).is_some_and(|sum| sum < CLEARLY) {
        first -= 1;
    }
    Some(u64::from(first))
}

/// The two rankings with what they show.
pub(super) fn witness(
    lab: &Lab,
    n: usize,
    context: ThresholdContext,
    text: impl FnOnce(&str) -> String,
) -> Witness {
    let (one, deep) = rankings(n, context);
    let (one, deep) = (one.state(lab), deep.state(lab));
    let scores = format!(
        "n = {n}: one on top scores {}, n after n irrelevant {}",
        one.score_text(),
        deep.score_text()
    );
    Witness {
        text: text(&scores),
        states: vec![one, deep],
        max_grade: lab.binary().top(),
        worlds: Vec::new(),
    }
}

pub(super) fn bounds(lab: &Lab, tally: &SearchTally, note: String) -> Bounds {
    Bounds {
        docs: tried().last().map_or(0, |n| 3 * n as u32),
        gains: lab.binary().describe(),
        cases: tally.cases,
        skipped: tally.skipped,
        arithmetic: tally.arithmetic,
        note: Some(note),
    }
}
