//! Tables with tabs, commas, semicolons, bars or blanks between the columns: with a header, BEIR
//! judgements among them, or without one, as the runs of MS MARCO.

use std::cell::Cell;
use std::io::Read;

use csv::{ByteRecord, ErrorKind, ReaderBuilder, Terminator};

use super::columns::{ByRole, ChosenColumns, Columns, RecordField, Role, WrongFields};
use super::detect::Head;
use super::row::{InputRow, RowSink, Wanted, fix_line};
use super::trec::{LONE_RETURN, lone_return, refuse_lone_return};
use super::window::LONGEST_LINE;
use super::{Content, Source, cells, jsonl};
use crate::data::bytes::is_blank;
use crate::error::{Error, Place, Result};
use crate::remedy::{Remedy, Setting};
use crate::warning::WarningKind;

/// What separates the columns of a table, the commonest first.
const SEPARATORS: [u8; 5] = [b'\t', b',', b';', b'|', b' '];

/// A row with more fields is not one of any table we read. Each takes several times the room of a
/// separator.
pub(crate) const MOST_FIELDS: usize = 1 << 20;

/// The error that a row has more fields.
pub(crate) fn too_many_fields(name: &str, line: u64) -> Error {
    Error::input(Place::line(name, line), TOO_MANY_FIELDS)
}

/// The error that a row goes on and on.
pub(crate) fn too_long_record(name: &str, line: u64) -> Error {
    Error::input(Place::line(name, line), TOO_LONG)
}

const TOO_MANY_FIELDS: &str =
    "found a record of more than 1048576 fields, expected the columns of a table";
const TOO_LONG: &str =
    "found a record of more than 64 MB, expected short fields; is a quote left open?";

/// A table, by its first line.
pub(crate) struct TableLayout {
    pub(crate) delimiter: u8,
    /// What its columns are for, as far as that is known.
    pub(crate) columns: ByRole<usize>,
    /// False if the first line is a row like the others.
    pub(crate) has_header: bool,
}

/// The table that begins with this line, if it is one: under a header in names that say what
/// columns are for, or in any others, or without a header if the numbers stand where they are
/// expected.
pub(crate) fn table(line: &[u8], source: &Source) -> Option<TableLayout> {
    let named = SEPARATORS.into_iter().find_map(|delimiter| {
        let columns = header(fields(line, delimiter), source);
        columns.identify().then_some(TableLayout { delimiter, columns, has_header: true })
    });
    if named.is_some() {
        return named;
    }
    let count = |delimiter: u8| line.iter().filter(|b| **b == delimiter).count();
    let commonest =
        SEPARATORS.into_iter().rev().max_by_key(|d| count(*d)).filter(|d| count(*d) > 0);
    // Numbers of columns are for tables: TREC's formats have their own.
    if let Some(columns) = source.columns().and_then(Columns::by_number).filter(|_| !is_trec(line))
    {
        let delimiter = commonest?;
        let value = [Role::Score, Role::Grade, Role::Rating, Role::Rank];
        let at = value.into_iter().find_map(|role| columns.get(role).copied());
        let first = at.and_then(|at| fields(line, delimiter).nth(at));
        return Some(TableLayout { delimiter, columns, has_header: !first.is_some_and(is_number) });
    }
    let delimiter = commonest.filter(|_| !is_trec(line))?;
    let all: Vec<&[u8]> = fields(line, delimiter).collect();
    if let Some(columns) = by_place(&all, delimiter) {
        return Some(TableLayout { delimiter, columns, has_header: false });
    }
    let names = all.len() >= 3 && delimiter != b' ' && all.iter().all(|f| names_columns(f));
    names.then_some(TableLayout { delimiter, columns: ByRole::default(), has_header: true })
}

