//! Sums over documents: each stands at every rank of its group equally often.

use super::orders::Stretch;
use super::{InTopic, Known, Orders, TieAlgorithm};
use crate::measure::Score;

/// For fixed judgements, a function of a sum over documents of the gain of each times the weight of
/// its rank.
pub struct Linear<'a> {
    /// The gain of a grade.
    pub gain: InTopic<'a, f64, f64>,
    /// The weights of so many ranks, from the top: none below 0, and none above the one before.
    pub weights: InTopic<'a, u32, Vec<f64>>,
    /// The score that the sum gives, in which it is linear.
    pub value: InTopic<'a, f64, Score>,
}

impl TieAlgorithm for Linear<'_> {
    fn expected(&self, orders: &Orders<'_>) -> Option<Score> {
        let topic = &orders.topic;
        let end = orders.groups.last().map_or(0, |group| group.tie.last());
        let end = orders.hits.last().map_or(end, |hit| hit.rank.max(end)).min(orders.depth);
        let weights = (self.weights)(topic, end);
        let mut sum = 0.0;
        for stretch in orders.stretches() {
            match stretch {
                Stretch::Hit(hit) => {
                    let weight = weights.get(hit.rank as usize - 1).copied().unwrap_or(0.0);
                    sum += (self.gain)(topic, hit.grade) * weight;
                }
                Stretch::Group(group) => {
                    let first = group.tie.first as usize - 1;
                    let last = weights.len().min(group.tie.last() as usize);
                    let weight: f64 = weights.get(first..last).map_or(0.0, |w| w.iter().sum());
                    let gain: f64 =
                        orders.of(group).iter().map(|hit| (self.gain)(topic, hit.grade)).sum();
                    sum += gain * weight / f64::from(group.tie.len);
                }
            }
        }
        Some((self.value)(topic, sum))
    }

    fn extremes(&self, _orders: &Orders<'_>) -> Known {
        Known::Sorted
    }
}
