//! The rankings of several runs, topic by topic.

use std::collections::{BTreeMap, BTreeSet};

use crate::align::Policy;
use crate::data::Entries;
use crate::policy::{Scores, Ties};

/// The documents of one run for one topic, best first.
pub type Ranking = Vec<Vec<u8>>;

/// The rankings of several runs.
#[derive(Debug, Default)]
pub struct Rankings {
    /// By topic, one for each run that has it.
    topics: BTreeMap<Vec<u8>, Vec<Ranking>>,
}

impl Rankings {
    /// No run yet.
    pub fn new() -> Rankings {
        Rankings::default()
    }

    /// Adds a run. Its documents are ordered by score, equal scores by the policy; the policy's
    /// depth cuts them off.
    pub fn push(&mut self, mut run: Entries, policy: &Policy) {
        run.group();
        for topic in 0..run.topic_count() as u32 {
            let score = |value: f64| {
                if policy.scores == Scores::F32 { f64::from(value as f32) } else { value }
            };
            let mut rows: Vec<(f64, &[u8])> =
                run.rows(topic).iter().map(|row| (score(row.value), run.doc(row))).collect();
            rows.sort_by(|a, b| {
                b.0.partial_cmp(&a.0).unwrap_or(std::cmp::Ordering::Equal).then_with(
                    || match policy.ties {
                        Ties::DocidDesc | Ties::Average | Ties::Range => b.1.cmp(a.1),
                        Ties::DocidAsc => a.1.cmp(b.1),
                        Ties::File => std::cmp::Ordering::Equal,
                    },
                )
            });
            rows.truncate(policy.depth.map_or(usize::MAX, |depth| depth as usize));
            let ranking = rows.into_iter().map(|(_, doc)| doc.to_vec()).collect();
            self.topics.entry(run.topic_name(topic).to_vec()).or_default().push(ranking);
        }
    }

    /// The topics with the rankings of the runs that have them.
    pub fn topics(&self) -> impl Iterator<Item = (&[u8], &[Ranking])> {
        self.topics.iter().map(|(name, rankings)| (name.as_slice(), rankings.as_slice()))
    }

    /// How many different documents stand in the first `depth` ranks, over all topics: what a pool
    /// of that depth costs.
    pub fn pool_size(&self, depth: u32) -> usize {
        let pool = |rankings: &[Ranking]| {
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

    fn entries(rows: &[(&str, &str, f64)]) -> Entries {
        let mut entries = Entries::new();
        for (line, (topic, doc, score)) in (1..).zip(rows) {
            let topic = entries.topic(topic.as_bytes());
            entries.push(topic, doc.as_bytes(), *score, line).unwrap();
        }
        entries
    }

    #[test]
    fn documents_are_ordered_and_pooled() {
        let mut rankings = Rankings::new();
        rankings.push(
            entries(&[("1", "a", 1.0), ("1", "b", 2.0), ("1", "c", 1.0), ("2", "a", 1.0)]),
            &Policy::default(),
        );
        rankings.push(
            entries(&[("1", "b", 9.0), ("1", "d", 8.0)]),
            &Policy { ties: Ties::DocidAsc, ..Policy::default() },
        );
        let first = rankings.topics().next().unwrap();
        assert_eq!(first.1[0], [b"b", b"c", b"a"]);
        assert_eq!([1, 2, 99].map(|depth| rankings.pool_size(depth)), [2, 4, 5]);
    }
}
