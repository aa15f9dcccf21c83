//! Cutting a run into pieces: at topic boundaries for several threads, by topic for a scattered
//! file that is too large for memory.

use std::fs::File;
use std::io::{BufWriter, Write};

use super::Source;
use super::file::{self, FileRange, OpenFile};
use super::trec::{last_tag, topic};
use super::window::Window;
use crate::data::bytes::{self, Hashing};
use crate::error::{Error, Result};

/// A piece of a file that begins with a topic.
pub(crate) struct Piece<'f> {
    file: &'f OpenFile,
    start: u64,
    end: u64,
}

impl Piece<'_> {
    pub(crate) fn reader(&self) -> FileRange<'_> {
        self.file.range(self.start, Some(self.end))
    }
}

/// How much is read at once, and at most, behind a cut to find the next change of topic.
const LOOK: usize = 1 << 16;
const LOOK_AHEAD: usize = 1 << 20;

/// The file in pieces that begin with a topic; `None` if it is not worth more than one. Threads take
/// one after the other, and they become smaller, so that all threads end at about the same time,
/// even if one of them runs on a busy processor.
pub(crate) fn pieces(source: &Source, threads: usize) -> Result<Option<Vec<Piece<'_>>>> {
    let Some(file) = source.plain_file() else { return Ok(None) };
    let limits = source.limits();
    if threads < 2 || file.len < limits.smallest_for_threads {
        return Ok(None);
    }
    let size = file.len;
    let mut cuts = vec![0];
    let mut nominal = 0;
    loop {
        nominal += ((size - nominal) / (2 * threads as u64)).max(limits.smallest_piece.max(1));
        if nominal >= size {
            break;
        }
        let cut = topic_start(file, nominal).map_err(|e| Error::io(source.name(), e))?;
        if let Some(cut) = cut.filter(|cut| *cut < size) {
            cuts.push(cut);
            nominal = cut;
        }
    }
    cuts.push(size);
    let pieces: Vec<Piece<'_>> =
        cuts.windows(2).map(|w| Piece { file, start: w[0], end: w[1] }).collect();
    Ok(Some(pieces).filter(|p| p.len() > 1))
}

/// The first line at or behind an offset whose topic is not that of the line before it.
fn topic_start(file: &OpenFile, offset: u64) -> std::io::Result<Option<u64>> {
    let mut text = Vec::new();
    while text.len() < LOOK_AHEAD {
        let filled = text.len();
        text.resize(filled + LOOK, 0);
        let read = file.read_at(&mut text[filled..], offset + filled as u64)?;
        text.truncate(filled + read);
        let found = change_of_topic(&text);
        if found.is_some() || read == 0 {
            return Ok(found.map(|at| offset + at as u64));
        }
    }
    Ok(None)
}

/// The first line whose topic is not that of the line before it; the first and the last line may be
/// cut off.
fn change_of_topic(text: &[u8]) -> Option<usize> {
    let mut at = memchr::memchr(b'\n', text)? + 1;
    let mut known: Option<&[u8]> = None;
    while let Some(len) = memchr::memchr(b'\n', &text[at..]) {
        match (known, topic(&text[at..at + len])) {
            (_, None) => {}
            (Some(known), Some(topic)) if known != topic => return Some(at),
            (_, topic) => known = topic,
        }
        at += len + 1;
    }
    None
}

/// A compressed file is taken to be so many times as large as it looks.
const EXPANSION: u64 = 5;
/// More files than this at once are not opened.
const MOST_PARTS: u64 = 64;

/// A scattered source as several, each with all lines of its topics.
#[derive(Default)]
pub(crate) struct SplitSource {
    /// None if the source is small enough to be read at once.
    pub(crate) sources: Vec<Source>,
    /// The tag on the last line of all.
    pub(crate) tag: Option<Vec<u8>>,
}

/// Splits a scattered source by topic, if it is too large for memory.
pub(crate) fn by_topic(source: &Source) -> Result<SplitSource> {
    let size = source.size().saturating_mul(if source.is_compressed() { EXPANSION } else { 1 });
    let parts = (size / source.limits().largest_in_memory.max(1) + 1).min(MOST_PARTS) as usize;
    if parts == 1 {
        return Ok(SplitSource::default());
    }
    let mut tag = None;
    let mut writers: Vec<BufWriter<File>> = (0..parts)
        .map(|_| Ok(BufWriter::with_capacity(1 << 16, file::temporary()?)))
        .collect::<Result<_>>()?;
    let mut window = Window::new(source.read()?, source.limits().window);
    let hashing = Hashing::default();
    let (mut pos, mut line) = (0, 1);
    while window.advance(pos, source.name(), line)? {
        pos = 0;
        tag = last_tag(&window.buf[..window.limit], tag);
        while pos < window.limit {
            let end = (bytes::line_end(&window.buf, pos, window.limit) + 1).min(window.limit);
            let text = &window.buf[pos..end];
            let topic = topic(text).unwrap_or(&[]);
            let part = hashing.of(topic, 0, topic.len()) % parts as u64;
            // Every other part gets an empty line, so that lines keep their numbers.
            for (i, writer) in writers.iter_mut().enumerate() {
                let text = if i as u64 == part { text } else { b"\n" };
                writer.write_all(text).map_err(file::in_temporary)?;
            }
            pos = end;
            line += 1;
        }
    }
    let part = |writer: BufWriter<File>| {
        let file = writer.into_inner().map_err(|e| file::in_temporary(e.into_error()))?;
        Ok(Source::plain(source.name(), file)?.with_limits(source.limits()))
    };
    Ok(SplitSource { sources: writers.into_iter().map(part).collect::<Result<_>>()?, tag })
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;

    #[test]
    fn parts_hold_whole_topics_and_keep_line_numbers() {
        // Blanks of every kind, and byte order marks.
        let text: String = (0..3000)
            .map(|i| {
                let before = ["", "\u{feff}", " ", "\t"][i % 4];
                let behind = ["\u{b}", " ", "\u{c}", "\t"][i / 7 % 4];
                format!("{before}t{}{behind}Q0 d{i} 1 {i} x\n", i % 7)
            })
            .collect();
        let source = Source::from_bytes("x", text.clone());
        let largest_in_memory = 10_000;
        let source = source.with_limits(Limits { largest_in_memory, ..Limits::default() });
        let parts = by_topic(&source).unwrap().sources;
        assert!(parts.len() > 1);
        let mut all = vec![String::new(); 3000];
        let mut seen = Vec::new();
        for part in &parts {
            let mut read = String::new();
            part.read().unwrap().read_to_string(&mut read).unwrap();
            let mut topics = std::collections::BTreeSet::new();
            for (i, line) in read.split('\n').enumerate().filter(|(_, l)| !l.is_empty()) {
                all[i] = format!("{line}\n");
                topics.extend(topic(line.as_bytes()).map(<[u8]>::to_vec));
            }
            seen.extend(topics);
        }
        assert_eq!(all.concat(), text);
        assert_eq!(seen.len(), 7, "no topic is in two parts");
    }
}
