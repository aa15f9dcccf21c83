//! Where bytes come from: files, compressed files, standard input.
//!
//! A file is opened once. Its first bytes are kept, so that its compression and its format are
//! recognised without reading it twice; all else is read at offsets, so that several threads can
//! read at once, and a file that turns out not to be grouped by topic can be read again. What comes
//! through a pipe is copied to a temporary file first.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use std::sync::Arc;

use super::Columns;
use super::columns::{self, Role};
use super::compression::Compression;
use super::file::{self, OpenFile};
use super::table::TableSource;
use crate::error::{Error, Place, Result};
use crate::remedy::Remedy;
use crate::work::{Watched, Work};

/// An input that can be read more than once.
#[derive(Debug)]
pub struct Source {
    name: String,
    bytes: Bytes,
    compression: Compression,
    limits: Limits,
    /// The work that reading belongs to.
    work: Option<Work>,
    /// What somebody said of its columns.
    columns: Option<Arc<Columns>>,
}

/// How much of an input is read, kept and handed to a thread at once. The results never depend on
/// it: the defaults are fast, and tests set others to cross every limit with little text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// So many bytes are read at once. The default is small enough to stay in the second-level
    /// cache together with the tables of a topic.
    pub window: usize,
    /// A file with fewer bytes is not worth a second thread.
    pub smallest_for_threads: u64,
    /// The last pieces of a file that threads share have so many bytes.
    pub smallest_piece: u64,
    /// A run that is not grouped by topic and has more bytes is split into temporary files before
    /// its rows are gathered: a row needs about as much memory as its line has bytes.
    pub largest_in_memory: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            window: 224 << 10,
            smallest_for_threads: 8 << 20,
            smallest_piece: 2 << 20,
            largest_in_memory: 1 << 30,
        }
    }
}

#[derive(Debug)]
enum Bytes {
    InMemory(Vec<u8>),
    InFile {
        file: OpenFile,
        /// The first bytes.
        head: Vec<u8>,
    },
    /// No bytes at all, but rows that somebody else reads.
    Rows(Box<dyn TableSource>),
}

/// How many bytes of a file are kept: enough to recognise what it holds, nearly always.
const HEAD: usize = 1 << 14;

/// What can be done about a file that is not there.
fn missing(path: &Path, error: Error) -> Error {
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if path.exists() {
        return error;
    }
    if path.symlink_metadata().is_ok() {
        return error.help("it is a symbolic link that leads to no file");
    }
    let Ok(entries) = folder.read_dir() else {
        return error.help(format!("there is no folder \"{}\"", folder.display()));
    };
    let wanted = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let distance = |name: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &wanted);
    let nearest = entries
        .take(MOST_ENTRIES)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .min_by_key(|name| (distance(name), name.clone()));
    match nearest {
        Some(name) if distance(&name) <= 1 + wanted.chars().count() / 4 => {
            error.help(format!("did you mean \"{}\"?", path.with_file_name(name).display()))
        }
        _ if folder == Path::new(".") => error.help("no file here has a similar name"),
        _ => error.help(format!("\"{}\" has no file of a similar name", folder.display())),
    }
}

/// A name that was mistyped is looked for among so many files.
const MOST_ENTRIES: usize = 10_000;

impl Source {
    /// A file, or standard input for `-`, which is read to its end now.
    pub fn open(path: impl AsRef<Path>) -> Result<Source> {
        let path = path.as_ref();
        if path == Path::new("-") {
            return Source::spool("-", &mut io::stdin().lock());
        }
        let name = path.display().to_string();
        let fail = |e| Error::io(name.as_str(), e);
        let mut file = File::open(path).map_err(|e| missing(path, fail(e)))?;
        let meta = file.metadata().map_err(fail)?;
        if meta.is_dir() {
            return Err(fail(io::ErrorKind::IsADirectory.into()));
        }
        // A pipe can be read only once.
        if !meta.is_file() {
            return Source::spool(name, &mut file);
        }
        Source::in_file(name, file)
    }

