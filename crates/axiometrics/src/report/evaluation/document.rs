//! Scores as one JSON document. Its schema is a promise: fields are added, never changed.
//!
//! It is serialised straight from the scores: a run may have a million topics.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::EvaluationReport;
use crate::choice::Choice;
use crate::data::Qrels;
use crate::report::number::rounded;
use crate::score::{Protocol, System, judged_at_10};
use crate::warning::Warning;

#[derive(Serialize)]
struct EvaluationDocument<'a> {
    runs: Vec<RunEntry<'a>>,
    /// By topic, what tells whether its judgements are those of another evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    judgements: Option<Fingerprints<'a>>,
    settings: &'a Protocol,
    warnings: &'a [Warning],
}

/// The fingerprints of the judgements.
struct Fingerprints<'a>(&'a Qrels);

impl Serialize for Fingerprints<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let qrels = self.0;
        let name = |topic: &u32| qrels.topic_name(*topic);
        serializer.collect_map(qrels.topics().iter().map(|t| (name(t), qrels.fingerprint(*t))))
    }
}

#[derive(Serialize)]
struct RunEntry<'a> {
    name: &'a str,
    /// The share of judged documents in the first ten, if the judgements are a pool.
    #[serde(skip_serializing_if = "Option::is_none")]
    judged_at_10: Option<f64>,
    measures: Vec<MeasureEntry<'a>>,
}

#[derive(Serialize)]
struct MeasureEntry<'a> {
    measure: String,
    /// The spelling by which it was asked for, if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<String>,
    /// The measure's own summary: geometric for GMAP, a sum for counts.
    mean: Option<f64>,
    /// Which summary that is: mean, geometric mean, sum.
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    topics: Option<TopicEntries<'a>>,
    undefined: Vec<String>,
    /// Of the mean over topics, if orders of tied documents were sampled.
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    standard_errors: Option<StandardErrors<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<JsonRange>,
    /// Why there is no range.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_range: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ranges: Option<Ranges<'a>>,
}

#[derive(Serialize)]
struct JsonRange {
    low: Option<f64>,
    high: Option<f64>,
    /// How much of the range is owed to unjudged documents.
    unjudged: Option<f64>,
    /// How much of `high` no judging could remove.
    tail: Option<f64>,
    kind: &'static str,
}

/// The ranges of the topics, `null` if there is none.
struct Ranges<'a>(TopicEntries<'a>);

impl Serialize for Ranges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TopicEntries { run, column, places, rows } = &self.0;
        let range = |row: usize| {
            let ends = run.scores.range(row, *column).map(|range| [range.low, range.high]);
            ends.map(|ends| ends.map(|end| rounded(Some(end), *places)))
        };
        by_topic(serializer, run, rows, range)
    }
}

/// The standard errors of the topics whose scores were sampled.
struct StandardErrors<'a>(TopicEntries<'a>);

impl Serialize for StandardErrors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TopicEntries { run, column, .. } = &self.0;
        let mut map = serializer.serialize_map(None)?;
        for row in 0..run.scores.len() {
            if let Some(error) = run.scores.standard_error(row, *column) {
                map.serialize_entry(&run.scores.topic(row), &error)?;
            }
        }
        map.end()
    }
}

/// The scores of the topics.
struct TopicEntries<'a> {
    run: System<'a>,
    column: usize,
    places: Option<u8>,
    /// The rows that are told; `None` for all.
    rows: Option<Vec<usize>>,
}

impl Serialize for TopicEntries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TopicEntries { run, column, places, rows } = self;
        let score = |row| rounded(run.scores.value(row, *column), *places);
        by_topic(serializer, run, rows, score)
    }
}

fn by_topic<S: Serializer, T: Serialize>(
    serializer: S,
    run: &System<'_>,
    rows: &Option<Vec<usize>>,
    value: impl Fn(usize) -> T,
) -> Result<S::Ok, S::Error> {
    let entry = |row: usize| (run.scores.topic(row), value(row));
    match rows {
        Some(rows) => serializer.collect_map(rows.iter().map(|row| entry(*row))),
        None => serializer.collect_map((0..run.scores.len()).map(entry)),
    }
}

fn measure<'a>(
    report: &EvaluationReport<'a>,
    run: System<'a>,
    column: usize,
    places: Option<u8>,
) -> MeasureEntry<'a> {
    let scores = run.scores;
    let metric = &report.metrics[column];
    let undefined = scores.undefined(column).into_iter().map(|row| scores.topic(row).into_owned());
    let per_topic = report.has_topics();
    let topics = || TopicEntries { run, column, places, rows: report.rows_of(scores) };
    let range = report.summary_range(&run, column).filter(|_| report.has_ranges());
    MeasureEntry {
        measure: metric.to_string(),
        asked: Some(metric.title()).filter(|title| *title != metric.to_string()),
        summary: metric.aggregate().name().to_string(),
        mean: rounded(report.summary(&run, column), places),
        topics: per_topic.then(topics),
        undefined: undefined.collect(),
        standard_error: report.standard_error(&run, column),
        standard_errors: (per_topic && scores.sampled(column) > 0)
            .then(|| StandardErrors(topics())),
        range: range.map(|range| {
            let end = |x: f64| rounded(Some(x), places);
            JsonRange {
                low: end(range.low),
                high: end(range.high),
                unjudged: end(range.unjudged()),
                tail: end(range.tail),
                kind: range.kind.name(),
            }
        }),
        no_range: report.no_range(column),
        ranges: (per_topic && report.has_ranges()).then(|| Ranges(topics())),
    }
}

pub(super) fn document<'r>(
    report: &'r EvaluationReport<'_>,
    places: Option<u8>,
) -> impl Serialize + use<'r> {
    let columns = 0..report.metrics.len();
    let run = |run: System<'r>| RunEntry {
        name: run.name,
        judged_at_10: judged_at_10(report.qrels, run.scores),
        measures: columns.clone().map(|column| measure(report, run, column, places)).collect(),
    };
    EvaluationDocument {
        runs: report.told().into_iter().map(run).collect(),
        judgements: report.has_topics().then_some(Fingerprints(report.qrels)),
        settings: &report.protocol,
        warnings: &report.warnings,
    }
}
