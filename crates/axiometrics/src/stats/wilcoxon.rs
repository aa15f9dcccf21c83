//! Wilcoxon's signed-rank test and the interval that inverts it.

use super::correlation::{average_ranks_of, tie_groups};
use super::distribution::{last_where, normal_cdf, normal_quantile};
use super::sample::{Differences, range};
use super::test::{Note, TestResult, ZeroMethod};
use crate::choice::Choice;

/// Up to so many non-zero differences without ties the distribution is exact. With ties it is the
/// normal approximation, whatever their number.
const EXACT: usize = 50;

pub(super) fn test(differences: &Differences, zero_method: ZeroMethod) -> TestResult {
    let mut rounded = differences.rounded();
    let zeros = rounded.iter().filter(|d| **d == 0.0).count();
    if zero_method == ZeroMethod::Wilcox {
        rounded.retain(|d| *d != 0.0);
    }
    let magnitudes: Vec<f64> = rounded.iter().map(|d| d.abs()).collect();
    let ranks = average_ranks_of(&magnitudes);
    let rank_sum = |sign: f64| {
        ranks
            .iter()
            .zip(&rounded)
            .filter(|(_, d)| sign * **d > 0.0)
            .map(|(rank, _)| rank)
            .sum::<f64>()
    };
    let (gains, losses) = (rank_sum(1.0), rank_sum(-1.0));
    let smaller = gains.min(losses);

    let ties = tie_groups(&magnitudes).any(|(magnitude, size)| size > 1 && magnitude > 0.0);
    let signed: Vec<f64> =
        ranks.iter().zip(&rounded).filter(|(_, d)| **d != 0.0).map(|(rank, _)| *rank).collect();
    let differing = signed.len();
    let exact = differing <= EXACT && !ties;
    let p = match (signed.is_empty(), exact) {
        (true, _) => 1.0,
        (_, true) => (2.0 * rank_sum_cdf(&signed)[halves(smaller)]).min(1.0),
        _ => {
            // Given the ranks, the sum of the gains' ranks has mean sum(r)/2 and variance
            // sum(r^2)/4. Averaged ranks make that the usual formulas with the corrections for ties
            // and, with Pratt's zeros, for the ranks left out.
            let mean = signed.iter().sum::<f64>() / 2.0;
            let variance = signed.iter().map(|rank| rank * rank).sum::<f64>() / 4.0;
            // Few signs cannot give a p-value as small as the approximation to them can.
            let smallest = Note::smallest_p(differing);
            (2.0 * normal_cdf((smaller - mean) / variance.sqrt())).clamp(smallest, 1.0)
        }
    };
    let how = match exact {
        true => "exact",
        false => "normal approximation, corrected for ties, no continuity correction",
    };
    let tied = if ties { "with ties" } else { "without ties" };
    let method = format!(
        "{how} (exact up to {EXACT} non-zero differences without ties; here {differing}, {tied}), \
         zero method {} ({zeros} zeros), differences rounded to {:e}",
        zero_method.name(),
        differences.resolution
    );
    TestResult { statistic: smaller, p: Some(p), method, note: Note::on_signs(differing) }
}

/// Average ranks are multiples of one half.
fn halves(rank: f64) -> usize {
    (2.0 * rank).round() as usize
}

/// P(W <= w) for the sum W of the ranks that a fair coin each selects, at w = 0, 1/2, 1, ...
fn rank_sum_cdf(ranks: &[f64]) -> Vec<f64> {
    let mut ways = vec![0.0; ranks.iter().map(|rank| halves(*rank)).sum::<usize>() + 1];
    ways[0] = 1.0;
    let mut reached = 0;
    for &rank in ranks {
        let step = halves(rank);
        reached += step;
        for sum in (step..=reached).rev() {
            ways[sum] += ways[sum - step];
        }
    }
    // At most 2^50 ways, so every count is an exact double.
    let all = 2f64.powi(ranks.len() as i32);
    let cumulated = |sum: &mut f64, ways: f64| {
        *sum += ways;
        Some(*sum / all)
    };
    ways.into_iter().scan(0.0, cumulated).collect()
}

