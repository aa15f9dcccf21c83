//! Cutting a run into pieces: at topic boundaries for several threads, by topic for a scattered
//! file that is too large for memory.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::os::unix::fs::FileExt;

use super::Source;
use crate::data::bytes;
use crate::error::{Error, Result};

/// A range of bytes of a file, read without moving the file's own position.
pub(crate) struct Piece {
    file: File,
    start: u64,
    end: u64,
}

impl Piece {
    pub(crate) fn reader(&self) -> PieceReader<'_> {
        PieceReader { file: &self.file, at: self.start, end: self.end }
    }
}

pub(crate) struct PieceReader<'f> {
    file: &'f File,
    at: u64,
    end: u64,
}

impl Read for PieceReader<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let room = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(buf.len());
        let n = self.file.read_at(&mut buf[..room], self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

/// A file below this size is not worth a second thread.
const SMALLEST_FILE: u64 = 8 << 20;
/// The last pieces of a file are of this size.
const SMALLEST_PIECE: u64 = 2 << 20;
/// How much is read at once, and at most, behind a cut to find the next change of topic.
const LOOK: usize = 1 << 16;
const LOOK_AHEAD: usize = 1 << 20;

/// The file in pieces that begin with a topic; `None` where one piece is all it is worth. Threads
/// take one after the other, and they become smaller, so that all threads end at about the same
/// time, though one may run on a busy processor.
pub(crate) fn pieces(source: &Source, threads: usize) -> Result<Option<Vec<Piece>>> {
    let Some((file, size)) = source.plain_file() else { return Ok(None) };
    if threads < 2 || size < SMALLEST_FILE {
        return Ok(None);
    }
    let fail = |e| Error::io(source.name(), e);
    let mut cuts = vec![0];
    let mut nominal = 0;
    loop {
        nominal += ((size - nominal) / (2 * threads as u64)).max(SMALLEST_PIECE);
        if nominal >= size {
            break;
        }
        if let Some(cut) = topic_start(&file, nominal).map_err(fail)?
            && cut < size
        {
            cuts.push(cut);
            nominal = cut;
        }
    }
    cuts.push(size);
    let pieces: std::io::Result<Vec<Piece>> = cuts
        .windows(2)
        .map(|w| Ok(Piece { file: file.try_clone()?, start: w[0], end: w[1] }))
        .collect();
    Ok(Some(pieces.map_err(fail)?).filter(|p| p.len() > 1))
}

/// The first line at or behind an offset whose topic is not that of the line before it.
fn topic_start(file: &File, offset: u64) -> std::io::Result<Option<u64>> {
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
        let topic = text[at..at + len]
            .split(u8::is_ascii_whitespace)
            .find(|f| !f.is_empty())
            .unwrap_or(&[]);
        match known {
            _ if topic.is_empty() || topic.starts_with(b"#") => {}
            Some(known) if known != topic => return Some(at),
            _ => known = Some(topic),
        }
        at += len + 1;
    }
    None
}

/// A scattered file above this size is split before its rows are gathered: a row costs about as
/// much memory as its line has bytes.
const LARGEST_IN_MEMORY: u64 = 1 << 30;

/// A scattered source as several, each with all lines of its topics; a single `None` where the
/// source is small enough to be read at once.
pub(crate) fn by_topic(source: &Source) -> Result<Vec<Option<Source>>> {
    by_topic_within(source, LARGEST_IN_MEMORY)
}

fn by_topic_within(source: &Source, largest: u64) -> Result<Vec<Option<Source>>> {
    // A compressed file is taken to be five times as large as it looks.
    let factor = if source.plain_file().is_some() { 1 } else { 5 };
    let parts = (source.size().unwrap_or(0) * factor / largest + 1).min(64) as usize;
    if parts == 1 {
        return Ok(vec![None]);
    }
    let fail = |e| Error::io(source.name(), e);
    let files: std::io::Result<Vec<File>> = (0..parts).map(|_| tempfile::tempfile()).collect();
    let mut writers: Vec<BufWriter<File>> =
        files.map_err(fail)?.into_iter().map(|f| BufWriter::with_capacity(1 << 16, f)).collect();
    let mut window = super::window::Window::new(source.read()?);
    let (mut pos, mut line) = (0, 1);
    while window.advance(pos, source.name(), line)? {
        pos = 0;
        while pos < window.limit {
            let end = (bytes::line_end(&window.buf, pos, window.limit) + 1).min(window.limit);
            let text = &window.buf[pos..end];
            let topic = text.split(u8::is_ascii_whitespace).find(|f| !f.is_empty()).unwrap_or(&[]);
            let part = bytes::hash(topic, 0, topic.len()) % parts as u64;
            // Every other part gets an empty line, so that lines keep their numbers.
            for (i, writer) in writers.iter_mut().enumerate() {
                let text = if i as u64 == part { text } else { b"\n" };
                writer.write_all(text).map_err(fail)?;
            }
            pos = end;
            line += 1;
        }
    }
    writers
        .into_iter()
        .map(|w| {
            let file = w.into_inner().map_err(|e| Error::io(source.name(), e.into_error()))?;
            Ok(Some(Source::from_spooled(source.name(), file)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_whole_topics_and_keep_line_numbers() {
        let text: String = (0..3000).map(|i| format!("t{} Q0 d{i} 1 {i} x\n", i % 7)).collect();
        let source = Source::from_bytes("x", text.clone());
        let parts = by_topic_within(&source, 100_000).unwrap();
        assert!(parts.len() > 1);
        let mut all = vec![String::new(); 3000];
        for part in &parts {
            let mut read = String::new();
            part.as_ref().unwrap().read().unwrap().read_to_string(&mut read).unwrap();
            for (i, line) in read.lines().enumerate().filter(|(_, l)| !l.is_empty()) {
                all[i] = format!("{line}\n");
            }
        }
        assert_eq!(all.concat(), text);
    }
}
