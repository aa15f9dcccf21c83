//! What is measured: topics, judgements, runs.

mod bits;
mod builder;
pub(crate) mod bytes;
mod catalogue;
mod entries;
mod fingerprint;
mod grades;
mod ids;
pub mod judged;
mod labels;
mod lengths;
mod names;
mod order;
pub mod organization;
mod parts;
pub mod preferences;
pub mod qrels;
pub mod reference;
mod repeats;
pub mod run;
mod sessions;
mod table;
pub(crate) mod text;
mod topics;
mod vector;

pub use catalogue::Catalogue;
pub(crate) use entries::{Duplicate, Entries, Entry, Listing};
pub(crate) use grades::{GradesByTopic, Unkept};
pub(crate) use ids::{IdList, Ids};
pub use judged::{
    Facet, FacetRow, Facets, Grades, GradesRef, Hit, Hits, Judged, Needs, OwnedTopic,
};
pub use labels::Labels;
pub use lengths::{Length, Lengths};
pub use names::Names;
pub(crate) use order::{by_id, by_score};
pub use parts::Parts;
pub use preferences::{Preferences, TopicPreferences};
pub use qrels::{Qrels, QrelsBuilder};
pub use reference::{Reference, References};
pub(crate) use repeats::{Once, Repeated, Repeats};
pub use run::{Run, RunBuilder};
pub use sessions::{Session, Sessions};
pub use text::id_text;
pub use vector::Vector;
