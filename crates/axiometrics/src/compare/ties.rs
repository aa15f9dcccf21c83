//! Whether the order of documents with equal scores decides a comparison.

use super::model::{Comparison, Pair};
use super::values::changed;
use crate::warning::{WarningKind, Warnings};

/// Warns of the pairs that come out otherwise in a second comparison, of the same runs with equal
/// scores ordered the other way round.
pub fn warn_of_ties(comparison: &mut Comparison, other: &Comparison, warnings: &mut Warnings) {
    for measure in &comparison.measures {
        let Some(other) = other.measure(measure.column) else { continue };
        let decided = |pair: &&Pair| {
            other.pair(&pair.a, &pair.b).is_some_and(|other| changed(pair, other).is_some())
        };
        for pair in measure.pairs.iter().filter(decided) {
            warnings.add_example(
                WarningKind::TiesDecide,
                1,
                &measure.measure,
                &format!("{} against {}", pair.a, pair.b),
            );
        }
    }
    comparison.warnings = warnings.list();
}
