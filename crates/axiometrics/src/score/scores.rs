//! The scores of one run.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::builder::ScoresBuilder;
use super::cells::Coverage;
use super::ranges::{self, Range};
use super::stored::StoredScores;
use crate::data::Names;
use crate::error::{Error, Place, Result};
use crate::measure::{Aggregate, Metric, Score};
use crate::policy::Undefined;
use crate::remedy::Remedy;

/// The scores of one run: a row per topic, a column per metric, each cell a [`Score`].
///
/// Topics are sorted by the bytes of their names, whoever computed them and in whatever order, so
/// scores of some topics and of others [merge](Scores::merge) into scores of all.
///
/// ```
/// use axiometrics::measure::Score;
/// use axiometrics::policy::Undefined;
/// use axiometrics::score::Scores;
///
/// let mut builder = Scores::builder("bm25", &["AP"]);
/// builder.push("301", &[Score::Value(0.25)])?;
/// builder.push("302", &[Score::Undefined("the topic has no relevant document")])?;
/// let scores = builder.build()?;
/// assert_eq!(scores.get("301", "AP"), Some(Score::Value(0.25)));
/// assert_eq!(scores.summary("AP", Undefined::Skip)?, Some(0.25));
/// assert!(scores.summary("AP", Undefined::Error).is_err());
/// assert!(scores.summary("nDCG", Undefined::Skip).is_err());
/// # Ok::<(), axiometrics::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "StoredScores", into = "StoredScores")]
pub struct Scores {
    name: String,
    columns: Vec<MetricColumn>,
    /// Shared by the runs of one evaluation.
    topics: Arc<Names>,
    /// Row by row; NaN stands for an undefined score, which no defined score can be.
    values: Vec<f64>,
    /// Why a cell is undefined, by row and column.
    reasons: Vec<UndefinedCell>,
    layout: RowLayout,
    /// How many judged topics the run lacks.
    pub missing: usize,
    /// How many topics of the run have no judgements.
    pub unjudged: usize,
    /// How much of the rankings was judged, if all judgements were read.
    pub coverage: Option<Coverage>,
    /// How much ties could take from the scores of each measure, and add to them, summed over
    /// topics; empty if there are none.
    pub ties: Vec<(f64, f64)>,
}

/// A metric of a table of scores.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricColumn {
    /// Its name.
    pub name: String,
    /// How its scores become one number.
    pub aggregate: Aggregate,
}

impl From<&Metric> for MetricColumn {
    fn from(metric: &Metric) -> MetricColumn {
        MetricColumn { name: metric.to_string(), aggregate: metric.aggregate() }
    }
}

/// Why a cell is undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UndefinedCell {
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) why: &'static str,
}

/// What a row holds: the scores, then their ranges, then the standard errors of those that were
/// sampled, then the weights of the topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RowLayout {
    pub(super) columns: usize,
    pub(super) ranged: bool,
    pub(super) averaged: bool,
    /// Some summary weighs topics: rows end with the weights, one for each column.
    pub(super) weighted: bool,
}

impl RowLayout {
    /// How many numbers a row has.
    pub(super) fn width(self) -> usize {
        self.weights() + if self.weighted { self.columns } else { 0 }
    }

    /// Where the weights begin.
    fn weights(self) -> usize {
        self.errors() + if self.averaged { self.columns } else { 0 }
    }

    /// Where the standard errors begin.
    fn errors(self) -> usize {
        self.columns * if self.ranged { 1 + Range::CELLS } else { 1 }
    }
}

/// The reason of an undefined score that came without one.
const UNDEFINED: &str = "the score is undefined";

impl Scores {
    /// A table to be filled topic by topic. The mean is the summary of each metric.
    pub fn builder<S: AsRef<str>>(name: impl Into<String>, metrics: &[S]) -> ScoresBuilder {
        let column =
            |name: &S| MetricColumn { name: name.as_ref().into(), aggregate: Aggregate::Mean };
        Scores::builder_of(name, metrics.iter().map(column).collect())
    }

    /// The same for metrics with their own summaries.
    pub fn builder_of(name: impl Into<String>, columns: Vec<MetricColumn>) -> ScoresBuilder {
        ScoresBuilder::new(name.into(), columns)
    }

