//! Scores of topics as tables, and their summaries in parts that add up.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, RecordBatch};
use axiometrics::choice::Choice;
use axiometrics::data::id_text;
use axiometrics::measure::{Aggregate, Gathered, Metric, Score};
use axiometrics::policy::{Missing, Undefined};
use axiometrics::score::ranges::{End, RangeEnd};
use axiometrics::warning::WarningKind;
use axiometrics::{Error, Place, Result, Warnings};
use serde::{Deserialize, Serialize};

use crate::scorer::{GroupScorer, Scored};

/// The summaries of runs over the topics of a part of the data. Parts are sent as bytes and merged,
/// in any order, into the summaries of the whole: those of an evaluation on one machine, bit for
/// bit.
#[derive(Debug)]
pub struct Totals {
    /// The names of the measures, and how their scores become one number.
    measures: Vec<(String, Aggregate)>,
    undefined: Undefined,
    /// Topics that a run lacks have no rows.
    skips_missing: bool,
    sent: Sent,
}

/// What is sent.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Sent {
    runs: Vec<OfRun>,
    warnings: Warnings,
}

/// What is known of a run.
#[derive(Debug, Default, Serialize, Deserialize)]
struct OfRun {
    name: String,
    topics: u64,
    measures: Vec<OfMeasure>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct OfMeasure {
    scores: Gathered,
    low: End,
    high: End,
    /// Some topic has a score and no range: then the summary has none.
    without_range: bool,
}

/// A summary, and its range if there is one.
pub type Summarised = (Option<f64>, Option<(f64, f64)>);

/// A score of a topic, with its ends and whether some judgements leave it undefined.
type Ranged = (Option<f64>, Option<(f64, f64, bool)>);

impl Totals {
    /// Nothing yet, of these runs; one without a name if there is only one.
    pub fn new(
        metrics: &[Metric],
        undefined: Undefined,
        missing: Missing,
        runs: &[String],
    ) -> Totals {
        let of_run = |name: &String| OfRun {
            name: name.clone(),
            topics: 0,
            measures: vec![OfMeasure::default(); metrics.len()],
        };
        let runs = runs.iter().map(of_run).collect();
        let measures = metrics.iter().map(|m| (m.to_string(), m.aggregate())).collect();
        let sent = Sent { runs, warnings: Warnings::default() };
        Totals { measures, undefined, skips_missing: missing == Missing::Skip, sent }
    }

    /// Adds scores of further topics.
    pub fn push(&mut self, scored: &Scored) -> Result<()> {
        let run = self.run(&scored.run)?;
        let scores = &scored.scores;
        self.sent.runs[run].topics += scores.len() as u64;
        for row in 0..scores.len() {
            for column in 0..self.measures.len() {
                let range = scores.range(row, column).map(|r| (r.low, r.high, r.undefined));
                self.add(run, column, (scores.value(row, column), range));
            }
        }
        Ok(())
    }

    /// Adds warnings.
    pub fn warn(&mut self, warnings: Warnings) {
        self.sent.warnings.extend(warnings);
    }

    fn run(&self, name: &str) -> Result<usize> {
        let found = self.sent.runs.iter().position(|run| run.name == name);
        found.ok_or_else(|| Error::usage(format!("there is no run \"{name}\"")))
    }

    fn add(&mut self, run: usize, measure: usize, (value, range): Ranged) {
        let (_, aggregate) = &self.measures[measure];
        let held = &mut self.sent.runs[run].measures[measure];
        aggregate.gather(&mut held.scores, value, self.undefined);
        held.without_range |= range.is_none() && value.is_some();
        let low = range.map(|(low, _, loose)| (low, loose));
        let high = range.map(|(_, high, loose)| (high, loose));
        if !held.without_range {
            held.low.gather(RangeEnd::Low, aggregate, low, self.undefined);
            held.high.gather(RangeEnd::High, aggregate, high, self.undefined);
        }
    }

