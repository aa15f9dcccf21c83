//! Fisher's randomisation test: under the null hypothesis either system could have earned either
//! score of a topic, so the sign of every difference is a fair coin.
//!
//! Exact for few topics; beyond, coins are thrown for all pairs of systems at once. A trial draws
//! one vector of signs s over the topics and forms, per system, S_i = sum of s_t x_it; the mean
//! difference of systems i and j under these signs is (S_i - S_j)/n. A trial so costs one pass over
//! the scores and one subtraction per pair, where testing pair by pair costs a pass over the topics
//! for every pair. Each pair still sees independent fair signs in every trial, so each p-value is
//! as valid as if it had been computed alone; only their joint distribution changes, on which
//! neither the Bonferroni nor the Holm correction relies.

use rayon::prelude::*;

use super::distribution::last_where;
use super::random::Resampling;
use super::sample::{Differences, range};
use super::test::{Note, TestResult};

/// Up to so many topics all 2^n signs are counted. Half the topics at a time: 2^15 sums a side.
pub(super) const EXACT: usize = 30;

pub(super) fn test(differences: &Differences, resampling: Resampling) -> TestResult {
    let threshold = threshold(differences.mean(), differences.len(), differences.resolution);
    let p = if differences.len() <= EXACT {
        exact_p(&differences.values, threshold)
    } else {
        let extreme =
            SignFlips::new(&[&differences.values])
                .count(resampling, 1, |sums, counts| counts[0] += is_extreme(sums[0], threshold));
        resampling.p_value(extreme[0] as usize)
    };
    result(differences, p, resampling)
}

/// The test of every pair of rows, in the order (0,1), (0,2), ..., (1,2), ...; the same answers as
/// [`test`] pair by pair.
pub(super) fn test_pairs(
    rows: &[Vec<f64>],
    pairs: &[Differences],
    resampling: Resampling,
) -> Vec<TestResult> {
    if pairs.is_empty() || rows[0].len() <= EXACT {
        return pairs.par_iter().map(|differences| test(differences, resampling)).collect();
    }
    let thresholds: Vec<f64> =
        pairs.iter().map(|d| threshold(d.mean(), d.len(), d.resolution)).collect();
    let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    let extreme = SignFlips::new(&rows).count(resampling, pairs.len(), |sums, counts| {
        let mut from = 0;
        for (i, sum) in sums.iter().enumerate() {
            let others = &sums[i + 1..];
            let upto = from + others.len();
            for ((count, threshold), other) in
                counts[from..upto].iter_mut().zip(&thresholds[from..upto]).zip(others)
            {
                *count += is_extreme(sum - other, *threshold);
            }
            from = upto;
        }
    });
    pairs
        .iter()
        .zip(extreme)
        .map(|(differences, extreme)| {
            result(differences, resampling.p_value(extreme as usize), resampling)
        })
        .collect()
}

fn result(differences: &Differences, p: f64, resampling: Resampling) -> TestResult {
    let differing = differences.values.iter().filter(|d| d.abs() > differences.resolution).count();
    TestResult {
        statistic: differences.mean(),
        p: Some(p),
        method: method(differences.len(), resampling),
        note: Note::on_signs(differing),
    }
}

pub(super) fn method(topics: usize, resampling: Resampling) -> String {
    if topics <= EXACT { format!("exact, 2^{topics} sign changes") } else { resampling.describe() }
}

pub(super) fn interval_method(topics: usize, resampling: Resampling) -> String {
    format!("inverted, {}", method(topics, resampling))
}

/// The sum from which a relabelling counts as extreme: as large as the observed one, or short of it
/// by rounding alone.
fn threshold(mean: f64, topics: usize, resolution: f64) -> f64 {
    (mean.abs() - resolution) * topics as f64
}

/// 1 or 0, as wide as a double so that the loop over pairs stays in vector registers.
fn is_extreme(sum: f64, threshold: f64) -> u64 {
    u64::from(sum.abs() >= threshold)
}

