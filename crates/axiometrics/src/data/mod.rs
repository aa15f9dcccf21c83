//! What is measured: topics, judgements, runs.

pub(crate) mod bytes;
pub mod entries;
pub mod judged;
pub mod qrels;

pub use entries::{Entries, Entry};
pub use judged::{Facets, Grades, GradesRef, Hit, Judged, Needs, OwnedTopic};
pub use qrels::Qrels;
