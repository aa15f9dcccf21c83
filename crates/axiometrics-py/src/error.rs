//! Errors of the library as Python's exceptions, and its warnings as Python's warnings.

use std::ffi::CString;

use axiometrics::Error;
use axiometrics::remedy::{Setting, Voice};
use axiometrics::warning::{Warning, Warnings};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Advice as Python spells it: `missing="zero"`, `axiometrics.validate()`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Python3;

impl Voice for Python3 {
    fn setting(&self, setting: Setting) -> String {
        match (setting, setting.value()) {
            (_, Some(value)) => format!("{}=\"{value}\"", setting.name()),
            (Setting::Named(name), None) => format!("{name}=..."),
            (_, None) => format!("{}=True", setting.name()),
        }
    }

    fn call(&self, name: &str) -> String {
        let (function, argument) = name.split_once(' ').unwrap_or((name, ""));
        let function = if function == "eval" { "evaluate" } else { function };
        match argument {
            "" => format!("axiometrics.{function}()"),
            argument => format!("axiometrics.{function}(\"{argument}\")"),
        }
    }

    fn call_with(&self, name: &str, setting: Setting) -> String {
        self.call(name).replace("()", &format!("({})", self.setting(setting)))
    }
}

/// The exception of an error, by its kind.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    if error.is_cancelled() {
        return PyKeyboardInterrupt::new_err(());
    }
    let kind = if error.is_usage() {
        "UsageError"
    } else if error.is_duplicate() {
        "DuplicateError"
    } else if error.is_io() {
        "FileError"
    } else {
        "InputError"
    };
    let place = error.place();
    let made = class(py, kind).and_then(|class| {
        class.call1((
            in_python(&error.worded(&Python3)),
            place.map(|place| place.file.clone()),
            place.and_then(|place| place.line),
            place.and_then(|place| place.column),
            error.remedy().map(|remedy| in_python(&remedy.worded(&Python3))),
        ))
    });
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(failure) => failure,
    }
}

/// What the command calls `--max-grade` is `max_grade` here.
fn in_python(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let (before, option) = rest.split_at(at);
        let name_len = option[2..]
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
            .unwrap_or(option.len() - 2);
        let name = &option[2..2 + name_len];
        let starts_word = before.chars().last().is_none_or(|c| !c.is_alphanumeric() && c != '-');
        out.push_str(before);
        if starts_word && name.starts_with(|c: char| c.is_ascii_lowercase()) {
            out.push_str(&name.replace('-', "_"));
            out.push('=');
        } else {
            out.push_str(&option[..2 + name_len]);
        }
        rest = &option[2 + name_len..];
        if starts_word && let Some(behind) = rest.strip_prefix(' ').filter(|_| !name.is_empty()) {
            rest = behind;
        }
    }
    out + rest
}

fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    Ok(py.import("axiometrics._errors")?.getattr(name)?.cast_into::<PyType>()?)
}

/// The exception of something that the caller did wrong.
pub(crate) fn usage(py: Python<'_>, message: impl Into<String>) -> PyErr {
    exception(py, &Error::usage(message))
}

/// Tells warnings in Python's way.
pub(crate) fn warn(py: Python<'_>, warnings: &Warnings) -> PyResult<()> {
    let category = class(py, "AxiometricsWarning")?;
    for Warning { message, remedy, .. } in warnings.list() {
        let text = format!("{message}\n  help: {}", remedy.worded(&Python3));
        let text = CString::new(text.replace('\0', "\\0")).unwrap_or_default();
        PyErr::warn(py, &category, &text, 2)?;
    }
    Ok(())
}

/// The result, or its error as an exception.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for axiometrics::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error))
    }
}
