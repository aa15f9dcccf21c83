//! What a gate needs to know of a run.

use std::collections::{BTreeMap, BTreeSet};

use crate::data::Qrels;
use crate::measure::Metric;
use crate::score::{CommonTopics, Scores, System, judged_at_10};

/// The scores of a run, topic by topic: of today, or kept from an earlier evaluation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TopicScores {
    /// The run.
    pub name: String,
    /// The scores by measure, then topic; `None` for an undefined score.
    pub measures: BTreeMap<String, BTreeMap<String, Option<f64>>>,
    /// By measure, the topics without relevant documents, as far as they are known.
    pub without_relevant: BTreeMap<String, BTreeSet<String>>,
    /// Judged@10 of the run, if the judgements are a pool and were read completely.
    pub judged_at_10: Option<f64>,
    /// The fingerprints of the judgements by topic, if they were kept.
    pub judgements: Option<BTreeMap<String, String>>,
}

impl TopicScores {
    /// The scores of a run that was scored by these measures, in this order.
    pub fn new(name: &str, qrels: &Qrels, metrics: &[Metric], scores: &Scores) -> TopicScores {
        let of = |column: usize| -> BTreeMap<String, Option<f64>> {
            let topics = (0..scores.len()).map(|row| scores.topic(row).into_owned());
            topics.zip(scores.column(column)).collect()
        };
        let topics: Vec<u32> =
            scores.topics().iter().filter_map(|topic| qrels.find(topic)).collect();
        let systems = [System { name, scores }];
        // What cannot be compared though it has a score has no relevant document.
        let without_relevant = |(column, metric): (usize, &Metric)| {
            let usable: BTreeSet<u32> = CommonTopics::of_measure(qrels, column, metric, &systems)
                .map_or(BTreeSet::new(), |common| common.topics.iter().copied().collect());
            let scored = topics.iter().zip(scores.column(column));
            let without =
                scored.filter(|(topic, score)| score.is_some() && !usable.contains(topic));
            let names = without.map(|(topic, _)| qrels.topic_name(*topic)).collect();
            (metric.to_string(), names)
        };
        let fingerprint = |topic: &u32| (qrels.topic_name(*topic), qrels.fingerprint(*topic));
        TopicScores {
            name: name.to_string(),
            measures: metrics.iter().enumerate().map(|(i, m)| (m.to_string(), of(i))).collect(),
            without_relevant: metrics.iter().enumerate().map(without_relevant).collect(),
            judged_at_10: judged_at_10(qrels, scores),
            judgements: Some(topics.iter().map(fingerprint).collect()),
        }
    }

    /// The topics that any measure has a score for, or an undefined one.
    pub(super) fn topics(&self) -> BTreeSet<&str> {
        self.measures.values().flat_map(|scores| scores.keys()).map(String::as_str).collect()
    }
}
