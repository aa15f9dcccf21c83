//! Which relations were lost and which were invented, the heaviest first.
//!
//! Every pair of documents of the topic is looked at, so this is for topics that a person would read about, not for millions of
//! documents.

use super::super::Comparison;
use super::priority::{above, pairs_above};
use super::{Side, Sides};
use crate::data::organization::{Documents, Organization};

/// The relations on which the two sides differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Stated by the gold standard, not by the system: what lowers Sensitivity.
    pub lost: Differences,
    /// Stated by the system, not by the gold standard: what lowers Reliability.
    pub invented: Differences,
}

/// Differences of one direction.
#[derive(Debug, Clone, PartialEq)]
pub struct Differences {
    /// The heaviest, in order.
    pub heaviest: Vec<Relation>,
    /// How many there are in all.
    pub count: usize,
}

/// A relation that one side states more often than the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relation {
    /// The kind of relation.
    pub kind: Kind,
    /// The document above, or the first of the two.
    pub first: u32,
    /// The document below, or the second of the two; the same as the first where there is none.
    pub second: u32,
    /// What it takes from the Reliability or Sensitivity of its kind.
    pub weight: f64,
}

/// The kinds of relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The first document above the second.
    Above,
    /// The document above the tail.
    AboveTail,
    /// Two documents in one cluster.
    With,
    /// A document with itself: it is there at all, or as often as it should be.
    Itself,
}

impl Relation {
    /// The relation in words, without its fate: `d2 above d4`.
    pub fn describe(&self, documents: &Documents) -> String {
        let (first, second) = (documents.name(self.first), documents.name(self.second));
        match self.kind {
            Kind::Above => format!("{first} above {second}"),
            Kind::AboveTail => format!("{first} above the tail"),
            Kind::With => format!("{first} with {second}"),
            Kind::Itself => format!("{first} with itself"),
        }
    }
}

/// Finds the `limit` heaviest differences of either direction.
pub fn explain(comparison: &Comparison<'_>, limit: usize) -> Explanation {
    let sides = Sides::of(comparison);
    Explanation {
        lost: differences(comparison, (&sides.gold, comparison.gold()), &sides.system, limit),
        invented: differences(comparison, (&sides.system, comparison.system()), &sides.gold, limit),
    }
}

fn differences(comparison: &Comparison<'_>, stated: (&Side<'_>, &Organization), other: &Side<'_>, limit: usize) -> Differences {
    let mut found = Heaviest { limit, list: Vec::new(), count: 0 };
    priority(comparison, stated.0, other, &mut found);
    relatedness(comparison, stated, other, &mut found);
    found.finish()
}

fn priority(comparison: &Comparison<'_>, stated: &Side<'_>, other: &Side<'_>, found: &mut Heaviest) {
    let layers = &stated.layers;
    let documents: Vec<usize> = (0..layers.documents()).filter(|&document| !layers.of(document).is_empty()).collect();
    for &upper in &documents {
        for &lower in &documents {
            let (pairs, weight) = above(layers.of(upper), layers.of(lower), &stated.weights);
            if pairs > 0 {
                let agreed = pairs_above(other.answers().of(upper), other.answers().of(lower)).min(pairs);
                let weight = weight * (pairs - agreed) as f64 / pairs as f64;
                found.add(Relation { kind: Kind::Above, first: upper as u32, second: lower as u32, weight });
            }
        }
    }
    for tail in stated.above_tail(other, comparison.settings().variant) {
        found.add(Relation { kind: Kind::AboveTail, first: tail.document, second: tail.document, weight: tail.stated - tail.agreed });
    }
}

fn relatedness(comparison: &Comparison<'_>, (stated, organization): (&Side<'_>, &Organization), other: &Side<'_>, found: &mut Heaviest) {
    // Without a tail, the documents that this side lacks share the weight of its occurrences.
    let absent =
        (0..stated.index.documents()).filter(|&document| stated.index.count(document) == 0 && !stated.layers.of(document).is_empty());
    let equal = 1.0 / (organization.occurrences() + absent.count()) as f64;
    let weight_of = |cluster: u32| {
        let own = if comparison.settings().finite { equal } else { stated.weights.levels[stated.index.level_of(cluster as usize)].weight };
        own / organization.cluster(cluster as usize).len() as f64
    };
    for cluster in 0..organization.clusters() {
        let members = organization.cluster(cluster);
        for (position, &first) in members.iter().enumerate() {
            for &second in &members[position..] {
                let here = common(stated.index.clusters(first as usize), stated.index.clusters(second as usize));
                // A pair with several common clusters is told once, in the first of them.
                if here.first() != Some(&(cluster as u32)) {
                    continue;
                }
                let there = common(other.index.clusters(first as usize), other.index.clusters(second as usize)).len();
                let missing = here.len().saturating_sub(there) as f64 / here.len() as f64;
                let (kind, times) = if first == second { (Kind::Itself, 1.0) } else { (Kind::With, 2.0) };
                let weight = times * missing * here.iter().map(|&cluster| weight_of(cluster)).sum::<f64>();
                found.add(Relation { kind, first, second, weight });
            }
        }
    }
}

/// The common elements of two ascending lists.
fn common(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().copied().filter(|cluster| b.binary_search(cluster).is_ok()).collect()
}

/// Keeps the heaviest relations of many.
struct Heaviest {
    limit: usize,
    list: Vec<Relation>,
    count: usize,
}

impl Heaviest {
    fn add(&mut self, relation: Relation) {
        if relation.weight <= 0.0 {
            return;
        }
        self.count += 1;
        self.list.push(relation);
        if self.list.len() >= self.limit.saturating_mul(2).max(1024) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        self.list
            .sort_unstable_by(|a, b| b.weight.total_cmp(&a.weight).then((a.kind, a.first, a.second).cmp(&(b.kind, b.first, b.second))));
        self.list.truncate(self.limit);
    }

    fn finish(mut self) -> Differences {
        self.cut();
        Differences { heaviest: self.list, count: self.count }
    }
}
