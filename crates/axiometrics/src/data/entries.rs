//! Rows of (topic, document, number): what a judgement file and a run file have in common.
//!
//! Owns the ids, the hashes, the grouping by topic and the search for duplicate documents. Does not know whether the number is a grade or a score.

use std::ops::Range;

use hashbrown::HashTable;

use super::bytes;
use crate::error::{Error, Result};

/// One row.
#[derive(Debug, Clone, Copy, Default)]
pub struct Entry {
    pub(crate) hash: u64,
    /// The grade or the score.
    pub value: f64,
    pub(crate) start: u32,
    pub(crate) len: u32,
    /// Which topic, in the order of first appearance.
    pub topic: u32,
    /// The line in the file, or the number of the row where there are no lines.
    pub line: u32,
}

/// Topics by name, numbered in the order of first appearance.
#[derive(Debug, Default)]
pub(crate) struct Topics {
    names: Vec<u8>,
    spans: Vec<(u32, u32)>,
    index: HashTable<u32>,
}

impl Topics {
    pub(crate) fn len(&self) -> usize {
        self.spans.len()
    }

    pub(crate) fn name(&self, topic: u32) -> &[u8] {
        let (start, len) = self.spans[topic as usize];
        &self.names[start as usize..(start + len) as usize]
    }

    pub(crate) fn find(&self, name: &[u8]) -> Option<u32> {
        let hash = bytes::hash(name, 0, name.len());
        self.index.find(hash, |t| self.name(*t) == name).copied()
    }

    /// The topic's number, new or known.
    pub(crate) fn intern(&mut self, name: &[u8]) -> u32 {
        let hash = bytes::hash(name, 0, name.len());
        if let Some(known) = self.index.find(hash, |t| self.name(*t) == name) {
            return *known;
        }
        let topic = self.spans.len() as u32;
        self.spans.push((self.names.len() as u32, name.len() as u32));
        self.names.extend_from_slice(name);
        let (names, spans) = (&self.names, &self.spans);
        self.index.insert_unique(hash, topic, |t| {
            let (start, len) = spans[*t as usize];
            bytes::hash(names, start as usize, len as usize)
        });
        topic
    }

    /// The topics' numbers, sorted by the bytes of their names.
    pub(crate) fn sorted(&self) -> Vec<u32> {
        // The first eight bytes as one number decide almost all comparisons.
        let key = |t: u32| {
            let name = self.name(t);
            let shown = name.len().min(8);
            let mut first = [0; 8];
            first[..shown].copy_from_slice(&name[..shown]);
            u64::from_be_bytes(first)
        };
        let mut keyed: Vec<(u64, u32)> = (0..self.len() as u32).map(|t| (key(t), t)).collect();
        keyed.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| self.name(a.1).cmp(self.name(b.1))));
        keyed.into_iter().map(|(_, t)| t).collect()
    }
}

/// Rows of (topic, document, number), to be grouped by topic.
#[derive(Debug, Default)]
pub struct Entries {
    pub(crate) topics: Topics,
    ids: Vec<u8>,
    rows: Vec<Entry>,
    /// The rows of each topic, once grouped.
    ranges: Vec<Range<u32>>,
}

/// The rows of each topic, as numbers.
pub(crate) struct ByTopic {
    order: Vec<u32>,
    ranges: Vec<Range<u32>>,
}

impl ByTopic {
    pub(crate) fn rows(&self, topic: u32) -> &[u32] {
        let range = &self.ranges[topic as usize];
        &self.order[range.start as usize..range.end as usize]
    }
}

/// More ids or rows than this do not fit the 32-bit spans; larger files are split before they come here.
const LARGEST: usize = u32::MAX as usize;

impl Entries {
    /// Nothing yet.
    pub fn new() -> Entries {
        Entries::default()
    }

    /// The number of a topic, new or known.
    pub fn topic(&mut self, name: &[u8]) -> u32 {
        self.topics.intern(name)
    }

    /// Adds a row. `line` names it in errors.
    pub fn push(&mut self, topic: u32, doc: &[u8], value: f64, line: u64) -> Result<()> {
        self.push_hashed(topic, doc, bytes::hash(doc, 0, doc.len()), value, line)
    }

    #[inline]
    pub(crate) fn push_hashed(&mut self, topic: u32, doc: &[u8], hash: u64, value: f64, line: u64) -> Result<()> {
        if self.ids.len() + doc.len() > LARGEST || self.rows.len() >= LARGEST {
            return Err(Error::usage("more than four billion bytes of document ids in one piece").help("split the file by topic"));
        }
        let start = self.ids.len() as u32;
        self.ids.extend_from_slice(doc);
        self.rows.push(Entry { hash, value, start, len: doc.len() as u32, topic, line: line.min(u64::from(u32::MAX)) as u32 });
        Ok(())
    }

