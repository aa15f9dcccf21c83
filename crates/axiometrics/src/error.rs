//! The one public error of the library.
//!
//! Owns: what went wrong, where (file, line, column), what was found, what was expected and a way
//! out. Does not own: exit codes and colours, which belong to the shells.
//!
//! Kinds are private so that new ones are no breaking change; callers ask with predicates
//! ([`Error::is_usage`], [`Error::is_input`], [`Error::is_io`], [`Error::is_cancelled`]).

use std::fmt;
use std::io;

use crate::choice::Unknown;
use crate::remedy::{Plain, Remedy, Voice};

/// What can be returned in place of a result.
pub type Result<T> = std::result::Result<T, Error>;

/// Anything that stopped the library from giving an answer.
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    place: Option<Place>,
    message: String,
    help: Option<Remedy>,
}

#[derive(Debug)]
enum ErrorKind {
    Usage,
    Input,
    Duplicate,
    Io(Cause),
    Cancelled,
}

/// What the operating system said. It is a copy, because an [`io::Error`] cannot cross
/// `catch_unwind`, and so could not be a part of an error that can.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cause {
    kind: io::ErrorKind,
    text: String,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Cause {}

/// A place in the input. Lines and columns count from 1; columns count bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file as the user named it, `-` for standard input.
    pub file: String,
    /// The line, if one is known.
    pub line: Option<u64>,
    /// The column, if one is known.
    pub column: Option<u64>,
}

impl Place {
    /// A place that is the whole file.
    pub fn file(file: impl Into<String>) -> Place {
        Place { file: file.into(), line: None, column: None }
    }

    /// A line of a file.
    pub fn line(file: impl Into<String>, line: u64) -> Place {
        Place { file: file.into(), line: Some(line), column: None }
    }

    /// A column of a line of a file.
    pub fn column(file: impl Into<String>, line: u64, column: u64) -> Place {
        Place { file: file.into(), line: Some(line), column: Some(column) }
    }
}

/// The suffixes of compressed files.
pub(crate) const COMPRESSED: [&str; 4] = [".gz", ".zst", ".lz4", ".bz2"];

/// A file's name without a suffix of compression, unless it is nothing else.
pub(crate) fn without_suffix(name: &str) -> &str {
    let stripped = COMPRESSED.iter().find_map(|suffix| name.strip_suffix(suffix));
    stripped.filter(|stripped| !stripped.is_empty()).unwrap_or(name)
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
            if let Some(column) = self.column {
                write!(f, ":{column}")?;
            }
        }
        Ok(())
    }
}

impl Error {
    /// The caller asked for something that does not exist or does not fit together.
    pub fn usage(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Usage, None, message.into())
    }

    /// The input is wrong at a place.
    pub fn input(place: Place, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Input, Some(place), message.into())
    }

    /// The input says the same thing twice though it may say it once, such as a document in a
    /// ranking.
    pub fn duplicate(place: Place, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Duplicate, Some(place), message.into())
    }

    /// The input holds one thing instead of another that was expected. Long findings are shortened, control
    /// characters escaped.
    pub fn expected(place: Place, found: &[u8], expected: &str) -> Error {
        let found = if found.is_empty() { "nothing".to_string() } else { quoted(found) };
        Error::input(place, format!("found {found}, expected {expected}"))
    }

    /// Reading or writing a file failed.
    pub fn io(file: impl Into<String>, cause: io::Error) -> Error {
        Error::from(cause).in_file(&file.into())
    }

    /// The same error, with the name of the file if reading or writing one failed.
    pub(crate) fn in_file(mut self, file: &str) -> Error {
        if self.is_io() {
            self.0.place.get_or_insert_with(|| Place::file(file));
        }
        self
    }

    /// The result was no longer wanted.
    pub fn cancelled() -> Error {
        Error::new(ErrorKind::Cancelled, None, "the work was cancelled".to_string())
    }

    /// The same error with a sentence that says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<Remedy>) -> Error {
        self.0.help = Some(help.into());
        self
    }

    fn new(kind: ErrorKind, place: Option<Place>, message: String) -> Error {
        let message = match kind {
            ErrorKind::Input | ErrorKind::Duplicate => shortened(message),
            ErrorKind::Usage | ErrorKind::Io(_) | ErrorKind::Cancelled => message,
        };
        Error(Box::new(Inner { kind, place, message, help: None }))
    }

    /// True if the call itself was wrong (an unknown measure, options that exclude each other).
    pub fn is_usage(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Usage)
    }

    /// True if a file's content was wrong.
    pub fn is_input(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Input | ErrorKind::Duplicate)
    }

    /// True if the content was wrong because something is in it twice.
    pub fn is_duplicate(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Duplicate)
    }

    /// True if the operating system refused.
    pub fn is_io(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Io(_))
    }

    /// True if the reader of our output went away, which is no failure of ours.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(&self.0.kind, ErrorKind::Io(cause) if cause.kind == io::ErrorKind::BrokenPipe)
    }

    /// True if the work was cancelled, so that nobody waits for its result.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Cancelled)
    }

    /// What went wrong, without the place and the help.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do about it, if something can be done.
    pub fn remedy(&self) -> Option<&Remedy> {
        self.0.help.as_ref()
    }

    /// The whole error as a shell says it: place, message and remedy.
    pub fn worded(&self, voice: &dyn Voice) -> String {
        let mut text = match &self.0.place {
            Some(place) => format!("{place}: {}", self.0.message),
            None => self.0.message.clone(),
        };
        let help = self.0.help.as_ref().map(|help| help.worded(voice)).unwrap_or_default();
        if !help.is_empty() {
            text += &format!("\n  help: {help}");
        }
        text
    }

    /// Where it happened, if anywhere in particular.
    pub fn place(&self) -> Option<&Place> {
        self.0.place.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(&Plain))
    }
}