    /// Adds a table of scores as [`GroupScorer::batch`] makes it, with its rows of warnings.
    pub fn push_batch(&mut self, batch: &RecordBatch) -> Result<()> {
        let column = |name: &str| {
            batch.column_by_name(name).ok_or_else(|| {
                Error::usage(format!("found no column \"{name}\" in a table of scores"))
            })
        };
        let text = |name: &str| -> Result<Vec<Option<&str>>> {
            let array = column(name)?;
            let array = array.as_string_opt::<i32>().ok_or_else(|| {
                Error::usage(format!("column \"{name}\" is of type {}", array.data_type()))
            })?;
            Ok(array.iter().collect())
        };
        let (topics, measures) = (text("topic")?, text("measure")?);
        let reasons = text("reason")?;
        let runs = if column("run").is_ok() { Some(text("run")?) } else { None };
        let number = |name: &str, row: usize| {
            let array = batch.column_by_name(name)?.as_primitive_opt::<Float64Type>()?;
            (!array.is_null(row)).then(|| array.value(row))
        };
        let loose = batch.column_by_name(LOOSE).and_then(|array| array.as_boolean_opt());
        for row in 0..batch.num_rows() {
            let name = runs.as_ref().map_or("", |runs| runs[row].unwrap_or_default());
            let measure = measures[row].unwrap_or_default();
            let value = number("value", row);
            if topics[row].is_none() {
                let kind: Option<WarningKind> = serde_json::from_value(measure.into()).ok();
                let kind = kind.ok_or_else(|| Error::usage("a row of scores has no topic"))?;
                let count = value.unwrap_or(0.0) as u64;
                let (file, example) =
                    reasons[row].and_then(|text| text.split_once('\n')).unwrap_or_default();
                self.sent.warnings.add_example(kind, count, file, example);
                continue;
            }
            let run = self.run(name)?;
            let known = self.measures.iter().position(|(name, _)| name == measure);
            let at = known.ok_or_else(|| Error::usage(format!("\"{measure}\" was not scored")))?;
            let ends = number("low", row).zip(number("high", row));
            let may_lack = loose.is_some_and(|loose| !loose.is_null(row) && loose.value(row));
            self.add(run, at, (value, ends.map(|(low, high)| (low, high, may_lack))));
            self.sent.runs[run].topics += u64::from(at == 0);
        }
        Ok(())
    }

    /// To be sent to where the whole is put together.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(&self.sent).map_err(|error| Error::usage(error.to_string()))
    }

    /// Adds a part that was sent.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<()> {
        let other: Sent =
            serde_json::from_slice(bytes).map_err(|error| Error::usage(error.to_string()))?;
        for of_run in other.runs {
            let run = self.run(&of_run.name)?;
            let mine = &mut self.sent.runs[run];
            mine.topics += of_run.topics;
            for (mine, theirs) in mine.measures.iter_mut().zip(of_run.measures) {
                mine.scores.merge(theirs.scores);
                mine.low.merge(theirs.low);
                mine.high.merge(theirs.high);
                mine.without_range |= theirs.without_range;
            }
        }
        self.sent.warnings.extend(other.warnings);
        Ok(())
    }

    /// The summaries, run by run and measure by measure, and what is to be said of the whole. An
    /// error if a run has no topic in common with the judgements.
    pub fn finish(self) -> Result<(Vec<Vec<Summarised>>, Warnings)> {
        let Totals { measures: known, undefined, skips_missing, sent } = self;
        let Sent { runs, mut warnings } = sent;
        let missing = warnings.take(WarningKind::MissingTopic);
        let unjudged = warnings.take(WarningKind::NothingJudged);
        let mut all = Vec::with_capacity(runs.len());
        for OfRun { name, topics, measures } in runs {
            let name = if name.is_empty() { "run".to_string() } else { name };
            let lacking = missing.iter().find(|(file, ..)| *file == name);
            let lacking_count = lacking.map_or(0, |(_, count, _)| *count);
            let common = if skips_missing { topics } else { topics - lacking_count.min(topics) };
            if common == 0 {
                let message = "no topic in common with the judgements";
                return Err(Error::input(Place::file(id_text(name.as_bytes())), message).help(
                    "do run and judgements belong to one collection, and name their topics alike?",
                ));
            }
            if let Some((_, count, example)) = lacking {
                let example = example.as_deref().unwrap_or_default();
                warnings.add_example(WarningKind::MissingTopic, *count, &name, example);
            }
            if let Some((_, count, example)) = unjudged.iter().find(|(file, ..)| *file == name)
                && *count >= common
            {
                let example = example.as_deref().unwrap_or_default();
                warnings.add_example(WarningKind::NothingJudged, 1, &name, example);
            }
            let summary = |((_, aggregate), of): (&(String, Aggregate), &OfMeasure)| {
                let low = of.low.summary(RangeEnd::Low, aggregate);
                let high = of.high.summary(RangeEnd::High, aggregate);
                let range = low.zip(high).filter(|_| !of.without_range);
                (aggregate.summary(&of.scores, undefined), range)
            };
            all.push(known.iter().zip(&measures).map(summary).collect());
        }
        Ok((all, warnings))
    }
}

