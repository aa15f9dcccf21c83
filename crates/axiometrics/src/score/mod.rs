//! Scores: computed topic by topic, kept in a table, summarised.

mod common;
mod evaluate;
pub mod risk;
pub mod standardize;
mod table;

pub use common::{CommonTopics, LeftOut, System};
pub use evaluate::{Evaluation, Missing, Row, Rows};
pub use table::{GEOMETRIC_FLOOR, RunScores, Undefined};
