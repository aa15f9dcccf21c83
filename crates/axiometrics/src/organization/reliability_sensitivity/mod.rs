//! Reliability and Sensitivity (Amigó, Gonzalo, Verdejo 2013), exact and without a quadratic loop.
//!
//! An organization states relations between documents: *d above e* (priority) and *d with e*
//! (relatedness). Reliability is the share of the system's relations that the gold standard states
//! too, each weighted by the depth at which the system states it; Sensitivity is the same with the
//! sides exchanged. So everything here is written for one direction, and called twice.
//!
//! The weight of an occurrence is spread over its relations in proportion to the weights of the
//! occurrences at their other ends. It can be spread over the relations of one kind (`priority`,
//! `related`), or over those of all kinds together (`joint`), which is how the paper defines R and S
//! before it gives the formulas of each kind.

mod dominance;
mod explain;
mod fenwick;
mod layers;
mod measures;
#[cfg(test)]
pub(super) mod oracle;
mod priority;
mod search;
mod side;
mod staircase;
mod weights;

pub use explain::{Explanation, Kind, Relation, explain};
pub(super) use measures::MEASURES;

use super::Comparison;
use crate::number::f_beta;
use side::Sides;

/// Reliability and Sensitivity of one kind of relation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// How many of the system's relations are right.
    pub reliability: f64,
    /// How many of the gold standard's relations are found.
    pub sensitivity: f64,
}

impl Pair {
    /// Both together, Sensitivity `beta` times as important; for 1 the harmonic mean.
    pub fn f(&self, beta: f64) -> f64 {
        f_beta(self.reliability, self.sensitivity, beta)
    }

    fn map(self, other: Pair, f: impl Fn(f64, f64) -> f64) -> Pair {
        Pair {
            reliability: f(self.reliability, other.reliability),
            sensitivity: f(self.sensitivity, other.sensitivity),
        }
    }
}

/// Reliability and Sensitivity of all relations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relations {
    /// Of *d above e*.
    pub priority: Pair,
    /// Of *d with e*.
    pub related: Pair,
    /// Of all relations together, of the kinds that take part in the mixture.
    pub joint: Pair,
    /// Of both, mixed as the settings say.
    pub mixed: Pair,
}

/// Computes them all.
pub(super) fn relations(comparison: &Comparison<'_>) -> Relations {
    let sides = Sides::of(comparison);
    let overlaps = comparison.overlaps();
    let system = sides.system.reliability(&sides.gold, &overlaps.system, comparison);
    let gold = sides.gold.reliability(&sides.system, &overlaps.gold, comparison);
    let both = |reliability, sensitivity| Pair { reliability, sensitivity };
    let priority = both(system.priority, gold.priority);
    let related = both(system.related, gold.related);
    let joint = both(system.joint, gold.joint);
    let shares = comparison.shares();
    let mixed = priority
        .map(related, |priority, related| shares.priority * priority + shares.related * related);
    Relations { priority, related, joint, mixed }
}