/// For whoever writes to a stream without knowing its name; [`crate::io::write_atomically`] adds
/// it.
impl From<io::Error> for Error {
    fn from(cause: io::Error) -> Error {
        let message = match cause.kind() {
            io::ErrorKind::NotFound => "no such file".to_string(),
            io::ErrorKind::PermissionDenied => "permission denied".to_string(),
            io::ErrorKind::IsADirectory => "is a directory, expected a file".to_string(),
            io::ErrorKind::UnexpectedEof => {
                "ends in the middle of its data: the file is truncated or damaged".to_string()
            }
            _ => cause.to_string(),
        };
        let cause = Cause { kind: cause.kind(), text: cause.to_string() };
        Error::new(ErrorKind::Io(cause), None, message)
    }
}

impl From<Unknown> for Error {
    fn from(unknown: Unknown) -> Error {
        Error::usage(unknown.to_string())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(cause) => Some(cause),
            _ => None,
        }
    }
}

/// Bytes of an input as a person can read them: quoted, escaped, at most 40 of them.
pub fn quoted(bytes: &[u8]) -> String {
    const LONGEST: usize = 40;
    let shown = &bytes[..bytes.len().min(LONGEST)];
    let text = String::from_utf8_lossy(shown);
    let escaped: String = text
        .chars()
        .flat_map(|c| if c == '\'' { vec![c] } else { c.escape_debug().collect() })
        .collect();
    if bytes.len() > LONGEST {
        format!("\"{escaped}…\" ({} bytes)", bytes.len())
    } else {
        format!("\"{escaped}\"")
    }
}

/// A message about an input with its longest words cut: an id or a field may have megabytes.
fn shortened(message: String) -> String {
    const LONGEST: usize = 160;
    const SHOWN: usize = 80;
    if message.split_whitespace().all(|word| word.len() <= LONGEST) {
        return message;
    }
    let word = |word: &str| {
        let len = word.trim_end().len();
        if len <= LONGEST {
            return word.to_string();
        }
        let cut = word.char_indices().map(|(at, _)| at).take_while(|at| *at <= SHOWN).last();
        format!("{}… ({len} bytes){}", &word[..cut.unwrap_or(0)], &word[len..])
    };
    message.split_inclusive(char::is_whitespace).map(word).collect()
}

/// A line, and what stands in it before a place, as blanks: a caret behind them points at the place.
/// Of a long line only what is near the place is shown.
pub(crate) fn pointed(line: &str, at: usize) -> (String, String) {
    const NEAR: usize = 60;
    let mut at = at.min(line.len());
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    let (before, behind) = line.split_at(at);
    let from = before.char_indices().rev().nth(NEAR - 1).map_or(0, |(place, _)| place);
    let to = behind.char_indices().nth(NEAR).map_or(behind.len(), |(place, _)| place);
    let [left, right] = [from > 0, to < behind.len()].map(|cut| if cut { "…" } else { "" });
    let before = format!("{left}{}", &before[from..]);
    let blanks = before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    (format!("{before}{}{right}", &behind[..to]), blanks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_at_a_place_in_a_line_of_any_length() {
        assert_eq!(pointed("a\tbc", 3), ("a\tbc".to_string(), " \t ".to_string()));
        assert_eq!(pointed("", 7), (String::new(), String::new()));
        // Sixty characters on each side are shown; what is cut off is replaced by one mark.
        for (left, right, shown) in [(60, 59, 120), (61, 59, 121), (60, 60, 121), (900, 900, 122)] {
            let line = format!("{}ü{}", "é".repeat(left), "z".repeat(right));
            let (text, blanks) = pointed(&line, 2 * left);
            assert_eq!(text.chars().nth(blanks.len()), Some('ü'), "{text}");
            assert_eq!(text.chars().count(), shown);
            assert_eq!((text.starts_with('…'), text.ends_with('…')), (left > 60, right > 59));
            // Within a character, the place is that of the character.
            assert_eq!(pointed(&line, 2 * left + 1).1, blanks);
        }
    }

    #[test]
    fn says_where_what_and_how() {
        let e = Error::expected(Place::column("a.run", 3, 14), b"abc", "a number for the score")
            .help("remove the line");
        assert_eq!(
            e.to_string(),
            "a.run:3:14: found \"abc\", expected a number for the score\n  help: remove the line"
        );
    }

    #[test]
    fn long_words_of_an_input_are_cut() {
        let long = "é".repeat(5000);
        let error = Error::input(Place::file("f"), format!("document {long} is in topic 7 twice"));
        let shown = "é".repeat(40);
        assert_eq!(
            error.to_string(),
            format!("f: document {shown}… (10000 bytes) is in topic 7 twice")
        );
        let path = "p".repeat(160);
        assert_eq!(Error::input(Place::file("f"), path.clone()).message(), path);
        assert_eq!(Error::usage(long.clone()).message(), long);
    }

    #[test]
    fn findings_are_short_and_printable() {
        assert_eq!(quoted(b"a\tb\x1b"), "\"a\\tb\\u{1b}\"");
        assert_eq!(quoted(&[b'x'; 100]), format!("\"{}…\" (100 bytes)", "x".repeat(40)));
    }
}