    /// Text in memory, under a name for messages.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Source {
        let bytes = bytes.into();
        let compression = Compression::of_content(&bytes);
        let bytes = Bytes::InMemory(bytes);
        Source {
            name: name.into(),
            bytes,
            compression,
            limits: Limits::default(),
            work: None,
            columns: None,
        }
    }

    /// A table that somebody else reads, under a name for messages.
    pub fn from_table(name: impl Into<String>, table: Box<dyn TableSource>) -> Source {
        let (bytes, compression) = (Bytes::Rows(table), Compression::None);
        let limits = Limits::default();
        Source { name: name.into(), bytes, compression, limits, work: None, columns: None }
    }

    /// The table, if it is one.
    pub(super) fn table(&self) -> Option<&dyn TableSource> {
        match &self.bytes {
            Bytes::Rows(table) => Some(table.as_ref()),
            _ => None,
        }
    }

    /// Copies a stream into a temporary file, which disappears with the source.
    pub fn spool(name: impl Into<String>, stream: &mut dyn Read) -> Result<Source> {
        let name = name.into();
        if cfg!(target_family = "wasm") {
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).map_err(|e| Error::io(name.as_str(), e))?;
            return Ok(Source::from_bytes(name, bytes));
        }
        let file = file::spool(&name, stream)?;
        Source::in_file(name, file)
    }

    /// A file of plain text, whatever it begins with.
    pub(crate) fn plain(name: impl Into<String>, file: File) -> Result<Source> {
        Ok(Source { compression: Compression::None, ..Source::in_file(name, file)? })
    }

    fn in_file(name: impl Into<String>, file: File) -> Result<Source> {
        let name = name.into();
        let fail = |e| Error::io(name.as_str(), e);
        let file = OpenFile::new(file).map_err(fail)?;
        let head = file.head(HEAD).map_err(fail)?;
        let compression = Compression::of_content(&head);
        let bytes = Bytes::InFile { file, head };
        let limits = Limits::default();
        Ok(Source { name, bytes, compression, limits, work: None, columns: None })
    }

    /// The same source, read under other limits.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Source {
        Source { limits, ..self }
    }

    /// The same source, read as a part of some work: the bytes of the file are counted, and reading
    /// fails once the work is cancelled.
    #[must_use]
    pub fn watched(self, work: &Work) -> Source {
        Source { work: Some(work.clone()), ..self }
    }

    /// The same source, whose columns or keys are called as somebody says, besides the usual names.
    #[must_use]
    pub fn with_columns(self, columns: Option<Arc<Columns>>) -> Source {
        Source { columns, ..self }
    }

    /// The same source with the columns of another.
    pub(super) fn like(self, other: &Source) -> Source {
        self.with_columns(other.columns.clone())
    }

    /// What a column or key of this name is for, and how plain the name is.
    pub(super) fn role(&self, name: &[u8]) -> Option<(Role, usize)> {
        match &self.columns {
            Some(columns) => columns.role(name),
            None => columns::role(name),
        }
    }

    /// What somebody said of its columns.
    pub(super) fn columns(&self) -> Option<&Columns> {
        self.columns.as_deref()
    }

    /// A reader of some of its bytes, watched if the source is.
    pub(crate) fn watch<R>(&self, input: R) -> Watched<R> {
        Watched { input, work: self.work.clone() }
    }

    /// The limits under which it is read.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name for tables: without directory and without a suffix of compression.
    pub fn short_name(&self) -> String {
        short_name(&self.name)
    }

    /// The first bytes as they are, compressed or not, by which a file is recognised. A table has
    /// none.
    pub fn first_bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::InMemory(bytes) => &bytes[..bytes.len().min(HEAD)],
            Bytes::InFile { head, .. } => head,
            Bytes::Rows(_) => &[],
        }
    }

    /// The text from the start, decompressed.
    pub fn read(&self) -> Result<Box<dyn Read + Send + '_>> {
        self.decompressed(self.work.clone())
    }

    /// The same for a look at the beginning, which is no progress.
    pub(super) fn look(&self) -> Result<Box<dyn Read + Send + '_>> {
        self.decompressed(None)
    }

    fn decompressed(&self, work: Option<Work>) -> Result<Box<dyn Read + Send + '_>> {
        let decompressed = match &self.bytes {
            Bytes::InMemory(bytes) => {
                self.compression.decompress(Watched { input: bytes.as_slice(), work })
            }
            Bytes::InFile { file, head } => {
                let behind = file.range(head.len() as u64, None);
                self.compression.decompress(Watched { input: head.as_slice().chain(behind), work })
            }
            Bytes::Rows(_) => {
                let message = "found a table of columns, expected text";
                return Err(Error::input(Place::file(&self.name), message)
                    .help(Remedy::default().call("convert").text(" makes text of it")));
            }
        };
        decompressed.map_err(|e| Error::io(self.name.as_str(), e))
    }

    /// All of the text, decompressed, if the file is small. `what` names what is expected of one that
    /// is too large.
    pub fn text(&self, largest: u64, what: &str) -> Result<String> {
        let fail = |e| Error::io(self.name.as_str(), e);
        let mut bytes = Vec::new();
        self.read()?.take(largest.saturating_add(1)).read_to_end(&mut bytes).map_err(fail)?;
        if bytes.len() as u64 > largest {
            let size = largest >> 20;
            let message = format!("the file is larger than {size} MiB, expected {what}");
            return Err(Error::input(Place::file(&self.name), message));
        }
        String::from_utf8(bytes)
            .map_err(|_| Error::input(Place::file(&self.name), "the file is not text in UTF-8"))
    }

    /// The file itself, if it is not compressed, so that its pieces can be read apart.
    pub(crate) fn plain_file(&self) -> Option<&OpenFile> {
        match &self.bytes {
            Bytes::InFile { file, .. } if self.compression == Compression::None => Some(file),
            _ => None,
        }
    }

    /// How many bytes there are to read, before decompression; for progress bars.
    pub fn size(&self) -> u64 {
        match &self.bytes {
            Bytes::InFile { file, .. } => file.len,
            Bytes::InMemory(bytes) => bytes.len() as u64,
            Bytes::Rows(table) => table.size(),
        }
    }

    /// True if the text is compressed.
    pub fn is_compressed(&self) -> bool {
        self.compression != Compression::None
    }
}

