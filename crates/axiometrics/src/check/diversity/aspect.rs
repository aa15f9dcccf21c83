//! What a document serves: more subtopics, or a likelier one.

use super::ranking::{A, B, Served, SubtopicRanking, all};
use super::{COLLECTIONS, DiversityConstraint, search};
use crate::check::Verdict;
use crate::measure::Metric;

/// Documents around the one in question.
const AROUND: usize = 3;

pub(super) struct Diversity;

impl DiversityConstraint for Diversity {
    fn name(&self) -> &'static str {
        "aspect-diversity"
    }
    fn statement(&self) -> &'static str {
        "in place of a document, one that serves the same subtopics and others too is better"
    }
    fn worlds(&self) -> String {
        format!(
            "a document at each rank among all rankings of up to {AROUND} documents that serve some of 2 subtopics, or of up to {} that serve some of 3, {COLLECTIONS}",
            AROUND - 1
        )
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        let cases = [(2, AROUND), (3, AROUND - 1)].into_iter().flat_map(|(subtopics, most)| {
            all(subtopics, most).flat_map(move |around| exchanges(1 << subtopics, around))
        });
        search(metric, 3, cases)
    }
}

/// At each rank among some documents: one that serves some subtopics, and one that serves more.
fn exchanges(kinds: Served, around: Vec<Served>) -> impl Iterator<Item = [SubtopicRanking; 2]> {
    let pairs = (0..kinds).flat_map(move |few| (0..kinds).map(move |more| (few, more)));
    pairs.filter(|(few, more)| few & more == *few && few != more).flat_map(move |(few, more)| {
        let around = around.clone();
        (0..=around.len()).map(move |rank| {
            let ranked = [&around[..rank], &[more], &around[rank..]].concat();
            let good = SubtopicRanking::new(&ranked, &[few]);
            let bad = good.exchanged(rank, ranked.len());
            [good, bad]
        })
    })
}

pub(super) struct Relevance;

impl DiversityConstraint for Relevance {
    fn name(&self) -> &'static str {
        "aspect-relevance"
    }
    fn statement(&self) -> &'static str {
        "of two documents of one subtopic each, equally often served above, that of the likelier subtopic is better"
    }
    fn worlds(&self) -> String {
        format!(
            "a document after all rankings of up to {AROUND} documents that serve some of 2 subtopics, one twice as likely as the other, {COLLECTIONS}"
        )
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        let balanced = |above: &Vec<u8>| {
            let served = |subtopic| above.iter().filter(|d| **d & subtopic != 0).count();
            served(A) == served(B)
        };
        let cases = all(2, AROUND).filter(balanced).map(|above| {
            let ranked = [&above[..], &[A]].concat();
            let likelier = SubtopicRanking {
                weights: vec![2.0 / 3.0, 1.0 / 3.0],
                ..SubtopicRanking::new(&ranked, &[B])
            };
            let other = likelier.exchanged(above.len(), ranked.len());
            [likelier, other]
        });
        search(metric, 2, cases)
    }
}
