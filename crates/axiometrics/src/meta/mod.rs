//! Measuring the measures on real runs: strictness, robustness, discriminative power, swaps,
//! stability and agreement; and the pool that they were judged by.
//!
//! Owns: what is computed from the scores of many systems by many measures. Does not own:
//! coefficients and tests ([`crate::stats`]), tables ([`crate::report::meta`]). All measures are
//! seen on the same topics: those on which each of them has a score for every system.

mod agreement;
mod discriminative;
mod halves;
mod pool_bias;
mod robustness;
mod strictness;

use serde::Serialize;

pub use agreement::{Agreement, agreement, correlation};
pub use discriminative::{DiscriminativePower, discriminative_power};
pub use halves::{Halves, halves};
pub use pool_bias::{MeasureBias, PoolBias, PooledRankings, RunBias, Team, TeamBias, pool_bias};
pub use robustness::{Robustness, robustness};
use strictness::{Gap, strictness};
pub use strictness::{Gaps, Strictness};

use crate::compare::Procedure;
use crate::data::Qrels;
use crate::error::{Error, Result};
use crate::score::{
    CommonTopics, LeftOut, LeftOutMeasure, Measured, System, UsableMeasures, usable_measures,
};
use crate::stats::{Resampling, ScoreMatrix};

/// How measures are measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetaSettings {
    /// The test of discriminative power. A paired test is not corrected, as Sakai (2006) did not.
    pub test: Procedure,
    /// The significance level of that test.
    pub alpha: f64,
    /// Resamples of the test, and the seed of all.
    pub resampling: Resampling,
    /// How often topics are split into halves.
    pub splits: usize,
    /// The p of rank-biased overlap.
    pub rbo_p: f64,
    /// The measures that strictness looks for low ranks by, as indices; all if absent. Those that
    /// cannot be used are passed over.
    pub against: Option<Vec<usize>>,
}

impl Default for MetaSettings {
    fn default() -> MetaSettings {
        MetaSettings {
            test: Procedure::RandomisedTukey,
            alpha: 0.05,
            resampling: Resampling::default(),
            splits: 100,
            rbo_p: 0.9,
            against: None,
        }
    }
}

/// What is known of several measures.
#[derive(Debug, Clone, Serialize)]
pub struct MetaEvaluation {
    /// The systems.
    pub systems: Vec<String>,
    /// How many topics all measures were seen on.
    pub topics: usize,
    /// How many could not be used.
    pub left_out: LeftOut,
    /// The measures that could not be seen on any topic.
    pub not_measured: Vec<LeftOutMeasure>,
    /// The measures that strictness compares with.
    pub against: Vec<String>,
    /// One entry per measure.
    pub measures: Vec<MeasureMeta>,
    /// Matrices of the measures' agreement on the order of systems, rows and columns in the order
    /// of the measures.
    pub agreement: Vec<Agreement>,
    /// The same of the correlation of scores.
    pub correlation: Vec<Agreement>,
    /// How it was done.
    pub settings: MetaSettings,
}

/// What is known of one measure.
#[derive(Debug, Clone, Serialize)]
pub struct MeasureMeta {
    /// The measure, with its parameters.
    pub measure: String,
    /// What it computes.
    pub definition: String,
    /// Whether a high rank by it implies high ranks by others.
    pub strictness: Strictness,
    /// The output that decides its strictness, if any is ranked higher by it than by another.
    pub widest_gap: Option<WidestGap>,
    /// Whether topics agree on the systems.
    pub robustness: Robustness,
    /// How many pairs of systems it tells apart.
    pub discriminative_power: DiscriminativePower,
    /// What changes between halves of the topics.
    pub halves: Halves,
    /// The mean of each system.
    pub means: Vec<f64>,
    /// The scores of all systems on all topics, system by system.
    #[serde(skip)]
    pub outputs: Vec<f64>,
}

/// The output about which a measure and another disagree most.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WidestGap {
    /// The system.
    pub system: String,
    /// The topic.
    pub topic: String,
    /// The other measure.
    pub against: String,
    /// The output's rank by the measure among the outputs for all topics, the best first.
    pub rank: f64,
    /// Its rank by the other measure.
    pub rank_against: f64,
    /// How many outputs there are.
    pub outputs: usize,
}

/// Measures the measures that the columns of the systems' scores hold. One that is undefined on
/// every topic is told with the reason, unless it is the only one.
pub fn evaluate<M: Measured>(
    qrels: &Qrels,
    metrics: &[M],
    systems: &[System<'_>],
    settings: &MetaSettings,
) -> Result<MetaEvaluation> {
    if systems.len() < 3 {
        return Err(Error::usage(format!("{} runs say nothing about measures", systems.len()))
            .help("name at least three runs"));
    }
    if settings.against.iter().flatten().any(|i| *i >= metrics.len()) {
        return Err(Error::usage("strictness is asked against a measure that was not computed"));
    }
    let UsableMeasures { usable: metrics, left_out: not_measured } =
        usable_measures(qrels, metrics, systems)?;
    let common = CommonTopics::new(qrels, &metrics, systems)?;
    // Ranks begin with the best, whichever end of the scale that is.
    let scores = metrics
        .iter()
        .map(|(column, metric)| match metric.lower_is_better() {
            true => common.matrix(*column).map(ScoreMatrix::negated),
            false => common.matrix(*column),
        })
        .collect::<Result<Vec<ScoreMatrix>>>()?;
    if common.topics.len() < 2 {
        return Err(Error::usage("one topic has no other to be compared with")
            .help("measures are compared over at least two topics"));
    }
    let place = |wanted: usize| metrics.iter().position(|(column, _)| *column == wanted);
    let against: Vec<usize> = match &settings.against {
        Some(columns) => columns.iter().filter_map(|column| place(*column)).collect(),
        None => (0..metrics.len()).collect(),
    };
    let strictness = strictness(&scores, &against)?;
    let mut measures = Vec::with_capacity(metrics.len());
    let named = |gap: Gap| WidestGap {
        system: systems[gap.system].name.to_string(),
        topic: qrels.topic_name(common.topics[gap.topic]),
        against: metrics[gap.against].1.name(),
        rank: gap.rank,
        rank_against: gap.rank_against,
        outputs: systems.len() * common.topics.len(),
    };
    for (((_, metric), scores), (strictness, gap)) in metrics.iter().zip(&scores).zip(strictness) {
        measures.push(MeasureMeta {
            measure: metric.name(),
            definition: metric.definition(),
            strictness,
            widest_gap: gap.map(named),
            robustness: robustness(scores)?,
            discriminative_power: discriminative_power(scores, settings)?,
            halves: halves(scores, settings)?,
            means: scores.means(),
            outputs: agreement::outputs(scores),
        });
    }
    Ok(MetaEvaluation {
        systems: systems.iter().map(|s| s.name.to_string()).collect(),
        topics: common.topics.len(),
        left_out: common.left_out,
        not_measured,
        against: against.iter().map(|i| metrics[*i].1.name()).collect(),
        measures,
        agreement: agreement(&scores, settings.rbo_p)?,
        correlation: correlation(&scores)?,
        settings: settings.clone(),
    })
}
