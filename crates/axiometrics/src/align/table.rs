//! The table of one topic: judged documents that matter, and every document seen so far, by hash.

use crate::data::Entry;

/// A slot holds the upper 62 bits of a hash and, in the lowest two, what is known of the document; 0 is an empty slot.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<u64>,
    /// The judgement of each slot that has one; read for hits alone.
    rows: Vec<u32>,
    shift: u32,
}

/// Tables of so few documents are given more room.
const SMALL: usize = 512;

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
    /// Empties the table, makes room for so many documents and puts the judged ones in.
    pub(super) fn restart(&mut self, documents: usize, judged: &[Entry]) {
        // At most half full; small tables are emptier, since they stay in the nearest cache anyway.
        let held = (documents + judged.len()).max(16);
        let size = if held <= SMALL { 4 * held } else { 2 * held }.next_power_of_two();
        self.slots.clear();
        self.slots.resize(size, 0);
        if self.rows.len() < size {
            self.rows.resize(size, 0);
        }
        self.shift = 64 - size.trailing_zeros();
        for (row, entry) in judged.iter().enumerate() {
            let at = self.vacant(entry.hash);
            self.slots[at] = entry.hash & !TAGS | JUDGED;
            self.rows[at] = row as u32;
        }
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
            at &= mask;
            let slot = self.slots[at];
            if slot == 0 {
                self.slots[at] = hash & !TAGS | SEEN;
                return Found::New;
            }
            if slot & !TAGS == hash & !TAGS {
                return Found::Known(at);
            }
            at += 1;
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
