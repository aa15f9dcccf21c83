//! Rank-biased overlap of two rankings (Webber, Moffat and Zobel, TOIS 2010).

use std::collections::HashSet;
use std::hash::Hash;

use serde::Serialize;

use super::sample::checked_open_unit;
use crate::{Error, Result};

/// Rank-biased overlap, with what the unseen tails of the rankings leave open.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rbo {
    /// The least it can be: the unseen tails share nothing more.
    pub min: f64,
    /// How much more it can be: the unseen tails share all they can.
    pub residual: f64,
    /// Extrapolated: the agreement seen at the end goes on for ever.
    pub ext: f64,
}

/// RBO of two rankings without ties, best item first, possibly of different lengths, for a user who
/// goes on to the next rank with probability `p`.
pub fn rbo<T: Eq + Hash>(one: &[T], other: &[T], p: f64) -> Result<Rbo> {
    checked_open_unit(p, "p")?;
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    if short.is_empty() {
        return Err(Error::usage("a ranking is empty: its overlap with another is not known"));
    }
    let overlaps = overlaps(short, long)?;
    let (s, l) = (short.len(), long.len());
    let (overlap_s, overlap_l) = (overlaps[s - 1] as f64, overlaps[l - 1] as f64);
    let overlap = |depth: usize| overlaps[depth - 1] as f64;
    // The weight of the agreement at each depth is (1 - p) p^(depth - 1); depth sums divide
    // overlaps by depth.
    let depth_sum = |upto: usize, numerator: &dyn Fn(usize) -> f64| -> f64 {
        let mut weight = 1.0 - p;
        let mut sum = 0.0;
        for depth in 1..=upto {
            sum += weight * numerator(depth) / depth as f64;
            weight *= p;
        }
        sum
    };

    // Beyond l the overlap stays; the sum of p^d/d over all d is -ln(1-p).
    let min = depth_sum(l, &|d| overlap(d) - overlap_l) - overlap_l * (1.0 - p) / p * (-p).ln_1p();
    // An unseen rank of either list can hold an unmatched item of the other, until all are matched
    // at the depth s + l - X_l.
    let matched = s + l - overlaps[l - 1];
    let most = |d: usize| match d {
        d if d <= s => overlap(d),
        d if d <= l => overlap(d) + (d - s) as f64,
        d => overlap_l + (d - s) as f64 + (d - l) as f64,
    };
    let max = depth_sum(matched, &most) + power(p, matched);
    // Equation 32 of the paper: beyond s the short list agrees as it did at s, beyond l both do as
    // at l.
    let extended =
        |d: usize| overlap(d) + if d > s { overlap_s * (d - s) as f64 / s as f64 } else { 0.0 };
    let ext = depth_sum(l, &extended)
        + ((overlap_l - overlap_s) / l as f64 + overlap_s / s as f64) * power(p, l);
    Ok(Rbo {
        min: min.clamp(0.0, 1.0),
        residual: (max - min).clamp(0.0, 1.0),
        ext: ext.clamp(0.0, 1.0),
    })
}

fn power(p: f64, n: usize) -> f64 {
    p.powf(n as f64)
}

