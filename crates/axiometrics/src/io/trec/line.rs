//! One line of a TREC file, whatever it looks like.
//!
//! Every path through the reader leaves the lines that it does not understand to [`split_line`],
//! and asks [`topic`] when it needs to know no more, so that they agree on what a field is.

use super::Layout;
use crate::data::bytes::is_blank;
use crate::error::{Error, Place};
use crate::io::row::fix_line;
use crate::remedy::{Remedy, Setting};
use crate::warning::WarningKind;

/// What some editors put before the text, and `cat` between two.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where the content of a line begins: behind blanks and byte order marks.
fn content_start(line: &[u8]) -> usize {
    let mut start = 0;
    loop {
        match &line[start..] {
            [blank, ..] if is_blank(*blank) => start += 1,
            rest if rest.starts_with(BYTE_ORDER_MARK) => start += BYTE_ORDER_MARK.len(),
            _ => return start,
        }
    }
}

/// What to do about lines that end in carriage returns alone.
pub(crate) const LONE_RETURN: &str = "lines end in newlines; convert a file whose lines end in carriage returns alone, for example with tr '\\r' '\\n'";

/// Where a carriage return is that does not belong to the end of the line. A file whose lines end in
/// nothing else would be one line, of which all but the first fields would be passed over.
pub(crate) fn lone_return(line: &[u8]) -> Option<usize> {
    let at = memchr::memchr(b'\r', line)?;
    line[at..].iter().any(|b| *b != b'\r').then_some(at)
}

/// Refuses a line, without its newline, that has a carriage return elsewhere than at its end.
#[inline]
pub(crate) fn refuse_lone_return(line: &[u8], file: &str, number: u64) -> Result<(), Error> {
    match lone_return(line) {
        None => Ok(()),
        Some(at) => Err(lone_return_error(line, at, file, number)),
    }
}

/// The error that a carriage return stands there in a line.
#[cold]
pub(crate) fn lone_return_error(line: &[u8], at: usize, file: &str, number: u64) -> Error {
    let place = Place::column(file, number, at as u64 + 1);
    Error::expected(place, &line[at..], RETURN_AT_END).help(LONE_RETURN)
}

const RETURN_AT_END: &str = "a carriage return only at the end of a line";

/// The topic of a line; `None` for a blank line or a comment.
pub(crate) fn topic(line: &[u8]) -> Option<&[u8]> {
    let content = &line[content_start(line)..];
    let topic = content.split(|b| is_blank(*b)).next().filter(|topic| !topic.is_empty())?;
    (!topic.starts_with(b"#")).then_some(topic)
}

/// The tag of a line of a run that has one.
pub(crate) fn tag(line: &[u8]) -> Option<&[u8]> {
    let content = &line[content_start(line)..];
    content.split(|b| is_blank(*b)).filter(|field| !field.is_empty()).nth(5)
}

/// The fields of a line.
pub(crate) struct Fields<'l> {
    pub(crate) topic: &'l [u8],
    pub(super) topic_at: usize,
    pub(crate) second: &'l [u8],
    pub(crate) doc_at: usize,
    pub(crate) doc_len: usize,
    /// The rank of a run, the stratum of a judgement that has one; only a line that was split field
    /// by field has it.
    pub(crate) fourth: &'l [u8],
    pub(crate) value: f64,
}

/// What is wrong with a line.
pub(crate) struct Bad {
    pub(crate) kind: WarningKind,
    column: usize,
    found: Vec<u8>,
    expected: &'static str,
    help: Option<Remedy>,
}

impl Bad {
    pub(crate) fn error(self, name: &str, line: u64) -> Error {
        let error = Error::expected(
            Place::column(name, line, self.column as u64 + 1),
            &self.found,
            self.expected,
        );
        error.help(self.help.unwrap_or_else(fix_line))
    }
}

