//! The lowest and the highest score of any order.

use super::orders::TiedGroup;
use super::sampled::MOST;
use super::{Known, Orders, TieAlgorithm};
use crate::data::{Hit, Judged};
use crate::measure::Score;
use crate::measure::range::{Ends, Range, RangeKind};

/// The orders by grade have the lowest and the highest score.
#[derive(Debug, Clone, Copy)]
pub struct Ordered;

impl TieAlgorithm for Ordered {
    fn extremes(&self, _orders: &Orders<'_>) -> Known {
        Known::Sorted
    }
}

/// The same, once it is settled which documents of a group stand in the top k.
#[derive(Debug, Clone, Copy)]
pub struct OrderedWithin(pub u32);

impl TieAlgorithm for OrderedWithin {
    fn extremes(&self, orders: &Orders<'_>) -> Known {
        // A document that was pooled and not assessed is neither the worst nor unseen: inferred
        // measures take it for what stands around it.
        if orders.hits.iter().any(|hit| hit.grade < 0.0) {
            Known::Nothing
        } else {
            Known::SortedWithin(self.0)
        }
    }
}

/// What another algorithm knows, for topics that meet a condition.
pub struct Given<'a, A> {
    condition: Box<dyn Fn(&Judged<'_>) -> bool + Send + Sync + 'a>,
    then: A,
}

impl<'a, A> Given<'a, A> {
    /// What `then` knows, given the condition.
    pub fn new(condition: impl Fn(&Judged<'_>) -> bool + Send + Sync + 'a, then: A) -> Self {
        Given { condition: Box::new(condition), then }
    }
}

impl<A: TieAlgorithm> TieAlgorithm for Given<'_, A> {
    fn expected(&self, orders: &Orders<'_>) -> Option<Score> {
        if (self.condition)(&orders.topic) { self.then.expected(orders) } else { None }
    }

    fn extremes(&self, orders: &Orders<'_>) -> Known {
        if (self.condition)(&orders.topic) { self.then.extremes(orders) } else { Known::Nothing }
    }
}

/// As [`Ordered`] if every grade is 0 or 1.
#[derive(Debug, Clone, Copy)]
pub struct OrderedIfBinary;

impl TieAlgorithm for OrderedIfBinary {
    fn extremes(&self, orders: &Orders<'_>) -> Known {
        if orders.is_binary() { Known::Sorted } else { Known::Nothing }
    }
}

pub(super) fn range(
    orders: &Orders<'_>,
    algorithm: &dyn TieAlgorithm,
    stream: usize,
) -> Option<Range> {
    let mut ends = Ends::default();
    for best_first in [false, true] {
        let mut hits: Vec<Hit> = orders.settled().copied().collect();
        orders.groups.iter().for_each(|group| {
            place(orders.of(group), group.tie.first, group.tie.len, best_first, &mut hits)
        });
        ends.add(orders.score(&mut hits));
    }
    let known = if orders.condense { Known::Nothing } else { algorithm.extremes(orders) };
    let exact = match known {
        Known::Sorted => true,
        Known::SortedWithin(k) => match orders.cut_at(k) {
            None => true,
            Some(group) => {
                each_choice(orders, group, k, &mut ends)
                    || orders.each(stream, |score| ends.add(score))
            }
        },
        Known::Nothing => orders.each(stream, |score| ends.add(score)),
    };
    Range::between(ends, if exact { RangeKind::Exact } else { RangeKind::Searched })
}

/// Hits at so many ranks by grade: at the first ones with the best before the others, or at the
/// last ones with the worst before the others. The ranks between belong to documents that no
/// measure sees.
pub(crate) fn place(hits: &[Hit], first: u32, len: u32, best_first: bool, all: &mut Vec<Hit>) {
    if let [hit] = hits {
        return all.push(Hit { rank: if best_first { first } else { first + len - 1 }, ..*hit });
    }
    let mut sorted = hits.to_vec();
    sorted.sort_by(|a, b| {
        if best_first { b.grade.total_cmp(&a.grade) } else { a.grade.total_cmp(&b.grade) }
    });
    let start = if best_first { first } else { first + len - sorted.len() as u32 };
    all.extend((start..).zip(sorted).map(|(rank, hit)| Hit { rank, ..hit }));
}

/// Tries every choice of the documents of a group that stand in the top k, by their grades, both
/// parts sorted either way; false if there are too many.
fn each_choice(orders: &Orders<'_>, cut: &TiedGroup, k: u32, ends: &mut Ends) -> bool {
    let inside = k.min(orders.depth) + 1 - cut.tie.first;
    let outside = cut.tie.len - inside;
    let mut hits = orders.of(cut).to_vec();
    hits.sort_by(|a, b| a.grade.total_cmp(&b.grade));
    let grades: Vec<&[Hit]> = hits.chunk_by(|a, b| a.grade == b.grade).collect();
    let choices = grades.iter().try_fold(1usize, |all, same| all.checked_mul(same.len() + 1));
    let Some(choices) = choices.filter(|n| *n <= MOST) else { return false };
    for code in 0..choices {
        let mut rest = code;
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for same in &grades {
            let (taken, left) = same.split_at(rest % (same.len() + 1));
            rest /= same.len() + 1;
            above.extend_from_slice(taken);
            below.extend_from_slice(left);
        }
        if above.len() > inside as usize || below.len() > outside as usize {
            continue;
        }
        for best_first in [false, true] {
            let mut hits: Vec<Hit> = orders.settled().copied().collect();
            for group in orders.groups.iter().filter(|group| group.tie != cut.tie) {
                place(orders.of(group), group.tie.first, group.tie.len, best_first, &mut hits);
            }
            place(&above, cut.tie.first, inside, best_first, &mut hits);
            place(&below, cut.tie.first + inside, outside, best_first, &mut hits);
            ends.add(orders.score(&mut hits));
        }
    }
    true
}
