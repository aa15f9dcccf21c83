//! Rows in which judgements and runs come together.

use std::fmt;

use arrow_array::{Array, BooleanArray, RecordBatch};
use axiometrics::data::Facet;
use axiometrics::error::quoted;
use axiometrics::io::Content;
use axiometrics::io::table::{ColumnNumbers, WholeNumber};
use axiometrics::remedy::{Remedy, Setting};
use axiometrics::warning::WarningKind;
use axiometrics::{Error, Place, Result};

use crate::batches::names;
use crate::cells::{Ids, Numbers};

/// The name of the data in messages.
pub(crate) const TABLE: &str = "batch";

/// The column that tells judgements from retrieved documents, if there is one.
const MARKER: &str = "judged";

/// A judgement, a retrieved document, or both.
pub(crate) struct BatchRow<'r> {
    pub(crate) topic: &'r [u8],
    pub(crate) doc: &'r [u8],
    pub(crate) score: Option<f64>,
    pub(crate) grade: Option<f64>,
    /// The number of the run.
    pub(crate) run: usize,
}

/// What is wrong with a row.
pub(crate) struct WrongRow<'r> {
    pub(crate) kind: WarningKind,
    /// The run it is of; empty if it is a judgement, or if there is one run.
    pub(crate) run: &'r str,
    topic: Option<&'r [u8]>,
    doc: Option<&'r [u8]>,
    column: &'r str,
    found: String,
    expected: &'static str,
}

impl fmt::Display for WrongRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = |id: Option<&[u8]>| id.map_or("null".to_string(), quoted);
        let (topic, doc) = (id(self.topic), id(self.doc));
        let WrongRow { column, found, expected, .. } = self;
        write!(
            f,
            "topic {topic}, document {doc}: found {found} in column \"{column}\", expected {expected}"
        )
    }
}

impl From<WrongRow<'_>> for Error {
    fn from(wrong: WrongRow<'_>) -> Error {
        let help = Remedy::from("correct the row").option(
            "; ",
            Setting::Lenient,
            " counts such rows and leaves them out",
        );
        Error::input(Place::file(TABLE), wrong.to_string()).help(help)
    }
}

/// Shows the rows of a batch. `runs` are the column that names the runs, and their names.
pub(crate) fn rows(
    batch: &RecordBatch,
    runs: Option<(&str, &[String])>,
    mut see: impl FnMut(std::result::Result<BatchRow<'_>, WrongRow<'_>>) -> Result<()>,
) -> Result<()> {
    let names = names(batch);
    let by_score = ColumnNumbers::recognise(TABLE, &names, Content::Run, Facet::None)?;
    let by_grade = ColumnNumbers::recognise(TABLE, &names, Content::Qrels, Facet::None)?;
    if by_grade.value == by_score.value {
        return Err(Error::usage("found no column of grades beside that of scores")
            .help("name it relevance, label or grade"));
    }
    let ids = |at: usize| Ids::of(batch.column(at).as_ref(), TABLE, &names[at]);
    let numbers = |at: usize| Numbers::of(batch.column(at).as_ref(), TABLE, &names[at]);
    let (topics, docs) = (ids(by_score.topic)?, ids(by_score.doc)?);
    let (scores, grades) = (numbers(by_score.value)?, numbers(by_grade.value)?);
    let marker = names.iter().position(|name| name == MARKER);
    let marker = marker.and_then(|at| batch.column(at).as_any().downcast_ref::<BooleanArray>());
    let runs = match runs {
        None => None,
        Some((column, known)) => {
            let at = names.iter().position(|name| name == column).ok_or_else(|| {
                Error::usage(format!("found no column \"{column}\" for the names of runs"))
            })?;
            Some((ids(at)?, column, known))
        }
    };
    let (mut topic_text, mut doc_text, mut run_text) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..batch.num_rows() {
        let topic = topics.get(row, &mut topic_text);
        let doc = docs.get(row, &mut doc_text);
        let (score, grade) = (scores.get(row), grades.get(row));
        let is_judged = match marker.filter(|marker| !marker.is_null(row)) {
            Some(marker) => marker.value(row),
            None => score.is_none() && grade.is_some(),
        };
        let run_name = runs.as_ref().map(|(ids, ..)| ids.get(row, &mut run_text));
        let found_run = match (&runs, run_name) {
            (Some((_, _, known)), Some(name)) if !is_judged => {
                let name = name.unwrap_or_default();
                known.iter().position(|known| known.as_bytes() == name)
            }
            _ => Some(0),
        };
        let run = match (&runs, found_run) {
            (Some((_, _, known)), Some(at)) if !is_judged => known[at].as_str(),
            _ => "",
        };
        let wrong = |kind: WarningKind, at: usize, found: &str, expected: &'static str| WrongRow {
            kind,
            run,
            topic,
            doc,
            column: &names[at],
            found: found.to_string(),
            expected,
        };
        let unknown_run = runs.as_ref().filter(|_| found_run.is_none()).map(|(_, column, _)| {
            let name = run_name.flatten().map_or("null".to_string(), quoted);
            let expected = "the name of one of the runs";
            WrongRow { column, found: name, ..wrong(WarningKind::MalformedLine, 0, "", expected) }
        });
        let checked = |columns: &ColumnNumbers, content: Content, stored: Option<WholeNumber>| {
            let x = match stored {
                None => return Ok(None),
                Some(Ok(x)) => x,
                Some(Err((found, expected))) => {
                    let kind = WarningKind::MalformedLine;
                    return Err(wrong(kind, columns.value, &found, expected));
                }
            };
            let kind =
                if x.is_nan() { WarningKind::NotANumber } else { WarningKind::MalformedLine };
            columns
                .checked(content, x)
                .map(Some)
                .map_err(|(_, expected)| wrong(kind, columns.value, &x.to_string(), expected))
        };
        see(match (topic, doc, unknown_run) {
            (None | Some(b""), ..) => {
                let found = if topic.is_none() { "null" } else { "an empty id" };
                Err(wrong(WarningKind::MalformedLine, by_score.topic, found, "the id of a topic"))
            }
            (_, None | Some(b""), _) => {
                let found = if doc.is_none() { "null" } else { "an empty id" };
                Err(wrong(WarningKind::MalformedLine, by_score.doc, found, "the id of a document"))
            }
            (.., Some(unknown)) => Err(unknown),
            (Some(topic), Some(doc), None) => {
                let score = checked(&by_score, Content::Run, score);
                let grade = checked(&by_grade, Content::Qrels, grade);
                match (score, grade) {
                    (Err(wrong), _) | (_, Err(wrong)) => Err(wrong),
                    (Ok(None), Ok(None)) => {
                        let (at, expected) = match marker {
                            Some(_) if is_judged => (by_grade.value, "a number for the grade"),
                            Some(_) => (by_score.value, "a number for the score"),
                            None => (by_score.value, "a score here, or a grade"),
                        };
                        Err(wrong(WarningKind::NotANumber, at, "null", expected))
                    }
                    (Ok(score), Ok(grade)) => {
                        Ok(BatchRow { topic, doc, score, grade, run: found_run.unwrap_or(0) })
                    }
                }
            }
        })?;
    }
    Ok(())
}
