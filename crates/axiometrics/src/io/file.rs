//! Files that are read at a place of the reader's choice, by several readers at once if need be,
//! and temporary ones.
//!
//! The only code here that depends on the system.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use super::compression::Compression;
use super::trec;
use super::window::{self, LONGEST_LINE};
use crate::error::{Error, Place, Result};
use crate::remedy::{Remedy, Setting};

/// Reads at an offset, without regard to where others read.
#[cfg(unix)]
fn read_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buf, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buf: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buf, offset)
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether two paths name one file, by whatever links. False if one of them is no file.
#[cfg(unix)]
pub fn same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| {
        let meta = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        Some((meta.dev(), meta.ino()))
    };
    identity(a).is_some_and(|a| identity(b) == Some(a))
}

/// Whether two paths name one file, by whatever links but hard ones. False if one of them is no
/// file.
#[cfg(not(unix))]
pub fn same_file(a: &Path, b: &Path) -> bool {
    let identity = |path: &Path| path.is_file().then(|| path.canonicalize().ok()).flatten();
    identity(a).is_some_and(|a| identity(b) == Some(a))
}

/// An open file with the length that it had when it was opened.
#[derive(Debug)]
pub(crate) struct OpenFile {
    file: File,
    pub(super) len: u64,
}

impl OpenFile {
    pub(super) fn new(file: File) -> io::Result<OpenFile> {
        let len = file.metadata()?.len();
        Ok(OpenFile { file, len })
    }

    /// Reads at an offset; 0 bytes only at the end. A file that became shorter is an error.
    pub(super) fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        loop {
            match read_at(&self.file, buf, offset) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) if offset < self.len && !buf.is_empty() => {
                    return Err(io::Error::other("the file became shorter while it was read"));
                }
                other => return other,
            }
        }
    }

    /// The first bytes, at most so many.
    pub(super) fn head(&self, most: usize) -> io::Result<Vec<u8>> {
        // Some files do not tell how long they are.
        let known = usize::try_from(self.len).ok().filter(|len| *len > 0);
        let mut head = vec![0; known.unwrap_or(most).min(most)];
        let mut filled = 0;
        while filled < head.len() {
            match self.read_at(&mut head[filled..], filled as u64)? {
                0 => break,
                n => filled += n,
            }
        }
        head.truncate(filled);
        Ok(head)
    }

    /// The bytes from one offset to another, or to the end of the file.
    pub(super) fn range(&self, start: u64, end: Option<u64>) -> FileRange<'_> {
        FileRange { file: self, at: start, end: end.unwrap_or(u64::MAX) }
    }
}

/// Some bytes of a file, one after the other.
pub(crate) struct FileRange<'f> {
    file: &'f OpenFile,
    at: u64,
    end: u64,
}

