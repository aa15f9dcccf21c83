//! The rank of the first relevant document.

use super::{Known, Orders, TieAlgorithm};
use crate::data::Hit;
use crate::measure::Score;
use crate::measure::range::First;

impl TieAlgorithm for First {
    fn expected(&self, orders: &Orders<'_>) -> Option<Score> {
        Some(first(orders, self.k, self.rel))
    }

    fn extremes(&self, _orders: &Orders<'_>) -> Known {
        Known::Sorted
    }
}

/// A function of the rank of the first relevant document.
fn first(orders: &Orders<'_>, k: u32, rel: f64) -> Score {
    let relevant = |hit: &&Hit| hit.grade >= rel;
    let Some(at) = orders.hits.iter().position(|hit| relevant(&hit)) else {
        return orders.score_of_run();
    };
    let Some(group) = orders.groups.iter().find(|group| group.hits.contains(&at)) else {
        return orders.score_of_run();
    };
    let count = orders.of(group).iter().filter(relevant).count() as f64;
    let n = f64::from(group.tie.len);
    let hit = orders.hits[at];
    let score = |rank: u32| orders.score(&mut vec![Hit { rank, ..hit }]).value().unwrap_or(0.0);
    let (mut sum, mut none_above) = (0.0, 1.0);
    for (place, rank) in orders.places(group, k) {
        let here = (count / (n - place)).min(1.0);
        sum += none_above * here * score(rank);
        none_above *= 1.0 - here;
    }
    Score::Value(sum)
}
