//! Scores as one JSON document. Its schema is a promise: fields are added, never changed.

use axiometrics::warning::Warning;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::Results;
use super::settings::Settings;
use crate::output::rounded;
use crate::runs::Scored;

#[derive(Serialize)]
struct Document<'a> {
    runs: Vec<Run<'a>>,
    /// By topic, what tells whether its judgements are those of another evaluation.
    #[serde(skip_serializing_if = "Option::is_none")]
    judgements: Option<Judgements<'a>>,
    settings: &'a Settings,
    warnings: Vec<Warning>,
}

/// The fingerprints of the judgements.
struct Judgements<'a>(&'a Results<'a>);

impl Serialize for Judgements<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let qrels = self.0.qrels;
        let name = |topic: &u32| String::from_utf8_lossy(qrels.topic_bytes(*topic));
        serializer.collect_map(qrels.topics().iter().map(|t| (name(t), qrels.fingerprint(*t))))
    }
}

#[derive(Serialize)]
struct Run<'a> {
    name: &'a str,
    measures: Vec<Measure<'a>>,
}

#[derive(Serialize)]
struct Measure<'a> {
    measure: String,
    /// The measure's own summary: geometric for GMAP, a sum for counts.
    mean: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    topics: Option<Topics<'a>>,
    undefined: Vec<String>,
    /// Of the mean over topics, where orders of tied documents were sampled.
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

/// The ranges of the topics, `null` where there is none.
struct Ranges<'a>(Topics<'a>);

impl Serialize for Ranges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Topics { results, run, column } = &self.0;
        let mut map = serializer.serialize_map(Some(run.scores.len()))?;
        for row in 0..run.scores.len() {
            let name = run.scores.topic(row);
            let range = run.scores.range(row, *column);
            map.serialize_entry(
                &name,
                &range.map(|r| [r.low, r.high].map(|end| rounded(Some(end), results.places))),
            )?;
        }
        map.end()
    }
}

/// The standard errors of the topics whose scores were sampled.
struct StandardErrors<'a>(Topics<'a>);

impl Serialize for StandardErrors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Topics { run, column, .. } = &self.0;
        let mut map = serializer.serialize_map(None)?;
        for row in 0..run.scores.len() {
            if let Some(error) = run.scores.standard_error(row, *column) {
                map.serialize_entry(&run.scores.topic(row), &error)?;
            }
        }
        map.end()
    }
}

/// The scores of the topics, written straight from the table.
struct Topics<'a> {
    results: &'a Results<'a>,
    run: &'a Scored,
    column: usize,
}

impl Serialize for Topics<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scores = &self.run.scores;
        let mut map = serializer.serialize_map(Some(scores.len()))?;
        for (row, score) in scores.column(self.column).enumerate() {
            let name = scores.topic(row);
            map.serialize_entry(&name, &rounded(score, self.results.places))?;
        }
        map.end()
    }
}

fn measure<'a>(results: &'a Results<'a>, run: &'a Scored, column: usize) -> Measure<'a> {
    let undefined =
        run.scores.undefined(column).into_iter().map(|row| run.scores.topic(row).into_owned());
    Measure {
        measure: results.metrics[column].to_string(),
        mean: rounded(results.summary(run, column), results.places),
        topics: results.per_topic.then_some(Topics { results, run, column }),
        undefined: undefined.collect(),
        standard_error: results.standard_error(run, column),
        standard_errors: (results.per_topic && run.scores.sampled(column) > 0)
            .then_some(StandardErrors(Topics { results, run, column })),
        range: results.summary_range(run, column).filter(|_| results.has_ranges()).map(|range| {
            let end = |x: f64| rounded(Some(x), results.places);
            let (unjudged, kind) = (end(range.unjudged()), range.kind.name());
            JsonRange {
                low: end(range.low),
                high: end(range.high),
                unjudged,
                tail: end(range.tail),
                kind,
            }
        }),
        no_range: results.no_range(column),
        ranges: (results.per_topic && results.has_ranges()).then_some(Ranges(Topics {
            results,
            run,
            column,
        })),
    }
}

pub(super) fn render(results: &Results<'_>) -> serde_json::Result<Vec<u8>> {
    let measures =
        |run| (0..results.metrics.len()).map(|column| measure(results, run, column)).collect();
    let runs =
        results.runs.iter().map(|run| Run { name: &run.name, measures: measures(run) }).collect();
    let document = Document {
        runs,
        judgements: results.per_topic.then_some(Judgements(results)),
        settings: &results.settings,
        warnings: results.warnings.list(),
    };
    let mut out = serde_json::to_vec_pretty(&document)?;
    out.push(b'\n');
    Ok(out)
}
