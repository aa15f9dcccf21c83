//! Ranks instead of scores, and what they change.
//!
//! To Ferrante, Ferro and Fuhr (2021) a mean has a meaning only on an interval scale, and a measure
//! whose values are not equally spaced becomes one if each value is replaced by its rank among the
//! values that the measure can take. Here it is the rank among the values that occur, which needs
//! no list of all rankings. Moffat (2022) holds that the scores are what users gain, and that such
//! ranks are not.

use serde::Serialize;

use super::model::{Comparison, Pair};
use super::settings::Values;
use crate::error::Result;
use crate::stats::{self, ScoreMatrix, kendall_tau_b};

/// The values that are compared: the scores, or their ranks, of which 1 is that of the lowest.
pub(super) fn values(scores: ScoreMatrix, values: Values) -> Result<ScoreMatrix> {
    match values {
        Values::Scores => Ok(scores),
        Values::PooledRanks => pooled(&scores),
        Values::TopicRanks => within_topics(&scores),
    }
}

/// Scores so close are one.
const RESOLUTION: f64 = 1e-12;

fn pooled(scores: &ScoreMatrix) -> Result<ScoreMatrix> {
    let mut all: Vec<f64> = scores.rows().iter().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let largest = all.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()));
    // The first of each group of equal scores stays.
    all.dedup_by(|next, kept| *next - *kept <= RESOLUTION * largest);
    let rank = |x: &f64| all.partition_point(|kept| kept <= x) as f64;
    ScoreMatrix::new(scores.rows().iter().map(|row| row.iter().map(rank).collect()).collect())
}

fn within_topics(scores: &ScoreMatrix) -> Result<ScoreMatrix> {
    let mut rows = vec![Vec::with_capacity(scores.topics()); scores.systems()];
    for topic in 0..scores.topics() {
        let column: Vec<f64> = scores.rows().iter().map(|row| row[topic]).collect();
        let ranks = stats::average_ranks(&column)?;
        rows.iter_mut().zip(ranks).for_each(|(row, rank)| row.push(rank));
    }
    ScoreMatrix::new(rows)
}

/// What another way of comparing the same systems changes.
#[derive(Debug, Clone, Serialize)]
pub struct Changes {
    /// What the other comparison compared.
    pub values: Values,
    /// Measure by measure.
    pub measures: Vec<MeasureChanges>,
}

/// What changes by one measure.
#[derive(Debug, Clone, Serialize)]
pub struct MeasureChanges {
    /// The measure.
    pub measure: String,
    /// The spelling by which it was asked for, if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Kendall's tau-b between the two orders of the systems by their means; absent if all means of
    /// one are equal.
    pub tau_b: Option<f64>,
    /// How many pairs were compared.
    pub pairs: usize,
    /// The pairs that come out otherwise.
    pub changed: Vec<Change>,
}

impl MeasureChanges {
    /// The measure as it was asked for.
    pub fn title(&self) -> &str {
        self.asked.as_deref().unwrap_or(&self.measure)
    }
}

/// A pair that comes out otherwise.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The first system.
    pub a: String,
    /// The second.
    pub b: String,
    /// What happens.
    pub change: Changed,
    /// The difference of means as it was, and its corrected p-value.
    pub before: (f64, Option<f64>),
    /// The same of the other comparison.
    pub after: (f64, Option<f64>),
}

/// What happens to a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Changed {
    /// The other system is significantly better.
    Reversed,
    /// The difference is no longer significant.
    Lost,
    /// The difference becomes significant.
    Gained,
    /// The other system has the higher mean; neither difference is significant.
    OrderOnly,
}

impl Changed {
    /// In one or two words.
    pub fn words(self) -> &'static str {
        match self {
            Changed::Reversed => "reversed",
            Changed::Lost => "lost",
            Changed::Gained => "gained",
            Changed::OrderOnly => "order only",
        }
    }
}

/// What is different in another comparison of the same systems.
pub fn changes(comparison: &Comparison, other: &Comparison) -> Result<Changes> {
    let mut measures = Vec::new();
    for before in &comparison.measures {
        let Some(after) = other.measures.iter().find(|m| m.measure == before.measure) else {
            continue;
        };
        let means = |m: &super::MeasureComparison| -> Vec<f64> {
            m.systems.iter().map(|system| system.mean).collect()
        };
        let changed = before.pairs.iter().filter_map(|pair| {
            let other = after.pair(&pair.a, &pair.b)?;
            Some(Change {
                a: pair.a.clone(),
                b: pair.b.clone(),
                change: changed(pair, other)?,
                before: (pair.difference, pair.p_corrected),
                after: (other.difference, other.p_corrected),
            })
        });
        measures.push(MeasureChanges {
            measure: before.measure.clone(),
            asked: before.asked.clone(),
            tau_b: kendall_tau_b(&means(before), &means(after))?,
            pairs: before.pairs.len(),
            changed: changed.collect(),
        });
    }
    Ok(Changes { values: other.settings.values, measures })
}

/// What happens to a pair, if anything does.
pub(super) fn changed(before: &Pair, after: &Pair) -> Option<Changed> {
    match (before.direction(), after.direction()) {
        (0, 0) => (order(before) != order(after)).then_some(Changed::OrderOnly),
        (_, 0) => Some(Changed::Lost),
        (0, _) => Some(Changed::Gained),
        (a, b) => (a != b).then_some(Changed::Reversed),
    }
}

/// Which has the higher mean; 0 if they score the same on every topic.
fn order(pair: &Pair) -> f64 {
    if pair.wins + pair.losses == 0 { 0.0 } else { pair.difference.signum() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> ScoreMatrix {
        ScoreMatrix::new(rows.iter().map(|r| r.to_vec()).collect()).unwrap()
    }

    #[test]
    fn ranks_by_hand() {
        let scores = matrix(&[&[0.1 + 0.2, 0.9, 0.0], &[0.3, 0.5, 0.9]]);
        let pooled = values(scores.clone(), Values::PooledRanks).unwrap();
        assert_eq!(pooled.rows(), [[2.0, 4.0, 1.0], [2.0, 3.0, 4.0]]);
        let topics = values(scores.clone(), Values::TopicRanks).unwrap();
        assert_eq!(topics.rows(), [[1.5, 2.0, 1.0], [1.5, 1.0, 2.0]]);
        assert_eq!(values(scores.clone(), Values::Scores).unwrap(), scores);
    }

    /// Equally spaced scores that all occur keep their distances, so that nothing changes.
    #[test]
    fn an_interval_scale_stays_as_it_is() {
        let scores = matrix(&[&[0.0, 0.2, 0.4, 0.6], &[0.8, 1.0, 0.2, 0.0]]);
        let ranks = values(scores.clone(), Values::PooledRanks).unwrap();
        for (row, score) in ranks.rows().iter().flatten().zip(scores.rows().iter().flatten()) {
            assert!((row - (1.0 + 5.0 * score)).abs() < 1e-12);
        }
    }
}
