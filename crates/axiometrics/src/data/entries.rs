//! Rows of (topic, document, number): what a judgement file and a run file have in common.
//!
//! Owns the hashes and the grouping by topic. Does not know whether the number is a grade or a
//! score.

use std::ops::Range;

use super::topics::Topics;
use super::{IdList, Ids, Once, Repeated, Repeats};
use crate::error::Result;

/// One row: of a file that was read, or of one that is being read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entry {
    /// The grade or the score.
    pub(crate) value: f64,
    /// A hash of the document, but for the bits of [`Entry::LABEL`].
    pub(crate) hash: u32,
    /// Where the document's id stands: see [`Ids`].
    pub(crate) start: u32,
}

impl Entry {
    /// The bits of a hash in which [`Entries`] keep a topic.
    pub(crate) const LABEL: u32 = BLOCK as u32 - 1;

    /// A row, given all bits of the hash.
    #[inline(always)]
    pub(crate) fn new(hash: u64, value: f64, start: u32) -> Entry {
        Entry { value, hash: (hash >> 32) as u32, start }
    }

    #[inline(always)]
    fn of_topic(self, topic: u32, start: u32) -> Entry {
        Entry { hash: self.hash & !Entry::LABEL | topic & Entry::LABEL, start, ..self }
    }
}

/// The documents of a topic, as a run lists them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listing<'l> {
    pub(crate) rows: &'l [Entry],
    pub(crate) ids: Ids<'l>,
    /// True if scores are known not to rise.
    pub(crate) descending: bool,
}

impl Listing<'_> {
    pub(crate) fn id(&self, row: usize) -> &[u8] {
        self.ids.of(&self.rows[row])
    }

    pub(crate) fn line(&self, row: usize) -> u64 {
        self.ids.line(&self.rows[row])
    }
}

/// Rows of (topic, document, number), to be grouped by topic.
///
/// They are kept in blocks of some topics each, so that a file whose topics are mixed can be
/// grouped block by block, within the caches.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entries {
    pub(crate) topics: Topics,
    ids: IdList,
    blocks: Vec<Vec<Entry>>,
    len: usize,
    /// The rows of each topic within its block, once grouped.
    ranges: Vec<Range<u32>>,
    /// The topic of the last row.
    last: u32,
    /// True if a topic came again after another; else rows are grouped as they come.
    scattered: bool,
}

/// How many topics share a block: so many that their rows stay in the caches while they are sorted,
/// and that there are not too many blocks to write to.
const BLOCK: usize = 64;

impl Entries {
    /// Nothing yet.
    pub(crate) fn new() -> Entries {
        Entries::default()
    }

    /// The number of a topic, new or known.
    pub(crate) fn topic(&mut self, name: &[u8]) -> u32 {
        self.topics.intern(name)
    }

    /// The same for a name whose first word has been loaded.
    #[inline(always)]
    pub(crate) fn topic_headed(&mut self, name: &[u8], head: u64) -> u32 {
        self.topics.intern_headed(name, head)
    }

    /// Adds a row. `line` names it in errors.
    pub(crate) fn push(&mut self, topic: u32, doc: &[u8], value: f64, line: u64) -> Result<()> {
        let start = self.ids.push(doc)?;
        self.ids.note(start, line.min(u64::from(u32::MAX)) as u32);
        let hash = self.topics.hashing().of(doc, 0, doc.len());
        self.place(topic, Entry::new(hash, value, start), start);
        Ok(())
    }

    /// Adds rows of a topic whose documents stand in the text of a file, with their lines, unless
    /// nobody will ask for those.
    #[inline]
    pub(crate) fn extend(
        &mut self,
        topic: u32,
        text: &[u8],
        rows: impl Iterator<Item = (Entry, Option<u32>)>,
    ) -> Result<()> {
        let Entries { ids, blocks, .. } = self;
        let block = block_of(blocks, topic);
        let known = block.len();
        for (row, line) in rows {
            let start = ids.copy(text, row.start)?;
            if let Some(line) = line {
                ids.note(start, line);
            }
            block.push(row.of_topic(topic, start));
        }
        let end = block.len();
        self.added(topic, known..end);
        Ok(())
    }

    /// Adds one row whose document stands in the text of a file.
    #[inline]
    pub(crate) fn add(&mut self, topic: u32, text: &[u8], row: Entry, line: u32) -> Result<()> {
        let start = self.ids.copy(text, row.start)?;
        self.ids.note(start, line);
        self.place(topic, row, start);
        Ok(())
    }

