//! Tables of other libraries, handed over through the Arrow interface: nothing is copied, and no
//! Python object is made of a row.

use arrow_array::RecordBatch;
use arrow_array::RecordBatchIterator;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use axiometrics::measure::Metric;
use axiometrics::policy::{Missing, Policies, Undefined};
use axiometrics::warning::{WarningKind, Warnings};
use axiometrics_arrow::{GroupScorer, Scored, Summarised, Totals};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::error::{OrRaise, usage, warn};
use crate::evaluate::vary;
use crate::input::choice;
use crate::measures::metrics;

const STREAM: &std::ffi::CStr = c"arrow_array_stream";

/// The batches of a table, if it is one: pyarrow, pandas and polars tables are.
pub(crate) fn batches(table: &Bound<'_, PyAny>) -> PyResult<Option<Vec<RecordBatch>>> {
    let py = table.py();
    if !table.hasattr("__arrow_c_stream__")? {
        return Ok(None);
    }
    let capsule = table.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = taken(&capsule)?;
    // The other library may need the interpreter on a thread of its own.
    let read = py.detach(|| -> Result<Vec<RecordBatch>, arrow_schema::ArrowError> {
        RecordBatchStreamReader::try_new(stream)?.collect()
    });
    read.map(Some).map_err(axiometrics_arrow::error).or_raise(py)
}

/// A table of another library as the bytes of a CSV file; `None` if it is no table.
#[pyfunction]
pub(crate) fn table_text<'py>(
    table: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let py = table.py();
    let Some(batches) = batches(table)? else { return Ok(None) };
    let text = py.detach(|| axiometrics_arrow::to_csv(name, &batches)).or_raise(py)?;
    Ok(Some(PyBytes::new(py, &text)))
}

/// Takes the stream out of its capsule.
#[allow(unsafe_code, reason = "memory of another library can be taken in no other way")]
fn taken(capsule: &Bound<'_, PyCapsule>) -> PyResult<FFI_ArrowArrayStream> {
    let pointer = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: by the interface, a capsule of this name holds a valid stream, which is ours to move
    // out of once: `from_raw` leaves a released one behind, so that the capsule frees nothing.
    Ok(unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) })
}

/// A table that other libraries take through the Arrow interface.
#[pyclass(frozen, module = "axiometrics")]
pub(crate) struct ArrowTable {
    batch: RecordBatch,
}

#[pymethods]
impl ArrowTable {
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// The interface by which other libraries take the table.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer that wants another schema has to cast, as the interface allows.
        let _ = requested_schema;
        let reader = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, STREAM)
    }
}

/// Scores batches whose rows are grouped by topic, judgements and runs together.
#[pyclass(module = "axiometrics")]
pub(crate) struct BatchScorer {
    scorer: GroupScorer,
    undefined: Undefined,
    missing: Missing,
}

impl BatchScorer {
    fn scored(&mut self, table: &Bound<'_, PyAny>) -> PyResult<Vec<Scored>> {
        let py = table.py();
        let Some(batches) = batches(table)? else {
            let kind = table.get_type().name()?;
            return Err(usage(py, format!("found a {kind}, expected an Arrow record batch")));
        };
        let scorer = &mut self.scorer;
        let scored = py.detach(|| {
            let mut all: Vec<Scored> = Vec::new();
            for batch in &batches {
                all.extend(scorer.push(batch)?);
            }
            Ok(all)
        });
        scored.or_raise(py)
    }
}