/// What the columns of a table without a header are for: topic, document and number, or what TREC's
/// formats have in this order.
fn by_place(fields: &[&[u8]], delimiter: u8) -> Option<ByRole<usize>> {
    let places: &[(Role, usize)] = match fields {
        [_, _, value] if is_number(value) => &[(Role::Topic, 0), (Role::Doc, 1), (Role::Rating, 2)],
        // Between blanks these are TREC's own.
        _ if matches!(delimiter, b' ' | b'\t') => return None,
        [_, _, _, grade] if is_number(grade) => {
            &[(Role::Topic, 0), (Role::Iteration, 1), (Role::Doc, 2), (Role::Grade, 3)]
        }
        [_, _, _, rank, score] | [_, _, _, rank, score, _]
            if is_number(rank) && is_number(score) =>
        {
            &[(Role::Topic, 0), (Role::Doc, 2), (Role::Rank, 3), (Role::Score, 4)]
        }
        _ => return None,
    };
    let mut columns = ByRole::default();
    places.iter().for_each(|(role, at)| columns.offer(*role, 0, *at));
    Some(columns)
}

/// A field without the spaces and the quotes around it.
pub(super) fn unquoted(field: &[u8]) -> &[u8] {
    let field = field.trim_ascii();
    field.strip_prefix(b"\"").and_then(|f| f.strip_suffix(b"\"")).unwrap_or(field)
}

/// The fields of a line that is not quoted across lines.
fn fields(line: &[u8], delimiter: u8) -> impl Iterator<Item = &[u8]> {
    line.split(move |b| *b == delimiter).map(unquoted)
}

/// The fields of a line of a small table, whatever separates them: if there are too many, one more
/// than that.
pub(super) fn plain_fields(line: &[u8]) -> Vec<&[u8]> {
    let delimiter = SEPARATORS.into_iter().find(|d| line.contains(d)).unwrap_or(b'\t');
    fields(line, delimiter).filter(|field| !field.is_empty()).take(MOST_FIELDS + 1).collect()
}

/// Whether a field may be the name of a column: no number.
fn names_columns(field: &[u8]) -> bool {
    let name = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b' ');
    field.first().is_some_and(u8::is_ascii_alphabetic)
        && field.iter().all(name)
        && !is_number(field)
        && !field.iter().any(u8::is_ascii_digit)
}

fn is_number(field: &[u8]) -> bool {
    std::str::from_utf8(field).is_ok_and(|text| text.trim().parse::<f64>().is_ok())
}

/// Whether a line is one of TREC's formats: a number stands in the fourth or fifth field.
fn is_trec(line: &[u8]) -> bool {
    let mut fields = line.split(|b| is_blank(*b)).filter(|f| !f.is_empty()).skip(3).take(2);
    fields.any(is_number)
}

/// The columns of a header.
fn header<'h>(names: impl IntoIterator<Item = &'h [u8]>, source: &Source) -> ByRole<usize> {
    let mut columns = ByRole::default();
    for (i, name) in names.into_iter().enumerate() {
        if let Some((role, plainness)) = source.role(name) {
            columns.offer(role, plainness, i);
        }
    }
    columns
}

