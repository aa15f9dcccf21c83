//! The names of a topic's documents, numbered in the order of their first appearance.
//!
//! Ten million names must be numbered in a second or two, so what is usual costs little: names that
//! ascend need no table, since each is new; names that come in the order in which they were
//! numbered need no look-up, since each follows the last. Only what is neither is looked up in a
//! hash table, many at a time, so that the waits for memory overlap.

use std::cmp::Ordering;

use super::table::HashTable;
use crate::data::bytes::{self, Hashing};

/// Numbers for names. All names lie in one allocation, so that ten million of them cost little more
/// than their bytes.
#[derive(Debug, Clone)]
pub struct Documents {
    text: String,
    /// Where each name starts, and where the last ends.
    starts: Vec<usize>,
    /// Empty as long as the names ascend.
    table: HashTable,
    /// The number after the last that was asked for. Files that list the same documents mostly list
    /// them in the same order.
    next: u32,
    /// How many names are looked up together: one after a name was where it was expected, more and
    /// more as long as none is.
    together: usize,
    hashing: Hashing,
}

/// At most so many names are looked up together: enough that the waits for memory overlap, few
/// enough to stay in the nearest cache.
const TOGETHER: usize = 256;

impl Default for Documents {
    fn default() -> Documents {
        Documents {
            text: String::new(),
            starts: vec![0],
            table: HashTable::default(),
            next: 0,
            together: 1,
            hashing: Hashing::default(),
        }
    }
}

impl Documents {
    /// The number of names.
    #[inline]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// True if there is no name.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of a document, `?` for a number that was never given out.
    pub fn name(&self, document: u32) -> &str {
        let at = document as usize;
        if at < self.len() { &self.text[self.starts[at]..self.starts[at + 1]] } else { "?" }
    }

    #[inline]
    fn bytes(&self, at: usize) -> &[u8] {
        &self.text.as_bytes()[self.starts[at]..self.starts[at + 1]]
    }

    /// The number of a name, given out now if need be.
    pub fn intern(&mut self, name: &str) -> u32 {
        self.expected(name).unwrap_or_else(|| self.look_up(name))
    }

    /// The same for names that come in no order, often again: the table is asked first, if there is
    /// one.
    #[inline]
    pub(crate) fn intern_unordered(&mut self, name: &str) -> u32 {
        if self.table.is_empty() {
            return self.intern(name);
        }
        let head = bytes::load(name.as_bytes(), 0);
        let hash = self.hash_headed(name.as_bytes(), head);
        self.find_headed(name, head, hash).unwrap_or_else(|_| self.look_up(name))
    }

    /// Appends the numbers of many names, as [`intern`](Documents::intern) would give them.
    pub(crate) fn intern_all(&mut self, names: &[&str], numbers: &mut Vec<u32>) {
        let mut rest = names;
        loop {
            let known = numbers.len();
            while let Some((name, behind)) = rest.split_first()
                && let Some(number) = self.expected(name)
            {
                numbers.push(number);
                rest = behind;
            }
            if rest.is_empty() {
                return;
            }
            self.together =
                if numbers.len() > known { 1 } else { (self.together * 2).clamp(1, TOGETHER) };
            let (group, behind) = rest.split_at(self.together.min(rest.len()));
            match group {
                [name] => numbers.push(self.look_up(name)),
                _ => self.look_up_all(group, numbers),
            }
            rest = behind;
        }
    }

