//! Correlations of two lists of scores: Pearson, Spearman, Kendall's tau-a and tau-b.
//!
//! `None` means the coefficient is not defined, as one side is constant (or, for tau-a, there is no
//! pair).

use super::sample::{checked, mean, resolution, rounded};
use crate::{Error, Result};

/// Two lists of paired numbers, rounded so that what differs by rounding only is tied.
pub(super) fn paired(x: &[f64], y: &[f64]) -> Result<(Vec<f64>, Vec<f64>)> {
    if x.len() != y.len() {
        return Err(Error::usage(format!(
            "a correlation of lists of different lengths: {} and {}",
            x.len(),
            y.len()
        )));
    }
    Ok((comparable(x)?, comparable(y)?))
}

fn comparable(values: &[f64]) -> Result<Vec<f64>> {
    checked(values)?;
    Ok(rounded(values, resolution(values.iter())))
}

/// Pearson's product-moment correlation.
pub fn pearson(x: &[f64], y: &[f64]) -> Result<Option<f64>> {
    let (x, y) = paired(x, y)?;
    Ok(product_moment(&x, &y))
}

/// Spearman's rank correlation: Pearson's of the average ranks.
pub fn spearman(x: &[f64], y: &[f64]) -> Result<Option<f64>> {
    let (x, y) = paired(x, y)?;
    Ok(product_moment(&average_ranks_of(&x), &average_ranks_of(&y)))
}

fn product_moment(x: &[f64], y: &[f64]) -> Option<f64> {
    // A constant list can have a mean that differs from it in the last bit, so it is recognised
    // before subtracting.
    let constant = |values: &[f64]| values.windows(2).all(|two| two[0] == two[1]);
    if constant(x) || constant(y) {
        return None;
    }
    let (mean_x, mean_y) = (mean(x), mean(y));
    let (mut xy, mut xx, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (x, y) = (x - mean_x, y - mean_y);
        xy += x * y;
        xx += x * x;
        yy += y * y;
    }
    let r = xy / (xx.sqrt() * yy.sqrt());
    r.is_finite().then(|| r.clamp(-1.0, 1.0))
}

/// The ranks of the values from 1, ascending; tied values share the mean of their ranks.
pub fn average_ranks(values: &[f64]) -> Result<Vec<f64>> {
    Ok(average_ranks_of(&comparable(values)?))
}

pub(super) fn average_ranks_of(values: &[f64]) -> Vec<f64> {
    let mut ranks = vec![0.0; values.len()];
    let order = ascending(values);
    let mut before = 0;
    for group in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let shared = before as f64 + (group.len() + 1) as f64 / 2.0;
        group.iter().for_each(|&i| ranks[i] = shared);
        before += group.len();
    }
    ranks
}

/// Each distinct value with how often it occurs, ascending.
pub(super) fn tie_groups(values: &[f64]) -> impl Iterator<Item = (f64, usize)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let groups: Vec<(f64, usize)> =
        sorted.chunk_by(|a, b| a == b).map(|group| (group[0], group.len())).collect();
    groups.into_iter()
}

fn ascending(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    order
}

/// Kendall's tau-a: concordant less discordant pairs, over all pairs; tied pairs count as neither.
pub fn kendall_tau_a(x: &[f64], y: &[f64]) -> Result<Option<f64>> {
    let (x, y) = paired(x, y)?;
    let pairs = ItemPairs::of(&x, &y);
    Ok((pairs.all > 0.0).then(|| pairs.excess() / pairs.all))
}

/// Kendall's tau-b: concordant less discordant pairs, over the geometric mean of the pairs not tied
/// on either side.
pub fn kendall_tau_b(x: &[f64], y: &[f64]) -> Result<Option<f64>> {
    let (x, y) = paired(x, y)?;
    let pairs = ItemPairs::of(&x, &y);
    let (untied_x, untied_y) = (pairs.all - pairs.tied_x, pairs.all - pairs.tied_y);
    Ok((untied_x > 0.0 && untied_y > 0.0)
        .then(|| (pairs.excess() / untied_x.sqrt() / untied_y.sqrt()).clamp(-1.0, 1.0)))
}

/// Numbers of pairs of items. Doubles, as n(n-1)/2 leaves no integer type in doubt and is exact to
/// 2^53.
struct ItemPairs {
    all: f64,
    tied_x: f64,
    tied_y: f64,
    tied_both: f64,
    discordant: f64,
}

impl ItemPairs {
    /// Knight's method (1966): sort by x, then y within ties; discordant pairs are the exchanges
    /// that sorting by y still takes.
    fn of(x: &[f64], y: &[f64]) -> ItemPairs {
        let choose_two = |n: usize| n as f64 * (n as f64 - 1.0) / 2.0;
        let tied =
            |values: &[f64]| tie_groups(values).map(|(_, size)| choose_two(size)).sum::<f64>();
        let mut order = ascending(y);
        order.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
        let tied_both = order
            .chunk_by(|a, b| x[*a] == x[*b] && y[*a] == y[*b])
            .map(|group| choose_two(group.len()))
            .sum();
        let mut by_y: Vec<f64> = order.iter().map(|i| y[*i]).collect();
        let discordant = exchanges(&mut by_y) as f64;
        ItemPairs {
            all: choose_two(x.len()),
            tied_x: tied(x),
            tied_y: tied(y),
            tied_both,
            discordant,
        }
    }

    /// Concordant less discordant.
    fn excess(&self) -> f64 {
        self.all - self.tied_x - self.tied_y + self.tied_both - 2.0 * self.discordant
    }
}

