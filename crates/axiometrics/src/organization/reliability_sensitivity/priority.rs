//! The weight of the priority relations of one side that the other side agrees with, the tail left
//! aside.
//!
//! For two documents with `a` pairs of occurrences in which d is above e here, and `b` there, the
//! agreement is min(a, b)/a. Each pair of occurrences x above y weighs w_x w_y (1/W_x + 1/W_y).
//! Documents are *single* where they occur once on both sides, *repeated* otherwise:
//!
//! - single with single: one sweep over the levels here, with a Fenwick tree over the levels there;
//! - repeated with single: min(a, b)/a = (1/a) (number of t <= a with b >= t), so each term is a
//!   sum over a rectangle of levels, answered in the same sweep;
//! - repeated with repeated: once for each pair of distinct profiles.
//!
//! A document that the other side does not hold agrees with nothing and is left out.

use std::collections::BTreeMap;

use super::super::Sum;
use super::fenwick::Fenwick;
use super::layers::Layers;
use super::weights::Weights;

/// The sum over the pairs of occurrences on different levels.
pub(super) fn agreed_weight(here: &Layers, weights: &Weights, there: &Layers) -> f64 {
    let mut profiles: BTreeMap<(&[u32], &[u32]), f64> = BTreeMap::new();
    let mut singles = vec![0usize; here.count() + 1];
    for document in 0..here.documents() {
        match (here.of(document), there.of(document)) {
            ([], _) | (_, []) => {}
            (&[level], [_]) => singles[level as usize + 1] += 1,
            profile => *profiles.entry(profile).or_default() += 1.0,
        }
    }
    for level in 0..here.count() {
        singles[level + 1] += singles[level];
    }
    // The level there of each single document, sorted by its level here.
    let mut sorted = vec![0; singles[here.count()]];
    let mut next = singles.clone();
    for document in 0..here.documents() {
        if let (&[level], &[answer]) = (here.of(document), there.of(document)) {
            sorted[next[level as usize]] = answer;
            next[level as usize] += 1;
        }
    }
    let mut queries: Vec<Query> = Vec::new();
    for (&(mine, theirs), &count) in &profiles {
        rectangles(mine, theirs, count, weights, there.count() as u32, &mut queries);
    }
    queries.sort_unstable_by_key(|query| query.before);
    sweep(&singles, &sorted, weights, there.count(), &queries) + among_profiles(&profiles, weights)
}

/// Asks for the single documents on levels before `before` here and before `bound` there: the sum
/// of their w times `weight`, plus the sum of their w/W times `normed`.
struct Query {
    before: u32,
    bound: u32,
    weight: f64,
    normed: f64,
}

/// Goes down the levels here; a level is inserted after it was queried, since documents of one
/// level are not ordered.
fn sweep(
    starts: &[usize],
    sorted: &[u32],
    weights: &Weights,
    answers: usize,
    queries: &[Query],
) -> f64 {
    let mut tree = Fenwick::new(answers);
    let mut total = Sum::default();
    let mut queries = queries.iter().peekable();
    for level in 0..starts.len() {
        while let Some(query) = queries.next_if(|query| query.before as usize <= level) {
            let [weight, normed] = tree.before(query.bound as usize);
            total.add(query.weight * weight + query.normed * normed);
        }
        // One more round than there are levels, for the queries that see them all.
        let Some(own) = weights.levels.get(level) else { continue };
        let documents = &sorted[starts[level]..starts[level + 1]];
        for &answer in documents {
            let [weight, normed] = tree.before(answer as usize);
            total.add(own.weight * normed + own.normed * weight);
        }
        for &answer in documents {
            tree.add(answer as usize, [own.weight, own.normed]);
        }
    }
    total.total()
}

/// The queries of one profile against the single documents, those below it and those above it.
fn rectangles(
    mine: &[u32],
    theirs: &[u32],
    count: f64,
    weights: &Weights,
    answers: u32,
    queries: &mut Vec<Query>,
) {
    let levels = weights.levels.len() as u32;
    let mut ask = |from: u32, to: u32, bounds: [(u32, f64); 2], weight: f64, normed: f64| {
        if from >= to {
            return;
        }
        for (before, sign) in [(to, 1.0), (from, -1.0)] {
            for (bound, side) in bounds.iter().filter(|(bound, side)| *bound > 0 && *side != 0.0) {
                let factor = sign * side * count;
                queries.push(Query {
                    before,
                    bound: *bound,
                    weight: factor * weight,
                    normed: factor * normed,
                });
            }
        }
    };
    let k = mine.len();
    let (mut weight, mut normed) = (0.0, 0.0);
    for above in 1..=k {
        let own = weights.levels[mine[above - 1] as usize];
        weight += own.weight;
        normed += own.normed;
        // Exactly `above` of my occurrences are above a document on these levels.
        let (from, to) = (mine[above - 1] + 1, mine.get(above).map_or(levels, |level| level + 1));
        for &their in theirs.iter().take(above) {
            ask(
                from,
                to,
                [(answers, 1.0), (their + 1, -1.0)],
                normed / above as f64,
                weight / above as f64,
            );
        }
    }
    let (mut weight, mut normed) = (0.0, 0.0);
    for below in 1..=k {
        let own = weights.levels[mine[k - below] as usize];
        weight += own.weight;
        normed += own.normed;
        let (from, to) = (if below == k { 0 } else { mine[k - below - 1] }, mine[k - below]);
        for &their in theirs.iter().rev().take(below) {
            ask(from, to, [(their, 1.0), (0, 0.0)], normed / below as f64, weight / below as f64);
        }
    }
}

fn among_profiles(profiles: &BTreeMap<(&[u32], &[u32]), f64>, weights: &Weights) -> f64 {
    let mut total = 0.0;
    for (&(upper, upper_there), &uppers) in profiles {
        for (&(lower, lower_there), &lowers) in profiles {
            let (pairs, weight) = above(upper, lower, weights);
            if pairs > 0 {
                let agreed = pairs_above(upper_there, lower_there).min(pairs);
                total += uppers * lowers * weight * agreed as f64 / pairs as f64;
            }
        }
    }
    total
}

/// How many pairs of occurrences have the upper document above the lower, and what these relations
/// weigh together.
pub(super) fn above(upper: &[u32], lower: &[u32], weights: &Weights) -> (u64, f64) {
    let (mut pairs, mut total) = (0, 0.0);
    let (mut seen, mut weight, mut normed) = (0, 0.0, 0.0);
    for &level in lower {
        while seen < upper.len() && upper[seen] < level {
            weight += weights.levels[upper[seen] as usize].weight;
            normed += weights.levels[upper[seen] as usize].normed;
            seen += 1;
        }
        let own = weights.levels[level as usize];
        pairs += seen as u64;
        total += own.weight * normed + own.normed * weight;
    }
    (pairs, total)
}

/// How many pairs of occurrences have the upper document above the lower.
pub(super) fn pairs_above(upper: &[u32], lower: &[u32]) -> u64 {
    let mut seen = 0;
    let mut pairs = 0;
    for &level in lower {
        while seen < upper.len() && upper[seen] < level {
            seen += 1;
        }
        pairs += seen as u64;
    }
    pairs
}
