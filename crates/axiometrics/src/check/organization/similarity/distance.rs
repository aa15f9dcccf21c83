//! What is missing from the best score is a distance.

use super::{Bench, Similarity, agreement, equal, symmetry};
use crate::check::Verdict;
use crate::check::organization::Instance;
use crate::check::witness::number;

pub(super) struct Distance;

impl Similarity for Distance {
    fn name(&self) -> &'static str {
        "distance"
    }
    fn statement(&self) -> &'static str {
        "what a score lacks to the best one is a distance: 0 for identical clusterings alone, symmetric, and no detour is shorter"
    }
    fn decide(&self, bench: &Bench<'_>) -> Verdict<Instance> {
        let (best, ..) = match agreement::best(bench) {
            Ok(found) => found,
            Err(instance) => return Verdict::violated(instance),
        };
        if let Err(instance) = symmetry::check(bench) {
            return Verdict::violated(instance);
        }
        let Some(best) = best else { return bench.searched(0, 0) };
        let (mut cases, mut skipped) = (0, 0);
        for table in bench.tables() {
            let count = table.partitions.len();
            let far = |a: usize, b: usize| table.score(a, b).map(|score| bench.loss(best, score));
            for (a, b) in table.pairs().filter(|(a, b)| a < b) {
                for c in 0..count {
                    let (Some(direct), Some(first), Some(second)) =
                        (far(a, b), far(a, c), far(c, b))
                    else {
                        skipped += 1;
                        continue;
                    };
                    cases += 1;
                    if direct <= first + second || equal(direct, first + second) {
                        continue;
                    }
                    let [x, y, z] = [a, b, c].map(|i| &table.partitions[i]);
                    let text = format!(
                        "{} and {} are {} apart, by way of {} only {} and {}",
                        x.text(),
                        y.text(),
                        number(direct),
                        z.text(),
                        number(first),
                        number(second)
                    );
                    let score = |a, b| table.score(a, b).unwrap_or(f64::NAN);
                    let pairs = [(x, y, score(a, b)), (x, z, score(a, c)), (z, y, score(c, b))];
                    return Verdict::violated(bench.instance(&pairs, text));
                }
            }
        }
        bench.searched(cases, skipped)
    }
}
