//! The table of one topic: judged documents that matter, and every document seen so far, by hash.

use crate::data::Entry;

/// A slot holds a hash and, in the bits of its label, what is known of the document; 0 is an empty slot.
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
const LABEL: u64 = Entry::LABEL;

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
            self.slots[at] = entry.hash & !LABEL | JUDGED;
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

    /// Puts documents in as long as they are new. The first that is not: its index, and the slot with its hash.
    #[inline]
    pub(super) fn insert_all(&mut self, documents: &[Entry]) -> Option<(usize, usize)> {
        let shift = self.shift;
        let slots = self.slots.as_mut_slice();
        let mask = slots.len() - 1;
        for (i, document) in documents.iter().enumerate() {
            if let Found::Known(at) = probe(slots, mask, (document.hash >> shift) as usize, document.hash) {
                return Some((i, at));
            }
        }
        None
    }

    /// Looks on behind a slot whose document turned out to be another one.
    pub(super) fn find_after(&mut self, at: usize, hash: u64) -> Found {
        let mask = self.slots.len() - 1;
        probe(&mut self.slots, mask, at + 1, hash)
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

#[inline(always)]
fn probe(slots: &mut [u64], mask: usize, mut at: usize, hash: u64) -> Found {
    loop {
        at &= mask;
        let slot = slots[at];
        if slot == 0 {
            slots[at] = hash & !LABEL | SEEN;
            return Found::New;
        }
        if (slot ^ hash) <= LABEL {
            return Found::Known(at);
        }
        at += 1;
    }
}
