//! The instance that both thresholds share: one relevant document on top, against n relevant
//! documents after n irrelevant ones.

use std::cmp::Ordering;

use super::{Ranking, compare};
use crate::check::search::Tally;
use crate::check::{Bounds, Lab, Scope, Witness};
use crate::measure::structure::{Combine, Divisor};

/// All n up to this are tried, then each half as large again ...
pub(super) const ALL: usize = 64;
/// ... up to this.
pub(super) const LARGEST: usize = 2048;

/// What stands around the instance: relevant documents that neither ranking retrieves, and
/// irrelevant ones that both append.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    missed: usize,
    appended: usize,
}

pub(super) fn contexts(scope: Scope) -> Vec<Context> {
    match scope {
        Scope::Printed => vec![Context { missed: 0, appended: 0 }],
        Scope::General => [0, 1, 5]
            .into_iter()
            .flat_map(|missed| [0, 3].map(|appended| Context { missed, appended }))
            .collect(),
    }
}

/// One on top, and n deep: two rankings of one collection, which has n relevant documents and those
/// of the context.
pub(super) fn rankings(n: usize, context: Context) -> (Ranking, Ranking) {
    let Context { missed, appended } = context;
    let retrieved = 2 * n + appended;
    let ranking = |mut relevant: Vec<bool>, rest: bool| {
        relevant.resize(retrieved, false);
        relevant.resize(retrieved + n - 1, rest);
        relevant.resize(retrieved + n - 1 + missed, true);
        Ranking { relevant, retrieved }
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
pub(super) fn outcomes(lab: &Lab, tally: &mut Tally, context: Context) -> Vec<(usize, Ordering)> {
    let longest = lab.landmarks().affordable as usize;
    tried()
        .filter(|n| 3 * n <= longest)
        .filter_map(|n| {
            let (one, deep) = rankings(n, context);
            Some((n, compare(lab, tally, &one, &deep)?))
        })
        .collect()
}

/// From which n on the one on top is surely better, by the metric's structure, and why.
pub(super) fn surely_from(lab: &Lab) -> Option<(usize, String)> {
    let shape = lab.shape().filter(|s| s.divisor != Divisor::Own)?;
    if let Some(k) = lab.metric().args().cutoff() {
        return Some((
            k as usize,
            format!(
                "nothing below rank {k} counts, so from n = {k} on the {k} first ranks alone decide"
            ),
        ));
    }
    match shape.combine {
        Combine::Best if shape.weights.strictly_decreasing() => Some((
            1,
            "only the largest contribution counts, and weights strictly decrease".to_string(),
        )),
        Combine::Sum => {
            let n = (1..=LARGEST).find(|n| {
                shape.weights.tail(*n as u32).is_some_and(|tail| tail < shape.weights.at(1))
            })?;
            Some((
                n,
                format!(
                    "from n = {n} on all weights below rank n together are less than the first"
                ),
            ))
        }
        _ => None,
    }
}

/// The two rankings with what they show.
pub(super) fn witness(
    lab: &Lab,
    n: usize,
    context: Context,
    text: impl FnOnce(&str) -> String,
) -> Witness {
    let (one, deep) = rankings(n, context);
    let (one, deep) = (one.state(lab), deep.state(lab));
    let scores = format!(
        "n = {n}: one on top scores {}, n after n irrelevant {}",
        one.score_text(),
        deep.score_text()
    );
    Witness { text: text(&scores), states: vec![one, deep], max_grade: lab.binary().top() }
}

pub(super) fn bounds(lab: &Lab, tally: &Tally, note: String) -> Bounds {
    Bounds {
        docs: tried().last().map_or(0, |n| 3 * n as u32),
        gains: lab.binary().describe(),
        cases: tally.cases,
        skipped: tally.skipped,
        arithmetic: tally.arithmetic,
        note: Some(note),
    }
}
