//! The order of a ranking: the only place that says which of two documents comes first.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::{Entry, Listing};
use crate::policy::{Rounding, Ties};

/// The higher score comes first. Rounding are never NaN, and -0.0 equals 0.0, which `total_cmp` would
/// deny.
#[inline]
pub(crate) fn by_score(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a).unwrap_or(Ordering::Equal)
}

/// The order of two ids with equal scores; `Equal` if the order of the file decides.
#[inline]
pub(crate) fn by_id(ties: Ties, a: &[u8], b: &[u8]) -> Ordering {
    match ties {
        Ties::DocidDesc | Ties::Average | Ties::Range => b.cmp(a),
        Ties::DocidAsc => a.cmp(b),
        Ties::File => Ordering::Equal,
    }
}

impl<'l> Listing<'l> {
    /// Which of two rows comes first.
    #[inline]
    pub(crate) fn compare(&self, ties: Ties, a: u32, b: u32) -> Ordering {
        let score = |row: u32| self.rows[row as usize].value;
        by_score(score(a), score(b)).then_with(|| self.compare_tied(ties, a, b))
    }

    /// Which of two rows with equal scores comes first.
    #[inline]
    pub(crate) fn compare_tied(&self, ties: Ties, a: u32, b: u32) -> Ordering {
        by_id(ties, self.id(a as usize), self.id(b as usize)).then(a.cmp(&b))
    }

    /// The rows, best first.
    pub(crate) fn order(&self, ties: Ties, scores: Rounding) -> Vec<u32> {
        let rows = self.compared(scores);
        let listing = Listing { rows: &rows, ..*self };
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        order.sort_unstable_by(|a, b| listing.compare(ties, *a, *b));
        order
    }

    /// The rows with their scores as they are compared.
    pub(crate) fn compared(&self, scores: Rounding) -> Cow<'l, [Entry]> {
        match scores {
            Rounding::F64 => Cow::Borrowed(self.rows),
            Rounding::F32 => {
                let round = |row: &Entry| Entry { value: f64::from(row.value as f32), ..*row };
                Cow::Owned(self.rows.iter().map(round).collect())
            }
        }
    }
}
