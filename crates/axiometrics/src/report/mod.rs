//! Results for people and programs: tables in several dialects, JSON.
//!
//! Owns: what a table looks like. Does not own: the numbers, and where the text goes.

pub mod grid;
pub mod verdicts;

pub use grid::{Cell, Dialect, Grid};
