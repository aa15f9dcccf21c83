//! Builds tables of scores topic by topic.

use std::sync::Arc;

use super::scores::{MetricColumn, RowLayout, Scores, UndefinedCell, WeightedScore, number};
use crate::data::{Names, id_text};
use crate::error::{Error, Place, Result};
use crate::measure::Score;

/// Scores as they gather, topic by topic.
#[derive(Debug, Clone)]
pub struct ScoresBuilder {
    name: String,
    columns: Vec<MetricColumn>,
    rows: Vec<(Vec<u8>, Vec<Score>)>,
    /// How much each topic weighs for each metric, in the order of rows, if some summary asks.
    weights: Vec<Vec<f64>>,
}

impl ScoresBuilder {
    pub(super) fn new(name: String, columns: Vec<MetricColumn>) -> ScoresBuilder {
        ScoresBuilder { name, columns, rows: Vec::new(), weights: Vec::new() }
    }

    /// Adds the scores of a topic, one for each metric.
    pub fn push(&mut self, topic: impl AsRef<[u8]>, scores: &[Score]) -> Result<()> {
        let topic = topic.as_ref();
        let text = id_text(topic);
        if scores.len() != self.columns.len() {
            return Err(Error::usage(format!(
                "topic {text} has {} scores, expected {}, one for each metric",
                scores.len(),
                self.columns.len()
            )));
        }
        if scores.iter().any(|score| matches!(score, Score::Value(x) if x.is_nan())) {
            return Err(Error::usage(format!("a score of topic {text} is not a number"))
                .help("say that it is undefined, and why"));
        }
        self.rows.push((topic.to_vec(), scores.to_vec()));
        Ok(())
    }

    /// The same with the weights of the topic, one for each metric; `None` if it has none. All topics
    /// have them, or no topic has.
    pub(super) fn push_weighted(
        &mut self,
        topic: impl AsRef<[u8]>,
        scores: &[WeightedScore],
    ) -> Result<()> {
        let plain: Vec<Score> = scores.iter().map(|(score, _)| *score).collect();
        self.push(topic, &plain)?;
        self.weights.push(scores.iter().map(|(_, weight)| weight.unwrap_or(f64::NAN)).collect());
        Ok(())
    }

    /// The table. No topic may come twice.
    pub fn build(self) -> Result<Scores> {
        let weighted = self.columns.iter().any(|column| column.aggregate.is_weighted())
            && !self.weights.is_empty();
        let weights = self.weights.into_iter().chain(std::iter::repeat(Vec::new()));
        let mut rows: Vec<_> = self.rows.into_iter().zip(weights).collect();
        rows.sort_by(|a, b| a.0.0.cmp(&b.0.0));
        if let Some(pair) = rows.windows(2).find(|pair| pair[0].0.0 == pair[1].0.0) {
            let topic = id_text(&pair[0].0.0);
            return Err(Error::duplicate(
                Place::file(&self.name),
                format!("topic {topic} has scores twice"),
            ));
        }
        let layout =
            RowLayout { columns: self.columns.len(), ranged: false, averaged: false, weighted };
        let (mut topics, mut values, mut reasons) = (Names::default(), Vec::new(), Vec::new());
        for (row, ((topic, scores), weights)) in (0..).zip(&rows) {
            topics.push(topic);
            for (column, score) in (0..).zip(scores) {
                values.push(number(score));
                if let Score::Undefined(why) = score {
                    reasons.push(UndefinedCell { row, column, why });
                }
            }
            values.extend(weights.iter().filter(|_| weighted));
        }
        Ok(Scores::new(&self.name, self.columns, Arc::new(topics), values, reasons, layout))
    }
}
