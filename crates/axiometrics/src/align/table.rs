//! The table of one topic: judged documents that matter, and every document seen so far, by hash.

use crate::data::Entry;

/// A slot holds a hash and, in the bits of its label, what is known of the document. Slots of earlier topics are as good as empty, so that a table need
/// not be cleared for each: the label also holds the turn, which counts topics from 1 until there are no more bits.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<u64>,
    /// The judgement of each slot that has one; read for hits alone.
    rows: Vec<u32>,
    /// How many of the slots are in use.
    size: usize,
    turn: u64,
}

/// Tables of so few documents are given more room.
const SMALL: usize = 512;

const LABEL: u64 = Entry::LABEL;
const SEEN: u64 = 1;
const JUDGED: u64 = 2;
const TURN: u64 = LABEL & !(SEEN | JUDGED);
const FIRST_TURN: u64 = TURN & TURN.wrapping_neg();

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
        self.size = if held <= SMALL { 4 * held } else { 2 * held }.next_power_of_two();
        if self.slots.len() < self.size {
            self.slots.resize(self.size, 0);
            self.rows.resize(self.size, 0);
        }
        self.turn += FIRST_TURN;
        if self.turn > TURN {
            self.slots.fill(0);
            self.turn = FIRST_TURN;
        }
        let open = Open { slots: &mut self.slots[..self.size], turn: self.turn };
        for (row, entry) in judged.iter().enumerate() {
            let at = open.vacant(entry.hash);
            open.slots[at] = entry.hash & !LABEL | open.turn | JUDGED;
            self.rows[at] = row as u32;
        }
    }

    /// The slots in use.
    fn open(&mut self) -> Open<'_> {
        Open { slots: &mut self.slots[..self.size], turn: self.turn }
    }

    /// Puts documents in as long as they are new. The first that is not: its index, and the slot with its hash.
    #[inline]
    pub(super) fn insert_all(&mut self, documents: &[Entry]) -> Option<(usize, usize)> {
        let mut open = self.open();
        documents.iter().enumerate().find_map(|(i, document)| match open.probe(open.home(document.hash), document.hash) {
            Found::New => None,
            Found::Known(at) => Some((i, at)),
        })
    }

    /// Looks on behind a slot whose document turned out to be another one.
    pub(super) fn find_after(&mut self, at: usize, hash: u64) -> Found {
        self.open().probe(at + 1, hash)
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

struct Open<'t> {
    slots: &'t mut [u64],
    turn: u64,
}

impl Open<'_> {
    /// Where a document is looked for first.
    #[inline(always)]
    fn home(&self, hash: u64) -> usize {
        (hash >> (self.slots.len().leading_zeros() + 1)) as usize
    }

    #[inline(always)]
    fn is_vacant(&self, slot: u64) -> bool {
        slot & TURN != self.turn
    }

    fn vacant(&self, hash: u64) -> usize {
        let mut at = self.home(hash);
        while !self.is_vacant(self.slots[at]) {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    #[inline(always)]
    fn probe(&mut self, mut at: usize, hash: u64) -> Found {
        loop {
            at &= self.slots.len() - 1;
            let slot = self.slots[at];
            if self.is_vacant(slot) {
                self.slots[at] = hash & !LABEL | self.turn | SEEN;
                return Found::New;
            }
            if slot ^ hash <= LABEL {
                return Found::Known(at);
            }
            at += 1;
        }
    }
}
