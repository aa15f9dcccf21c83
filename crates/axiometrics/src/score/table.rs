//! The scores of one run.

use crate::measure::{Aggregate, Metric, Score};

/// What a summary does with an undefined score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Undefined {
    /// Counts it as zero.
    #[default]
    Zero,
    /// Leaves it out.
    Skip,
    /// Refuses to give a summary.
    Error,
}

/// The scores of one run: a row per topic, a column per measure.
#[derive(Debug, Clone)]
pub struct RunScores {
    /// The topics, as numbers in the judgements, sorted by name.
    pub topics: Vec<u32>,
    /// Row by row; NaN stands for an undefined score, which no defined score can be.
    values: Vec<f64>,
    columns: usize,
    /// How many judged topics the run lacks.
    pub missing: usize,
    /// How many topics of the run have no judgements.
    pub unjudged: usize,
}

impl RunScores {
    pub(super) fn new(topics: Vec<u32>, values: Vec<f64>, columns: usize, missing: usize, unjudged: usize) -> RunScores {
        RunScores { topics, values, columns, missing, unjudged }
    }

    /// A score; `None` where it is undefined.
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        let x = self.values[row * self.columns + column];
        (!x.is_nan()).then_some(x)
    }

    /// The scores of one measure, in the order of topics.
    pub fn column(&self, column: usize) -> impl Iterator<Item = Option<f64>> + '_ {
        (0..self.topics.len()).map(move |row| self.get(row, column))
    }

    /// The rows in which a measure is undefined.
    pub fn undefined(&self, column: usize) -> Vec<usize> {
        (0..self.topics.len()).filter(|row| self.get(*row, column).is_none()).collect()
    }

    /// The measure's own summary; `None` where no score is left to summarise.
    pub fn summary(&self, metric: &Metric, column: usize, undefined: Undefined) -> Option<f64> {
        if let Aggregate::Custom(average) = metric.aggregate() {
            return average.of(self.column(column), undefined);
        }
        let zero = (undefined != Undefined::Skip).then_some(0.0);
        summarise(metric.aggregate(), self.column(column).filter_map(|x| x.or(zero)))
    }
}

/// Scores below this count as this in a geometric mean.
pub const GEOMETRIC_FLOOR: f64 = 1e-5;

/// Many scores as one, summed in the order given.
pub(crate) fn summarise(aggregate: Aggregate, scores: impl Iterator<Item = f64>) -> Option<f64> {
    if let Aggregate::Custom(average) = aggregate {
        return average.of(scores.map(Some), Undefined::default());
    }
    let (mut sum, mut n) = (0.0, 0u64);
    for x in scores {
        sum += if aggregate == Aggregate::GeometricMean { x.max(GEOMETRIC_FLOOR).ln() } else { x };
        n += 1;
    }
    match aggregate {
        Aggregate::Sum => Some(sum),
        _ if n == 0 => None,
        Aggregate::Mean | Aggregate::Custom(_) => Some(sum / n as f64),
        Aggregate::GeometricMean => Some((sum / n as f64).exp()),
    }
}

/// How a score is kept in the table.
pub(super) fn cell(score: Score) -> f64 {
    match score {
        Score::Value(x) => x,
        Score::Undefined(_) => f64::NAN,
    }
}
