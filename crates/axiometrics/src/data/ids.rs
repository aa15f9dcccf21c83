//! The ids of documents: where they stand, and on which lines.

use super::{Entry, bytes};
use crate::error::{Error, Result};

/// Where the ids of rows stand.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ids<'t> {
    /// In the text of a file, each with a blank behind it; and the number of the line with which
    /// the text begins.
    Text(&'t [u8], u64),
    List(&'t IdList),
}

impl<'t> Ids<'t> {
    pub(crate) fn of(self, row: &Entry) -> &'t [u8] {
        match self {
            Ids::Text(text, _) => field(text, row.start),
            Ids::List(list) => list.at(row.start),
        }
    }

    /// The line in the file, or the number of the row if there are no lines.
    pub(crate) fn line(self, row: &Entry) -> u64 {
        match self {
            Ids::Text(text, first) => {
                first + memchr::memchr_iter(b'\n', &text[..row.start as usize]).count() as u64
            }
            Ids::List(list) => u64::from(list.line(row.start)),
        }
    }
}

fn field(text: &[u8], start: u32) -> &[u8] {
    let start = start as usize;
    &text[start..bytes::field_end(text, start).min(text.len())]
}

/// Ids one behind the other, each behind its length.
#[derive(Debug, Clone, Default)]
pub(crate) struct IdList {
    bytes: Vec<u8>,
    lines: NotedLines,
}

/// An id at least so long has its length in the four bytes behind this one.
const LONG: u8 = u8::MAX;
/// Ids that begin beyond this have no place in 32 bits; larger files are split before they come
/// here.
const LARGEST: usize = u32::MAX as usize;

impl IdList {
    /// Keeps an id and says where.
    pub(crate) fn push(&mut self, id: &[u8]) -> Result<u32> {
        let start = self.bytes.len();
        if start + id.len() > LARGEST {
            return Err(Error::usage("more than four billion bytes of document ids in one piece")
                .help("split the file by topic"));
        }
        if id.len() < LONG as usize {
            self.bytes.push(id.len() as u8);
        } else {
            self.bytes.push(LONG);
            self.bytes.extend_from_slice(&(id.len() as u32).to_le_bytes());
        }
        self.bytes.extend_from_slice(id);
        Ok(start as u32)
    }

    /// Forgets all ids, and keeps the room for others.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.lines = NotedLines::default();
    }

    /// Keeps the id that stands here in a text.
    #[inline(always)]
    pub(crate) fn copy(&mut self, text: &[u8], start: u32) -> Result<u32> {
        let kept = self.bytes.len();
        match text.get(start as usize..).and_then(|rest| rest.first_chunk::<16>()) {
            // Copying so many bytes in any case is less work than copying as many as there are. The
            // last is none of the id, and makes room for the length.
            Some(chunk) if bytes::field_len(chunk) < chunk.len() && kept < LARGEST => {
                let len = bytes::field_len(chunk);
                let record = u128::from_le_bytes(*chunk) << 8 | len as u128;
                self.bytes.extend_from_slice(&record.to_le_bytes());
                self.bytes.truncate(kept + 1 + len);
                Ok(kept as u32)
            }
            _ => self.copy_any(text, start),
        }
    }

    /// The same for an id of any length, wherever the text ends.
    #[inline(never)]
    fn copy_any(&mut self, text: &[u8], start: u32) -> Result<u32> {
        self.push(field(text, start))
    }

    /// Notes the line of the id that was kept last.
    #[inline(always)]
    pub(crate) fn note(&mut self, start: u32, line: u32) {
        self.lines.note(start, line);
    }

    #[inline]
    fn at(&self, start: u32) -> &[u8] {
        let start = start as usize;
        match self.bytes[start] {
            LONG => &self.bytes[start + 5..][..bytes::load(&self.bytes, start + 1) as u32 as usize],
            len => &self.bytes[start + 1..][..len as usize],
        }
    }

    fn line(&self, start: u32) -> u32 {
        let (at, line) = self.lines.noted_before(start);
        self.line_from(at, line, start)
    }

    /// The line of an id, counted from that of another, behind which none was noted.
    fn line_from(&self, mut at: u32, mut line: u32, start: u32) -> u32 {
        while at < start {
            let behind = if self.bytes[at as usize] == LONG { 5 } else { 1 };
            at += self.at(at).len() as u32 + behind;
            line = line.wrapping_add(1);
        }
        line
    }

    /// The lines of rows that stand in the order of the list, for whoever wants them all.
    pub(crate) fn lines(&self, rows: &[Entry]) -> impl Iterator<Item = u32> {
        // The last id, its line, and the next id whose line is noted.
        let (mut at, mut line, mut until) = (0, 0, 0);
        rows.iter().map(move |row| {
            if row.start >= until {
                (at, line) = self.lines.noted_before(row.start);
                until = self.lines.noted_behind(row.start);
            }
            line = self.line_from(at, line, row.start);
            at = row.start;
            line
        })
    }
}

/// The lines of rows in the order in which their ids are listed. Hardly anybody asks, and rows
/// mostly follow each other, so only some are noted.
#[derive(Debug, Clone, Default)]
struct NotedLines {
    /// Where an id is listed, and its line.
    noted: Vec<(u32, u32)>,
    /// The line expected next, and how many rows to go until one is noted in any case.
    next: u32,
    left: u32,
}

/// From one row whose line is noted to the next there are at most so many.
const STRETCH: u32 = 32;

impl NotedLines {
    #[inline(always)]
    fn note(&mut self, start: u32, line: u32) {
        if line != self.next || self.left == 0 {
            self.noted.push((start, line));
            self.left = STRETCH;
        }
        self.next = line.wrapping_add(1);
        self.left -= 1;
    }

    /// The last id that was noted up to this one.
    fn noted_before(&self, start: u32) -> (u32, u32) {
        self.noted_up_to(start).checked_sub(1).map_or((start, 0), |last| self.noted[last])
    }

    /// Where the first id is that was noted behind this one.
    fn noted_behind(&self, start: u32) -> u32 {
        self.noted.get(self.noted_up_to(start)).map_or(u32::MAX, |(behind, _)| *behind)
    }

    fn noted_up_to(&self, start: u32) -> usize {
        self.noted.partition_point(|(noted, _)| *noted <= start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ids_and_lines_are_those_that_were_kept(rows in proptest::collection::vec(("[a-z]{0,20}", 0usize..3, 0u32..3, any::<bool>()), 0..300)) {
            let (mut list, mut kept, mut line) = (IdList::default(), Vec::new(), 0);
            for (id, repeat, skipped, copied) in rows {
                let id = id.repeat([1, 1, 20][repeat]);
                line += 1 + skipped / 2;
                let text = format!("{id} behind it");
                let start = if copied { list.copy(text.as_bytes(), 0) } else { list.push(id.as_bytes()) }.unwrap();
                list.note(start, line);
                kept.push((Entry { start, ..Entry::default() }, id, line));
            }
            for (row, id, line) in &kept {
                prop_assert_eq!((Ids::List(&list).of(row), Ids::List(&list).line(row)), (id.as_bytes(), u64::from(*line)));
            }
            for step in [1, 2, 50] {
                let (rows, lines): (Vec<Entry>, Vec<u32>) = kept.iter().step_by(step).map(|(row, _, line)| (row, line)).unzip();
                prop_assert_eq!(list.lines(&rows).collect::<Vec<_>>(), lines);
            }
        }
    }
}
