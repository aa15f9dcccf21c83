//! Which differences between systems are real.
//!
//! Owns: which pairs are tested, on which topics, as one family of how many tests, and what a
//! reader must be warned of; the ranks and letters that follow from the decisions; whether a change
//! may pass a gate. Does not own: the tests themselves ([`crate::stats`]) and tables.
//!
//! Topics are matched by id. Those with R = 0, with an undefined score of any system, or missing from
//! a run whose missing topics are not scored are left out for all systems and counted: means,
//! differences and tests of a measure all speak of the same topics.

mod certain;
mod decisions;
mod family;
pub mod gate;
mod grouping;
mod joint;
pub mod letters;
mod means;
mod model;
pub mod ranks;
mod settings;
#[cfg(test)]
mod tests;
mod ties;
mod values;

pub use certain::{Joint, add_joint};
pub use decisions::Decisions;
pub use family::{compare, is_unbounded};
pub use joint::{JointDifference, JointRanges, JointVerdict};
pub use means::{MeasureMeans, means};
pub use model::{Comparison, Family, Grouping, MeanRange, MeasureComparison, Pair, SystemMean};
pub use settings::{ComparisonSettings, FamilyScope, Procedure, Values};
pub use ties::warn_of_ties;
pub use values::{Change, Changed, Changes, MeasureChanges, changes};