/// The share of all 2^n sign changes whose sum reaches the threshold.
///
/// The sums of each half of the topics are listed in order; for ascending sums of one half, those
/// of the other that reach the threshold with it are a growing tail. So 2^n sums are counted in
/// 2^(n/2) steps.
fn exact_p(values: &[f64], threshold: f64) -> f64 {
    if threshold <= 0.0 {
        return 1.0;
    }
    let (left, right) = values.split_at(values.len() / 2);
    let (left, right) = (sorted_sums(left), sorted_sums(right));
    let mut tail = right.len();
    let mut reaching = 0;
    for sum in &left {
        while tail > 0 && sum + right[tail - 1] >= threshold {
            tail -= 1;
        }
        reaching += right.len() - tail;
    }
    // The sums are symmetric about zero.
    2.0 * reaching as f64 / 2f64.powi(values.len() as i32)
}

/// All sums of the values with either sign, in order: each value merges the list lowered by it with
/// the list raised by it.
fn sorted_sums(values: &[f64]) -> Vec<f64> {
    values.iter().map(|v| v.abs()).fold(vec![0.0], |sums: Vec<f64>, value| {
        let (mut low, mut high) =
            (sums.iter().map(|s| s - value).peekable(), sums.iter().map(|s| s + value).peekable());
        let mut merged = Vec::with_capacity(2 * sums.len());
        while let (Some(l), Some(h)) = (low.peek(), high.peek()) {
            let next = if l <= h { low.next() } else { high.next() };
            merged.extend(next);
        }
        merged.extend(low);
        merged.extend(high);
        merged
    })
}

/// Sums of rows under random signs of their columns.
///
/// Columns are taken four at a time: the 16 signed sums of each four are tabulated per row, so a
/// trial adds a quarter as many numbers, contiguous over the rows.
struct SignFlips {
    rows: usize,
    /// Indexed by four columns, their signs, row.
    table: Vec<f64>,
}

impl SignFlips {
    fn new(rows: &[&[f64]]) -> SignFlips {
        let columns = rows.first().map_or(0, |row| row.len());
        let mut table = Vec::with_capacity(columns.div_ceil(4) * 16 * rows.len());
        for from in (0..columns).step_by(4) {
            let upto = (from + 4).min(columns);
            for signs in 0..16 {
                let signed = |(i, v): (usize, &f64)| if signs >> i & 1 == 1 { -v } else { *v };
                table.extend(
                    rows.iter()
                        .map(|row| row[from..upto].iter().enumerate().map(signed).sum::<f64>()),
                );
            }
        }
        SignFlips { rows: rows.len(), table }
    }

    /// Calls `visit` with the sums of each trial of a block.
    fn block(&self, resampling: Resampling, block: usize, mut visit: impl FnMut(&[f64])) {
        let mut stream = resampling.stream(block);
        let mut sums = vec![0.0; self.rows];
        for _ in 0..resampling.trials_in(block) {
            sums.fill(0.0);
            let mut bits = 0;
            for (i, four) in self.table.chunks_exact(16 * self.rows).enumerate() {
                bits = if i % 16 == 0 { stream.bits() } else { bits >> 4 };
                let signs = (bits & 15) as usize;
                for (sum, term) in
                    sums.iter_mut().zip(&four[signs * self.rows..(signs + 1) * self.rows])
                {
                    *sum += term;
                }
            }
            visit(&sums);
        }
    }

    /// Adds up `length` counters over all trials. Integers, so the order in which threads finish
    /// does not matter.
    fn count(
        &self,
        resampling: Resampling,
        length: usize,
        visit: impl Fn(&[f64], &mut [u64]) + Sync,
    ) -> Vec<u64> {
        let add = |mut a: Vec<u64>, b: Vec<u64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        (0..resampling.blocks())
            .into_par_iter()
            .fold(
                || vec![0; length],
                |mut counts, block| {
                    self.block(resampling, block, |sums| visit(sums, &mut counts));
                    counts
                },
            )
            .reduce(|| vec![0; length], add)
    }
}

