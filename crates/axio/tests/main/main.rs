//! The command as a user meets it: what it prints, where, and with which exit code.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod compare;
mod component;
mod eval;
mod everyday;
mod faults;
mod formats;
mod fuse;
mod gate;
mod help;
mod labels;
mod naive;
mod once;
mod pages;
mod papers;
mod ranges;
mod report;
mod score;
mod support;
mod surfaces;
mod table;
mod trec_eval;
