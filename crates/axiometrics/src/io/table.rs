//! Tables that somebody else reads: the columns of a Parquet file, of Arrow data, of a data frame.
//!
//! Owns which column is which, by the same names as in CSV, and what a row must be. How the columns
//! are stored is known to those who implement [`TableSource`].

use std::fmt::Debug;

use super::columns::{ByRole, Role, role};
use super::row::{self, InputRow, RowSink, Wanted, fix_line};
use super::window::LONGEST_LINE;
use super::{Content, Facet, Source};
use crate::error::{Error, Place, Result};
use crate::warning::WarningKind;

/// A table of rows, which can be read more than once.
pub trait TableSource: Debug + Send + Sync {
    /// The names of the columns.
    fn names(&self) -> Vec<String>;

    /// Shows every row, in order, or what is wrong with it: an id or a number that is null is an
    /// error made by [`CellPlace::wrong`]. Stops when `see` fails, with its error.
    fn rows(
        &self,
        columns: ColumnNumbers,
        see: &mut dyn FnMut(Result<TableRow<'_>>) -> Result<()>,
    ) -> Result<()>;

    /// How many bytes it is stored in, for progress bars.
    fn size(&self) -> u64;
}

/// The numbers of the columns that rows are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnNumbers {
    /// The ids of topics.
    pub topic: usize,
    /// The ids of documents.
    pub doc: usize,
    /// The scores or the grades.
    pub value: usize,
    /// The values are ranks: the score is the negative of the rank.
    pub by_rank: bool,
    /// The second key of judgements, if it is wanted.
    pub facet: Option<usize>,
    /// The column of documents holds a list of them in each row. The value of the first is 1, and in
    /// a run 2 that of the next, and so on.
    pub listed: Option<ListedValues>,
}

/// What the values of listed documents are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListedValues {
    /// Ranks, from 1.
    Ranks,
    /// The grade 1.
    Ones,
}

impl ListedValues {
    /// The value of a document that comes after this many others in its list.
    pub fn value(self, before: usize) -> f64 {
        match self {
            ListedValues::Ranks => before as f64 + 1.0,
            ListedValues::Ones => 1.0,
        }
    }
}

/// One row of a table, as it is stored.
#[derive(Debug, Clone, Copy)]
pub struct TableRow<'r> {
    /// The id of the topic.
    pub topic: &'r [u8],
    /// The id of the document.
    pub doc: &'r [u8],
    /// What stands in the column of values.
    pub value: f64,
    /// The second key, if there is a column of it.
    pub facet: &'r [u8],
    /// The number of the row in the table, from 1.
    pub row: u64,
}

impl ColumnNumbers {
    /// Recognises the columns of a run or of judgements by their names, as in CSV. `table` names
    /// the table in errors.
    ///
    /// ```
    /// use axiometrics::io::{Content, Facet, table::ColumnNumbers};
    ///
    /// let names = ["docno", "qid", "rel"];
    /// let columns = ColumnNumbers::recognise("t", &names, Content::Qrels, Facet::None)?;
    /// assert_eq!((columns.topic, columns.doc, columns.value), (1, 0, 2));
    /// let error = ColumnNumbers::recognise("t", &["qid", "docno"], Content::Run, Facet::None);
    /// assert!(error.unwrap_err().to_string().contains("a score or a rank"));
    /// # Ok::<(), axiometrics::Error>(())
    /// ```
    pub fn recognise<S: AsRef<str>>(
        table: &str,
        names: &[S],
        content: Content,
        facet: Facet,
    ) -> Result<ColumnNumbers> {
        let columns = by_role(names);
        if let Some(role) = columns.repeated() {
            let message = format!("found two columns of one name for the {role}, expected one");
            return Err(Error::input(Place::file(table), message)
                .help("name one of them in another way, or leave it out"));
        }
        let wanted = Wanted { content, facet };
        if let Some((topic, documents, _)) = columns.lists(wanted) {
            let by_rank = content == Content::Run;
            return Ok(ColumnNumbers {
                topic: *topic,
                doc: *documents,
                value: *documents,
                by_rank,
                facet: None,
                listed: Some(if by_rank { ListedValues::Ranks } else { ListedValues::Ones }),
            });
        }
        let columns = columns.choose(wanted).map_err(|missing| {
            let found: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
            let expected = format!("columns of {} with {missing}", content.noun());
            Error::expected(Place::file(table), found.join(",").as_bytes(), &expected)
                .help("name the columns, for example query_id, doc_id and score or relevance")
        })?;
        Ok(ColumnNumbers {
            topic: *columns.topic,
            doc: *columns.doc,
            value: *columns.value,
            by_rank: columns.negated,
            facet: columns.facet.copied().filter(|_| facet != Facet::None),
            listed: None,
        })
    }

