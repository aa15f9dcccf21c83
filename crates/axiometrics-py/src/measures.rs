//! Measures by name: what they are called and what they say of themselves.

use axiometrics::component::read_component;
use axiometrics::measure::{self, Cutoff, Def, Metric};
use axiometrics::report::{Style, explanation};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::{OrRaise, usage};
use crate::function::Function;

/// The metrics of a list whose members are texts, measures or functions; each once.
pub(crate) fn metrics(
    py: Python<'_>,
    measures: &[Bound<'_, PyAny>],
) -> PyResult<(Vec<Metric>, Vec<Function>)> {
    let (mut all, mut functions): (Vec<Metric>, Vec<Function>) = (Vec::new(), Vec::new());
    let mut names: Vec<String> = Vec::new();
    for measure in measures {
        let found = if let Ok(function) = measure.cast::<Function>() {
            let function = function.borrow();
            let name = function.__str__();
            if functions.iter().any(|known| known.__str__() == name && !known.is(&function)) {
                return Err(usage(
                    py,
                    format!(
                        "found two functions called {name}, expected one: \
                         axiometrics.metric(function, name=\"...\") gives a function another name"
                    ),
                ));
            }
            functions.push(function.shared(py));
            vec![function.metric().or_raise(py)?]
        } else if measure.cast::<PyString>().is_ok() {
            parse(measure.cast::<PyString>()?.to_str()?).or_raise(py)?
        } else {
            let kind = measure.get_type().name()?;
            return Err(usage(
                py,
                format!("found a measure of type {kind}, expected a text, a measure or a function"),
            ));
        };
        for metric in found {
            let name = metric.to_string();
            if !names.contains(&name) {
                names.push(name);
                all.push(metric);
            }
        }
    }
    if all.is_empty() {
        return Err(usage(py, "found no measure, expected at least one, such as \"nDCG@10\""));
    }
    Ok((all, functions))
}

/// A list of measures in a text, in which a name that ends in `.toml` is a file.
pub(crate) fn parse(text: &str) -> axiometrics::Result<Vec<Metric>> {
    measure::parse_list_with(text, &mut read_component)
}

/// The canonical names of the measures in a text.
#[pyfunction]
pub(crate) fn canonical(py: Python<'_>, text: &str) -> PyResult<Vec<String>> {
    Ok(parse(text).or_raise(py)?.iter().map(Metric::to_string).collect())
}

/// The names of all registered measures.
#[pyfunction]
pub(crate) fn names() -> Vec<&'static str> {
    measure::definitions().map(|def| def.name).collect()
}

/// What a measure says of itself: its page as text, and whether it takes a cutoff; `None` if there
/// is no measure of this name.
#[pyfunction]
pub(crate) fn describe(name: &str) -> Option<(String, &'static str, Vec<String>)> {
    let def: &Def<'_> = measure::definitions().find(|def| def.name == name)?;
    let page = explanation::measure_page(def).text(&Style::default());
    let cutoff = match def.cutoff {
        Cutoff::Never => "never",
        Cutoff::Optional => "optional",
        Cutoff::Required => "required",
        Cutoff::Param(_) => "parameter",
    };
    Some((page, cutoff, def.params.iter().map(|param| param.name.to_string()).collect()))
}