impl Read for FileRange<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(buf.len());
        let n = self.file.read_at(&mut buf[..room], self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

/// A new temporary file, which disappears with its handle.
#[cfg(not(target_family = "wasm"))]
pub(super) fn temporary() -> Result<File> {
    tempfile::tempfile().map_err(in_temporary)
}

#[cfg(target_family = "wasm")]
pub(super) fn temporary() -> Result<File> {
    Err(in_temporary(io::ErrorKind::Unsupported.into()))
}

/// The error that a temporary file could not be written.
pub(super) fn in_temporary(cause: io::Error) -> Error {
    let folder = if cfg!(target_family = "wasm") {
        "a temporary file".to_string()
    } else {
        format!("a temporary file in {}", std::env::temp_dir().display())
    };
    Error::io(folder, cause).help("TMPDIR names another folder for temporary files")
}

/// Copies a stream of at most `most` bytes into a temporary file. `name` is the stream's in errors.
pub(super) fn spool(name: &str, stream: &mut dyn Read, most: u64) -> Result<File> {
    let mut file = temporary()?;
    let mut buffer = vec![0; 1 << 16];
    let (mut head, mut len, mut seen) =
        (Vec::new(), 0, SinceEnd { line: 1, ..SinceEnd::default() });
    loop {
        let n = match stream.read(&mut buffer) {
            Ok(0) => return Ok(file),
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(Error::io(name, e)),
        };
        let bytes = &buffer[..n];
        len += n as u64;
        if len > most {
            return Err(too_large(name, most));
        }
        if head.len() < HEAD {
            head.extend_from_slice(&bytes[..n.min(HEAD - head.len())]);
        }
        seen.take(bytes);
        if seen.is_endless(&head) {
            return Err(window::too_long(name, seen.line));
        }
        file.write_all(bytes).map_err(in_temporary)?;
    }
}

/// The first bytes of a stream, by which text is recognised.
const HEAD: usize = 1 << 14;

/// The error that a stream is longer than it may be.
fn too_large(name: &str, most: u64) -> Error {
    let message = format!(
        "more than {}, which is the most that is copied from a pipe or a device to a temporary file",
        size_text(most)
    );
    let help = Remedy::from("write it to a file and read that").option(
        ", or allow more with ",
        Setting::Named("max_spool"),
        "",
    );
    Error::input(Place::file(name), message).help(help)
}

/// A number of bytes as people say it.
pub(super) fn size_text(bytes: u64) -> String {
    let units = [(30, "GB"), (20, "MB"), (10, "KB")];
    match units.into_iter().find(|(shift, _)| bytes > 0 && bytes.trailing_zeros() >= *shift) {
        Some((shift, unit)) => format!("{} {unit}", bytes >> shift),
        None => format!("{bytes} bytes"),
    }
}

/// How much of a stream was seen since something ended.
#[derive(Default)]
struct SinceEnd {
    since_line: usize,
    /// Since the last comma or quote, one of which ends whatever a reader of JSON holds in memory.
    since_mark: usize,
    line: u64,
}

impl SinceEnd {
    fn take(&mut self, bytes: &[u8]) {
        let since = |last: Option<usize>, before: usize| match last {
            Some(last) => bytes.len() - last - 1,
            None => before + bytes.len(),
        };
        self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
        self.since_line = since(memchr::memrchr(b'\n', bytes), self.since_line);
        self.since_mark = since(memchr::memrchr2(b',', b'"', bytes), self.since_mark);
    }

    /// Whether a line goes on for longer than any that is read; in JSON, which may be one line, a
    /// string or a number; nothing, in a file that is no text.
    fn is_endless(&self, head: &[u8]) -> bool {
        let is_text =
            || Compression::of_content(head) == Compression::None && !head.starts_with(b"PAR1");
        let may_be_json = || {
            head.split(|b| *b == b'\n').find_map(|line| {
                let text = line.strip_prefix(trec::BYTE_ORDER_MARK).unwrap_or(line).trim_ascii();
                (!text.is_empty() && !text.starts_with(b"#"))
                    .then(|| matches!(text[0], b'{' | b'['))
            })
        };
        self.since_line > LONGEST_LINE
            && is_text()
            && (self.since_mark > LONGEST_LINE || may_be_json() != Some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of a stream that begins so and repeats a text for ever, up to 200 MB of it.
    fn spooled(begin: &[u8], repeated: &[u8]) -> std::result::Result<u64, String> {
        let text = repeated.repeat((1 << 20) / repeated.len() + 1);
        let mut stream: Box<dyn Read + '_> = Box::new(begin);
        for _ in 0..200 {
            stream = Box::new(stream.chain(text.as_slice()));
        }
        match spool("-", &mut stream, 100 << 20) {
            Ok(file) => Ok(file.metadata().unwrap().len()),
            Err(error) => Err(error.to_string().lines().next().unwrap().to_string()),
        }
    }

    #[test]
    fn a_stream_without_end_is_refused_while_it_is_copied() {
        let line = "found no end of the line within 64 MB, expected lines of text";
        let column = LONGEST_LINE + 1;
        let endless = |line_number: u64| Err(format!("-:{line_number}:{column}: {line}"));
        assert_eq!(spooled(b"", &[0]), endless(1));
        assert_eq!(spooled(b"1 Q0 a 1 1 t\n2 Q0 ", b"b"), endless(2));
        assert_eq!(spooled(b"# x\n{\"1\": \"", b"b"), endless(2));
        let large = "-: more than 100 MB, which is the most that is copied from a pipe or a device \
                     to a temporary file";
        let large = || Err(large.to_string());
        assert_eq!(spooled(b"", b"1 Q0 a 1 1 t\n"), large());
        // One line of JSON may be long, and so may compressed bytes without a newline.
        assert_eq!(spooled(b"\n {\"1\": {", b"\"a\": 1, "), large());
        assert_eq!(spooled(b"\x1f\x8b", &[0]), large());
        assert_eq!(size_text(64 << 30), "64 GB");
        assert_eq!(size_text((1 << 20) + 1), "1048577 bytes");
    }
}
