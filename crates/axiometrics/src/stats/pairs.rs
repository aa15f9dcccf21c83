//! A paired test of every pair of systems.

use rayon::prelude::*;
use serde::Serialize;

use super::interval::{Interval, test_interval};
use super::randomisation;
use super::sample::{Differences, ScoreMatrix, checked_open_unit};
use super::test::{Test, TestOptions, TestResult, paired_test};
use crate::Result;

/// Two systems of a matrix, compared.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairResult {
    /// The first system's row.
    pub a: usize,
    /// The second system's row, after the first.
    pub b: usize,
    /// The mean score of the first less that of the second.
    pub difference: f64,
    /// What the test says.
    pub result: TestResult,
}

/// Tests every pair of systems, in the order (0,1), (0,2), ..., (1,2), ...; p-values are not
/// corrected for their number.
///
/// The answers are those of [`paired_test`] pair by pair. The randomisation test draws the signs of
/// a trial once for all pairs, which makes it fast and leaves every single p-value valid.
pub fn all_pairs(
    test: Test,
    scores: &ScoreMatrix,
    options: &TestOptions,
) -> Result<Vec<PairResult>> {
    scores.at_least_two_systems()?;
    let rows = scores.rows();
    let results = if test == Test::Randomisation {
        let differences = pairs(rows.len())
            .map(|(a, b)| Differences::new(&rows[a], &rows[b]))
            .collect::<Result<Vec<_>>>()?;
        randomisation::test_pairs(rows, &differences, options.resampling.checked()?)
    } else {
        let all: Vec<(usize, usize)> = pairs(rows.len()).collect();
        all.into_par_iter()
            .map(|(a, b)| paired_test(test, &rows[a], &rows[b], options))
            .collect::<Result<_>>()?
    };
    Ok(compared(scores, results))
}

/// The interval of each of these pairs of systems that inverts the test, as [`test_interval`] pair
/// by pair. The randomisation test draws the signs of a trial once for all pairs.
pub fn pair_intervals(
    test: Test,
    scores: &ScoreMatrix,
    pairs: &[(usize, usize)],
    confidence: f64,
    options: &TestOptions,
) -> Result<Vec<Interval>> {
    let rows = scores.rows();
    if test != Test::Randomisation {
        return pairs
            .par_iter()
            .map(|(a, b)| test_interval(test, &rows[*a], &rows[*b], confidence, options))
            .collect();
    }
    checked_open_unit(confidence, "confidence")?;
    let resampling = options.resampling.checked()?;
    let compared = pairs
        .iter()
        .map(|&(a, b)| Ok((a, b, Differences::new(&rows[a], &rows[b])?)))
        .collect::<Result<Vec<_>>>()?;
    let ends = randomisation::intervals(rows, &compared, resampling, 1.0 - confidence);
    let method = randomisation::interval_method(scores.topics(), resampling);
    Ok(ends
        .into_iter()
        .map(|(lower, upper)| Interval { lower, upper, confidence, method: method.clone() })
        .collect())
}

/// Every two systems, the earlier first.
pub(super) fn pairs(systems: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..systems).flat_map(move |a| (a + 1..systems).map(move |b| (a, b)))
}

/// Results in the order of [`pairs`], with the systems they speak of.
pub(super) fn compared(scores: &ScoreMatrix, results: Vec<TestResult>) -> Vec<PairResult> {
    let means = scores.means();
    pairs(scores.systems())
        .zip(results)
        .map(|((a, b), result)| PairResult { a, b, difference: means[a] - means[b], result })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;

    #[test]
    fn pairs_come_in_order_with_their_own_test() {
        let rows = vec![vec![0.1, 0.5, 0.3], vec![0.2, 0.4, 0.9], vec![0.7, 0.8, 0.6]];
        let matrix = ScoreMatrix::new(rows.clone()).unwrap();
        for &test in Test::ALL {
            let found = all_pairs(test, &matrix, &TestOptions::default()).unwrap();
            assert_eq!(
                found.iter().map(|p| (p.a, p.b)).collect::<Vec<_>>(),
                [(0, 1), (0, 2), (1, 2)]
            );
            for pair in found {
                assert_eq!(
                    pair.result,
                    paired_test(test, &rows[pair.a], &rows[pair.b], &TestOptions::default())
                        .unwrap()
                );
                assert!(
                    (pair.difference - (matrix.means()[pair.a] - matrix.means()[pair.b])).abs()
                        < 1e-15
                );
            }
        }
    }

    #[test]
    fn intervals_of_pairs_are_those_of_their_tests() {
        let rows = vec![
            vec![0.1, 0.5, 0.3, 0.7, 0.2, 0.9],
            vec![0.2, 0.4, 0.9, 0.6, 0.1, 0.3],
            vec![0.7, 0.8, 0.6, 0.9, 0.8, 0.75],
        ];
        let matrix = ScoreMatrix::new(rows.clone()).unwrap();
        let options = TestOptions::default();
        for &test in Test::ALL {
            let found = pair_intervals(test, &matrix, &[(2, 0), (1, 2)], 0.9, &options).unwrap();
            let one = |a: usize, b: usize| test_interval(test, &rows[a], &rows[b], 0.9, &options);
            assert_eq!(found, [one(2, 0).unwrap(), one(1, 2).unwrap()], "{test:?}");
            if test == Test::Randomisation {
                assert_eq!(found[0].method, "inverted, exact, 2^6 sign changes");
            }
        }
    }

    #[test]
    fn one_system_is_refused() {
        let matrix = ScoreMatrix::new(vec![vec![0.1, 0.2]]).unwrap();
        assert!(all_pairs(Test::T, &matrix, &TestOptions::default()).unwrap_err().is_usage());
    }
}