/// The means of two differences (or of one with itself) between which the test does not reject a
/// shift: the interval of Hodges and Lehmann. A shift leaves zeros at single points only, so none
/// are counted. Equal differences stay tied; the interval takes their ranks as if they were not.
pub(super) fn interval(differences: &Differences, alpha: f64) -> (f64, f64) {
    let n = differences.len();
    let size = n as f64;
    // The test rejects if the smaller rank sum is below `rejected`.
    let rejected = if n <= EXACT {
        let ranks: Vec<f64> = (1..=n).map(|rank| rank as f64).collect();
        rank_sum_cdf(&ranks).iter().step_by(2).take_while(|p| 2.0 * **p <= alpha).count()
    } else {
        let spread = (size * (size + 1.0) * (2.0 * size + 1.0) / 24.0).sqrt();
        let bound = size * (size + 1.0) / 4.0 + normal_quantile(alpha / 2.0) * spread;
        if bound < 0.0 { 0 } else { bound.floor() as usize + 1 }
    };
    match rejected {
        0 => (f64::NEG_INFINITY, f64::INFINITY),
        k => {
            let mut sorted = differences.values.clone();
            sorted.sort_by(f64::total_cmp);
            let mirrored: Vec<f64> = sorted.iter().rev().map(|d| -d).collect();
            (walsh_average(&sorted, k), -walsh_average(&mirrored, k))
        }
    }
}

pub(super) fn interval_method(n: usize) -> &'static str {
    if n <= EXACT { "Hodges-Lehmann, exact" } else { "Hodges-Lehmann, normal approximation" }
}

