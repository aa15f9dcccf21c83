//! Which relations were lost and which were invented, the heaviest first.

use super::super::OrganizationComparison;
use super::links::Links;
use super::priority::{above, pairs_above};
use super::search::{Relating, heaviest};
use super::side::{Sides, StatedSide};
use crate::data::organization::{Documents, Organization};

/// The relations on which the two sides differ, the heaviest first.
#[derive(Debug, Clone, PartialEq)]
pub struct DifferingRelations {
    /// Stated by the gold standard, not by the system: what lowers Sensitivity.
    pub lost: Vec<Relation>,
    /// Stated by the system, not by the gold standard: what lowers Reliability.
    pub invented: Vec<Relation>,
}

/// A relation that one side states more often than the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Relation {
    /// The kind of relation.
    pub kind: RelationKind,
    /// The document above, or the first of the two.
    pub first: u32,
    /// The document below, or the second of the two, which then has the larger number; the same as
    /// the first if there is none.
    pub second: u32,
    /// What it takes from the Reliability or Sensitivity of its kind.
    pub weight: f64,
}

/// The kinds of relations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RelationKind {
    /// The first document above the second.
    Above,
    /// The document above the tail.
    AboveTail,
    /// Two documents in one cluster.
    With,
    /// A document with itself: it is there at all, or as often as it should be.
    Itself,
    /// The first document linked to the second.
    Linked,
}

impl Relation {
    /// The relation in words, without its fate: `d2 above d4`.
    pub fn describe(&self, documents: &Documents) -> String {
        let (first, second) = (documents.name(self.first), documents.name(self.second));
        match self.kind {
            RelationKind::Above => format!("{first} above {second}"),
            RelationKind::AboveTail => format!("{first} above the tail"),
            RelationKind::With => format!("{first} with {second}"),
            RelationKind::Itself => format!("{first} with itself"),
            RelationKind::Linked => format!("{first} linked to {second}"),
        }
    }
}

/// Finds the `limit` heaviest differences of either direction.
pub fn explain(comparison: &OrganizationComparison<'_>, limit: usize) -> DifferingRelations {
    let sides = Sides::of(comparison);
    DifferingRelations {
        lost: differences(comparison, (&sides.gold, comparison.gold()), &sides.system, limit),
        invented: differences(comparison, (&sides.system, comparison.system()), &sides.gold, limit),
    }
}

fn differences(
    comparison: &OrganizationComparison<'_>,
    stated: (&StatedSide<'_>, &Organization),
    other: &StatedSide<'_>,
    limit: usize,
) -> Vec<Relation> {
    let (stated, organization) = stated;
    let priority = PriorityRelations { stated, other };
    let mut found = heaviest(&priority, [priority.documents()], limit);
    let alone = |kind: RelationKind, document: u32, weight: f64| Relation {
        kind,
        first: document,
        second: document,
        weight,
    };
    let tails = stated.above_tail(other, comparison.settings().variant);
    found.extend(
        tails.map(|tail| alone(RelationKind::AboveTail, tail.document, tail.stated - tail.agreed)),
    );
    let relatedness = Relatedness { stated, other, weights: cluster_weights(stated, organization) };
    found.extend(heaviest(
        &relatedness,
        (0..organization.clusters()).map(|cluster| relatedness.members(organization, cluster)),
        limit,
    ));
    let held = (0..stated.index.documents() as u32)
        .filter(|&document| stated.index.count(document as usize) > 0);
    found.extend(held.map(|document| {
        alone(RelationKind::Itself, document, relatedness.missing(document, document))
    }));
    if let Some(links) = Links::agreed(stated, other) {
        let missing = stated.links.iter().filter(|link| other.links.binary_search(link).is_err());
        found.extend(missing.map(|&(first, second)| {
            let ends = links.of(first as usize).0;
            let weight = stated.weight(first as usize) * stated.weight(second as usize);
            Relation {
                kind: RelationKind::Linked,
                first,
                second,
                weight: weight / ends / links.linking,
            }
        }));
    }
    found.retain(|relation| relation.weight > 0.0);
    let order = |a: &Relation, b: &Relation| {
        b.weight
            .total_cmp(&a.weight)
            .then_with(|| (a.kind, a.first, a.second).cmp(&(b.kind, b.first, b.second)))
    };
    if limit < found.len() {
        found.select_nth_unstable_by(limit, order);
        found.truncate(limit);
    }
    found.sort_unstable_by(order);
    found
}

/// A bound on a sum that was added up in another order.
const SLACK: f64 = 1.0 + 1e-9;

/// The relations *d above e*.
struct PriorityRelations<'a> {
    stated: &'a StatedSide<'a>,
    other: &'a StatedSide<'a>,
}

