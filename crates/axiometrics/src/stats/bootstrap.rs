//! Resampling topics with replacement: the bootstrap test, and percentile and BCa intervals of a
//! mean.

use rayon::prelude::*;

use super::distribution::{normal_cdf, normal_quantile};
use super::random::Resampling;
use super::sample::{Differences, mean, resolution};
use super::test::{TestResult, studentized};

/// The mean and the standard error of a resample.
#[derive(Clone, Copy)]
struct Resample {
    mean: f64,
    standard_error: f64,
}

/// Resamples of the values about their mean, which costs no precision if the mean is large
/// against the spread.
fn resamples(values: &[f64], resampling: Resampling) -> Vec<Resample> {
    let centre = mean(values);
    let centred: Vec<f64> = values.iter().map(|v| v - centre).collect();
    let n = values.len() as f64;
    let draw = |block: usize| {
        let mut stream = resampling.stream(block);
        let mut one = || {
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..centred.len() {
                let value = centred[stream.below(centred.len())];
                sum += value;
                squares += value * value;
            }
            let mean = sum / n;
            Resample {
                mean,
                standard_error: ((squares / n - mean * mean).max(0.0) / (n - 1.0).max(1.0)).sqrt(),
            }
        };
        (0..resampling.trials_in(block)).map(|_| one()).collect::<Vec<_>>()
    };
    (0..resampling.blocks()).into_par_iter().flat_map_iter(draw).collect()
}

/// |t| of every resample under the null hypothesis: the differences moved so that their mean is zero. A resample of one
/// repeated topic has no spread; it is as extreme as can be, unless its mean is zero too.
fn null_t(differences: &Differences, resampling: Resampling) -> Vec<f64> {
    let t = |r: Resample| match r.mean.abs() <= differences.resolution {
        true => 0.0,
        // The spread of equal values is rounding: 1e-7 of their size once squared.
        false if r.standard_error <= 1e-7 * r.mean.abs() => f64::INFINITY,
        false => (r.mean / r.standard_error).abs(),
    };
    resamples(&differences.values, resampling).into_iter().map(t).collect()
}

pub(super) fn test(differences: &Differences, resampling: Resampling) -> TestResult {
    studentized(differences, method(resampling), |t| {
        let extreme = null_t(differences, resampling)
            .into_iter()
            .filter(|null| *null >= t.abs() * (1.0 - 1e-12))
            .count();
        resampling.p_value(extreme)
    })
}

pub(super) fn method(resampling: Resampling) -> String {
    format!("studentized, {}", resampling.describe())
}

