//! What axioms 4 to 7 share: the metric on one document, by two systems or of two documents.

use std::cmp::Ordering;

use super::case::{failure, number_text, told, witness};
use super::decision::{Decision, Search};
use super::subject::AxiomSubject;
use super::world::{AxiomTally, ScoredCase, all, random_worlds};
use super::{EstimateReading, Single};
use crate::check::Witness;
use crate::check::verdict::TOLERANCE;

const DOCS: usize = 4;
const TRIALS: u64 = 100;

/// A system with the similarities of its documents.
#[derive(Clone, Copy)]
pub(super) struct RelatedSystem<'w> {
    pub sigma: &'w [f64],
    pub sims: &'w [f64],
}

/// Why an axiom about the metric on one document cannot be asked.
pub(super) fn refusal(subject: &AxiomSubject) -> Option<&'static str> {
    (subject.settings.single == Single::Contribution && subject.component().is_none())
        .then_some("a measure without components does not say what each document adds")
}

/// Why an axiom about degrees of error cannot be asked.
pub(super) fn refusal_of_degrees(subject: &AxiomSubject) -> Option<&'static str> {
    if subject.settings.reading == EstimateReading::Literal && !subject.one_scale() {
        return Some(
            "the paper's inequalities compare an alpha with another document's sigma, which needs one scale",
        );
    }
    refusal(subject).or_else(|| no_order(subject))
}

/// Why an axiom that speaks of more and less cannot be asked.
pub(super) fn no_order(subject: &AxiomSubject) -> Option<&'static str> {
    (!subject.has_order()).then_some("the categories of a nominal scale have no order")
}

/// Axioms 4 and 5: two systems, one document. What the premise admits must compare as `wanted`.
pub(super) fn two_systems(
    subject: &AxiomSubject,
    seed: u64,
    wanted: Ordering,
    premise: impl Fn(&[f64], RelatedSystem<'_>, RelatedSystem<'_>, usize) -> bool,
) -> Decision {
    search(subject, seed, true, |alpha, first, second, tally| {
        systems(subject, wanted, &premise, alpha, (first, second), tally)
    })
}