    #[inline]
    fn place(&mut self, topic: u32, row: Entry, start: u32) {
        let block = block_of(&mut self.blocks, topic);
        block.push(row.of_topic(topic, start));
        let end = block.len();
        self.added(topic, end - 1..end);
    }

    /// Notes that these rows of its block are new and of this topic.
    #[inline]
    fn added(&mut self, topic: u32, new: Range<usize>) {
        self.len += new.len();
        if self.scattered || new.is_empty() {
            return;
        }
        if self.ranges.len() <= topic as usize {
            self.ranges.resize(topic as usize + 1, 0..0);
        }
        let range = &mut self.ranges[topic as usize];
        if range.start == range.end {
            range.start = new.start as u32;
        } else if self.last != topic {
            self.scattered = true;
        }
        range.end = new.end as u32;
        self.last = topic;
    }

    /// Passes every number through a function.
    pub(crate) fn map_values(&mut self, f: impl Fn(f64) -> f64) {
        for row in self.blocks.iter_mut().flatten() {
            row.value = f(row.value);
        }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// True if there is no row.
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many topics there are.
    pub(crate) fn topic_count(&self) -> usize {
        self.topics.len()
    }

    /// A topic's name.
    pub(crate) fn topic_name(&self, topic: u32) -> &[u8] {
        self.topics.name(topic)
    }

    /// A row's document.
    pub(crate) fn doc(&self, row: &Entry) -> &[u8] {
        self.ids().of(row)
    }

    /// The rows of a topic, after [`Entries::group`].
    pub(crate) fn rows(&self, topic: u32) -> &[Entry] {
        let range = &self.ranges[topic as usize];
        self.blocks
            .get(topic as usize / BLOCK)
            .map_or(&[], |block| &block[range.start as usize..range.end as usize])
    }

    /// The rows of a topic, after [`Entries::group`] or if no topic has come again; none if it has
    /// none.
    pub(crate) fn rows_mut(&mut self, topic: u32) -> &mut [Entry] {
        let range = self.ranges.get(topic as usize).cloned().unwrap_or_default();
        match self.blocks.get_mut(topic as usize / BLOCK) {
            Some(block) => &mut block[range.start as usize..range.end as usize],
            None => &mut [],
        }
    }

    /// The line of a row, or its number if there are no lines.
    pub(crate) fn line(&self, row: &Entry) -> u64 {
        self.ids().line(row)
    }

    /// The lines of rows that stand in the order of the file, as those of a topic do.
    pub(crate) fn lines(&self, rows: &[Entry]) -> impl Iterator<Item = u32> {
        self.ids.lines(rows)
    }

    fn ids(&self) -> Ids<'_> {
        Ids::List(&self.ids)
    }

    /// The rows of a topic, as a run lists them, after [`Entries::group`].
    pub(crate) fn listing(&self, topic: u32) -> Listing<'_> {
        Listing { rows: self.rows(topic), ids: self.ids(), descending: false }
    }

    /// Brings the rows of each topic together, in the order of the file.
    pub(crate) fn group(&mut self) {
        self.ranges.resize(self.topics.len(), 0..0);
        if std::mem::take(&mut self.scattered) {
            let mut grouped = Vec::new();
            for (block, ranges) in self.blocks.iter_mut().zip(self.ranges.chunks_mut(BLOCK)) {
                group_block(block, ranges, &mut grouped);
                block.copy_from_slice(&grouped);
            }
        }
    }

    /// Shows the rows of each topic, in the order of the file, without keeping them so: they are
    /// brought together as they are needed, within the caches.
    pub(crate) fn each_topic<E>(
        &mut self,
        mut see: impl FnMut(&[u8], Listing<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.ranges.resize(self.topics.len(), 0..0);
        let mut grouped = Vec::new();
        for (number, ranges) in self.ranges.chunks_mut(BLOCK).enumerate() {
            let mut rows = self.blocks.get(number).map_or(&[][..], Vec::as_slice);
            if self.scattered {
                group_block(rows, ranges, &mut grouped);
                rows = &grouped;
            }
            for (topic, range) in (number * BLOCK..).zip(ranges) {
                let rows = &rows[range.start as usize..range.end as usize];
                see(
                    self.topics.name(topic as u32),
                    Listing { rows, ids: Ids::List(&self.ids), descending: false },
                )?;
            }
        }
        Ok(())
    }

    /// Keeps of each document in a topic the row with the highest number, and says what was
    /// repeated. Groups the rows.
    pub(crate) fn keep_once(&mut self) -> Result<Dropped> {
        self.group();
        let mut dropped = Dropped::default();
        if self.first_duplicate().is_none() {
            return Ok(dropped);
        }
        let mut kept = Entries::new();
        for topic in 0..self.topic_count() as u32 {
            let number = kept.topic(self.topic_name(topic));
            let listing = self.listing(topic);
            let Once { rows, repeats } = listing.once();
            dropped.count += repeats.len() as u64;
            dropped.first =
                dropped.first.into_iter().chain(repeats.first().map(|i| listing.line(*i))).min();
            for (row, line) in rows.iter().zip(self.lines(&rows)) {
                kept.push(number, self.doc(row), row.value, u64::from(line))?;
            }
        }
        kept.group();
        *self = kept;
        Ok(dropped)
    }

    /// The first row, in the order of the file, whose document is in an earlier row of its topic,
    /// with that row. After [`Entries::group`].
    pub(crate) fn first_duplicate(&self) -> Option<Duplicate<'_>> {
        let mut repeats = Repeats::default();
        let found = (0..self.topics.len() as u32).filter_map(|topic| {
            let Repeated { first, second } = repeats.check(self.listing(topic)).err()?;
            let rows = self.rows(topic);
            Some(Duplicate { topic, earlier: &rows[first], later: &rows[second] })
        });
        // Ids are listed in the order of the file.
        found.min_by_key(|duplicate| duplicate.later.start)
    }
}

