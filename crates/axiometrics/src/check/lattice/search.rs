//! All minimal contradictions and all largest feasible sets.

use std::sync::LazyLock;

use super::demand::{Demands, Sizes, threshold_collection};
use super::derivation::Derivation;
use super::order::{conflict, contradicts};
use super::property::{Property, PropertySet};
use super::state::{Collection, Universe};
use crate::check::constraint::ThresholdContext;

/// A minimal contradiction: no metric has all of these properties, but without any one of them some
/// metric has the others.
#[derive(Debug, Clone)]
pub struct Contradiction {
    /// The properties.
    pub properties: PropertySet,
    /// Why.
    pub derivation: Derivation,
}

/// What goes together among some properties.
#[derive(Debug, Clone)]
pub struct Lattice {
    /// The properties in question.
    pub properties: PropertySet,
    /// The minimal contradictions, the smallest first.
    pub contradictions: Vec<Contradiction>,
    /// The largest sets without a contradiction.
    pub feasible: Vec<PropertySet>,
}

/// All collections of up to so many documents, relevant or not, are looked at. Every contradiction
/// shows in them, and larger ones show no other.
const DOCS: usize = 5;

/// Where deepness-threshold starts in the search: late enough that closeness-threshold can hold
/// before, at 2, in a metric that wants relevant documents on top (at 1 such a metric cannot).
const FROM: usize = 3;
/// Up to which n closeness-threshold may hold in the search.
const CLOSE: usize = 2;

/// The lattice of relevant and irrelevant documents.
static TWELVE: LazyLock<Lattice> = LazyLock::new(|| Lattice::new(2, DOCS, PropertySet::TWELVE));

impl Lattice {
    /// The lattice of the seven properties and the five ranking constraints.
    pub fn get() -> &'static Lattice {
        &TWELVE
    }

    /// What goes together among some properties. This is quicker than [`Lattice::get`] and says the
    /// same of them.
    pub fn of(properties: PropertySet) -> Lattice {
        Lattice::new(2, DOCS, properties)
    }

    /// What goes together among some properties, by all collections of up to so many documents
    /// whose gains have this many levels (two to four).
    pub fn new(levels: usize, docs: usize, properties: PropertySet) -> Lattice {
        let levels = levels.clamp(2, 4);
        let collections = collections(levels, docs);
        let demands = Demands::new(Universe::new(levels, &collections));
        let contradictory = |set: PropertySet| {
            choices(set).into_iter().all(|sizes| contradicts(&demands, set, sizes))
        };
        let (minimal, feasible) = minimal_and_largest(properties, contradictory);
        let contradiction = |properties: PropertySet| {
            let derivation = derive(levels, &collections, properties)?;
            Some(Contradiction { properties, derivation })
        };
        let mut contradictions: Vec<Contradiction> =
            minimal.into_iter().filter_map(contradiction).collect();
        contradictions.sort_by_key(|c| (c.properties.len(), c.properties));
        Lattice { properties, contradictions, feasible }
    }

    /// The part of the lattice that is about some of its properties.
    #[must_use]
    pub fn among(&self, properties: PropertySet) -> Lattice {
        let within = |c: &&Contradiction| c.properties.is_part_of(properties);
        let mut feasible: Vec<PropertySet> =
            self.feasible.iter().map(|set| set.common(properties)).collect();
        let all = feasible.clone();
        feasible.retain(|set| !all.iter().any(|other| other != set && set.is_part_of(*other)));
        feasible.sort_by_key(|set| (std::cmp::Reverse(set.len()), *set));
        feasible.dedup();
        Lattice {
            properties,
            contradictions: self.contradictions.iter().filter(within).cloned().collect(),
            feasible,
        }
    }

    /// The properties that are in no contradiction: they can be added to every wish.
    pub fn free(&self) -> PropertySet {
        self.contradictions.iter().fold(self.properties, |left, c| left.without(c.properties))
    }

    /// The smallest contradiction in a wish, if there is one; of equally small ones the easiest to
    /// follow.
    pub fn smallest(&self, wish: PropertySet) -> Option<&Contradiction> {
        let within = self.contradictions.iter().filter(|c| c.properties.is_part_of(wish));
        within.min_by_key(|c| (c.properties.len(), c.derivation.lines()))
    }

    /// The smallest sets of properties to give up so that what is left of a wish is feasible.
    pub fn give_up(&self, wish: PropertySet) -> Vec<PropertySet> {
        let mut sets: Vec<PropertySet> = self.feasible.iter().map(|f| wish.without(*f)).collect();
        sets.sort_by_key(|s| (s.len(), *s));
        sets.dedup();
        let all = sets.clone();
        sets.retain(|s| !all.iter().any(|other| other != s && other.is_part_of(*s)));
        sets
    }
}

