//! The command: as the program that the package installs, and as calls in memory.

use std::ffi::OsString;

use axio::{Call, Files, Outcome};
use axiometrics::work::Work;
use pyo3::prelude::*;

use crate::error::{exception, warn};
use crate::watch::watched;

/// Runs the program `axio` with these arguments, its own name first, and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| axio::main(&arguments).code())
}

/// Does what the command does, with files in memory, and returns its exit code and what it prints.
#[pyfunction]
#[pyo3(signature = (arguments, files, progress = None))]
pub(crate) fn call(
    py: Python<'_>,
    arguments: Vec<OsString>,
    files: Vec<(OsString, Vec<u8>)>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(u8, String)> {
    let files: Files = files.into_iter().map(|(name, bytes)| (name.into(), bytes.into())).collect();
    let work = Work::default();
    let handle = work.clone();
    let call = Call { arguments, files, work: Some(handle) };
    let Outcome { code, output, warnings, error, .. } =
        watched(py, &work, progress, move || axio::call(call))?;
    if let Some(error) = error {
        return Err(exception(py, &error));
    }
    warn(py, &warnings)?;
    Ok((code.code(), String::from_utf8_lossy(&output).into_owned()))
}
