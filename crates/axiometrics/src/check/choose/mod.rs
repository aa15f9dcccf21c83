//! From wishes to metrics: which fit, which are near, why a wish is impossible, and what to give up.
//!
//! Owns wishes and what came of them. Does not own verdicts, which the checks give, nor
//! contradictions, which come from the [`lattice`](super::lattice).

mod organization;
mod ranking;
mod task;
#[cfg(test)]
mod tests;
mod wish;

pub use organization::choose_organization;
pub use ranking::{choose, choose_diversity};
pub use task::ChoiceTask;
pub use wish::{Wish, Wishes};

use super::Verdicts;

/// What came of the wishes.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The wishes one by one, with those that a need implies.
    pub wishes: Vec<Wish>,
    /// The metrics that fulfil all.
    pub fits: Vec<FittingMetric>,
    /// The others, each with its unmet wishes and why; the nearest first.
    pub misses: Vec<Miss>,
    /// Why no metric can fulfil all, if that is so.
    pub impossible: Option<Impossible>,
    /// If nothing fits: the smallest sets of wishes to give up, each with the metrics that then
    /// fit.
    pub give_up: Vec<Sacrifice>,
}

/// A metric that fits.
#[derive(Debug, Clone)]
pub struct FittingMetric {
    /// The metric.
    pub metric: String,
    /// What it is.
    pub title: String,
    /// For whom it is, or what it tells.
    pub about: String,
    /// When it has no value.
    pub undefined: String,
    /// The wishes that were searched for or sampled, not proved.
    pub unproved: Vec<&'static str>,
}

/// A metric that does not fit.
#[derive(Debug, Clone)]
pub struct Miss {
    /// The metric.
    pub metric: String,
    /// What it does not fulfil, and why.
    pub unmet: Vec<(Wish, String)>,
}

/// A smallest contradiction among the wishes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Impossible {
    /// The wishes that no metric has together.
    pub names: Vec<&'static str>,
    /// The derivation, a few lines.
    pub why: String,
}

/// Wishes to give up.
#[derive(Debug, Clone, PartialEq)]
pub struct Sacrifice {
    /// The wishes.
    pub wishes: Vec<Wish>,
    /// The metrics that fulfil the others.
    pub metrics: Vec<String>,
}

impl FittingMetric {
    fn new<R: Verdicts>(
        report: &R,
        wishes: &[Wish],
        (title, about): (&str, &str),
        undefined: &str,
    ) -> FittingMetric {
        let found = report.findings().iter();
        let searched = found.filter(|f| f.verdict.holds() && !f.verdict.is_proved());
        let mut unproved: Vec<&'static str> =
            searched.map(|f| f.name).filter(|name| wishes.contains(&Wish::Has(name))).collect();
        unproved.dedup();
        FittingMetric {
            metric: report.metric(),
            title: title.to_string(),
            about: about.to_string(),
            undefined: undefined.to_string(),
            unproved,
        }
    }
}

impl Chosen {
    /// Sorts out what came of the wishes.
    fn new(wishes: Vec<Wish>, fits: Vec<FittingMetric>, mut misses: Vec<Miss>) -> Chosen {
        misses.sort_by_key(|m| m.unmet.len());
        let mut give_up = if fits.is_empty() { sacrifices(&misses) } else { Vec::new() };
        // To wish for nothing is no advice.
        give_up.retain(|sacrifice| sacrifice.wishes.len() < wishes.len());
        Chosen { wishes, fits, misses, impossible: None, give_up }
    }
}

/// Sets of unmet wishes of which no other metric's set is a part.
fn sacrifices(misses: &[Miss]) -> Vec<Sacrifice> {
    let mut sets: Vec<Sacrifice> = Vec::new();
    for miss in misses.iter().filter(|m| !m.unmet.is_empty()) {
        let wishes: Vec<Wish> = miss.unmet.iter().map(|(w, _)| w.clone()).collect();
        match sets.iter_mut().find(|s| s.wishes == wishes) {
            Some(known) => known.metrics.push(miss.metric.clone()),
            None => sets.push(Sacrifice { wishes, metrics: vec![miss.metric.clone()] }),
        }
    }
    let part_of = |a: &[Wish], b: &[Wish]| a.len() < b.len() && a.iter().all(|w| b.contains(w));
    let all: Vec<Vec<Wish>> = sets.iter().map(|s| s.wishes.clone()).collect();
    sets.retain(|s| !all.iter().any(|other| part_of(other, &s.wishes)));
    sets.sort_by_key(|s| s.wishes.len());
    sets
}