/// All collections of up to so many documents, those of up to [`DOCS`] that are relevant or not, and
/// those in which the thresholds are met at the sizes of the search; the smallest first.
fn collections(levels: usize, docs: usize) -> Vec<Collection> {
    let mut collections = Collection::up_to(levels, docs);
    for size in 1..=DOCS {
        collections.extend((0..=size).map(|r| Collection::binary(levels, r, size - r)));
    }
    let sizes = Sizes { from: FROM, at: None, elsewhere: None };
    for n in 1..=CLOSE {
        collections.push(threshold_collection(levels, n, sizes.context()));
    }
    collections.push(threshold_collection(levels, FROM, ThresholdContext::NONE));
    collections.sort_by_key(|c| (c.docs(), c.clone()));
    collections.dedup();
    collections
}

/// The sizes that the thresholds of a set may be met at.
fn choices(set: PropertySet) -> Vec<Sizes> {
    if !set.contains(Property::ClosenessThreshold) {
        return vec![Sizes { from: FROM, at: None, elsewhere: None }];
    }
    let pairs = (1..=CLOSE).flat_map(|at| (1..=CLOSE).map(move |elsewhere| (at, elsewhere)));
    pairs
        .map(|(at, elsewhere)| Sizes { from: FROM, at: Some(at), elsewhere: Some(elsewhere) })
        .collect()
}

/// The derivation of a contradiction, in the smallest collections that show it. With both
/// thresholds, closeness is asked for in a context, since without one they are about different n.
fn derive(levels: usize, collections: &[Collection], set: PropertySet) -> Option<Derivation> {
    let both = set.contains(Property::DeepnessThreshold);
    let sizes = Sizes { from: 2, at: (!both).then_some(2), elsewhere: both.then_some(1) };
    let largest = collections.last().map_or(0, Collection::docs);
    (1..=largest).find_map(|docs| {
        let few = collections.partition_point(|c| c.docs() <= docs);
        let demands = Demands::new(Universe::new(levels, &collections[..few]));
        let conflict = conflict(&demands, set, sizes)?;
        Some(Derivation::new(&demands, set, sizes, &conflict))
    })
}

/// The minimal sets that are contradictory, and the largest that are not. What contains a
/// contradictory set is contradictory.
fn minimal_and_largest(
    properties: PropertySet,
    contradictory: impl Fn(PropertySet) -> bool,
) -> (Vec<PropertySet>, Vec<PropertySet>) {
    let (mut minimal, mut largest): (Vec<PropertySet>, Vec<PropertySet>) = (Vec::new(), Vec::new());
    // Larger sets come first, so that a feasible set that is part of no other is a largest one.
    for set in properties.parts() {
        let known = |minimal: &[PropertySet]| minimal.iter().any(|m| m.is_part_of(set));
        while !known(&minimal) && !largest.iter().any(|l| set.is_part_of(*l)) {
            if !contradictory(set) {
                largest.push(set);
                continue;
            }
            let mut rest = set;
            for property in set.iter() {
                let smaller = rest.without([property].into_iter().collect());
                if contradictory(smaller) {
                    rest = smaller;
                }
            }
            minimal.push(rest);
        }
    }
    (minimal, largest)
}
