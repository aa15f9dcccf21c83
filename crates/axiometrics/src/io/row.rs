//! What every reader but the fast one reports: rows, and the places where there should have been
//! one.

use crate::data::Entries;
use crate::error::{Error, Result};
use crate::io::{Content, Facet};
use crate::remedy::{Remedy, Setting};
use crate::warning::{WarningKind, Warnings};

/// One row of a file.
#[derive(Debug)]
pub(crate) struct InputRow<'r> {
    pub(crate) topic: &'r [u8],
    pub(crate) doc: &'r [u8],
    /// The grade or the score; never NaN, and never infinite if it is a grade.
    pub(crate) value: f64,
    /// The rank that the file gives, where it gives one that is a number.
    pub(crate) rank: Option<f64>,
    /// The second key of a judgement; empty if there is none.
    pub(crate) facet: &'r [u8],
    pub(crate) line: u64,
}

/// What a reader is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) content: Content,
    pub(crate) facet: Facet,
}

/// Whom a reader reports to.
pub(crate) trait RowSink {
    /// A row.
    fn row(&mut self, row: &InputRow<'_>) -> Result<()>;
    /// Something that is no row. To return an error stops the reader.
    fn bad(&mut self, kind: WarningKind, error: Error) -> Result<()>;
}

/// Checks a number by what it stands for.
pub(crate) fn check(
    value: f64,
    content: Content,
) -> std::result::Result<f64, (WarningKind, &'static str)> {
    match content {
        Content::Run if value.is_nan() => Err((WarningKind::NotANumber, "a number for the score")),
        Content::Qrels if value.is_nan() => {
            Err((WarningKind::NotANumber, "a number for the grade"))
        }
        Content::Qrels if value.is_infinite() => {
            Err((WarningKind::MalformedLine, "a finite grade"))
        }
        _ => Ok(value),
    }
}

/// The number in a text, checked by what it stands for.
pub(crate) fn number(
    text: &[u8],
    content: Content,
) -> std::result::Result<f64, (WarningKind, &'static str)> {
    let value = std::str::from_utf8(text).ok().and_then(|t| t.trim().parse::<f64>().ok());
    value.map_or_else(
        || {
            Err((
                WarningKind::MalformedLine,
                check(f64::NAN, content).map_or_else(|(_, expected)| expected, |_| ""),
            ))
        },
        |x| check(x, content),
    )
}

/// What to do about a line that is wrong.
pub(crate) fn fix_line() -> Remedy {
    Remedy::from("correct the line").option(", or leave such lines out with ", Setting::Lenient, "")
}

/// Gathers rows, for scoring.
pub(crate) struct Gather<'w> {
    pub(crate) entries: Entries,
    /// The facet and the line of each row, where facets are kept; the row's own line is then its
    /// number.
    pub(crate) facets: Option<Vec<(String, u64)>>,
    pub(crate) lenient: bool,
    pub(crate) name: &'w str,
    pub(crate) warnings: &'w mut Warnings,
    last: Option<(Vec<u8>, u32)>,
}

impl<'w> Gather<'w> {
    pub(crate) fn new(
        name: &'w str,
        keep_facets: bool,
        lenient: bool,
        warnings: &'w mut Warnings,
    ) -> Gather<'w> {
        Gather {
            entries: Entries::new(),
            facets: keep_facets.then(Vec::new),
            lenient,
            name,
            warnings,
            last: None,
        }
    }
}

impl RowSink for Gather<'_> {
    fn row(&mut self, row: &InputRow<'_>) -> Result<()> {
        let topic = match &self.last {
            Some((name, topic)) if name == row.topic => *topic,
            _ => {
                let topic = self.entries.topic(row.topic);
                self.last = Some((row.topic.to_vec(), topic));
                topic
            }
        };
        let line = match &mut self.facets {
            None => row.line,
            Some(facets) => {
                facets.push((String::from_utf8_lossy(row.facet).into_owned(), row.line));
                facets.len() as u64 - 1
            }
        };
        self.entries.push(topic, row.doc, row.value, line)
    }

    fn bad(&mut self, kind: WarningKind, error: Error) -> Result<()> {
        if !self.lenient {
            return Err(error);
        }
        let line = error.place().and_then(|p| p.line).unwrap_or(0);
        self.warnings.add(kind, 1, self.name, line);
        Ok(())
    }
}
