//! Tables of other libraries, handed over through the Arrow interface: nothing is copied, and no
//! Python object is made of a row.

use arrow_array::RecordBatch;
use arrow_array::RecordBatchIterator;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use axiometrics::policy::Policies;
use axiometrics_arrow::{GroupScorer, Scored};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error::{OrRaise, usage, warn};
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
pub(crate) struct BatchScorer(GroupScorer);

#[pymethods]
impl BatchScorer {
    #[new]
    #[pyo3(signature = (
        measures, max_grade, *, missing, undefined, ties, scores, depth, lenient, run_column, run_names
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
        depth: Option<u32>,
        lenient: bool,
        run_column: Option<String>,
        run_names: Vec<String>,
    ) -> PyResult<BatchScorer> {
        let (metrics, functions) = metrics(py, &measures)?;
        if !functions.is_empty() {
            return Err(usage(py, "found a function, expected measures by name for batches"));
        }
        let policies = Policies {
            missing: choice(py, "missing", missing)?,
            undefined: choice(py, "undefined", undefined)?,
            ties: choice(py, "ties", ties)?,
            scores: choice(py, "scores", scores)?,
            max_grade: Some(max_grade),
            depth,
            lenient,
            ..Policies::default()
        };
        let scorer = GroupScorer::new(metrics, policies, max_grade).or_raise(py)?;
        Ok(BatchScorer(match run_column {
            Some(column) => scorer.with_runs(column, run_names),
            None => scorer,
        }))
    }

    /// Takes a batch, and gives the scores of the topics that are complete.
    fn push(&mut self, table: &Bound<'_, PyAny>) -> PyResult<ArrowTable> {
        let py = table.py();
        let Some(batches) = batches(table)? else {
            let kind = table.get_type().name()?;
            return Err(usage(py, format!("found a {kind}, expected an Arrow record batch")));
        };
        let scorer = &mut self.0;
        let scored = py.detach(|| {
            let mut all: Vec<Scored> = Vec::new();
            for batch in &batches {
                all.extend(scorer.push(batch)?);
            }
            scorer.batch(&all)
        });
        Ok(ArrowTable { batch: scored.or_raise(py)? })
    }

    /// The scores of the last topic, and the warnings of all.
    fn finish(&mut self, py: Python<'_>) -> PyResult<ArrowTable> {
        let scored = self.0.finish().and_then(|all| self.0.batch(&all));
        warn(py, &std::mem::take(&mut self.0.warnings))?;
        Ok(ArrowTable { batch: scored.or_raise(py)? })
    }
}
