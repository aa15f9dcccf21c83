//! Calling the command.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository, where the examples of the help texts run.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_path_buf()
}

/// What came of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Called {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Called {
    fn from(output: Output) -> Called {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Called {
            code: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

impl fmt::Display for Called {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!(
            "exit code {}\n--- stdout\n{}--- stderr\n{}",
            self.code, self.stdout, self.stderr
        );
        // Snapshots outlive versions.
        f.write_str(&text.replace(env!("CARGO_PKG_VERSION"), "[version]"))
    }
}

/// A call in a folder.
pub(crate) fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_axio"));
    command.args(args).current_dir(folder).env_remove("NO_COLOR");
    command
}

/// Calls the command in a folder.
pub(crate) fn axio_in(folder: &Path, args: &[&str]) -> Called {
    command(folder, args).output().unwrap().into()
}

/// Calls the command in the root of the repository.
pub(crate) fn axio(args: &[&str]) -> Called {
    axio_in(&root(), args)
}

/// The result of a call that must succeed.
pub(crate) fn stdout(args: &[&str]) -> String {
    let called = axio(args);
    assert_eq!(called.code, 0, "{args:?}: {called}");
    called.stdout
}

/// A folder with files in it.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}
