//! Scores as a document that can be read back.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::cells::Coverage;
use super::scores::{MetricColumn, RowLayout, Scores, UndefinedCell};
use crate::data::Names;
use crate::error::{Error, Place, Result};
use crate::measure::{Aggregate, Score};

/// The document. Why a score is undefined is told, but not read back: a reason is a text of the
/// program, not of a file.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredScores {
    name: String,
    metrics: Vec<StoredMetric>,
    /// Whether rows hold ranges, standard errors, and weights.
    #[serde(default)]
    ranged: bool,
    #[serde(default)]
    averaged: bool,
    #[serde(default)]
    weighted: bool,
    topics: Vec<String>,
    rows: Vec<Vec<StoredNumber>>,
    #[serde(default)]
    undefined: Vec<StoredUndefined>,
    #[serde(default)]
    missing: usize,
    #[serde(default)]
    unjudged: usize,
    #[serde(default)]
    coverage: Option<Coverage>,
    #[serde(default)]
    ties: Vec<(f64, f64)>,
}

#[derive(Serialize, Deserialize)]
struct StoredMetric {
    name: String,
    summary: String,
}

#[derive(Serialize, Deserialize)]
struct StoredUndefined {
    topic: String,
    metric: String,
    reason: String,
}

/// A number, also one that JSON has no text for.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredNumber {
    Finite(f64),
    Infinite(Infinite),
    Missing,
}

#[derive(Serialize, Deserialize)]
enum Infinite {
    #[serde(rename = "inf")]
    Positive,
    #[serde(rename = "-inf")]
    Negative,
}

impl From<f64> for StoredNumber {
    fn from(x: f64) -> StoredNumber {
        match x {
            f64::INFINITY => StoredNumber::Infinite(Infinite::Positive),
            f64::NEG_INFINITY => StoredNumber::Infinite(Infinite::Negative),
            x if x.is_nan() => StoredNumber::Missing,
            x => StoredNumber::Finite(x),
        }
    }
}

impl From<StoredNumber> for f64 {
    fn from(number: StoredNumber) -> f64 {
        match number {
            StoredNumber::Finite(x) => x,
            StoredNumber::Infinite(Infinite::Positive) => f64::INFINITY,
            StoredNumber::Infinite(Infinite::Negative) => f64::NEG_INFINITY,
            StoredNumber::Missing => f64::NAN,
        }
    }
}

impl From<Scores> for StoredScores {
    fn from(scores: Scores) -> StoredScores {
        let mut undefined = Vec::new();
        for row in 0..scores.len() {
            for (column, metric) in scores.columns().iter().enumerate() {
                if let Some(Score::Undefined(reason)) = scores.score(row, column) {
                    undefined.push(StoredUndefined {
                        topic: scores.topic(row).into_owned(),
                        metric: metric.name.clone(),
                        reason: reason.to_string(),
                    });
                }
            }
        }
        let metric = |column: &MetricColumn| StoredMetric {
            name: column.name.clone(),
            summary: column.aggregate.name().to_string(),
        };
        let layout = scores.layout();
        StoredScores {
            name: scores.name().to_string(),
            metrics: scores.columns().iter().map(metric).collect(),
            ranged: layout.ranged,
            averaged: layout.averaged,
            weighted: layout.weighted,
            topics: (0..scores.len()).map(|row| scores.topic(row).into_owned()).collect(),
            rows: scores
                .numbers()
                .map(|row| row.iter().map(|x| StoredNumber::from(*x)).collect())
                .collect(),
            undefined,
            missing: scores.missing,
            unjudged: scores.unjudged,
            coverage: scores.coverage,
            ties: scores.ties,
        }
    }
}

impl TryFrom<StoredScores> for Scores {
    type Error = Error;

