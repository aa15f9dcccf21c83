//! Means over topics that do not all weigh the same.
//!
//! A micro-average is one of them: precision over all retrieved documents of all topics is the mean
//! of the topics' precisions, weighted by how many documents each retrieved.

use std::sync::Arc;

use super::scores::Scores;
use crate::error::{Error, Place, Result};
use crate::measure::{Aggregate, Summary};
use crate::policy::Undefined;

/// A weighted mean of the topics of one run.
#[derive(Debug)]
struct Weighted {
    /// In the order of the topics.
    weights: Arc<[f64]>,
    /// What it does with undefined scores, if it has a rule of its own.
    undefined: Option<Undefined>,
    name: String,
}

impl Summary for Weighted {
    fn of(
        &self,
        scores: &mut dyn Iterator<Item = Option<f64>>,
        otherwise: Undefined,
    ) -> Option<f64> {
        let undefined = self.undefined.unwrap_or(otherwise);
        let (mut sum, mut all) = (0.0, 0.0);
        for (score, weight) in scores.zip(self.weights.iter()) {
            let x = match score.or(undefined.value()) {
                Some(x) => x,
                None if undefined == Undefined::Skip => continue,
                None => return None,
            };
            sum += weight * x;
            all += weight;
        }
        (all > 0.0).then(|| sum / all)
    }

    fn undefined(&self) -> Option<Undefined> {
        self.undefined
    }

    fn name(&self) -> &str {
        &self.name
    }
}

impl Scores {
    /// A summary that weighs topics, which the metric itself does.
    pub(super) fn weighted_summary(
        &self,
        column: usize,
        summary: &dyn Summary,
        undefined: Undefined,
    ) -> Result<Option<f64>> {
        let weights = (0..self.len()).map(|row| {
            self.weight(row, column).ok_or_else(|| {
                let name = &self.columns()[column].name;
                let message = format!("topic {} has no weight by {name}", self.topic(row));
                Error::input(Place::file(self.name()), message)
                    .help("a weight is a number of at least 0")
            })
        });
        let weights = weights.collect::<Result<Vec<f64>>>()?;
        Ok(summary.of_weighted(&mut self.column(column).zip(weights), undefined))
    }