fn block_of(blocks: &mut Vec<Vec<Entry>>, topic: u32) -> &mut Vec<Entry> {
    let block = topic as usize / BLOCK;
    if block >= blocks.len() {
        // Blocks are alike, so the last one tells about how much room a new one needs.
        let room = blocks.last().map_or(0, |last| last.len() + last.len() / 8);
        blocks.resize_with(block + 1, || Vec::with_capacity(room));
    }
    &mut blocks[block]
}

/// Repeated documents that were left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) count: u64,
    /// The line of the first row whose document came before.
    pub(crate) first: Option<u64>,
}

/// Two rows of a topic with the same document.
pub(crate) struct Duplicate<'e> {
    pub(crate) topic: u32,
    pub(crate) earlier: &'e Entry,
    pub(crate) later: &'e Entry,
}

/// A stable counting sort by topic.
fn group_block(block: &[Entry], ranges: &mut [Range<u32>], grouped: &mut Vec<Entry>) {
    let local = |row: &Entry| (row.hash & Entry::LABEL) as usize;
    let mut next = [0; BLOCK];
    for row in block {
        next[local(row)] += 1;
    }
    let mut start = 0;
    for (range, next) in ranges.iter_mut().zip(&mut next) {
        *range = start..start + *next;
        start += std::mem::replace(next, start);
    }
    grouped.resize(block.len(), Entry::default());
    for row in block {
        let at = &mut next[local(row)];
        grouped[*at as usize] = *row;
        *at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_scattered_topics_in_file_order() {
        let mut e = Entries::new();
        for (line, (topic, doc)) in
            [("b", "x"), ("a", "y"), ("b", "z"), ("a", "x")].into_iter().enumerate()
        {
            let topic = e.topic(topic.as_bytes());
            e.push(topic, doc.as_bytes(), line as f64, line as u64 + 1).unwrap();
        }
        e.group();
        let docs = |t: &str| {
            let t = e.topics.find(t.as_bytes()).unwrap();
            e.rows(t)
                .iter()
                .map(|r| String::from_utf8_lossy(e.doc(r)).into_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!((docs("a").as_str(), docs("b").as_str()), ("y x", "x z"));
        assert_eq!(e.topics.sorted(), [1, 0]);
        assert!(e.first_duplicate().is_none());
    }

    #[test]
    fn finds_the_first_duplicate_of_the_file() {
        let mut e = Entries::new();
        for (line, (topic, doc)) in
            [("a", "x"), ("b", "x"), ("b", "x"), ("a", "x")].into_iter().enumerate()
        {
            let topic = e.topic(topic.as_bytes());
            e.push(topic, doc.as_bytes(), 0.0, line as u64 + 1).unwrap();
        }
        e.group();
        let found = e.first_duplicate().unwrap();
        assert_eq!((found.topic, e.line(found.earlier), e.line(found.later)), (1, 2, 3));
    }
}
