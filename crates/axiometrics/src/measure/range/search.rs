//! The least of a bound over numbers, without a look at each if there are many.
//!
//! A bound that holds for all numbers of a stretch is asked for stretch by stretch, the one with the
//! least bound first, which is halved. The bound of the stretch at hand holds for all numbers: it is
//! the least bound of a single number if the search comes to one, and a proved bound wherever it is
//! stopped.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::RangeInclusive;

/// So many numbers are looked at one by one.
const EACH: u32 = 400;

/// With more, a bound is asked for so often.
const ASKED: usize = 400;

/// A stretch of numbers with its bound.
struct NumberStretch {
    bound: f64,
    from: u32,
    to: u32,
}

/// The greatest of a heap is the stretch with the least bound.
impl Ord for NumberStretch {
    fn cmp(&self, other: &NumberStretch) -> Ordering {
        other.bound.total_cmp(&self.bound).then(other.from.cmp(&self.from))
    }
}

impl PartialOrd for NumberStretch {
    fn partial_cmp(&self, other: &NumberStretch) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for NumberStretch {
    fn eq(&self, other: &NumberStretch) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for NumberStretch {}

/// A number that the values of none of these numbers fall below, if `bound` says as much of the
/// numbers from one to another; `None` for a number, or several, that have no value.
pub(super) fn least(
    numbers: RangeInclusive<u32>,
    mut bound: impl FnMut(u32, u32) -> Option<f64>,
) -> Option<f64> {
    let (first, last) = numbers.into_inner();
    if last - first < EACH {
        return (first..=last).filter_map(|t| bound(t, t)).reduce(f64::min);
    }
    let mut stretches = BinaryHeap::new();
    let mut asked = 0;
    let mut ask = |stretches: &mut BinaryHeap<NumberStretch>, from: u32, to: u32| {
        asked += 1;
        if let Some(bound) = bound(from, to) {
            stretches.push(NumberStretch { bound, from, to });
        }
        asked
    };
    ask(&mut stretches, first, last);
    loop {
        let NumberStretch { bound, from, to } = stretches.pop()?;
        if from == to {
            return Some(bound);
        }
        let middle = from + (to - from) / 2;
        ask(&mut stretches, from, middle);
        if ask(&mut stretches, middle + 1, to) >= ASKED {
            return stretches.pop().map(|stretch| stretch.bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_a_bowl_is_found_and_a_plain_is_bounded() {
        let bowl = |t: u32| (f64::from(t) - 7654.0).powi(2);
        let mut calls = 0;
        let found = least(0..=100_000, |from, to| {
            calls += 1;
            // The distance from the stretch to the bottom.
            Some(bowl(7654.clamp(from, to)))
        });
        assert_eq!(found, Some(0.0));
        assert!(calls < 100, "{calls}");
        // Nothing tells these numbers apart; their bounds get better the shorter the stretch.
        let found = least(0..=100_000, |from, to| Some(1.0 - f64::from(to - from))).unwrap();
        assert!((-800.0..=1.0).contains(&found), "{found}");
        assert_eq!(least(0..=1000, |_, _| None), None);
        assert_eq!(least(3..=5, |t, _| Some(f64::from(t))), Some(3.0));
    }
}
