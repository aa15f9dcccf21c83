//! The table of one topic: which of its documents may have been seen before, by hash.

use std::iter::successors;

use super::Entry;

/// All documents that were put in, the judged ones first, are numbered on. A slot holds the number
/// of the last document that came there, and each document that of the one it met there, so that
/// most are put in without a question asked: only those that met another are looked at again.
///
/// Numbers go on from topic to topic. What earlier topics left in the slots is told by its number,
/// and the table need not be cleared.
#[derive(Debug, Default)]
pub(super) struct MeetingTable {
    slots: Vec<u32>,
    /// What each document met.
    met: Vec<u32>,
    /// The documents of the ranking that met another one of this topic, by index, and how many
    /// there are.
    meetings: Vec<u32>,
    count: usize,
    judged: usize,
    /// The numbers of this topic.
    first: u32,
    end: u32,
}

/// Tables of so few documents are given more room, since they stay in the nearest cache anyway.
const SMALL: usize = 1024;

/// A slot for each hash, but for the bits that are none; beyond that, documents meet more often.
const LARGEST: usize = (u32::MAX / (Entry::LABEL + 1)) as usize + 1;

/// A document that came to a slot before another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Earlier {
    /// The row of a judgement.
    Judged(usize),
    /// An earlier document of the ranking.
    Listed(usize),
}

impl MeetingTable {
    /// Puts in the judged documents of a topic, and then those of the ranking.
    pub(super) fn fill(&mut self, judged: &[Entry], documents: &[Entry]) {
        let held = judged.len() + documents.len();
        let size =
            (held * if held <= SMALL { 4 } else { 2 }).next_power_of_two().clamp(64, LARGEST);
        grow(&mut self.slots, size);
        grow(&mut self.met, held);
        grow(&mut self.meetings, documents.len());
        // 0 is the number of none.
        self.first = self.end.max(1);
        if self.first.checked_add(held as u32).is_none() {
            self.slots.fill(0);
            self.first = 1;
        }
        self.end = self.first + held as u32;
        self.judged = judged.len();
        let (first, slots) = (self.first, &mut self.slots[..size]);
        let shift = u32::BITS - size.trailing_zeros();
        let mut number = first;
        let mut put = |document: &Entry| {
            let slot = &mut slots[(document.hash >> shift) as usize & (size - 1)];
            let met = std::mem::replace(slot, number);
            number += 1;
            met
        };
        let (met_by_judged, met_by_others) = self.met[..held].split_at_mut(judged.len());
        for (met, document) in met_by_judged.iter_mut().zip(judged) {
            *met = put(document);
        }
        // Without a branch that depends on the hash, which no processor can foresee.
        let mut count = 0;
        for (index, (met, document)) in met_by_others.iter_mut().zip(documents).enumerate() {
            let other = put(document);
            *met = other;
            self.meetings[count] = index as u32;
            count += usize::from(other >= first);
        }
        self.count = count;
    }

    /// The documents of the ranking that met others, in its order, each with these, the last first.
    pub(super) fn meetings(&self) -> impl Iterator<Item = (usize, impl Iterator<Item = Earlier>)> {
        let earlier =
            |index: usize| self.met[index].checked_sub(self.first).map(|number| number as usize);
        self.meetings[..self.count].iter().map(move |document| {
            let document = *document as usize;
            let others = successors(earlier(self.judged + document), move |index| earlier(*index));
            let kind = |index: usize| {
                index.checked_sub(self.judged).map_or(Earlier::Judged(index), Earlier::Listed)
            };
            (document, others.map(kind))
        })
    }
}

fn grow(numbers: &mut Vec<u32>, len: usize) {
    if numbers.len() < len {
        numbers.resize(len, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Topic after topic, also where numbers begin anew: a table knows the documents of the
        /// topic at hand and no other.
        #[test]
        fn a_table_knows_one_topic(
            topics in proptest::collection::vec((proptest::collection::vec(0u32..40, 0..60), 0u32..9), 1..40),
            left in 0u32..2000,
        ) {
            // Few hashes, so that slots and hashes meet, in all places of the table.
            let entry = |n: u32| Entry { hash: n.wrapping_mul(0x9e37_79b9), ..Entry::default() };
            let mut table = MeetingTable { end: u32::MAX - left, ..MeetingTable::default() };
            for (documents, judged) in topics {
                let documents: Vec<Entry> = documents.into_iter().map(entry).collect();
                let judged: Vec<Entry> = (0..judged).map(|n| entry(5 * n)).collect();
                table.fill(&judged, &documents);
                let mut found = vec![Vec::new(); documents.len()];
                for (document, others) in table.meetings() {
                    let hash = |other: &Earlier| match *other {
                        Earlier::Judged(row) => judged[row].hash,
                        Earlier::Listed(index) => documents[index].hash,
                    };
                    found[document] = others.filter(|other| hash(other) == documents[document].hash).collect();
                }
                for (i, document) in documents.iter().enumerate() {
                    let listed = (0..i).rev().filter(|j| documents[*j].hash == document.hash).map(Earlier::Listed);
                    let known = judged.iter().position(|j| j.hash == document.hash).map(Earlier::Judged);
                    prop_assert_eq!(&found[i], &listed.chain(known).collect::<Vec<_>>());
                }
            }
        }
    }
}
