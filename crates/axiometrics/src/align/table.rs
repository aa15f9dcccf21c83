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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Topic after topic, more than there are turns: a table knows the documents of the topic at hand and no other.
        #[test]
        fn a_table_knows_one_topic(topics in proptest::collection::vec((proptest::collection::vec(0u64..40, 0..60), 0u64..9), 1..40)) {
            // Few hashes, so that slots and hashes meet, in all places of the table.
            let entry = |n: u64| Entry { hash: n.wrapping_mul(0x9e37_79b9_7f4a_7c15) & !LABEL | (n % 64), ..Entry::default() };
            let mut table = Table::default();
            for (documents, judged) in topics {
                let documents: Vec<Entry> = documents.into_iter().map(entry).collect();
                let judged: Vec<Entry> = (0..judged).map(|n| entry(5 * n)).collect();
                let mut known: HashMap<u64, Option<u32>> = judged.iter().zip(0..).map(|(e, row)| (e.hash & !LABEL, Some(row))).collect();
                table.restart(documents.len(), &judged);
                let mut next = 0;
                while let Some((new, at)) = table.insert_all(&documents[next..]) {
                    for document in &documents[next..next + new] {
                        prop_assert_eq!(known.insert(document.hash & !LABEL, None), None);
                    }
                    next += new;
                    prop_assert_eq!(known.get(&(documents[next].hash & !LABEL)), Some(&table.judged(at)));
                    next += 1;
                }
                for document in &documents[next..] {
                    prop_assert_eq!(known.insert(document.hash & !LABEL, None), None);
                }
            }
        }
    }
}