    fn try_from(stored: StoredScores) -> Result<Scores> {
        let place = || Place::file(&stored.name);
        let columns = stored.metrics.iter().map(|metric| {
            let aggregate = aggregate(&metric.summary).ok_or_else(|| {
                let message = format!(
                    "{} has the summary \"{}\", which no file can hold",
                    metric.name, metric.summary
                );
                Error::input(place(), message).help("score the run again")
            })?;
            Ok(MetricColumn { name: metric.name.clone(), aggregate })
        });
        let columns = columns.collect::<Result<Vec<MetricColumn>>>()?;
        let StoredScores { ranged, averaged, weighted, .. } = stored;
        let layout = RowLayout { columns: columns.len(), ranged, averaged, weighted };
        if stored.topics.len() != stored.rows.len()
            || stored.rows.iter().any(|row| row.len() != layout.width())
        {
            let message = format!("expected a row of {} numbers for each topic", layout.width());
            return Err(Error::input(place(), message));
        }
        let name = stored.name.clone();
        let mut rows: Vec<(String, Vec<StoredNumber>)> =
            stored.topics.into_iter().zip(stored.rows).collect();
        rows.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
        if let Some(pair) = rows.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let message = format!("topic {} has scores twice", pair[0].0);
            return Err(Error::duplicate(Place::file(&name), message));
        }
        let (mut topics, mut values) = (Names::default(), Vec::new());
        for (topic, row) in rows {
            topics.push(topic.as_bytes());
            values.extend(row.into_iter().map(f64::from));
        }
        let topics = Arc::new(topics);
        let mut scores =
            Scores::new(&name, columns, topics, values, Vec::<UndefinedCell>::new(), layout);
        scores.missing = stored.missing;
        scores.unjudged = stored.unjudged;
        scores.coverage = stored.coverage;
        scores.ties = stored.ties;
        Ok(scores)
    }
}

fn aggregate(name: &str) -> Option<Aggregate> {
    let known = [
        Aggregate::Mean,
        Aggregate::GeometricMean,
        Aggregate::Sum,
        Aggregate::Median,
        Aggregate::HarmonicMean,
        Aggregate::Minimum,
        Aggregate::Maximum,
    ];
    known.into_iter().find(|aggregate| aggregate.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy;

    fn read(text: &str) -> serde_json::Result<Scores> {
        serde_json::from_str(text)
    }

    #[test]
    fn scores_read_back_as_they_were() {
        let columns = vec![
            MetricColumn { name: "AP".into(), aggregate: Aggregate::Mean },
            MetricColumn { name: "num_rel".into(), aggregate: Aggregate::Sum },
        ];
        let mut builder = Scores::builder_of("bm25", columns);
        builder.push("9", &[Score::Value(0.1 + 0.2), Score::Value(3.0)]).unwrap();
        builder
            .push("10", &[Score::Undefined("nothing is relevant"), Score::Value(f64::INFINITY)])
            .unwrap();
        let scores = builder.build().unwrap();
        let text = serde_json::to_string(&scores).unwrap();
        assert!(text.contains("nothing is relevant"), "{text}");
        let back = read(&text).unwrap();
        assert_eq!((back.name(), back.columns()), (scores.name(), scores.columns()));
        assert_eq!(back.topics(), scores.topics());
        for row in 0..2 {
            for column in 0..2 {
                assert_eq!(back.value(row, column), scores.value(row, column));
            }
        }
        assert_eq!(back.summary("AP", policy::Undefined::Skip).unwrap(), Some(0.1 + 0.2));
        assert!(matches!(back.get("10", "AP"), Some(Score::Undefined(_))));
        assert_eq!(
            serde_json::to_value(&back).unwrap()["rows"],
            serde_json::to_value(&scores).unwrap()["rows"]
        );
    }

    #[test]
    fn what_is_not_a_table_of_scores_is_refused() {
        let document = |summary: &str, topics: &str, rows: &str| {
            read(&format!(
                r#"{{"name":"r","metrics":[{{"name":"AP","summary":"{summary}"}}],"topics":{topics},"rows":{rows}}}"#
            ))
        };
        assert!(document("mean", r#"["1"]"#, "[[0.5]]").is_ok());
        for (summary, topics, rows) in [
            ("mode", r#"["1"]"#, "[[0.5]]"),
            ("mean", r#"["1"]"#, "[[0.5,1]]"),
            ("mean", r#"["1","2"]"#, "[[0.5]]"),
            ("mean", r#"["1","1"]"#, "[[0.5],[0.5]]"),
        ] {
            assert!(document(summary, topics, rows).is_err(), "{summary} {topics} {rows}");
        }
    }
}
