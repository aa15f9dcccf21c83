//! The command: as the program that the package installs, and as calls in memory.

use std::collections::HashMap;
use std::ffi::OsString;

use axio::{Call, Files, Outcome};
use axiometrics::work::Work;
use pyo3::prelude::*;

use crate::error::{OrRaise, exception, warn};
use crate::watch::{in_parallel, watched};

/// Runs the program `axio` with these arguments, its own name first, and returns its exit code.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| axio::main(&arguments).code())
}

/// The exit code of a command, what it prints, and its result in further formats.
type Answer = (u8, String, HashMap<String, String>);

/// Does what the command does, with files in memory. It computes its result once for all formats.
#[pyfunction]
#[pyo3(signature = (arguments, files, formats, progress = None))]
pub(crate) fn call(
    py: Python<'_>,
    arguments: Vec<OsString>,
    files: Vec<(OsString, Vec<u8>)>,
    formats: Vec<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Answer> {
    let files: Files = files.into_iter().map(|(name, bytes)| (name.into(), bytes.into())).collect();
    let work = Work::default();
    let handle = work.clone();
    let call = Call { arguments, files, work: Some(handle), formats };
    let Outcome { code, output, renderings, warnings, error, .. } =
        watched(py, &work, progress, move || in_parallel(|| axio::call(call)))?.or_raise(py)?;
    if let Some(error) = error {
        return Err(exception(py, &error));
    }
    warn(py, &warnings)?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let renderings = renderings.into_iter().map(|(format, bytes)| (format, text(bytes))).collect();
    Ok((code.code(), text(output), renderings))
}
