//! The table of one topic: judged documents that matter, and every document seen so far, by hash.

use crate::data::Entry;

/// A slot holds the upper 62 bits of a hash and, in the lowest two, what is known of the document; 0 is an empty slot.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<u64>,
    /// The judgement of each slot that has one; read for hits alone.
    rows: Vec<u32>,
    shift: u32,
    used: usize,
}

const SEEN: u64 = 1;
const JUDGED: u64 = 2;
const TAGS: u64 = 3;

/// What a look-up found.
pub(super) enum Found {
    /// A document not seen before, and not judged: it is in the table now.
    New,
    /// A slot with this hash.
    Known(usize),
}

impl Table {
    /// Empties the table and puts the judged documents in. `expected` is a guess at how many documents will come.
    pub(super) fn restart(&mut self, expected: usize, judged: &[Entry]) {
        let size = (2 * expected.max(judged.len()).max(32)).next_power_of_two();
        self.resize(size);
        for (row, entry) in judged.iter().enumerate() {
            let at = self.vacant(entry.hash);
            self.slots[at] = entry.hash & !TAGS | JUDGED;
            self.rows[at] = row as u32;
        }
        self.used = judged.len();
    }

    fn resize(&mut self, size: usize) {
        self.slots.clear();
        self.slots.resize(size, 0);
        if self.rows.len() < size {
            self.rows.resize(size, 0);
        }
        self.shift = 64 - size.trailing_zeros();
    }

    fn vacant(&self, hash: u64) -> usize {
        let mut at = (hash >> self.shift) as usize;
        while self.slots[at] != 0 {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    #[inline(always)]
    pub(super) fn find(&mut self, hash: u64) -> Found {
        self.probe((hash >> self.shift) as usize, hash)
    }

    /// The same, behind a slot whose document turned out to be another one.
    pub(super) fn find_after(&mut self, at: usize, hash: u64) -> Found {
        self.probe((at + 1) & (self.slots.len() - 1), hash)
    }

    #[inline(always)]
    fn probe(&mut self, mut at: usize, hash: u64) -> Found {
        let mask = self.slots.len() - 1;
        loop {
            let slot = self.slots[at & mask];
            if slot == 0 {
                self.slots[at & mask] = hash & !TAGS | SEEN;
                self.used += 1;
                if self.used * 2 > self.slots.len() {
                    self.grow();
                }
                return Found::New;
            }
            if slot & !TAGS == hash & !TAGS {
                return Found::Known(at & mask);
            }
            at += 1;
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        let old_rows = std::mem::take(&mut self.rows);
        self.resize(old.len() * 2);
        for (slot, row) in old.into_iter().zip(old_rows) {
            if slot != 0 {
                let at = self.vacant(slot);
                self.slots[at] = slot;
                self.rows[at] = row;
            }
        }
    }

    /// The judgement of a slot, if it has one.
    pub(super) fn judged(&self, at: usize) -> Option<u32> {
        (self.slots[at] & JUDGED != 0).then(|| self.rows[at])
    }

    /// Marks a judged document as seen; false where it was already.
    pub(super) fn mark_seen(&mut self, at: usize) -> bool {
        let new = self.slots[at] & SEEN == 0;
        self.slots[at] |= SEEN;
        new
    }
}
