//! The randomised version of Tukey's honestly significant difference.

use rayon::prelude::*;

use super::pairs::{PairResult, compared, pairs};
use super::random::Resampling;
use super::sample::{ScoreMatrix, checked_open_unit, range};
use super::test::{Note, TestResult};
use crate::Result;

/// Compares all pairs of systems with one test (Carterette, TOIS 2012): under the null hypothesis
/// of all systems being the same, their scores are exchangeable within each topic. The statistic of
/// a pair is its difference of means, compared with the largest difference of any two means after
/// scores were exchanged at random within every topic.
///
/// The p-values hold for the family of all pairs; correcting them again would be wrong.
pub fn randomised_tukey(scores: &ScoreMatrix, resampling: Resampling) -> Result<Vec<PairResult>> {
    scores.at_least_two_systems()?;
    let resampling = resampling.checked()?;
    let spreads = sorted_spreads(scores, resampling);
    let (means, resolution) = (scores.means(), scores.resolution());
    let method = format!("labels permuted within topics, family-wise, {}", resampling.describe());
    let test = |(a, b): (usize, usize)| {
        let statistic: f64 = means[a] - means[b];
        let extreme = spreads.len()
            - spreads.partition_point(|spread| *spread < statistic.abs() - resolution);
        let note = super::effect::wins_ties_losses(&scores.rows()[a], &scores.rows()[b])
            .is_ok_and(|counts| counts.wins + counts.losses == 0)
            .then_some(Note::NoDifference);
        TestResult { statistic, p: Some(resampling.p_value(extreme)), method: method.clone(), note }
    };
    Ok(compared(scores, pairs(scores.systems()).map(test).collect()))
}

/// How far two means must be apart for [`randomised_tukey`] to call them different at level
/// `alpha`; infinite if so few trials cannot. The interval of a difference that agrees with the
/// test is the difference plus and minus this, if the largest range is taken to be distributed
/// alike whatever the true differences are.
pub fn randomised_tukey_margin(
    scores: &ScoreMatrix,
    resampling: Resampling,
    alpha: f64,
) -> Result<f64> {
    scores.at_least_two_systems()?;
    checked_open_unit(alpha, "alpha")?;
    let resampling = resampling.checked()?;
    let allowed = (alpha * (1 + resampling.trials) as f64).floor() as usize;
    Ok(match allowed {
        0 => f64::INFINITY,
        // The test rejects while fewer than `allowed` ranges reach the difference.
        k => sorted_spreads(scores, resampling)[resampling.trials - k],
    })
}

