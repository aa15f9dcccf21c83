//! What is measured: topics, judgements, runs.

mod bits;
pub mod judged;
pub mod preferences;

pub use judged::{FacetRow, Facets, Grades, GradesRef, Hit, Judged, Needs, OwnedTopic};
pub use preferences::{Preferences, TopicPreferences};