/// The k-th smallest (from 1) of the averages of all pairs of sorted values, each value also paired
/// with itself.
///
/// There are n(n+1)/2 of them; counting those below a bound takes only n steps, so the bound is
/// found by bisection.
fn walsh_average(sorted: &[f64], k: usize) -> f64 {
    let fewer_than_k_up_to = |bound: f64| {
        let mut count = 0;
        let mut partners = sorted.len();
        for (i, &value) in sorted.iter().enumerate() {
            while partners > i && (value + sorted[partners - 1]) / 2.0 > bound {
                partners -= 1;
            }
            if partners <= i {
                break;
            }
            count += partners - i;
        }
        count < k
    };
    let (low, high) = range(sorted);
    if !fewer_than_k_up_to(low) {
        return low;
    }
    // The bisection ends just below the average sought.
    last_where(low, high, fewer_than_k_up_to).next_up()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn differences(values: &[f64]) -> Differences {
        Differences::new(values, &vec![0.0; values.len()]).unwrap()
    }

    /// `scipy.stats.wilcoxon(d, zero_method=m, method=w).pvalue`, with the method `"exact"` for the
    /// differences without ties, and `"asymptotic"` with `correction=False` for the others.
    #[test]
    fn reference_values() {
        use ZeroMethod::{Pratt, Wilcox};
        let cases: [(&[f64], ZeroMethod, f64, f64); 7] = [
            (
                &[
                    0.4568, 0.1131, -2.2168, -0.2387, 0.2515, 0.4133, -1.2301, -0.1778, -0.6785,
                    -0.5088, 1.3609, -0.5075,
                ],
                Wilcox,
                27.0,
                0.38037109375,
            ),
            (
                &[1.0, 2.0, 2.0, -3.0, 0.0, 4.0, 0.0, -1.0, 5.0, 2.0],
                Wilcox,
                7.5,
                0.1390369385546064,
            ),
            (&[1.0, 2.0, 2.0, -3.0, 0.0, 4.0, 0.0, -1.0, 5.0, 2.0], Pratt, 11.5, 0.135545449694452),
            (
                &[
                    0.2675, 1.1844, -0.2836, 0.1883, 0.4105, 0.3638, -0.9251, 0.3761, 1.6588,
                    -1.2471, 1.1594, 0.4194, -0.3415, 2.3004, 1.0623, -0.8993, 0.3745, 0.8767,
                    0.1112, 0.9829, 0.2335, 0.9672, 1.7385, -0.3757, 0.5031, -0.1633, 0.4273,
                    -0.8872, -0.2793, 0.1038, 1.1988, 1.4452, -1.0235, -0.4946, 0.9469, -1.6924,
                    -0.1632, 0.2027, 1.557, 0.9894, -0.0272, -0.0686, 0.0498, 1.8235, -0.128,
                ],
                Wilcox,
                302.0,
                0.014213166138574707,
            ),
            (
                &[
                    -0.0, 1.0, 0.0, 0.0, -2.0, 0.0, -0.0, 3.0, 2.0, 0.0, 2.0, -0.0, 3.0, 0.0, 2.0,
                    -2.0, 1.0, -3.0, -4.0, -0.0, -1.0, 1.0, 5.0, -1.0, -1.0, 1.0, 1.0, 0.0, -0.0,
                    2.0, 1.0, -2.0, 0.0, 0.0, -2.0, 1.0, -1.0, 2.0, 1.0, 1.0,
                ],
                Wilcox,
                150.0,
                0.3401247368533017,
            ),
            (
                &[
                    -0.0, 1.0, 0.0, 0.0, -2.0, 0.0, -0.0, 3.0, 2.0, 0.0, 2.0, -0.0, 3.0, 0.0, 2.0,
                    -2.0, 1.0, -3.0, -4.0, -0.0, -1.0, 1.0, 5.0, -1.0, -1.0, 1.0, 1.0, 0.0, -0.0,
                    2.0, 1.0, -2.0, 0.0, 0.0, -2.0, 1.0, -1.0, 2.0, 1.0, 1.0,
                ],
                Pratt,
                280.0,
                0.24439215862335817,
            ),
            (
                &[
                    -0.491, -0.019, -1.898, -1.031, 0.463, -2.029, 0.947, -1.646, 0.857, -0.745,
                    0.879, 0.231, -1.437, 1.349, 1.542, 0.034, -0.174, -0.06, -0.875, 1.199,
                    -0.443, 0.049, -0.693, -0.526, -1.178, 1.357, -0.054, 1.066, 0.113, -0.594,
                    -0.227, -0.46, 0.108, -0.275, -0.2, -1.279, -0.707, 1.754, -0.571, -0.954,
                    0.437, 1.507, -1.354, -0.109, -0.532, -1.661, 0.835, 0.077, 0.171, -0.652,
                    0.555, -0.439, -0.043, -1.008, -1.116, 1.436, -0.407, 0.392, 0.066, -0.341,
                ],
                Wilcox,
                725.0,
                0.16190159314943053,
            ),
        ];
        for (values, method, statistic, p) in cases {
            let found = test(&differences(values), method);
            assert_eq!(found.statistic, statistic);
            assert!((found.p.unwrap() - p).abs() < 1e-13, "{found:?}, expected {p}");
        }
    }

    #[test]
    fn states_what_was_done() {
        let few = test(&differences(&[0.1, -0.2, 0.3]), ZeroMethod::Wilcox).method;
        assert_eq!(
            few,
            "exact (exact up to 50 non-zero differences without ties; here 3, without ties), \
             zero method wilcox (0 zeros), differences rounded to 1e-12"
        );
        let many: Vec<f64> = (0..60).map(|i| f64::from(i % 7) - 2.0).collect();
        let method = test(&differences(&many), ZeroMethod::Pratt).method;
        assert_eq!(interval_method(50), "Hodges-Lehmann, exact");
        assert_eq!(interval_method(51), "Hodges-Lehmann, normal approximation");
        assert!(
            method.starts_with(
                "normal approximation, corrected for ties, no continuity correction (exact up to \
                 50 non-zero differences without ties; here 51, with ties), zero method pratt \
                 (9 zeros)"
            ),
            "{method}"
        );
    }

    /// Zeros do not count: 50 differences that are not zero are exact however many are, and 51 are
    /// not.
    #[test]
    fn what_is_exact_depends_on_the_differences_that_are_not_zero() {
        let values = |differing: usize, zeros: usize| -> Vec<f64> {
            (1..=differing)
                .map(|i| i as f64 * if i % 3 == 0 { -1.0 } else { 1.0 })
                .chain(vec![0.0; zeros])
                .collect()
        };
        let p = |values: &[f64], zero_method| test(&differences(values), zero_method).p.unwrap();
        let alone = p(&values(50, 0), ZeroMethod::Wilcox);
        assert!((alone - 0.02616696817119646).abs() < 1e-13, "{alone}");
        assert_eq!(p(&values(50, 40), ZeroMethod::Wilcox), alone);
        let is_exact = |differing, zeros| {
            let method = test(&differences(&values(differing, zeros)), ZeroMethod::Pratt).method;
            method.starts_with("exact (")
        };
        assert!(is_exact(50, 200) && !is_exact(51, 0));
        let mut tied = values(20, 0);
        tied[0] = 2.0;
        assert!(test(&differences(&tied), ZeroMethod::Wilcox).method.starts_with("normal"));
    }

    /// All 60 on one side are about 6.7 standard deviations away, which no such alpha rejects.
    #[test]
    fn an_alpha_that_nothing_reaches_bounds_nothing() {
        let values: Vec<f64> = (1..=60).map(f64::from).collect();
        let everything = (f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!(interval(&differences(&values), 1e-13), everything);
        assert_eq!(interval(&differences(&values[..6]), 0.03), everything);
    }

    /// Five equal differences: the normal approximation says 0.025, but signs cannot.
    #[test]
    fn no_p_value_is_below_the_smallest_that_the_signs_can_give() {
        for (n, smallest) in [(1, 1.0), (5, 0.0625), (6, 0.03125), (10, 2.0 / 1024.0)] {
            let found = test(&differences(&vec![0.5; n]), ZeroMethod::Wilcox);
            assert_eq!(found.p, Some(smallest), "{n}");
        }
    }

    proptest! {
        /// All 2^n signs, one by one.
        #[test]
        fn exact_is_brute_force(
            magnitudes in prop::collection::btree_set(1u8..60, 1..10),
            signs: u16,
            zeros in 0usize..4,
            pratt: bool,
        ) {
            let sign = |i: usize| if signs >> i & 1 == 1 { -1.0 } else { 1.0 };
            let mut values: Vec<f64> =
                magnitudes.into_iter().enumerate().map(|(i, m)| sign(i) * f64::from(m)).collect();
            values.extend(vec![0.0; zeros]);
            let method = if pratt { ZeroMethod::Pratt } else { ZeroMethod::Wilcox };
            let found = test(&differences(&values), method);
            let statistic = |signs: u32| {
                let flipped: Vec<f64> = values.iter().enumerate().map(|(i, v)| if signs >> i & 1 == 1 { -v } else { *v }).collect();
                test(&differences(&flipped), method).statistic
            };
            let extreme = (0..1u32 << values.len()).filter(|signs| statistic(*signs) <= found.statistic).count();
            let p = extreme as f64 / 2f64.powi(values.len() as i32);
            prop_assert!((found.p.unwrap() - p.min(1.0)).abs() < 1e-12, "{:?} {}", found, p);
        }

        #[test]
        fn walsh_averages_are_found_by_counting(values in prop::collection::vec(-1.0f64..1.0, 1..12), k in 0usize..1000) {
            let mut sorted = values;
            sorted.sort_by(f64::total_cmp);
            let mut averages: Vec<f64> = (0..sorted.len()).flat_map(|i| (i..sorted.len()).map(move |j| (i, j))).map(|(i, j)| (sorted[i] + sorted[j]) / 2.0).collect();
            averages.sort_by(f64::total_cmp);
            let k = k % averages.len();
            prop_assert_eq!(walsh_average(&sorted, k + 1), averages[k]);
        }

        /// Just inside the interval the test accepts a shift, just outside it rejects.
        #[test]
        fn interval_inverts_the_test(values in prop::collection::vec(-1.0f64..1.0, 6..70), alpha in 0.02f64..0.3) {
            let (low, high) = interval(&differences(&values), alpha);
            let p = |shift: f64| test(&differences(&values.iter().map(|v| v - shift).collect::<Vec<_>>()), ZeroMethod::Wilcox).p.unwrap();
            if low.is_infinite() || high.is_infinite() {
                prop_assert!(low.is_infinite() && high.is_infinite() && p(100.0) > alpha && p(-100.0) > alpha);
                return Ok(());
            }
            for (inside, outside) in [(low + 1e-9, low - 1e-9), (high - 1e-9, high + 1e-9)] {
                prop_assert!(p(inside) > alpha && p(outside) <= alpha, "{} {} {}", alpha, p(inside), p(outside));
            }
        }
    }
}
