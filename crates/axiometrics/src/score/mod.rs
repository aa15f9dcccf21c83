//! Scores: computed topic by topic, kept in a table, summarised.

mod anatomy;
pub mod breakdown;
mod cells;
mod common;
mod diagnosis;
mod evaluate;
pub mod ranges;
mod rankings;
pub mod risk;
mod scores;
pub mod standardize;
mod ties;

pub use anatomy::{Anatomy, Line};
pub use cells::Coverage;
pub use common::{CommonTopics, LeftOut, System};
pub use evaluate::{Evaluation, Row, Rows};
pub(crate) use rankings::Ranking;
pub use scores::{Column, Scores, ScoresBuilder};
