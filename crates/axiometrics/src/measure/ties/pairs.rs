//! Sums over relevant documents of a term of the judged non-relevant ones above.

use super::orders::Stretch;
use super::{InTopic, Known, OrderedWithin, Orders, TieAlgorithm};
use crate::data::{Hits, Judged};
use crate::measure::Score;

/// A sum over the relevant documents of a topic.
pub struct PairSum<'a> {
    /// The lowest relevant grade.
    pub rel: f64,
    /// The term of a relevant document below so many judged non-relevant ones.
    pub term: InTopic<'a, u32, f64>,
    /// The score that the sum gives.
    pub value: InTopic<'a, f64, Score>,
}

impl TieAlgorithm for PairSum<'_> {
    fn expected(&self, orders: &Orders<'_>) -> Option<Score> {
        orders.cut_at(u32::MAX).is_none().then(|| pairs(orders, self))
    }

    fn extremes(&self, orders: &Orders<'_>) -> Known {
        OrderedWithin(u32::MAX).extremes(orders)
    }
}

/// Within a group, each number of judged non-relevant documents above is equally likely.
fn pairs(orders: &Orders<'_>, rule: &PairSum<'_>) -> Score {
    let topic = Judged { hits: Hits::new(&orders.hits), ..orders.topic };
    let (mut sum, mut above) = (0.0, 0);
    for stretch in orders.stretches() {
        let hits = match stretch {
            Stretch::Hit(hit) => std::slice::from_ref(hit),
            Stretch::Group(group) => orders.of(group),
        };
        let judged = hits.iter().filter(|hit| hit.grade >= 0.0);
        let relevant = judged.clone().filter(|hit| hit.grade >= rule.rel).count();
        let others = (judged.count() - relevant) as u32;
        let mean = (0..=others).map(|n| (rule.term)(&topic, above + n)).sum::<f64>()
            / f64::from(others + 1);
        sum += if relevant == 0 { 0.0 } else { relevant as f64 * mean };
        above += others;
    }
    (rule.value)(&topic, sum)
}
