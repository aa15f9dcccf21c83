//! The names of a topic's documents, numbered in the order of their first appearance.

use std::hash::{BuildHasher, RandomState};

/// Numbers for names. All names lie in one allocation, so that ten million of them cost little more than their bytes.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    text: String,
    ends: Vec<usize>,
    /// Open addressing: half of a name's hash, and its number plus one, 0 where free. The length is a power of two.
    table: Vec<(u32, u32)>,
    /// The number after the last that was looked up. Files that list the same documents mostly list them in the same order.
    next: u32,
    seed: Seed,
}

/// A random number: names come from files that strangers wrote, so their hashes must not be predictable.
#[derive(Debug, Clone, Copy)]
struct Seed(u64);

impl Default for Seed {
    fn default() -> Seed {
        Seed(RandomState::new().hash_one(0u8) | 1)
    }
}

impl Documents {
    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True where there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a document, `?` for a number that was never given out.
    pub fn name(&self, document: u32) -> &str {
        let at = document as usize;
        match self.ends.get(at) {
            Some(&end) => &self.text[if at == 0 { 0 } else { self.ends[at - 1] }..end],
            None => "?",
        }
    }

    /// The number of a name, given out now if need be.
    pub fn intern(&mut self, name: &str) -> u32 {
        let expected = self.next;
        if (expected as usize) < self.len() && self.name(expected) == name {
            self.next += 1;
            return expected;
        }
        if (self.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let hash = self.hash(name.as_bytes());
        let at = self.slot(hash, name);
        if self.table[at].1 == 0 {
            self.text.push_str(name);
            self.ends.push(self.text.len());
            self.table[at] = (hash, self.len() as u32);
        }
        let number = self.table[at].1 - 1;
        self.next = number + 1;
        number
    }

    /// The number of a name, if it has one.
    pub fn get(&self, name: &str) -> Option<u32> {
        if self.is_empty() { None } else { self.table[self.slot(self.hash(name.as_bytes()), name)].1.checked_sub(1) }
    }

    /// Where a name stands in the table, or where it would be put. The table is at most half full, so there is an end.
    fn slot(&self, hash: u32, name: &str) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        while self.table[at].1 != 0 && (self.table[at].0 != hash || self.name(self.table[at].1 - 1) != name) {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let mask = (self.table.len() * 2).max(16) - 1;
        let old = std::mem::replace(&mut self.table, vec![(0, 0); mask + 1]);
        for (hash, number) in old.into_iter().filter(|(_, number)| *number != 0) {
            let mut at = hash as usize & mask;
            while self.table[at].1 != 0 {
                at = (at + 1) & mask;
            }
            self.table[at] = (hash, number);
        }
    }

    fn hash(&self, bytes: &[u8]) -> u32 {
        let mut state = self.seed.0 ^ bytes.len() as u64;
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            state = mix(state ^ u64::from_le_bytes(word.try_into().unwrap_or_default()), self.seed.0);
        }
        let mut last = [0; 8];
        last[..words.remainder().len()].copy_from_slice(words.remainder());
        mix(state ^ u64::from_le_bytes(last), 0x9e37_79b9_7f4a_7c15) as u32
    }
}

/// The two halves of a product folded onto each other: every bit of the input reaches every bit of the result.
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
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
}
