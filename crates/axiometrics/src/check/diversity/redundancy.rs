//! What the documents above a document have served already.

use super::ranking::{A, B, Ranking, Served, all};
use super::{Constraint, search};
use crate::check::Verdict;
use crate::measure::Metric;

/// Documents above the one in question, and below it.
const ABOVE: usize = 4;
const BELOW: usize = 2;

pub(super) struct Redundancy;

impl Constraint for Redundancy {
    fn name(&self) -> &'static str {
        "redundancy"
    }
    fn statement(&self) -> &'static str {
        "a document of a subtopic that nothing above it serves is better than one of a subtopic that has been served"
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        search(metric, 2, cases(|stale, fresh| stale > 0 && fresh == 0))
    }
}

pub(super) struct Monotonic;

impl Constraint for Monotonic {
    fn name(&self) -> &'static str {
        "monotonic-redundancy"
    }
    fn statement(&self) -> &'static str {
        "of two documents of one subtopic each, that whose subtopic was served less often above it is better"
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        search(metric, 2, cases(|stale, fresh| stale > fresh))
    }
}

/// All rankings in which the subtopics a and b were served so often that a document of b is better
/// than one of a at the same rank; the shortest first.
fn cases(wanted: fn(usize, usize) -> bool) -> impl Iterator<Item = [Ranking; 2]> {
    let served = |above: &[Served], subtopic| above.iter().filter(|d| **d & subtopic != 0).count();
    let rankings = all(2, ABOVE + BELOW).flat_map(|around| {
        let least = around.len().saturating_sub(BELOW);
        (least..=around.len().min(ABOVE)).map(move |rank| (around.clone(), rank))
    });
    rankings
        .filter(move |(around, rank)| {
            wanted(served(&around[..*rank], A), served(&around[..*rank], B))
        })
        .map(|(around, rank)| {
            let ranked = [&around[..rank], &[B], &around[rank..]].concat();
            let good = Ranking::new(&ranked, &[A]);
            let bad = good.exchanged(rank, ranked.len());
            [good, bad]
        })
}