/// How many items the first d ranks of both lists share, for d = 1 to the length of the longer.
fn overlaps<T: Eq + Hash>(short: &[T], long: &[T]) -> Result<Vec<usize>> {
    let (mut seen_short, mut seen_long) = (HashSet::new(), HashSet::new());
    let mut shared = 0;
    let mut overlaps = Vec::with_capacity(long.len());
    for (depth, item) in long.iter().enumerate() {
        let mut fresh = seen_long.insert(item);
        shared += usize::from(seen_short.contains(item));
        if let Some(item) = short.get(depth) {
            fresh &= seen_short.insert(item);
            shared += usize::from(seen_long.contains(item));
        }
        if !fresh {
            return Err(Error::usage(format!(
                "a ranking holds an item twice, again at rank {}",
                depth + 1
            )));
        }
        overlaps.push(shared);
    }
    Ok(overlaps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, cut where what is left is negligible: (1-p) sum of p^(d-1) |A_d and B_d| /
    /// d.
    fn by_definition(a: &[u32], b: &[u32], p: f64) -> f64 {
        let overlap = |d: usize| {
            a[..d.min(a.len())].iter().filter(|x| b[..d.min(b.len())].contains(x)).count() as f64
        };
        (1..=a.len()).map(|d| (1.0 - p) * p.powi(d as i32 - 1) * overlap(d) / d as f64).sum()
    }

    /// Appends what is given, then numbers from `fresh` on, to a length at which p^n is negligible.
    fn continued(seen: &[u32], then: &[u32], fresh: u32) -> Vec<u32> {
        seen.iter().chain(then).copied().chain(fresh..).take(160).collect()
    }

    #[test]
    fn the_same_and_disjoint() {
        let same = rbo(&["a", "b", "c"], &["a", "b", "c"], 0.9).unwrap();
        assert!((same.ext - 1.0).abs() < 1e-15 && (same.min + same.residual - 1.0).abs() < 1e-15);
        let apart = rbo(&["a", "b"], &["c", "d"], 0.9).unwrap();
        assert_eq!((apart.ext, apart.min), (0.0, 0.0));
    }

    #[test]
    fn refuses_what_is_no_ranking() {
        assert!(rbo(&["a", "a"], &["b", "c"], 0.9).unwrap_err().is_usage());
        assert!(rbo(&["b"], &["b", "c", "b"], 0.9).unwrap_err().is_usage());
        assert!(rbo::<u8>(&[], &[1], 0.9).unwrap_err().is_usage());
        for p in [0.0, 1.0, -1.0, f64::NAN] {
            assert!(rbo(&[1], &[1], p).unwrap_err().is_usage());
        }
    }

    fn rankings() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
        let items: Vec<u32> = (0..9).collect();
        (Just(items.clone()).prop_shuffle(), Just(items).prop_shuffle(), 1usize..8, 1usize..8)
            .prop_map(|(a, b, n, m)| (a[..n].to_vec(), b[..m].to_vec()))
    }

    proptest! {
        /// Tails of items of their own reach the minimum; tails of the other's unmatched items,
        /// then common ones, the maximum.
        #[test]
        fn bounds_are_reached_by_continuations((a, b) in rankings()) {
            let p = 0.8;
            let found = rbo(&a, &b, p).unwrap();
            let apart = by_definition(&continued(&a, &[], 1000), &continued(&b, &[], 2000), p);
            prop_assert!((found.min - apart).abs() < 1e-12, "{:?} {}", found, apart);
            let missing = |from: &[u32], of: &[u32]| from.iter().filter(|x| !of.contains(x)).copied().collect::<Vec<_>>();
            let best = by_definition(&continued(&a, &missing(&b, &a), 1000), &continued(&b, &missing(&a, &b), 1000), p);
            prop_assert!((found.min + found.residual - best).abs() < 1e-12, "{:?} {}", found, best);
            prop_assert!(found.min <= found.ext + 1e-12 && found.ext <= found.min + found.residual + 1e-12);
            prop_assert_eq!(found, rbo(&b, &a, p).unwrap());
        }

        /// No continuation leaves the bounds.
        #[test]
        fn bounds_hold_for_any_continuation((a, b) in rankings(), tail in Just((0u32..40).collect::<Vec<_>>()).prop_shuffle()) {
            let p = 0.8;
            let found = rbo(&a, &b, p).unwrap();
            let rest = |seen: &[u32]| tail.iter().filter(|x| !seen.contains(x)).copied().collect::<Vec<_>>();
            let value = by_definition(&continued(&a, &rest(&a), 1000), &continued(&b, &rest(&b), 2000), p);
            prop_assert!(found.min - 1e-12 <= value && value <= found.min + found.residual + 1e-12);
        }

        /// Beyond its end the shorter list agrees as it did there, and beyond the longer both do.
        #[test]
        fn ext_of_lists_of_two_lengths_is_summed_depth_by_depth((a, b) in rankings()) {
            let p: f64 = 0.7;
            let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
            let shared = |d: usize| {
                let seen = &short[..d.min(short.len())];
                long[..d.min(long.len())].iter().filter(|x| seen.contains(x)).count() as f64
            };
            let rate = shared(short.len()) / short.len() as f64;
            let unseen = |d: usize| d.saturating_sub(short.len()) as f64;
            let agreement = |d: usize| {
                let d = d.min(long.len());
                (shared(d) + rate * unseen(d)) / d as f64
            };
            let expected: f64 = (1..400).map(|d| (1.0 - p) * p.powi(d as i32 - 1) * agreement(d)).sum();
            prop_assert!((rbo(&a, &b, p).unwrap().ext - expected).abs() < 1e-12);
        }

        /// For lists of one length the extrapolation is the seen part plus the last agreement for
        /// ever after.
        #[test]
        fn ext_goes_on_as_it_ended((a, b) in rankings()) {
            let (p, k) = (0.7, a.len().min(b.len()));
            let (a, b) = (&a[..k], &b[..k]);
            let last = a.iter().filter(|x| b.contains(x)).count() as f64 / k as f64;
            let expected = by_definition(a, b, p) + last * p.powi(k as i32);
            prop_assert!((rbo(a, b, p).unwrap().ext - expected).abs() < 1e-12);
        }
    }
}
