//! A reader who stops where a goal is reached.
//!
//! The worth of an open document is any whole number up to that of the top grade, so above a rank
//! the worth of the judged documents and any whole number up to a largest can be collected. For
//! each rank at which the reader may stop, the least and the most collected there are looked at.

use super::{Completion, Ends, Range, RangeAlgorithm, RangeKind, ScoreOf};
use crate::measure::Score;

/// What a reader has who stops where the worth collected reaches a goal. The worth of every whole
/// grade is a whole number, and so is that of the highest. Each function is of the highest grade
/// too, which comes last.
pub struct Goal<'a> {
    /// The last rank that is read.
    pub k: u32,
    /// The worth of a grade.
    pub worth: Box<dyn Fn(f64, f64) -> f64 + Send + Sync + 'a>,
    /// Whether so much is enough.
    pub reached: Box<dyn Fn(f64, f64) -> bool + Send + Sync + 'a>,
    /// The score of so much, and of so many documents read: it goes one way in the first.
    pub value: Box<dyn Fn(f64, u32, f64) -> f64 + Send + Sync + 'a>,
}

impl RangeAlgorithm for Goal<'_> {
    fn range(&mut self, all: &mut Completion, _score: &ScoreOf<'_>) -> Option<Range> {
        Range::between(ends(self, all), RangeKind::Exact)
    }
}

fn ends(rule: &Goal<'_>, all: &Completion) -> Ends {
    let mut ends = Ends::default();
    let max_grade = all.max_grade();
    let top = (rule.worth)(max_grade, max_grade) as u64;
    let reached = |judged: f64, open: u64| (rule.reached)(judged + open as f64, max_grade);
    let mut add = |judged: f64, open: u64, read: u32| {
        ends.add(Score::Value((rule.value)(judged + open as f64, read, max_grade)))
    };
    // Collected above the rank: what was judged, and at most so much of the open documents.
    let (mut judged, mut open) = (0.0, 0);
    for (hit, is_open) in all.documents().take_while(|(hit, _)| hit.rank <= rule.k) {
        if reached(judged, 0) {
            return ends;
        }
        // The most of the open documents with which the reader goes on to this rank.
        let most = first_where(0, open, |n| reached(judged, n)).map_or(open, |n| n - 1);
        if is_open {
            open += top;
            if let Some(least) = first_where(most, most + top, |n| reached(judged, n)) {
                add(judged, least, hit.rank);
                add(judged, most + top, hit.rank);
            }
        } else {
            judged += (rule.worth)(hit.grade, max_grade);
            if let Some(least) = first_where(0, most, |n| reached(judged, n)) {
                add(judged, least, hit.rank);
                add(judged, most, hit.rank);
            }
        }
    }
    if !reached(judged, 0) {
        let most = first_where(0, open, |n| reached(judged, n)).map_or(open, |n| n - 1);
        add(judged, 0, rule.k);
        add(judged, most, rule.k);
    }
    ends
}

/// The first number between two, both included, from which on something holds.
fn first_where(from: u64, to: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    if !holds(to) {
        return None;
    }
    let (mut from, mut to) = (from, to);
    while from < to {
        let middle = from + (to - from) / 2;
        if holds(middle) { to = middle } else { from = middle + 1 }
    }
    Some(to)
}
