//! The formal constraints of Amigo, Gonzalo and Verdejo (2013) for rankings, one file each.
//!
//! Constraints are about relevant and irrelevant documents, and about the metric as typed, cutoff and
//! all. The printed instance has only the documents that it names; the general one has any others
//! too: the search tries all rankings of all collections of up to [`CONTEXT`] documents, retrieved
//! or not, then random larger ones. Each check describes its cases in [`Check::worlds`].

mod closeness_threshold;
mod confidence;
mod deepness;
mod deepness_threshold;
mod priority;
#[cfg(test)]
mod tests;
mod threshold;

use std::cmp::Ordering;

use super::search::SearchTally;
use super::shape::SplitMix;
use super::states::decide;
use super::witness::apart;
use super::{Bounds, Check, Lab, Scope, State, Verdict, Witness};
use crate::measure::Exact;
use crate::measure::Number;
use crate::measure::structure::Shape;
pub(super) use threshold::ThresholdContext;

/// In the order of the paper, printed before general.
pub(super) const CHECKS: &[&dyn Check] = &[
    &priority::Priority(Scope::Printed),
    &priority::Priority(Scope::General),
    &deepness::Deepness(Scope::Printed),
    &deepness::Deepness(Scope::General),
    &deepness_threshold::DeepnessThreshold(Scope::Printed),
    &deepness_threshold::DeepnessThreshold(Scope::General),
    &closeness_threshold::ClosenessThreshold(Scope::Printed),
    &closeness_threshold::ClosenessThreshold(Scope::General),
    &confidence::Confidence(Scope::Printed),
    &confidence::Confidence(Scope::General),
];

/// All rankings of collections of up to this many documents are searched. Two pairs of
/// neighbours speak against AP's deepness at eight, and not before.
const CONTEXT: usize = 9;
/// Then this many random ones, of up to as many documents more.
const TRIALS: u64 = 2000;
const LARGER: u64 = 16;
/// In a random case up to this many documents of each kind were not retrieved.
const MISSED: u64 = 3;
/// The printed instances are tried at all sizes up to this, and just below the cutoff.
const SIZES: usize = 13;
/// Random contexts reach below a cutoff up to this.
const SHALLOW: u32 = 64;
/// Rankings longer than this are not built to look below a cutoff.
const DEEPEST: u32 = 100_000;
/// Printed instances are tried at these sizes too: a metric may change its ways far below.
const FAR: [u32; 4] = [35, 103, 323, 1003];

/// A ranking of relevant and irrelevant documents; of the collection the first `retrieved` were
/// retrieved.
#[derive(Debug, Clone, PartialEq)]
struct BinaryRanking {
    relevant: Vec<bool>,
    retrieved: usize,
}

impl BinaryRanking {
    /// The whole collection, ranked.
    fn of(relevant: Vec<bool>) -> BinaryRanking {
        BinaryRanking { retrieved: relevant.len(), relevant }
    }

    /// One relevant document at this position, counted from 0, among n.
    fn single(n: usize, position: usize) -> BinaryRanking {
        BinaryRanking::of((0..n).map(|i| i == position).collect())
    }

    /// The ranking whose documents are the bits of a number, the top rank first.
    fn from_code(n: usize, code: usize) -> BinaryRanking {
        BinaryRanking::of((0..n).map(|i| code >> (n - 1 - i) & 1 == 1).collect())
    }

    /// The same ranking in a collection with more documents, which were not retrieved.
    fn missing(mut self, relevant: usize, irrelevant: usize) -> BinaryRanking {
        self.relevant.resize(self.relevant.len() + relevant, true);
        self.relevant.resize(self.relevant.len() + irrelevant, false);
        self
    }

    /// The documents that were retrieved, from the top.
    fn ranked(&self) -> &[bool] {
        &self.relevant[..self.retrieved]
    }

    /// The same with two neighbours in the other order.
    fn swapped(&self, i: usize) -> BinaryRanking {
        let mut other = self.clone();
        other.relevant.swap(i, i + 1);
        other
    }

    fn gains(&self, lab: &Lab) -> Vec<f64> {
        self.relevant.iter().map(|r| if *r { lab.binary().top() } else { 0.0 }).collect()
    }

    fn state(&self, lab: &Lab) -> State {
        let (gains, k) = (self.gains(lab), self.retrieved as u32);
        let score = lab.probe().typed_score(&gains, k, lab.binary().top());
        State { gains, k, score }
    }