    /// Makes weighted means of all means. `weight` is that of a topic, of at least 0; summaries that
    /// are no means stay as they are. `by` tells what the weights are.
    pub fn weigh(&mut self, by: &str, weight: impl Fn(&[u8]) -> Option<f64>) -> Result<()> {
        let mut weights = Vec::with_capacity(self.len());
        for row in 0..self.len() {
            let topic = self.topics().get(row).unwrap_or_default();
            let known = weight(topic).filter(|weight| weight.is_finite() && *weight >= 0.0);
            weights.push(known.ok_or_else(|| {
                let message = format!("topic {} has no weight by {by}", self.topic(row));
                Error::input(Place::file(self.name()), message)
                    .help("a weight is a number of at least 0")
            })?);
        }
        let weights: Arc<[f64]> = weights.into();
        for column in self.columns_mut() {
            let undefined = match &column.aggregate {
                Aggregate::Mean => None,
                Aggregate::Own(own) if own.is_mean() => own.undefined(),
                _ => continue,
            };
            column.aggregate = Aggregate::Own(Arc::new(Weighted {
                weights: weights.clone(),
                undefined,
                name: format!("mean weighted by {by}"),
            }));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Qrels, Run};
    use crate::measure::{Metric, Score, parse_list};
    use crate::score::{Evaluation, MetricColumn};
    use crate::warning::Warnings;

    /// One topic has 1 of 4 relevant documents among 2, the other 1 of 1 among 1.
    fn scores(measures: &str) -> Scores {
        let qrels = Qrels::from_columns(
            &["1", "1", "1", "1", "2", "3"],
            &["a", "b", "c", "d", "a", "a"],
            &[1.0, 1.0, 1.0, 1.0, 1.0, 0.0],
        );
        let qrels = qrels.unwrap();
        let run = Run::from_columns(&["1", "1", "2"], &["a", "x", "a"], &[2.0, 1.0, 1.0]).unwrap();
        let metrics: Vec<Metric> = parse_list(measures).unwrap();
        Evaluation::new(&qrels, &metrics).score(&run, &mut Warnings::default()).unwrap()
    }

    #[test]
    fn a_micro_average_counts_documents() {
        for (measure, by, expected) in
            [("SetP", "NumRet", 2.0 / 3.0), ("SetR", "NumRel", 2.0 / 5.0)]
        {
            let weights = scores(by);
            let mut all = scores(&format!("{measure} GMAP"));
            all.weigh(by, |topic| weights.value(weights.row_of(topic)?, 0)).unwrap();
            let found = all.summary(measure, Undefined::Zero).unwrap().unwrap();
            assert!((found - expected).abs() < 1e-15, "{measure}: {found}");
            assert_eq!(all.columns()[0].aggregate.name(), format!("mean weighted by {by}"));
            assert_eq!(all.columns()[1].aggregate, Aggregate::GeometricMean);
        }
    }

    #[test]
    fn undefined_scores_weigh_what_their_topics_weigh() {
        let mut builder = Scores::builder("r", &["AP"]);
        builder.push("1", &[Score::Value(0.5)]).unwrap();
        builder.push("2", &[Score::Undefined("no reason")]).unwrap();
        builder.push("3", &[Score::Value(1.0)]).unwrap();
        let mut scores = builder.build().unwrap();
        scores.weigh("place", |topic| Some(f64::from(topic[0] - b'0'))).unwrap();
        let mean = |scores: &Scores, policy| scores.summary("AP", policy).unwrap().unwrap();
        assert_eq!(mean(&scores, Undefined::Zero), 3.5 / 6.0);
        assert_eq!(mean(&scores, Undefined::Skip), 3.5 / 4.0);
        assert!(scores.summary("AP", Undefined::Error).is_err());
        // What is weighted already stays as it is.
        scores.weigh("nothing", |_| Some(1.0)).unwrap();
        assert_eq!(mean(&scores, Undefined::Skip), 3.5 / 4.0);
    }

    /// A mean of whoever defines a measure, with its own rule for undefined scores or without one.
    #[derive(Debug)]
    struct OwnMean(Option<Undefined>);

    impl Summary for OwnMean {
        fn of(
            &self,
            scores: &mut dyn Iterator<Item = Option<f64>>,
            otherwise: Undefined,
        ) -> Option<f64> {
            Aggregate::Mean.of(scores, self.0.unwrap_or(otherwise))
        }

        fn undefined(&self) -> Option<Undefined> {
            self.0
        }

        fn name(&self) -> &str {
            "own mean"
        }

        fn is_mean(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_weighted_mean_keeps_the_rule_for_undefined_scores() {
        let (as_zero, without) = (Some(3.5 / 6.0), Some(3.5 / 4.0));
        for (own, if_zero, if_skipped) in [
            (None, as_zero, without),
            (Some(Undefined::Skip), without, without),
            (Some(Undefined::Zero), as_zero, as_zero),
        ] {
            let aggregate = Aggregate::Own(Arc::new(OwnMean(own)));
            let column = MetricColumn { name: "mine".to_string(), aggregate };
            let mut builder = Scores::builder_of("r", vec![column]);
            builder.push("1", &[Score::Value(0.5)]).unwrap();
            builder.push("2", &[Score::Undefined("no reason")]).unwrap();
            builder.push("3", &[Score::Value(1.0)]).unwrap();
            let mut scores = builder.build().unwrap();
            scores.weigh("place", |topic| Some(f64::from(topic[0] - b'0'))).unwrap();
            assert_eq!(scores.summary("mine", Undefined::Zero).unwrap(), if_zero, "{own:?}");
            assert_eq!(scores.summary("mine", Undefined::Skip).unwrap(), if_skipped, "{own:?}");
            assert_eq!(scores.summary("mine", Undefined::Error).is_err(), own.is_none());
            let aggregate = &scores.columns()[0].aggregate;
            let refused = aggregate.of([Some(0.5), None, Some(1.0)], Undefined::Error);
            assert_eq!(refused.is_none(), own.is_none(), "{own:?}");
        }
    }

    /// A mean over documents: the measure gives the weights of the topics itself.
    #[derive(Debug)]
    struct ByDocuments;

    impl Summary for ByDocuments {
        fn of(&self, _: &mut dyn Iterator<Item = Option<f64>>, _: Undefined) -> Option<f64> {
            None
        }

        fn undefined(&self) -> Option<Undefined> {
            None
        }

        fn name(&self) -> &str {
            "by documents"
        }

        fn is_weighted(&self) -> bool {
            true
        }

        fn of_weighted(
            &self,
            scores: &mut dyn Iterator<Item = (Option<f64>, f64)>,
            _: Undefined,
        ) -> Option<f64> {
            let (mut sum, mut all) = (0.0, 0.0);
            for (score, weight) in scores {
                sum += score? * weight;
                all += weight;
            }
            Some(sum / all)
        }
    }

    #[test]
    fn each_column_has_its_own_weights() {
        let column = |name: &str| MetricColumn {
            name: name.to_string(),
            aggregate: Aggregate::Own(Arc::new(ByDocuments)),
        };
        let mut builder = Scores::builder_of("r", vec![column("one"), column("two")]);
        let scored = |score, weight| (Score::Value(score), Some(weight));
        builder.push_weighted("1", &[scored(0.5, 1.0), scored(0.25, 6.0)]).unwrap();
        builder.push_weighted("2", &[scored(1.0, 3.0), scored(0.75, 2.0)]).unwrap();
        let scores = builder.build().unwrap();
        // (0.5 + 3) / 4 and (1.5 + 1.5) / 8.
        assert_eq!(scores.summary("one", Undefined::Zero).unwrap(), Some(0.875));
        assert_eq!(scores.summary("two", Undefined::Zero).unwrap(), Some(0.375));
    }

    #[test]
    fn every_topic_has_a_weight() {
        let error = scores("AP").weigh("w.txt", |topic| (topic == b"1").then_some(1.0));
        let error = error.unwrap_err().to_string();
        assert!(error.contains("topic 2 has no weight by w.txt"), "{error}");
        for weight in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(scores("AP").weigh("w.txt", |_| Some(weight)).is_err(), "{weight}");
        }
        let mut nothing = scores("AP");
        nothing.weigh("w.txt", |_| Some(0.0)).unwrap();
        assert_eq!(nothing.summary("AP", Undefined::Zero).unwrap(), None);
    }
}
