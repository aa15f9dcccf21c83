//! The means of systems by one measure: over which topics, with which intervals.

use serde::Serialize;

use super::model::{MeanRange, SystemMean};
use super::settings::{ComparisonSettings, Values};
use super::values::values;
use crate::data::Qrels;
use crate::error::Result;
use crate::measure::Aggregate;
use crate::policy::Undefined;
use crate::score::{CommonTopics, LeftOut, Measured, System};
use crate::stats::{self, ScoreMatrix};

/// The means of systems by one measure, over the topics on which all of them have a score.
#[derive(Debug, Clone, Serialize)]
pub struct MeasureMeans {
    /// The column of the scores.
    #[serde(skip)]
    pub column: usize,
    /// The measure, with its parameters.
    pub measure: String,
    /// How many topics the means are over.
    pub topics: usize,
    /// How many topics are left out.
    pub left_out: LeftOut,
    /// The names of the topics left out.
    pub left_out_topics: Vec<String>,
    /// Why an evaluation of the same runs gives other means; absent if it gives the same.
    pub eval_differs: Option<String>,
    /// The systems, in the order given. They have no ranks and letters here.
    pub systems: Vec<SystemMean>,
    /// What the means are of: a row per system, a column per topic.
    #[serde(skip)]
    pub scores: ScoreMatrix,
    /// One of the topics left out, as a number in the judgements.
    #[serde(skip)]
    pub(super) example: Option<u32>,
}

/// The means of systems by the measure in one column of their scores, each with its interval. An
/// error if there is no topic on which all systems have a score.
///
/// Everything that shows a mean with an interval takes both from here, so that they are over the same
/// topics wherever they are shown.
pub fn means(
    qrels: &Qrels,
    metric: &impl Measured,
    column: usize,
    systems: &[System<'_>],
    settings: &ComparisonSettings,
) -> Result<MeasureMeans> {
    let common = CommonTopics::of_measure(qrels, column, metric, systems)?;
    let scores = values(common.matrix(column)?, settings.values)?;
    let on_scores = settings.values == Values::Scores;
    let (confidence, means) = (1.0 - settings.alpha, scores.means());
    let mean_of = |(at, system): (usize, &System<'_>)| {
        let row = &scores.rows()[at];
        let interval =
            stats::mean_interval(settings.mean_interval, row, confidence, settings.resampling)?;
        let range = common.mean_range(at, column).filter(|_| on_scores);
        Ok(SystemMean {
            name: system.name.to_string(),
            mean: means[at],
            interval: interval.within(metric.bounds().filter(|_| on_scores)),
            ranks: None,
            letters: None,
            range: range.map(|range| MeanRange {
                low: range.low,
                high: range.high,
                kind: range.kind,
            }),
            eval_mean: system
                .scores
                .summary_value(column, settings.undefined)
                .filter(|_| on_scores),
        })
    };
    let of_systems: Vec<SystemMean> =
        systems.iter().enumerate().map(mean_of).collect::<Result<_>>()?;
    Ok(MeasureMeans {
        column,
        measure: metric.name(),
        topics: scores.topics(),
        left_out: common.left_out,
        left_out_topics: common.left_out_topics(qrels),
        eval_differs: eval_differs(metric, &common.left_out, &of_systems, settings.undefined),
        systems: of_systems,
        example: common.example,
        scores,
    })
}

impl MeasureMeans {
    /// How many topics some run has: those of the means, and those left out.
    pub fn topics_seen(&self) -> usize {
        self.topics + self.left_out.total()
    }
}

/// Why an evaluation of the same runs gives other means, if it does.
fn eval_differs(
    metric: &impl Measured,
    left_out: &LeftOut,
    systems: &[SystemMean],
    undefined: Undefined,
) -> Option<String> {
    let same = |system: &SystemMean| {
        system
            .eval_mean
            .is_none_or(|mean| (mean - system.mean).abs() <= 1e-12 * mean.abs().max(1.0))
    };
    if systems.iter().all(same) {
        return None;
    }
    let summary = match metric.aggregate() {
        Aggregate::Mean => None,
        Aggregate::GeometricMean => Some("the geometric mean"),
        Aggregate::Sum => Some("the sum"),
        Aggregate::Median => Some("the median"),
        Aggregate::HarmonicMean => Some("the harmonic mean"),
        Aggregate::Minimum => Some("the minimum"),
        Aggregate::Maximum => Some("the maximum"),
        Aggregate::Own(_) => Some("the summary that its file defines"),
    };
    if let Some(summary) = summary {
        return Some(format!("an evaluation gives {summary} over topics"));
    }
    let undefined = match undefined {
        Undefined::Zero => "counts an undefined score as 0",
        Undefined::One => "counts an undefined score as 1",
        Undefined::Skip | Undefined::Error => "leaves undefined scores out",
    };
    Some(format!(
        "an evaluation takes all topics of a run and {undefined}; left out here: {left_out}"
    ))
}
