//! The seven numeric properties of Moffat (2013), one file each.
//!
//! A state is (v, k): the gains of all documents of the collection in rank order, and the depth to
//! which the metric sees them.

mod bounded;
mod complete;
mod convergent;
mod localized;
mod monotonic;
mod realizable;
mod top_weighted;

use super::search::{Id, SearchTally, StateTable};
use super::witness::apart;
use super::{Check, Witness};
use std::cmp::Ordering;

/// In the order of the paper.
pub(super) const CHECKS: &[&dyn Check] = &[
    &bounded::Bounded,
    &monotonic::Monotonic,
    &convergent::Convergent,
    &top_weighted::TopWeighted,
    &localized::Localized,
    &complete::Complete,
    &realizable::Realizable,
];

/// Looks for a swap that moves a better document up, from one range of positions into another above
/// it, and does not increase the score.
pub(super) fn swap_without_increase(
    table: &StateTable,
    tally: &mut SearchTally,
    upper: impl Fn(Id) -> std::ops::Range<u32>,
    lower: impl Fn(Id, u32) -> std::ops::Range<u32>,
) -> Option<Witness> {
    for id in table.states() {
        for i in upper(id) {
            for j in lower(id, i) {
                if table.level(id, i) >= table.level(id, j) {
                    continue;
                }
                let better = table.swapped(id, i, j);
                if let Some(order @ (Ordering::Less | Ordering::Equal)) =
                    tally.ask(table, better, id, |order| order == Ordering::Greater)
                {
                    let (before, after) = (table.state(id), table.state(better));
                    let scores = apart([&before, &after]);
                    let text = format!(
                        "{} scores {}, and with ranks {} and {} swapped {} scores {}: {}{}",
                        before.ranking(),
                        scores[0],
                        table.rank(i),
                        table.rank(j),
                        after.ranking(),
                        scores[1],
                        if order == Ordering::Equal { "no increase" } else { "a decrease" },
                        tally.proviso(),
                    );
                    return Some(Witness {
                        states: vec![before, after],
                        text,
                        max_grade: table.levels.top(),
                        worlds: Vec::new(),
                    });
                }
            }
        }
    }
    None
}
