//! The formal laboratory on Python functions. Measures by name go through the command.

use axiometrics::check::{CheckGroup, CheckOptions, MOST_DOCS, run};
use axiometrics::report::{OutputFormat, Style, verdicts};
use axiometrics::work::Work;
use pyo3::prelude::*;

use crate::error::{OrRaise, usage};
use crate::function::Function;
use crate::watch::{in_parallel, watched};

/// Decides properties of a function: the verdicts as JSON, as text and as HTML.
#[pyfunction]
#[pyo3(signature = (function, only, max_docs = None, seed = 1))]
pub(crate) fn check(
    py: Python<'_>,
    function: &Bound<'_, Function>,
    only: Vec<String>,
    max_docs: Option<u32>,
    seed: u64,
) -> PyResult<(String, String, String)> {
    let function = function.get();
    let group = |name: &String| match name.as_str() {
        "properties" => Ok(CheckGroup::Property),
        "constraints" => Ok(CheckGroup::Constraint),
        other => Err(usage(
            py,
            format!(
                "only: found \"{other}\", expected properties or constraints, which a function of gains can have"
            ),
        )),
    };
    let groups = only.iter().map(group).collect::<PyResult<Vec<CheckGroup>>>()?;
    let usual = CheckOptions::default();
    let max_docs = max_docs.unwrap_or(usual.max_docs);
    if !(1..=MOST_DOCS).contains(&max_docs) {
        return Err(usage(py, format!("max_docs: found {max_docs}, expected 1 to {MOST_DOCS}")));
    }
    let groups = if groups.is_empty() { usual.groups.clone() } else { groups };
    let options = CheckOptions { groups, max_docs, seed, ..usual };
    let metric = function.metric().or_raise(py)?;
    let texts = watched(py, &Work::alone(), None, move || {
        let reports = [in_parallel(|| run(&metric, &options))?];
        let json = format!("{:#}", verdicts::to_json(&reports, &[]));
        let text = verdicts::detail(&reports[0]).render(OutputFormat::Table, &Style::default());
        Ok((json, text, verdicts::html(&reports, &[], &options.groups)))
    })
    .and_then(|texts| texts.or_raise(py))
    .inspect_err(|_| function.stop())?;
    function.raise()?;
    Ok(texts)
}
