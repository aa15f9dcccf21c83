//! Measure retrieval systems, and measure the measures.
//!
//! Data flows one way: `io` reads judgements and runs, `align` turns them into judged topics by the
//! policies for ties, missing topics and unjudged documents, `measure` scores a topic, `score`
//! keeps and summarises the scores, `report` lays them out.

pub mod align;
pub mod check;
pub mod choice;
pub mod compare;
pub mod component;
pub mod curve;
pub mod data;
pub mod error;
pub mod expression;
pub mod io;
pub mod measure;
pub mod meta;
pub mod number;
pub mod organization;
pub mod plan;
pub mod policy;
pub mod remedy;
pub mod report;
pub mod score;
pub mod stats;
pub mod validate;
pub mod warning;
pub mod work;

pub use error::{Error, Place, Result};
