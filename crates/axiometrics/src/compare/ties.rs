//! Whether the order of documents with equal scores decides a comparison.

use super::model::{Comparison, Pair};
use crate::warning::{Kind, Warnings};

/// Warns of the pairs that come out otherwise in a second comparison, of the same runs with equal
/// scores ordered the other way round.
pub fn warn_of_ties(comparison: &mut Comparison, other: &Comparison, warnings: &mut Warnings) {
    for (measure, other) in comparison.measures.iter().zip(&other.measures) {
        let decided = |pair: &&Pair| {
            other.pair(&pair.a, &pair.b).is_some_and(|other| verdict(pair) != verdict(other))
        };
        for pair in measure.pairs.iter().filter(decided) {
            warnings.add_example(
                Kind::TiesDecide,
                1,
                &measure.measure,
                &format!("{} against {}", pair.a, pair.b),
            );
        }
    }
    comparison.warnings = warnings.list();
}

/// Which system is better, and whether the difference is significant.
fn verdict(pair: &Pair) -> (f64, bool) {
    (if pair.wins + pair.losses == 0 { 0.0 } else { pair.difference.signum() }, pair.significant)
}
