//! Laws of the measures: the paper's table, fast = naive, reductions, the registry.

mod browsing;
mod filtering;
mod measures;
mod paper;
pub(super) mod random;
mod ranking;
