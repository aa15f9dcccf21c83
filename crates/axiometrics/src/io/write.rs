//! Files that appear whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{File, TryLockError};
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
    let mut out = standard_output()?;
    io::copy(&mut text, &mut out)?;
    Ok(out.flush()?)
}

/// Standard output as a file. The standard library's own takes one that was opened for reading for
/// one that takes everything, and the result would be lost without an error.
pub fn standard_output() -> io::Result<File> {
    io::stdout().flush()?;
    #[cfg(unix)]
    let duplicate = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
    #[cfg(windows)]
    let duplicate = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
    Ok(duplicate?.into())
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

/// A file beside its target that will take the target's name. Its own name says whose it is, as
/// `.report.html.axio-tmp`, and it is locked as long as it is written: one that nobody has locked was
/// left by a process that was killed.
struct Unfinished {
    path: PathBuf,
    file: File,
    /// It has the name of its target, and its own name may be somebody else's by now.
    is_finished: bool,
}

impl Unfinished {
    /// A new one, in place of any that a dead process left.
    fn new(folder: &Path, target: &OsStr, private: bool) -> io::Result<Unfinished> {
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if private {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        #[cfg(not(unix))]
        let _ = private;
        let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
        for number in 1..=MOST_AT_ONCE {
            let path = folder.join(unfinished_name(target, number));
            remove_left(&path);
            match options.open(&path) {
                Ok(file) => {
                    unfinished().push(path.clone());
                    let unfinished = Unfinished { path, file, is_finished: false };
                    // Some file systems have no locks; then nothing that was left is removed either.
                    // A lock of somebody else is that of a process which takes this file for one that
                    // was left, and is about to remove it.
                    match unfinished.file.try_lock() {
                        Err(TryLockError::WouldBlock) => {}
                        Ok(()) if !unfinished.path.exists() => {}
                        Ok(()) | Err(TryLockError::Error(_)) => return Ok(unfinished),
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => last = e,
                Err(e) => return Err(e),
            }
        }
        Err(last)
    }

    /// Gives it the name of the target.
    fn finish(mut self, target: &Path) -> io::Result<()> {
        // While this is held, a signal removes nothing and ends nothing.
        let mut all = unfinished();
        std::fs::rename(&self.path, target)?;
        all.retain(|path| *path != self.path);
        self.is_finished = true;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_finished {
            let mut all = unfinished();
            // If it cannot be removed, the next that writes the target tries again.
            let _ = std::fs::remove_file(&self.path);
            all.retain(|path| *path != self.path);
        }
    }
}

/// At most this many processes write one target at once.
const MOST_AT_ONCE: usize = 100;

fn unfinished_name(target: &OsStr, number: usize) -> OsString {
    // Names have at most 255 bytes.
    const LONGEST: usize = 200;
    let mut name = OsString::from(".");
    match target.to_str() {
        Some(text) if text.len() > LONGEST => {
            let beginning = text.char_indices().take_while(|(at, c)| at + c.len_utf8() <= LONGEST);
            name.push(beginning.map(|(_, c)| c).collect::<String>());
        }
        _ => name.push(target),
    }
    name.push(".axio-tmp");
    if number > 1 {
        name.push(number.to_string());
    }
    name
}

/// Removes what a dead process left under this name.
fn remove_left(path: &Path) {
    let is_file = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file());
    if is_file
        && let Ok(file) = File::open(path)
        && file.try_lock().is_ok()
    {
        // If it cannot be removed, another name is taken.
        let _ = std::fs::remove_file(path);
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
    let name = target.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?;
    let mut unfinished = Unfinished::new(folder, name, known.is_some())?;
    body(&mut unfinished.file)?;
    if let Some(meta) = known {
        unfinished.file.set_permissions(meta.permissions())?;
    }
    unfinished.finish(&target)?;
    Ok(())
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

    #[test]
    fn what_a_dead_process_left_is_removed_and_what_a_live_one_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        let names = || {
            let mut names: Vec<String> = folder
                .path()
                .read_dir()
                .unwrap()
                .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
                .collect();
            names.sort();
            names
        };
        std::fs::write(folder.path().join(".page.html.axio-tmp"), "left").unwrap();
        write_atomically(&path, |w| {
            assert_eq!(names(), [".page.html.axio-tmp"]);
            w.write_all(b"outer")?;
            // Another writer of the same target, while the first is at work.
            write_atomically(&path, |w| {
                assert_eq!(names(), [".page.html.axio-tmp", ".page.html.axio-tmp2"]);
                Ok(w.write_all(b"inner")?)
            })?;
            assert_eq!(names(), [".page.html.axio-tmp", "page.html"]);
            Ok(())
        })
        .unwrap();
        assert_eq!(
            (names(), std::fs::read(&path).unwrap()),
            (vec!["page.html".to_string()], b"outer".to_vec())
        );
        // As long a name as there can be.
        let long = folder.path().join("é".repeat(127));
        write_atomically(&long, |w| Ok(w.write_all(b"x")?)).unwrap();
        assert!(long.exists());
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
