//! The scores of an evaluation, to be read from Python. What they are called there, and how they
//! become tables of other libraries, is in `results.py`.

use std::sync::Arc;

use axiometrics::choice::Choice;
use axiometrics::compare::{self, ComparisonSettings};
use axiometrics::measure::{Metric, Score};
use axiometrics::report::evaluation::{Detail, EvaluationReport, Unit};
use axiometrics::report::{OutputFormat, Report, Style, plot};
use axiometrics::score::{self, Protocol, System};
use axiometrics::stats::{ScoreMatrix, tukey_hsd_unpaired};
use axiometrics::warning::{Warning, Warnings};
use axiometrics::work::Work;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::error::{OrRaise, Python3, usage};
use crate::input::choice;
use crate::watch::{in_parallel, watched};

/// Scores of runs by the same measures.
#[pyclass(frozen, module = "axiometrics")]
pub(crate) struct Scores {
    pub(crate) qrels: Arc<axiometrics::Qrels>,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) runs: Vec<(String, score::Scores)>,
    pub(crate) protocol: Protocol,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) per_topic: bool,
}

impl Scores {
    fn run(&self, run: usize) -> PyResult<&score::Scores> {
        let found = self.runs.get(run).map(|(_, scores)| scores);
        found.ok_or_else(|| PyIndexError::new_err(format!("there is no run {run}")))
    }

    fn report(&self, detail: Detail) -> EvaluationReport<'_> {
        EvaluationReport {
            unit: Unit::Topic,
            qrels: &self.qrels,
            metrics: &self.metrics,
            runs: self.runs.iter().map(|(name, scores)| System { name, scores }).collect(),
            protocol: self.protocol.clone(),
            warnings: self.warnings.clone(),
            detail,
            sort: None,
            top: None,
        }
    }
}

#[pymethods]
impl Scores {
    /// The names of the runs.
    #[getter]
    fn runs(&self) -> Vec<&str> {
        self.runs.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The names of the measures.
    #[getter]
    fn measures(&self) -> Vec<String> {
        self.metrics.iter().map(Metric::to_string).collect()
    }

    /// Whether tables tell topics.
    #[getter]
    fn per_topic(&self) -> bool {
        self.per_topic
    }

    /// Whether scores have ranges.
    #[getter]
    fn has_ranges(&self) -> bool {
        self.runs.iter().any(|(_, scores)| scores.has_ranges())
    }

    /// How the runs were scored, in a sentence.
    #[getter]
    fn settings(&self) -> String {
        self.protocol.to_string()
    }

    /// The warnings: what they are about, how often, the sentence, and what to do.
    #[getter]
    fn warnings(&self) -> Vec<(&'static str, u64, String, String)> {
        let told =
            |w: &Warning| (w.kind.name(), w.count, w.message.clone(), w.remedy.worded(&Python3));
        self.warnings.iter().map(told).collect()
    }

    /// The summary over topics of each measure of a run.
    fn summary(&self, run: usize) -> PyResult<Vec<Option<f64>>> {
        let scores = self.run(run)?;
        let undefined = self.protocol.undefined;
        Ok((0..self.metrics.len()).map(|m| scores.summary_value(m, undefined)).collect())
    }

    /// The ranges of these summaries.
    fn summary_ranges(&self, run: usize) -> PyResult<Vec<Option<(f64, f64)>>> {
        let scores = self.run(run)?;
        let range = |m| scores.summary_range(m, self.protocol.undefined).map(|r| (r.low, r.high));
        Ok((0..self.metrics.len()).map(range).collect())
    }

    /// The topics of a run, sorted.
    fn topics(&self, run: usize) -> PyResult<Vec<String>> {
        let scores = self.run(run)?;
        Ok((0..scores.len()).map(|row| scores.topic(row).into_owned()).collect())
    }

    /// The scores of the topics of a run by one measure.
    fn values(&self, run: usize, measure: usize) -> PyResult<Vec<Option<f64>>> {
        Ok(self.run(run)?.column(measure).collect())
    }

    /// Their ranges.
    fn ranges(&self, run: usize, measure: usize) -> PyResult<Vec<Option<(f64, f64)>>> {
        let scores = self.run(run)?;
        let range = |row| scores.range(row, measure).map(|r| (r.low, r.high));
        Ok((0..scores.len()).map(range).collect())
    }

    /// Why scores are undefined, by topic.
    fn reasons(&self, run: usize, measure: usize) -> PyResult<Vec<(String, &'static str)>> {
        let scores = self.run(run)?;
        let reason = |row: usize| match scores.score(row, measure) {
            Some(Score::Undefined(why)) => Some((scores.topic(row).into_owned(), why)),
            _ => None,
        };
        Ok((0..scores.len()).filter_map(reason).collect())
    }

    /// The scores in a format of the command.
    #[pyo3(signature = (format, per_topic, places = None))]
    fn render(
        &self,
        py: Python<'_>,
        format: &str,
        per_topic: bool,
        places: Option<u8>,
    ) -> PyResult<String> {
        let format: OutputFormat = choice(py, "format", format)?;
        let detail = if per_topic { Detail::Topics } else { Detail::Runs };
        let style = Style { places, voice: &Python3, ..Style::default() };
        Ok(py.detach(|| self.report(detail).render(format, &style)))
    }

    /// How the scores of topics are spread, run by run, as SVG.
    fn plot(&self, py: Python<'_>, measure: usize) -> PyResult<String> {
        let Some(metric) = self.metrics.get(measure) else {
            return Err(usage(py, format!("there is no measure {measure}")));
        };
        let runs: Vec<(String, Vec<f64>)> = self
            .runs
            .iter()
            .map(|(name, scores)| (name.clone(), scores.column(measure).flatten().collect()))
            .collect();
        let measure = metric.to_string();
        let name = format!("topics-{measure}");
        let caption = format!("The scores of topics by {measure}");
        Ok(py.detach(|| plot::distribution(&name, caption, &measure, &runs).svg()))
    }

    /// The runs compared with each other, or with a baseline, as JSON.
    #[pyo3(signature = (baseline = None))]
    fn compared(&self, py: Python<'_>, baseline: Option<usize>) -> PyResult<String> {
        let settings = ComparisonSettings {
            baseline,
            undefined: self.protocol.undefined,
            ..ComparisonSettings::default()
        };
        let (qrels, metrics, runs) = (self.qrels.clone(), self.metrics.clone(), self.runs.clone());
        let compared = watched(py, &Work::alone(), None, move || {
            let systems: Vec<System<'_>> =
                runs.iter().map(|(name, scores)| System { name, scores }).collect();
            let told = &mut Warnings::default();
            let compared =
                in_parallel(|| compare::compare(&qrels, &metrics, &systems, &settings, told))??;
            Ok(serde_json::to_string(&compared).unwrap_or_default())
        })?;
        compared.or_raise(py)
    }
}

/// The p-values of all pairs of systems, given the scores of each by topic, by Tukey's test that takes
/// the topics of each system for others; `None` if the scores do not vary within a system.
#[pyfunction]
pub(crate) fn unpaired_tukey(
    py: Python<'_>,
    scores: Vec<Vec<f64>>,
) -> PyResult<Vec<(usize, usize, Option<f64>)>> {
    let pairs = ScoreMatrix::new(scores).and_then(|scores| tukey_hsd_unpaired(&scores));
    Ok(pairs.or_raise(py)?.into_iter().map(|pair| (pair.a, pair.b, pair.result.p)).collect())
}
