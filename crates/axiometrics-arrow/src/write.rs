//! Runs and judgements as record batches.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, Float64Array, RecordBatch};
use axiometrics::policy::{Rounding, Ties};
use axiometrics::{Error, Qrels, Result, Run};

/// Columns that are filled row by row.
#[derive(Default)]
struct WrittenRows {
    topics: StringBuilder,
    docs: StringBuilder,
    values: Vec<f64>,
}

impl WrittenRows {
    fn push(&mut self, topic: &[u8], doc: &[u8], value: f64) -> Result<()> {
        self.topics.append_value(text(topic)?);
        self.docs.append_value(text(doc)?);
        self.values.push(value);
        Ok(())
    }

    fn batch(mut self, value: &str) -> Result<RecordBatch> {
        let topics: ArrayRef = Arc::new(self.topics.finish());
        let docs: ArrayRef = Arc::new(self.docs.finish());
        let values: ArrayRef = Arc::new(Float64Array::from(self.values));
        RecordBatch::try_from_iter([("query_id", topics), ("doc_id", docs), (value, values)])
            .map_err(crate::error)
    }
}

fn text(id: &[u8]) -> Result<&str> {
    std::str::from_utf8(id).map_err(|_| {
        let shown = axiometrics::data::id_text(id);
        Error::usage(format!("the id {shown} is not UTF-8, which a column of strings must be"))
    })
}

/// A run as a batch with the columns `query_id`, `doc_id` and `score`: topics in the order they
/// came, documents as measures see them.
pub fn run_batch(run: &Run) -> Result<RecordBatch> {
    let mut rows = WrittenRows::default();
    for topic in run.topics() {
        for (doc, score) in run.ranking(topic, Ties::DocidDesc, Rounding::F64) {
            rows.push(run.topic_bytes(topic), doc, score)?;
        }
    }
    rows.batch("score")
}

/// Judgements as a batch with the columns `query_id`, `doc_id` and `relevance`.
pub fn qrels_batch(qrels: &Qrels) -> Result<RecordBatch> {
    let mut rows = WrittenRows::default();
    for topic in qrels.topics() {
        for (doc, grade) in qrels.judgements(*topic) {
            rows.push(qrels.topic_bytes(*topic), doc, grade)?;
        }
    }
    rows.batch("relevance")
}
