//! Measures that need more than one grade per document, against published numbers and against slow, plain implementations.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "the helpers of tests stand outside of test functions")]

mod diversity;
mod judgement_groups;
mod paths;
mod preferences;
mod published;
mod standardize;
mod stratified;
mod trec;
