//! Users who stop at a document with a probability of its own.

use super::orders::Stretch;
use super::{InTopic, Known, Orders, TieAlgorithm};
use crate::data::Hit;
use crate::measure::Score;

/// A user who stops at a document with a probability of its own, and the score that the mean of 1 /
/// (the rank of the last document) gives.
pub struct Cascade<'a> {
    /// The cutoff.
    pub k: u32,
    /// The probability that a grade satisfies.
    pub satisfies: InTopic<'a, f64, f64>,
    /// The score.
    pub value: InTopic<'a, f64, Score>,
}

impl TieAlgorithm for Cascade<'_> {
    fn expected(&self, orders: &Orders<'_>) -> Option<Score> {
        Some(cascade(orders, self))
    }

    fn extremes(&self, _orders: &Orders<'_>) -> Known {
        Known::Sorted
    }
}

/// The expected reciprocal of the last rank: within a group, the chance of going on behind so many
/// of its documents is the mean over all choices of them of the product of their chances.
fn cascade(orders: &Orders<'_>, rule: &Cascade<'_>) -> Score {
    let topic = &orders.topic;
    let goes_on = |hit: &Hit| 1.0 - (rule.satisfies)(topic, hit.grade);
    let (mut sum, mut reach) = (0.0, 1.0);
    for stretch in orders.stretches() {
        match stretch {
            Stretch::Hit(hit) if hit.rank <= rule.k => {
                sum += reach * (1.0 - goes_on(hit)) / f64::from(hit.rank);
                reach *= goes_on(hit);
            }
            Stretch::Hit(_) => {}
            Stretch::Group(group) => {
                let last = group.tie.last().min(rule.k).min(orders.depth);
                if last < group.tie.first {
                    break;
                }
                let through = means_of_products(
                    orders.of(group).iter().map(goes_on),
                    group.tie.len,
                    last + 1 - group.tie.first,
                );
                sum += reach
                    * (group.tie.first..=last)
                        .zip(through.windows(2))
                        .map(|(rank, m)| (m[0] - m[1]) / f64::from(rank))
                        .sum::<f64>();
                reach *= orders.of(group).iter().map(goes_on).product::<f64>();
            }
        }
    }
    (rule.value)(topic, sum)
}

/// For j = 0, 1, ..., `most`: the mean over all choices of j out of n numbers of their product. The
/// numbers that are not given are 1.
fn means_of_products(numbers: impl Iterator<Item = f64>, n: u32, most: u32) -> Vec<f64> {
    let mut means = vec![1.0; most as usize + 1];
    for (i, q) in (1..=n).zip(numbers.chain(std::iter::repeat(1.0))) {
        for j in (1..=i.min(most)).rev() {
            let without = if j == i { 0.0 } else { means[j as usize] };
            means[j as usize] = (f64::from(i - j) * without
                + f64::from(j) * q * means[j as usize - 1])
                / f64::from(i);
        }
    }
    means
}
