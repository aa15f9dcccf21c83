//! Scores of data that is grouped by topic and comes batch by batch, judgements and runs together.
//!
//! For engines that distribute rows by topic: nothing but the last topic is kept from one batch to
//! the next, so that memory is that of the largest topic and of one batch.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use axiometrics::data::Facet;
use axiometrics::io::Content;
use axiometrics::io::table::{CellPlace, Columns};
use axiometrics::measure::{Metric, Score};
use axiometrics::policy::Policies;
use axiometrics::{Error, Evaluation, Place, Qrels, Result, Run, Scores, Warnings};

use crate::batches::names;
use crate::cells::{Ids, Numbers};

/// The name of the data in messages.
const TABLE: &str = "batch";

/// Scores topics as their batches come.
///
/// A row is a judgement if it has a grade, and a retrieved document if it has a score; it may be
/// both. So the union of judgements and runs, with nulls where the other has its number, is as
/// good as their join. All rows of a topic follow each other; their order does not matter.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
/// use axiometrics::measure::parse_list;
/// use axiometrics::policy::Policies;
/// use axiometrics_arrow::GroupScorer;
///
/// let topics: ArrayRef = Arc::new(StringArray::from(vec!["1", "1", "2", "2"]));
/// let docs: ArrayRef = Arc::new(StringArray::from(vec!["a", "a", "a", "b"]));
/// let grades: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.0), None, Some(1.0), None]));
/// let scores: ArrayRef = Arc::new(Float64Array::from(vec![None, Some(9.0), None, Some(9.0)]));
/// let columns = [("qid", topics), ("docno", docs), ("label", grades), ("score", scores)];
/// let batch = RecordBatch::try_from_iter(columns).map_err(axiometrics_arrow::error)?;
///
/// let mut scorer = GroupScorer::new(parse_list("RR")?, Policies::default(), 1.0)?;
/// // The last topic may go on in the next batch.
/// assert_eq!(scorer.push(&batch)?[0].scores.get("1", "RR").unwrap().value(), Some(1.0));
/// assert_eq!(scorer.finish()?[0].scores.get("2", "RR").unwrap().value(), Some(0.0));
/// # Ok::<(), axiometrics::Error>(())
/// ```
#[derive(Debug)]
pub struct GroupScorer {
    metrics: Vec<Metric>,
    policies: Policies,
    max_grade: f64,
    /// The column of the names of runs, and these names, if there are several runs.
    runs: Option<(String, Vec<String>)>,
    /// The rows of the last topic.
    carried: Vec<RecordBatch>,
    /// The topics that were scored, by a hash of 128 bits.
    seen: HashSet<(u64, u64)>,
    hashing: [RandomState; 2],
    /// How many rows came before the carried ones.
    rows: u64,
    /// What was odd about the data.
    pub warnings: Warnings,
}

/// The scores of one run on some topics.
#[derive(Debug)]
pub struct Scored {
    /// The name of the run; empty if there is only one.
    pub run: String,
    /// Its scores.
    pub scores: Scores,
}

impl GroupScorer {
    /// A scorer of one run. `max_grade` is the highest grade of all judgements, or the one that
    /// judges could give: one batch does not tell it.
    pub fn new(metrics: Vec<Metric>, policies: Policies, max_grade: f64) -> Result<GroupScorer> {
        if let Some(metric) = metrics.iter().find(|metric| metric.needs().facet != Facet::None) {
            let message = format!("{metric} needs subtopics or strata, which batches do not have");
            return Err(Error::usage(message));
        }
        Ok(GroupScorer {
            metrics,
            policies,
            max_grade,
            runs: None,
            carried: Vec::new(),
            seen: HashSet::new(),
            hashing: [RandomState::new(), RandomState::new()],
            rows: 0,
            warnings: Warnings::default(),
        })
    }

    /// The same for several runs, which a column names. All their names are needed from the
    /// beginning: a run has a score on a topic of which it has no row.
    #[must_use]
    pub fn with_runs(self, column: impl Into<String>, names: Vec<String>) -> GroupScorer {
        GroupScorer { runs: Some((column.into(), names)), ..self }
    }

