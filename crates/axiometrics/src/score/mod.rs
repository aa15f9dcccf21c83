//! Scores of many topics and runs.

mod normal;
pub mod risk;
pub mod standardize;
