//! Judgements and runs as Python holds them.

use std::sync::Arc;

use axiometrics::io::{self, Format};
use axiometrics::policy::{Rounding, Ties};
use axiometrics::warning::Warnings;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict, PyList};

use crate::error::{OrRaise, warn};
use crate::input;

/// Relevance judgements, checked once and used many times.
///
/// Made of a dict of dicts (topic, document, grade), a path or a file, a pandas, polars or pyarrow
/// table, or rows of (topic, document, grade).
///
/// >>> import axiometrics as ax
/// >>> qrels = ax.Qrels({"q1": {"d1": 1, "d3": 2}, "q2": {"d2": 1}})
/// >>> qrels.topics(), qrels["q1"]["d3"]
/// (['q1', 'q2'], 2.0)
#[pyclass(frozen, module = "axiometrics")]
pub(crate) struct Qrels {
    pub(crate) data: Arc<axiometrics::Qrels>,
    pub(crate) has_facets: bool,
}

#[pymethods]
impl Qrels {
    #[new]
    #[pyo3(signature = (source, *, lenient = false, facet = None))]
    fn new(source: &Bound<'_, PyAny>, lenient: bool, facet: Option<&str>) -> PyResult<Qrels> {
        let py = source.py();
        let facet = input::facet(py, facet)?;
        let mut warnings = Warnings::default();
        let data = input::qrels(source, lenient, facet, &mut warnings)?;
        warn(py, &warnings)?;
        Ok(Qrels { has_facets: !data.facet_names().is_empty(), data })
    }

    /// How many topics there are.
    fn __len__(&self) -> usize {
        self.data.len()
    }

    /// The topics, sorted.
    fn topics(&self) -> Vec<String> {
        self.data.topics().iter().map(|topic| self.data.topic_name(*topic)).collect()
    }

    /// The grades of a topic by document; `KeyError` if there is no such topic.
    fn __getitem__<'py>(&self, py: Python<'py>, topic: &str) -> PyResult<Bound<'py, PyDict>> {
        let found = self.data.find(topic.as_bytes());
        let found =
            found.ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(topic.to_string()))?;
        grades(py, &self.data, found)
    }

    fn __contains__(&self, topic: &str) -> bool {
        self.data.find(topic.as_bytes()).is_some()
    }

    /// A dict of dicts.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for topic in 0..self.data.len() as u32 {
            all.set_item(self.data.topic_name(topic), grades(py, &self.data, topic)?)?;
        }
        Ok(all)
    }

    /// What `pickle` and `copy` make it of.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, qrels) = (slf.py(), slf.get());
        // Ids with spaces have no place in the first format.
        let text = qrels.to_text(py, "trec").or_else(|_| qrels.to_text(py, "csv"))?;
        let text = PyBytes::new(py, &text);
        let facet = qrels.has_facets.then_some("iteration");
        remade(slf, text, [("facet", facet)].into_py_dict(py)?)
    }

    /// The text of a file in one of the formats of `axio convert`.
    #[pyo3(signature = (format = "trec"))]
    fn to_text(&self, py: Python<'_>, format: &str) -> PyResult<Vec<u8>> {
        let mut out = Vec::new();
        let format = input::format(py, format)?;
        let facet = if self.has_facets { io::Facet::Iteration } else { io::Facet::None };
        io::write_qrels(&self.data, facet, format, &mut out).or_raise(py)?;
        Ok(out)
    }

    fn __repr__(&self) -> String {
        let (topics, judgements) = (self.data.len(), self.data.judgement_count());
        format!("Qrels({topics} topics, {judgements} judgements)")
    }
}

fn grades<'py>(
    py: Python<'py>,
    qrels: &axiometrics::Qrels,
    topic: u32,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (doc, grade) in qrels.judgements(topic) {
        dict.set_item(String::from_utf8_lossy(doc), grade)?;
    }
    Ok(dict)
}