/// Reads a table, whose delimiter is told by its first line unless it is given.
pub(crate) fn read(
    source: &Source,
    delimiter: Option<u8>,
    wanted: Wanted,
    sink: &mut impl RowSink,
) -> Result<()> {
    let head = Head::of(source)?;
    let table = table(head.first_line(), source)
        .filter(|table| delimiter.is_none_or(|given| given == table.delimiter));
    let delimiter = delimiter.or(table.as_ref().map(|t| t.delimiter)).unwrap_or(b',');
    let columns = table.as_ref().map(|table| &table.columns);
    let mut chosen: Option<ChosenRows> = None;
    let mut width = 0;
    each_record(source, delimiter, |record, line| {
        if chosen.is_none() {
            width = record.len();
            let place = || Place::line(source.name(), line);
            let unknown = |missing| unknown_columns(place(), record, wanted, missing);
            let own;
            let columns = match columns {
                Some(columns) => columns,
                None => {
                    own = header(record, source);
                    &own
                }
            };
            if let Some(role) = columns.repeated() {
                let message = format!("found two columns of one name for the {role}, expected one");
                let help = Remedy::from("name one of them in another way, or leave it out");
                return Err(Error::input(place(), message).help(help));
            }
            chosen = Some(match columns.lists(wanted) {
                Some((topic, documents, numbers)) => ChosenRows::Lists {
                    topic: *topic,
                    documents: *documents,
                    numbers: numbers.copied(),
                },
                None => ChosenRows::One(columns.choose(wanted).map_err(unknown)?.map(|c| *c)),
            });
            if table.as_ref().is_none_or(|table| table.has_header) {
                return Ok(());
            }
        }
        let Some(chosen) = &chosen else { return Ok(()) };
        if record.len() != width
            && let Some(error) = lone_return_error(record, source.name(), line)
        {
            return sink.bad(WarningKind::MalformedLine, error);
        }
        if record.len() != width {
            let message =
                format!("found {} fields, expected {width} as in the header", record.len());
            let error = Error::input(Place::line(source.name(), line), message);
            return sink.bad(
                WarningKind::MalformedLine,
                error.help(
                    Remedy::from("quote fields that contain the separator or a quote").option(
                        "; ",
                        Setting::Lenient,
                        " leaves such lines out",
                    ),
                ),
            );
        }
        let field = |i: usize| RecordField { text: record.get(i).unwrap_or(b""), number: None };
        let chosen = match chosen {
            ChosenRows::One(chosen) => chosen,
            ChosenRows::Lists { topic, documents, numbers } => {
                let topic = field(*topic).text;
                let lists = (field(*documents).text, numbers.map(|at| field(at).text));
                return list_rows(source, topic, lists, line, wanted, sink);
            }
        };
        match chosen.row(wanted.content, line, field) {
            Ok(row) => sink.row(&row),
            Err(WrongFields { kind, found, expected }) => sink.bad(
                kind,
                Error::expected(Place::line(source.name(), line), found, expected).help(fix_line()),
            ),
        }
    })
}

/// Which columns the rows are made of.
enum ChosenRows {
    /// Each line is a row.
    One(ChosenColumns<usize>),
    /// Each line is a topic, with a list of its documents and perhaps of their numbers.
    Lists { topic: usize, documents: usize, numbers: Option<usize> },
}

/// Reports the documents that a line lists.
fn list_rows(
    source: &Source,
    topic: &[u8],
    (documents, numbers): (&[u8], Option<&[u8]>),
    line: u64,
    wanted: Wanted,
    sink: &mut impl RowSink,
) -> Result<()> {
    let place = Place::line(source.name(), line);
    let Some(list) = cells::list(source, documents) else {
        let error = Error::expected(place, documents, "a list, such as [\"d1\", \"d2\"]");
        return sink.bad(WarningKind::MalformedLine, error.help(fix_line()));
    };
    let numbers = numbers.and_then(|cell| cells::list(source, cell)).unwrap_or_default();
    let numbers = if numbers.len() == list.len() { numbers.as_slice() } else { &[] };
    jsonl::report_list(topic, &list, numbers, &place, wanted, sink)
}

/// An error lists names of this many bytes in all, and the beginnings of long ones.
const SHOWN: usize = 100;
const LONGEST_SHOWN: usize = 40;

fn unknown_columns(place: Place, names: &ByteRecord, wanted: Wanted, missing: &str) -> Error {
    let mut room = SHOWN;
    let mut shown: Vec<String> = Vec::new();
    for name in names {
        let text = &name[..name.len().min(LONGEST_SHOWN)];
        let Some(left) = room.checked_sub(text.len()) else { break };
        room = left;
        let cut = if text.len() < name.len() { "…" } else { "" };
        shown.push(format!("{}{cut}", String::from_utf8_lossy(text)));
    }
    let example: Vec<&str> = shown.iter().map(String::as_str).filter(|n| n.len() <= 16).collect();
    let example: Vec<String> =
        example.into_iter().chain(["a", "b", "c"]).take(3).map(str::to_string).collect();
    if shown.len() < names.len() {
        shown.push(format!("and {} more", names.len() - shown.len()));
    }
    let value = if wanted.content == Content::Run { "score" } else { "grade" };
    Error::input(
        place,
        format!(
            "unknown columns: found {}; expected {} with {missing}",
            shown.join(", "),
            wanted.content.noun()
        ),
    )
    .help(Remedy::from("name them in the header").option(
        ", or say which is which with ",
        Setting::Named("columns"),
        format!(" topic={},doc={},{value}={}", example[0], example[1], example[2]),
    ))
}

