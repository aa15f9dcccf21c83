//! The score is computed in time that grows as the number of documents.

use super::{Bench, Similarity};
use crate::check::Verdict;
use crate::check::organization::Instance;
use crate::organization::Task;

pub(super) struct LinearComplexity;

impl Similarity for LinearComplexity {
    fn name(&self) -> &'static str {
        "linear-complexity"
    }
    fn statement(&self) -> &'static str {
        "the time that the score takes is at most in proportion to the number of documents"
    }
    /// By what the program does, not by search: no search can tell how time grows.
    fn decide(&self, bench: &Bench<'_>) -> Verdict<Instance> {
        let definition = bench.subject.measure.definition();
        let more = MORE.iter().find(|(name, _)| *name == definition.name);
        match more {
            Some((_, why)) => Verdict::Violated {
                witness: bench.instance(&[], format!("this program takes longer: {why}")),
                rule: Some("by its algorithm".to_string()),
            },
            None if definition.task == Task::Clustering => Verdict::Proved {
                rule: "computed from the sizes of clusters and classes and from their common parts, of which there are no more than documents"
                    .to_string(),
            },
            None => Verdict::NotApplicable(
                "it weighs documents by their place, and sorts them for that".to_string(),
            ),
        }
    }
}

/// Measures of clusterings that read more than the table of common parts once.
const MORE: &[(&str, &str)] = &[
    (
        "ami",
        "the expected value is a sum over each pair of different sizes, and over their possible common parts",
    ),
    ("edit_distance", "clusters with several commonest classes are matched with classes"),
    ("extended_bcubed_precision", "clusters may overlap, and pairs of memberships are compared"),
    ("extended_bcubed_recall", "clusters may overlap, and pairs of memberships are compared"),
    ("extended_bcubed_f", "clusters may overlap, and pairs of memberships are compared"),
];
