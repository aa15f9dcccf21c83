//! Runs scored: in one pass over a dict, while a file is read, or from memory.

use std::path::PathBuf;
use std::sync::Arc;

use axiometrics::Error;
use axiometrics::align::Aligner;
use axiometrics::data::{Facet, Needs, Parts};
use axiometrics::io;
use axiometrics::measure::Metric;
use axiometrics::policy::Policies;
use axiometrics::score::ranges::Vary;
use axiometrics::score::{Batch, Evaluation, Protocol, Scores as RunScores, read_judgements};
use axiometrics::warning::Warnings;
use axiometrics::work::Work;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyList, PySet, PyTuple};

use crate::error::{OrRaise, exception, usage, warn};
use crate::function::{self, Function};
use crate::input::{self, Given, Sink, What, choice};
use crate::measures::metrics;
use crate::scores::Scores;
use crate::watch::watched;

/// What is to be scored, and how: all that a thread needs.
#[derive(Clone)]
struct Task {
    metrics: Vec<Metric>,
    policies: Policies,
    ranges: Option<Vary>,
    parts: Option<Arc<Parts>>,
    work: Work,
}

impl Task {
    fn evaluation<'a>(&'a self, qrels: &'a axiometrics::Qrels) -> Evaluation<'a> {
        let mut evaluation = Evaluation::under(&self.policies, qrels, &self.metrics);
        evaluation.reading.parts = self.parts.clone();
        evaluation.ranges = self.ranges;
        evaluation.work = self.work.clone();
        evaluation
    }

    fn needs(&self) -> Needs {
        if self.ranges.is_some() { Needs::JUDGED } else { Needs::POSITIVE }
    }

    /// Judgements that are in memory, as these measures want them.
    fn in_memory(
        &self,
        qrels: Arc<axiometrics::Qrels>,
        has_facets: bool,
    ) -> axiometrics::Result<Arc<axiometrics::Qrels>> {
        if let Some(metric) = self.metrics.iter().find(|m| m.needs().facet != Facet::None)
            && !has_facets
        {
            return Err(Error::usage(format!(
                "{metric} needs judgements by subtopic, group or stratum, which these have not"
            ))
            .help("pass the path of the judgements, or Qrels(path, facet=\"subtopic\")"));
        }
        let Some(max_grade) = self.policies.max_grade else { return Ok(qrels) };
        let found = qrels.max_grade();
        if found > max_grade {
            return Err(Error::usage(format!(
                "the maximum grade {max_grade} is below the grade {found} in the judgements"
            ))
            .help("gains are shares of the maximum grade and cannot exceed 1"));
        }
        let mut qrels = Arc::unwrap_or_clone(qrels);
        qrels.set_max_grade(max_grade);
        Ok(Arc::new(qrels))
    }
}

