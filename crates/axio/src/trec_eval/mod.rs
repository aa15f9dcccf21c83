//! The drop-in for trec_eval.

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs with trec_eval's own arguments.
pub(crate) fn run(_arguments: &[OsString]) -> ExitCode {
    crate::output::error(&"this build has no trec_eval drop-in");
    ExitCode::from(1)
}
