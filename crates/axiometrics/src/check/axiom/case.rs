//! Cases in words and as witnesses.

use std::cmp::Ordering;

use super::Restrict;
use super::subject::AxiomSubject;
use super::world::{ScoredCase, all, members};
use crate::check::witness::{MeasuredDocument, MeasuredWorld};
use crate::check::{State, Witness};

/// A case as text: alpha and sigma of each document.
pub(super) fn told(subject: &AxiomSubject, case: ScoredCase<'_>) -> String {
    format!("alpha {} sigma {}", alphas(subject, case), sigmas(subject, case))
}

fn alphas(subject: &AxiomSubject, case: ScoredCase<'_>) -> String {
    list(case.alpha.iter().map(|a| subject.alpha_text(*a)))
}

pub(super) fn sigmas(subject: &AxiomSubject, case: ScoredCase<'_>) -> String {
    list(case.sigma.iter().map(|s| subject.sigma_text(*s)))
}

fn list(texts: impl Iterator<Item = String>) -> String {
    format!("({})", texts.collect::<Vec<_>>().join(","))
}

pub(super) fn set_text(subset: u32) -> String {
    format!("{{{}}}", members(subset).map(|i| (i + 1).to_string()).collect::<Vec<_>>().join(","))
}

pub(super) fn number_text(score: Option<f64>) -> String {
    score.map_or_else(|| "undefined".to_string(), crate::check::witness::number)
}

/// How a strict comparison fails.
pub(super) fn failure(order: Ordering) -> &'static str {
    if order == Ordering::Equal { "a tie" } else { "reversed" }
}

/// A witness of these cases, which `axio eval` can replay: rankings without ties are states, other
/// systems have scores.
pub(super) fn witness(subject: &AxiomSubject, cases: &[ScoredCase<'_>], text: String) -> Witness {
    let state = |case: &ScoredCase<'_>| {
        let mut order: Vec<usize> = members(case.subset).collect();
        order.sort_by(|a, b| case.sigma[*a].total_cmp(&case.sigma[*b]));
        let gains: Vec<f64> = order.iter().map(|d| case.alpha[*d]).collect();
        let k = order.iter().filter(|d| case.sigma[**d].is_finite()).count() as u32;
        State { k, gains, score: case.score }
    };
    // Positions that were kept are not those of a ranking on its own.
    let whole = |case: &ScoredCase<'_>| {
        subject.restrict == Restrict::Renumber || case.subset == all(case.alpha.len())
    };
    let apart = |case: &ScoredCase<'_>| {
        let ranks: Vec<f64> =
            members(case.subset).map(|d| case.sigma[d]).filter(|s| s.is_finite()).collect();
        ranks.iter().enumerate().all(|(i, s)| !ranks[..i].contains(s))
    };
    let replayable = subject.ranks() && cases.iter().all(|c| whole(c) && apart(c));
    let states = if replayable { cases.iter().map(state).collect() } else { Vec::new() };
    let told_whole = !replayable && cases.iter().all(whole);
    let worlds = if told_whole {
        cases.iter().map(|case| measured(subject, case)).collect()
    } else {
        Vec::new()
    };
    Witness { states, text, max_grade: subject.top(), worlds }
}

/// A case as documents with what was said of them.
fn measured(subject: &AxiomSubject, case: &ScoredCase<'_>) -> MeasuredWorld {
    let document = |d: usize| MeasuredDocument {
        number: d + 1,
        alpha: (case.alpha[d], subject.alpha_text(case.alpha[d])),
        sigma: (case.sigma[d], subject.sigma_text(case.sigma[d])),
        run_score: subject.run_score(case.sigma, d),
    };
    MeasuredWorld { documents: members(case.subset).map(document).collect(), score: case.score }
}
