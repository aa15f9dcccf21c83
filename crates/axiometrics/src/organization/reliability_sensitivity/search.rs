//! The heaviest pairs of documents, found without looking at every pair.
//!
//! Documents stand in trees, where a group knows how much a relation of its documents can weigh at
//! most. Pairs of groups are taken apart, the heaviest first; pairs between which no relation
//! differs are dropped as they are. What comes out first is therefore the heaviest of all.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::explain::Relation;

/// What must be known of the relations that are searched.
pub(super) trait Relating {
    /// What is known of a group of documents; of a single one, all.
    type Group;

    /// True if a pair can be taken in either order: *d with e* is *e with d*.
    const SYMMETRIC: bool;

    /// What is known of two groups together.
    fn join(&self, a: &Self::Group, b: &Self::Group) -> Self::Group;

    /// The smallest number of a document.
    fn first(&self, group: &Self::Group) -> u32;

    /// At least the weight of every difference between the documents of two groups, 0 only where
    /// there is none.
    fn bound(&self, a: &Self::Group, b: &Self::Group) -> f64;

    /// The difference between two documents, of weight 0 if there is none.
    fn relation(&self, a: &Self::Group, b: &Self::Group) -> Relation;
}

/// Trees of groups.
struct Forest<G> {
    groups: Vec<G>,
    /// The halves of each group, twice the group itself if it is a single document.
    halves: Vec<[u32; 2]>,
}

impl<G> Forest<G> {
    /// Grows a tree over documents, of which there is at least one, and returns its root.
    fn grow<R: Relating<Group = G>>(&mut self, relating: &R, documents: Vec<G>) -> u32 {
        let mut layer: Vec<u32> = Vec::with_capacity(documents.len());
        for document in documents {
            let number = self.groups.len() as u32;
            layer.push(number);
            self.groups.push(document);
            self.halves.push([number; 2]);
        }
        while layer.len() > 1 {
            let mut next = Vec::with_capacity(layer.len().div_ceil(2));
            for pair in layer.chunks(2) {
                let &[a, b] = pair else {
                    next.extend_from_slice(pair);
                    continue;
                };
                next.push(self.groups.len() as u32);
                self.groups.push(relating.join(&self.groups[a as usize], &self.groups[b as usize]));
                self.halves.push([a, b]);
            }
            layer = next;
        }
        layer[0]
    }

    fn single(&self, group: u32) -> bool {
        self.halves[group as usize][0] == group
    }

    /// The group itself, or its halves.
    fn parts(&self, group: u32) -> &[u32] {
        let halves = &self.halves[group as usize];
        if self.single(group) { &halves[..1] } else { halves }
    }
}

/// A pair of groups, or a relation.
struct RelationCandidate {
    /// The weight of the relation, or a bound.
    weight: f64,
    /// The documents of the relation, or bounds: among equal weights, smaller numbers come first.
    documents: (u32, u32),
    pair: Option<(u32, u32)>,
    relation: Option<Relation>,
}

impl Ord for RelationCandidate {
    fn cmp(&self, other: &RelationCandidate) -> Ordering {
        self.weight.total_cmp(&other.weight).then_with(|| other.documents.cmp(&self.documents))
    }
}

impl PartialOrd for RelationCandidate {
    fn partial_cmp(&self, other: &RelationCandidate) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RelationCandidate {
    fn eq(&self, other: &RelationCandidate) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RelationCandidate {}

/// The `limit` heaviest differences within each of the sets of documents, in order.
pub(super) fn heaviest<R: Relating>(
    relating: &R,
    sets: impl IntoIterator<Item = Vec<R::Group>>,
    limit: usize,
) -> Vec<Relation> {
    let mut forest = Forest { groups: Vec::new(), halves: Vec::new() };
    let mut open = BinaryHeap::new();
    for set in sets.into_iter().filter(|set| !set.is_empty()) {
        let root = forest.grow(relating, set);
        open.extend(candidate(relating, &forest, root, root));
    }
    let mut found = Vec::new();
    while found.len() < limit
        && let Some(RelationCandidate { pair, relation, .. }) = open.pop()
    {
        found.extend(relation);
        let Some((a, b)) = pair else { continue };
        for (at, &left) in forest.parts(a).iter().enumerate() {
            // Of a group with itself, each pair of halves is taken once.
            let skipped = if R::SYMMETRIC && a == b { at } else { 0 };
            for &right in &forest.parts(b)[skipped..] {
                open.extend(candidate(relating, &forest, left, right));
            }
        }
    }
    found
}

/// A pair of groups as a candidate, if relations differ between them.
fn candidate<R: Relating>(
    relating: &R,
    forest: &Forest<R::Group>,
    a: u32,
    b: u32,
) -> Option<RelationCandidate> {
    let (left, right) = (&forest.groups[a as usize], &forest.groups[b as usize]);
    if forest.single(a) && forest.single(b) {
        let relation = relating.relation(left, right);
        let documents = (relation.first, relation.second);
        return (relation.weight > 0.0).then_some(RelationCandidate {
            weight: relation.weight,
            documents,
            pair: None,
            relation: Some(relation),
        });
    }
    let weight = relating.bound(left, right);
    let (mut first, mut second) = (relating.first(left), relating.first(right));
    if R::SYMMETRIC && second < first {
        (first, second) = (second, first);
    }
    (weight > 0.0).then_some(RelationCandidate {
        weight,
        documents: (first, second),
        pair: Some((a, b)),
        relation: None,
    })
}