    fn exact(&self, lab: &Lab) -> Option<Exact> {
        lab.probe().typed_exact(&self.gains(lab), self.retrieved as u32, lab.binary().top())
    }
}

/// The order of two scores, exact if they are near; `None`, and one more skipped, if one is
/// undefined.
fn compare(
    lab: &Lab,
    tally: &mut SearchTally,
    a: &BinaryRanking,
    b: &BinaryRanking,
) -> Option<Ordering> {
    differences(lab, tally, (a, None), (b, None))
}

/// The order of two scores, or of two differences of scores. What speaks against a constraint is
/// decided without rounding.
fn differences(
    lab: &Lab,
    tally: &mut SearchTally,
    a: (&BinaryRanking, Option<&BinaryRanking>),
    b: (&BinaryRanking, Option<&BinaryRanking>),
) -> Option<Ordering> {
    let float = |(x, y): (&BinaryRanking, Option<&BinaryRanking>)| {
        Some(x.state(lab).score? - y.map_or(Some(0.0), |y| y.state(lab).score)?)
    };
    let exact = |(x, y): (&BinaryRanking, Option<&BinaryRanking>)| {
        Some(x.exact(lab)? - y.map_or(Some(Exact::zero()), |y| y.exact(lab))?)
    };
    let (Some(x), Some(y)) = (float(a), float(b)) else {
        tally.skipped += 1;
        return None;
    };
    tally.cases += 1;
    let length = a.0.retrieved.max(b.0.retrieved);
    match tally.clearly(x, y) {
        Some(order) if order == Ordering::Greater || tally.trusts_floats => return Some(order),
        Some(order) => return tally.confirm(order, length, || (exact(a), exact(b))),
        None => {}
    }
    let order = tally.note(decide(&exact(a)?, &exact(b)?));
    if tally.last == super::Arithmetic::Exact {
        return Some(order);
    }
    tally.settle(length, || (exact(a), exact(b)))
}

/// The sizes at which a printed instance is tried.
fn sizes(lab: &Lab) -> Vec<usize> {
    let landmarks = lab.landmarks();
    let below = lab.metric().args().cutoff().filter(|k| *k <= DEEPEST);
    let far = landmarks.sizes.iter().copied().chain(FAR).filter(|n| *n <= landmarks.reach);
    let mut larger: Vec<usize> = below.into_iter().chain(far).map(|n| n as usize + 3).collect();
    larger.retain(|n| *n > SIZES);
    larger.sort_unstable();
    larger.dedup();
    (2..=SIZES).chain(larger).collect()
}

/// The cutoff of the metric, if it lies below all rankings that are tried.
fn out_of_reach(lab: &Lab) -> Option<u32> {
    lab.metric().args().cutoff().filter(|k| *k > DEEPEST)
}

/// The positions at which a printed instance of n documents begins: all, or in a long one those
/// about the cutoff, which is where it fails.
fn positions(n: usize, length: usize) -> std::ops::Range<usize> {
    let first = if n > SIZES { n.saturating_sub(length + 3) } else { 0 };
    first..(n + 1).saturating_sub(length)
}

/// All rankings of all collections of at most `most` documents: small collections first, and of one
/// size those in which more was retrieved. A metric that reads relevant documents only does not see
/// an irrelevant one that was not retrieved.
fn worlds(most: usize, judged: bool) -> impl Iterator<Item = BinaryRanking> {
    (1..=most).flat_map(move |docs| {
        (1..=docs).rev().flat_map(move |retrieved| {
            let missed = docs - retrieved;
            let spare = if judged { 0..=missed } else { 0..=0 };
            spare.flat_map(move |spare| {
                (0..1usize << retrieved).map(move |code| {
                    BinaryRanking::from_code(retrieved, code).missing(missed - spare, spare)
                })
            })
        })
    })
}

/// How many documents the collections have of which all rankings are tried.
fn context(lab: &Lab) -> usize {
    CONTEXT.min(lab.landmarks().context())
}

/// The cases of a constraint that is searched in any context.
fn general_worlds() -> String {
    format!(
        "all rankings of all collections of up to {CONTEXT} documents, each retrieved or not and relevant or not; then {TRIALS} random rankings of up to {} \
         documents (more with a cutoff), with up to {MISSED} relevant and {MISSED} irrelevant ones that were not retrieved",
        CONTEXT as u64 + LARGER
    )
}

