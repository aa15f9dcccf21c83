//! What is measured: topics, judgements, runs.

pub mod judged;

pub use judged::{Facets, Grades, GradesRef, Hit, Judged, Needs, OwnedTopic};
