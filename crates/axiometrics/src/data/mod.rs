//! What is measured: topics, judgements, runs.

mod bits;
pub(crate) mod bytes;
pub mod entries;
mod ids;
pub mod judged;
pub mod organization;
pub mod preferences;
pub mod qrels;
mod repeats;
mod table;

pub(crate) use entries::Listing;
pub use entries::{Entries, Entry};
pub(crate) use ids::{IdList, Ids};
pub use judged::{
    Facet, FacetRow, Facets, Grades, GradesRef, Hit, Hits, Judged, Needs, OwnedTopic,
};
pub use preferences::{Preferences, TopicPreferences};
pub use qrels::Qrels;
pub(crate) use repeats::{Repeated, Repeats};
