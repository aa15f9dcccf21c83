//! Where results and messages go.
//!
//! Whatever can fail is done before the first byte is written, so that a failure leaves standard
//! output empty. Colours are for terminals, and not if `NO_COLOR` is set.

use std::ffi::OsString;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use axiometrics::choice::Choice;
use axiometrics::remedy::{Setting, Voice};
use axiometrics::report::plot::Figure;
use axiometrics::report::{OutputFormat, Report, Style, safe};
use axiometrics::warning::{Warning, WarningKind, Warnings};
use axiometrics::{Error, Result, io};

use crate::ExitCode;
use crate::args::Output;
use crate::command;
use crate::progress;
use crate::shell;
use crate::signals;

/// Writes a text. A reference, so that what calls it is compiled once and not for every text.
type Render<'r> = &'r dyn Fn(&mut dyn Write) -> std::io::Result<()>;
type Body<'b> = Box<dyn FnOnce(&mut dyn Write) -> Result<()> + 'b>;

impl Output {
    /// Writes a result as it was asked for, to where it was asked for.
    pub(crate) fn report(&self, report: &impl Report) -> Result<()> {
        if self.raw && !matches!(self.format, OutputFormat::Tsv | OutputFormat::Csv) {
            return Err(Error::usage(format!(
                "--raw has no effect on the format {}",
                self.format.name()
            ))
            .help("leave it out, or choose --format csv or tsv"));
        }
        shell::also(&mut |name| {
            let Ok(format) = OutputFormat::from_name(name) else { return Ok(None) };
            let mut text = Vec::new();
            report.write(format, &self.style(), &mut text)?;
            Ok(Some(text))
        })?;
        self.stream(&|out| report.write(self.format, &self.style(), out))
    }

    /// Writes a text.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<()> {
        self.stream(&|out| out.write_all(bytes))
    }

    fn stream(&self, render: Render<'_>) -> Result<()> {
        match &self.output {
            Some(path) => write_atomically(path, |out| Ok(render(out)?)),
            None => to_stdout(render),
        }
    }

    /// How tables for people look at that place.
    pub(crate) fn style(&self) -> Style {
        let style = if self.output.is_none() { terminal_style() } else { plain_style() };
        Style { places: self.places, raw: self.raw, ..style }
    }
}

/// Writes a file that appears whole or not at all, even if a signal ends the program; on a terminal
/// only what is safe to show.
pub(crate) fn write_atomically(
    path: &Path,
    body: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    write_boxed(path, Box::new(body))
}

fn write_boxed(path: &Path, body: Body<'_>) -> Result<()> {
    if path == Path::new("-") && shell::is_called() {
        let mut bytes = Vec::new();
        body(&mut bytes)?;
        return stdout(&bytes);
    }
    if path == Path::new("-") && std::io::stdout().is_terminal() {
        let mut text = Vec::new();
        body(&mut text)?;
        return stdout(shown(&String::from_utf8_lossy(&text)).as_bytes());
    }
    signals::tidy_up();
    io::write_atomically(path, body)
}

/// A text of several lines as a terminal can be given it, whatever it quotes.
pub(crate) fn shown(text: &str) -> String {
    let layout = ['\n', '\t'];
    text.split_inclusive(layout)
        .map(|piece| {
            let body = piece.trim_end_matches(layout);
            format!("{}{}", safe(body), &piece[body.len()..])
        })
        .collect()
}

/// Tells what was wrong with the command line, or the help that was asked for.
pub(crate) fn usage(error: &clap::Error, arguments: &[OsString]) -> ExitCode {
    // Colours that an argument brings along cannot be told from those of the message: all are left
    // out then.
    let acts = |argument: &OsString| {
        let text = argument.to_string_lossy();
        shown(&text) != text
    };
    if error.use_stderr() && arguments.iter().any(acts) {
        eprint!("{}", shown(&error.render().to_string()));
        return ExitCode::from(2);
    }
    let written = error.print().and_then(|()| std::io::stdout().flush());
    match written {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            message("31", "error", &Error::io("standard output", e).worded(&CommandLine));
            ExitCode::from(2)
        }
        _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
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
    to_stdout(&|out| out.write_all(bytes))
}

fn to_stdout(render: Render<'_>) -> Result<()> {
    if shell::is_called() {
        let mut bytes = Vec::new();
        render(&mut bytes)?;
        shell::print(&bytes);
        return Ok(());
    }
    progress::close();
    let written = io::standard_output().and_then(|out| {
        let mut out = std::io::BufWriter::with_capacity(1 << 16, out);
        render(&mut out).and_then(|()| out.flush())
    });
    written.map_err(|e| Error::io("standard output", e))
}

