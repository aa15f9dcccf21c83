//! What axioms 8 to 10 share: which of two documents affects the metric more (Definition 1).

use std::cmp::Ordering;

use super::case::{failure, number_text, set_text, told, witness};
use super::decision::{Decision, Search};
use super::subject::AxiomSubject;
use super::world::{AxiomTally, ScoredCase, World, all, random_worlds};
use crate::check::Witness;
use crate::check::states::{clearly, decide_anew};
use crate::check::verdict::TOLERANCE;
use crate::measure::Number;

const DOCS: usize = 4;
const TRIALS: u64 = 100;
/// No more sets than this are tried.
const SETS: f64 = 1e7;

/// What was met.
#[derive(Default)]
struct FoundEffect {
    tally: AxiomTally,
    against: Option<Witness>,
    tied: Option<Witness>,
}

/// Of two documents of equal similarity that the premise admits, given their order by the system
/// and by the assessor, the first must affect the metric more, or both equally.
pub(super) fn decide(
    subject: &AxiomSubject,
    seed: u64,
    rule: Option<&'static str>,
    wanted: Ordering,
    premise: impl Fn(Ordering, Ordering) -> bool,
) -> Decision {
    // Each set that leaves the two documents out is tried.
    let docs =
        subject.largest(DOCS).min(subject.largest_within(DOCS, SETS, |judgements, systems, n| {
            let firsts = if subject.ranks() { f64::from(n + 1) } else { systems };
            judgements * firsts * f64::from(n * n) * 2f64.powi(n - 2)
        }));
    let search = Search::new(subject, docs, seed).of_rankings().with_rule(rule);
    let mut found = FoundEffect::default();
    let pairs = |alpha: &[f64], sigma: &[f64]| -> Vec<(usize, usize)> {
        let sims = subject.sims(alpha, sigma);
        let admitted = |d: usize, e: usize| {
            let assessor = alpha[d].partial_cmp(&alpha[e]).unwrap_or(Ordering::Equal);
            d != e
                && (sims[d] == sims[e] || (sims[d] - sims[e]).abs() <= TOLERANCE)
                && premise(subject.better(sigma, d, e), assessor)
        };
        let n = alpha.len();
        (0..n).flat_map(|d| (0..n).map(move |e| (d, e))).filter(|(d, e)| admitted(*d, *e)).collect()
    };
    for n in 2..=docs {
        let world = World::new(subject, n);
        for a in 0..world.alphas.len() {
            for s in 0..world.firsts() {
                for (d, e) in pairs(&world.alphas[a], &world.sigmas[s]) {
                    for set in (0..=all(n)).filter(|set| set & (1 << d | 1 << e) == 0) {
                        let case = |subset| world.case(a, s, subset);
                        if !compare(subject, &mut found, wanted, case, set, (d, e)) {
                            return search.strict(&found.tally, found.against, found.tied);
                        }
                    }
                }
            }
        }
    }
    let tried = random_worlds(subject, docs, TRIALS, seed, |alpha, sigma, _, random| {
        pairs(alpha, sigma).into_iter().all(|(d, e)| {
            let set = random.below(u64::from(all(alpha.len())) + 1) as u32 & !(1 << d | 1 << e);
            compare(subject, &mut found, wanted, |s| subject.case(alpha, sigma, s), set, (d, e))
        })
    });
    found.tally.trials = tried;
    search.strict(&found.tally, found.against, found.tied)
}

/// Adds one document and another to a set. False if that speaks against the axiom.
fn compare<'w>(
    subject: &AxiomSubject,
    found: &mut FoundEffect,
    wanted: Ordering,
    case: impl Fn(u32) -> ScoredCase<'w>,
    set: u32,
    (d, e): (usize, usize),
) -> bool {
    let cases = [set, set | 1 << d, set | 1 << e].map(case);
    let Some(order) = effects(subject, &mut found.tally, cases) else { return true };
    found.tally.premises += 1;
    if order == wanted {
        return true;
    }
    let word = if wanted == Ordering::Equal { "not equal" } else { failure(order) };
    if order == Ordering::Equal {
        found.tally.ties += 1;
        found.tied.get_or_insert_with(|| shown(subject, cases, (d, e), word));
        return true;
    }
    found.against = Some(shown(subject, cases, (d, e), word));
    false
}

/// The order of the changes that adding the one and adding the other make.
fn effects(
    subject: &AxiomSubject,
    tally: &mut AxiomTally,
    cases: [ScoredCase<'_>; 3],
) -> Option<Ordering> {
    let [Some(before), Some(with_d), Some(with_e)] = cases.map(|c| c.score) else {
        tally.skipped += 1;
        return None;
    };
    if let Some(order) = clearly((with_d - before).abs(), (with_e - before).abs()) {
        return Some(order);
    }
    let exact = |case: ScoredCase<'_>| subject.exact(case.alpha, case.sigma, case.subset);
    let change = |with: ScoredCase<'_>| {
        let change = exact(with)? - exact(cases[0])?;
        Some(if change < Number::zero() { -change } else { change })
    };
    let same = with_d == with_e;
    let (order, arithmetic) = decide_anew(same, || (change(cases[1]), change(cases[2])))?;
    tally.arithmetic = tally.arithmetic.max(arithmetic);
    Some(order)
}

fn shown(
    subject: &AxiomSubject,
    cases: [ScoredCase<'_>; 3],
    (d, e): (usize, usize),
    word: &str,
) -> Witness {
    let text = format!(
        "{}: {} scores {}, with document {} {}, with document {} {}: {word}",
        told(subject, cases[0]),
        set_text(cases[0].subset),
        number_text(cases[0].score),
        d + 1,
        number_text(cases[1].score),
        e + 1,
        number_text(cases[2].score)
    );
    witness(subject, &cases, text)
}