#[pymethods]
impl BatchScorer {
    #[new]
    #[pyo3(signature = (
        measures, max_grade, *, missing, undefined, ties, scores, order, depth, lenient, prune,
        ranges, run_column, run_names
    ))]
    #[allow(clippy::too_many_arguments, reason = "the options of an evaluation, each by its name")]
    fn new(
        py: Python<'_>,
        measures: Vec<Bound<'_, PyAny>>,
        max_grade: f64,
        missing: &str,
        undefined: &str,
        ties: &str,
        scores: &str,
        order: &str,
        depth: Option<u32>,
        lenient: bool,
        prune: bool,
        ranges: Option<i64>,
        run_column: Option<String>,
        run_names: Vec<String>,
    ) -> PyResult<BatchScorer> {
        let metrics = named(py, &measures)?;
        let undefined = choice(py, "undefined", undefined)?;
        let missing = choice(py, "missing", missing)?;
        let policies = Policies {
            missing,
            undefined,
            ties: choice(py, "ties", ties)?,
            scores: choice(py, "scores", scores)?,
            order: choice(py, "order", order)?,
            max_grade: Some(max_grade),
            depth,
            lenient,
            prune,
            ..Policies::default()
        };
        let mut scorer = GroupScorer::new(metrics, policies, max_grade).or_raise(py)?;
        if let Some(column) = run_column {
            scorer = scorer.with_runs(column, run_names);
        }
        if let Some(vary) = vary(ranges) {
            scorer = scorer.with_ranges(vary);
        }
        Ok(BatchScorer { scorer, undefined, missing })
    }

    /// Takes a batch, and gives the scores of the topics that are complete.
    fn push(&mut self, table: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
        let all = self.scored(table)?;
        Ok(ArrowTable { batch: self.scorer.batch(&all).or_raise(table.py())? })
    }

    /// The scores of the last topic.
    fn finish(&mut self, py: Python<'_>) -> PyResult<ArrowTable> {
        let scored = self.scorer.finish().and_then(|all| self.scorer.batch(&all));
        Ok(ArrowTable { batch: scored.or_raise(py)? })
    }

    /// Tells the warnings so far in Python's way.
    fn warn(&mut self, py: Python<'_>) -> PyResult<()> {
        let mut warnings = std::mem::take(&mut self.scorer.warnings);
        // Whether it is so of all topics is not known here.
        warnings.take(WarningKind::NothingJudged);
        warn(py, &warnings)
    }

    /// The warnings so far as rows of the same table, without a topic.
    fn warning_rows(&mut self, py: Python<'_>) -> PyResult<ArrowTable> {
        Ok(ArrowTable { batch: self.scorer.warning_rows().or_raise(py)? })
    }

    /// Scores all these batches and gives what their topics add to the summaries.
    fn totals<'py>(&mut self, batches: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
        let py = batches.py();
        let mut totals = self.empty_totals();
        for table in batches.try_iter()? {
            for scored in &self.scored(&table?)? {
                totals.push(scored).or_raise(py)?;
            }
        }
        for scored in &self.scorer.finish().or_raise(py)? {
            totals.push(scored).or_raise(py)?;
        }
        totals.warn(std::mem::take(&mut self.scorer.warnings));
        Ok(PyBytes::new(py, &totals.to_bytes().or_raise(py)?))
    }
}

impl BatchScorer {
    fn empty_totals(&self) -> Totals {
        Totals::new(self.scorer.metrics(), self.undefined, self.missing, &self.scorer.run_names())
    }
}

/// Summaries of runs, put together of parts.
#[pyclass(module = "axiometrics")]
pub(crate) struct BatchTotals(Option<Totals>);

#[pymethods]
impl BatchTotals {
    #[new]
    fn new(
        py: Python<'_>,
        measures: Vec<Bound<'_, PyAny>>,
        undefined: &str,
        missing: &str,
        run_names: Vec<String>,
    ) -> PyResult<BatchTotals> {
        let metrics = named(py, &measures)?;
        Ok(BatchTotals(Some(Totals::new(
            &metrics,
            choice(py, "undefined", undefined)?,
            choice(py, "missing", missing)?,
            &run_names,
        ))))
    }

    /// Adds a part.
    fn merge(&mut self, py: Python<'_>, part: &[u8]) -> PyResult<()> {
        self.open(py)?.merge(part).or_raise(py)
    }

    /// Adds a table of scores.
    fn push(&mut self, table: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = table.py();
        for batch in batches(table)?.unwrap_or_default() {
            self.open(py)?.push_batch(&batch).or_raise(py)?;
        }
        Ok(())
    }

    /// To be merged elsewhere.
    fn packed<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = self.open(py)?.to_bytes().or_raise(py)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The summaries and their ranges, by run and measure. Tells warnings in Python's way.
    fn finish(&mut self, py: Python<'_>) -> PyResult<Vec<Vec<Summarised>>> {
        self.open(py)?;
        let (all, warnings) = match self.0.take() {
            Some(totals) => totals.finish().or_raise(py)?,
            None => (Vec::new(), Warnings::default()),
        };
        warn(py, &warnings)?;
        Ok(all)
    }
}

impl BatchTotals {
    fn open(&mut self, py: Python<'_>) -> PyResult<&mut Totals> {
        self.0.as_mut().ok_or_else(|| usage(py, "these totals were finished before"))
    }
}

/// Measures by name alone: a function does not travel with batches.
fn named(py: Python<'_>, measures: &[Bound<'_, PyAny>]) -> PyResult<Vec<Metric>> {
    let (metrics, functions) = metrics(py, measures)?;
    if !functions.is_empty() {
        return Err(usage(py, "found a function, expected measures by name for batches"));
    }
    Ok(metrics)
}