/// The shifts the test does not reject. Shifting moves the observed t and leaves the resampled
/// ones, so the ends are the mean plus and minus standard errors, as many as the smallest |t| that
/// would be rejected.
pub(super) fn interval(
    differences: &Differences,
    resampling: Resampling,
    alpha: f64,
) -> (f64, f64) {
    // The test accepts while at least so many resamples are as extreme.
    let needed = (alpha * (1 + resampling.trials) as f64).floor() as usize;
    if needed == 0 {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    if let Some(difference) = differences.constant() {
        return (difference, difference);
    }
    let mut null = null_t(differences, resampling);
    let (_, critical, _) = null.select_nth_unstable_by(resampling.trials - needed, f64::total_cmp);
    let margin = *critical * differences.standard_error();
    (differences.mean() - margin, differences.mean() + margin)
}

/// The means of the resamples, in order.
fn sorted_means(values: &[f64], resampling: Resampling) -> Vec<f64> {
    let centre = mean(values);
    let mut means: Vec<f64> =
        resamples(values, resampling).into_iter().map(|r| centre + r.mean).collect();
    means.sort_by(f64::total_cmp);
    means
}

/// The middle of the resampled means.
pub(super) fn percentile_interval(
    values: &[f64],
    resampling: Resampling,
    alpha: f64,
) -> (f64, f64) {
    let means = sorted_means(values, resampling);
    (quantile(&means, alpha / 2.0), quantile(&means, 1.0 - alpha / 2.0))
}

/// Efron's bias-corrected and accelerated interval (1987): percentiles moved for the bias of the
/// resampled means and for the change of their spread with their size, the latter from leaving out
/// one topic at a time.
pub(super) fn bca_interval(values: &[f64], resampling: Resampling, alpha: f64) -> (f64, f64) {
    let means = sorted_means(values, resampling);
    let observed = mean(values);
    let bias = bias(&means, observed, resolution(values.iter()));
    // The mean without topic i differs from the mean by (mean - x_i)/(n-1); the factor cancels.
    let power_sum = |power| values.iter().map(|v| (v - observed).powi(power)).sum::<f64>();
    let spread = power_sum(2).powf(1.5);
    let acceleration = if spread > 0.0 { power_sum(3) / (6.0 * spread) } else { 0.0 };
    let moved = |p: f64| {
        let z = bias + normal_quantile(p);
        normal_cdf(bias + z / (1.0 - acceleration * z))
    };
    (quantile(&means, moved(alpha / 2.0)), quantile(&means, moved(1.0 - alpha / 2.0)))
}

/// z0, the normal quantile of the share of resampled means below the observed one. Half of those
/// equal to it count as below, and equal means up to rounding: a resample with the same sum rarely
/// has the same last bit.
fn bias(means: &[f64], observed: f64, resolution: f64) -> f64 {
    let below = means.partition_point(|m| *m < observed - resolution);
    let up_to = means.partition_point(|m| *m <= observed + resolution);
    let trials = means.len() as f64;
    // Half a resample from either end keeps the correction finite.
    let share = ((below + up_to) as f64 / (2.0 * trials)).clamp(0.5 / trials, 1.0 - 0.5 / trials);
    normal_quantile(share)
}

/// The quantile of sorted values, linear between neighbours.
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let position = p.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] + (position - below as f64) * (sorted[above] - sorted[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn differences(values: &[f64]) -> Differences {
        Differences::new(values, &vec![0.0; values.len()]).unwrap()
    }

    /// With three topics there are 27 resamples; the sampled share of extreme ones must approach
    /// the counted one.
    #[test]
    fn approaches_the_full_enumeration() {
        let values = [0.5, 0.1, -0.2];
        let centre = mean(&values);
        let t = |v: &[f64]| {
            let m = mean(v);
            let s = super::super::sample::standard_deviation(v);
            if m.abs() < 1e-12 {
                0.0
            } else if s < 1e-12 {
                f64::INFINITY
            } else {
                (m / (s / 3f64.sqrt())).abs()
            }
        };
        let w: Vec<f64> = values.iter().map(|v| v - centre).collect();
        let extreme =
            (0..27).filter(|i| t(&[w[i % 3], w[i / 3 % 3], w[i / 9]]) >= t(&values)).count();
        let p = test(&differences(&values), Resampling { trials: 100_000, seed: 1 }).p.unwrap();
        assert!((p - extreme as f64 / 27.0).abs() < 0.005, "{p} {extreme}/27");
    }

    /// One of nine resamples of three topics repeats a single one. Its spread is zero, or what
    /// rounding leaves of that, and with a twentieth of the resamples so extreme no shift is rejected.
    #[test]
    fn three_topics_bound_nothing() {
        for values in [[0.1, 0.35, 0.62], [0.01, 0.17, 0.57], [0.01, 0.1, 0.64]] {
            let resampling = Resampling { trials: 10_000, seed: 1 };
            let found = interval(&differences(&values), resampling, 0.05);
            assert_eq!(found, (f64::NEG_INFINITY, f64::INFINITY), "{values:?}");
        }
    }

    /// Scores in another unit: powers of two, so that every resample is the same to the last bit.
    #[test]
    fn the_unit_of_the_scores_does_not_matter() {
        let values = [0.5, 0.1, -0.2, 0.3, 0.15];
        let resampling = Resampling { trials: 1000, seed: 1 };
        let p = |unit: f64| test(&differences(&values.map(|v| v * unit)), resampling).p;
        let own = p(1.0);
        assert!(own.is_some_and(|p| 0.0 < p && p < 0.9), "{own:?}");
        for unit in [1.0 / 8192.0, 1.0 / 64.0, 64.0, 8192.0] {
            assert_eq!(p(unit), own, "{unit}");
        }
    }

    /// `numpy.quantile([1, 2, 4, 8], [0, 0.1, 0.5, 0.95, 1])`
    #[test]
    fn quantiles_are_linear() {
        let sorted = [1.0, 2.0, 4.0, 8.0];
        for (p, expected) in [(0.0, 1.0), (0.1, 1.3), (0.5, 3.0), (0.95, 7.4), (1.0, 8.0)] {
            assert!((quantile(&sorted, p) - expected).abs() < 1e-12);
        }
    }

    /// `scipy.stats.bootstrap((x,), np.mean, n_resamples=2_000_000, method=..., rng=1).confidence_interval`
    #[test]
    fn intervals_approach_the_reference() {
        let x = [0.02, 0.05, 0.08, 0.1, 0.11, 0.15, 0.21, 0.3, 0.44, 0.9];
        let resampling = Resampling { trials: 200_000, seed: 1 };
        let (low, high) = percentile_interval(&x, resampling, 0.05);
        assert!((low - 0.10600).abs() < 0.002 && (high - 0.41100).abs() < 0.004, "{low} {high}");
        let (low, high) = bca_interval(&x, resampling, 0.05);
        assert!((low - 0.12600).abs() < 0.002 && (high - 0.48100).abs() < 0.004, "{low} {high}");
    }

    /// Ones and zeros: a resample holds a binomial number of ones, so the share below the mean is
    /// known. A third of ones has no exact mean in binary, and still ties with itself.
    /// `scipy.stats.norm.ppf(binom.cdf(k - 1, n, k / n) + binom.pmf(k, n, k / n) / 2)`
    #[test]
    fn ties_with_the_mean_count_half_in_the_bias() {
        for (n, ones, expected) in [
            (6, 2, 0.039552457197364534),
            (6, 4, -0.039552457197364534),
            (9, 3, 0.034454966559585264),
            (10, 5, 0.0),
            (30, 10, 0.0206861145307879),
            (7, 1, 0.09590353220774747),
        ] {
            let values: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i < ones))).collect();
            let means = sorted_means(&values, Resampling { trials: 200_000, seed: 1 });
            let found = bias(&means, mean(&values), 1e-12);
            // The standard error of z0 from 200,000 resamples is about 0.003.
            assert!((found - expected).abs() < 0.012, "{ones} of {n}: {found} {expected}");
        }
    }

    /// `scipy.stats.norm.ppf([0.05, 0.95])`: of ten resamples, half a one from either end.
    #[test]
    fn the_bias_stays_finite_if_all_means_are_on_one_side() {
        for (observed, expected) in [(0.0, -1.6448536269514729), (1.0, 1.6448536269514722)] {
            let found = bias(&[0.5; 10], observed, 1e-12);
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn equal_values_have_a_point_interval() {
        for interval in [percentile_interval, bca_interval] {
            let (low, high) = interval(&[0.3; 8], Resampling::default(), 0.05);
            assert!((low - 0.3).abs() < 1e-15 && (high - 0.3).abs() < 1e-15);
        }
        assert_eq!(interval(&differences(&[0.25; 8]), Resampling::default(), 0.05), (0.25, 0.25));
    }

    proptest! {
        #[test]
        fn interval_inverts_the_test(values in prop::collection::vec(-1.0f64..1.0, 8..30), alpha in 0.05f64..0.3) {
            let resampling = Resampling { trials: 300, seed: 2 };
            let (low, high) = interval(&differences(&values), resampling, alpha);
            let p = |shift: f64| test(&Differences::new(&values, &vec![shift; values.len()]).unwrap(), resampling).p.unwrap();
            if low.is_infinite() || high.is_infinite() {
                prop_assert!(low.is_infinite() && high.is_infinite() && p(100.0) > alpha && p(-100.0) > alpha);
                return Ok(());
            }
            for (inside, outside) in [(low + 1e-7, low - 1e-7), (high - 1e-7, high + 1e-7)] {
                prop_assert!(p(inside) > alpha && p(outside) <= alpha, "{} {} {}", alpha, p(inside), p(outside));
            }
        }
    }
}
