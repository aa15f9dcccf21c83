//! Where, for a fixed number of documents of each grade, the score never falls when a higher grade
//! changes places with a lower one above it, the ends are among the completions whose grades fall
//! or rise down the ranking: one of each for every way to share the open documents among the
//! grades.

use super::{Completion, Ends, Range, RangeAlgorithm, RangeKind, ScoreOf};
use crate::data::{Hits, Judged};

/// For a fixed number of documents of each grade the score never falls if a higher grade changes
/// places with a lower one above it; it lies between 0 and 1.
#[derive(Debug, Clone, Copy)]
pub struct Sorted;

impl RangeAlgorithm for Sorted {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        range(all, score)
    }
}

/// With more ways than this there is only the bound from 0 to 1.
const MOST: u64 = 2_000;

fn range(all: &Completion, score: &ScoreOf<'_>) -> Option<Range> {
    let top = all.max_grade() as u32;
    let whole = f64::from(top) == all.max_grade();
    if !whole || ways(all.open(), top).is_none_or(|ways| ways > MOST) {
        let undefined = all.judged_grades().positive.is_empty();
        return Some(Range { low: 0.0, high: 1.0, tail: 0.0, kind: RangeKind::Bound, undefined });
    }
    let mut ends = Ends::default();
    let mut grades = vec![0; all.open() as usize];
    loop {
        for reversed in [false, true] {
            let row = grades.iter().copied().map(f64::from);
            let (hits, collection) = if reversed { all.with(row.rev()) } else { all.with(row) };
            ends.add(score(&Judged {
                hits: Hits::new(&hits),
                grades: (&collection).into(),
                ..all.view()
            }));
        }
        // The next of the rows that never rise, in the order of dictionaries.
        let grows =
            |at: &usize| grades[*at] < at.checked_sub(1).map_or(top, |before| grades[before]);
        let Some(at) = (0..grades.len()).rev().find(grows) else { break };
        grades[at] += 1;
        grades[at + 1..].fill(0);
    }
    Range::between(ends, RangeKind::Exact)
}

/// In how many ways so many documents can have grades up to the top: the binomial coefficient of
/// open + top over top.
fn ways(open: u32, top: u32) -> Option<u64> {
    (1..=u64::from(top)).try_fold(1u64, |ways, i| Some(ways.checked_mul(u64::from(open) + i)? / i))
}
