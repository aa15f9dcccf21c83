//! Where results and messages go.

use std::fmt::Display;
use std::io::Write;

use axiometrics::warning::Warnings;
use axiometrics::{Error, Result};

/// Writes to standard output.
pub(crate) fn stdout(bytes: &[u8]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|e| Error::io("standard output", e))
}

/// What stopped the work.
pub(crate) fn error(error: &dyn Display) {
    eprintln!("error: {error}");
}

/// What was not as it should be.
pub(crate) fn warnings(warnings: &Warnings) {
    for warning in warnings.list() {
        eprintln!("warning: {}\n  help: {}", warning.message, warning.remedy);
    }
}
