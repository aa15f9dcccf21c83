//! What surrounds a command: a terminal and files, or a program that holds both in memory.
//!
//! Owns where inputs come from and where results and messages go when a command is [called](call)
//! instead of started. A call belongs to the thread that makes it, so that calls on several threads
//! know nothing of each other.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
#[cfg(feature = "parquet")]
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axiometrics::io::{Limits, Source};
use axiometrics::warning::Warnings;
use axiometrics::work::Work;
use axiometrics::{Error, Result};

use crate::{ExitCode, parsed, run};

/// What is asked of a command.
#[derive(Debug, Default)]
pub struct Call {
    /// The arguments, without the name of the program.
    pub arguments: Vec<OsString>,
    /// Files that are in memory, by the names that the arguments give them. All others are on the
    /// disk.
    pub files: Files,
    /// Shows progress, and cancels. The option for threads is the command's.
    pub work: Option<Work>,
    /// Further formats in which the result is written, by their names. The command computes its
    /// result once for all of them.
    pub formats: Vec<String>,
}

/// Files in memory.
pub type Files = HashMap<PathBuf, Arc<[u8]>>;

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// How the command ended.
    pub code: ExitCode,
    /// What it would have printed.
    pub output: Vec<u8>,
    /// The result in the further formats, if the command has them.
    pub renderings: Vec<(String, Vec<u8>)>,
    /// What was not as it should be.
    pub warnings: Warnings,
    /// What else it would have said.
    pub notes: Vec<String>,
    /// Why there is no result.
    pub error: Option<Error>,
}

#[derive(Debug, Default)]
struct Shell {
    files: Files,
    max_spool: Option<u64>,
    work: Option<Work>,
    arguments: Vec<OsString>,
    formats: Vec<String>,
    output: Vec<u8>,
    renderings: Vec<(String, Vec<u8>)>,
    warnings: Warnings,
    notes: Vec<String>,
}

thread_local! {
    static CALLED: RefCell<Option<Arc<Mutex<Shell>>>> = const { RefCell::new(None) };
}

/// Does what the command would do, with inputs and outputs in memory. Options for a file to write
/// to write it.
pub fn call(call: Call) -> Outcome {
    let Call { arguments, files, work, formats } = call;
    let arguments: Vec<OsString> = std::iter::once("axio".into()).chain(arguments).collect();
    let shell = Shell { files, work, formats, arguments: arguments.clone(), ..Shell::default() };
    let shell = Arc::new(Mutex::new(shell));
    CALLED.set(Some(shell.clone()));
    let result = match parsed(&arguments) {
        Ok(matches) => run(&matches),
        Err(refusal) if refusal.use_stderr() => Err(Error::usage(refused(&refusal)).into()),
        // Help and the version.
        Err(text) => {
            print(text.to_string().as_bytes());
            Ok(ExitCode::SUCCESS)
        }
    };
    CALLED.take();
    let Shell { output, renderings, warnings, notes, .. } =
        std::mem::take(&mut *shell.lock().unwrap_or_else(PoisonError::into_inner));
    let (code, error) = match result {
        Ok(code) => (code, None),
        Err(error) => (ExitCode::from(2), Some(as_own(error))),
    };
    Outcome { code, output, renderings, warnings, notes, error }
}

/// What the parser says, without the usage and its own label.
fn refused(refusal: &clap::Error) -> String {
    let text = refusal.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text);
    text.split("\n\nUsage:").next().unwrap_or(text).trim_end().to_string()
}

fn as_own(error: anyhow::Error) -> Error {
    error.downcast::<Error>().unwrap_or_else(|other| Error::usage(format!("{other:#}")))
}

/// Opens a file of any kind that the command reads: in memory, if the call has it there.
pub fn open(path: impl AsRef<Path>) -> Result<Source> {
    let path = path.as_ref();
    let source = match in_memory(path) {
        Some(bytes) => Source::from_bytes(name(path), bytes.to_vec()),
        None => Source::open_within(path, limits())?,
    };
    #[cfg(feature = "parquet")]
    if axiometrics_arrow::begins_parquet(source.first_bytes()) {
        return parquet(&source, path);
    }
    Ok(source)
}

/// The most bytes of a pipe that the command which was started reads, if the user says it.
static MAX_SPOOL: OnceLock<u64> = OnceLock::new();

/// Sets the most bytes of a pipe that this command reads.
pub(crate) fn limit_spool(most: u64) {
    if !noted(|shell| shell.max_spool = Some(most)) {
        // A process runs one command.
        let _ = MAX_SPOOL.set(most);
    }
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    let said = if is_called() {
        asked(|shell| shell.max_spool).flatten()
    } else {
        MAX_SPOOL.get().copied()
    };
    limits.largest_spool = said.unwrap_or(limits.largest_spool);
    limits
}

/// The same as a table. Its reader goes to and fro in the file, which cannot be done in a pipe.
#[cfg(feature = "parquet")]
fn parquet(source: &Source, path: &Path) -> Result<Source> {
    if in_memory(path).is_none() && path.is_file() {
        return axiometrics_arrow::open(path);
    }
    let mut bytes = Vec::new();
    source.read()?.read_to_end(&mut bytes).map_err(|e| Error::io(source.name(), e))?;
    axiometrics_arrow::from_bytes(source.name(), bytes)
}

