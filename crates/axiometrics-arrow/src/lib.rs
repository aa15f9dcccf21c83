//! Runs and judgements as Arrow record batches and Parquet files.
//!
//! Owns how ids and numbers lie in Arrow's columns. Which column is which, and what a row must be,
//! is the library's ([`axiometrics::io::table`]): names are recognised as in CSV, and what is wrong
//! with a cell is said with its column and row. Ids are read where they lie, as strings, large
//! strings, views, bytes, dictionaries of these, or whole numbers.
//!
//! ```
//! use std::sync::Arc;
//! use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
//! use axiometrics::Warnings;
//! use axiometrics::io::RunOptions;
//!
//! let topics: ArrayRef = Arc::new(Int64Array::from(vec![301, 301, 302]));
//! let docs: ArrayRef = Arc::new(StringArray::from(vec!["a", "b", "a"]));
//! let scores: ArrayRef = Arc::new(Float64Array::from(vec![2.0, 3.0, 1.0]));
//! let batch = RecordBatch::try_from_iter([("qid", topics), ("docno", docs), ("score", scores)]);
//! let batches = vec![batch.map_err(axiometrics_arrow::error)?];
//! let run = axiometrics_arrow::read_run("run", batches, RunOptions::default(), &mut Warnings::default())?;
//! assert_eq!((run.topic_count(), run.len()), (2, 3));
//! # Ok::<(), axiometrics::Error>(())
//! ```

mod batches;
mod cells;
#[cfg(feature = "parquet")]
mod parquet_file;
mod rows;
mod scorer;
mod text;
mod totals;
mod write;

pub use batches::{Batches, read_qrels, read_run, source};
#[cfg(feature = "parquet")]
pub use parquet_file::{begins_parquet, from_bytes, open, to_parquet};
pub use scorer::{GroupScorer, Scored};
pub use text::to_csv;
pub use totals::{Summarised, Totals};
pub use write::{qrels_batch, run_batch};

use axiometrics::Error;

/// An error of Arrow as one of the library's.
pub fn error(error: arrow_schema::ArrowError) -> Error {
    Error::usage(format!("the Arrow data cannot be read: {error}"))
}

#[cfg(test)]
mod tests;
