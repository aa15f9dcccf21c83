//! R(d) and S(d): what each document contributes.

use super::super::OrganizationComparison;
use super::side::{AgreedRelations, Right, Sides, StatedSide};

/// The relations of each document, on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct ByDocument {
    /// Of the system's relations, those that the gold standard states: R(d).
    pub system: Vec<OfDocument>,
    /// Of the gold standard's relations, those that the system states: S(d).
    pub gold: Vec<OfDocument>,
}

/// How many of a document's relations are right. Over all documents and the tail, the sum of weight
/// times share is R, or S.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OfDocument {
    /// The document; `None` for the tail, which is the last.
    pub document: Option<u32>,
    /// The weight of its occurrences.
    pub weight: f64,
    /// The share of *d above e* and *d below e* that is right.
    pub priority: f64,
    /// The share of *d with e* that is right; 1 for the tail, which has no such relations.
    pub related: f64,
    /// The share of all relations of the kinds in the mixture that is right.
    pub joint: f64,
}

/// Takes R and S apart.
pub fn by_document(comparison: &OrganizationComparison<'_>) -> ByDocument {
    let sides = Sides::of(comparison);
    let (system, gold) = (&sides.system, &sides.gold);
    let overlaps = comparison.overlaps();
    let of = |side: &StatedSide<'_>, agreed: AgreedRelations<'_>| {
        let held = (0..side.layers.documents()).filter(|&d| !side.layers.of(d).is_empty());
        let mut documents: Vec<OfDocument> =
            held.map(|d| OfDocument::new(Some(d as u32), agreed.document(d))).collect();
        if side.weights.tail > 0.0 {
            documents.push(OfDocument::new(None, agreed.tail()));
        }
        documents
    };
    ByDocument {
        system: of(system, AgreedRelations::of(system, gold, &overlaps.system, comparison, true)),
        gold: of(gold, AgreedRelations::of(gold, system, &overlaps.gold, comparison, true)),
    }
}

impl OfDocument {
    fn new(document: Option<u32>, right: Right) -> OfDocument {
        let share = |part: f64| part / right.weight;
        OfDocument {
            document,
            weight: right.weight,
            priority: share(right.priority),
            related: share(right.related),
            joint: share(right.joint),
        }
    }
}
