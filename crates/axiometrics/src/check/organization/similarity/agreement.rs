//! The best score is for identical clusterings, the worst for those that agree on nothing.

use std::cmp::Ordering;

use super::{Bench, Similarity, equal};
use crate::check::Verdict;
use crate::check::organization::Instance;
use crate::check::witness::number;

pub(super) struct Maximal;

impl Similarity for Maximal {
    fn name(&self) -> &'static str {
        "maximal-agreement"
    }
    fn statement(&self) -> &'static str {
        "identical clusterings have the best score, always the same, and no others have it"
    }
    fn decide(&self, bench: &Bench<'_>) -> Verdict<Instance> {
        match best(bench) {
            Ok((_, cases, skipped)) => bench.searched(cases, skipped),
            Err(instance) => Verdict::violated(instance),
        }
    }
}

/// The score of identical clusterings, with the number of cases and of those that were skipped; or
/// a case in which it is not the same, or not the best.
pub(super) fn best(bench: &Bench<'_>) -> Result<(Option<f64>, u64, u64), Instance> {
    let (mut cases, mut skipped) = (0, 0);
    let mut best: Option<f64> = None;
    let mut first = None;
    for table in bench.tables() {
        for (a, b) in table.pairs() {
            let (gold, system) = (&table.partitions[a], &table.partitions[b]);
            let (Some(own), Some(score)) = (table.score(a, a), table.score(a, b)) else {
                skipped += 1;
                continue;
            };
            cases += 1;
            let known = *best.get_or_insert(own);
            let (other, _) = first.get_or_insert((gold.clone(), own));
            if !equal(known, own) {
                let text = format!(
                    "{0} against itself scores {1}, {2} against itself {3}",
                    other.text(),
                    number(known),
                    gold.text(),
                    number(own)
                );
                let pairs = [(&*other, &*other, known), (gold, gold, own)];
                return Err(bench.instance(&pairs, text));
            }
            if a != b && bench.compare(own, score) != Ordering::Greater {
                let text = format!(
                    "against {}, {} scores {}, no worse than the gold standard itself with {}",
                    gold.text(),
                    system.text(),
                    number(score),
                    number(own)
                );
                return Err(bench.instance(&[(gold, gold, own), (gold, system, score)], text));
            }
        }
    }
    Ok((best, cases, skipped))
}

pub(super) struct Minimal;

impl Similarity for Minimal {
    fn name(&self) -> &'static str {
        "minimal-agreement"
    }
    fn statement(&self) -> &'static str {
        "one cluster against all documents apart, which agree on no pair, has the worst score, and nothing else has it"
    }
    fn decide(&self, bench: &Bench<'_>) -> Verdict<Instance> {
        let (mut cases, mut skipped) = (0, 0);
        for table in bench.tables() {
            let (one, apart) = (0, table.partitions.len() - 1);
            for (worst_gold, worst_system) in [(one, apart), (apart, one)] {
                let Some(worst) = table.score(worst_gold, worst_system) else {
                    skipped += 1;
                    continue;
                };
                for (a, b) in table.pairs() {
                    let (gold, system) = (&table.partitions[a], &table.partitions[b]);
                    let Some(score) = table.score(a, b) else {
                        skipped += 1;
                        continue;
                    };
                    cases += 1;
                    let order = bench.compare(score, worst);
                    let wrong = if gold.agrees(system) {
                        order != Ordering::Greater
                    } else {
                        order != Ordering::Equal
                    };
                    if wrong {
                        let [x, y] = [worst_gold, worst_system].map(|i| &table.partitions[i]);
                        let text = format!(
                            "{} against {} scores {}, {} against {} {}, which {}",
                            y.text(),
                            x.text(),
                            number(worst),
                            system.text(),
                            gold.text(),
                            number(score),
                            if gold.agrees(system) { "is not better" } else { "is not the same" }
                        );
                        let pairs = [(x, y, worst), (gold, system, score)];
                        return Verdict::violated(bench.instance(&pairs, text));
                    }
                }
            }
        }
        bench.searched(cases, skipped)
    }
}