/// Splits any line: `None` for a blank one or a comment.
pub(crate) fn split_line(line: &[u8], layout: Layout) -> Result<Option<Fields<'_>>, Bad> {
    if let Some(at) = lone_return(line) {
        return Err(Bad {
            kind: WarningKind::MalformedLine,
            column: at,
            found: line[at..].to_vec(),
            expected: RETURN_AT_END,
            help: Some(LONE_RETURN.into()),
        });
    }
    let mut spans = [(0usize, 0usize); 5];
    let mut count = 0;
    let mut i = content_start(line);
    while count < spans.len() {
        while i < line.len() && is_blank(line[i]) {
            i += 1;
        }
        if i == line.len() {
            break;
        }
        let start = i;
        while i < line.len() && !is_blank(line[i]) {
            i += 1;
        }
        spans[count] = (start, i);
        count += 1;
    }
    let field = |n: usize| &line[spans[n].0..spans[n].1];
    if count == 0 || field(0).starts_with(b"#") {
        return Ok(None);
    }
    let (wanted, expected, number_is) = match layout {
        Layout::Run | Layout::Ranking => {
            (5, "a line of a run: topic Q0 document rank score tag", "a number for the score")
        }
        Layout::Qrels => {
            (4, "a line of judgements: topic iteration document grade", "a number for the grade")
        }
        Layout::Stratified => (
            5,
            "a line of judgements: topic iteration document stratum grade",
            "a number for the grade",
        ),
    };
    if count < wanted {
        return Err(Bad {
            kind: WarningKind::MalformedLine,
            column: line.len(),
            found: line.to_vec(),
            expected,
            help: None,
        });
    }
    // Nobody reads what is behind the last of them.
    if let Some(at) = line[..spans[wanted - 1].1].iter().position(|b| *b < b' ' && !is_blank(*b)) {
        let expected = "text without control characters";
        let help = Some(
            "is this a text file? compressed files are recognised by their content: gzip, zstd, lz4, bzip2"
                .into(),
        );
        return Err(Bad {
            kind: WarningKind::MalformedLine,
            column: at,
            found: line[at..].to_vec(),
            expected,
            help,
        });
    }
    let end = spans[wanted - 1].1;
    let is_run = matches!(layout, Layout::Run | Layout::Ranking);
    if let Some(behind) = line[end..].iter().position(|b| !is_blank(*b)).filter(|_| !is_run) {
        let column = end + behind;
        let field = line[column..].split(|b| is_blank(*b)).next().unwrap_or_default();
        if !field.starts_with(b"#") {
            return Err(Bad {
                kind: WarningKind::MalformedLine,
                column,
                found: field.to_vec(),
                expected: if layout == Layout::Qrels {
                    "the end of a line of judgements: topic iteration document grade"
                } else {
                    "the end of a line of judgements: topic iteration document stratum grade"
                },
                help: Some(
                    Remedy::from("remove the column")
                        .option(", or leave such lines out with ", Setting::Lenient, "")
                        .text("; a stratum before the grade is read by measures such as infNDCG"),
                ),
            });
        }
    }
    let text = field(wanted - 1);
    let value = std::str::from_utf8(text).ok().and_then(|t| t.parse::<f64>().ok());
    let bad = |kind, expected| Bad {
        kind,
        column: spans[wanted - 1].0,
        found: text.to_vec(),
        expected,
        help: None,
    };
    match value {
        None => Err(bad(WarningKind::MalformedLine, number_is)),
        Some(x) if x.is_nan() => Err(bad(WarningKind::NotANumber, number_is)),
        Some(x) if !is_run && x.is_infinite() => {
            Err(bad(WarningKind::MalformedLine, "a finite grade"))
        }
        Some(value) => {
            let (start, end) = spans[2];
            Ok(Some(Fields {
                topic: field(0),
                topic_at: spans[0].0,
                second: field(1),
                doc_at: start,
                doc_len: end - start,
                fourth: field(3),
                value,
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a line that is wrong; `None` if it is not.
    fn said(line: &str, layout: Layout) -> Option<String> {
        split_line(line.as_bytes(), layout).err().map(|bad| bad.error("a", 1).to_string())
    }

    #[test]
    fn a_topic_stands_behind_blanks_and_marks() {
        for line in ["1 Q0 a", "  1 Q0 a", "\t\u{feff} 1 Q0 a", "\u{feff}\u{feff}1"] {
            assert_eq!(topic(line.as_bytes()), Some(b"1".as_slice()), "{line:?}");
        }
        for line in ["", "  ", "\u{feff}", "# 1", " #1 Q0 a"] {
            assert_eq!(topic(line.as_bytes()), None, "{line:?}");
        }
    }

    #[test]
    fn the_sixth_field_is_the_tag() {
        assert_eq!(tag(b" 1 Q0  a 1 2.5\tx y"), Some(b"x".as_slice()));
        assert_eq!(tag(b"1 Q0 a 1 2.5 "), None);
    }

    #[test]
    fn carriage_returns_stand_at_the_end() {
        for (line, at) in [("a\r", None), ("a\r\r", None), ("a", None), ("a\rb", Some(1))] {
            assert_eq!(lone_return(line.as_bytes()), at, "{line:?}");
        }
        let error = said("1 0 a 1\r2 0 a 1", Layout::Qrels).unwrap();
        assert!(error.contains("a:1:8") && error.contains("carriage return"), "{error}");
        assert_eq!(said("1 0 a 1\r", Layout::Qrels), None);
    }

    #[test]
    fn only_a_comment_follows_a_grade() {
        for (layout, line) in [(Layout::Qrels, "1 0 a 1"), (Layout::Stratified, "1 0 a s 1")] {
            for rest in ["", " ", "\t \r", " # of 2", " #x"] {
                assert_eq!(said(&format!("{line}{rest}"), layout), None, "{rest:?}");
            }
            let error = said(&format!("{line}  x y"), layout).unwrap();
            let column = line.len() + 3;
            assert!(error.contains(&format!("a:1:{column}")), "{error}");
            assert!(error.contains("\"x\""), "{error}");
            assert_eq!(error.contains("stratum grade"), layout == Layout::Stratified, "{error}");
        }
        // A run may say more.
        assert_eq!(said("1 Q0 a 1 2.5 x y", Layout::Run), None);
    }

    #[test]
    fn a_wrong_number_is_pointed_at() {
        for (layout, line, column) in [
            (Layout::Run, "1 Q0 a 1 x tag", 10),
            (Layout::Run, "1 Q0 a 1 nan tag", 10),
            (Layout::Qrels, "1 0 abc x", 9),
            (Layout::Qrels, "1 0 abc inf", 9),
            (Layout::Stratified, "1 0 abc s 1x", 11),
        ] {
            let error = said(line, layout).unwrap();
            assert!(error.contains(&format!("a:1:{column}:")), "{error}");
        }
        // A run may rank something above all numbers.
        assert_eq!(said("1 Q0 a 1 inf x", Layout::Run), None);
    }

    /// Behind the fields that are read, anything may stand.
    #[test]
    fn control_characters_are_refused_in_what_is_read() {
        for (layout, line) in [(Layout::Run, "1 Q0 a 1 2.5"), (Layout::Qrels, "1 0 a 1")] {
            let error = said(&line.replace('a', "a\u{1}b"), layout).unwrap();
            assert!(error.contains("control characters"), "{error}");
        }
        assert_eq!(said("1 Q0 a 1 2.5 x\u{1}", Layout::Run), None);
    }
}
