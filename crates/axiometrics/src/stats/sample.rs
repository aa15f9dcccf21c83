//! Checked numbers: scores that are finite, differences that are paired, a matrix without holes.

use crate::{Error, Result};

/// Differences up to this size (times the largest score, if that exceeds 1) are the rounding of
/// sums, not effects.
const RESOLUTION: f64 = 1e-12;

/// Beyond this sums of cubes, which intervals need, could leave the range of a double.
const LARGEST: f64 = 1e90;

/// The scores of systems over topics; complete, finite, at least one of each.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreMatrix {
    rows: Vec<Vec<f64>>,
}

impl ScoreMatrix {
    /// One row per system, one column per topic. Every system needs a score for every topic.
    pub fn new(rows: Vec<Vec<f64>>) -> Result<ScoreMatrix> {
        let topics = rows.first().map_or(0, Vec::len);
        for row in &rows {
            if row.len() != topics {
                return Err(Error::usage(format!(
                    "a system has scores for {} topics, another for {topics}",
                    row.len()
                ))
                .help("compare systems on the topics that all of them have"));
            }
            checked(row)?;
        }
        if rows.is_empty() {
            return Err(Error::usage("no systems to compare"));
        }
        Ok(ScoreMatrix { rows })
    }

    /// How many systems.
    pub fn systems(&self) -> usize {
        self.rows.len()
    }

    /// How many topics.
    pub fn topics(&self) -> usize {
        self.rows[0].len()
    }

    /// The scores: one row per system, one column per topic.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    /// The same with the other end of the scale on top.
    #[must_use]
    pub fn negated(mut self) -> ScoreMatrix {
        self.rows.iter_mut().flatten().for_each(|score| *score = -*score);
        self
    }

    /// The mean score of every system.
    pub fn means(&self) -> Vec<f64> {
        self.rows.iter().map(|row| mean(row)).collect()
    }

    pub(super) fn resolution(&self) -> f64 {
        resolution(self.rows.iter().flatten())
    }

    /// Refuses a matrix with nothing to compare.
    pub(super) fn at_least_two_systems(&self) -> Result<()> {
        match self.systems() {
            0 | 1 => Err(Error::usage("one system has no other to be compared with")),
            _ => Ok(()),
        }
    }
}

/// The differences of two systems, topic by topic, with the size below which they mean nothing.
#[derive(Debug, Clone)]
pub(super) struct Differences {
    pub(super) values: Vec<f64>,
    pub(super) resolution: f64,
}

impl Differences {
    pub(super) fn new(a: &[f64], b: &[f64]) -> Result<Differences> {
        if a.len() != b.len() {
            return Err(Error::usage(format!(
                "paired samples of different sizes: {} and {} topics",
                a.len(),
                b.len()
            )));
        }
        checked(a)?;
        checked(b)?;
        let resolution = resolution(a.iter().chain(b));
        // The end of an interval of no difference must not be the sign of a rounding.
        let difference = |(a, b): (&f64, &f64)| match a - b {
            d if d.abs() <= resolution => 0.0,
            d => d,
        };
        Ok(Differences { values: a.iter().zip(b).map(difference).collect(), resolution })
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn mean(&self) -> f64 {
        mean(&self.values)
    }

    pub(super) fn standard_error(&self) -> f64 {
        standard_deviation(&self.values) / (self.len() as f64).sqrt()
    }

    pub(super) fn rounded(&self) -> Vec<f64> {
        rounded(&self.values, self.resolution)
    }

    pub(super) fn all_zero(&self) -> bool {
        self.values.iter().all(|d| d.abs() <= self.resolution)
    }

    /// The difference, if it is the same on every topic up to rounding.
    pub(super) fn constant(&self) -> Option<f64> {
        let (low, high) = range(&self.values);
        match high - low <= self.resolution {
            _ if self.all_zero() => Some(0.0),
            true => Some(self.mean()),
            false => None,
        }
    }
}

/// Refuses an empty sample and numbers that cannot be summed.
pub(super) fn checked(values: &[f64]) -> Result<()> {
    if values.is_empty() {
        return Err(Error::usage("no topics: a sample needs at least one score"));
    }
    match values.iter().find(|v| !v.is_finite() || v.abs() > LARGEST) {
        None => Ok(()),
        Some(v) => Err(Error::usage(format!(
            "{v} is not a score: expected finite numbers of at most {LARGEST:e}"
        ))
        .help("leave out topics whose score is undefined")),
    }
}

/// Refuses a probability outside the open unit interval.
pub(super) fn checked_open_unit(value: f64, name: &str) -> Result<()> {
    match value > 0.0 && value < 1.0 {
        true => Ok(()),
        false => {
            Err(Error::usage(format!("{name} is {value}, expected more than 0 and less than 1")))
        }
    }
}

pub(super) fn resolution<'a>(scores: impl Iterator<Item = &'a f64>) -> f64 {
    RESOLUTION * scores.fold(1.0, |largest, s| s.abs().max(largest))
}

