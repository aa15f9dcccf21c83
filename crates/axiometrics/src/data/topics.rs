//! Topics by name.

use std::sync::OnceLock;

use hashbrown::HashTable;

use super::bytes::{self, Hashing};

/// Topics by name, numbered in the order of first appearance.
///
/// Most files have their topics in order. There a name that comes behind all others is new, and
/// nobody need look for it: an index is made once a name comes that does not, or if somebody asks
/// for a topic by name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Topics {
    names: Vec<u8>,
    spans: Vec<(u32, u32)>,
    /// As long as there is none, each name comes behind the one before it.
    index: OnceLock<HashTable<IndexedTopic>>,
    hashing: Hashing,
}

/// A topic in the index. Its first eight bytes and its length are all that there is of most names,
/// so that nothing else need be looked at.
#[derive(Debug, Clone, Copy)]
struct IndexedTopic {
    head: u64,
    len: u32,
    topic: u32,
}

impl Topics {
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    pub(crate) fn name(&self, topic: u32) -> &[u8] {
        let (start, len) = self.spans[topic as usize];
        &self.names[start as usize..(start + len) as usize]
    }

    /// The hash of ids, which rows share with topics.
    pub(super) fn hashing(&self) -> Hashing {
        self.hashing
    }

    pub(crate) fn find(&self, name: &[u8]) -> Option<u32> {
        let head = bytes::load(name, 0);
        self.known(name, head, self.hashing.headed(head, name.len(), || name))
    }

    #[inline(always)]
    fn known(&self, name: &[u8], head: u64, hash: u64) -> Option<u32> {
        let same = |k: &IndexedTopic| {
            k.head == head
                && k.len as usize == name.len()
                && (name.len() <= 8 || self.name(k.topic) == name)
        };
        let index = self.index.get_or_init(|| self.indexed());
        index.find(hash, same).map(|known| known.topic)
    }

    /// The topic's number, new or known.
    pub(crate) fn intern(&mut self, name: &[u8]) -> u32 {
        self.intern_headed(name, bytes::load(name, 0))
    }

    /// The same for a name whose first word has been loaded.
    #[inline(always)]
    pub(super) fn intern_headed(&mut self, name: &[u8], head: u64) -> u32 {
        if self.index.get().is_none() && self.comes_behind(name) {
            return self.append(name);
        }
        let hash = self.hashing.headed(head, name.len(), || name);
        self.known(name, head, hash).unwrap_or_else(|| self.add(name, head, hash))
    }

    /// True if a name is above the last one: longer, or as long with higher bytes, which is also the
    /// order of whole numbers.
    fn comes_behind(&self, name: &[u8]) -> bool {
        self.len().checked_sub(1).is_none_or(|last| {
            let last = self.name(last as u32);
            (last.len(), last) < (name.len(), name)
        })
    }

    fn append(&mut self, name: &[u8]) -> u32 {
        self.spans.push((self.names.len() as u32, name.len() as u32));
        self.names.extend_from_slice(name);
        self.spans.len() as u32 - 1
    }

    #[inline(never)]
    fn add(&mut self, name: &[u8], head: u64, hash: u64) -> u32 {
        let topic = self.append(name);
        let mut index = self.index.take().unwrap_or_default();
        let new = IndexedTopic { head, len: name.len() as u32, topic };
        index.insert_unique(hash, new, |known| self.hash_of(known));
        // There is none: it was taken.
        let _ = self.index.set(index);
        topic
    }

    /// An index of all topics.
    #[cold]
    fn indexed(&self) -> HashTable<IndexedTopic> {
        let mut index = HashTable::with_capacity(self.len());
        for topic in 0..self.len() as u32 {
            let name = self.name(topic);
            let head = bytes::load(name, 0);
            let new = IndexedTopic { head, len: name.len() as u32, topic };
            index.insert_unique(self.hash_of(&new), new, |known| self.hash_of(known));
        }
        index
    }

    fn hash_of(&self, known: &IndexedTopic) -> u64 {
        self.hashing.headed(known.head, known.len as usize, || self.name(known.topic))
    }

    /// The topics' numbers, sorted by the bytes of their names.
    pub(crate) fn sorted(&self) -> Vec<u32> {
        // The first eight bytes as one number decide almost all comparisons.
        let key = |t: u32| bytes::load(self.name(t), 0).swap_bytes();
        let mut keyed: Vec<(u64, u32)> = (0..self.len() as u32).map(|t| (key(t), t)).collect();
        keyed.sort_unstable_by_key(|(key, _)| *key);
        for same in keyed.chunk_by_mut(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            same.sort_unstable_by(|a, b| self.name(a.1).cmp(self.name(b.1)));
        }
        keyed.into_iter().map(|(_, t)| t).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn topics_sort_by_bytes() {
        let mut t = Topics::default();
        for name in ["10", "9", "100000000", "100000001", "1"] {
            t.intern(name.as_bytes());
        }
        let names: Vec<&[u8]> = t.sorted().into_iter().map(|i| t.name(i)).collect();
        assert_eq!(names, [b"1".as_slice(), b"10", b"100000000", b"100000001", b"9"]);
    }

    proptest! {
        /// Names in order for a while, then in any order, long ones that share their first bytes
        /// among them; and somebody asks for one in between.
        #[test]
        fn a_name_has_one_number_whatever_the_order(
            ascending in 0usize..30,
            others in proptest::collection::vec("[ab]{0,2}|1234567[0-9]{0,4}|[0-9]{1,2}", 0..40),
            asked in 0usize..60,
        ) {
            let names = (0..ascending).map(|n| (3 * n).to_string()).chain(others);
            let (mut topics, mut known) = (Topics::default(), HashMap::new());
            for (at, name) in names.enumerate() {
                if at == asked {
                    prop_assert_eq!(topics.find(name.as_bytes()), known.get(&name).copied());
                }
                let new = known.len() as u32;
                let number = *known.entry(name.clone()).or_insert(new);
                prop_assert_eq!(topics.intern(name.as_bytes()), number);
            }
            prop_assert_eq!(topics.len(), known.len());
            for (name, number) in &known {
                prop_assert_eq!(topics.find(name.as_bytes()), Some(*number));
                prop_assert_eq!(topics.name(*number), name.as_bytes());
            }
            prop_assert_eq!(topics.find(b"none"), None);
        }
    }
}
