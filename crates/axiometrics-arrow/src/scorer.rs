//! Scores of data that is grouped by topic and comes batch by batch, judgements and runs together.
//!
//! For engines that distribute rows by topic: nothing but the last topic is kept from one batch to
//! the next, so that memory is that of the largest topic and of one batch.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use arrow_array::RecordBatch;
use axiometrics::data::{Facet, id_text};
use axiometrics::error::quoted;
use axiometrics::io::Content;
use axiometrics::io::table::ColumnNumbers;
use axiometrics::measure::{Metric, Score};
use axiometrics::policy::{Order, Policies, Ties};
use axiometrics::score::ranges::Vary;
use axiometrics::warning::WarningKind;
use axiometrics::{Error, Evaluation, Place, Qrels, Result, Run, Scores, Warnings};

use crate::batches::names;
use crate::cells::Ids;
use crate::rows::{BatchRow, TABLE, rows};

/// Scores topics as their batches come.
///
/// A row is a judgement if it has a grade, and a retrieved document if it has a score; it may be
/// both. So the union of judgements and runs, with nulls where the other has its number, is as
/// good as their join. All rows of a topic follow each other; their order does not matter. A boolean
/// column `judged` may tell which of the two a row is that has neither number, for its error.
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
    /// Find the range of each score too, if these documents vary.
    ranges: Option<Vary>,
    /// The column of the names of runs, and these names, if there are several runs.
    runs: Option<(String, Vec<String>)>,
    /// The rows of the last topic.
    carried: Vec<RecordBatch>,
    /// The topics that were scored, by a hash of 128 bits.
    seen: HashSet<(u64, u64)>,
    hashing: [RandomState; 2],
    /// What was odd about rows and topics. What can be said of a whole run alone is not said.
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
        if policies.ties == Ties::File {
            return Err(Error::usage(
                "found ties in the order of a file, which batches do not have",
            )
            .help("order ties by the ids of documents"));
        }
        Ok(GroupScorer {
            metrics,
            policies,
            max_grade,
            ranges: None,
            runs: None,
            carried: Vec::new(),
            seen: HashSet::new(),
            hashing: [RandomState::new(), RandomState::new()],
            warnings: Warnings::default(),
        })
    }

    /// The same for several runs, which a column names. All their names are needed from the
    /// beginning: a run has a score on a topic of which it has no row.
    #[must_use]
    pub fn with_runs(self, column: impl Into<String>, names: Vec<String>) -> GroupScorer {
        GroupScorer { runs: Some((column.into(), names)), ..self }
    }

    /// The same with the range of each score, if these documents vary.
    #[must_use]
    pub fn with_ranges(self, vary: Vary) -> GroupScorer {
        GroupScorer { ranges: Some(vary), ..self }
    }

    /// The measures.
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// The names of the runs; an empty one if there is only one.
    pub fn run_names(&self) -> Vec<String> {
        self.runs.as_ref().map_or_else(|| vec![String::new()], |(_, names)| names.clone())
    }

    /// True if a column names the runs.
    pub fn has_runs(&self) -> bool {
        self.runs.is_some()
    }

    /// True if scores have ranges.
    pub fn has_ranges(&self) -> bool {
        self.ranges.is_some() || self.policies.ties == Ties::Range
    }

    /// Takes a batch, and gives the scores of the topics that are complete.
    pub fn push(&mut self, batch: &RecordBatch) -> Result<Vec<Scored>> {
        let Some(last) = batch.num_rows().checked_sub(1) else { return Ok(Vec::new()) };
        let names = names(batch);
        let columns = ColumnNumbers::recognise(TABLE, &names, Content::Run, Facet::None)?;
        let topics = Ids::of(batch.column(columns.topic).as_ref(), TABLE, &names[columns.topic])?;
        let (mut one, mut other) = (Vec::new(), Vec::new());
        // A row without a topic is told as wrong, and parts no topic in two.
        let named = (0..=last).rev().find(|row| topics.get(*row, &mut other).is_some());
        let Some(mut start) = named else {
            self.carried.push(batch.clone());
            return Ok(Vec::new());
        };
        let name = topics.get(start, &mut one);
        while start > 0 && topics.get(start - 1, &mut other).is_none_or(|topic| Some(topic) == name)
        {
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

    /// True if the carried rows are of this topic, or of none.
    fn carries(&self, name: Option<&[u8]>, column: usize) -> Result<bool> {
        for batch in &self.carried {
            let topics = Ids::of(batch.column(column).as_ref(), TABLE, "")?;
            let mut text = Vec::new();
            if let Some(at) = (0..batch.num_rows()).find(|at| topics.get(*at, &mut text).is_some())
            {
                return Ok(topics.get(at, &mut text) == name);
            }
        }
        Ok(!self.carried.is_empty())
    }

    fn scored(&mut self, batches: &[RecordBatch]) -> Result<Vec<Scored>> {
        if batches.is_empty() {
            return Ok(Vec::new());
        }
        let runs = self.run_names();
        let mut qrels = Qrels::builder().named("judgements");
        let named = |name: &String| Run::builder().named(shown(name));
        let mut builders: Vec<_> = runs.iter().map(named).collect();
        let mut last = Vec::new();
        let descending = self.policies.order == Order::Desc;
        let (lenient, highest) = (self.policies.lenient, self.max_grade);
        let warnings = &mut self.warnings;
        for batch in batches {
            let known = self.runs.as_ref().map(|(column, names)| (column.as_str(), &names[..]));
            let (seen, hashing) = (&mut self.seen, &self.hashing);
            rows(batch, known, |row| {
                let row = match row {
                    Ok(row) => row,
                    Err(wrong) if lenient => {
                        let file = shown(wrong.run);
                        warnings.add_example(wrong.kind, 1, file, &wrong.to_string());
                        return Ok(());
                    }
                    Err(wrong) => return Err(wrong.into()),
                };
                let BatchRow { topic, doc, score, grade, run } = row;
                if last != topic {
                    once(seen, hashing, topic)?;
                    last.clear();
                    last.extend_from_slice(topic);
                }
                if let Some(grade) = grade {
                    if grade > highest {
                        return Err(above(topic, doc, grade, highest));
                    }
                    qrels.push(topic, doc, grade);
                }
                if let Some(score) = score {
                    builders[run].push(topic, doc, if descending { score } else { -score });
                }
                Ok(())
            })?;
        }
        let mut met = Warnings::default();
        let mut qrels = if lenient { qrels.build_lenient(&mut met)? } else { qrels.build()? };
        qrels.set_max_grade(self.max_grade);
        let mut evaluation = Evaluation::under(&self.policies, &qrels, &self.metrics);
        evaluation.ranges = self.ranges;
        let mut all = Vec::with_capacity(builders.len());
        for (name, builder) in runs.into_iter().zip(builders) {
            let run = if lenient { builder.build_lenient(&mut met)? } else { builder.build()? };
            // What is said of a part is not what would be said of the whole.
            let mut of_part = Warnings::default();
            let scores = evaluation.score_part(&run, &mut of_part)?;
            tell_topics(&qrels, &run, &scores, &of_part, &mut met);
            all.push(Scored { run: name, scores });
        }
        self.warnings.extend(met);
        Ok(all)
    }
}

/// The name of a run in messages.
fn shown(run: &str) -> &str {
    if run.is_empty() { "run" } else { run }
}

/// Notes a topic; an error if it was scored before.
fn once(seen: &mut HashSet<(u64, u64)>, hashing: &[RandomState; 2], topic: &[u8]) -> Result<()> {
    let [one, other] = hashing.each_ref().map(|hash| hash.hash_one(topic));
    if seen.insert((one, other)) {
        return Ok(());
    }
    let message = format!("topic {} comes again after others", quoted(topic));
    Err(Error::input(Place::file(TABLE), message)
        .help("bring the rows of a topic together: sort them by topic"))
}

/// The error that a grade is above the highest that there is.
fn above(topic: &[u8], doc: &[u8], grade: f64, highest: f64) -> Error {
    let (topic, doc) = (id_text(topic), id_text(doc));
    let message = format!(
        "topic \"{topic}\", document \"{doc}\": the grade {grade} is above the maximum grade {highest}"
    );
    Error::input(Place::file(TABLE), message)
        .help("gains are shares of the maximum grade and cannot exceed 1")
}

/// Counts what is to be said of topics, so that counts of parts add up.
fn tell_topics(
    qrels: &Qrels,
    run: &Run,
    scores: &Scores,
    of_part: &Warnings,
    warnings: &mut Warnings,
) {
    let mut tell = |kind: WarningKind, count: u64, example: String| {
        if count > 0 {
            warnings.add_example(kind, count, run.name(), &example);
        }
    };
    let lacks = |topic: &&u32| run.find(qrels.topic_bytes(**topic)).is_none();
    let first = qrels.topics().iter().find(lacks).map(|topic| qrels.topic_name(*topic));
    let example = first.map_or(String::new(), |topic| format!("among them topic {topic}"));
    tell(WarningKind::MissingTopic, scores.missing as u64, example);
    let strange = run.topics().find(|topic| qrels.find(run.topic_bytes(*topic)).is_none());
    let example = strange.map_or(String::new(), |t| format!("topic {}", run.topic_name(t)));
    tell(WarningKind::UnjudgedTopic, scores.unjudged as u64, example);
    // Whether it is so of all topics is seen when all were counted.
    if let Some(example) = of_part.example_of(WarningKind::NothingJudged) {
        let common = qrels.len() - scores.missing;
        tell(WarningKind::NothingJudged, common as u64, example.to_string());
    }
    for (column, metric) in scores.columns().iter().enumerate() {
        let undefined = scores.undefined(column);
        let Some(first) = undefined.first() else { continue };
        let Some(Score::Undefined(why)) = scores.score(*first, column) else { continue };
        let example = format!("{} for topic {}: {why}", metric.name, scores.topic(*first));
        tell(WarningKind::UndefinedScore, undefined.len() as u64, example);
    }
    scores.warn_of_infinite(warnings);
}