/// Axioms 6 and 7: one system, two documents. The metric must be larger on the second.
pub(super) fn two_documents(
    subject: &AxiomSubject,
    seed: u64,
    premise: impl Fn(&[f64], RelatedSystem<'_>, usize, usize) -> bool,
) -> Decision {
    search(subject, seed, false, |alpha, first, _, tally| {
        documents(subject, &premise, alpha, first, tally)
    })
}

/// All systems in small worlds, in pairs if need be, then random ones in larger worlds.
fn search(
    subject: &AxiomSubject,
    seed: u64,
    in_pairs: bool,
    mut visit: impl FnMut(
        &[f64],
        RelatedSystem<'_>,
        RelatedSystem<'_>,
        &mut AxiomTally,
    ) -> Option<Witness>,
) -> Decision {
    let docs = if in_pairs { subject.largest_in_pairs(DOCS) } else { subject.largest(DOCS) };
    let mut tally = AxiomTally::default();
    let search = Search::new(subject, docs, seed);
    for n in 1..=docs {
        let sigmas = subject.sigmas(n);
        for alpha in &subject.alphas(n) {
            let sims: Vec<Vec<f64>> = sigmas.iter().map(|s| subject.sims(alpha, s)).collect();
            let system = |i: usize| RelatedSystem { sigma: &sigmas[i], sims: &sims[i] };
            for s in 0..subject.firsts(&sigmas) {
                for t in 0..if in_pairs { sigmas.len() } else { 1 } {
                    if let Some(found) = visit(alpha, system(s), system(t), &mut tally) {
                        return search.decision(&tally, Some(found));
                    }
                }
            }
        }
    }
    let mut against = None;
    let tried = random_worlds(subject, docs, TRIALS, seed, |alpha, first, second, _| {
        let (x, y) = (subject.sims(alpha, first), subject.sims(alpha, second));
        let (x, y) =
            (RelatedSystem { sigma: first, sims: &x }, RelatedSystem { sigma: second, sims: &y });
        against = visit(alpha, x, y, &mut tally);
        against.is_none()
    });
    tally.trials = tried;
    search.decision(&tally, against)
}

fn systems(
    subject: &AxiomSubject,
    wanted: Ordering,
    premise: &impl Fn(&[f64], RelatedSystem<'_>, RelatedSystem<'_>, usize) -> bool,
    alpha: &[f64],
    (first, second): (RelatedSystem<'_>, RelatedSystem<'_>),
    tally: &mut AxiomTally,
) -> Option<Witness> {
    let n = alpha.len();
    for d in 0..n {
        // With everything in view, nothing but the document may change.
        let paribus = subject.settings.single != Single::CeterisParibus
            || only_moves(subject, first.sigma, second.sigma, d);
        if !paribus || !premise(alpha, first, second, d) {
            continue;
        }
        let subset = if subject.settings.single == Single::Singleton { 1 << d } else { all(n) };
        let case = |sigma| ScoredCase {
            alpha,
            sigma,
            subset,
            score: subject.on_document(alpha, sigma, d),
        };
        let (a, b) = (case(first.sigma), case(second.sigma));
        let Some(order) = ordered(subject, tally, a, b) else { continue };
        tally.premises += 1;
        if order != wanted {
            let word = if wanted == Ordering::Equal { "not equal" } else { failure(order) };
            let text = format!(
                "document {}: {} has {}, {} has {}: {word}",
                d + 1,
                told(subject, a),
                number_text(a.score),
                told(subject, b),
                number_text(b.score)
            );
            return Some(witness(subject, &[a, b], text));
        }
    }
    None
}

fn documents(
    subject: &AxiomSubject,
    premise: &impl Fn(&[f64], RelatedSystem<'_>, usize, usize) -> bool,
    alpha: &[f64],
    system: RelatedSystem<'_>,
    tally: &mut AxiomTally,
) -> Option<Witness> {
    let (n, sigma) = (alpha.len(), system.sigma);
    for d in 0..n {
        for e in 0..n {
            if !premise(alpha, system, d, e) {
                continue;
            }
            let case = |d: usize| {
                let alone = subject.settings.single == Single::Singleton;
                let subset = if alone { 1 << d } else { all(n) };
                ScoredCase { alpha, sigma, subset, score: subject.on_document(alpha, sigma, d) }
            };
            let (a, b) = (case(e), case(d));
            let Some(order) = ordered(subject, tally, a, b) else { continue };
            tally.premises += 1;
            if order != Ordering::Greater {
                let text = format!(
                    "{}: document {} has {}, document {} has {}: {}",
                    told(subject, a),
                    e + 1,
                    number_text(a.score),
                    d + 1,
                    number_text(b.score),
                    failure(order)
                );
                return Some(witness(subject, &[a, b], text));
            }
        }
    }
    None
}

fn ordered(
    subject: &AxiomSubject,
    tally: &mut AxiomTally,
    a: ScoredCase<'_>,
    b: ScoredCase<'_>,
) -> Option<Ordering> {
    if subject.settings.single != Single::Contribution {
        return subject.compare(tally, a, b);
    }
    // A summand is no score of a set: it is compared as it is.
    match (a.score, b.score) {
        (Some(x), Some(y)) if (x - y).abs() <= TOLERANCE => Some(Ordering::Equal),
        (Some(x), Some(y)) => x.partial_cmp(&y),
        _ => {
            tally.skipped += 1;
            None
        }
    }
}

/// Whether two documents are both wrong in one direction: by the order of their values, or by the
/// paper's inequalities.
pub(super) fn both_wrong(
    subject: &AxiomSubject,
    alpha: &[f64],
    sigma: &[f64],
    (d, e): (usize, usize),
    direction: Ordering,
) -> bool {
    match subject.settings.reading {
        EstimateReading::Order => {
            [d, e].iter().all(|i| subject.direction(alpha, sigma, *i) == direction)
        }
        EstimateReading::Literal => {
            let between = pair(subject, alpha[d], alpha[e]);
            let first = pair(subject, alpha[e], sigma[d]) - between;
            let second = pair(subject, alpha[d], sigma[e]) - between;
            if direction == Ordering::Greater {
                first < -TOLERANCE && second > TOLERANCE
            } else {
                first > TOLERANCE && second < -TOLERANCE
            }
        }
    }
}

/// Of two documents the first is more relevant, and the system more wrong about it.
pub(super) fn more_wrong(alpha: &[f64], system: RelatedSystem<'_>, d: usize, e: usize) -> bool {
    alpha[d] > alpha[e] && system.sims[d] + TOLERANCE < system.sims[e]
}

/// The similarity of two values of one scale.
pub(super) fn pair(subject: &AxiomSubject, alpha: f64, sigma: f64) -> f64 {
    subject.sims(&[alpha], &[sigma])[0]
}

/// Whether two systems agree on all documents but d: on a ranking, on their order.
fn only_moves(subject: &AxiomSubject, sigma: &[f64], other: &[f64], d: usize) -> bool {
    let rest = || (0..sigma.len()).filter(move |i| *i != d);
    if !subject.ranks() {
        return rest().all(|i| sigma[i] == other[i]);
    }
    rest().all(|i| rest().all(|j| (sigma[i] < sigma[j]) == (other[i] < other[j])))
        && rest().all(|i| sigma[i].is_finite() == other[i].is_finite())
}