/// The shifts of `b` that the test does not reject, under the same signs as the test.
pub(super) fn interval(
    differences: &Differences,
    resampling: Resampling,
    alpha: f64,
) -> (f64, f64) {
    if differences.len() <= EXACT {
        return exact_interval(differences, alpha);
    }
    let ones = vec![1.0; differences.len()];
    let sums = trials(&[&differences.values, &ones], resampling);
    sampled_interval(
        differences,
        sums[0].iter().copied().zip(sums[1].iter().copied()),
        resampling,
        alpha,
    )
}

/// The interval of every pair of rows, in the order of [`test_pairs`]; the same as [`interval`]
/// pair by pair, but the signs are drawn once.
pub(super) fn intervals(
    rows: &[Vec<f64>],
    pairs: &[(usize, usize, Differences)],
    resampling: Resampling,
    alpha: f64,
) -> Vec<(f64, f64)> {
    if pairs.is_empty() || rows[0].len() <= EXACT {
        return pairs
            .par_iter()
            .map(|(_, _, differences)| interval(differences, resampling, alpha))
            .collect();
    }
    let ones = vec![1.0; rows[0].len()];
    let sums =
        trials(&rows.iter().chain([&ones]).map(Vec::as_slice).collect::<Vec<_>>(), resampling);
    let one = |(a, b, differences): &(usize, usize, Differences)| {
        let signed = sums[*a]
            .iter()
            .zip(&sums[*b])
            .map(|(a, b)| a - b)
            .zip(sums[rows.len()].iter().copied());
        sampled_interval(differences, signed, resampling, alpha)
    };
    pairs.par_iter().map(one).collect()
}

/// Row by row, the signed sums of all trials.
fn trials(rows: &[&[f64]], resampling: Resampling) -> Vec<Vec<f64>> {
    let flips = SignFlips::new(rows);
    let of_block = |block: usize| {
        let mut sums = Vec::with_capacity(resampling.trials_in(block) * rows.len());
        flips.block(resampling, block, |trial| sums.extend_from_slice(trial));
        sums
    };
    let blocks: Vec<Vec<f64>> = (0..resampling.blocks()).into_par_iter().map(of_block).collect();
    (0..rows.len())
        .map(|row| {
            blocks
                .iter()
                .flat_map(|sums| sums.iter().skip(row).step_by(rows.len()).copied())
                .collect()
        })
        .collect()
}

/// A sign change parts the topics into those kept and those flipped. Under a shift above the
/// observed mean it is extreme as long as the shift is at most the larger mean difference of the
/// two parts, below as long as it is at least the smaller one. So the ends are order statistics of
/// these means: the farthest shifts at which still enough sign changes are extreme.
fn sampled_interval(
    differences: &Differences,
    sums: impl Iterator<Item = (f64, f64)>,
    resampling: Resampling,
    alpha: f64,
) -> (f64, f64) {
    let needed = (0..=resampling.trials).find(|extreme| resampling.p_value(*extreme) > alpha);
    let Some(last) = needed.unwrap_or(resampling.trials).checked_sub(1) else {
        return (f64::NEG_INFINITY, f64::INFINITY);
    };
    let n = differences.len() as f64;
    // As in the test, what falls short of the observed mean by rounding alone is as large.
    let (above, below) = (
        n * (differences.mean() + differences.resolution),
        n * (differences.mean() - differences.resolution),
    );
    // If no topic is flipped, or all are, the sign change is extreme under every shift.
    let part = |sum: f64, size: f64, without: f64| if size > 0.0 { sum / size } else { without };
    let (mut highest, mut lowest): (Vec<f64>, Vec<f64>) = sums
        .map(|(sum, signs)| {
            let ends = |mean: f64, without: f64| {
                [part(mean + sum, n + signs, without), part(mean - sum, n - signs, without)]
            };
            let ([a, b], [c, d]) = (ends(above, f64::INFINITY), ends(below, f64::NEG_INFINITY));
            (a.max(b), c.min(d))
        })
        .unzip();
    let high = *highest.select_nth_unstable_by(last, |a, b| b.total_cmp(a)).1;
    let low = *lowest.select_nth_unstable_by(last, f64::total_cmp).1;
    (low, high)
}

