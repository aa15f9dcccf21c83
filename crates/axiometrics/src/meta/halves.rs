//! What changes between two halves of the topics: swaps of pairs of systems (Voorhees and Buckley,
//! SIGIR 2002) and the stability of the order.

use rayon::prelude::*;
use serde::Serialize;

use super::MetaSettings;
use crate::error::{Error, Result};
use crate::stats::{ScoreMatrix, kendall_tau_b};

/// The share of swaps that is put up with.
const TOLERATED: f64 = 0.05;

/// Over random splits of the topics into two disjoint halves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Halves {
    /// How many topics a half has; of an odd number one is left over.
    pub topics: usize,
    /// How many splits.
    pub splits: usize,
    /// The share of pairs of systems whose order in one half is reversed in the other. A tie is no
    /// reversal.
    pub swap_rate: f64,
    /// The least difference of means in one half from which on at most 5% of pairs are reversed in
    /// the other.
    pub difference_needed: Option<f64>,
    /// The share of pairs whose difference in a half is at least that: the sensitivity of the
    /// measure.
    pub sensitivity: f64,
    /// The mean of Kendall's tau-b between the orders of systems by the two halves.
    pub stability: Option<f64>,
}

/// Splits the topics at random, the same splits for every measure of one seed.
pub fn halves(scores: &ScoreMatrix, settings: &MetaSettings) -> Result<Halves> {
    let half = scores.topics() / 2;
    if half == 0 || settings.splits == 0 {
        return Err(Error::usage("halves of topics need at least two topics and one split"));
    }
    let split = |trial: usize| one_split(scores, half, settings, trial);
    let splits: Vec<Split> =
        (0..settings.splits).into_par_iter().map(split).collect::<Result<_>>()?;
    let taus: Vec<f64> = splits.iter().filter_map(|s| s.tau).collect();
    let mut pairs: Vec<(f64, bool)> = splits.into_iter().flat_map(|s| s.pairs).collect();
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
    let swaps = pairs.iter().filter(|(_, swapped)| *swapped).count();
    let reached = tolerable(&pairs);
    Ok(Halves {
        topics: half,
        splits: settings.splits,
        swap_rate: swaps as f64 / pairs.len().max(1) as f64,
        difference_needed: reached.checked_sub(1).map(|last| pairs[last].0),
        sensitivity: reached as f64 / pairs.len().max(1) as f64,
        stability: (!taus.is_empty()).then(|| taus.iter().sum::<f64>() / taus.len() as f64),
    })
}

/// How many of the pairs, by descending difference, can be kept before more than 5% of them are
/// swapped.
fn tolerable(descending: &[(f64, bool)]) -> usize {
    let (mut swaps, mut seen, mut kept) = (0, 0, 0);
    for same in descending.chunk_by(|a, b| a.0 == b.0) {
        swaps += same.iter().filter(|(_, swapped)| *swapped).count();
        seen += same.len();
        if swaps as f64 <= TOLERATED * seen as f64 {
            kept = seen;
        }
    }
    kept
}

/// The absolute difference of each pair in the first half, with whether the second half reverses
/// it.
struct Split {
    pairs: Vec<(f64, bool)>,
    tau: Option<f64>,
}

fn one_split(
    scores: &ScoreMatrix,
    half: usize,
    settings: &MetaSettings,
    trial: usize,
) -> Result<Split> {
    let mut stream = settings.resampling.stream(trial);
    let mut topics: Vec<usize> = (0..scores.topics()).collect();
    for position in 0..2 * half {
        let chosen = position + stream.below(topics.len() - position);
        topics.swap(position, chosen);
    }
    let means = |chosen: &[usize]| -> Vec<f64> {
        scores
            .rows()
            .iter()
            .map(|row| chosen.iter().map(|t| row[*t]).sum::<f64>() / chosen.len() as f64)
            .collect()
    };
    let (one, other) = (means(&topics[..half]), means(&topics[half..2 * half]));
    let mut pairs = Vec::with_capacity(one.len() * one.len() / 2);
    for a in 0..one.len() {
        for b in a + 1..one.len() {
            let (first, second) = (one[a] - one[b], other[a] - other[b]);
            pairs.push((first.abs(), first * second < 0.0));
        }
    }
    Ok(Split { pairs, tau: kendall_tau_b(&one, &other)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: Vec<Vec<f64>>) -> ScoreMatrix {
        ScoreMatrix::new(rows).unwrap()
    }

    #[test]
    fn systems_in_one_order_on_every_topic_never_swap() {
        let rows = (0..4)
            .map(|s| (0..9).map(|t| f64::from(s) * 0.1 + f64::from(t % 3) * 0.2).collect())
            .collect();
        let found = halves(&matrix(rows), &MetaSettings::default()).unwrap();
        assert_eq!((found.topics, found.swap_rate, found.sensitivity), (4, 0.0, 1.0));
        assert!((found.stability.unwrap() - 1.0).abs() < 1e-12);
    }

    /// Two topics that disagree wholly: whichever comes first, every pair swaps.
    #[test]
    fn opposite_topics_always_swap() {
        let found = halves(
            &matrix(vec![vec![0.1, 0.9], vec![0.5, 0.5], vec![0.9, 0.1]]),
            &MetaSettings::default(),
        )
        .unwrap();
        assert_eq!((found.swap_rate, found.difference_needed, found.sensitivity), (1.0, None, 0.0));
        assert!((found.stability.unwrap() + 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_needed_difference_keeps_swaps_rare() {
        let pairs: Vec<(f64, bool)> =
            (0..100).map(|i| (1.0 - f64::from(i) / 100.0, i == 50 || i > 80)).collect();
        // 1 of 51 is fewer than 5%; with i = 81, 82, 83 swapped 4 of 84 still are, 5 of 85 are not.
        assert_eq!(tolerable(&pairs), 84);
    }
}