/// Reads a run of `topic document rank` lines between tabs: the score is the negative rank.
pub(crate) fn read_msmarco(source: &Source, sink: &mut impl RowSink) -> Result<()> {
    super::lines::each_line(source, |text, line| {
        let text = super::lines::bare(text);
        if text.is_empty() || text.starts_with(b"#") {
            return Ok(());
        }
        if let Err(error) = refuse_lone_return(text, source.name(), line) {
            return sink.bad(WarningKind::MalformedLine, error);
        }
        let place = |column: usize| Place::column(source.name(), line, column as u64 + 1);
        let fields: Vec<&[u8]> = text.split(|b| *b == b'\t').take(4).collect();
        let [topic, doc, rank] = fields[..] else {
            let error =
                Error::expected(place(0), text, "three fields between tabs: topic document rank")
                    .help(fix_line());
            return sink.bad(WarningKind::MalformedLine, error);
        };
        match whole(rank) {
            Some(n) if !topic.is_empty() && !doc.is_empty() => {
                sink.row(&InputRow { topic, doc, value: -n, rank: Some(n), facet: b"", line })
            }
            Some(_) => sink.bad(
                WarningKind::MalformedLine,
                Error::expected(place(0), text, "a topic and a document").help(fix_line()),
            ),
            None => {
                let column = text.len() - rank.len();
                sink.bad(
                    WarningKind::MalformedLine,
                    Error::expected(place(column), rank, "a whole number from 1 for the rank")
                        .help(fix_line()),
                )
            }
        }
    })
}

/// True where a line looks like one of an MS MARCO run.
pub(crate) fn is_msmarco(line: &[u8]) -> bool {
    let fields: Vec<&[u8]> = line.split(|b| *b == b'\t').take(4).collect();
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
    let since_record = Cell::new((0, 0));
    let input = Limited { input: source.read()?, delimiter, read: &since_record };
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
            Ok(true) => since_record.set((0, 0)),
            Err(e) => {
                let message = e.to_string();
                let line = reader.position().line();
                return Err(match e.into_kind() {
                    ErrorKind::Io(_) if since_record.get().0 > LONGEST_LINE => {
                        too_long_record(source.name(), line)
                    }
                    ErrorKind::Io(_) if since_record.get().1 > MOST_FIELDS => {
                        too_many_fields(source.name(), line)
                    }
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

/// The error that a record goes on behind a carriage return, if one of its fields does.
pub(crate) fn lone_return_error(record: &ByteRecord, name: &str, line: u64) -> Option<Error> {
    let mut lines = record.iter().flat_map(|field| field.split(|b| *b == b'\n'));
    lines.find_map(lone_return)?;
    let message = "found a carriage return within the record, expected lines that end in newlines";
    Some(Error::input(Place::line(name, line), message).help(LONE_RETURN))
}

/// An input that fails if too much of it is read for one record, such as one whose quote is never
/// closed. The parser would take it into memory, and eight bytes for every field.
struct Limited<'r, R> {
    input: R,
    delimiter: u8,
    /// How many bytes and separators were read since the last record.
    read: &'r Cell<(usize, usize)>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let (bytes, separators) = self.read.get();
        if bytes > LONGEST_LINE {
            return Err(std::io::Error::other(TOO_LONG));
        }
        if separators > MOST_FIELDS {
            return Err(std::io::Error::other(TOO_MANY_FIELDS));
        }
        let n = self.input.read(buf)?;
        let more = memchr::memchr_iter(self.delimiter, &buf[..n]).count();
        self.read.set((bytes + n, separators + more));
        Ok(n)
    }
}
