//! The library against published numbers, and against slow, plain implementations: one binary, a
//! module for each family.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "the helpers of tests stand outside of test functions"
)]

mod diversity;
mod judgement_groups;
mod memory;
mod modules;
mod organization;
mod paths;
mod preferences;
mod published;
mod reader;
mod standardize;
mod stratified;
mod trec;
mod unwind;
