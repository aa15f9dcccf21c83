//! The native half of the Python package `axiometrics`.
//!
//! Owns the way from Python objects to the library and back: what a run can be made of, how results
//! are read, which exception an error becomes. Does not own: any number, nor the names that people
//! import, which are in `python/axiometrics`.

#[cfg(feature = "arrow")]
mod arrow;
mod check;
mod command;
mod data;
mod error;
mod evaluate;
mod function;
mod input;
mod measures;
mod scores;
mod trec;
mod watch;

use pyo3::prelude::*;

/// The functions and classes behind `import axiometrics`.
#[pymodule]
mod _native {
    #[cfg(feature = "arrow")]
    #[pymodule_export]
    use super::arrow::{ArrowTable, BatchScorer, BatchTotals, table_text};
    #[pymodule_export]
    use super::check::check;
    #[pymodule_export]
    use super::command::{call, main};
    #[pymodule_export]
    use super::data::{Qrels, Run};
    #[pymodule_export]
    use super::evaluate::{evaluate, score};
    #[pymodule_export]
    use super::function::Function;
    #[pymodule_export]
    use super::input::visit;
    #[pymodule_export]
    use super::measures::{canonical, describe, names};
    #[pymodule_export]
    use super::scores::{Scores, unpaired_tukey};
    #[pymodule_export]
    use super::trec::{TrecEvaluator, trec_names};
    #[pymodule_export]
    use super::watch::panic_for_tests;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
