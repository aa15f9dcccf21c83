//! It does not matter which of the two is the gold standard.

use super::{Bench, Similarity, equal};
use crate::check::Verdict;
use crate::check::organization::Instance;
use crate::check::witness::number;

pub(super) struct Symmetry;

impl Similarity for Symmetry {
    fn name(&self) -> &'static str {
        "symmetry"
    }
    fn statement(&self) -> &'static str {
        "the score is the same if the gold standard and the system change places"
    }
    fn decide(&self, bench: &Bench<'_>) -> Verdict<Instance> {
        match check(bench) {
            Ok((cases, skipped)) => bench.searched(cases, skipped),
            Err(instance) => Verdict::violated(instance),
        }
    }
}

/// The number of cases and of those that were skipped, or a case that is not symmetric.
pub(super) fn check(bench: &Bench<'_>) -> Result<(u64, u64), Instance> {
    let (mut cases, mut skipped) = (0, 0);
    for table in bench.tables() {
        for (a, b) in table.pairs().filter(|(a, b)| a < b) {
            let (one, other) = (&table.partitions[a], &table.partitions[b]);
            match (table.score(a, b), table.score(b, a)) {
                (Some(x), Some(y)) if !equal(x, y) => {
                    let text = format!(
                        "against {0}, {1} scores {2}; against {1}, {0} scores {3}",
                        one.text(),
                        other.text(),
                        number(x),
                        number(y)
                    );
                    return Err(bench.instance(&[(one, other, x), (other, one, y)], text));
                }
                (Some(_), Some(_)) => cases += 1,
                _ => skipped += 1,
            }
        }
    }
    Ok((cases, skipped))
}
