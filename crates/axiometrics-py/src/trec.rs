//! trec_eval's measures on dicts, as pytrec_eval computes them.

use std::sync::Arc;

use axiometrics::policy::Rounding;
use axiometrics::trec_eval::{
    self, Evaluator, Judgements, Release, Spelling, TrecSettings, TrecValue, chosen,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString};

use crate::error::OrRaise;
use crate::input::number;

/// The names of trec_eval's measures of grades, and its nicknames with what they stand for.
#[pyfunction]
pub(crate) fn trec_names() -> (Vec<&'static str>, Vec<(&'static str, Vec<&'static str>)>) {
    let measures = trec_eval::MEASURES.iter().map(|measure| measure.name).collect();
    let nicknames = trec_eval::NICKNAMES.iter().map(|(name, all)| (*name, all.to_vec())).collect();
    (measures, nicknames)
}

/// Scores dicts by measures of trec_eval, topic by topic.
#[pyclass(frozen, module = "axiometrics")]
pub(crate) struct TrecEvaluator {
    qrels: axiometrics::Qrels,
    evaluator: Arc<Evaluator>,
}

/// So many documents are gathered before they are scored, so that a run is never kept as a whole.
const PORTION: usize = 1 << 16;

#[pymethods]
impl TrecEvaluator {
    #[new]
    fn new(
        py: Python<'_>,
        query_relevance: &Bound<'_, PyDict>,
        measures: Vec<String>,
        relevance_level: i64,
        judged_docs_only: bool,
        float_grades: bool,
    ) -> PyResult<TrecEvaluator> {
        let mut qrels = axiometrics::Qrels::builder();
        for (topic, documents) in query_relevance.iter() {
            let Ok(topic) = topic.cast::<PyString>() else {
                return Err(PyTypeError::new_err("Expected string as key."));
            };
            let Ok(documents) = documents.cast::<PyDict>() else {
                return Err(PyTypeError::new_err("Expected dictionary as value."));
            };
            for (doc, grade) in documents.iter() {
                let Ok(doc) = doc.cast::<PyString>() else {
                    return Err(PyTypeError::new_err(
                        "Expected mapping of document id to query relevance or matching score.",
                    ));
                };
                let whole = grade.cast::<PyInt>().is_ok() || float_grades;
                let Some(grade) = number(&grade).filter(|_| whole) else {
                    return Err(PyTypeError::new_err("Expected relevance to be integer."));
                };
                qrels.push(topic.to_str()?, doc.to_str()?, grade);
            }
        }
        let qrels = qrels.build().or_raise(py)?;
        let settings = TrecSettings {
            level: relevance_level,
            judged_only: judged_docs_only,
            scores: Rounding::F32,
            release: Release::Nine,
            ..TrecSettings::default()
        };
        let refused = |why: trec_eval::Refused| PyValueError::new_err(why.to_string());
        let chosen = if measures.is_empty() {
            Vec::new()
        } else {
            chosen(&measures, Spelling::Dot).map_err(refused)?
        };
        let evaluator = Evaluator::new(&chosen, Judgements::Qrels, settings).map_err(refused)?;
        Ok(TrecEvaluator { qrels, evaluator: Arc::new(evaluator) })
    }

    /// The scores of the topics that run and judgements share, in the order of the run.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        scores: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        let unable = || PyTypeError::new_err("Unable to extract query/object scores.");
        let mut run = axiometrics::Run::builder();
        let mut gathered = 0;
        for (topic, documents) in scores.iter() {
            let topic = topic.cast::<PyString>().map_err(|_| unable())?.to_str()?;
            let documents = documents.cast::<PyDict>().map_err(|_| unable())?;
            py.check_signals()?;
            let known = self.qrels.find(topic.as_bytes()).is_some();
            if known {
                // The place in the order; its scores follow.
                all.set_item(topic, py.None())?;
            }
            for (doc, score) in documents.iter() {
                let doc = doc.cast::<PyString>().map_err(|_| unable())?;
                let score = number(&score).ok_or_else(unable)?;
                if known {
                    run.push(topic, doc.to_str()?, score);
                    gathered += 1;
                }
            }
            if gathered >= PORTION {
                self.portion(std::mem::replace(&mut run, axiometrics::Run::builder()), &all)?;
                gathered = 0;
            }
        }
        self.portion(run, &all)?;
        self.void(scores, &all)?;
        Ok(all)
    }
}

impl TrecEvaluator {
    /// Scores some topics.
    fn portion(&self, run: axiometrics::data::RunBuilder, all: &Bound<'_, PyDict>) -> PyResult<()> {
        let py = all.py();
        let table = py.detach(|| self.evaluator.score(&self.qrels, &run.build()?)).or_raise(py)?;
        for (row, topic) in table.topics().enumerate() {
            let found = PyDict::new(py);
            for (column, name) in table.names().into_iter().enumerate() {
                let value = match table.value(row, column) {
                    Some(TrecValue::Number(x)) => x,
                    // Texts are no numbers, so they are 0 there.
                    _ => 0.0,
                };
                found.set_item(plain(name), value)?;
            }
            all.set_item(String::from_utf8_lossy(topic), found)?;
        }
        Ok(())
    }

    /// Topics without a document are scored as empty rankings.
    fn void(&self, scores: &Bound<'_, PyDict>, all: &Bound<'_, PyDict>) -> PyResult<()> {
        let py = all.py();
        for (topic, _) in scores.iter() {
            if !all.get_item(&topic)?.is_some_and(|found| found.is_none()) {
                continue;
            }
            let text = topic.cast::<PyString>()?.to_str()?;
            let mut run = axiometrics::Run::builder();
            // A document that nobody judged has no rank that any score could see, but for what
            // counts retrieved documents, which are taken back.
            run.push(text, "\0", 0.0);
            let one = PyDict::new(py);
            self.portion(run, &one)?;
            let Some(found) = one.get_item(&topic)? else { continue };
            let found = found.cast_into::<PyDict>()?;
            for name in found.keys() {
                let name = name.cast_into::<PyString>()?;
                let name = name.to_str()?;
                if ["num_ret", "utility"].contains(&name) {
                    found.set_item(name, 0.0)?;
                }
            }
            all.set_item(&topic, found)?;
        }
        Ok(())
    }
}

/// A name as pytrec_eval writes it: these two without their parameters.
fn plain(name: &str) -> &str {
    ["relstring", "set_F"].into_iter().find(|known| name.starts_with(known)).unwrap_or(name)
}
