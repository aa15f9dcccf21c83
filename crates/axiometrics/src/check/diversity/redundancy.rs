//! What the documents above a document have served already.

use super::ranking::{A, B, Served, SubtopicRanking, all};
use super::{COLLECTIONS, DiversityConstraint, search};
use crate::check::Verdict;
use crate::measure::Metric;

/// Documents above the one in question.
const ABOVE: usize = 4;

pub(super) struct Redundancy;

impl DiversityConstraint for Redundancy {
    fn name(&self) -> &'static str {
        "redundancy"
    }
    fn statement(&self) -> &'static str {
        "at the end of a ranking, a document of a subtopic that nothing above it serves is better than one of a subtopic that has been served"
    }
    fn worlds(&self) -> String {
        worlds()
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        search(metric, 2, cases(|stale, fresh| stale > 0 && fresh == 0))
    }
}

pub(super) struct MonotonicRedundancy;

impl DiversityConstraint for MonotonicRedundancy {
    fn name(&self) -> &'static str {
        "monotonic-redundancy"
    }
    fn statement(&self) -> &'static str {
        "at the end of a ranking, of two documents of one subtopic each, that whose subtopic was served less often above it is better"
    }
    fn worlds(&self) -> String {
        worlds()
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        search(metric, 2, cases(|stale, fresh| stale > fresh))
    }
}

fn worlds() -> String {
    format!(
        "a document after all rankings of up to {ABOVE} documents that serve some of 2 subtopics, {COLLECTIONS}"
    )
}

/// All rankings in which the subtopics a and b were served so often that a document of b is better
/// at the end than one of a; the shortest first. Nothing comes below: what follows would mix the
/// question with how often each subtopic is served in the end.
fn cases(wanted: fn(usize, usize) -> bool) -> impl Iterator<Item = [SubtopicRanking; 2]> {
    let served = |above: &[Served], subtopic| above.iter().filter(|d| **d & subtopic != 0).count();
    all(2, ABOVE).filter(move |above| wanted(served(above, A), served(above, B))).map(|above| {
        let ranked = [&above[..], &[B]].concat();
        let good = SubtopicRanking::new(&ranked, &[A]);
        let bad = good.exchanged(above.len(), ranked.len());
        [good, bad]
    })
}
