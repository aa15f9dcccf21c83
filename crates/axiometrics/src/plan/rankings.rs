//! The rankings of several runs, topic by topic.

use std::collections::{BTreeMap, BTreeSet};

use crate::align::Policy;
use crate::data::Run;

/// The documents of one run for one topic, best first.
pub type RankedDocuments = Vec<Vec<u8>>;

/// The rankings of several runs.
#[derive(Debug, Default)]
pub struct Rankings {
    /// By topic, one for each run that has it.
    topics: BTreeMap<Vec<u8>, Vec<RankedDocuments>>,
}

impl Rankings {
    /// No run yet.
    pub fn new() -> Rankings {
        Rankings::default()
    }

    /// Adds a run. Its documents are ordered by score, equal scores by the policy; the policy's
    /// depth cuts them off.
    pub fn push(&mut self, run: &Run, policy: &Policy) {
        let depth = policy.depth.map_or(usize::MAX, |depth| depth as usize);
        for topic in run.topics() {
            let ranking = run.ranking(topic, policy.ties, policy.scores);
            let ranking = ranking.into_iter().take(depth).map(|(doc, _)| doc.to_vec()).collect();
            self.topics.entry(run.topic_bytes(topic).to_vec()).or_default().push(ranking);
        }
    }

    /// The topics with the rankings of the runs that have them.
    pub fn topics(&self) -> impl Iterator<Item = (&[u8], &[RankedDocuments])> {
        self.topics.iter().map(|(name, rankings)| (name.as_slice(), rankings.as_slice()))
    }

    /// The greatest depth of which the pool costs no more than a budget; 0 if none does.
    pub fn affordable(&self, budget: usize) -> u32 {
        let deepest = self.topics().flat_map(|(_, all)| all.iter().map(Vec::len)).max();
        let (mut low, mut high) = (0, deepest.unwrap_or(0) as u32 + 1);
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if self.pool_size(middle) <= budget {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// How many different documents stand in the first `depth` ranks, over all topics: what a pool
    /// of that depth costs.
    pub fn pool_size(&self, depth: u32) -> usize {
        let pool = |rankings: &[RankedDocuments]| {
            rankings
                .iter()
                .flat_map(|documents| documents.iter().take(depth as usize))
                .collect::<BTreeSet<_>>()
                .len()
        };
        self.topics().map(|(_, rankings)| pool(rankings)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Ties;

    fn run(rows: &[(&str, &str, f64)]) -> Run {
        let mut run = Run::builder();
        run.extend(rows.iter().copied());
        run.build().unwrap()
    }

    #[test]
    fn documents_are_ordered_and_pooled() {
        let mut rankings = Rankings::new();
        rankings.push(
            &run(&[("1", "a", 1.0), ("1", "b", 2.0), ("1", "c", 1.0), ("2", "a", 1.0)]),
            &Policy::default(),
        );
        rankings.push(
            &run(&[("1", "b", 9.0), ("1", "d", 8.0)]),
            &Policy { ties: Ties::DocidAsc, ..Policy::default() },
        );
        let first = rankings.topics().next().unwrap();
        assert_eq!(first.1[0], [b"b", b"c", b"a"]);
        assert_eq!([1, 2, 99].map(|depth| rankings.pool_size(depth)), [2, 4, 5]);
        assert_eq!([1, 3, 4, 99].map(|budget| rankings.affordable(budget)), [0, 1, 2, 3]);
    }
}
