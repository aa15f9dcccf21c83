//! One document of a subtopic on top, against n after n that serve nothing.
//!
//! As for rankings, but with smaller n: the ideal ranking of a measure of diversity is built step by
//! step, which takes too long for thousands of documents.

use std::cmp::Ordering;

use super::ranking::{A, SubtopicRanking, compare};
use super::{DiversityConstraint, witness};
use crate::check::search::SearchTally;
use crate::check::{Bounds, Verdict};
use crate::measure::Metric;

/// Every n up to this is tried.
const MOST: usize = 64;

/// Documents of the subtopic that neither ranking retrieves, and useless ones that both append.
const CONTEXTS: [(usize, usize); 4] = [(0, 0), (1, 0), (0, 3), (1, 3)];

fn worlds() -> String {
    let contexts = CONTEXTS.map(|(missed, appended)| format!("{missed} and {appended}"));
    format!(
        "every n up to {MOST}, with so many documents of the subtopic that were not retrieved and so many useless ones at the end of both rankings: {}",
        contexts.join(", ")
    )
}

/// The two rankings of one collection: one on top, and n deep.
fn rankings(n: usize, (missed, appended): (usize, usize)) -> [SubtopicRanking; 2] {
    // The collection: n documents of the subtopic, those that are missed, and useless ones.
    let mut collection = vec![A; n + missed];
    collection.resize(collection.len() + 2 * n - 1 + appended, 0);
    let useless = n + missed;
    let top = std::iter::once(0).chain(useless..useless + 2 * n - 1 + appended).collect();
    let deep = (useless..useless + n).chain(0..n).chain(useless + n..useless + n + appended);
    let ranking =
        |ranked| SubtopicRanking { collection: collection.clone(), ranked, weights: Vec::new() };
    [ranking(top), ranking(deep.collect())]
}

/// For each n, whether the one on top is better, equal or worse.
fn outcomes(
    metric: &Metric,
    tally: &mut SearchTally,
    context: (usize, usize),
) -> Vec<(usize, Ordering)> {
    let outcome = |n: usize| {
        let [top, deep] = rankings(n, context);
        Some((n, compare(metric, tally, &top, &deep)?))
    };
    (1..=MOST).filter_map(outcome).collect()
}

fn told(metric: &Metric, n: usize, context: (usize, usize)) -> String {
    let score = |r: &SubtopicRanking| {
        r.score(metric).map_or_else(|| "undefined".to_string(), crate::check::witness::number)
    };
    let [top, deep] = rankings(n, context);
    format!("n = {n}: one on top scores {}, n after n useless {}", score(&top), score(&deep))
}

fn bounds(tally: &SearchTally, note: String) -> Bounds {
    Bounds {
        docs: 3 * MOST as u32,
        cases: tally.cases,
        skipped: tally.skipped,
        arithmetic: tally.arithmetic,
        note: Some(format!("with one subtopic; {note}")),
        ..Bounds::default()
    }
}

pub(super) struct SubtopicDeepness;

impl DiversityConstraint for SubtopicDeepness {
    fn name(&self) -> &'static str {
        "deepness-threshold"
    }
    fn statement(&self) -> &'static str {
        "with one subtopic: from some n on, one document of it on top is better than n after n useless ones"
    }
    fn worlds(&self) -> String {
        worlds()
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        let mut tally = SearchTally::default();
        let mut from = 1;
        for context in CONTEXTS {
            let tried = outcomes(metric, &mut tally, context);
            let failing = tried.iter().rev().find(|t| t.1 != Ordering::Greater).map(|t| t.0);
            if failing == Some(MOST) {
                let run = tried.iter().rev().take_while(|t| t.1 != Ordering::Greater);
                let first = run.last().map_or(MOST, |t| t.0);
                let shown = told(metric, first, context);
                let text = format!("{shown}; so for every n from {first} to {MOST}");
                return Verdict::violated(witness(text));
            }
            from = from.max(failing.map_or(1, |n| n + 1));
        }
        let note = format!("better for every n from {from} to {MOST}");
        let bounds = bounds(&tally, note);
        if tally.cases == 0 { Verdict::Vacuous(bounds) } else { Verdict::Searched(bounds) }
    }
}

pub(super) struct SubtopicCloseness;

impl DiversityConstraint for SubtopicCloseness {
    fn name(&self) -> &'static str {
        "closeness-threshold"
    }
    fn statement(&self) -> &'static str {
        "with one subtopic: for some n, n documents of it after n useless ones are better than one on top"
    }
    fn worlds(&self) -> String {
        worlds()
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        let mut tally = SearchTally::default();
        let mut first = None;
        for context in CONTEXTS {
            let tried = outcomes(metric, &mut tally, context);
            match tried.iter().find(|t| t.1 == Ordering::Less) {
                Some((n, _)) => first = first.or(Some(told(metric, *n, context))),
                None if tried.is_empty() => {}
                None => {
                    let shown = told(metric, 2, context);
                    let text = format!("{shown}; for no n up to {MOST} it is the other way round");
                    return Verdict::violated(witness(text));
                }
            }
        }
        match first {
            Some(first) => {
                let note = format!(
                    "in each of {} contexts for some n; the first: {first}",
                    CONTEXTS.len()
                );
                Verdict::Searched(bounds(&tally, note))
            }
            None => Verdict::Vacuous(bounds(&tally, "every score is undefined".to_string())),
        }
    }
}
