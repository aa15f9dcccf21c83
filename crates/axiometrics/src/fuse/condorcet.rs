//! Documents ordered by majorities of runs.

use super::method::{FusionDef, MethodSettings};
use super::topic::{Ranked, Topic};

const REFERENCE: &str = "Montague and Aslam, Condorcet fusion for improved retrieval, CIKM 2002";

/// The methods.
pub(super) const METHODS: &[FusionDef] = &[
    FusionDef {
        name: "condorcet",
        title: "Condorcet fusion",
        definition: "A document stands above the next one if at least as many runs rank it higher \
                     as rank it lower. The score is n for the first of n documents, 1 for the last.",
        params: &[],
        weighted: false,
        reference: REFERENCE,
        combine: condorcet,
        learn: None,
    },
    FusionDef {
        name: "w_condorcet",
        title: "Weighted Condorcet fusion",
        definition: "The same, with the weights of the runs as votes.",
        params: &[],
        weighted: true,
        reference: REFERENCE,
        combine: condorcet,
        learn: None,
    },
];

/// Majorities can go round in a circle, so that no order follows them all. Merging keeps each
/// document from losing to the one behind it, which is what the method asks for, with few
/// comparisons and the same result whenever it is asked; documents start in the order of the first
/// run, then that of the second.
fn condorcet(topic: &Topic<'_>, settings: &MethodSettings<'_>) -> Vec<f64> {
    let all = topic.documents.len();
    let positions: Vec<Vec<u32>> = topic
        .lists
        .iter()
        .map(|list| {
            let mut places = vec![u32::MAX; all];
            for (rank, Ranked { document, .. }) in (0..).zip(list) {
                places[*document as usize] = rank;
            }
            places
        })
        .collect();
    let stands_above = |a: u32, b: u32| {
        let (mut above, mut below) = (0.0, 0.0);
        for (run, places) in positions.iter().enumerate() {
            let (of_a, of_b) = (places[a as usize], places[b as usize]);
            if of_a < of_b {
                above += settings.weight(run);
            } else if of_b < of_a {
                below += settings.weight(run);
            }
        }
        above >= below
    };
    let order = merge_sorted((0..all as u32).collect(), &stands_above);
    let mut scores = vec![0.0; all];
    for (rank, document) in order.into_iter().enumerate() {
        scores[document as usize] = (all - rank) as f64;
    }
    scores
}

fn merge_sorted(order: Vec<u32>, above: &impl Fn(u32, u32) -> bool) -> Vec<u32> {
    if order.len() < 2 {
        return order;
    }
    let (left, right) = order.split_at(order.len() / 2);
    let left = merge_sorted(left.to_vec(), above);
    let right = merge_sorted(right.to_vec(), above);
    let mut merged = Vec::with_capacity(order.len());
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (left.get(i), right.get(j)) {
        if above(*a, *b) {
            merged.push(*a);
            i += 1;
        } else {
            merged.push(*b);
            j += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    merged
}
