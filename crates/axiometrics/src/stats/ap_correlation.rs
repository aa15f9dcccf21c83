//! AP correlation: Kendall's tau weighted towards the top (Yilmaz, Aslam and Robertson, SIGIR
//! 2008), with the treatment of ties of Urbano and Marrero (ICTIR 2017). Higher scores rank higher.

use super::correlation::paired;
use crate::Result;

/// tau_AP of an estimate against the truth, not symmetric: the items above each item of the
/// estimated ranking should be above it in the truth.
///
/// Ties, on either side, count as the mean over all ways of breaking them (tau_AP,a if only the
/// estimate has ties). `None` for a single item.
pub fn tau_ap(truth: &[f64], estimate: &[f64]) -> Result<Option<f64>> {
    let (truth, estimate) = paired(truth, estimate)?;
    let n = truth.len();
    let mut total = 0.0;
    let mut above = Above::new(&truth);
    for group in descending(&estimate).chunk_by(|a, b| estimate[*a] == estimate[*b]) {
        // A tie in the truth is broken by a fair coin.
        let confirmed: f64 =
            group.iter().map(|&i| above.better(i) as f64 + above.equal(i) as f64 / 2.0).sum();
        let mean_confirmed = confirmed / group.len() as f64;
        // The member placed after `within` others of its group finds, on average, half of these
        // truly above it: whatever the truth says of two members, one of their two orders confirms
        // it.
        for within in 0..group.len() {
            let position = above.len + within;
            if position > 0 {
                total += (mean_confirmed + within as f64 / 2.0) / position as f64;
            }
        }
        above.extend(group);
    }
    Ok((n > 1).then(|| 2.0 * total / (n - 1) as f64 - 1.0))
}

/// The mean of tau_AP in both directions, each with ties broken in every way.
pub fn tau_ap_symmetric(x: &[f64], y: &[f64]) -> Result<Option<f64>> {
    both_ways(x, y, tau_ap)
}

/// tau_AP,b: for two rankings of which neither is the truth. Symmetric; a tie is a statement, which
/// the other ranking confirms only by the same order. `None` if a ranking ties all its items.
pub fn tau_ap_b(x: &[f64], y: &[f64]) -> Result<Option<f64>> {
    let (x, y) = paired(x, y)?;
    both_ways(&x, &y, |x, y| Ok(one_way_b(x, y)))
}

/// For each item below the first group of `y`: the share of the items strictly above it that `x`
/// puts strictly above it too.
fn one_way_b(x: &[f64], y: &[f64]) -> Option<f64> {
    let (mut total, mut below_first) = (0.0, 0);
    let mut above = Above::new(x);
    for group in descending(y).chunk_by(|a, b| y[*a] == y[*b]) {
        if above.len > 0 {
            let confirmed: usize = group.iter().map(|&i| above.better(i)).sum();
            total += confirmed as f64 / above.len as f64;
            below_first += group.len();
        }
        above.extend(group);
    }
    (below_first > 0).then(|| 2.0 * total / below_first as f64 - 1.0)
}

fn both_ways(
    x: &[f64],
    y: &[f64],
    one_way: impl Fn(&[f64], &[f64]) -> Result<Option<f64>>,
) -> Result<Option<f64>> {
    Ok(one_way(x, y)?.zip(one_way(y, x)?).map(|(forth, back)| (forth + back) / 2.0))
}

fn descending(scores: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]));
    order
}

/// The items above a place of one ranking, which can be asked where another ranking puts them: a
/// Fenwick tree, so that each question costs the logarithm of their number.
struct Above {
    len: usize,
    /// The place of each item among the different scores of the other ranking, the best first, from
    /// 1.
    places: Vec<usize>,
    /// Node i counts the items at the places (i - lowest bit of i, i].
    tree: Vec<usize>,
}

impl Above {
    fn new(scores: &[f64]) -> Above {
        let mut places = vec![0; scores.len()];
        let mut last = 0;
        for group in descending(scores).chunk_by(|a, b| scores[*a] == scores[*b]) {
            last += 1;
            group.iter().for_each(|&i| places[i] = last);
        }
        Above { len: 0, places, tree: vec![0; last + 1] }
    }

    fn extend(&mut self, items: &[usize]) {
        self.len += items.len();
        for &i in items {
            let mut node = self.places[i];
            while node < self.tree.len() {
                self.tree[node] += 1;
                node += node & node.wrapping_neg();
            }
        }
    }

    /// How many are better than item `i`.
    fn better(&self, i: usize) -> usize {
        self.up_to(self.places[i] - 1)
    }

    /// How many are as good as item `i`.
    fn equal(&self, i: usize) -> usize {
        self.up_to(self.places[i]) - self.better(i)
    }

    fn up_to(&self, place: usize) -> usize {
        let (mut node, mut count) = (place, 0);
        while node > 0 {
            count += self.tree[node];
            node -= node & node.wrapping_neg();
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const X: [f64; 10] = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54];
    const X_ROUNDED: [f64; 10] = [0.7, 0.4, 0.3, 0.1, 0.6, 0.2, 0.9, 0.8, 0.1, 0.5];
    const Y_ROUNDED: [f64; 10] = [0.5, 0.7, 0.3, 0.1, 0.1, 0.6, 0.9, 0.2, 0.4, 0.8];
    const Y: [f64; 10] = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84];

    fn close(found: Result<Option<f64>>, expected: f64, digits: f64) {
        let found = found.unwrap().unwrap();
        assert!((found - expected).abs() < digits, "found {found}, expected {expected}");
    }