    /// The value of a row by what stands in its column, or what is wrong with it. Rows count
    /// from 1.
    pub fn value(
        &self,
        content: Content,
        stored: f64,
        place: impl FnOnce() -> CellPlace,
    ) -> Result<f64> {
        self.checked(content, stored)
            .map_err(|(_, expected)| place().wrong(&stored.to_string(), expected))
    }

    /// The same, with the kind of what is wrong and what was expected.
    pub fn checked(
        &self,
        content: Content,
        stored: f64,
    ) -> std::result::Result<f64, (WarningKind, &'static str)> {
        match row::check(stored, content) {
            Ok(value) if self.by_rank => Ok(-value),
            Err((kind, _)) if self.by_rank => Err((kind, "a number for the rank")),
            other => other,
        }
    }
}

/// One cell of a table, for errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellPlace {
    /// The name of the table.
    pub table: String,
    /// The name of the column.
    pub column: String,
    /// The number of the row, from 1.
    pub row: u64,
}

impl CellPlace {
    /// The error that something stands here in place of something else.
    pub fn wrong(&self, found: &str, expected: &str) -> Error {
        let CellPlace { table, column, row } = self;
        let message = format!("column \"{column}\", row {row}: found {found}, expected {expected}");
        Error::input(Place::line(table, *row), message).help(fix_line())
    }
}

/// A whole number as a score or a grade, or how it is shown and what was expected: two numbers that
/// were rounded could become one.
///
/// ```
/// use axiometrics::io::table::whole;
/// assert_eq!(whole(-(1 << 53)), Ok(-9007199254740992.0));
/// assert_eq!(whole((1 << 53) + 1).unwrap_err().0, "9007199254740993");
/// ```
pub fn whole(number: i128) -> WholeNumber {
    let rounded = number as f64;
    if rounded as i128 == number {
        return Ok(rounded);
    }
    Err((number.to_string(), "a number that a double holds exactly, as all up to 2^53"))
}

