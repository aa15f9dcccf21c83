//! What is measured: topics, judgements, runs.

pub mod judged;

pub use judged::{FacetRow, Facets, Grades, GradesRef, Hit, Judged, Needs, OwnedTopic};
