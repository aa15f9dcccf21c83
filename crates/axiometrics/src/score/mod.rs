//! Scores: computed topic by topic, kept in a table, summarised.

mod evaluate;
mod table;

pub use evaluate::{Evaluation, Missing};
pub use table::{RunScores, Undefined};
