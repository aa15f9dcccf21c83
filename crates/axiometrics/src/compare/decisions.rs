//! Which of some systems differ, decided for all pairs together.

use std::cmp::Ordering;

/// For every two systems: the first is significantly better, or worse, or neither can be said.
///
/// Ranks ([`super::ranks`]) and letters ([`super::letters`]) follow from it alone. They hold for all
/// systems at once if the decisions do, that is, if they were corrected for the number of pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decisions {
    systems: usize,
    /// Row by row: whether the system of the row is better than that of the column.
    better: Vec<bool>,
}

impl Decisions {
    /// Asks about every two systems, the earlier first: `Greater` if the first is significantly
    /// better, `Less` if it is significantly worse, `Equal` if neither can be said.
    pub fn new(systems: usize, mut of: impl FnMut(usize, usize) -> Ordering) -> Decisions {
        let mut better = vec![false; systems * systems];
        for a in 0..systems {
            for b in a + 1..systems {
                match of(a, b) {
                    Ordering::Greater => better[a * systems + b] = true,
                    Ordering::Less => better[b * systems + a] = true,
                    Ordering::Equal => {}
                }
            }
        }
        Decisions { systems, better }
    }

    /// How many systems.
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// Whether `a` is significantly better than `b`.
    pub fn is_better(&self, a: usize, b: usize) -> bool {
        a < self.systems && b < self.systems && self.better[a * self.systems + b]
    }

    /// Whether the two can be told apart.
    pub fn differ(&self, a: usize, b: usize) -> bool {
        self.is_better(a, b) || self.is_better(b, a)
    }
}
