//! Axiom 11: from 0 for the worst to 1 for the ideal.

use std::cmp::Ordering;

use super::bench::{Case, Subject, all};
use super::decision::Parts;
use super::{Decision, number_text, told, witness};
use crate::check::Witness;
use crate::check::verdict::TOLERANCE;

const DOCS: usize = 4;
const LIMITS: usize = 0;
const IDEAL: usize = 1;
const WORST: usize = 2;

pub(super) fn decide(subject: &Subject<'_>) -> Decision {
    let docs = subject.largest(DOCS);
    let mut parts = Parts::new();
    let mut partial_mends = true;
    for n in 1..=docs {
        let sigmas = subject.sigmas(n);
        for alpha in &subject.alphas(n) {
            partial_mends &= judgement(subject, &mut parts, alpha, &sigmas);
        }
    }
    if partial_mends {
        parts.remark(WORST, "; that is on full rankings, it holds where documents may be left out");
    }
    parts.decided(|tally| Decision::concluded(subject, tally, docs, None).verdict)
}

/// All systems under one judgement. False where leaving documents out does not bring the worst one
/// to 0.
fn judgement(subject: &Subject<'_>, parts: &mut Parts, alpha: &[f64], sigmas: &[Vec<f64>]) -> bool {
    let n = alpha.len();
    let shown = |case: Case<'_>, text: &str, rest: &str| -> Witness {
        witness(
            subject,
            &[case],
            format!("{text}{} {rest} {}", told(subject, case), number_text(case.score)),
        )
    };
    let mut lowest: Option<(Case<'_>, f64)> = None;
    for sigma in sigmas {
        let case =
            Case { alpha, sigma, subset: all(n), score: subject.score(alpha, sigma, all(n)) };
        let Some(score) = case.score else {
            parts.tally.skipped += 1;
            continue;
        };
        let inside = (-TOLERANCE..=1.0 + TOLERANCE).contains(&score);
        parts.count(LIMITS, (!inside).then_some(|| shown(case, "", "scores")));
        if is_ideal(subject, alpha, sigma) {
            let one = (score - 1.0).abs() <= TOLERANCE;
            parts.count(IDEAL, (!one).then_some(|| shown(case, "the ideal ", "scores")));
        }
        if lowest.is_none_or(|(_, low)| score < low) {
            lowest = Some((case, score));
        }
    }
    let Some((worst, score)) = lowest else { return true };
    let zero = score.abs() <= TOLERANCE;
    parts.count(WORST, (!zero).then_some(|| shown(worst, "no system does worse than ", "with")));
    let nothing = vec![f64::INFINITY; n];
    zero || (subject.ranks()
        && subject.score(alpha, &nothing, all(n)).is_some_and(|x| x.abs() <= TOLERANCE))
}

/// The system says what the assessor says: no document that is more relevant comes later, or the
/// same values.
fn is_ideal(subject: &Subject<'_>, alpha: &[f64], sigma: &[f64]) -> bool {
    if !subject.ranks() {
        return subject.one_scale() && alpha == sigma;
    }
    (0..alpha.len()).all(|i| {
        (0..alpha.len())
            .all(|j| alpha[i] <= alpha[j] || subject.better(sigma, i, j) == Ordering::Greater)
    })
}
