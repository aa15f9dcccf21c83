//! Which differences between systems are real.
//!
//! Owns: which pairs are tested, on which topics, as one family of how many tests, and what a
//! reader must be warned of. Does not own: the tests themselves ([`crate::stats`]) and tables
//! ([`crate::report::comparison`]).
//!
//! Topics are matched by id. Those with R = 0, with an undefined score of any system, or lacking in
//! a run whose missing topics are not scored are left out for all systems and counted: means,
//! differences and tests of a measure all speak of the same topics.

mod certain;
mod family;
mod joint;
mod model;
mod settings;
#[cfg(test)]
mod tests;
mod ties;

pub use certain::{Joint, add_joint};
pub use family::compare;
pub use joint::{JointDifference, JointRanges, JointVerdict};
pub use model::{Comparison, Family, MeasureComparison, Pair, SystemMean};
pub use settings::{Procedure, Settings};
pub use ties::warn_of_ties;