/// A number that is exact, or how it is shown and what was expected.
pub type WholeNumber = std::result::Result<f64, (String, &'static str)>;

/// The columns that have a role.
pub(super) fn by_role<S: AsRef<str>>(names: &[S]) -> ByRole<usize> {
    let mut columns = ByRole::default();
    for (at, name) in names.iter().enumerate() {
        if let Some((role, plainness)) = role(name.as_ref().as_bytes()) {
            columns.offer(role, plainness, at);
        }
    }
    columns
}

/// What the columns of a table are about.
pub(super) fn content(table: &dyn TableSource) -> Content {
    let names = table.names();
    let columns = by_role(&names);
    // As BEIR calls the columns of its judgements.
    let beir =
        || matches!(&names[..], [topic, doc, ..] if topic == "query-id" && doc == "corpus-id");
    let graded = columns.get(Role::Grade).is_some()
        || columns.lists_judgements()
        || columns.get(Role::Rank).is_none() && beir();
    if graded { Content::Qrels } else { Content::Run }
}

/// Reports the rows of a table.
pub(super) fn read(
    source: &Source,
    table: &dyn TableSource,
    wanted: Wanted,
    sink: &mut impl RowSink,
) -> Result<()> {
    let names = table.names();
    let columns = ColumnNumbers::recognise(source.name(), &names, wanted.content, wanted.facet)?;
    let cell = |column: usize, row: u64| CellPlace {
        table: source.name().to_string(),
        column: names.get(column).cloned().unwrap_or_default(),
        row,
    };
    table.rows(columns, &mut |stored| {
        let TableRow { topic, doc, value, facet, row: line } = match stored {
            Ok(stored) => stored,
            Err(error) if error.is_input() => return sink.bad(WarningKind::MalformedLine, error),
            Err(error) => return Err(error),
        };
        let ids = [(topic, columns.topic, "topic"), (doc, columns.doc, "document")];
        if let Some((_, at, what)) = ids.iter().find(|(id, ..)| id.is_empty()) {
            let error = cell(*at, line).wrong("an empty id", &format!("the id of a {what}"));
            return sink.bad(WarningKind::MalformedLine, error);
        }
        if let Some((_, at, _)) = ids.iter().find(|(id, ..)| id.len() > LONGEST_LINE) {
            return Err(cell(*at, line).wrong("an id of more than 64 MB", "ids and numbers"));
        }
        match columns.checked(wanted.content, value) {
            Ok(value) => sink.row(&InputRow { topic, doc, value, rank: None, facet, line }),
            Err((kind, expected)) => {
                sink.bad(kind, cell(columns.value, line).wrong(&value.to_string(), expected))
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{Format, QrelsOptions};
    use crate::io::{RunOptions, detect_content, read_qrels, read_run};
    use crate::warning::Warnings;

    #[derive(Debug)]
    struct Rows(&'static [&'static str], Vec<(&'static str, &'static str, Option<f64>)>);

    impl TableSource for Rows {
        fn names(&self) -> Vec<String> {
            self.0.iter().map(|name| name.to_string()).collect()
        }

        fn rows(
            &self,
            _: ColumnNumbers,
            see: &mut dyn FnMut(Result<TableRow<'_>>) -> Result<()>,
        ) -> Result<()> {
            for (row, (topic, doc, value)) in (1..).zip(&self.1) {
                let cell = || CellPlace { table: "t".into(), column: "score".into(), row };
                see(value.ok_or_else(|| cell().wrong("null", "a number")).map(|value| TableRow {
                    topic: topic.as_bytes(),
                    doc: doc.as_bytes(),
                    value,
                    facet: b"",
                    row,
                }))?;
            }
            Ok(())
        }

        fn size(&self) -> u64 {
            self.1.len() as u64
        }
    }

    fn source(
        names: &'static [&'static str],
        rows: &[(&'static str, &'static str, Option<f64>)],
    ) -> Source {
        Source::from_table("t.parquet", Box::new(Rows(names, rows.to_vec())))
    }

    #[test]
    fn rows_become_runs_and_judgements() {
        let mut warnings = Warnings::default();
        let run =
            source(&["qid", "docno", "score"], &[("1", "a", Some(2.0)), ("1", "b", Some(3.0))]);
        assert_eq!(detect_content(&run).unwrap(), (Content::Run, Format::Parquet));
        let read = read_run(&run, RunOptions::default(), &mut warnings).unwrap();
        let documents: Vec<_> = read.documents(0).collect();
        assert_eq!(documents, [(b"a".as_slice(), 2.0), (b"b".as_slice(), 3.0)]);
        let ranked = source(&["qid", "docno", "rank"], &[("1", "a", Some(2.0))]);
        let read = read_run(&ranked, RunOptions::default(), &mut warnings).unwrap();
        assert_eq!(read.documents(0).next(), Some((b"a".as_slice(), -2.0)));
        let qrels = source(&["query_id", "doc_id", "relevance"], &[("1", "a", Some(1.0))]);
        assert_eq!(detect_content(&qrels).unwrap().0, Content::Qrels);
        let read = read_qrels(&qrels, QrelsOptions::default(), &mut warnings).unwrap();
        assert_eq!(read.judgement_count(), 1);
    }

    #[test]
    fn wrong_cells_are_named_or_counted() {
        let names = &["qid", "docno", "score"];
        let error = |rows: &[(&'static str, &'static str, Option<f64>)]| {
            let read =
                read_run(&source(names, rows), RunOptions::default(), &mut Warnings::default());
            read.unwrap_err().to_string().lines().next().unwrap().to_string()
        };
        insta::assert_snapshot!(
            error(&[("1", "a", Some(1.0)), ("1", "b", Some(f64::NAN))]),
            @r#"t.parquet:2: column "score", row 2: found NaN, expected a number for the score"#
        );
        insta::assert_snapshot!(
            error(&[("1", "a", None)]),
            @r#"t:1: column "score", row 1: found null, expected a number"#
        );
        insta::assert_snapshot!(
            error(&[("1", "", Some(1.0))]),
            @r#"t.parquet:1: column "docno", row 1: found an empty id, expected the id of a document"#
        );
        insta::assert_snapshot!(
            error(&[("1", "a", Some(1.0)), ("1", "a", Some(2.0))]),
            @r#"t.parquet:2: document "a" is in topic 1 twice (first on line 1), expected each document once"#
        );
        let rows = [("1", "a", None), ("1", "b", Some(1.0)), ("1", "b", Some(2.0))];
        let mut warnings = Warnings::default();
        let options = RunOptions { lenient: true, ..RunOptions::default() };
        let run = read_run(&source(names, &rows), options, &mut warnings).unwrap();
        assert_eq!(run.documents(0).collect::<Vec<_>>(), [(b"b".as_slice(), 2.0)]);
        assert_eq!(warnings.list().len(), 2);
    }
}