/// Names for tables from the names of files: without directory and compression, whole if those are
/// equal, numbered if even these are.
pub fn unique_names<S: AsRef<str>>(files: &[S]) -> Vec<String> {
    let short: Vec<String> = files.iter().map(|file| short_name(file.as_ref())).collect();
    let repeated = |name: &String| short.iter().filter(|other| *other == name).count() > 1;
    let mut names: Vec<String> = Vec::with_capacity(files.len());
    for (file, short_name) in files.iter().zip(&short) {
        let base = if repeated(short_name) { file.as_ref() } else { short_name };
        let numbered = (2..).map(|n| format!("{base}#{n}"));
        let mut candidates = std::iter::once(base.to_string()).chain(numbered);
        names.extend(candidates.find(|name| !names.contains(name)));
    }
    names
}

fn short_name(file: &str) -> String {
    let base = Path::new(file)
        .file_name()
        .map_or_else(|| file.to_string(), |name| name.to_string_lossy().into_owned());
    super::compression::without_suffix(&base).to_string()
}

/// The text of a small file, decompressed. `what` names what is expected of a file that is too
/// large.
pub fn read_text(path: &str, largest: u64, what: &str) -> Result<String> {
    Source::open(path)?.text(largest, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn names_are_short_and_unique() {
        assert_eq!(unique_names(&["a/x.run.gz", "a/y.run"]), ["x.run", "y.run"]);
        assert_eq!(unique_names(&["a/x.run", "b/x.run", "y"]), ["a/x.run", "b/x.run", "y"]);
        assert_eq!(unique_names(&["x.run", "x.run", "x.run#2"]), ["x.run", "x.run#2", "x.run#2#2"]);
    }

    #[test]
    fn short_names_lose_directory_and_compression() {
        for (path, short) in [
            ("a/b.run.gz", "b.run"),
            ("x.bz2", "x"),
            (".gz", ".gz"),
            ("-", "-"),
            ("r.txt", "r.txt"),
        ] {
            assert_eq!(Source::from_bytes(path, "").short_name(), short);
        }
    }

    #[test]
    fn a_file_is_read_as_often_as_asked() {
        let text: Vec<u8> = (0..3 * HEAD as u32).flat_map(u32::to_le_bytes).collect();
        let source = Source::spool("x", &mut text.as_slice()).unwrap();
        for _ in 0..2 {
            let mut read = Vec::new();
            source.read().unwrap().read_to_end(&mut read).unwrap();
            assert_eq!(read, text);
        }
        assert_eq!(source.size(), text.len() as u64);
    }

    #[test]
    fn a_file_that_becomes_shorter_is_an_error() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&vec![b'x'; 2 * HEAD]).unwrap();
        let source = Source::open(file.path()).unwrap();
        file.as_file().set_len(HEAD as u64 + 1).unwrap();
        let error = source.read().unwrap().read_to_end(&mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "the file became shorter while it was read");
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = Source::open(folder.path()).unwrap_err().to_string();
        assert!(error.ends_with(": is a directory, expected a file"), "{error}");
        let error = Source::open(folder.path().join("none")).unwrap_err().to_string();
        assert!(error.contains("none: no such file\n  help: "), "{error}");
    }
}
