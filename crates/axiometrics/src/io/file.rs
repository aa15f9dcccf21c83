//! Files that are read at a place of the reader's choice, by several readers at once if need be,
//! and temporary ones.
//!
//! The only code here that depends on the system.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use crate::error::{Error, Result};

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

/// Copies a stream into a temporary file. `name` is the stream's in errors.
pub(super) fn spool(name: &str, stream: &mut dyn Read) -> Result<File> {
    let mut file = temporary()?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(file),
            Ok(n) => file.write_all(&buffer[..n]).map_err(in_temporary)?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::io(name, e)),
        }
    }
}
