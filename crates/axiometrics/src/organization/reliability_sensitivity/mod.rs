//! Reliability and Sensitivity (Amigó, Gonzalo, Verdejo 2013), exact and without a quadratic loop.
//!
//! An organization states relations between documents: *d above e* (priority), *d with e*
//! (relatedness), and perhaps *d linked to e*, whatever that means. Reliability is the share of the system's relations that the gold standard states
//! too, each weighted by the depth at which the system states it; Sensitivity is the same with the
//! sides exchanged. So everything here is written for one direction, and called twice.
//!
//! The weight of an occurrence is spread over its relations in proportion to the weights of the
//! occurrences at their other ends. It can be spread over the relations of one kind (`priority`,
//! `related`, `linked`), or over those of all kinds together (`joint`), which is how the paper defines R and S
//! before it gives the formulas of each kind.

mod by_document;
mod dominance;
mod explain;
mod fenwick;
mod layers;
mod links;
mod measures;
#[cfg(test)]
pub(super) mod oracle;
mod priority;
mod search;
mod side;
mod staircase;
mod weights;

pub use by_document::{ByDocument, OfDocument, by_document};
pub use explain::{DifferingRelations, Relation, RelationKind, explain};
pub(super) use measures::MEASURES;

use super::OrganizationComparison;
use crate::number::f_beta;
use side::{AgreedRelations, Sides};

/// Reliability and Sensitivity of one kind of relation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RelationScores {
    /// How many of the system's relations are right.
    pub reliability: f64,
    /// How many of the gold standard's relations are found.
    pub sensitivity: f64,
}

impl RelationScores {
    /// Both together, Sensitivity `beta` times as important; for 1 the harmonic mean.
    pub fn f(&self, beta: f64) -> f64 {
        f_beta(self.reliability, self.sensitivity, beta)
    }
}

/// Reliability and Sensitivity of all relations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relations {
    /// Of *d above e*.
    pub priority: RelationScores,
    /// Of *d with e*.
    pub related: RelationScores,
    /// Of *d linked to e*, if either side links documents.
    pub linked: Option<RelationScores>,
    /// Of all relations together, of the kinds that take part in the mixture.
    pub joint: RelationScores,
    /// Of the kinds apart, mixed as the settings say.
    pub mixed: RelationScores,
}

/// Computes them all.
pub(super) fn relations(comparison: &OrganizationComparison<'_>) -> Relations {
    let sides = Sides::of(comparison);
    let (system, gold) = (&sides.system, &sides.gold);
    let overlaps = comparison.overlaps();
    let r = AgreedRelations::of(system, gold, &overlaps.system, comparison, false).reliability();
    let s = AgreedRelations::of(gold, system, &overlaps.gold, comparison, false).reliability();
    let pair = |reliability, sensitivity| RelationScores { reliability, sensitivity };
    let shares = comparison.shares();
    // Documents that nobody links are linked rightly.
    let mixed = |side: &side::Reliability| {
        shares.priority * side.priority
            + shares.related * side.related
            + shares.linked * side.linked.unwrap_or(1.0)
    };
    Relations {
        priority: pair(r.priority, s.priority),
        related: pair(r.related, s.related),
        linked: r.linked.zip(s.linked).map(|(r, s)| pair(r, s)),
        joint: pair(r.joint, s.joint),
        mixed: pair(mixed(&r), mixed(&s)),
    }
}