    /// Scores as a table with a row for each topic and measure: `topic`, `run` if there are several
    /// runs, `measure`, `value`, and `reason` if there is no value.
    pub fn batch(&self, scored: &[Scored]) -> Result<RecordBatch> {
        let mut topics = StringBuilder::new();
        let mut runs = StringBuilder::new();
        let mut measures = StringBuilder::new();
        let mut reasons = StringBuilder::new();
        let mut values = Float64Builder::new();
        for Scored { run, scores } in scored {
            for row in 0..scores.len() {
                for (column, metric) in scores.columns().iter().enumerate() {
                    topics.append_value(scores.topic(row));
                    runs.append_value(run);
                    measures.append_value(&metric.name);
                    let (value, reason) = match scores.score(row, column) {
                        Some(Score::Value(value)) => (Some(value), None),
                        Some(Score::Undefined(why)) => (None, Some(why)),
                        None => (None, None),
                    };
                    values.append_option(value);
                    reasons.append_option(reason);
                }
            }
        }
        let mut columns: Vec<(&str, ArrayRef, bool)> =
            vec![("topic", Arc::new(topics.finish()), false)];
        if self.runs.is_some() {
            columns.push(("run", Arc::new(runs.finish()), false));
        }
        columns.push(("measure", Arc::new(measures.finish()), false));
        columns.push(("value", Arc::new(values.finish()), true));
        columns.push(("reason", Arc::new(reasons.finish()), true));
        RecordBatch::try_from_iter_with_nullable(columns).map_err(crate::error)
    }