/// The largest less the smallest mean of every trial, in order.
fn sorted_spreads(scores: &ScoreMatrix, resampling: Resampling) -> Vec<f64> {
    let (systems, topics) = (scores.systems(), scores.topics());
    let by_topic: Vec<f64> =
        (0..topics).flat_map(|topic| scores.rows().iter().map(move |row| row[topic])).collect();
    let spreads_of = |block: usize| {
        let mut stream = resampling.stream(block);
        let mut labels = vec![0.0; systems];
        let mut sums = vec![0.0; systems];
        let mut one = || {
            sums.fill(0.0);
            for topic in by_topic.chunks_exact(systems) {
                labels.copy_from_slice(topic);
                for (position, sum) in sums.iter_mut().enumerate() {
                    // Fisher and Yates, using each score as soon as it is drawn.
                    labels.swap(position, position + stream.below(systems - position));
                    *sum += labels[position];
                }
            }
            let (low, high) = range(&sums);
            (high - low) / topics as f64
        };
        (0..resampling.trials_in(block)).map(|_| one()).collect::<Vec<_>>()
    };
    let mut spreads: Vec<f64> =
        (0..resampling.blocks()).into_par_iter().flat_map_iter(spreads_of).collect();
    spreads.sort_by(f64::total_cmp);
    spreads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[f64]]) -> ScoreMatrix {
        ScoreMatrix::new(rows.iter().map(|r| r.to_vec()).collect()).unwrap()
    }

    /// Three systems and three topics have 6^3 labellings, few enough to list.
    #[test]
    fn approaches_the_full_enumeration() {
        let scores = matrix(&[&[0.9, 0.5, 0.7], &[0.4, 0.45, 0.1], &[0.2, 0.8, 0.3]]);
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let mut spreads = Vec::new();
        for labelling in 0..216 {
            let chosen = [orders[labelling % 6], orders[labelling / 6 % 6], orders[labelling / 36]];
            let sums: Vec<f64> = (0..3)
                .map(|s| (0..3).map(|t| scores.rows()[chosen[t][s]][t]).sum::<f64>() / 3.0)
                .collect();
            let (low, high) = range(&sums);
            spreads.push(high - low);
        }
        for pair in randomised_tukey(&scores, Resampling { trials: 100_000, seed: 1 }).unwrap() {
            let extreme = spreads.iter().filter(|s| **s >= pair.difference.abs() - 1e-12).count();
            let p = extreme as f64 / 216.0;
            assert!((pair.result.p.unwrap() - p).abs() < 0.006, "{pair:?} {p}");
        }
    }

    /// With two systems, exchanging within a topic is flipping the sign of its difference.
    #[test]
    fn two_systems_are_the_randomisation_test() {
        let (a, b) = ([0.4, 0.6, 0.1, 0.9, 0.5, 0.3, 0.8], [0.3, 0.4, 0.2, 0.5, 0.45, 0.25, 0.6]);
        let exact = super::super::paired_test(
            super::super::Test::Randomisation,
            &a,
            &b,
            &Default::default(),
        )
        .unwrap()
        .p
        .unwrap();
        let sampled = randomised_tukey(&matrix(&[&a, &b]), Resampling { trials: 100_000, seed: 3 })
            .unwrap()[0]
            .result
            .p
            .unwrap();
        assert!((exact - sampled).abs() < 0.003, "{exact} {sampled}");
    }

    #[test]
    fn the_margin_separates_the_significant() {
        let scores = matrix(&[
            &[0.9, 0.5, 0.7, 0.8],
            &[0.4, 0.45, 0.1, 0.3],
            &[0.2, 0.8, 0.3, 0.9],
            &[0.9, 0.6, 0.7, 0.8],
        ]);
        let resampling = Resampling { trials: 2_000, seed: 1 };
        for alpha in [0.03, 0.05, 0.2, 0.5, 0.9] {
            let margin = randomised_tukey_margin(&scores, resampling, alpha).unwrap();
            for pair in randomised_tukey(&scores, resampling).unwrap() {
                assert_eq!(
                    pair.result.p.unwrap() <= alpha,
                    pair.difference.abs() > margin + 1e-12,
                    "{alpha} {margin} {pair:?}"
                );
            }
        }
        // The smallest p-value of 19 trials is 1/20, of 18 it is 1/19.
        for (trials, finite) in [(10, false), (18, false), (19, true)] {
            let margin = randomised_tukey_margin(&scores, Resampling { trials, seed: 1 }, 0.05);
            assert_eq!(margin.unwrap().is_finite(), finite, "{trials}");
        }
    }

    #[test]
    fn equal_systems_give_one() {
        let pairs = randomised_tukey(
            &matrix(&[&[0.5, 0.2], &[0.5, 0.2], &[0.9, 0.1]]),
            Resampling::default(),
        )
        .unwrap();
        assert_eq!(
            (pairs[0].result.p, pairs[0].result.note),
            (Some(1.0), Some(Note::NoDifference))
        );
        assert_eq!(pairs[1].result.note, None);
        let better = matrix(&[&[0.5, 0.2], &[0.6, 0.3]]);
        let pairs = randomised_tukey(&better, Resampling::default()).unwrap();
        assert_eq!(pairs[0].result.note, None);
        assert!(
            randomised_tukey(&matrix(&[&[0.5]]), Resampling::default()).unwrap_err().is_usage()
        );
    }
}
