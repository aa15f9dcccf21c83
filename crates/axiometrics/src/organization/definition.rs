//! What a measure says about itself, and the trait behind which it computes.

use super::{OrganizationComparison, Score};
use crate::choice::choices;

/// A measure of one organization against another.
///
/// `score` looks at the comparison alone: no files, no state between calls, no panic on any
/// organization.
pub trait OrganizationMeasure: Sync {
    /// Name, formula, range, examples.
    fn definition(&self) -> &Definition;
    /// The value for one topic.
    fn score(&self, comparison: &OrganizationComparison<'_>) -> Score;
}

/// The definition of a measure, as data.
#[derive(Debug)]
pub struct Definition {
    /// The name, which is its key in JSON and its name for `axio check`.
    pub name: &'static str,
    /// What the name stands for.
    pub title: &'static str,
    /// The task whose structure it looks at.
    pub task: Task,
    /// What it tells, in a sentence.
    pub summary: &'static str,
    /// The formula.
    pub definition: &'static str,
    /// The values it can take.
    pub range: &'static str,
    /// Which end of the range is good.
    pub better: Better,
    /// When it has no value.
    pub undefined: &'static str,
    /// An example by hand; a test computes it.
    pub example: OrganizationExample,
    /// Where it was published.
    pub references: &'static [&'static str],
}

/// The structure that a measure looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// Levels and clusters.
    Organization,
    /// Clusters alone, whatever their levels.
    Clustering,
    /// Kept or discarded alone.
    Filtering,
}

choices! {
    Task {
        Organization "organization",
        Clustering "clustering",
        Filtering "filtering",
    }
}

/// Which end of the range is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// The larger the better.
    Higher,
    /// The smaller the better: errors, distances, entropies.
    Lower,
}

/// An example by hand, with the default settings, in the
/// [notation](crate::data::organization::notation).
#[derive(Debug)]
pub struct OrganizationExample {
    /// The gold standard.
    pub gold: &'static str,
    /// The system's output.
    pub system: &'static str,
    /// The value.
    pub value: f64,
    /// How one gets there with a pencil.
    pub working: &'static str,
}

/// A measure that is a plain function of the comparison.
pub(super) struct OrganizationFormula {
    pub(super) definition: Definition,
    pub(super) compute: fn(&OrganizationComparison<'_>) -> Score,
}

impl OrganizationMeasure for OrganizationFormula {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn score(&self, comparison: &OrganizationComparison<'_>) -> Score {
        (self.compute)(comparison)
    }
}

pub(super) const AMIGO_2009: &str = "Amigó, Gonzalo, Artiles, Verdejo. A comparison of extrinsic clustering evaluation metrics based on formal constraints. Information Retrieval 12, 2009";
pub(super) const AMIGO_2013: &str = "Amigó, Gonzalo, Verdejo. A general evaluation measure for document organization tasks. SIGIR 2013";

/// What the measures of partitions have in common; the rest is filled in by each.
pub(super) const CLUSTERING: Definition = Definition {
    name: "",
    title: "",
    task: Task::Clustering,
    summary: "",
    definition: "",
    range: "",
    better: Better::Higher,
    undefined: "a document lies in several clusters, or none in any",
    example: THREE_AND_ONE,
    references: &[],
};

/// What the measures of filtering have in common.
pub(super) const FILTERING: Definition =
    Definition { task: Task::Filtering, undefined: "there is no document", ..CLUSTERING };

/// The example of the measures of partitions: two pairs, clustered as three and one.
pub(super) const THREE_AND_ONE: OrganizationExample =
    OrganizationExample { gold: "{a b} {c d}", system: "{a b c} d", value: f64::NAN, working: "" };

impl OrganizationExample {
    pub(super) const fn with(self, value: f64, working: &'static str) -> OrganizationExample {
        OrganizationExample { value, working, ..self }
    }
}
