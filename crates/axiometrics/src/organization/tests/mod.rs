//! Laws of the measures: the paper's table, fast = naive, reductions, the registry.

mod measures;
mod paper;
mod random;
mod topics;
