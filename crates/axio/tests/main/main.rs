//! The command, run as a user runs it.

mod trec_eval;
