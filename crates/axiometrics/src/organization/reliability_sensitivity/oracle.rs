//! Reliability and Sensitivity straight from the definition, pair by pair, as the measure of the
//! fast version.

use std::collections::BTreeMap;

use super::RelationScores;
use crate::data::organization::Organization;
use crate::organization::{Mix, OrganizationSettings, Variant};

/// An occurrence: document, level, cluster, and the weight of the document.
#[derive(Clone, Copy)]
struct Occurrence {
    document: u32,
    level: usize,
    cluster: usize,
    mass: f64,
}

/// The weight of a document: its own, or that of the other side, or 1.
fn mass(side: &Organization, other: &Organization, document: u32) -> f64 {
    let find = |side: &Organization| side.weights().iter().find(|w| w.0 == document).map(|w| w.1);
    find(side).or_else(|| find(other)).unwrap_or(1.0)
}

fn occurrences(side: &Organization, other: &Organization) -> Vec<Occurrence> {
    let mut list = Vec::new();
    for level in 0..side.levels() {
        for cluster in side.level(level) {
            list.extend(side.cluster(cluster).iter().map(|&document| Occurrence {
                document,
                level,
                cluster,
                mass: mass(side, other, document),
            }));
        }
    }
    list
}

/// Adds the documents of the universe that are missing as one last level.
fn closed(
    mut list: Vec<Occurrence>,
    universe: &[u32],
    mass: impl Fn(u32) -> f64,
) -> Vec<Occurrence> {
    let last = list.iter().map(|x| x.level + 1).max().unwrap_or(0);
    for &document in universe {
        if !list.iter().any(|x| x.document == document) {
            list.push(Occurrence {
                document,
                level: last,
                cluster: usize::MAX - document as usize,
                mass: mass(document),
            });
        }
    }
    list
}

fn weights(list: &[Occurrence], settings: &OrganizationSettings) -> (Vec<f64>, f64) {
    let c: f64 = settings.curve.c();
    let sum = |wanted: &dyn Fn(&Occurrence) -> bool| -> f64 {
        list.iter().filter(|y| wanted(y)).map(|y| y.mass).sum()
    };
    let all = sum(&|_| true);
    if settings.finite {
        return (list.iter().map(|x| x.mass / all).collect(), 0.0);
    }
    let weight = |x: &Occurrence| {
        let (above, same) = (sum(&|y| y.level < x.level), sum(&|y| y.level == x.level));
        x.mass * c / ((c + above) * (c + above + same))
    };
    (list.iter().map(weight).collect(), c / (c + all))
}

fn count_above(list: &[Occurrence], upper: u32, lower: u32) -> f64 {
    let mut count = 0;
    for x in list.iter().filter(|x| x.document == upper) {
        count += list.iter().filter(|y| y.document == lower && x.level < y.level).count();
    }
    count as f64
}

fn count_with(list: &[Occurrence], a: u32, b: u32) -> f64 {
    list.iter()
        .filter(|x| {
            x.document == a && list.iter().any(|y| y.document == b && y.cluster == x.cluster)
        })
        .count() as f64
}