/// Writes each plot to a directory, as SVG and, if it is part of the build, as PNG.
pub(crate) fn plots(directory: &Path, figures: &[Figure]) -> Result<()> {
    let named = |path: &Path, e| Error::io(path.display().to_string(), e);
    std::fs::create_dir_all(directory).map_err(|e| named(directory, e))?;
    let mut written: Vec<PathBuf> = Vec::new();
    let all: Result<()> = figures.iter().try_for_each(|figure| {
        let images = [
            ("svg", figure.svg().into_bytes()),
            #[cfg(feature = "png")]
            ("png", figure.png()?),
        ];
        for (extension, bytes) in images {
            let path = directory.join(format!("{}.{extension}", figure.name));
            write_atomically(&path, |out| out.write_all(&bytes).map_err(|e| named(&path, e)))?;
            written.push(path);
        }
        Ok(())
    });
    if all.is_err() {
        // All plots or none, as on a full disk. What cannot be removed changes nothing to the error.
        written.iter().for_each(|path| drop(std::fs::remove_file(path)));
    }
    all?;
    #[cfg(not(feature = "png"))]
    note("note", "the plots are written as SVG alone: PNG is not part of this build");
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

    fn has(&self, setting: Setting) -> bool {
        let name = setting.name().replace('_', "-");
        command::has_option(&shell::arguments(), &name, setting.value())
    }

    fn call(&self, name: &str) -> String {
        format!("`axio {name}`")
    }

    fn call_with(&self, name: &str, setting: Setting) -> String {
        format!("`axio {name} {}`", self.setting(setting))
    }
}

/// Files named for one kind of warning; of the others only the number is told.
const FILES_NAMED: usize = 5;

/// What was not as it should be. What casts doubt on all scores is told with its remedy; the rest in
/// a few words, unless all is wanted.
pub(crate) fn warnings(warnings: &Warnings, verbose: bool) {
    if shell::warn(warnings) {
        return;
    }
    // The error of a run that was left out has been told already.
    let told = |kind: WarningKind| kind != WarningKind::RunLeftOut && (verbose || kind.is_loud());
    warnings_of(warnings, told);
    let brief = warnings.brief();
    if !verbose && !brief.is_empty() {
        message("33", "warning", &in_brief(brief, message_width()));
    }
}

/// Those of some kinds, each with its remedy.
pub(crate) fn warnings_of(warnings: &Warnings, told: impl Fn(WarningKind) -> bool) {
    let mut list: Vec<Warning> = warnings.list().into_iter().filter(|w| told(w.kind)).collect();
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
        let help = kind[0].remedy.worded(&CommandLine);
        let help = if help.is_empty() { help } else { format!("\n  help: {help}") };
        message("33", "warning", &format!("{last}{help}"));
    }
}

/// So many lines are enough for what is told in brief.
const BRIEF_LINES: usize = 3;

/// Phrases as a wrapped paragraph of few lines.
fn in_brief(mut phrases: Vec<String>, width: usize) -> String {
    let all = phrases.len();
    loop {
        let more = match all - phrases.len() {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let text = format!("{}{more}. -v explains each", phrases.join("; "));
        let lines = wrapped(&text, width, "warning: ".len());
        if lines.len() <= BRIEF_LINES || phrases.len() == 1 {
            return lines.join("\n  ");
        }
        phrases.pop();
    }
}

/// Lines of words. The first has less room, for what stands before it; the others are indented.
fn wrapped(text: &str, width: usize, before: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut room = width.saturating_sub(before);
    for word in text.split(' ') {
        let line = lines.last_mut().filter(|line| {
            line.is_empty() || line.chars().count() + 1 + word.chars().count() <= room
        });
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => *line += &format!(" {word}"),
            None => {
                lines.push(word.to_string());
                room = width.saturating_sub(2);
            }
        }
    }
    lines
}

/// How wide messages may be: as the terminal is, but no wider than a page.
fn message_width() -> usize {
    let terminal = terminal_size::terminal_size_of(std::io::stderr());
    terminal.map_or(80, |(width, _)| usize::from(width.0).clamp(40, 100))
}

/// What a reader of bare numbers needs to know besides.
pub(crate) fn note(label: &str, text: &str) {
    message("36", label, text);
}

fn message(colour: &str, label: &str, text: &str) {
    if shell::note(text) {
        return;
    }
    // Names of files and ids may hold anything.
    let text = shown(text);
    progress::aside(|| {
        let mut stderr = std::io::stderr().lock();
        let colourful = stderr.is_terminal() && colours();
        // There is nobody left to tell if this fails.
        let _ = if colourful {
            writeln!(stderr, "\x1b[1;{colour}m{label}:\x1b[0m {text}")
        } else {
            writeln!(stderr, "{label}: {text}")
        };
    });
}

/// Whether a terminal may be given colours.
fn colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
        && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brief_warnings_are_few_lines() {
        let phrase = |n: usize| format!("a phrase of nearly fifty characters in number {n:03}");
        for phrases in [1, 3, 9] {
            let text = in_brief((0..phrases).map(phrase).collect(), 80);
            assert!(text.lines().count() <= BRIEF_LINES, "{text}");
            assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
            assert!(text.ends_with("-v explains each"), "{text}");
        }
        assert!(in_brief((0..9).map(phrase).collect(), 80).contains("more. -v"));
    }

    #[test]
    fn nothing_shown_acts_on_the_terminal() {
        assert_eq!(shown("a\tb\n  help: c\n\n"), "a\tb\n  help: c\n\n");
        assert_eq!(
            shown("x\u{1b}]0;y\u{7}\u{9b}\u{202e}z\n"),
            "x\u{fffd}]0;y\u{fffd}\u{fffd}\u{fffd}z\n"
        );
    }
}