/// Sorts by merging and counts the pairs that stood the wrong way round.
fn exchanges(values: &mut [f64]) -> u64 {
    let n = values.len();
    let mut merged = values.to_vec();
    let mut count = 0;
    let mut width = 1;
    while width < n {
        for from in (0..n).step_by(2 * width) {
            let (middle, upto) = ((from + width).min(n), (from + 2 * width).min(n));
            let (mut left, mut right) = (from, middle);
            for slot in &mut merged[from..upto] {
                if right == upto || (left < middle && values[left] <= values[right]) {
                    *slot = values[left];
                    left += 1;
                } else {
                    *slot = values[right];
                    right += 1;
                    count += (middle - left) as u64;
                }
            }
        }
        values.copy_from_slice(&merged);
        width *= 2;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `scipy.stats.kendalltau`, `spearmanr`, `pearsonr`
    #[test]
    fn reference_values() {
        let x = [0.5, 0.1, 0.8, 0.6, 0.3, 0.1, 0.8, 0.1, 0.1, 0.1, 0.1, 0.9, 0.3, 0.3, 0.8];
        let y = [0.6, 0.1, 0.6, 0.7, 0.3, 0.4, 0.4, 0.4, 0.4, 0.5, 0.4, 0.6, 0.2, 0.4, 0.8];
        assert!((kendall_tau_b(&x, &y).unwrap().unwrap() - 0.4445128573509444).abs() < 1e-14);
        assert!((spearman(&x, &y).unwrap().unwrap() - 0.581892567184763).abs() < 1e-14);
        assert!((pearson(&x, &y).unwrap().unwrap() - 0.6421222646163356).abs() < 1e-14);
    }

    /// Means -> deviations -> sums by hand: 3 / sqrt(2 * 14/3).
    #[test]
    fn lists_without_ties_have_a_correlation() {
        let found = pearson(&[1.0, 2.0, 3.0], &[1.0, 2.0, 4.0]).unwrap().unwrap();
        assert!((found - 3.0 / (28.0f64 / 3.0).sqrt()).abs() < 1e-11, "{found}");
    }

    /// The mean of equal numbers may differ from them in the last bit.
    #[test]
    fn a_constant_list_has_none_whatever_its_number() {
        for length in 3..12 {
            let rising: Vec<f64> = (0..length).map(f64::from).collect();
            for hundredths in 1..100 {
                let constant = vec![f64::from(hundredths) / 100.0; rising.len()];
                assert_eq!(pearson(&constant, &rising).unwrap(), None, "{constant:?}");
                assert_eq!(pearson(&rising, &constant).unwrap(), None, "{constant:?}");
            }
        }
    }

    #[test]
    fn ranks_by_hand() {
        assert_eq!(average_ranks(&[0.3, 0.1, 0.3, -0.0, 0.0]).unwrap(), [4.5, 3.0, 4.5, 1.5, 1.5]);
        // 0.1 + 0.2 is not 0.3 to the last bit.
        assert_eq!(average_ranks(&[0.1 + 0.2, 0.3, 0.5]).unwrap(), [1.5, 1.5, 3.0]);
        assert!(average_ranks(&[f64::NAN]).unwrap_err().is_usage());
    }

    #[test]
    fn degenerate_lists() {
        for coefficient in [pearson, spearman, kendall_tau_b] {
            assert_eq!(coefficient(&[0.5], &[0.1]).unwrap(), None);
            assert_eq!(coefficient(&[0.1, 0.1, 0.1], &[0.1, 0.2, 0.3]).unwrap(), None);
            assert!(coefficient(&[], &[]).unwrap_err().is_usage());
            assert!(coefficient(&[1.0], &[1.0, 2.0]).unwrap_err().is_usage());
            assert!(coefficient(&[1.0, f64::NAN], &[1.0, 2.0]).unwrap_err().is_usage());
        }
        assert_eq!(kendall_tau_a(&[0.5], &[0.1]).unwrap(), None);
        assert_eq!(kendall_tau_a(&[0.1, 0.1], &[0.1, 0.2]).unwrap(), Some(0.0));
    }

    proptest! {
        #[test]
        fn fast_tau_is_naive_tau(pairs in prop::collection::vec((0u8..8, 0u8..8), 2..60)) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            let (mut excess, mut untied_x, mut untied_y, mut all) = (0i64, 0i64, 0i64, 0i64);
            for i in 0..x.len() {
                for j in 0..i {
                    let sign = |a: f64, b: f64| i64::from(a > b) - i64::from(a < b);
                    let (sx, sy) = (sign(x[i], x[j]), sign(y[i], y[j]));
                    (excess, untied_x, untied_y, all) = (excess + sx * sy, untied_x + sx.abs(), untied_y + sy.abs(), all + 1);
                }
            }
            let tau_a = kendall_tau_a(&x, &y).unwrap().unwrap();
            prop_assert!((tau_a - excess as f64 / all as f64).abs() < 1e-14);
            match kendall_tau_b(&x, &y).unwrap() {
                None => prop_assert!(untied_x == 0 || untied_y == 0),
                Some(tau_b) => prop_assert!((tau_b - excess as f64 / (untied_x as f64 * untied_y as f64).sqrt()).abs() < 1e-14),
            }
        }

        #[test]
        fn coefficients_are_symmetric_and_bounded(pairs in prop::collection::vec((-5i8..5, -5i8..5), 1..30)) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            for coefficient in [pearson, spearman, kendall_tau_a, kendall_tau_b] {
                let (one, two) = (coefficient(&x, &y).unwrap(), coefficient(&y, &x).unwrap());
                prop_assert!(one == two || (one.unwrap() - two.unwrap()).abs() < 1e-14);
                prop_assert!(one.is_none_or(|r| (-1.0..=1.0).contains(&r)));
            }
        }
    }
}