    /// Takes a batch, and gives the scores of the topics that are complete.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<Vec<Scored>> {
        let Some(last) = batch.num_rows().checked_sub(1) else { return Ok(Vec::new()) };
        let names = names(batch);
        let columns = Columns::recognise(TABLE, &names, Content::Run, Facet::None)?;
        let topics = Ids::of(batch.column(columns.topic).as_ref(), TABLE, &names[columns.topic])?;
        let (mut one, mut other) = (Vec::new(), Vec::new());
        let name = topics.get(last, &mut one);
        let mut start = last;
        while start > 0 && topics.get(start - 1, &mut other) == name {
            start -= 1;
        }
        let whole_goes_on = start == 0 && self.carries(name, columns.topic)?;
        if whole_goes_on {
            self.carried.push(batch.clone());
            return Ok(Vec::new());
        }
        let mut complete = std::mem::take(&mut self.carried);
        if start > 0 {
            complete.push(batch.slice(0, start));
        }
        self.carried.push(batch.slice(start, batch.num_rows() - start));
        self.scored(&complete)
    }

    /// The scores of the last topic.
    pub fn finish(&mut self) -> Result<Vec<Scored>> {
        let complete = std::mem::take(&mut self.carried);
        self.scored(&complete)
    }

    /// True if the carried rows are of this topic.
    fn carries(&self, name: Option<&[u8]>, column: usize) -> Result<bool> {
        let Some(batch) = self.carried.first() else { return Ok(false) };
        let topics = Ids::of(batch.column(column).as_ref(), TABLE, "")?;
        Ok(topics.get(0, &mut Vec::new()) == name)
    }

    fn scored(&mut self, batches: &[RecordBatch]) -> Result<Vec<Scored>> {
        if batches.is_empty() {
            return Ok(Vec::new());
        }
        let runs = self.runs.as_ref().map_or(1, |(_, names)| names.len());
        let mut qrels = Qrels::builder().named("judgements");
        let mut builders: Vec<_> = (0..runs).map(|_| Run::builder().named("run")).collect();
        let mut last = Vec::new();
        for batch in batches {
            self.read(batch, &mut last, |row| {
                if let Some(grade) = row.grade {
                    qrels.push(row.topic, row.doc, grade);
                }
                if let Some(score) = row.score {
                    builders[row.run].push(row.topic, row.doc, score);
                }
            })?;
        }
        let lenient = self.policies.lenient;
        let mut qrels =
            if lenient { qrels.build_lenient(&mut self.warnings)? } else { qrels.build()? };
        qrels.set_max_grade(self.max_grade);
        let evaluation = Evaluation::under(&self.policies, &qrels, &self.metrics);
        let mut all = Vec::with_capacity(runs);
        for (number, builder) in builders.into_iter().enumerate() {
            let run = if lenient {
                builder.build_lenient(&mut self.warnings)?
            } else {
                builder.build()?
            };
            let scores = evaluation.score_part(&run, &mut self.warnings)?;
            let name = self.runs.as_ref().map_or("", |(_, names)| names[number].as_str());
            all.push(Scored { run: name.to_string(), scores });
        }
        Ok(all)
    }

    /// Shows the rows of a batch. `last` is the topic of the row before; one that was scored before
    /// is an error.
    fn read(
        &mut self,
        batch: &RecordBatch,
        last: &mut Vec<u8>,
        mut see: impl FnMut(&BatchRow<'_>),
    ) -> Result<()> {
        let names = names(batch);
        let by_score = Columns::recognise(TABLE, &names, Content::Run, Facet::None)?;
        let by_grade = Columns::recognise(TABLE, &names, Content::Qrels, Facet::None)?;
        if by_grade.value == by_score.value {
            return Err(Error::usage("found no column of grades beside that of scores")
                .help("name it relevance, label or grade"));
        }
        let array = |at: usize| (batch.column(at).as_ref(), names[at].as_str());
        let (topics, name) = array(by_score.topic);
        let topics = Ids::of(topics, TABLE, name)?;
        let (docs, name) = array(by_score.doc);
        let docs = Ids::of(docs, TABLE, name)?;
        let (scores, name) = array(by_score.value);
        let scores = Numbers::of(scores, TABLE, name)?;
        let (grades, name) = array(by_grade.value);
        let grades = Numbers::of(grades, TABLE, name)?;
        let runs = match &self.runs {
            None => None,
            Some((column, known)) => {
                let at = names.iter().position(|name| name == column).ok_or_else(|| {
                    Error::usage(format!("found no column \"{column}\" for the names of runs"))
                })?;
                Some((Ids::of(batch.column(at).as_ref(), TABLE, column)?, at, known))
            }
        };
        let (mut topic_text, mut doc_text, mut run_text) = (Vec::new(), Vec::new(), Vec::new());
        for row in 0..batch.num_rows() {
            let number = self.rows + row as u64 + 1;
            let cell = |at: usize| CellPlace {
                table: TABLE.to_string(),
                column: names[at].clone(),
                row: number,
            };
            let topic = topics.get(row, &mut topic_text);
            let topic =
                topic.ok_or_else(|| cell(by_score.topic).wrong("null", "the id of a topic"))?;
            let doc = docs.get(row, &mut doc_text);
            let doc =
                doc.ok_or_else(|| cell(by_score.doc).wrong("null", "the id of a document"))?;
            let (score, grade) = (scores.get(row), grades.get(row));
            if score.is_none() && grade.is_none() {
                return Err(
                    cell(by_score.value).wrong("null here and for the grade", "a score or a grade")
                );
            }
            let score = match score {
                Some(x) => Some(by_score.value(Content::Run, x, || cell(by_score.value))?),
                None => None,
            };
            let grade = match grade {
                Some(x) => Some(by_grade.value(Content::Qrels, x, || cell(by_grade.value))?),
                None => None,
            };
            let run = match (&runs, score) {
                (Some((ids, at, known)), Some(_)) => {
                    let name = ids.get(row, &mut run_text).unwrap_or_default();
                    let found = known.iter().position(|known| known.as_bytes() == name);
                    found.ok_or_else(|| {
                        let name = axiometrics::data::id_text(name);
                        cell(*at).wrong(&format!("\"{name}\""), "the name of one of the runs")
                    })?
                }
                _ => 0,
            };
            if last != topic {
                let [one, other] = self.hashing.each_ref().map(|hash| hash.hash_one(topic));
                if !self.seen.insert((one, other)) {
                    let shown = axiometrics::data::id_text(topic);
                    let message =
                        format!("topic \"{shown}\" comes again in row {number}, after others");
                    return Err(Error::input(Place::line(TABLE, number), message)
                        .help("bring the rows of a topic together: sort them by topic"));
                }
                last.clear();
                last.extend_from_slice(topic);
            }
            see(&BatchRow { topic, doc, score, grade, run });
        }
        self.rows += batch.num_rows() as u64;
        Ok(())
    }
}

/// A row of a batch.
struct BatchRow<'r> {
    topic: &'r [u8],
    doc: &'r [u8],
    score: Option<f64>,
    grade: Option<f64>,
    /// The number of the run.
    run: usize,
}
