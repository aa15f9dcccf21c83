//! One topic as several runs rank it.

use std::collections::HashMap;

use crate::data::Run;
use crate::policy::{Rounding, Ties};

/// The rankings of one topic, over documents that are numbered in the order in which they are met:
/// those of the first run, then the new ones of the second, and so on.
#[derive(Debug, Default)]
pub(super) struct Topic<'r> {
    pub(super) documents: Vec<&'r [u8]>,
    /// A ranking for each run, best first.
    pub(super) lists: Vec<Vec<Ranked>>,
}

/// A document in a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ranked {
    pub(super) document: u32,
    pub(super) score: f64,
}

impl<'r> Topic<'r> {
    /// The topic of this name in all runs; a run that lacks it has an empty ranking.
    pub(super) fn of(name: &[u8], runs: &[&'r Run], ties: Ties) -> Topic<'r> {
        let mut numbers: HashMap<&'r [u8], u32> = HashMap::new();
        let mut topic = Topic::default();
        for run in runs {
            let ranking = match run.find(name) {
                Some(number) => run.ranking(number, ties, Rounding::F64),
                None => Vec::new(),
            };
            let mut list = Vec::with_capacity(ranking.len());
            for (id, score) in ranking {
                let document = *numbers.entry(id).or_insert_with(|| {
                    topic.documents.push(id);
                    topic.documents.len() as u32 - 1
                });
                list.push(Ranked { document, score });
            }
            topic.lists.push(list);
        }
        topic
    }

    /// For each document something made of its scores, in the order of runs.
    pub(super) fn by_document(&self, mut value: impl FnMut(&[(usize, f64)]) -> f64) -> Vec<f64> {
        let mut of_document: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.documents.len()];
        for (run, list) in self.lists.iter().enumerate() {
            for Ranked { document, score } in list {
                of_document[*document as usize].push((run, *score));
            }
        }
        of_document.iter().map(|scores| value(scores)).collect()
    }

    /// The same rankings with other scores: `score` is given the run, the rank from 0, the length
    /// of the ranking and the score.
    pub(super) fn rescored(&self, score: impl Fn(usize, usize, usize, f64) -> f64) -> Topic<'r> {
        let rescored = |(run, list): (usize, &Vec<Ranked>)| {
            let rescored = |(rank, ranked): (usize, &Ranked)| Ranked {
                score: score(run, rank, list.len(), ranked.score),
                ..*ranked
            };
            list.iter().enumerate().map(rescored).collect()
        };
        Topic {
            documents: self.documents.clone(),
            lists: self.lists.iter().enumerate().map(rescored).collect(),
        }
    }
}