/// A run: for each topic the documents that a system retrieved, with their scores.
///
/// Made of what a `Qrels` is made of, with scores in place of grades.
///
/// >>> import axiometrics as ax
/// >>> run = ax.Run({"q1": {"d1": 0.9, "d2": 1.5}}, name="mine")
/// >>> run.name, list(run["q1"])
/// ('mine', ['d2', 'd1'])
#[pyclass(frozen, module = "axiometrics")]
pub(crate) struct Run {
    pub(crate) data: Arc<axiometrics::Run>,
}

#[pymethods]
impl Run {
    #[new]
    #[pyo3(signature = (source, *, name = None, lenient = false))]
    fn new(source: &Bound<'_, PyAny>, name: Option<String>, lenient: bool) -> PyResult<Run> {
        let mut warnings = Warnings::default();
        let data = input::run(source, name, lenient, &Default::default(), &mut warnings)?;
        warn(source.py(), &warnings)?;
        Ok(Run { data })
    }

    /// The name in tables and messages.
    #[getter]
    fn name(&self) -> &str {
        self.data.name()
    }

    /// How many topics there are.
    fn __len__(&self) -> usize {
        self.data.topic_count()
    }

    /// The topics, in the order they came.
    fn topics(&self) -> Vec<String> {
        self.data.topics().map(|topic| self.data.topic_name(topic)).collect()
    }

    fn __contains__(&self, topic: &str) -> bool {
        self.data.find(topic.as_bytes()).is_some()
    }

    /// The scores of a topic by document, best first; `KeyError` if there is no such topic.
    fn __getitem__<'py>(&self, py: Python<'py>, topic: &str) -> PyResult<Bound<'py, PyDict>> {
        let found = self.data.find(topic.as_bytes());
        let found =
            found.ok_or_else(|| pyo3::exceptions::PyKeyError::new_err(topic.to_string()))?;
        ranking(py, &self.data, found)
    }

    /// A dict of dicts, the documents of each topic best first.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for topic in self.data.topics() {
            all.set_item(self.data.topic_name(topic), ranking(py, &self.data, topic)?)?;
        }
        Ok(all)
    }

    /// What `pickle` and `copy` make it of: its rows, in the order in which they came.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, run) = (slf.py(), &slf.get().data);
        let rows = PyList::empty(py);
        for topic in run.topics() {
            let name = run.topic_name(topic);
            for (doc, score) in run.documents(topic) {
                rows.append((&name, String::from_utf8_lossy(doc), score))?;
            }
        }
        remade(slf, rows, [("name", run.name())].into_py_dict(py)?)
    }

    /// The text of a file in one of the formats of `axio convert`.
    #[pyo3(signature = (format = "trec", tag = "axiometrics"))]
    fn to_text(&self, py: Python<'_>, format: &str, tag: &str) -> PyResult<Vec<u8>> {
        let mut out = Vec::new();
        let format: Format = input::format(py, format)?;
        io::write_run(&self.data, format, tag, &mut out).or_raise(py)?;
        Ok(out)
    }

    fn __repr__(&self) -> String {
        let (topics, documents) = (self.data.topic_count(), self.data.len());
        format!("Run({}, {topics} topics, {documents} documents)", self.data.name())
    }
}

/// A call of the class of an object, for `pickle`.
fn remade<'py, T>(
    object: &Bound<'py, T>,
    source: impl IntoPyObject<'py>,
    options: Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let new = py.import("copyreg")?.getattr("__newobj_ex__")?;
    let arguments = (object.as_any().get_type(), (source,), options).into_pyobject(py)?;
    (new, arguments).into_bound_py_any(py)
}

fn ranking<'py>(
    py: Python<'py>,
    run: &axiometrics::Run,
    topic: u32,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (doc, score) in run.ranking(topic, Ties::default(), Rounding::default()) {
        dict.set_item(String::from_utf8_lossy(doc), score)?;
    }
    Ok(dict)
}