/// How many bytes there are to read, if the file tells; what comes through a pipe is not known
/// before.
pub(crate) fn size(path: impl AsRef<Path>) -> u64 {
    let path = path.as_ref();
    match in_memory(path) {
        Some(bytes) => bytes.len() as u64,
        None => {
            std::fs::metadata(path).ok().filter(|meta| meta.is_file()).map_or(0, |meta| meta.len())
        }
    }
}

/// What tables and messages call an input: a file in memory by the name that its owner gave it, any
/// other by its path.
pub(crate) fn name(path: &Path) -> String {
    let text = path.display().to_string();
    match text.strip_prefix(HELD) {
        Some(name) if in_memory(path).is_some() => name.to_string(),
        _ => text,
    }
}

/// The paths of files in memory may begin with this, which is not a part of their names: no path on
/// the disk holds the character zero, and no option begins with it. So a name is free to be that of
/// a file or of an option.
const HELD: &str = "\0";

/// The file, if this call has it in memory.
pub(crate) fn in_memory(path: &Path) -> Option<Arc<[u8]>> {
    asked(|shell| shell.files.get(path).cloned()).flatten()
}

/// True if the command was called, not started.
pub(crate) fn is_called() -> bool {
    CALLED.with_borrow(Option::is_some)
}

/// The handle of the caller's work, if there is one.
pub(crate) fn work() -> Option<Work> {
    asked(|shell| shell.work.clone()).flatten()
}

/// The arguments, the name of the program first.
pub(crate) fn arguments() -> Vec<OsString> {
    let plain = |argument: &OsString| argument.to_string_lossy().replace(HELD, "").into();
    asked(|shell| shell.arguments.iter().map(plain).collect())
        .unwrap_or_else(|| std::env::args_os().collect())
}

/// Takes what would be printed; false if the command was started.
pub(crate) fn print(bytes: &[u8]) -> bool {
    noted(|shell| shell.output.extend_from_slice(bytes))
}

/// Writes the result in each further format that the caller wants. `render` returns `None` for a
/// format that the command does not have.
pub(crate) fn also(render: &mut dyn FnMut(&str) -> Result<Option<Vec<u8>>>) -> Result<()> {
    for format in asked(|shell| shell.formats.clone()).unwrap_or_default() {
        if let Some(text) = render(&format)? {
            asked(|shell| shell.renderings.push((format, text)));
        }
    }
    Ok(())
}

/// Takes warnings; false if the command was started.
pub(crate) fn warn(warnings: &Warnings) -> bool {
    noted(|shell| shell.warnings.extend(warnings.clone()))
}

/// Takes a note; false if the command was started.
pub(crate) fn note(text: &str) -> bool {
    noted(|shell| shell.notes.push(text.to_string()))
}

fn noted(take: impl FnOnce(&mut Shell)) -> bool {
    asked(take).is_some()
}

/// What the shell of this call says; `None` if the command was started.
fn asked<T>(question: impl FnOnce(&mut Shell) -> T) -> Option<T> {
    let shell = CALLED.with_borrow(Clone::clone)?;
    let mut shell = shell.lock().unwrap_or_else(PoisonError::into_inner);
    Some(question(&mut shell))
}

/// This call, for other threads that do a part of it.
pub(crate) fn here() -> Here {
    Here(CALLED.with_borrow(Clone::clone))
}

/// A call that other threads can take part in.
pub(crate) struct Here(Option<Arc<Mutex<Shell>>>);

impl Here {
    /// Does a task as a part of the call, whichever thread does it.
    pub(crate) fn within<T>(&self, task: impl FnOnce() -> T) -> T {
        let before = CALLED.replace(self.0.clone());
        let result = task();
        CALLED.set(before);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome_of(arguments: &[&str], files: &[(&str, &str)]) -> Outcome {
        call(Call {
            arguments: arguments.iter().map(OsString::from).collect(),
            files: files
                .iter()
                .map(|(name, text)| (PathBuf::from(name), text.as_bytes().into()))
                .collect(),
            ..Call::default()
        })
    }

    #[test]
    fn a_call_reads_and_writes_memory() {
        let qrels = ("my judgements", "1 0 a 1\n2 0 a 1\n");
        let run = ("mine", "1 Q0 b 1 2.0 t\n1 Q0 a 2 1.0 t\n");
        let arguments = ["eval", qrels.0, run.0, "-m", "RR", "--format", "csv"];
        let outcome = outcome_of(&arguments, &[qrels, run]);
        assert_eq!(
            String::from_utf8_lossy(&outcome.output),
            "run,measure,topic,value\nmine,RR,all,0.25\n"
        );
        assert_eq!((outcome.code, outcome.error.is_none()), (ExitCode::SUCCESS, true));
        assert_eq!(outcome.warnings.list().len(), 1);
        assert!(!is_called());
    }

    #[test]
    fn what_is_refused_is_an_error_of_the_library() {
        let outcome = outcome_of(&["eval", "q", "r", "--ties", "sideways"], &[]);
        let error = outcome.error.unwrap();
        assert!(
            error.is_usage() && error.message().starts_with("invalid value 'sideways'"),
            "{error}"
        );
        assert!(!error.message().contains("Usage"), "{error}");
        let missing = outcome_of(&["eval", "no such file", "r"], &[]).error.unwrap();
        assert!(missing.is_io(), "{missing}");
    }
}
