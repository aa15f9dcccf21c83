//! Where bytes come from: files, compressed files, standard input.
//!
//! Compression is recognised by content, not by name. A source can be opened again, because a file
//! that turns out not to be grouped by topic is read a second time; standard input is therefore
//! spooled to a temporary file first.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::error::{Error, Place, Result};

/// An input that can be read more than once.
#[derive(Debug)]
pub struct Source {
    name: String,
    place: SourcePlace,
}

#[derive(Debug)]
enum SourcePlace {
    Path(PathBuf),
    Spooled(File),
    Bytes(Vec<u8>),
}

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
    Lz4,
    Bzip2,
}

const SUFFIXES: [(&str, Compression); 4] = [
    (".gz", Compression::Gzip),
    (".zst", Compression::Zstd),
    (".lz4", Compression::Lz4),
    (".bz2", Compression::Bzip2),
];

impl Compression {
    /// The compression that a file's name asks for.
    pub(crate) fn of_name(name: &str) -> Compression {
        SUFFIXES
            .iter()
            .find(|(suffix, _)| name.ends_with(suffix))
            .map_or(Compression::None, |(_, c)| *c)
    }
}

/// A file's name without a suffix of compression, unless it is nothing else.
pub(crate) fn without_compression(name: &str) -> &str {
    let stripped = SUFFIXES.iter().find_map(|(suffix, _)| name.strip_suffix(suffix));
    stripped.filter(|s| !s.is_empty()).unwrap_or(name)
}

impl Source {
    /// A file, or standard input for `-`, which is read to its end now.
    pub fn open(path: impl AsRef<Path>) -> Result<Source> {
        let path = path.as_ref();
        if path == Path::new("-") {
            return Source::spool("-", &mut io::stdin().lock());
        }
        let name = path.display().to_string();
        match std::fs::metadata(path) {
            // A pipe can be read only once.
            Ok(meta) if !meta.is_file() && !meta.is_dir() => {
                let mut pipe = File::open(path).map_err(|e| Error::io(name.as_str(), e))?;
                Source::spool(name, &mut pipe)
            }
            _ => Ok(Source { name, place: SourcePlace::Path(path.to_path_buf()) }),
        }
    }

    /// Text in memory, under a name for messages.
    pub fn from_bytes(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Source {
        Source { name: name.into(), place: SourcePlace::Bytes(bytes.into()) }
    }

    /// Copies a stream into a temporary file, which disappears with the source.
    pub fn spool(name: impl Into<String>, stream: &mut dyn Read) -> Result<Source> {
        let name = name.into();
        let fail = |e| Error::io(name.as_str(), e);
        let mut file = tempfile::tempfile().map_err(fail)?;
        io::copy(stream, &mut file).map_err(fail)?;
        Ok(Source { name, place: SourcePlace::Spooled(file) })
    }

    pub(crate) fn from_spooled(name: impl Into<String>, file: File) -> Source {
        Source { name: name.into(), place: SourcePlace::Spooled(file) }
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name for tables: without directory and without a suffix of compression.
    pub fn short_name(&self) -> String {
        let base = Path::new(&self.name)
            .file_name()
            .map_or_else(|| self.name.clone(), |n| n.to_string_lossy().into_owned());
        without_compression(&base).to_string()
    }

    /// The text from the start, decompressed.
    pub fn read(&self) -> Result<Box<dyn Read + Send + '_>> {
        let fail = |e| Error::io(self.name.as_str(), e);
        let file = match &self.place {
            SourcePlace::Bytes(bytes) => return decompressed(io::Cursor::new(bytes)).map_err(fail),
            SourcePlace::Path(path) => File::open(path).map_err(fail)?,
            SourcePlace::Spooled(file) => {
                let mut file = file.try_clone().map_err(fail)?;
                file.seek(SeekFrom::Start(0)).map_err(fail)?;
                file
            }
        };
        decompressed(file).map_err(fail)
    }

    /// The file itself and its length, where it is a regular, uncompressed one, whose pieces can be
    /// read apart.
    pub(crate) fn plain_file(&self) -> Option<(File, u64)> {
        let mut file = match &self.place {
            SourcePlace::Path(path) => File::open(path).ok()?,
            SourcePlace::Spooled(file) => file.try_clone().ok()?,
            SourcePlace::Bytes(_) => return None,
        };
        let meta = file.metadata().ok()?;
        file.seek(SeekFrom::Start(0)).ok()?;
        (meta.is_file() && compression(&mut file).ok()? == Compression::None)
            .then_some((file, meta.len()))
    }

    /// How many bytes there are to read, before decompression; for progress bars.
    pub fn size(&self) -> Option<u64> {
        match &self.place {
            SourcePlace::Path(path) => std::fs::metadata(path).ok().map(|m| m.len()),
            SourcePlace::Spooled(file) => file.metadata().ok().map(|m| m.len()),
            SourcePlace::Bytes(bytes) => Some(bytes.len() as u64),
        }
    }
}

/// The text of a small file, decompressed. `what` names what is expected of a file that is too
/// large.
pub fn read_text(path: &str, largest: u64, what: &str) -> Result<String> {
    let source = Source::open(path)?;
    let mut bytes = Vec::new();
    source.read()?.take(largest + 1).read_to_end(&mut bytes).map_err(|e| Error::io(path, e))?;
    if bytes.len() as u64 > largest {
        let size = largest >> 20;
        let message = format!("the file is larger than {size} MiB, expected {what}");
        return Err(Error::input(Place::file(path), message));
    }
    String::from_utf8(bytes)
        .map_err(|_| Error::input(Place::file(path), "the file is not text in UTF-8"))
}

fn decompressed<'a>(
    mut input: impl Read + Seek + Send + 'a,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let kind = compression(&mut input)?;
    Ok(match kind {
        Compression::None => Box::new(input),
        Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(
            io::BufReader::with_capacity(1 << 16, input),
        )),
        Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(input)?),
        Compression::Lz4 => Box::new(lz4_flex::frame::FrameDecoder::new(input)),
        Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
    })
}

/// Reads the first bytes and goes back to the start.
fn compression(input: &mut (impl Read + Seek)) -> io::Result<Compression> {
    let mut magic = [0; 4];
    let mut filled = 0;
    while filled < magic.len() {
        match input.read(&mut magic[filled..])? {
            0 => break,
            n => filled += n,
        }
    }
    input.seek(SeekFrom::Start(0))?;
    Ok(match magic {
        [0x1f, 0x8b, ..] => Compression::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd] => Compression::Zstd,
        [0x04, 0x22, 0x4d, 0x18] => Compression::Lz4,
        [b'B', b'Z', b'h', b'1'..=b'9'] => Compression::Bzip2,
        _ => Compression::None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn every_compression_is_recognised_by_content() {
        let text = b"301 Q0 a 1 2.5 x\n".repeat(1000);
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gz.write_all(&text).unwrap();
        let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        bz.write_all(&text).unwrap();
        let mut lz = lz4_flex::frame::FrameEncoder::new(Vec::new());
        lz.write_all(&text).unwrap();
        let zst = zstd::encode_all(text.as_slice(), 1).unwrap();
        for bytes in
            [text.clone(), gz.finish().unwrap(), bz.finish().unwrap(), lz.finish().unwrap(), zst]
        {
            let mut read = Vec::new();
            Source::from_bytes("x", bytes).read().unwrap().read_to_end(&mut read).unwrap();
            assert_eq!(read, text);
        }
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
}