    /// The number of a name, if it has one.
    pub fn get(&self, name: &str) -> Option<u32> {
        if !self.table.is_empty() {
            return self.find(name, self.hash(name.as_bytes())).ok();
        }
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            match bytes::by_length(self.bytes(middle), name.as_bytes()) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Some(middle as u32),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The number of a name that follows the last one, or of the first where another file begins,
    /// or of one that is new because it is above all.
    #[inline]
    fn expected(&mut self, name: &str) -> Option<u32> {
        let mut at = self.next as usize;
        if at == self.len() {
            if self.table.is_empty()
                && (at == 0
                    || bytes::by_length(self.bytes(at - 1), name.as_bytes()) == Ordering::Less)
            {
                self.push(name);
                self.next += 1;
                return Some(at as u32);
            }
            at = 0;
        }
        if self.is_empty() || !bytes::same(self.bytes(at), name.as_bytes()) {
            return None;
        }
        self.next = at as u32 + 1;
        Some(at as u32)
    }

    fn push(&mut self, name: &str) {
        self.text.push_str(name);
        self.starts.push(self.text.len());
    }

    #[inline]
    fn hash(&self, name: &[u8]) -> u32 {
        self.hash_headed(name, bytes::load(name, 0))
    }

    /// The same for a name whose first word has been loaded.
    #[inline(always)]
    fn hash_headed(&self, name: &[u8], head: u64) -> u32 {
        (self.hashing.headed(head, name.len(), || name) >> 32) as u32
    }

    /// The number of a name in the table, or the slot where it would be put.
    fn find(&self, name: &str, hash: u32) -> Result<u32, usize> {
        self.find_headed(name, bytes::load(name.as_bytes(), 0), hash)
    }

    /// The same for a name whose first word has been loaded.
    #[inline(always)]
    fn find_headed(&self, name: &str, head: u64, hash: u32) -> Result<u32, usize> {
        let (name, text) = (name.as_bytes(), self.text.as_bytes());
        self.table.find(hash, |number| {
            let (start, end) = (self.starts[number as usize], self.starts[number as usize + 1]);
            end - start == name.len() && bytes::stands_at(text, start, name, head)
        })
    }

    fn look_up(&mut self, name: &str) -> u32 {
        self.make_room(1);
        self.look_up_hashed(name, self.hash(name.as_bytes()))
    }

    /// The same with its hash, if the table has room.
    fn look_up_hashed(&mut self, name: &str, hash: u32) -> u32 {
        let number = match self.find(name, hash) {
            Ok(number) => number,
            Err(slot) => {
                let number = self.len() as u32;
                self.push(name);
                self.table.put(slot, hash, number);
                number
            }
        };
        self.next = number + 1;
        number
    }

    /// Looks up at most [`TOGETHER`] names. Each step is done for all of them before the next: what
    /// one name waits for does not hold up the others.
    fn look_up_all(&mut self, names: &[&str], numbers: &mut Vec<u32>) {
        self.make_room(names.len());
        let mut hashes = [0; TOGETHER];
        for (hash, name) in hashes.iter_mut().zip(names) {
            *hash = self.hash(name.as_bytes());
        }
        let mut guesses = [None; TOGETHER];
        for (guess, &hash) in guesses.iter_mut().zip(&hashes[..names.len()]) {
            *guess = self.table.first(hash);
        }
        let mut spans = [(0, 0); TOGETHER];
        for (span, guess) in spans.iter_mut().zip(&guesses[..names.len()]) {
            *span = guess.map_or((0, 0), |number| {
                (self.starts[number as usize], self.starts[number as usize + 1])
            });
        }
        let mut right = [false; TOGETHER];
        for ((right, &(start, end)), name) in right.iter_mut().zip(&spans).zip(names) {
            *right = bytes::same(&self.text.as_bytes()[start..end], name.as_bytes());
        }
        for (at, name) in names.iter().enumerate() {
            let number = match guesses[at].filter(|_| right[at]) {
                Some(number) => number,
                None => self.look_up_hashed(name, hashes[at]),
            };
            self.next = number + 1;
            numbers.push(number);
        }
    }

    /// Makes the table hold all names, with room for some more.
    fn make_room(&mut self, more: usize) {
        let new = self.table.is_empty();
        self.table.reserve(self.len() + more);
        if new {
            for number in 0..self.len() {
                let hash = self.hash(self.bytes(number));
                self.table.add(hash, number as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_keep_their_numbers() {
        let mut documents = Documents::default();
        let names: Vec<String> = (0..5000).map(|i| format!("document-{}", i * 7 % 5000)).collect();
        for (number, name) in names.iter().enumerate() {
            assert_eq!(documents.intern(name) as usize, number);
        }
        for (number, name) in names.iter().enumerate() {
            assert_eq!(documents.intern(name) as usize, number);
            assert_eq!(documents.get(name), Some(number as u32));
            assert_eq!(documents.name(number as u32), name);
        }
        assert_eq!(documents.get("absent"), None);
        assert_eq!(documents.intern(""), 5000);
        assert_eq!(documents.name(5000), "");
    }

    #[test]
    fn ascending_names_need_no_table() {
        let mut documents = Documents::default();
        let names: Vec<String> = (0..2000).map(|i| format!("d{i}")).collect();
        for _ in 0..2 {
            let numbers: Vec<u32> = names.iter().map(|name| documents.intern(name)).collect();
            assert_eq!(numbers, (0..2000).collect::<Vec<u32>>());
        }
        assert!(documents.table.is_empty());
        assert_eq!(
            (documents.get("d77"), documents.get("d2000"), documents.get("")),
            (Some(77), None, None)
        );
        assert_eq!(
            (
                documents.intern("d5"),
                documents.intern("d6"),
                documents.intern("c"),
                documents.intern("d1")
            ),
            (5, 6, 2000, 1)
        );
        assert!(!documents.table.is_empty());
        assert_eq!(
            (documents.get("d77"), documents.get("c"), documents.get("d2000")),
            (Some(77), Some(2000), None)
        );
    }

    proptest! {
        /// Numbers are those of a plain list, whatever the order and however the names are handed
        /// over.
        #[test]
        fn numbers_are_those_of_a_list(names in prop::collection::vec("[ab]{0,4}", 0..120), sorted in 0..120usize, pieces in 1..40usize) {
            let mut names = names;
            let head = sorted.min(names.len());
            names[..head].sort_by(|a, b| bytes::by_length(a.as_bytes(), b.as_bytes()));
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut list: Vec<&str> = Vec::new();
            let expected: Vec<u32> = names.iter().map(|name| {
                let at = list.iter().position(|known| known == name);
                at.unwrap_or_else(|| { list.push(name); list.len() - 1 }) as u32
            }).collect();
            let (mut one_by_one, mut together) = (Documents::default(), Documents::default());
            let mut numbers = Vec::new();
            for piece in names.chunks(pieces) {
                together.intern_all(piece, &mut numbers);
            }
            prop_assert_eq!(&numbers, &expected);
            prop_assert_eq!(names.iter().map(|name| one_by_one.intern(name)).collect::<Vec<u32>>(), expected);
            for (number, name) in list.iter().enumerate() {
                for documents in [&one_by_one, &together] {
                    prop_assert_eq!(documents.get(name), Some(number as u32));
                    prop_assert_eq!(documents.name(number as u32), *name);
                }
            }
            prop_assert_eq!(together.get("absent"), None);
        }
    }
}
