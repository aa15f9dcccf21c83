//! Functions of how many relevant documents the top k holds: those of the group that is cut are
//! hypergeometric.

use super::{Known, Orders, TieAlgorithm};
use crate::data::Hit;
use crate::measure::Score;
use crate::measure::range::Counts;

impl TieAlgorithm for Counts<'_> {
    fn expected(&self, orders: &Orders<'_>) -> Option<Score> {
        let Some(group) = orders.cut_at(self.k) else { return Some(orders.score_of_run()) };
        let relevant =
            |hits: &[Hit]| hits.iter().filter(|hit| hit.grade >= self.rel).count() as u32;
        let above = relevant(&orders.hits[..group.hits.start]);
        let (n, r) = (group.tie.len, relevant(orders.of(group)));
        let inside = self.k.min(orders.depth) - (group.tie.first - 1);
        let in_all = orders.topic.relevant(&self.rel);
        let score = |t: u32| (self.value)(above + t, orders.topic.retrieved, in_all).value();
        let (mut sum, mut weight) = (0.0, 0.0);
        for (t, w) in hypergeometric(n, r, inside) {
            if let Some(score) = score(t) {
                sum += w * score;
                weight += w;
            }
        }
        Some(if weight > 0.0 { Score::Value(sum / weight) } else { orders.score_of_run() })
    }

    fn extremes(&self, _orders: &Orders<'_>) -> Known {
        Known::Sorted
    }
}

/// How likely each number of relevant documents is among `drawn` of n, of which r are relevant: as
/// shares of the likeliest, from which they are worked out either way, so that none is beyond
/// floating point.
fn hypergeometric(n: u32, r: u32, drawn: u32) -> Vec<(u32, f64)> {
    let (least, most) = (drawn.saturating_sub(n - r), r.min(drawn));
    let likeliest = ((u64::from(drawn) + 1) * (u64::from(r) + 1) / (u64::from(n) + 2)) as u32;
    let likeliest = likeliest.clamp(least, most);
    // From t to t + 1.
    let step = |t: u32| {
        f64::from(r - t) * f64::from(drawn - t)
            / (f64::from(t + 1) * (f64::from(n - r) - f64::from(drawn) + f64::from(t + 1)))
    };
    let mut all = vec![(likeliest, 1.0)];
    all.extend((likeliest..most).scan(1.0, |w, t| {
        *w *= step(t);
        Some((t + 1, *w))
    }));
    all.extend((least..likeliest).rev().scan(1.0, |w, t| {
        *w /= step(t);
        Some((t, *w))
    }));
    all
}
