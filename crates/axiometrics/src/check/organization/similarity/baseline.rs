//! Chance has the same score, whatever the sizes of the clusters.

use super::partition::Partition;
use super::{Bench, Similarity, equal};
use crate::check::Verdict;
use crate::check::organization::Instance;
use crate::check::witness::number;

pub(super) struct ConstantBaseline;

impl Similarity for ConstantBaseline {
    fn name(&self) -> &'static str {
        "constant-baseline"
    }
    fn statement(&self) -> &'static str {
        "random clusterings of given sizes have the same mean score, whatever the sizes and the gold standard (but one cluster and all documents apart)"
    }
    fn decide(&self, bench: &Bench<'_>) -> Verdict<Instance> {
        let (mut cases, mut skipped) = (0, 0);
        let mut first: Option<(String, f64)> = None;
        for table in bench.tables() {
            let proper = |p: &Partition| p.is_proper();
            let mut sizes: Vec<Vec<usize>> =
                table.partitions.iter().filter(|p| proper(p)).map(Partition::sizes).collect();
            sizes.sort();
            sizes.dedup();
            for (a, gold) in table.partitions.iter().enumerate().filter(|(_, p)| proper(p)) {
                for size in &sizes {
                    let scores: Option<Vec<f64>> = (0..table.partitions.len())
                        .filter(|b| table.partitions[*b].sizes() == *size)
                        .map(|b| table.score(a, b))
                        .collect();
                    let Some(scores) = scores else {
                        skipped += 1;
                        continue;
                    };
                    cases += 1;
                    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
                    let list: Vec<String> = size.iter().map(usize::to_string).collect();
                    let told = format!(
                        "against {}, clusterings of sizes {}",
                        gold.text(),
                        list.join(", ")
                    );
                    let (known, base) = first.get_or_insert_with(|| (told.clone(), mean));
                    if !equal(*base, mean) {
                        let text = format!(
                            "{known} have the mean score {}; {told} {}",
                            number(*base),
                            number(mean)
                        );
                        return Verdict::violated(bench.instance(&[], text));
                    }
                }
            }
        }
        bench.searched(cases, skipped)
    }
}
