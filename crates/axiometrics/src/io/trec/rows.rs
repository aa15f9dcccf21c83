//! The rows of the group at hand.

use std::ops::{Deref, DerefMut};

use crate::data::Entry;

/// Rows, and room for more that is filled with empty ones: a loop that writes rows need not ask for
/// room with each.
#[derive(Default)]
pub(super) struct Rows {
    all: Vec<Entry>,
    len: usize,
}

/// Room for so many rows at least.
const LEAST: usize = 64;

impl Rows {
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn is_full(&self) -> bool {
        self.len == self.all.len()
    }

    /// Makes room for one row at least.
    #[inline]
    pub(super) fn make_room(&mut self) {
        if self.is_full() {
            self.all.resize((2 * self.len).max(LEAST), Entry::default());
        }
    }

    #[inline]
    pub(super) fn push(&mut self, row: Entry) {
        self.make_room();
        self.all[self.len] = row;
        self.len += 1;
    }

    /// Adds rows as long as there are more and there is room.
    #[inline(always)]
    pub(super) fn fill(&mut self, mut next: impl FnMut() -> Option<Entry>) {
        let filled =
            self.all[self.len..].iter_mut().map_while(|free| next().map(|row| *free = row)).count();
        self.len += filled;
    }
}

impl Deref for Rows {
    type Target = [Entry];

    fn deref(&self) -> &[Entry] {
        &self.all[..self.len]
    }
}

impl DerefMut for Rows {
    fn deref_mut(&mut self) -> &mut [Entry] {
        &mut self.all[..self.len]
    }
}