/// Documents and the levels of their occurrences on both sides.
struct Placed {
    /// The smallest number.
    document: u32,
    /// The largest sums over the occurrences of a document of w and of w/W.
    weight: f64,
    normed: f64,
    /// True if all documents have weight 1.
    plain: bool,
    /// The first and the last level here and there.
    here: (u32, u32),
    there: (u32, u32),
    /// How often a document occurs here at most, and there at least.
    most_here: u32,
    least_there: u32,
}

fn span(levels: &[u32]) -> (u32, u32) {
    (levels.first().copied().unwrap_or(u32::MAX), levels.last().copied().unwrap_or(0))
}

impl PriorityRelations<'_> {
    fn documents(&self) -> Vec<Placed> {
        let layers = &self.stated.layers;
        let place = |document: usize| {
            let (here, there) = (layers.of(document), self.other.answers().of(document));
            let (mut weight, mut normed) = (0.0, 0.0);
            for &level in here {
                weight += self.stated.weights.levels[level as usize].weight;
                normed += self.stated.weights.levels[level as usize].normed;
            }
            let (most_here, least_there) = (here.len() as u32, there.len() as u32);
            let mass = self.stated.mass(document);
            Placed {
                document: document as u32,
                weight: mass * weight,
                normed: mass * normed,
                plain: mass == 1.0,
                here: span(here),
                there: span(there),
                most_here,
                least_there,
            }
        };
        let mut placed: Vec<Placed> = (0..layers.documents())
            .filter(|&document| !layers.of(document).is_empty())
            .map(place)
            .collect();
        // Documents that stand alike stand together, so that groups can be told apart as a whole.
        placed.sort_unstable_by_key(|placed| (placed.here, placed.there, placed.document));
        placed
    }
}

impl Relating for PriorityRelations<'_> {
    type Group = Placed;
    const SYMMETRIC: bool = false;

    fn join(&self, a: &Placed, b: &Placed) -> Placed {
        let wider = |a: (u32, u32), b: (u32, u32)| (a.0.min(b.0), a.1.max(b.1));
        Placed {
            document: a.document.min(b.document),
            weight: a.weight.max(b.weight),
            normed: a.normed.max(b.normed),
            plain: a.plain && b.plain,
            here: wider(a.here, b.here),
            there: wider(a.there, b.there),
            most_here: a.most_here.max(b.most_here),
            least_there: a.least_there.min(b.least_there),
        }
    }

    fn first(&self, group: &Placed) -> u32 {
        group.document
    }

    fn bound(&self, upper: &Placed, lower: &Placed) -> f64 {
        let pairs = |a: u32, b: u32| u64::from(a) * u64::from(b);
        let here = pairs(upper.most_here, lower.most_here);
        let unstated = upper.here.0 >= lower.here.1;
        let agreed =
            upper.there.1 < lower.there.0 && pairs(upper.least_there, lower.least_there) >= here;
        if unstated || agreed {
            return 0.0;
        }
        // As for two documents, so that it is their weight and not just about their weight.
        let weight = lower.weight * upper.normed + lower.normed * upper.weight;
        if here == 1 && upper.plain && lower.plain { weight } else { weight * SLACK }
    }

    fn relation(&self, upper: &Placed, lower: &Placed) -> Relation {
        let (first, second) = (upper.document, lower.document);
        let (layers, answers) = (&self.stated.layers, self.other.answers());
        let (pairs, weight) =
            above(layers.of(first as usize), layers.of(second as usize), &self.stated.weights);
        let agreed =
            pairs_above(answers.of(first as usize), answers.of(second as usize)).min(pairs);
        let mass = self.stated.mass(first as usize) * self.stated.mass(second as usize);
        let missing = (pairs - agreed) as f64 / pairs.max(1) as f64;
        let weight = mass * weight * missing;
        Relation { kind: RelationKind::Above, first, second, weight }
    }
}

/// What the relation of two documents of weight 1 weighs one way, in each cluster.
fn cluster_weights(stated: &StatedSide<'_>, organization: &Organization) -> Vec<f64> {
    let weight_of = |cluster: usize| {
        let size: f64 =
            organization.cluster(cluster).iter().map(|&d| stated.mass(d as usize)).sum();
        stated.weights.levels[stated.index.level_of(cluster)].weight / size
    };
    (0..organization.clusters()).map(weight_of).collect()
}

/// The relations *d with e*.
struct Relatedness<'a> {
    stated: &'a StatedSide<'a>,
    other: &'a StatedSide<'a>,
    weights: Vec<f64>,
}