/// The verified shape of a metric without cutoff: with one, nothing below it counts, and rules for
/// all ranks do not apply.
fn endless_shape(lab: &Lab) -> Option<Shape> {
    lab.shape().filter(|_| lab.metric().args().cutoff().is_none())
}

/// Looks through the printed instances, and for the general scope through contexts; `against`
/// looks for a case in one ranking of one collection.
fn search(
    lab: &Lab,
    scope: Scope,
    rule: Option<&str>,
    printed: impl Fn(&mut SearchTally) -> Option<Witness>,
    against: impl Fn(&mut SearchTally, &BinaryRanking) -> Option<Witness>,
    deep: impl Fn(&mut SearchTally) -> Option<Witness>,
) -> Verdict {
    let mut tally = SearchTally::default();
    let mut trials = 0;
    let (longest, context) = (lab.landmarks().context(), context(lab));
    let judged = lab.probe().judged();
    let mut case = || {
        // Small contexts come before large printed instances, so that the witness is small.
        if scope == Scope::General {
            let mut worlds = worlds(context, judged);
            if let Some(witness) = worlds.find_map(|ranking| against(&mut tally, &ranking)) {
                return Some(witness);
            }
        }
        if let Some(witness) = printed(&mut tally) {
            return Some(witness);
        }
        if scope == Scope::Printed {
            return None;
        }
        if let Some(witness) = deep(&mut tally) {
            return Some(witness);
        }
        let mut random = SplitMix::new(lab.seed());
        let deeper = lab.metric().args().cutoff().filter(|k| *k <= SHALLOW).unwrap_or(0);
        // If none is larger, all were tried.
        let larger = if longest > context { TRIALS } else { 0 };
        for _ in 0..larger {
            let n = context + random.below(LARGER + u64::from(deeper)) as usize + 1;
            let n = n.min(longest);
            let share = random.below(9) + 1;
            let ranking = BinaryRanking::of((0..n).map(|_| random.below(10) < share).collect());
            let mut missed = || random.below(MISSED + 1) as usize;
            let ranking = ranking.missing(missed(), if judged { missed() } else { 0 });
            trials += 1;
            match against(&mut tally, &ranking) {
                // In a long ranking a true difference can be smaller than the tolerance: such a tie
                // decides nothing.
                Some(_) if tally.last == super::Arithmetic::Tolerance => tally.skipped += 1,
                Some(witness) => return Some(witness),
                None => {}
            }
        }
        None
    };
    let case = case();
    let docs = if scope == Scope::General { CONTEXT.max(SIZES) } else { SIZES } as u32;
    let bounds = Bounds {
        docs,
        gains: lab.binary().describe(),
        cases: tally.cases,
        skipped: tally.skipped,
        arithmetic: tally.arithmetic,
        note: tally.doubts().or_else(|| {
            let cheap = context == CONTEXT || scope == Scope::Printed;
            (!cheap)
                .then(|| format!("of up to {context} in all orders, since its scores are costly"))
        }),
    };
    if let (Some(k), None, None) = (out_of_reach(lab), rule, &case) {
        let note = format!("nothing was tried below its cutoff, rank {k}");
        return Verdict::Undecided(Bounds { note: Some(note), ..bounds });
    }
    lab.settle(rule, case, &tally, || match scope {
        _ if tally.undecided > 0 => Verdict::Undecided(bounds),
        _ if tally.cases == 0 => Verdict::Vacuous(bounds),
        Scope::General => Verdict::Sampled { bounds, trials, seed: lab.seed() },
        Scope::Printed => Verdict::Searched(bounds),
    })
}

/// Two rankings whose scores are not in the order that a constraint asks for.
fn not_better(
    lab: &Lab,
    tally: &SearchTally,
    wanted: &BinaryRanking,
    other: &BinaryRanking,
) -> Witness {
    let (a, b) = (wanted.state(lab), other.state(lab));
    let scores = apart([&a, &b]);
    let text = format!(
        "{} scores {}, no more than {} with {}{}",
        a.ranking(),
        scores[0],
        b.ranking(),
        scores[1],
        tally.proviso()
    );
    Witness { states: vec![a, b], text, max_grade: lab.binary().top(), worlds: Vec::new() }
}
