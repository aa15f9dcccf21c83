//! Reliability and Sensitivity (Amigó, Gonzalo, Verdejo 2013), exact and without a quadratic loop.
//!
//! An organization states relations between documents: *d above e* (priority) and *d with e*
//! (relatedness). Reliability is the share of the system's relations that the gold standard states
//! too, each weighted by the depth at which the system states it; Sensitivity is the same with the
//! sides exchanged. So everything here is written for one direction, and called twice.

mod explain;
mod fenwick;
mod layers;
mod measures;
#[cfg(test)]
pub(super) mod oracle;
mod priority;
mod search;
mod weights;

pub use explain::{Explanation, Kind, Relation, explain};
pub(super) use measures::MEASURES;

use super::{Agreement, Comparison, Sum, Variant, harmonic};
use crate::data::organization::Occurrences;
use layers::Layers;
use weights::Weights;

/// Reliability and Sensitivity of one kind of relation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// How many of the system's relations are right.
    pub reliability: f64,
    /// How many of the gold standard's relations are found.
    pub sensitivity: f64,
}

impl Pair {
    /// The harmonic mean.
    pub fn f(&self) -> f64 {
        harmonic(self.reliability, self.sensitivity)
    }
}

/// Reliability and Sensitivity of all relations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relations {
    /// Of *d above e*.
    pub priority: Pair,
    /// Of *d with e*.
    pub related: Pair,
    /// Of both, mixed as the settings say.
    pub mixed: Pair,
}

/// Computes them all.
pub(super) fn relations(comparison: &Comparison<'_>) -> Relations {
    let sides = Sides::of(comparison);
    let priority = Pair {
        reliability: sides.system.priority(&sides.gold, comparison),
        sensitivity: sides.gold.priority(&sides.system, comparison),
    };
    let overlaps = comparison.overlaps();
    let related = Pair {
        reliability: sides.system.relatedness(&overlaps.system, comparison),
        sensitivity: sides.gold.relatedness(&overlaps.gold, comparison),
    };
    // Without a tail, a side with one level orders nothing.
    let ordered = !comparison.settings().finite
        || sides.system.layers.count() > 1 && sides.gold.layers.count() > 1;
    let share = if ordered { comparison.settings().mix } else { 0.0 };
    let mix = |priority: f64, related: f64| share * priority + (1.0 - share) * related;
    let mixed = Pair {
        reliability: mix(priority.reliability, related.reliability),
        sensitivity: mix(priority.sensitivity, related.sensitivity),
    };
    Relations { priority, related, mixed }
}

/// What a document's place above the tail weighs, as stated and as agreed.
struct AboveTail {
    document: u32,
    stated: f64,
    agreed: f64,
}

/// Both sides, weighted.
struct Sides<'a> {
    system: Side<'a>,
    gold: Side<'a>,
}

/// One side as stated, with the weights of its levels.
struct Side<'a> {
    index: &'a Occurrences<'a>,
    /// The levels of the relations that this side states.
    layers: Layers,
    /// The levels in which the other side's relations are looked up.
    answers: Option<Layers>,
    weights: Weights,
}

impl<'a> Sides<'a> {
    fn of(comparison: &'a Comparison<'_>) -> Sides<'a> {
        let universe = comparison.universe();
        let system = Side::of(
            comparison.system_index(),
            &comparison.system().level_sizes(),
            comparison,
            &universe,
        );
        let gold = Side::of(
            comparison.gold_index(),
            &comparison.gold().level_sizes(),
            comparison,
            &universe,
        );
        Sides { system, gold }
    }
}

impl<'a> Side<'a> {
    fn of(
        index: &'a Occurrences<'a>,
        sizes: &[u32],
        comparison: &Comparison<'_>,
        universe: &[bool],
    ) -> Side<'a> {
        let settings = comparison.settings();
        if settings.finite {
            let layers = Layers::closed(index, sizes.len(), universe);
            let weights = Weights::equal(&layers.sizes());
            return Side { index, layers, answers: None, weights };
        }
        let answers = (settings.variant == Variant::Semantic)
            .then(|| Layers::closed(index, sizes.len(), universe));
        Side {
            index,
            layers: Layers::open(index, sizes.len()),
            answers,
            weights: Weights::with_tail(sizes, settings.curve.c()),
        }
    }

    fn answers(&self) -> &Layers {
        self.answers.as_ref().unwrap_or(&self.layers)
    }

    fn priority(&self, other: &Side<'_>, comparison: &Comparison<'_>) -> f64 {
        let among = priority::agreed_weight(&self.layers, &self.weights, other.answers());
        among
            + Sum::of(self.above_tail(other, comparison.settings().variant).map(|tail| tail.agreed))
    }

    /// The relations of the documents with the tail, where there is one.
    fn above_tail(&self, other: &Side<'_>, variant: Variant) -> impl Iterator<Item = AboveTail> {
        let (tail, kept) = (self.weights.tail, self.weights.kept);
        (0..self.index.documents())
            .filter(move |&document| tail > 0.0 && self.index.count(document) > 0)
            .map(move |document| {
                let here = self.index.count(document);
                let agreed = f64::from(here.min(other.index.count(document))) / f64::from(here);
                let downwards = if variant == Variant::Table9 { 1.0 } else { agreed };
                let (mut weight, mut normed) = (0.0, 0.0);
                for level in self.index.levels(document) {
                    weight += self.weights.levels[level as usize].weight;
                    normed += self.weights.levels[level as usize].normed;
                }
                AboveTail {
                    document: document as u32,
                    stated: tail * (normed + weight / kept),
                    agreed: tail * (downwards * normed + agreed * weight / kept),
                }
            })
    }

    fn relatedness(&self, agreement: &Agreement, comparison: &Comparison<'_>) -> f64 {
        if comparison.settings().finite {
            return agreement.mean_by_occurrence().unwrap_or(1.0);
        }
        let of_cluster = |(cluster, (sum, &size)): (usize, (&f64, &u32))| {
            self.weights.levels[self.index.level_of(cluster)].weight * sum / f64::from(size)
        };
        Sum::of(agreement.by_cluster.iter().zip(&agreement.sizes).enumerate().map(of_cluster))
            + self.weights.tail
    }
}