/// The values as multiples of the resolution, so that what means the same compares equal. Never
/// minus zero.
pub(super) fn rounded(values: &[f64], resolution: f64) -> Vec<f64> {
    values.iter().map(|v| (v / resolution).round() * resolution + 0.0).collect()
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The standard deviation of a sample, dividing by n - 1; 0 for a single value.
pub(super) fn standard_deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    (squares / (values.len().max(2) - 1) as f64).sqrt()
}

/// The smallest and the largest value.
pub(super) fn range(values: &[f64]) -> (f64, f64) {
    values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_what_cannot_be_summed() {
        for bad in [vec![], vec![f64::NAN], vec![1.0, f64::INFINITY], vec![1e91]] {
            assert!(checked(&bad).unwrap_err().is_usage(), "{bad:?}");
        }
        assert!(Differences::new(&[1.0], &[1.0, 2.0]).unwrap_err().is_usage());
        assert!(ScoreMatrix::new(vec![vec![1.0], vec![1.0, 2.0]]).unwrap_err().is_usage());
        assert!(ScoreMatrix::new(vec![]).unwrap_err().is_usage());
        assert!(ScoreMatrix::new(vec![vec![], vec![]]).unwrap_err().is_usage());
    }

    #[test]
    fn rounding_makes_equal_differences_equal() {
        let d = Differences::new(&[0.3, 0.8, 0.5], &[0.1, 0.6, 0.5]).unwrap();
        assert_ne!(d.values[0], d.values[1]);
        let rounded = d.rounded();
        assert_eq!(rounded[0], rounded[1]);
        assert!((rounded[0] - 0.2).abs() < 1e-12);
        assert_eq!(rounded[2], 0.0);
        assert!(!d.all_zero() && d.constant().is_none());
        let d = Differences::new(&[0.3, 0.8], &[0.1, 0.6]).unwrap();
        assert_eq!(d.constant(), Some(d.mean()));
        let d = Differences::new(&[0.1 + 0.2, 0.8], &[0.3, 0.8]).unwrap();
        assert_eq!(d.constant(), Some(0.0));
    }

    #[test]
    fn rounding_leaves_no_minus_zero() {
        let rounded = rounded(&[-0.0, -1e-13, 1e-13], 1e-12);
        assert!(rounded.iter().all(|v| v.to_bits() == 0), "{rounded:?}");
    }

    #[test]
    fn negated_scores_have_the_other_sign() {
        let scores = ScoreMatrix::new(vec![vec![0.5, 0.0], vec![-1.0, 2.0]]).unwrap();
        assert_eq!(scores.negated().rows(), [[-0.5, 0.0], [1.0, -2.0]]);
    }

    #[test]
    fn the_resolution_grows_with_large_scores_only() {
        assert_eq!(resolution([0.1, 0.2].iter()), 1e-12);
        assert_eq!(resolution([0.1, -1000.0].iter()), 1e-9);
    }
}