    /// The numbers printed in the documentation of the R package ircor, version 1.0, by the authors
    /// of the variants.
    #[test]
    fn published_examples() {
        close(tau_ap(&X, &Y), 0.3928571, 5e-8);
        close(tau_ap(&X, &Y_ROUNDED), 0.39903, 5e-7);
        close(tau_ap_b(&X, &Y_ROUNDED), 0.3317019, 5e-8);
        close(tau_ap_b(&X_ROUNDED, &Y_ROUNDED), 0.339418, 5e-7);
    }

    #[test]
    fn extremes() {
        let reversed: Vec<f64> = X.iter().map(|v| -v).collect();
        for coefficient in [tau_ap, tau_ap_symmetric, tau_ap_b] {
            close(coefficient(&X, &X), 1.0, 1e-15);
            close(coefficient(&X, &reversed), -1.0, 1e-15);
            assert_eq!(coefficient(&[0.3], &[0.4]).unwrap(), None);
            assert!(coefficient(&[], &[]).unwrap_err().is_usage());
            assert!(coefficient(&[f64::NAN], &[1.0]).unwrap_err().is_usage());
        }
        assert_eq!(tau_ap(&[0.1, 0.2], &[0.5, 0.5]).unwrap(), Some(0.0));
        assert_eq!(tau_ap_b(&[0.1, 0.2], &[0.5, 0.5]).unwrap(), None);
    }

    /// Every way of breaking the ties of a list: all orders of the items that respect its scores,
    /// as tie-free scores.
    fn broken(scores: &[f64]) -> Vec<Vec<f64>> {
        fn extend(scores: &[f64], chosen: &mut Vec<usize>, out: &mut Vec<Vec<f64>>) {
            let left: Vec<usize> = (0..scores.len()).filter(|i| !chosen.contains(i)).collect();
            if left.is_empty() {
                let mut broken = vec![0.0; scores.len()];
                chosen.iter().enumerate().for_each(|(place, &i)| broken[i] = -(place as f64));
                out.push(broken);
            }
            for &i in left.iter().filter(|&&i| left.iter().all(|&j| scores[j] <= scores[i])) {
                chosen.push(i);
                extend(scores, chosen, out);
                chosen.pop();
            }
        }
        let mut out = Vec::new();
        extend(scores, &mut Vec::new(), &mut out);
        out
    }

    /// The definition of Yilmaz and others, word by word, for lists without ties.
    fn by_definition(truth: &[f64], estimate: &[f64]) -> f64 {
        let order = descending(estimate);
        let sum: f64 = (1..order.len())
            .map(|i| {
                (0..i).filter(|&j| truth[order[j]] > truth[order[i]]).count() as f64 / i as f64
            })
            .sum();
        2.0 / (order.len() - 1) as f64 * sum - 1.0
    }

    /// The share of the items strictly above each item below the first group that the other ranking
    /// confirms, by looking at all pairs.
    fn naive_b(x: &[f64], y: &[f64]) -> Option<f64> {
        let (mut total, mut items) = (0.0, 0);
        for i in 0..x.len() {
            let above: Vec<usize> = (0..x.len()).filter(|&j| y[j] > y[i]).collect();
            if !above.is_empty() {
                total += above.iter().filter(|&&j| x[j] > x[i]).count() as f64 / above.len() as f64;
                items += 1;
            }
        }
        (items > 0).then(|| 2.0 * total / f64::from(items) - 1.0)
    }

    proptest! {
        #[test]
        fn fast_is_naive(pairs in prop::collection::vec((0u8..30, 0u8..30), 2..120)) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            let naive = naive_b(&x, &y).zip(naive_b(&y, &x)).map(|(forth, back)| (forth + back) / 2.0);
            match (tau_ap_b(&x, &y).unwrap(), naive) {
                (Some(fast), Some(naive)) => prop_assert!((fast - naive).abs() < 1e-12, "{} {}", fast, naive),
                (fast, naive) => prop_assert_eq!(fast, naive),
            }
            // Without ties tau_AP is its definition.
            let place = |v: &[f64]| v.iter().enumerate().map(|(i, v)| v + i as f64 * 1e-3).collect::<Vec<_>>();
            let (x, y) = (place(&x), place(&y));
            prop_assert!((tau_ap(&x, &y).unwrap().unwrap() - by_definition(&x, &y)).abs() < 1e-12);
        }

        #[test]
        fn ties_are_the_mean_over_all_breakings(pairs in prop::collection::vec((0u8..3, 0u8..4), 2..6)) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            let (truths, estimates) = (broken(&x), broken(&y));
            let sum: f64 = truths.iter().flat_map(|t| estimates.iter().map(|e| by_definition(t, e))).sum();
            let mean = sum / (truths.len() * estimates.len()) as f64;
            prop_assert!((tau_ap(&x, &y).unwrap().unwrap() - mean).abs() < 1e-12);
            let back: f64 = truths.iter().flat_map(|t| estimates.iter().map(|e| by_definition(e, t))).sum::<f64>() / (truths.len() * estimates.len()) as f64;
            prop_assert!((tau_ap_symmetric(&x, &y).unwrap().unwrap() - (mean + back) / 2.0).abs() < 1e-12);
        }

        #[test]
        fn bounded(pairs in prop::collection::vec((0u8..6, 0u8..6), 2..20)) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(x, y)| (f64::from(x), f64::from(y))).unzip();
            for coefficient in [tau_ap, tau_ap_symmetric, tau_ap_b] {
                prop_assert!(coefficient(&x, &y).unwrap().is_none_or(|c| (-1.0 - 1e-12..=1.0 + 1e-12).contains(&c)));
            }
        }
    }
}
