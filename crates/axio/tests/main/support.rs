//! Calling the command.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

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
    let called: Called = command(folder, args).output().unwrap().into();
    assert_advice_can_be_followed(args, &called.stderr);
    called
}

/// Every option that a help text names must be one of the command that gives it, or of the command
/// that it names: "`axio eval --ranges`".
fn assert_advice_can_be_followed(args: &[&str], stderr: &str) {
    let Some(called) = args.first().filter(|name| **name != "trec_eval") else { return };
    for advice in stderr.lines().filter_map(|line| line.strip_prefix("  help: ")) {
        for (at, piece) in advice.split('`').enumerate() {
            let named = piece.strip_prefix("axio ").filter(|_| at % 2 == 1);
            let command = named.and_then(|named| named.split(' ').next()).unwrap_or(called);
            let words = piece.split(|c: char| c.is_whitespace() || ",;.:()'\"".contains(c));
            for option in
                words.filter(|word| word.strip_prefix("--").is_some_and(|w| !w.is_empty()))
            {
                // What the user wrote is quoted in answers, and is no advice.
                let written = args.iter().any(|arg| arg.starts_with(option));
                assert!(written || has_option(command, option), "{args:?}: {advice}");
            }
            if named.is_some() {
                assert!(!help_of(command).is_empty(), "{args:?}: {advice}");
            }
        }
    }
}

fn has_option(command: &str, option: &str) -> bool {
    let of_plan = ["depth", "topics", "judge", "relevant"].map(|inner| format!("plan {inner}"));
    let all = std::iter::once(command.to_string())
        .chain(of_plan.into_iter().filter(|_| command == "plan"));
    let is_option = |c: char| c.is_ascii_alphanumeric() || c == '-';
    all.into_iter().any(|command| {
        let help = help_of(&command);
        help.split(|c: char| !is_option(c)).any(|word| word == option)
    })
}

/// The help of a command, which is printed once; empty if there is no such command.
fn help_of(named: &str) -> String {
    static KNOWN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap();
    let help = known.entry(named.to_string()).or_insert_with(|| {
        let args: Vec<&str> = named.split(' ').chain(["--help"]).collect();
        let output = command(&root(), &args).output().unwrap();
        if output.status.success() {
            String::from_utf8(output.stdout).unwrap()
        } else {
            String::new()
        }
    });
    help.clone()
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
