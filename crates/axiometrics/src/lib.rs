//! Measure retrieval systems, and measure the measures.

pub mod error;

pub use error::{Error, Place, Result};
