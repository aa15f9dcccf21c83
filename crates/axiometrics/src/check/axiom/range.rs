//! Axiom 11: from 0 for the worst to 1 for the ideal.

use std::cmp::Ordering;

use super::bench::{Case, Subject, Tally, all};
use super::{concluded, number_text, told, witness};
use crate::check::Verdict;
use crate::check::verdict::TOLERANCE;

const DOCS: usize = 4;

pub(super) fn decide(subject: &Subject<'_>) -> Verdict {
    let docs = if subject.alphas(1).len() < 3 { DOCS } else { 3 };
    let mut tally = Tally::default();
    let (mut outside, mut short, mut best): (Option<(Case<'_>, String)>, _, _) =
        (None, None::<(Case<'_>, String)>, None::<(Case<'_>, String)>);
    let worlds: Vec<(Vec<f64>, Vec<Vec<f64>>)> =
        (1..=docs).flat_map(|n| subject.alphas(n).into_iter().map(move |a| (a, n))).map(|(a, n)| (a, subject.sigmas(n))).collect();
    let mut partial_mends = true;
    for (alpha, sigmas) in &worlds {
        let n = alpha.len();
        let cases: Vec<Case<'_>> =
            sigmas.iter().map(|sigma| Case { alpha, sigma, subset: all(n), score: subject.score(alpha, sigma, all(n)) }).collect();
        let mut lowest: Option<Case<'_>> = None;
        for case in cases {
            let Some(score) = case.score else {
                tally.skipped += 1;
                continue;
            };
            tally.premises += 1;
            if !(-TOLERANCE..=1.0 + TOLERANCE).contains(&score) {
                outside.get_or_insert_with(|| (case, format!("a: {} scores {}", told(subject, case), number_text(case.score))));
            }
            if is_ideal(subject, alpha, case.sigma) && (score - 1.0).abs() > TOLERANCE {
                short.get_or_insert_with(|| (case, format!("b: the ideal {} scores {}", told(subject, case), number_text(case.score))));
            }
            if lowest.and_then(|l| l.score).is_none_or(|l| score < l) {
                lowest = Some(case);
            }
        }
        if let Some(worst) = lowest.filter(|l| l.score.is_some_and(|x| x.abs() > TOLERANCE)) {
            best.get_or_insert_with(|| {
                (worst, format!("c: no system does worse than {} with {}", told(subject, worst), number_text(worst.score)))
            });
            let nothing = vec![f64::INFINITY; n];
            partial_mends &= subject.ranks() && subject.score(alpha, &nothing, all(n)).is_some_and(|x| x.abs() <= TOLERANCE);
        }
    }
    if let Some((_, text)) = best.as_mut().filter(|_| partial_mends) {
        text.push_str(" (on full rankings; it holds where documents may be left out)");
    }
    let found: Vec<(Case<'_>, String)> = [outside, short, best].into_iter().flatten().collect();
    if found.is_empty() {
        return concluded(subject, &tally, docs, None);
    }
    let cases: Vec<Case<'_>> = found.iter().map(|(case, _)| *case).collect();
    let texts: Vec<String> = found.into_iter().map(|(_, text)| text).collect();
    Verdict::violated(witness(subject, &cases, texts.join("; ")))
}

/// The system says what the assessor says: no document that is more relevant comes later, or the same values.
fn is_ideal(subject: &Subject<'_>, alpha: &[f64], sigma: &[f64]) -> bool {
    if !subject.ranks() {
        return subject.one_scale() && alpha == sigma;
    }
    (0..alpha.len()).all(|i| (0..alpha.len()).all(|j| alpha[i] <= alpha[j] || subject.better(sigma, i, j) == Ordering::Greater))
}