/// Moving a shift away from the observed mean makes the observed statistic grow faster than any
/// relabelled one, so p falls on either side and each end is found by bisection. Beyond the largest
/// difference nothing changes any more: if the test still accepts there, it always does.
fn exact_interval(differences: &Differences, alpha: f64) -> (f64, f64) {
    let (values, centre) = (&differences.values, differences.mean());
    let accepts = |shift: f64| {
        let shifted: Vec<f64> = values.iter().map(|v| v - shift).collect();
        exact_p(&shifted, threshold(centre - shift, values.len(), differences.resolution)) > alpha
    };
    let end = |direction: f64, farthest: f64| {
        let margin = 10.0 * differences.resolution;
        let reach = (direction * (farthest - centre)).max(0.0) + margin;
        if accepts(centre + direction * reach) {
            return direction * f64::INFINITY;
        }
        centre
            + direction * last_where(0.0, reach, |distance| accepts(centre + direction * distance))
    };
    let (low, high) = range(values);
    (end(-1.0, low), end(1.0, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{ScoreMatrix, Test, TestOptions, all_pairs, paired_test};
    use proptest::prelude::*;

    fn differences(values: &[f64]) -> Differences {
        Differences::new(values, &vec![0.0; values.len()]).unwrap()
    }

    fn brute_force(values: &[f64]) -> f64 {
        let observed = values.iter().sum::<f64>().abs() / values.len() as f64;
        let extreme = (0..1u32 << values.len())
            .filter(|signs| {
                let sum: f64 = values
                    .iter()
                    .enumerate()
                    .map(|(i, v)| if signs >> i & 1 == 1 { -v } else { *v })
                    .sum();
                sum.abs() / values.len() as f64 >= observed - 1e-12
            })
            .count();
        extreme as f64 / 2f64.powi(values.len() as i32)
    }

    fn scores(systems: usize, topics: usize) -> Vec<Vec<f64>> {
        let mut stream = Resampling { trials: 1, seed: 99 }.stream(0);
        let mut score =
            |system: usize| stream.below(1000usize) as f64 / 1000.0 + system as f64 / 40.0;
        (0..systems).map(|system| (0..topics).map(|_| score(system)).collect()).collect()
    }

    /// `scipy.stats.permutation_test((a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", vectorized=True, n_resamples=np.inf).pvalue`
    #[test]
    fn reference_values() {
        let found = test(
            &Differences::new(
                &[0.92, 0.05, 0.03, 0.02, 0.25, 0.25, 0.19],
                &[0.9, -0.16, -0.35, 0.11, 0.34, 0.12, 0.2],
            )
            .unwrap(),
            Resampling::default(),
        );
        assert_eq!(found.p, Some(36.0 / 128.0));
        let found = test(
            &Differences::new(
                &[0.94, 0.54, 0.81, 0.66, 0.61, 0.19, 0.57, 0.04, 0.8, 0.96, 0.85, 0.05],
                &[0.5, 0.6, 0.51, 0.56, 0.68, -0.24, 0.05, -0.01, 0.71, 0.81, 0.76, -0.22],
            )
            .unwrap(),
            Resampling::default(),
        );
        assert_eq!(found.p, Some(20.0 / 4096.0));
    }

    #[test]
    fn exact_to_the_last_topic_and_monte_carlo_after() {
        let resampling = Resampling { trials: 20_000, seed: 4 };
        let values: Vec<f64> = (0..31).map(|i| f64::from(i * 37 % 23) - 8.0).collect();
        let exact = test(&differences(&values[..30]), resampling);
        assert_eq!(exact.method, "exact, 2^30 sign changes");
        let sampled = test(&differences(&values), resampling);
        assert_eq!(sampled.method, "20000 resamples, seed 4");
        // The same 31 differences, exactly: the standard error of the sampled p is below 0.004.
        let p = exact_p(&values, threshold(differences(&values).mean(), 31, 1e-12 * 14.0));
        assert!((sampled.p.unwrap() - p).abs() < 0.015, "{sampled:?} {p}");
    }

    /// The exact p-values of six topics are multiples of 2/64, and one that equals alpha rejects.
    #[test]
    fn an_exact_interval_leaves_out_what_is_rejected_at_alpha_itself() {
        let values = [0.5, 0.1, -0.2, 0.3, 0.15, 0.4];
        for alpha in [2.0 / 64.0, 4.0 / 64.0, 8.0 / 64.0] {
            let (low, high) = exact_interval(&differences(&values), alpha);
            let p = |shift: f64| brute_force(&values.map(|v| v - shift));
            for (inside, outside) in [(low + 1e-9, low - 1e-9), (high - 1e-9, high + 1e-9)] {
                assert!(p(inside) > alpha && p(outside) <= alpha, "{alpha}: {low} to {high}");
            }
        }
    }

    /// 99 resamples give multiples of 1/100.
    #[test]
    fn a_sampled_interval_leaves_out_what_is_rejected_at_alpha_itself() {
        let values = &scores(1, 40)[0];
        let resampling = Resampling { trials: 99, seed: 5 };
        for alpha in [0.05, 0.1] {
            let (low, high) = interval(&differences(values), resampling, alpha);
            let p = |shift: f64| {
                let shifted: Vec<f64> = values.iter().map(|v| v - shift).collect();
                test(&differences(&shifted), resampling).p.unwrap()
            };
            for (inside, outside) in [(low + 1e-9, low - 1e-9), (high - 1e-9, high + 1e-9)] {
                assert!(p(inside) > alpha && p(outside) <= alpha, "{alpha}: {low} to {high}");
            }
        }
    }

    #[test]
    fn an_exact_interval_has_the_unit_of_the_scores() {
        let values = [0.5, 0.1, -0.2, 0.3, 0.15, 0.4, 0.25];
        let (low, high) = exact_interval(&differences(&values), 0.1);
        for unit in [0.01, 1000.0] {
            let scaled = exact_interval(&differences(&values.map(|v| v * unit)), 0.1);
            assert!((scaled.0 / unit - low).abs() < 1e-6, "{scaled:?} {low}");
            assert!((scaled.1 / unit - high).abs() < 1e-6, "{scaled:?} {high}");
        }
    }

    /// Rows that are 1 in one column show the signs of a trial; every other row must have been
    /// summed with the same signs.
    #[test]
    fn every_row_is_summed_with_the_same_fair_signs() {
        let topics = 70;
        let mut rows: Vec<Vec<f64>> = (0..topics)
            .map(|t| (0..topics).map(|c| f64::from(u8::from(c == t))).collect())
            .collect();
        rows.extend(scores(2, topics));
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let resampling = Resampling { trials: 2000, seed: 8 };
        let mut flipped = vec![0; topics];
        for block in 0..resampling.blocks() {
            SignFlips::new(&rows).block(resampling, block, |sums| {
                let (signs, totals) = sums.split_at(topics);
                assert!(signs.iter().all(|s| s.abs() == 1.0));
                signs
                    .iter()
                    .zip(&mut flipped)
                    .for_each(|(s, flipped)| *flipped += u32::from(*s < 0.0));
                for (row, total) in rows[topics..].iter().zip(totals) {
                    assert!(
                        (row.iter().zip(signs).map(|(x, s)| x * s).sum::<f64>() - total).abs()
                            < 1e-12
                    );
                }
            });
        }
        // Five standard deviations of 2000 coins.
        assert!(flipped.iter().all(|n| (888..=1112).contains(n)), "{flipped:?}");
    }

    #[test]
    fn all_pairs_at_once_are_the_pairs_one_by_one() {
        for topics in [10, 70] {
            let rows = scores(5, topics);
            let options = TestOptions::default();
            let matrix = ScoreMatrix::new(rows.clone()).unwrap();
            let pairs = all_pairs(Test::Randomisation, &matrix, &options).unwrap();
            assert_eq!(pairs.len(), 10);
            for pair in pairs {
                assert_eq!(
                    pair.result,
                    paired_test(Test::Randomisation, &rows[pair.a], &rows[pair.b], &options)
                        .unwrap()
                );
            }
        }
    }

    #[test]
    fn all_intervals_at_once_are_the_intervals_one_by_one() {
        for topics in [10, 70] {
            let rows = scores(4, topics);
            let pair = |a: usize, b: usize| (a, b, Differences::new(&rows[a], &rows[b]).unwrap());
            let pairs = [pair(0, 1), pair(0, 3), pair(2, 1)];
            let found = intervals(&rows, &pairs, Resampling::default(), 0.05);
            for ((_, _, differences), found) in pairs.iter().zip(found) {
                let alone = interval(differences, Resampling::default(), 0.05);
                assert!(
                    (alone.0 - found.0).abs() < 1e-12 && (alone.1 - found.1).abs() < 1e-12,
                    "{alone:?} {found:?}"
                );
            }
        }
    }

    #[test]
    fn any_number_of_threads_gives_the_same_answer() {
        let rows = scores(4, 100);
        let pairs: Vec<Differences> =
            (1..4).map(|i| Differences::new(&rows[0], &rows[i]).unwrap()).collect();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                pairs.iter().map(|d| test(d, Resampling::default()).p).collect::<Vec<_>>()
            })
        };
        assert_eq!(on(1), on(3));
    }

    /// Pins the stream and the order of its use: a seed printed in a paper must give the same
    /// p-value years later.
    #[test]
    fn a_seed_is_a_promise() {
        let values: Vec<f64> = (0..64).map(|i| f64::from(i * 29 % 61) - 26.0).collect();
        assert_eq!(test(&differences(&values), Resampling::default()).p, Some(895.0 / 10_001.0));
    }

    proptest! {
        #[test]
        fn exact_is_brute_force(values in prop::collection::vec(-6i8..7, 1..13)) {
            let values: Vec<f64> = values.into_iter().map(|v| f64::from(v) / 10.0).collect();
            prop_assert_eq!(test(&differences(&values), Resampling::default()).p, Some(brute_force(&values)));
        }

        #[test]
        fn exact_is_brute_force_without_ties(values in prop::collection::vec(-1.0f64..1.0, 1..13)) {
            prop_assert_eq!(test(&differences(&values), Resampling::default()).p, Some(brute_force(&values)));
        }

        #[test]
        fn interval_inverts_the_test(values in prop::collection::vec(-1.0f64..1.0, 7..50), alpha in 0.03f64..0.3) {
            let resampling = Resampling { trials: 300, seed: 2 };
            let (low, high) = interval(&differences(&values), resampling, alpha);
            let p = |shift: f64| test(&Differences::new(&values, &vec![shift; values.len()]).unwrap(), resampling).p.unwrap();
            prop_assert!(low.is_finite() && high.is_finite());
            for (inside, outside) in [(low + 1e-9, low - 1e-9), (high - 1e-9, high + 1e-9)] {
                prop_assert!(p(inside) > alpha && p(outside) <= alpha, "{} {} {}", alpha, p(inside), p(outside));
            }
        }
    }

    #[test]
    fn an_interval_no_topics_can_bound_is_the_whole_line() {
        let few = differences(&[0.1, 0.2, 0.3, 0.15]);
        assert_eq!(interval(&few, Resampling::default(), 0.05), (f64::NEG_INFINITY, f64::INFINITY));
        // Nine resamples cannot reach 0.05 either.
        let many = differences(&[0.1; 40]);
        assert_eq!(
            interval(&many, Resampling { trials: 9, seed: 1 }, 0.05),
            (f64::NEG_INFINITY, f64::INFINITY)
        );
    }
}