/// The column that says whether some judgements leave a score undefined.
const LOOSE: &str = "may_be_undefined";

impl GroupScorer {
    /// Scores as a table with a row for each topic and measure: `topic`, `run` if there are several
    /// runs, `measure`, `value`, and `reason` if there is no value; with ranges, `low`, `high`, and
    /// `may_be_undefined` if some judgements leave the score undefined.
    pub fn batch(&self, scored: &[Scored]) -> Result<RecordBatch> {
        let mut table = TableBuilder::default();
        for Scored { run, scores } in scored {
            for row in 0..scores.len() {
                for (column, metric) in scores.columns().iter().enumerate() {
                    let (value, reason) = match scores.score(row, column) {
                        Some(Score::Value(value)) => (Some(value), None),
                        Some(Score::Undefined(why)) => (None, Some(why)),
                        None => (None, None),
                    };
                    let range = scores.range(row, column).map(|r| (r.low, r.high, r.undefined));
                    let topic = scores.topic(row);
                    table.push(Some(&topic), run, &metric.name, (value, range), reason);
                }
            }
        }
        table.finish(self.has_runs(), self.has_ranges())
    }

    /// The warnings so far as rows of the same table, without a topic: the kind as the measure, how
    /// often as the value, the run and an instance as the reason. [`Totals::push_batch`] takes them.
    pub fn warning_rows(&mut self) -> Result<RecordBatch> {
        let mut table = TableBuilder::default();
        for (kind, file, count, example) in std::mem::take(&mut self.warnings).entries() {
            let told = format!("{file}\n{example}");
            table.push(None, &file, kind.name(), (Some(count as f64), None), Some(&told));
        }
        table.finish(self.has_runs(), self.has_ranges())
    }
}

/// A table of scores, row by row.
#[derive(Default)]
struct TableBuilder {
    topics: StringBuilder,
    runs: StringBuilder,
    measures: StringBuilder,
    values: Float64Builder,
    lows: Float64Builder,
    highs: Float64Builder,
    loose: BooleanBuilder,
    reasons: StringBuilder,
}

impl TableBuilder {
    fn push(
        &mut self,
        topic: Option<&str>,
        run: &str,
        measure: &str,
        (value, range): Ranged,
        reason: Option<&str>,
    ) {
        self.topics.append_option(topic);
        self.runs.append_value(run);
        self.measures.append_value(measure);
        self.values.append_option(value);
        self.lows.append_option(range.map(|(low, ..)| low));
        self.highs.append_option(range.map(|(_, high, _)| high));
        self.loose.append_option(range.map(|(.., loose)| loose));
        self.reasons.append_option(reason);
    }

    fn finish(mut self, has_runs: bool, has_ranges: bool) -> Result<RecordBatch> {
        let mut columns: Vec<(&str, ArrayRef, bool)> =
            vec![("topic", Arc::new(self.topics.finish()), true)];
        if has_runs {
            columns.push(("run", Arc::new(self.runs.finish()), true));
        }
        columns.push(("measure", Arc::new(self.measures.finish()), true));
        columns.push(("value", Arc::new(self.values.finish()), true));
        if has_ranges {
            columns.push(("low", Arc::new(self.lows.finish()), true));
            columns.push(("high", Arc::new(self.highs.finish()), true));
            columns.push((LOOSE, Arc::new(self.loose.finish()), true));
        }
        columns.push(("reason", Arc::new(self.reasons.finish()), true));
        RecordBatch::try_from_iter_with_nullable(columns).map_err(crate::error)
    }
}
