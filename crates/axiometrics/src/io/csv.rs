//! Tables with commas or tabs between the columns: with a header in the usual names, BEIR
//! judgements among them, and the runs of MS MARCO without one.

use std::cell::Cell;
use std::io::Read;

use csv::{ByteRecord, ErrorKind, ReaderBuilder, Terminator};

use super::Source;
use super::columns::{self, ByRole, Chosen, Field, Wrong};
use super::row::{Row, RowSink, Wanted, fix_line};
use super::window::LONGEST_LINE;
use crate::error::{Error, Place, Result};
use crate::remedy::{Remedy, Setting};
use crate::warning::Kind;

/// The columns of a header.
pub(crate) fn header<'h>(names: impl IntoIterator<Item = &'h [u8]>) -> ByRole<usize> {
    let mut columns = ByRole::default();
    for (i, name) in names.into_iter().enumerate() {
        if let Some((role, plainness)) = columns::role(name) {
            columns.offer(role, plainness, i);
        }
    }
    columns
}

/// Reads a table with a header.
pub(crate) fn read(
    source: &Source,
    delimiter: u8,
    wanted: Wanted,
    sink: &mut impl RowSink,
) -> Result<()> {
    let mut names = ByteRecord::new();
    let mut chosen: Option<Chosen<usize>> = None;
    each_record(source, delimiter, |record, line| {
        let Some(chosen) = chosen else {
            names = record.clone();
            let columns = header(&names);
            let columns = columns.choose(wanted).map_err(|missing| {
                let expected = format!("a header of {} with {missing}", wanted.content.noun());
                let found: Vec<&[u8]> = names.iter().collect();
                Error::expected(
                    Place::line(source.name(), line),
                    &found.join(&delimiter),
                    &expected,
                )
                .help("name the columns, for example query_id, doc_id and score or relevance")
            })?;
            chosen = Some(columns.map(|c| *c));
            return Ok(());
        };
        if record.len() != names.len() {
            let message =
                format!("found {} fields, expected {} as in the header", record.len(), names.len());
            let error = Error::input(Place::line(source.name(), line), message);
            return sink.bad(
                Kind::MalformedLine,
                error.help(
                    Remedy::from("quote fields that contain the separator or a quote; ")
                        .set(Setting::Lenient)
                        .text(" leaves such lines out"),
                ),
            );
        }
        let field = |i: usize| Field { text: record.get(i).unwrap_or(b""), number: None };
        match chosen.row(wanted.content, line, field) {
            Ok(row) => sink.row(&row),
            Err(Wrong { kind, found, expected }) => sink.bad(
                kind,
                Error::expected(Place::line(source.name(), line), found, expected).help(fix_line()),
            ),
        }
    })
}

/// Reads a run of `topic document rank` lines between tabs: the score is the negative rank.
pub(crate) fn read_msmarco(source: &Source, sink: &mut impl RowSink) -> Result<()> {
    super::lines::each_line(source, |text, line| {
        let text = super::lines::bare(text);
        if text.is_empty() || text.starts_with(b"#") {
            return Ok(());
        }
        let place = |column: usize| Place::column(source.name(), line, column as u64 + 1);
        let fields: Vec<&[u8]> = text.split(|b| *b == b'\t').collect();
        let [topic, doc, rank] = fields[..] else {
            let error =
                Error::expected(place(0), text, "three fields between tabs: topic document rank")
                    .help(fix_line());
            return sink.bad(Kind::MalformedLine, error);
        };
        match whole(rank) {
            Some(n) if !topic.is_empty() && !doc.is_empty() => {
                sink.row(&Row { topic, doc, value: -n, rank: Some(n), facet: b"", line })
            }
            Some(_) => sink.bad(
                Kind::MalformedLine,
                Error::expected(place(0), text, "a topic and a document").help(fix_line()),
            ),
            None => {
                let column = text.len() - rank.len();
                sink.bad(
                    Kind::MalformedLine,
                    Error::expected(place(column), rank, "a whole number from 1 for the rank")
                        .help(fix_line()),
                )
            }
        }
    })
}

/// True where a line looks like one of an MS MARCO run.
pub(crate) fn is_msmarco(line: &[u8]) -> bool {
    let fields: Vec<&[u8]> = line.split(|b| *b == b'\t').collect();
    matches!(fields[..], [topic, doc, rank] if !topic.is_empty() && !doc.is_empty() && whole(rank).is_some())
}

/// A whole number from 1.
fn whole(text: &[u8]) -> Option<f64> {
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(text).ok().filter(|_| digits)?.parse().ok().filter(|n| *n >= 1.0)
}

/// Calls `each` with the records that are neither blank nor comments, and the lines they begin on.
///
/// The parser ends records at newlines alone and we take off the carriage return of the last field,
/// because otherwise it counts lines late. With a newline added behind the text, the line it stands
/// on after a record is the one behind it.
pub(crate) fn each_record(
    source: &Source,
    delimiter: u8,
    mut each: impl FnMut(&ByteRecord, u64) -> Result<()>,
) -> Result<()> {
    let since_record = Cell::new(0);
    let input = Limited { input: source.read()?, read: &since_record };
    let input = input.chain(b"\n".as_slice());
    let mut builder = ReaderBuilder::new();
    builder
        .delimiter(delimiter)
        .terminator(Terminator::Any(b'\n'))
        .comment(Some(b'#'))
        .has_headers(false)
        .flexible(true);
    let mut reader = builder.from_reader(input);
    let mut record = ByteRecord::new();
    loop {
        match reader.read_byte_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => since_record.set(0),
            Err(e) => {
                let message = e.to_string();
                return Err(match e.into_kind() {
                    ErrorKind::Io(e) => Error::io(source.name(), e),
                    _ => Error::input(Place::file(source.name()), message),
                });
            }
        }
        if let Some(last) = record.iter().next_back().and_then(|f| f.strip_suffix(b"\r")) {
            let last = last.to_vec();
            record.truncate(record.len() - 1);
            record.push_field(&last);
        }
        if record.iter().all(<[u8]>::is_empty) {
            continue;
        }
        let inside = record.as_slice().iter().filter(|b| **b == b'\n').count() as u64;
        each(&record, reader.position().line().saturating_sub(1 + inside).max(1))?;
    }
}

/// An input that fails if too much of it is read for one record, such as one whose quote is never
/// closed.
struct Limited<'r, R> {
    input: R,
    read: &'r Cell<usize>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        if self.read.get() > LONGEST_LINE {
            return Err(std::io::Error::other(
                "found a record of more than 64 MB, expected short fields; is a quote left open?",
            ));
        }
        let n = self.input.read(buf)?;
        self.read.set(self.read.get() + n);
        Ok(n)
    }
}

/// The separator of a header line in the usual names, where it is one.
pub(crate) fn header_delimiter(line: &[u8]) -> Option<(u8, ByRole<usize>)> {
    [b'\t', b','].into_iter().find_map(|delimiter| {
        let names = line.split(|b| *b == delimiter).map(|n| n.trim_ascii());
        let columns = header(
            names.map(|n| n.strip_prefix(b"\"").and_then(|n| n.strip_suffix(b"\"")).unwrap_or(n)),
        );
        columns.identify().then_some((delimiter, columns))
    })
}
