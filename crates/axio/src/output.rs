//! Where results and messages go.
//!
//! Whatever can fail is done before the first byte is written, so that a failure leaves standard
//! output empty. Colours are for terminals, and not where `NO_COLOR` is set.

use std::io::{IsTerminal, Write};
use std::path::Path;

use axiometrics::remedy::{Setting, Voice};
use axiometrics::report::plot::Figure;
use axiometrics::report::{Report, Style};
use axiometrics::warning::{Kind, Warning, Warnings};
use axiometrics::{Error, Result, io};

use crate::args::Output;
use crate::shell;

impl Output {
    /// Writes a result as it was asked for, to where it was asked for.
    pub(crate) fn report(&self, report: &impl Report) -> Result<()> {
        self.stream(|out| report.write(self.format, &self.style(), out))
    }

    /// Writes a text.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<()> {
        self.stream(|out| out.write_all(bytes))
    }

    fn stream(&self, render: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
        match &self.output {
            Some(path) => io::write_atomically(path, |out| Ok(render(out)?)),
            None => to_stdout(render),
        }
    }

    /// How tables for people look at that place.
    pub(crate) fn style(&self) -> Style {
        let style = if self.output.is_none() { terminal_style() } else { plain_style() };
        Style { places: self.places, ..style }
    }
}

/// How tables and pages look on standard output.
pub(crate) fn terminal_style() -> Style {
    if shell::is_called() || !std::io::stdout().is_terminal() {
        return plain_style();
    }
    let width = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    Style { colour: colours(), width, ..plain_style() }
}

/// How they look in a file or a pipe.
pub(crate) fn plain_style() -> Style {
    Style { voice: &CommandLine, ..Style::default() }
}

/// Writes to standard output.
pub(crate) fn stdout(bytes: &[u8]) -> Result<()> {
    to_stdout(|out| out.write_all(bytes))
}

fn to_stdout(render: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    if shell::is_called() {
        let mut bytes = Vec::new();
        render(&mut bytes)?;
        shell::print(&bytes);
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    render(&mut out).and_then(|()| out.flush()).map_err(|e| Error::io("standard output", e))
}

/// Writes each plot to a directory, as SVG and PNG.
pub(crate) fn plots(directory: &Path, figures: &[Figure]) -> Result<()> {
    let named = |path: &Path, e| Error::io(path.display().to_string(), e);
    std::fs::create_dir_all(directory).map_err(|e| named(directory, e))?;
    for figure in figures {
        for (extension, bytes) in [("svg", figure.svg().into_bytes()), ("png", figure.png()?)] {
            let path = directory.join(format!("{}.{extension}", figure.name));
            io::write_atomically(&path, |out| out.write_all(&bytes).map_err(|e| named(&path, e)))?;
        }
    }
    Ok(())
}

/// What stopped the work, with the context in which it did. The library's errors tell their own
/// cause.
pub(crate) fn failure(error: &anyhow::Error) {
    let own = error.chain().position(|cause| cause.is::<Error>()).unwrap_or(usize::MAX);
    let word = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref::<Error>() {
        Some(error) => error.worded(&CommandLine),
        None => cause.to_string(),
    };
    let told: Vec<String> = error.chain().take(own.saturating_add(1)).map(word).collect();
    message("31", "error", &told.join(": "));
}

/// What stopped a part of the work.
pub(crate) fn error(error: &Error) {
    message("31", "error", &error.worded(&CommandLine));
}

/// Advice as the command spells it: `--missing zero`, `axio validate`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CommandLine;

impl Voice for CommandLine {
    fn setting(&self, setting: Setting) -> String {
        let name = setting.name().replace('_', "-");
        match setting.value() {
            Some(value) => format!("--{name} {value}"),
            None => format!("--{name}"),
        }
    }

    fn call(&self, name: &str) -> String {
        format!("`axio {name}`")
    }
}

/// Files named for one kind of warning; of the others only the number is told.
const FILES_NAMED: usize = 5;

/// What was not as it should be: by kind, so that a remedy is told once.
pub(crate) fn warnings(warnings: &Warnings) {
    if shell::warn(warnings) {
        return;
    }
    // The error of a run that was left out has been told already.
    let mut list: Vec<Warning> =
        warnings.list().into_iter().filter(|w| w.kind != Kind::RunLeftOut).collect();
    list.sort_by_key(|w| w.kind);
    for kind in list.chunk_by(|a, b| a.kind == b.kind) {
        let mut lines: Vec<String> =
            kind.iter().take(FILES_NAMED).map(|w| w.message.clone()).collect();
        let unnamed = kind.len() - lines.len();
        if unnamed > 0 {
            lines.push(format!(
                "the same in {unnamed} more file{}",
                if unnamed == 1 { "" } else { "s" }
            ));
        }
        let Some(last) = lines.pop() else { continue };
        lines.iter().for_each(|line| message("33", "warning", line));
        message(
            "33",
            "warning",
            &format!("{last}\n  help: {}", kind[0].remedy.worded(&CommandLine)),
        );
    }
}

/// What a reader of bare numbers needs to know besides.
pub(crate) fn note(label: &str, text: &str) {
    message("36", label, text);
}

fn message(colour: &str, label: &str, text: &str) {
    if shell::note(text) {
        return;
    }
    let mut stderr = std::io::stderr().lock();
    let colourful = stderr.is_terminal() && colours();
    // There is nobody left to tell where this fails.
    let _ = if colourful {
        writeln!(stderr, "\x1b[1;{colour}m{label}:\x1b[0m {text}")
    } else {
        writeln!(stderr, "{label}: {text}")
    };
}

/// Whether a terminal may be given colours.
fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}