/// Documents of one cluster.
struct ClusterMembers {
    cluster: u32,
    /// The smallest number.
    document: u32,
    /// What a relation of a document can weigh at most one way, with one of weight 1.
    weight: f64,
    /// The largest weight of a document.
    mass: f64,
    /// How often a document occurs here at most.
    most_here: usize,
    /// One of the documents, if all of them have the same clusters there.
    alike: Option<u32>,
}

impl Relatedness<'_> {
    fn clusters_there(&self, document: u32) -> &[u32] {
        self.other.index.clusters(document as usize)
    }

    /// The documents of a cluster, which has no pairs if it holds one alone.
    fn members(&self, organization: &Organization, cluster: usize) -> Vec<ClusterMembers> {
        let documents = organization.cluster(cluster);
        if documents.len() < 2 {
            return Vec::new();
        }
        let member = |&document: &u32| {
            let here = self.stated.index.clusters(document as usize);
            let weight = here.iter().map(|&cluster| self.weights[cluster as usize]).sum();
            let mass = self.stated.mass(document as usize);
            ClusterMembers {
                cluster: cluster as u32,
                document,
                weight,
                mass,
                most_here: here.len(),
                alike: Some(document),
            }
        };
        let mut members: Vec<ClusterMembers> = documents.iter().map(member).collect();
        members
            .sort_unstable_by_key(|member| (self.clusters_there(member.document), member.document));
        members
    }

    /// What is missing there of the relation of two documents, in one direction.
    fn missing(&self, first: u32, second: u32) -> f64 {
        let here = common(
            self.stated.index.clusters(first as usize),
            self.stated.index.clusters(second as usize),
        );
        let there = common(self.clusters_there(first), self.clusters_there(second)).len();
        let missing = here.len().saturating_sub(there) as f64 / here.len().max(1) as f64;
        let mass = self.stated.mass(first as usize) * self.stated.mass(second as usize);
        mass * missing * here.iter().map(|&cluster| self.weights[cluster as usize]).sum::<f64>()
    }
}

impl Relating for Relatedness<'_> {
    type Group = ClusterMembers;
    const SYMMETRIC: bool = true;

    fn join(&self, a: &ClusterMembers, b: &ClusterMembers) -> ClusterMembers {
        let alike = match (a.alike, b.alike) {
            (Some(one), Some(two)) if self.clusters_there(one) == self.clusters_there(two) => {
                Some(one)
            }
            _ => None,
        };
        ClusterMembers {
            cluster: a.cluster,
            document: a.document.min(b.document),
            weight: a.weight.max(b.weight),
            mass: a.mass.max(b.mass),
            most_here: a.most_here.max(b.most_here),
            alike,
        }
    }

    fn first(&self, group: &ClusterMembers) -> u32 {
        group.document
    }

    fn bound(&self, a: &ClusterMembers, b: &ClusterMembers) -> f64 {
        if let (Some(one), Some(two)) = (a.alike, b.alike) {
            let there = self.clusters_there(one);
            if there.len() >= a.most_here.min(b.most_here) && there == self.clusters_there(two) {
                return 0.0;
            }
        }
        let weight = 2.0 * a.weight.min(b.weight) * a.mass * b.mass;
        let exact = a.most_here.max(b.most_here) == 1 && a.mass == 1.0 && b.mass == 1.0;
        if exact { weight } else { weight * SLACK }
    }

    fn relation(&self, a: &ClusterMembers, b: &ClusterMembers) -> Relation {
        let (first, second) = (a.document.min(b.document), a.document.max(b.document));
        // A pair with several common clusters is told once, in the first of them; a document with
        // itself elsewhere.
        let here = common(
            self.stated.index.clusters(first as usize),
            self.stated.index.clusters(second as usize),
        );
        let told = first != second && here.first() == Some(&a.cluster);
        Relation {
            kind: RelationKind::With,
            first,
            second,
            weight: if told { 2.0 * self.missing(first, second) } else { 0.0 },
        }
    }
}