/// Scores runs. The function that people call is in Python and documents the arguments.
#[pyfunction]
#[pyo3(signature = (
    qrels, runs, names, measures, *, missing, undefined, ties, scores, order, duplicates, map,
    pool, max_grade, depth, lenient, prune, ranges, threads, per_topic, progress
))]
#[allow(clippy::too_many_arguments, reason = "the options of an evaluation, each by its name")]
pub(crate) fn evaluate(
    py: Python<'_>,
    qrels: &Bound<'_, PyAny>,
    runs: Vec<Bound<'_, PyAny>>,
    names: Vec<Option<String>>,
    measures: Vec<Bound<'_, PyAny>>,
    missing: &str,
    undefined: &str,
    ties: &str,
    scores: &str,
    order: &str,
    duplicates: &str,
    map: Option<&Bound<'_, PyAny>>,
    pool: &str,
    max_grade: Option<f64>,
    depth: Option<u32>,
    lenient: bool,
    prune: bool,
    ranges: Option<i64>,
    threads: Option<usize>,
    per_topic: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Scores> {
    let (metrics, functions) = metrics(py, &measures)?;
    if depth == Some(0) {
        return Err(usage(py, "depth: found 0, expected at least 1"));
    }
    let policies = Policies {
        missing: choice(py, "missing", missing)?,
        undefined: choice(py, "undefined", undefined)?,
        ties: choice(py, "ties", ties)?,
        scores: choice(py, "scores", scores)?,
        order: choice(py, "order", order)?,
        duplicates: choice(py, "duplicates", duplicates)?,
        pool: map.map(|_| choice(py, "pool", pool)).transpose()?,
        max_grade,
        depth,
        lenient,
        prune,
    };
    let parts = map.map(input::parts).transpose()?.map(Arc::new);
    let work = Work::default();
    let work = threads.map_or(work.clone(), |threads| work.clone().with_threads(threads));
    let task = Task { metrics, policies, ranges: vary(ranges), parts, work };
    let result = scored(py, &task, qrels, &runs, &names, progress)
        .inspect_err(|_| functions.iter().for_each(Function::stop));
    function::raise(&functions)?;
    let (qrels, runs, warnings) = result?;
    warn(py, &warnings)?;
    let protocol = Protocol::new(&qrels, &task.policies);
    let warnings = warnings.list();
    Ok(Scores { qrels, metrics: task.metrics, runs, protocol, warnings, per_topic })
}

/// Which documents vary, by the number of further relevant ones in the collection; below 0 only those
/// that were retrieved.
pub(crate) fn vary(ranges: Option<i64>) -> Option<Vary> {
    ranges.map(|further| match u32::try_from(further) {
        Ok(further) => Vary::collection(further.min(100_000_000)),
        Err(_) => Vary::default(),
    })
}

/// Names and scores of runs.
type Named = Vec<(String, RunScores)>;

fn scored(
    py: Python<'_>,
    task: &Task,
    qrels: &Bound<'_, PyAny>,
    runs: &[Bound<'_, PyAny>],
    names: &[Option<String>],
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Arc<axiometrics::Qrels>, Named, Warnings)> {
    let mut warnings = Warnings::default();
    let judged = judgements(py, task, qrels, &mut warnings)?;
    let given: Vec<Given<'_>> = runs.iter().map(input::given).collect::<PyResult<_>>()?;
    let paths: Option<Vec<PathBuf>> = given
        .iter()
        .map(|given| match given {
            Given::Path(path) => Some(path.clone()),
            _ => None,
        })
        .collect();
    let mut all = match paths {
        Some(paths) if !paths.is_empty() => {
            files(py, task, &judged, paths, &mut warnings, progress)?
        }
        _ => {
            let mut all = Vec::with_capacity(given.len());
            for ((given, source), name) in given.into_iter().zip(runs).zip(names) {
                all.push(one(py, task, &judged, given, source, name.clone(), &mut warnings)?);
            }
            all
        }
    };
    for ((own, _), name) in all.iter_mut().zip(names) {
        if let Some(name) = name {
            own.clone_from(name);
        }
    }
    let unique = io::unique_names(&all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>());
    let mut seen = std::collections::HashSet::new();
    let repeated = !all.iter().all(|(name, _)| seen.insert(name.clone()));
    if repeated {
        all.iter_mut().zip(unique).for_each(|((name, _), unique)| *name = unique);
    }
    Ok((judged, all, warnings))
}

fn judgements(
    py: Python<'_>,
    task: &Task,
    qrels: &Bound<'_, PyAny>,
    warnings: &mut Warnings,
) -> PyResult<Arc<axiometrics::Qrels>> {
    match input::given(qrels)? {
        given @ (Given::Path(_) | Given::Bytes(..) | Given::Batches(_)) => {
            let name = given.usual_name("qrels");
            let source = input::source(given, name).or_raise(py)?.watched(&task.work);
            let moved = task.clone();
            let read = watched(py, &task.work, None, move || {
                let mut met = Warnings::default();
                let Task { metrics, policies, work, .. } = &moved;
                let read = read_judgements(&source, metrics, moved.needs(), policies, &mut met);
                work.or_cancelled(read).map(|qrels| (Arc::new(qrels), met))
            })?;
            let (read, met) = read.or_raise(py)?;
            warnings.extend(met);
            Ok(read)
        }
        Given::Qrels(known) => {
            let known = known.get();
            task.in_memory(known.data.clone(), known.has_facets).or_raise(py)
        }
        _ => {
            let lenient = task.policies.lenient;
            let read = input::qrels(qrels, lenient, Facet::None, warnings)?;
            task.in_memory(read, false).or_raise(py)
        }
    }
}

/// Runs that are all in files, several at once.
fn files(
    py: Python<'_>,
    task: &Task,
    qrels: &Arc<axiometrics::Qrels>,
    paths: Vec<PathBuf>,
    warnings: &mut Warnings,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Named> {
    let (moved, qrels) = (task.clone(), qrels.clone());
    let size = |path: &PathBuf| std::fs::metadata(path).map_or(0, |meta| meta.len());
    task.work.expect(task.work.done() + paths.iter().map(size).sum::<u64>());
    let scored = watched(py, &task.work, progress, move || {
        let mut met = Warnings::default();
        let batch = Batch::new(moved.evaluation(&qrels));
        let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        let names = io::unique_names(&names);
        let scored = batch.score(&names, |number| axio::open(&paths[number]), &mut met)?;
        Ok((scored.runs.into_iter().map(|run| (run.name, run.scores)).collect(), met))
    })?;
    let (scored, met) = scored.or_raise(py)?;
    warnings.extend(met);
    Ok(scored)
}

/// One run of any kind.
fn one(
    py: Python<'_>,
    task: &Task,
    qrels: &Arc<axiometrics::Qrels>,
    given: Given<'_>,
    source: &Bound<'_, PyAny>,
    name: Option<String>,
    warnings: &mut Warnings,
) -> PyResult<(String, RunScores)> {
    match given {
        Given::Dict(dict) if task.evaluation(qrels).reading.is_plain() => {
            let name = name.unwrap_or_else(|| "run".to_string());
            let evaluation = task.evaluation(qrels);
            let mut stream = evaluation.stream(&name).or_raise(py)?;
            input::visit_dict(&dict, What::Run, &name, &mut stream)?;
            let scores = stream.finish(warnings).or_raise(py)?;
            Ok((name, scores))
        }
        Given::Path(_) | Given::Bytes(..) | Given::Batches(_) => {
            let source = input::source(given, name).or_raise(py)?.watched(&task.work);
            let name = source.short_name();
            let scores = background(py, task, qrels, warnings, move |evaluation, met| {
                evaluation.run(&source, met)
            })?;
            Ok((name, scores))
        }
        _ => {
            let reading = task.evaluation(qrels).reading;
            let run = input::run(source, name, task.policies.lenient, &reading, warnings)?;
            let name = run.name().to_string();
            let scores = background(py, task, qrels, warnings, move |evaluation, met| {
                evaluation.score(&run, met)
            })?;
            Ok((name, scores))
        }
    }
}

fn background(
    py: Python<'_>,
    task: &Task,
    qrels: &Arc<axiometrics::Qrels>,
    warnings: &mut Warnings,
    score: impl FnOnce(&Evaluation<'_>, &mut Warnings) -> axiometrics::Result<RunScores>
    + Send
    + 'static,
) -> PyResult<RunScores> {
    let (moved, qrels) = (task.clone(), qrels.clone());
    let scored = watched(py, &task.work, None, move || {
        let mut met = Warnings::default();
        score(&moved.evaluation(&qrels), &mut met).map(|scores| (scores, met))
    })?;
    let (scores, met) = scored.or_raise(py)?;
    warnings.extend(met);
    Ok(scores)
}

/// The topic of a single ranking.
const TOPIC: &str = "ranking";

/// Judges one ranking: documents from the top, or with scores; relevant documents, or grades.
#[pyfunction]
pub(crate) fn score<'py>(
    py: Python<'py>,
    retrieved: &Bound<'py, PyAny>,
    relevant: &Bound<'py, PyAny>,
    measures: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (metrics, functions) = metrics(py, &measures)?;
    if let Some(metric) = metrics.iter().find(|m| m.needs().facet != Facet::None) {
        return Err(usage(py, format!("{metric} needs judgements by subtopic, group or stratum")));
    }
    let mut qrels = axiometrics::Qrels::builder();
    let judged = topic_of(py, relevant, "relevant")?;
    input::visit_dict(&judged, What::Qrels, "relevant", &mut qrels)?;
    // A topic without a judged document would not be there at all; one that was pooled and not
    // assessed counts for nothing.
    let mut placeholder = Empty(true);
    input::visit_dict(&judged, What::Qrels, "relevant", &mut placeholder)?;
    if placeholder.0 {
        qrels.push(TOPIC, "\0", -1.0);
    }
    let qrels = qrels.build().or_raise(py)?;
    let run = topic_of(py, retrieved, "retrieved")?;
    let mut empty = Empty(true);
    input::visit_dict(&run, What::Run, "retrieved", &mut empty)?;
    let values: Vec<Option<f64>> = if empty.0 {
        let mut aligner = Aligner::new(&qrels, Default::default());
        let topic = qrels.topics().first().copied().unwrap_or_default();
        let nothing = aligner.empty(topic);
        metrics.iter().map(|metric| metric.score(&nothing).value()).collect()
    } else {
        let evaluation = Evaluation::new(&qrels, &metrics);
        let mut stream = evaluation.stream("retrieved").or_raise(py)?;
        input::visit_dict(&run, What::Run, "retrieved", &mut stream)?;
        let scores = stream.finish(&mut Warnings::default());
        function::raise(&functions)?;
        let scores = scores.or_raise(py)?;
        (0..metrics.len()).map(|column| scores.value(0, column)).collect()
    };
    function::raise(&functions)?;
    let result = PyDict::new(py);
    for (metric, value) in metrics.iter().zip(values) {
        result.set_item(metric.to_string(), value)?;
    }
    Ok(result)
}

/// Whether nothing came.
struct Empty(bool);

impl Sink for Empty {
    fn push(&mut self, _topic: &[u8], _doc: &[u8], _value: f64) {
        self.0 = false;
    }
}

/// A dict of one topic. What can be read only once, and sets, become lists first.
fn topic_of<'py>(
    py: Python<'py>,
    documents: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let topic = PyDict::new(py);
    let as_it_is = documents.cast::<PyDict>().is_ok()
        || documents.cast::<PyList>().is_ok()
        || documents.cast::<PyTuple>().is_ok()
        || what == "relevant"
            && (documents.cast::<PySet>().is_ok() || documents.cast::<PyFrozenSet>().is_ok());
    if as_it_is {
        topic.set_item(TOPIC, documents)?;
        return Ok(topic);
    }
    let unordered = documents.cast::<PySet>().is_ok() || documents.cast::<PyFrozenSet>().is_ok();
    let text = documents.cast::<pyo3::types::PyString>().is_ok();
    if unordered || text || documents.try_iter().is_err() {
        let kind = documents.get_type().name()?;
        let message = format!("{what}: found a {kind}, expected a list of documents or a dict");
        return Err(exception(py, &Error::usage(message)));
    }
    let listed: Vec<Bound<'_, PyAny>> = documents.try_iter()?.collect::<PyResult<_>>()?;
    topic.set_item(TOPIC, PyList::new(py, listed)?)?;
    Ok(topic)
}
