//! Axiom 11: from 0 for the worst to 1 for the ideal.

use std::cmp::Ordering;

use super::Axiom;
use super::case::{number_text, told, witness};
use super::decision::{AxiomParts, Decision, Search};
use super::subject::AxiomSubject;
use super::world::{ScoredCase, all, random_worlds};
use crate::check::Witness;
use crate::check::verdict::TOLERANCE;

pub(super) struct ZeroAndMaximum;

const DOCS: usize = 4;
const TRIALS: u64 = 100;
const LIMITS: usize = 0;
const IDEAL: usize = 1;
const WORST: usize = 2;

impl Axiom for ZeroAndMaximum {
    fn number(&self) -> usize {
        11
    }
    fn title(&self) -> &'static str {
        "Zero and maximum"
    }
    fn statement(&self) -> &'static str {
        "(a) range(metric) = [0,1]; (b) metric(alpha,alpha) = 1, for every ideal sigma; (c) metric(alpha,worst) = 0, for the theoretically worst sigma"
    }
    fn meaning(&self) -> &'static str {
        "values are from 0 to 1, every ideal system has 1, and for each judgement the worst system has 0"
    }
    fn by_rankings(&self) -> bool {
        true
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        let docs = subject.largest(DOCS);
        let mut parts = AxiomParts::new();
        for n in 1..=docs {
            let sigmas = subject.sigmas(n);
            for alpha in &subject.alphas(n) {
                judgement(subject, &mut parts, alpha, &sigmas);
            }
        }
        // The worst of all systems is not found among a few, so part c ends here.
        let tried = random_worlds(subject, docs, TRIALS, seed, |alpha, sigma, _, _| {
            score(subject, &mut parts, subject.case(alpha, sigma, all(alpha.len())));
            let ideal = ideal(subject, alpha);
            if let Some(sigma) = &ideal {
                score(subject, &mut parts, subject.case(alpha, sigma, all(alpha.len())));
            }
            true
        });
        parts.tally.trials = tried;
        parts.decided(&Search::new(subject, docs, seed).of_rankings())
    }
}

/// All systems under one judgement.
fn judgement(subject: &AxiomSubject, parts: &mut AxiomParts, alpha: &[f64], sigmas: &[Vec<f64>]) {
    let mut lowest: Option<(ScoredCase<'_>, f64)> = None;
    for sigma in sigmas {
        let case = subject.case(alpha, sigma, all(alpha.len()));
        if let Some(score) = score(subject, parts, case)
            && lowest.is_none_or(|(_, low)| score < low)
        {
            lowest = Some((case, score));
        }
    }
    let Some((worst, score)) = lowest else { return };
    let zero = score.abs() <= TOLERANCE;
    let shown = || shown(subject, worst, "no system does worse than ", "with");
    parts.count(WORST, (!zero).then_some(shown));
}

/// The limits, and the ideal, on one system.
fn score(subject: &AxiomSubject, parts: &mut AxiomParts, case: ScoredCase<'_>) -> Option<f64> {
    let Some(score) = case.score else {
        parts.tally.skipped += 1;
        return None;
    };
    let inside = (-TOLERANCE..=1.0 + TOLERANCE).contains(&score);
    parts.count(LIMITS, (!inside).then_some(|| shown(subject, case, "", "scores")));
    if is_ideal(subject, case.alpha, case.sigma) {
        let one = (score - 1.0).abs() <= TOLERANCE;
        parts.count(IDEAL, (!one).then_some(|| shown(subject, case, "the ideal ", "scores")));
    }
    Some(score)
}

fn shown(subject: &AxiomSubject, case: ScoredCase<'_>, text: &str, rest: &str) -> Witness {
    let text = format!("{text}{} {rest} {}", told(subject, case), number_text(case.score));
    witness(subject, &[case], text)
}

/// The system says what the assessor says: no document that is more relevant comes later, and none
/// but the least relevant ones are left out; or the same values.
fn is_ideal(subject: &AxiomSubject, alpha: &[f64], sigma: &[f64]) -> bool {
    if !subject.ranks() {
        return subject.one_scale() && alpha == sigma;
    }
    (0..alpha.len()).all(|i| {
        (sigma[i].is_finite() || alpha[i] <= subject.bottom())
            && (0..alpha.len())
                .all(|j| alpha[i] <= alpha[j] || subject.better(sigma, i, j) == Ordering::Greater)
    })
}

/// A system that says what the assessor says.
fn ideal(subject: &AxiomSubject, alpha: &[f64]) -> Option<Vec<f64>> {
    if !subject.ranks() {
        return subject.one_scale().then(|| alpha.to_vec());
    }
    let mut order: Vec<usize> = (0..alpha.len()).collect();
    order.sort_by(|a, b| alpha[*b].total_cmp(&alpha[*a]));
    let mut sigma = vec![0.0; alpha.len()];
    for (rank, d) in (1..).zip(order) {
        sigma[d] = f64::from(rank);
    }
    Some(sigma)
}
