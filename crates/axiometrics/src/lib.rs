//! Measure retrieval systems, and measure the measures.

pub mod data;
pub mod error;
pub mod io;
pub mod organization;

pub use error::{Error, Place, Result};
