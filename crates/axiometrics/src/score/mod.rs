//! Scores: computed topic by topic, kept in a table, summarised.

mod anatomy;
mod batch;
pub mod breakdown;
mod cells;
mod common;
mod diagnosis;
mod evaluate;
mod extent;
mod judgements;
mod measured;
mod organizations;
mod protocol;
pub mod ranges;
mod rankings;
pub mod risk;
mod scores;
pub mod standardize;
mod stored;
mod stream;
mod table;
mod ties;
mod written;

pub use anatomy::{Anatomy, DocumentLine};
pub use batch::{Batch, ScoredRun, ScoredRuns};
pub use cells::Coverage;
pub use common::{CommonTopics, LeftOut, System};
pub use evaluate::{Evaluation, NumbersByTopic, TopicNumbers};
pub use judgements::read_judgements;
pub use measured::{Measured, NamedMeasure};
pub use organizations::OrganizationEvaluation;
pub use protocol::Protocol;
pub(crate) use rankings::Ranking;
pub use scores::{MetricColumn, Scores, ScoresBuilder};
pub use stream::Stream;
pub use table::{ScoreTable, read_scores, write_scores};
pub use written::written;