    /// Passes every number through a function.
    pub fn map_values(&mut self, f: impl Fn(f64) -> f64) {
        for row in &mut self.rows {
            row.value = f(row.value);
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True where there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many topics there are.
    pub fn topic_count(&self) -> usize {
        self.topics.len()
    }

    /// A topic's name.
    pub fn topic_name(&self, topic: u32) -> &[u8] {
        self.topics.name(topic)
    }

    /// A row's document.
    pub fn doc(&self, row: &Entry) -> &[u8] {
        &self.ids[row.start as usize..(row.start + row.len) as usize]
    }

    /// The rows of a topic, after [`Entries::group`].
    pub fn rows(&self, topic: u32) -> &[Entry] {
        let range = &self.ranges[topic as usize];
        &self.rows[range.start as usize..range.end as usize]
    }

    pub(crate) fn rows_mut(&mut self, topic: u32) -> &mut [Entry] {
        let range = self.ranges[topic as usize].clone();
        &mut self.rows[range.start as usize..range.end as usize]
    }

    /// The ids: spans of rows index into it.
    pub(crate) fn ids(&self) -> &[u8] {
        &self.ids
    }

    /// Brings the rows of each topic together, in the order of the file.
    pub fn group(&mut self) {
        let mut ranges = vec![0..0; self.topics.len()];
        let mut grouped = true;
        let mut start = 0;
        for run in self.rows.chunk_by(|a, b| a.topic == b.topic) {
            let end = start + run.len() as u32;
            let range = &mut ranges[run[0].topic as usize];
            grouped &= range.end == 0;
            *range = start..end;
            start = end;
        }
        if !grouped {
            ranges = self.counting_sort();
        }
        self.ranges = ranges;
    }

    fn counting_sort(&mut self) -> Vec<Range<u32>> {
        let by_topic = self.by_topic();
        self.rows = by_topic.order.iter().map(|i| self.rows[*i as usize]).collect();
        by_topic.ranges
    }

    /// Which rows each topic has, in the order of the file: for readers that pass over the topics once, and so need not move the rows.
    pub(crate) fn by_topic(&self) -> ByTopic {
        let mut next = vec![0u32; self.topics.len()];
        for row in &self.rows {
            next[row.topic as usize] += 1;
        }
        let mut start = 0;
        let ranges: Vec<Range<u32>> = next
            .iter()
            .map(|n| {
                start += n;
                start - n..start
            })
            .collect();
        for (next, range) in next.iter_mut().zip(&ranges) {
            *next = range.start;
        }
        let mut order = vec![0; self.rows.len()];
        for (i, row) in self.rows.iter().enumerate() {
            let at = &mut next[row.topic as usize];
            order[*at as usize] = i as u32;
            *at += 1;
        }
        ByTopic { order, ranges }
    }

    pub(crate) fn row(&self, i: u32) -> &Entry {
        &self.rows[i as usize]
    }

    /// The first row, in the order of the file, whose document stood in an earlier row of its topic, with that row. After [`Entries::group`].
    pub(crate) fn first_duplicate(&self) -> Option<(&Entry, &Entry)> {
        let mut table: Vec<u32> = Vec::new();
        let mut first: Option<(&Entry, &Entry)> = None;
        for topic in 0..self.topics.len() as u32 {
            let rows = self.rows(topic);
            let size = (rows.len() * 2).next_power_of_two().max(8);
            table.clear();
            table.resize(size, 0);
            let shift = 64 - size.trailing_zeros();
            for (i, row) in rows.iter().enumerate() {
                let mut at = (row.hash >> shift) as usize;
                while table[at] != 0 {
                    let other = &rows[table[at] as usize - 1];
                    if other.hash == row.hash && self.doc(other) == self.doc(row) {
                        if first.is_none_or(|(_, found)| row.line < found.line) {
                            first = Some((other, row));
                        }
                        break;
                    }
                    at = (at + 1) & (size - 1);
                }
                if table[at] == 0 {
                    table[at] = i as u32 + 1;
                }
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_scattered_topics_in_file_order() {
        let mut e = Entries::new();
        for (line, (topic, doc)) in [("b", "x"), ("a", "y"), ("b", "z"), ("a", "x")].into_iter().enumerate() {
            let topic = e.topic(topic.as_bytes());
            e.push(topic, doc.as_bytes(), line as f64, line as u64 + 1).unwrap();
        }
        e.group();
        let docs = |t: &str| {
            let t = e.topics.find(t.as_bytes()).unwrap();
            e.rows(t).iter().map(|r| String::from_utf8_lossy(e.doc(r)).into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!((docs("a").as_str(), docs("b").as_str()), ("y x", "x z"));
        assert_eq!(e.topics.sorted(), [1, 0]);
        assert!(e.first_duplicate().is_none());
    }

    #[test]
    fn finds_the_first_duplicate_of_the_file() {
        let mut e = Entries::new();
        for (line, (topic, doc)) in [("a", "x"), ("b", "x"), ("b", "x"), ("a", "x")].into_iter().enumerate() {
            let topic = e.topic(topic.as_bytes());
            e.push(topic, doc.as_bytes(), 0.0, line as u64 + 1).unwrap();
        }
        e.group();
        let (earlier, later) = e.first_duplicate().unwrap();
        assert_eq!((earlier.line, later.line), (2, 3));
    }

    #[test]
    fn topics_sort_by_bytes() {
        let mut t = Topics::default();
        for name in ["10", "9", "100000000", "100000001", "1"] {
            t.intern(name.as_bytes());
        }
        let names: Vec<&[u8]> = t.sorted().into_iter().map(|i| t.name(i)).collect();
        assert_eq!(names, [b"1".as_slice(), b"10", b"100000000", b"100000001", b"9"]);
    }
}
