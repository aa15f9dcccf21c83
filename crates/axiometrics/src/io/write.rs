//! Files that appear whole or not at all.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(not(feature = "zstd"))]
use super::compression::without_zstd;
use super::compression::{Compression, SUFFIXES};
use super::file::in_temporary;
use crate::error::{Error, Place, Result};

/// What goes to standard output waits in memory up to this size.
const IN_MEMORY: usize = 64 << 20;

/// Writes a file, compressed as its name asks (`.gz`, `.zst`, `.lz4`, `.bz2`); standard output for
/// `-`.
///
/// The text goes to a temporary file beside the target, which takes the target's name when all is
/// written: a reader never sees half a file, and where writing fails, what was there before stays.
pub fn write_atomically<'b>(
    path: impl AsRef<Path>,
    body: impl FnOnce(&mut dyn Write) -> Result<()> + 'b,
) -> Result<()> {
    write(path.as_ref(), Box::new(body))
}

/// Writes a text to wherever it goes. A box, so that all that follows is compiled once and not for
/// every text.
type Body<'b> = Box<dyn FnOnce(&mut dyn Write) -> Result<()> + 'b>;

fn write(path: &Path, body: Body<'_>) -> Result<()> {
    let name = path.display().to_string();
    if path == Path::new("-") {
        return write_stdout(body).map_err(|e| e.in_file("standard output"));
    }
    let compression = Compression::of_name(&name);
    write_file(path, |file| compression.write(file, body)).map_err(|e| e.in_file(&name))
}

/// Large texts wait on disk, so that a failure leaves standard output empty.
fn write_stdout(body: Body<'_>) -> Result<()> {
    let mut waiting = BufWriter::with_capacity(1 << 16, tempfile::SpooledTempFile::new(IN_MEMORY));
    // What the text is made of has errors of its own; those without a file are of the disk.
    let disk = |e: Error| if e.is_io() && e.place().is_none() { waiting_failed(e) } else { e };
    body(&mut waiting).map_err(disk)?;
    let mut text = waiting.into_inner().map_err(|e| in_temporary(e.into_error()))?;
    text.seek(SeekFrom::Start(0)).map_err(in_temporary)?;
    let mut out = io::stdout().lock();
    io::copy(&mut text, &mut out)?;
    Ok(out.flush()?)
}

/// Text that waits on disk could not be written.
fn waiting_failed(error: Error) -> Error {
    in_temporary(io::Error::other(error.message().to_string()))
}

/// The temporary files that have not yet taken the name of their target.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file beside its target, known by name as long as it is unfinished.
struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Unfinished {
        unfinished().push(path.to_path_buf());
        Unfinished(path.to_path_buf())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|path| *path != self.0);
    }
}

/// Removes every file that [`write_atomically`] has begun and not finished: for a program that a
/// signal is about to end.
///
/// No file is finished any more from here on: whoever writes one waits for ever.
pub fn remove_unfinished() {
    let all = unfinished();
    for path in all.iter() {
        // There is nobody left to tell.
        let _ = std::fs::remove_file(path);
    }
    // A file that is being given its name has to wait for the end of the program.
    std::mem::forget(all);
}

fn write_file(path: &Path, body: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let known = std::fs::metadata(path).ok();
    if known.as_ref().is_some_and(std::fs::Metadata::is_dir) {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    // A device or a pipe cannot be replaced.
    if known.as_ref().is_some_and(|meta| !meta.is_file()) {
        return body(&mut File::options().write(true).open(path)?);
    }
    // A link stays a link: what it points to is replaced.
    let target = if known.is_some() { path.canonicalize()? } else { path.to_path_buf() };
    let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        let message = format!("the folder {} does not exist", folder.display());
        return Err(Error::input(Place::file(path.display().to_string()), message)
            .help("create it first, or write to another place"));
    }
    let mut temporary = builder(known.as_ref()).tempfile_in(folder)?;
    let unfinished = Unfinished::new(temporary.path());
    body(temporary.as_file_mut())?;
    if let Some(meta) = known {
        temporary.as_file().set_permissions(meta.permissions())?;
    }
    temporary.persist(&target).map_err(|e| e.error)?;
    drop(unfinished);
    Ok(())
}

/// A new file gets the permissions that any new file gets, not the private ones of a temporary
/// file.
#[cfg(unix)]
fn builder(known: Option<&std::fs::Metadata>) -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    if known.is_none() {
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

#[cfg(not(unix))]
fn builder(_known: Option<&std::fs::Metadata>) -> tempfile::Builder<'static, 'static> {
    tempfile::Builder::new()
}

/// Compressing.
impl Compression {
    /// The compression that a file's name asks for.
    fn of_name(name: &str) -> Compression {
        SUFFIXES
            .iter()
            .find(|(suffix, _)| name.ends_with(suffix))
            .map_or(Compression::None, |(_, c)| *c)
    }

    /// Writes through the compression. Every encoder is finished, so that a full disk is an error
    /// and not a truncated file.
    fn write(self, file: &mut File, body: Body<'_>) -> Result<()> {
        let mut file = BufWriter::with_capacity(1 << 16, file);
        match self {
            Compression::None => body(&mut file)?,
            Compression::Gzip => {
                let level = flate2::Compression::default();
                buffered(flate2::write::GzEncoder::new(&mut file, level), body)?.finish()?;
            }
            #[cfg(feature = "zstd")]
            Compression::Zstd => {
                let encoder = zstd::stream::write::Encoder::new(&mut file, 0)?;
                buffered(encoder, body)?.finish()?;
            }
            #[cfg(not(feature = "zstd"))]
            Compression::Zstd => return Err(without_zstd().into()),
            Compression::Lz4 => {
                let encoder = buffered(lz4_flex::frame::FrameEncoder::new(&mut file), body)?;
                encoder.finish().map_err(io::Error::from)?;
            }
            Compression::Bzip2 => {
                let level = bzip2::Compression::default();
                buffered(bzip2::write::BzEncoder::new(&mut file, level), body)?.finish()?;
            }
        }
        Ok(file.flush()?)
    }
}

/// Writes to an encoder in large pieces.
fn buffered<W: Write>(encoder: W, body: Body<'_>) -> Result<W> {
    let mut out = BufWriter::new(encoder);
    body(&mut out)?;
    Ok(out.into_inner().map_err(io::IntoInnerError::into_error)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_atomically(&path, |w| Ok(w.write_all(b"first")?)).unwrap();
        let failed = write_atomically(&path, |w| {
            w.write_all(b"second")?;
            Err(Error::usage("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"first");
        write_atomically(&path, |w| Ok(w.write_all(b"third")?)).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"third");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file is left"
        );
    }

    #[test]
    fn failures_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let e = write_atomically(folder.path(), |_| Ok(())).unwrap_err().to_string();
        assert_eq!(e, format!("{}: is a directory, expected a file", folder.path().display()));
        let inside = folder.path().join("no/such/place");
        let e = write_atomically(&inside, |_| Ok(())).unwrap_err().to_string();
        let folder = folder.path().join("no/such");
        assert!(
            e.starts_with(&format!(
                "{}: the folder {} does not exist",
                inside.display(),
                folder.display()
            )),
            "{e}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, |w| Ok(w.write_all(b"new")?)).unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
        write_atomically("/dev/null", |w| Ok(w.write_all(b"gone")?)).unwrap();
    }
}