/// The common elements of two ascending lists.
fn common(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().copied().filter(|cluster| b.binary_search(cluster).is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::organization::notation;
    use crate::organization::OrganizationSettings;

    /// Every order of so many documents.
    fn orders(documents: u32) -> Vec<Vec<u32>> {
        (0..documents).fold(vec![Vec::new()], |orders, document| {
            let longer = |order: &Vec<u32>, at: usize| {
                let (before, behind) = order.split_at(at);
                [before, &[document], behind].concat()
            };
            let places = |order| (0..=document as usize).map(move |at| longer(order, at));
            orders.iter().flat_map(places).collect()
        })
    }

    /// An organization of levels, of clusters, of documents, some of which weigh 3.
    fn organization(levels: &[&[&[u32]]], heavy: &[u32]) -> Organization {
        let mut builder = Organization::builder();
        for level in levels {
            builder.level();
            for cluster in *level {
                builder.cluster(cluster.iter().copied()).unwrap();
            }
        }
        for &document in heavy {
            builder.weigh(document, 3.0);
        }
        builder.build()
    }

    /// However many are told, they are the first of these relations. Returns all of them.
    fn the_first_are_told(
        gold: &Organization,
        system: &Organization,
        expected: &[(RelationKind, u32, u32)],
    ) -> Vec<Relation> {
        let settings = OrganizationSettings::default();
        let comparison = OrganizationComparison::new(gold, system, &settings);
        let mut lost = Vec::new();
        for limit in 0..=expected.len() {
            lost = explain(&comparison, limit).lost;
            let told: Vec<_> = lost.iter().map(|r| (r.kind, r.first, r.second)).collect();
            assert_eq!(told, expected[..limit], "{gold:?}\n{system:?}");
        }
        lost
    }

    /// In whatever order the system has the documents.
    #[test]
    fn of_equally_heavy_differences_the_first_are_told() {
        let together = organization(&[&[&[0, 1, 2, 3, 4, 5]]], &[]);
        let apart = organization(&[&[&[0, 2, 4], &[1, 3, 5]]], &[]);
        let ranked = organization(&[&[&[0], &[1], &[2]], &[&[3], &[4], &[5]]], &[]);
        let pairs = || (0..6).flat_map(|first| (first + 1..6).map(move |second| (first, second)));
        let equal = |told: Vec<Relation>| {
            assert!(told.iter().all(|relation| relation.weight == told[0].weight), "{told:?}");
        };
        for order in orders(6) {
            let alone: Vec<&[u32]> = order.chunks(1).collect();
            let levels: Vec<&[&[u32]]> = alone.chunks(1).collect();
            let (scattered, ranking) = (organization(&[&alone], &[]), organization(&levels, &[]));
            let with = |(first, second)| (RelationKind::With, first, second);
            let all: Vec<_> = pairs().map(with).collect();
            equal(the_first_are_told(&together, &scattered, &all));
            let alike: Vec<_> = pairs().filter(|(a, b)| a % 2 == b % 2).map(with).collect();
            equal(the_first_are_told(&apart, &scattered, &alike));
            let place = |document| order.iter().position(|&other| other == document);
            let turned = |&(a, b): &(u32, u32)| a < 3 && b >= 3 && place(a) > place(b);
            let above = |(first, second)| (RelationKind::Above, first, second);
            let turned: Vec<_> = pairs().filter(turned).map(above).collect();
            equal(the_first_are_told(&ranked, &ranking, &turned));
        }
    }

    /// Documents 2 and 5 weigh three times as much as the others.
    #[test]
    fn differences_of_heavy_documents_come_first() {
        let heavy = |levels: &[&[&[u32]]]| organization(levels, &[2, 5]);
        let together = heavy(&[&[&[0, 1, 2, 3, 4, 5]]]);
        let ranked = heavy(&[&[&[0], &[1], &[2]], &[&[3], &[4], &[5]]]);
        let reversed = heavy(&[&[&[3], &[4], &[5]], &[&[0], &[1], &[2]]]);
        let light = |(first, second): &(u32, u32)| [first, second].map(|d| u8::from(d % 3 < 2));
        let mut pairs: Vec<(u32, u32)> =
            (0..6).flat_map(|first| (first + 1..6).map(move |second| (first, second))).collect();
        pairs.sort_by_key(|pair| light(pair).iter().sum::<u8>());
        let with: Vec<_> = pairs.iter().map(|&(a, b)| (RelationKind::With, a, b)).collect();
        for order in orders(6) {
            let alone: Vec<&[u32]> = order.chunks(1).collect();
            the_first_are_told(&together, &heavy(&[&alone]), &with);
        }
        pairs.retain(|&(a, b)| a < 3 && b >= 3);
        let above: Vec<_> = pairs.iter().map(|&(a, b)| (RelationKind::Above, a, b)).collect();
        the_first_are_told(&ranked, &reversed, &above);
    }

    #[test]
    fn relations_are_told_in_words() {
        let mut documents = Documents::default();
        notation::parse("a b", &mut documents).unwrap();
        for (kind, expected) in [
            (RelationKind::Above, "a above b"),
            (RelationKind::AboveTail, "a above the tail"),
            (RelationKind::With, "a with b"),
            (RelationKind::Itself, "a with itself"),
            (RelationKind::Linked, "a linked to b"),
        ] {
            let relation = Relation { kind, first: 0, second: 1, weight: 1.0 };
            assert_eq!(relation.describe(&documents), expected);
        }
    }
}
