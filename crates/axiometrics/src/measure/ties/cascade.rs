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
/// of its hits is the mean over all choices of them of the product of their chances; the place of
/// the next hit is as likely as any choice of places for all of them makes it.
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
                let chances: Vec<f64> = orders.of(group).iter().map(goes_on).collect();
                let places = GroupPlaces {
                    n: group.tie.len,
                    hits: chances.len() as u32,
                    above: group.tie.first - 1,
                    inside: last + 1 - group.tie.first,
                };
                let through = means_of_products(&chances, places.inside);
                sum += reach
                    * (1..)
                        .zip(through.windows(2))
                        .map(|(hit, m)| (m[0] - m[1]) * places.reciprocal_rank(hit))
                        .sum::<f64>();
                reach *= chances.iter().product::<f64>();
            }
        }
    }
    (rule.value)(topic, sum)
}

/// A chance below this share of the largest adds nothing.
const NOTHING: f64 = 1e-18;

/// For j = 0, 1, ...: the mean over all choices of j of these numbers, which are chances, of their
/// product; as far as `most`, and as far as it is more than nothing. It falls at least as fast as
/// the powers of the mean of the numbers (Maclaurin), so that a hundred or so will do, however many
/// numbers there are.
fn means_of_products(numbers: &[f64], most: u32) -> Vec<f64> {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let enough = if mean > 0.0 { (NOTHING.ln() / mean.ln()).ceil() } else { 1.0 };
    let most = (numbers.len() as f64).min(f64::from(most)).min(enough.max(1.0)) as usize;
    let mut means = vec![1.0; most + 1];
    for (i, q) in (1..).zip(numbers) {
        for j in (1..=most.min(i)).rev() {
            let without = if j == i { 0.0 } else { means[j] };
            means[j] = ((i - j) as f64 * without + j as f64 * q * means[j - 1]) / i as f64;
        }
    }
    means
}

/// Where the hits of a group may stand.
struct GroupPlaces {
    /// The documents of the group.
    n: u32,
    /// Those of them that are hits.
    hits: u32,
    /// The documents above the group.
    above: u32,
    /// The first so many places of the group are read.
    inside: u32,
}

impl GroupPlaces {
    /// The mean of 1 / (rank of the hit of this number from the top), 0 if it is not read.
    fn reciprocal_rank(&self, hit: u32) -> f64 {
        let GroupPlaces { n, hits, above, inside } = *self;
        let (first, last) = (hit, n - hits + hit);
        // The likeliest place; the others follow from it either way, as shares of its likelihood.
        let middle = (f64::from(hit) * f64::from(n + 1) / f64::from(hits + 1)) as u32;
        let likeliest = middle.clamp(first, last);
        // From a place to the next.
        let step = |place: u32| {
            f64::from(place) * f64::from(last - place)
                / (f64::from(place - hit + 1) * f64::from(n - place))
        };
        let (mut all, mut sum) = (0.0, 0.0);
        let mut add = |place: u32, share: f64| {
            all += share;
            if place <= inside {
                sum += share / f64::from(above + place);
            }
        };
        add(likeliest, 1.0);
        let mut share = 1.0;
        for place in likeliest..last {
            share *= step(place);
            if share < NOTHING {
                break;
            }
            add(place + 1, share);
        }
        share = 1.0;
        for place in (first..likeliest).rev() {
            share /= step(place);
            if share < NOTHING {
                break;
            }
            add(place, share);
        }
        sum / all
    }
}