fn universe(a: &Organization, b: &Organization) -> Vec<u32> {
    let mut all: Vec<u32> = [a, b]
        .iter()
        .flat_map(|side| {
            occurrences(side, side).into_iter().map(|x| x.document).chain(side.discarded().to_vec())
        })
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn priority(here: &Organization, there: &Organization, settings: &OrganizationSettings) -> f64 {
    let all = universe(here, there);
    let (mut mine, mut theirs) = (occurrences(here, there), occurrences(there, here));
    if settings.finite {
        mine = closed(mine, &all, |d| mass(here, there, d));
    }
    let plain = theirs.clone();
    if settings.finite || settings.variant == Variant::Semantic {
        theirs = closed(theirs, &all, |d| mass(there, here, d));
    }
    let (w, tail) = weights(&mine, settings);
    let mut memo = BTreeMap::new();
    let mut total = 0.0;
    for (i, x) in mine.iter().enumerate() {
        let others: f64 =
            mine.iter().zip(&w).filter(|(y, _)| y.level != x.level).map(|(_, w)| w).sum::<f64>()
                + tail;
        for (j, y) in mine.iter().enumerate().filter(|(_, y)| y.level != x.level) {
            let (upper, lower) =
                if x.level < y.level { (x.document, y.document) } else { (y.document, x.document) };
            let p = *memo.entry((upper, lower)).or_insert_with(|| {
                let pairs = count_above(&mine, upper, lower);
                count_above(&theirs, upper, lower).min(pairs) / pairs
            });
            total += p * w[i] * w[j] / others;
        }
        if !settings.finite {
            let k = mine.iter().filter(|y| y.document == x.document).count() as f64;
            let g = plain.iter().filter(|y| y.document == x.document).count() as f64;
            let p = g.min(k) / k;
            let down = if settings.variant == Variant::Table9 { 1.0 } else { p };
            total += w[i] * tail * (down / others + p / (1.0 - tail));
        }
    }
    total
}

fn relatedness(here: &Organization, there: &Organization, settings: &OrganizationSettings) -> f64 {
    let (mine, theirs) = (occurrences(here, there), occurrences(there, here));
    let (w, tail) = weights(&mine, settings);
    let mut total = 0.0;
    for (x, w) in mine.iter().zip(w) {
        let cluster: Vec<&Occurrence> = mine.iter().filter(|y| y.cluster == x.cluster).collect();
        let size: f64 = cluster.iter().map(|y| y.mass).sum();
        let agreed = |y: &&Occurrence| {
            let k = count_with(&mine, x.document, y.document);
            y.mass * count_with(&theirs, x.document, y.document).min(k) / k
        };
        total += w / size * cluster.iter().map(agreed).sum::<f64>();
    }
    if settings.finite {
        let absent: f64 = universe(here, there)
            .iter()
            .filter(|&&d| !mine.iter().any(|x| x.document == d))
            .map(|&d| mass(here, there, d))
            .sum();
        let n: f64 = mine.iter().map(|x| x.mass).sum();
        return match (n, absent) {
            (0.0, _) => 1.0,
            _ => (total * n + absent) / (n + absent),
        };
    }
    total + tail
}

/// The weight of a document, link by link.
fn linked(here: &Organization, there: &Organization, settings: &OrganizationSettings) -> f64 {
    let all = universe(here, there);
    let held = occurrences(here, there);
    let mine = if settings.finite { closed(held, &all, |d| mass(here, there, d)) } else { held };
    let (w, _) = weights(&mine, settings);
    let weight = |d: u32| -> f64 {
        mine.iter().zip(&w).filter(|(x, _)| x.document == d).map(|(_, w)| w).sum()
    };
    let (mut right, mut sum) = (0.0, 0.0);
    for &d in &all {
        let links: Vec<_> = here.links().iter().filter(|link| link.0 == d).collect();
        let ends: f64 = links.iter().map(|link| weight(link.1)).sum();
        let agreed = links.iter().filter(|link| there.links().contains(link));
        if !links.is_empty() {
            right += weight(d) * agreed.map(|link| weight(link.1)).sum::<f64>() / ends;
            sum += weight(d);
        }
    }
    if sum == 0.0 { 1.0 } else { right / sum }
}

/// The weight of each occurrence is spread over all its relations, by the weights of the other ends.
/// Kinds that have no share in the mixture are left out.
fn joint(here: &Organization, there: &Organization, settings: &OrganizationSettings) -> f64 {
    let Mix::Given(shares) = settings.mix else { panic!("the oracle is given its mixture") };
    // One kind alone is as it is defined.
    for (share, alone) in [
        (shares.priority, priority as fn(&_, &_, &_) -> f64),
        (shares.related, relatedness),
        (shares.linked, linked),
    ] {
        if share == 1.0 {
            return alone(here, there, settings);
        }
    }
    let all = universe(here, there);
    let (held, plain) = (occurrences(here, there), occurrences(there, here));
    let mine = if settings.finite {
        closed(held.clone(), &all, |d| mass(here, there, d))
    } else {
        held.clone()
    };
    let theirs = if settings.finite || settings.variant == Variant::Semantic {
        closed(plain.clone(), &all, |d| mass(there, here, d))
    } else {
        plain.clone()
    };
    let (w, tail) = weights(&mine, settings);
    // The tail has no relations but priority, and says nothing wrong without it.
    let mut total = if shares.priority > 0.0 { 0.0 } else { tail };
    for (i, x) in mine.iter().enumerate() {
        // The weight of the other end, and whether the relation is right.
        let mut relations: Vec<(f64, f64)> = Vec::new();
        for (j, y) in mine.iter().enumerate() {
            if x.level != y.level && shares.priority > 0.0 {
                let (upper, lower) = if x.level < y.level { (x, y) } else { (y, x) };
                let pairs = count_above(&mine, upper.document, lower.document);
                let agreed = count_above(&theirs, upper.document, lower.document);
                relations.push((w[j], agreed.min(pairs) / pairs));
            }
            // Documents that were added to close the collection are in no cluster.
            if x.cluster == y.cluster && i < held.len() && shares.related > 0.0 {
                let k = count_with(&held, x.document, y.document);
                relations.push((w[j], count_with(&plain, x.document, y.document).min(k) / k));
            }
        }
        let weight = |d: u32| -> f64 {
            mine.iter().zip(&w).filter(|(y, _)| y.document == d).map(|(_, w)| w).sum()
        };
        let counted = here.links().iter().filter(|_| shares.linked > 0.0);
        for link in counted.filter(|link| link.0 == x.document) {
            relations.push((weight(link.1), f64::from(there.links().contains(link))));
        }
        if !settings.finite && shares.priority > 0.0 {
            let count = |list: &[Occurrence]| {
                list.iter().filter(|y| y.document == x.document).count() as f64
            };
            let p = count(&plain).min(count(&mine)) / count(&mine);
            relations.push((tail, if settings.variant == Variant::Table9 { 1.0 } else { p }));
            // The tail's relations with all occurrences.
            total += tail * w[i] * p / (1.0 - tail);
        }
        let all: f64 = relations.iter().map(|(weight, _)| weight).sum();
        let right: f64 = relations.iter().map(|(weight, p)| weight * p).sum();
        total += if all == 0.0 { 0.0 } else { w[i] * right / all };
    }
    total
}

/// Priority, relatedness, links, and all jointly.
pub(crate) fn relations(
    gold: &Organization,
    system: &Organization,
    settings: &OrganizationSettings,
) -> [RelationScores; 4] {
    let priority = RelationScores {
        reliability: priority(system, gold, settings),
        sensitivity: priority(gold, system, settings),
    };
    let related = RelationScores {
        reliability: relatedness(system, gold, settings),
        sensitivity: relatedness(gold, system, settings),
    };
    let joint = RelationScores {
        reliability: joint(system, gold, settings),
        sensitivity: joint(gold, system, settings),
    };
    let linked = RelationScores {
        reliability: linked(system, gold, settings),
        sensitivity: linked(gold, system, settings),
    };
    [priority, related, linked, joint]
}
