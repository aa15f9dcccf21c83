//! A step towards the gold standard is an improvement.

use std::cmp::Ordering;

use super::partition::Partition;
use super::{Bench, Similarity};
use crate::check::Verdict;
use crate::check::organization::Instance;
use crate::check::shape::Random;
use crate::check::witness::number;

/// How many larger partitions are drawn, and of how many documents.
const DRAWN: u64 = 600;
const LARGEST: u64 = 12;

pub(super) struct Monotonicity;

impl Similarity for Monotonicity {
    fn name(&self) -> &'static str {
        "monotonicity"
    }
    fn statement(&self) -> &'static str {
        "joining clusters of one class, or splitting a cluster without parting a class, is better; for every gold standard but one cluster and all documents apart"
    }
    fn decide(&self, bench: &Bench<'_>) -> Verdict<Instance> {
        let (mut cases, mut skipped) = (0, 0);
        let mut tie = None;
        let mut look = |gold: &Partition, system: &Partition| {
            let before = bench.score(gold, system);
            for better in system.improvements(gold) {
                let (Some(before), Some(after)) = (before, bench.score(gold, &better)) else {
                    skipped += 1;
                    continue;
                };
                cases += 1;
                let order = bench.compare(after, before);
                if order == Ordering::Greater {
                    continue;
                }
                let text = format!(
                    "against {}, {} scores {}, and one step nearer {} {}",
                    gold.text(),
                    system.text(),
                    number(before),
                    better.text(),
                    number(after)
                );
                let instance =
                    bench.instance(&[(gold, &better, after), (gold, system, before)], text);
                // A score of 0 sees no agreement at all, before and after: a degenerate tie.
                if order == Ordering::Equal && before == 0.0 && after == 0.0 {
                    tie.get_or_insert(instance);
                } else {
                    return Some(instance);
                }
            }
            None
        };
        for table in bench.tables() {
            for (a, b) in table.pairs().filter(|(a, _)| table.partitions[*a].is_proper()) {
                if let Some(instance) = look(&table.partitions[a], &table.partitions[b]) {
                    return Verdict::violated(instance);
                }
            }
        }
        let mut random = Random::new(bench.seed);
        for _ in 0..DRAWN {
            let documents = random.below(LARGEST - super::DOCS as u64) as usize + super::DOCS + 1;
            let gold = Partition::draw(&mut random, documents);
            let system = Partition::draw(&mut random, documents);
            if gold.is_proper()
                && let Some(instance) = look(&gold, &system)
            {
                return Verdict::violated(instance);
            }
        }
        match (tie, bench.searched(cases, skipped)) {
            (Some(witness), _) => Verdict::Weak { witness },
            (None, Verdict::Searched(bounds)) => {
                Verdict::Sampled { bounds, trials: DRAWN, seed: bench.seed }
            }
            (None, verdict) => verdict,
        }
    }
}
