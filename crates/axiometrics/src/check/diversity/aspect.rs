//! What a document serves: more subtopics, or a likelier one.

use super::ranking::{A, B, Ranking, all};
use super::{Constraint, search};
use crate::check::Verdict;
use crate::measure::Metric;

/// Documents around the one in question.
const AROUND: usize = 3;

pub(super) struct Diversity;

impl Constraint for Diversity {
    fn name(&self) -> &'static str {
        "aspect-diversity"
    }
    fn statement(&self) -> &'static str {
        "in place of a document, one that serves the same subtopics and others too is better"
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        const SUBTOPICS: u32 = 3;
        let kinds = 1 << SUBTOPICS;
        let pairs = move || (0..kinds).flat_map(move |few| (0..kinds).map(move |more| (few, more)));
        let cases = all(SUBTOPICS, AROUND).flat_map(move |around| {
            let pairs = pairs().filter(|(few, more)| few & more == *few && few != more);
            pairs.flat_map(move |(few, more)| {
                let around = around.clone();
                (0..=around.len()).map(move |rank| {
                    let ranked = [&around[..rank], &[more], &around[rank..]].concat();
                    let good = Ranking::new(&ranked, &[few]);
                    let bad = good.exchanged(rank, ranked.len());
                    [good, bad]
                })
            })
        });
        search(metric, SUBTOPICS, cases)
    }
}

pub(super) struct Relevance;

impl Constraint for Relevance {
    fn name(&self) -> &'static str {
        "aspect-relevance"
    }
    fn statement(&self) -> &'static str {
        "of two documents of one subtopic each, equally often served above, that of the likelier subtopic is better"
    }
    fn decide(&self, metric: &Metric) -> Verdict {
        let balanced = |above: &Vec<u8>| {
            let served = |subtopic| above.iter().filter(|d| **d & subtopic != 0).count();
            served(A) == served(B)
        };
        let cases = all(2, AROUND).filter(balanced).map(|above| {
            let ranked = [&above[..], &[A]].concat();
            let likelier =
                Ranking { weights: vec![2.0 / 3.0, 1.0 / 3.0], ..Ranking::new(&ranked, &[B]) };
            let other = likelier.exchanged(above.len(), ranked.len());
            [likelier, other]
        });
        search(metric, 2, cases)
    }
}