    pub(super) fn new(
        name: &str,
        columns: Vec<MetricColumn>,
        topics: Arc<Names>,
        values: Vec<f64>,
        reasons: Vec<UndefinedCell>,
        layout: RowLayout,
    ) -> Scores {
        Scores {
            name: name.to_string(),
            columns,
            topics,
            values,
            reasons,
            layout,
            missing: 0,
            unjudged: 0,
            coverage: None,
            ties: Vec::new(),
        }
    }

    /// What a row holds.
    pub(super) fn layout(&self) -> RowLayout {
        self.layout
    }

    /// Whether any number is infinite. All are looked at, which is quicker than to stop in time.
    pub(super) fn has_infinite(&self) -> bool {
        self.values.iter().fold(false, |found, x| found | x.is_infinite())
    }

    /// All numbers, row by row.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks(self.layout.width().max(1))
    }

    /// The name of the run.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The metrics, in the order of columns.
    pub fn columns(&self) -> &[MetricColumn] {
        &self.columns
    }

    /// The same, to be changed.
    pub(super) fn columns_mut(&mut self) -> &mut [MetricColumn] {
        &mut self.columns
    }

    /// The column of a metric.
    pub fn column_of(&self, metric: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == metric)
    }

    /// How many topics there are.
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// True if there is no topic.
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// The topics, sorted by the bytes of their names.
    pub fn topics(&self) -> &Names {
        &self.topics
    }

    /// The name of a row's topic, as far as it is text; empty for a row that does not exist.
    pub fn topic(&self, row: usize) -> Cow<'_, str> {
        self.topics.text(row)
    }

    /// The row of a topic.
    pub fn row_of(&self, topic: &[u8]) -> Option<usize> {
        self.topics.find_sorted(topic)
    }

    /// A score by the names of its topic and metric; `None` if there is no such topic or metric.
    pub fn get(&self, topic: &str, metric: &str) -> Option<Score> {
        self.score(self.row_of(topic.as_bytes())?, self.column_of(metric)?)
    }

    /// A score by row and column; `None` if there is no such row or column.
    pub fn score(&self, row: usize, column: usize) -> Option<Score> {
        let value = self.cell(row, column).filter(|_| column < self.columns.len())?;
        if !value.is_nan() {
            return Some(Score::Value(value));
        }
        let order =
            |reason: &UndefinedCell| (reason.row, reason.column).cmp(&(row as u32, column as u32));
        let why = self.reasons.binary_search_by(order).map_or(UNDEFINED, |at| self.reasons[at].why);
        Some(Score::Undefined(why))
    }

    /// The number of a score by row and column; `None` if it is undefined or not there.
    pub fn value(&self, row: usize, column: usize) -> Option<f64> {
        self.cell(row, column).filter(|x| !x.is_nan() && column < self.columns.len())
    }

    fn cell(&self, row: usize, at: usize) -> Option<f64> {
        let width = self.layout.width();
        (at < width).then(|| self.values.get(row * width + at).copied()).flatten()
    }

    /// The numbers of one metric, in the order of topics.
    pub fn column(&self, column: usize) -> impl Iterator<Item = Option<f64>> + '_ {
        let known = column < self.columns.len();
        let cell = move |row: &[f64]| row.get(column).copied();
        self.values
            .chunks_exact(self.layout.width().max(1))
            .map(move |row| cell(row).filter(|x| known && !x.is_nan()))
    }

    /// The rows in which a metric is undefined.
    pub fn undefined(&self, column: usize) -> Vec<usize> {
        let scores = self.column(column).enumerate();
        scores.filter(|(_, score)| score.is_none()).map(|(row, _)| row).collect()
    }

    /// The metric's own summary under a policy for undefined scores; `None` if no score is left to
    /// summarise. An error if there is no such metric, or if the policy refuses undefined scores and
    /// there is one.
    pub fn summary(&self, metric: &str, undefined: Undefined) -> Result<Option<f64>> {
        self.summary_of(self.known(metric)?, undefined)
    }

    /// The same by column.
    pub fn summary_of(&self, column: usize, undefined: Undefined) -> Result<Option<f64>> {
        let Some(MetricColumn { name, aggregate }) = self.columns.get(column) else {
            let message = format!("there is no column {column}: {}", self.known_metrics());
            return Err(Error::usage(message));
        };
        let policy = match aggregate {
            Aggregate::Own(own) => own.undefined().unwrap_or(undefined),
            _ => undefined,
        };
        if policy == Undefined::Error
            && let Some(row) = (0..self.len()).find(|row| self.value(*row, column).is_none())
        {
            let why = match self.score(row, column) {
                Some(Score::Undefined(why)) => why,
                _ => UNDEFINED,
            };
            let message = format!("{name} is undefined for topic {}: {why}", self.topic(row));
            return Err(Error::input(Place::file(&self.name), message).help(Remedy::undefined()));
        }
        match aggregate {
            Aggregate::Own(own) if own.is_weighted() => {
                self.weighted_summary(column, own.as_ref(), undefined)
            }
            _ => Ok(aggregate.of(self.column(column), undefined)),
        }
    }

    /// How much a topic weighs in the summary of a column; `None` if it has no weight.
    pub(super) fn weight(&self, row: usize, column: usize) -> Option<f64> {
        let weight = self.cell(row, self.layout.weights() + column);
        weight.filter(|x| !x.is_nan() && self.layout.weighted && column < self.columns.len())
    }

    /// The same for whoever shows a gap if there is no summary, for whatever reason.
    pub fn summary_value(&self, column: usize, undefined: Undefined) -> Option<f64> {
        self.summary_of(column, undefined).ok().flatten()
    }

    fn known(&self, metric: &str) -> Result<usize> {
        self.column_of(metric).ok_or_else(|| {
            Error::usage(format!("no scores by \"{metric}\": {}", self.known_metrics()))
        })
    }

    fn known_metrics(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        format!("the metrics are {}", names.join(", "))
    }

    /// The standard error of an expected score over the orders of tied documents, if orders were
    /// sampled.
    pub fn standard_error(&self, row: usize, column: usize) -> Option<f64> {
        let at = self.layout.errors() + column;
        let error = self.layout.averaged.then(|| self.cell(row, at)).flatten();
        error.filter(|x| !x.is_nan() && column < self.columns.len())
    }

    /// In how many topics the score is a mean over a sample of the orders of tied documents.
    pub fn sampled(&self, column: usize) -> usize {
        (0..self.len()).filter(|row| self.standard_error(*row, column).is_some()).count()
    }

    /// The standard error of the mean of such scores, over the topics that it is made of; `None` if
    /// none was sampled.
    pub fn mean_standard_error(&self, column: usize, undefined: Undefined) -> Option<f64> {
        let squares: Vec<f64> = (0..self.len())
            .filter_map(|row| self.standard_error(row, column))
            .map(|error| error * error)
            .collect();
        let kept = if undefined == Undefined::Skip {
            self.column(column).flatten().count()
        } else {
            self.len()
        };
        (!squares.is_empty()).then(|| squares.iter().sum::<f64>().sqrt() / kept as f64)
    }

    /// True if ranges were asked for.
    pub fn has_ranges(&self) -> bool {
        self.layout.ranged
    }

    /// The range of a score; `None` if the measure has none, or if the score is undefined whatever
    /// the judgements.
    pub fn range(&self, row: usize, column: usize) -> Option<Range> {
        if !self.has_ranges() || column >= self.columns.len() {
            return None;
        }
        let at = row * self.layout.width() + self.layout.columns + column * Range::CELLS;
        self.values.get(at..at + Range::CELLS).and_then(Range::from_cells)
    }

    /// The range of the metric's own summary; `None` if the measure has none.
    pub fn summary_range(&self, column: usize, undefined: Undefined) -> Option<Range> {
        let aggregate = &self.columns.get(column)?.aggregate;
        // Judgements could change the weights too.
        if aggregate.is_weighted() {
            return None;
        }
        let ranges: Vec<Option<Range>> =
            (0..self.len()).map(|row| self.range(row, column)).collect();
        // A topic with a score and without a range: the measure has none.
        let without = |(row, range): (usize, &Option<Range>)| {
            range.is_none() && self.value(row, column).is_some()
        };
        if ranges.iter().enumerate().any(without) {
            return None;
        }
        ranges::summarise(aggregate, &ranges, undefined)
    }

    /// The scores of these topics and of others as one table. Both must be of the same metrics, and
    /// no topic may be in both.
    pub fn merge(self, other: Scores) -> Result<Scores> {
        if self.columns != other.columns || self.layout != other.layout {
            return Err(Error::usage(format!(
                "scores of different metrics cannot be merged: {}, and {}",
                self.known_metrics(),
                other.known_metrics()
            )));
        }
        let width = self.layout.width();
        let mut merged = Scores {
            topics: Arc::default(),
            values: Vec::with_capacity(self.values.len() + other.values.len()),
            reasons: Vec::new(),
            missing: self.missing + other.missing,
            unjudged: self.unjudged + other.unjudged,
            coverage: self.coverage.zip(other.coverage).map(|(a, b)| a.and(b)),
            ties: add(&self.ties, &other.ties),
            name: self.name.clone(),
            columns: self.columns.clone(),
            layout: self.layout,
        };
        let (mut i, mut j) = (0, 0);
        while i < self.len() || j < other.len() {
            let order = match (self.topics.get(i), other.topics.get(j)) {
                (Some(a), Some(b)) => a.cmp(b),
                (Some(_), None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            let (from, row) = match order {
                Ordering::Less => (&self, &mut i),
                Ordering::Greater => (&other, &mut j),
                Ordering::Equal => {
                    let message = format!("topic {} has scores on both sides", self.topic(i));
                    return Err(Error::duplicate(Place::file(&self.name), message)
                        .help("merge scores of different topics"));
                }
            };
            let new = merged.topics.len() as u32;
            let topics = Arc::make_mut(&mut merged.topics);
            topics.push(from.topics.get(*row).unwrap_or_default());
            merged.values.extend_from_slice(&from.values[*row * width..(*row + 1) * width]);
            let own = from.reasons.partition_point(|reason| (reason.row as usize) < *row);
            let own = from.reasons[own..].iter().take_while(|r| r.row as usize == *row);
            merged.reasons.extend(own.map(|reason| UndefinedCell { row: new, ..*reason }));
            *row += 1;
        }
        Ok(merged)
    }
}

fn add(a: &[(f64, f64)], b: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let at = |of: &[(f64, f64)], i: usize| of.get(i).copied().unwrap_or_default();
    (0..a.len().max(b.len())).map(|i| (at(a, i).0 + at(b, i).0, at(a, i).1 + at(b, i).1)).collect()
}

/// A score with the weight of its topic, if that has one.
pub(super) type WeightedScore = (Score, Option<f64>);

/// How a score is kept in the table.
pub(super) fn number(score: &Score) -> f64 {
    match score {
        Score::Value(x) => *x,
        Score::Undefined(_) => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(rows: &[(&str, Option<f64>)]) -> Scores {
        let mut builder = Scores::builder("r", &["AP"]);
        for (topic, score) in rows {
            let score = score.map_or(Score::Undefined("no reason"), Score::Value);
            builder.push(topic, &[score]).unwrap();
        }
        builder.build().unwrap()
    }

    #[test]
    fn nothing_panics_for_what_is_not_there() {
        let scores = table(&[("1", Some(0.5)), ("2", None)]);
        assert_eq!(scores.get("3", "AP"), None);
        assert_eq!(scores.get("1", "RR"), None);
        assert_eq!(scores.score(0, 1), None);
        assert_eq!(scores.value(7, 0), None);
        assert_eq!(scores.range(0, 9), None);
        assert_eq!(scores.standard_error(9, 9), None);
        assert_eq!(scores.topic(9), "");
        assert_eq!(scores.get("2", "AP"), Some(Score::Undefined("no reason")));
        assert!(scores.summary_of(3, Undefined::Zero).is_err());
        let refused = scores.summary("AP", Undefined::Error).unwrap_err().to_string();
        assert!(refused.contains("AP is undefined for topic 2: no reason"), "{refused}");
        assert_eq!(scores.summary("AP", Undefined::Zero).unwrap(), Some(0.25));
    }

    /// Behind the standard errors of a row stand its weights.
    #[test]
    fn a_column_that_is_not_there_has_no_standard_error() {
        let layout = RowLayout { columns: 1, ranged: false, averaged: true, weighted: true };
        let column = MetricColumn { name: "AP".into(), aggregate: Aggregate::Mean };
        let mut topics = Names::default();
        topics.push(b"1");
        let row = vec![0.5, 0.125, 3.0];
        let scores = Scores::new("r", vec![column], Arc::new(topics), row, Vec::new(), layout);
        assert_eq!(scores.standard_error(0, 0), Some(0.125));
        assert_eq!(scores.standard_error(0, 1), None);
        assert_eq!((scores.sampled(0), scores.sampled(1)), (1, 0));
    }

    #[test]
    fn rows_of_several_metrics_are_merged_whole() {
        let table = |rows: &[(&str, [f64; 2])]| {
            let mut builder = Scores::builder("r", &["AP", "RR"]);
            for (topic, [a, b]) in rows {
                builder.push(topic, &[Score::Value(*a), Score::Value(*b)]).unwrap();
            }
            builder.build().unwrap()
        };
        let merged = table(&[("1", [0.1, 0.2]), ("3", [0.5, 0.6])])
            .merge(table(&[("2", [0.3, 0.4]), ("4", [0.7, 0.8])]))
            .unwrap();
        let column = |at| merged.column(at).flatten().collect::<Vec<f64>>();
        assert_eq!((column(0), column(1)), (vec![0.1, 0.3, 0.5, 0.7], vec![0.2, 0.4, 0.6, 0.8]));
        assert_eq!(merged.column(2).flatten().count(), 0);
    }

    #[test]
    fn what_is_there_is_named() {
        let scores = table(&[("1", Some(0.5))]);
        assert!(!scores.is_empty() && table(&[]).is_empty());
        let unknown = scores.summary("RR", Undefined::Zero).unwrap_err().to_string();
        assert!(unknown.contains("RR") && unknown.contains("AP"), "{unknown}");
        let mut other = Scores::builder("r", &["nDCG"]);
        other.push("2", &[Score::Value(1.0)]).unwrap();
        let refused = scores.merge(other.build().unwrap()).unwrap_err().to_string();
        assert!(refused.contains("AP") && refused.contains("nDCG"), "{refused}");
    }

    #[test]
    fn what_ties_could_do_adds_up() {
        let mut tied = [table(&[("1", None)]), table(&[("2", None)]), table(&[("3", None)])];
        tied[0].ties = vec![(0.5, 0.25)];
        tied[2].ties = vec![(2.0, 3.0)];
        let [a, b, c] = tied;
        assert_eq!(a.merge(b).unwrap().merge(c).unwrap().ties, [(2.5, 3.25)]);
    }

    #[test]
    fn a_row_has_room_for_what_was_asked() {
        let plain = RowLayout { columns: 3, ranged: false, averaged: false, weighted: false };
        assert_eq!(plain.width(), 3);
        assert_eq!(RowLayout { weighted: true, ..plain }.width(), 6);
        assert_eq!(RowLayout { averaged: true, weighted: true, ..plain }.width(), 9);
        assert_eq!(RowLayout { averaged: true, weighted: true, ..plain }.weights(), 6);
        let ranged = RowLayout { ranged: true, averaged: true, ..plain };
        assert_eq!((ranged.errors(), ranged.width()), (15, 18));
    }

    #[test]
    fn a_topic_has_one_row() {
        let mut builder = Scores::builder("r", &["AP"]);
        builder.push("1", &[Score::Value(0.0)]).unwrap();
        assert!(builder.push("1", &[]).is_err());
        assert!(builder.push("2", &[Score::Value(f64::NAN)]).is_err());
        builder.push("1", &[Score::Value(1.0)]).unwrap();
        assert!(builder.build().is_err());
        let (a, b) = (table(&[("1", None)]), table(&[("1", Some(1.0))]));
        assert!(a.merge(b).unwrap_err().is_duplicate());
    }

    proptest! {
        /// However topics are shared out and in whatever order the parts are merged, the scores and
        /// the mean are the same, to the last bit.
        #[test]
        fn parts_merge_into_the_whole(
            values in proptest::collection::vec(proptest::option::of(-1e3..1e3f64), 1..40),
            part in proptest::collection::vec(0..3usize, 40),
        ) {
            let names: Vec<String> = (0..values.len()).map(|i| format!("t{}", i * 7 % 41)).collect();
            let rows: Vec<(&str, Option<f64>)> =
                names.iter().map(String::as_str).zip(values).collect();
            let whole = table(&rows);
            let parts = [0, 1, 2].map(|p| {
                let own: Vec<_> =
                    rows.iter().zip(&part).filter(|(_, at)| **at == p).map(|(r, _)| *r).collect();
                table(&own)
            });
            let [a, b, c] = parts;
            let merged = c.merge(a).unwrap().merge(b).unwrap();
            for (topic, _) in &rows {
                prop_assert_eq!(merged.get(topic, "AP"), whole.get(topic, "AP"));
            }
            for policy in [Undefined::Zero, Undefined::Skip] {
                let bits = |s: &Scores| s.summary("AP", policy).unwrap().map(f64::to_bits);
                prop_assert_eq!(bits(&merged), bits(&whole));
            }
        }
    }
}
