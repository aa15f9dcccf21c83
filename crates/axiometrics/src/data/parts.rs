//! Parts of documents: runs that retrieve passages are scored by document.
//!
//! Owns: which document a part belongs to, and one row for several. A document that a run has twice
//! is the same matter without the names.

use hashbrown::HashMap;

use super::entries::Dropped;
use super::{Entries, Entry};
use crate::error::Result;
use crate::policy::{Order, Pool};

/// The document that each part belongs to, by their ids.
#[derive(Debug, Clone, Default)]
pub struct Parts(HashMap<Box<[u8]>, Box<[u8]>>);

impl Parts {
    /// Says which document a part belongs to. The document that was known before, if it is another.
    pub fn insert(&mut self, part: &[u8], document: &[u8]) -> Option<Box<[u8]>> {
        let known = self.0.insert(part.into(), document.into())?;
        (*known != *document).then_some(known)
    }

    /// The document of a part.
    pub fn document(&self, part: &[u8]) -> Option<&[u8]> {
        self.0.get(part).map(AsRef::as_ref)
    }

    /// How many parts are known.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if no part is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What became of the rows of a run.
#[derive(Debug, Default)]
pub(crate) struct Pooled {
    pub(crate) entries: Entries,
    /// The rows that were put together with an earlier one.
    pub(crate) dropped: Dropped,
    /// How many rows are of no known part, and the first such id. They keep their ids.
    pub(crate) unknown: u64,
    pub(crate) first_unknown: Option<Vec<u8>>,
}

impl Entries {
    /// One row for all rows of a document, which stands where its first row stood.
    pub(crate) fn pooled(
        mut self,
        parts: Option<&Parts>,
        pool: Pool,
        order: Order,
    ) -> Result<Pooled> {
        self.group();
        let mut all = Pooled::default();
        for topic in 0..self.topic_count() as u32 {
            let number = all.entries.topic(self.topic_name(topic));
            let rows = self.rows(topic);
            let mut at: HashMap<&[u8], usize> = HashMap::with_capacity(rows.len());
            let mut kept: Vec<(&[u8], Entry, u32)> = Vec::with_capacity(rows.len());
            for (row, line) in rows.iter().zip(self.lines(rows)) {
                let part = self.doc(row);
                let document = match parts.map(|parts| parts.document(part)) {
                    Some(None) => {
                        all.unknown += 1;
                        all.first_unknown.get_or_insert_with(|| part.to_vec());
                        part
                    }
                    Some(Some(document)) => document,
                    None => part,
                };
                let slot = *at.entry(document).or_insert(kept.len());
                match kept.get_mut(slot) {
                    None => kept.push((document, *row, line)),
                    Some((_, known, _)) => {
                        known.value = put_together(known.value, row.value, pool, order);
                        all.dropped.count += 1;
                        let first = all.dropped.first.into_iter().chain([u64::from(line)]);
                        all.dropped.first = first.min();
                    }
                }
            }
            for (document, row, line) in kept {
                all.entries.push(number, document, row.value, u64::from(line))?;
            }
        }
        all.entries.group();
        Ok(all)
    }
}

fn put_together(known: f64, other: f64, pool: Pool, order: Order) -> f64 {
    match (pool, order) {
        (Pool::First, _) => known,
        (Pool::Max, Order::Desc) => known.max(other),
        (Pool::Max, Order::Asc) => known.min(other),
        (Pool::Sum, _) => known + other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(entries: &Entries) -> Vec<(String, String, f64)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let of = |topic: u32| {
            entries.rows(topic).iter().map(move |row| {
                (text(entries.topic_name(topic)), text(entries.doc(row)), row.value)
            })
        };
        (0..entries.topic_count() as u32).flat_map(of).collect()
    }

    fn entries() -> Entries {
        let mut entries = Entries::new();
        for (line, (topic, doc, value)) in [
            ("1", "a#1", 3.0),
            ("2", "a#1", 1.0),
            ("1", "b#1", 2.0),
            ("1", "a#2", 4.0),
            ("1", "x", 0.5),
        ]
        .into_iter()
        .enumerate()
        {
            let topic = entries.topic(topic.as_bytes());
            entries.push(topic, doc.as_bytes(), value, line as u64 + 1).unwrap();
        }
        entries
    }

    #[test]
    fn parts_are_scored_as_their_document() {
        let mut parts = Parts::default();
        for (part, document) in [("a#1", "a"), ("a#2", "a"), ("b#1", "b")] {
            assert_eq!(parts.insert(part.as_bytes(), document.as_bytes()), None);
        }
        for (pool, order, score) in [
            (Pool::Max, Order::Desc, 4.0),
            (Pool::Max, Order::Asc, 3.0),
            (Pool::First, Order::Desc, 3.0),
            (Pool::Sum, Order::Desc, 7.0),
        ] {
            let pooled = entries().pooled(Some(&parts), pool, order).unwrap();
            let expected = [("1", "a", score), ("1", "b", 2.0), ("1", "x", 0.5), ("2", "a", 1.0)]
                .map(|(topic, doc, value)| (topic.to_string(), doc.to_string(), value));
            assert_eq!(rows(&pooled.entries), expected);
            assert_eq!((pooled.dropped.count, pooled.dropped.first), (1, Some(4)));
            assert_eq!((pooled.unknown, pooled.first_unknown), (1, Some(b"x".to_vec())));
        }
    }

    #[test]
    fn a_part_of_two_documents_is_told() {
        let mut parts = Parts::default();
        assert_eq!(parts.insert(b"p", b"a"), None);
        assert_eq!(parts.insert(b"p", b"a"), None);
        assert_eq!(parts.insert(b"p", b"b").as_deref(), Some(b"a".as_slice()));
    }
}
