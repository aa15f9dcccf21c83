//! Measure retrieval systems, and measure the measures.

pub mod error;
pub mod stats;

pub use error::{Error, Place, Result};
