//! Scores: computed topic by topic, kept in a table, summarised.

mod evaluate;
pub mod risk;
pub mod standardize;
mod table;

pub use evaluate::{Evaluation, Missing, Row, Rows};
pub(crate) use table::summarise;
pub use table::{GEOMETRIC_FLOOR, RunScores, Undefined};
