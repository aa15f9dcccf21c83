//! A linter for runs and judgements: what a file says that its author may not have meant.
//!
//! Owns the checks and what to do about each finding. Does not print; and does not stop at what a
//! reader would refuse, so that all that is wrong is told at once.

mod finding;
mod qrels;
mod run;

use serde::Serialize;

pub use finding::{Findings, Found, FoundInstance, ValidationCheck};

use crate::data::{Entries, Entry, Qrels, id_text};
use crate::error::{Error, Place, Result};
use crate::io::row::{InputRow, RowSink, Wanted};
use crate::io::{self, Content, Facet, Format, Source};
use crate::remedy::{Remedy, Setting};
use crate::warning::{WarningKind, Warnings};

/// What is checked, and how much is told.
#[derive(Debug, Clone, Copy)]
pub struct LintOptions<'q> {
    /// The judgements that runs are compared with.
    pub qrels: Option<&'q Qrels>,
    /// The second key of judgements: with [`Facet::Stratum`] the grade is the fifth column.
    pub facet: Facet,
    /// Grades above this are taken for a slip.
    pub max_grade: f64,
    /// Rankings with fewer documents are short; none is if nothing is said.
    pub cutoff: Option<u32>,
    /// How many findings of a kind are kept; all are counted.
    pub shown: usize,
}

impl Default for LintOptions<'_> {
    fn default() -> Self {
        LintOptions { qrels: None, facet: Facet::None, max_grade: 10.0, cutoff: None, shown: 5 }
    }
}

/// What was found in a file.
#[derive(Debug, Clone, Serialize)]
pub struct Validation {
    /// The file.
    pub file: String,
    /// A run or judgements.
    pub kind: Content,
    /// Its format.
    pub format: Format,
    /// How many topics it has.
    pub topics: usize,
    /// How many rows could be read.
    pub rows: usize,
    /// The share of unjudged documents in the top ten of the judged topics, if there are judgements
    /// to compare with.
    pub unjudged_in_top_10: Option<f64>,
    /// The findings, by kind.
    pub findings: Findings,
}

/// A file that was read with all that its rows say, to be checked.
#[derive(Debug)]
pub struct Lint {
    name: String,
    content: Content,
    format: Format,
    /// Grouped by topic.
    entries: Entries,
    facts: Vec<Fact>,
    findings: Findings,
}

impl Lint {
    /// Reads a file. One in which no row can be read is an error. `shown` findings of a kind are
    /// kept; with [`Facet::Stratum`] the grade of a judgement is the fifth column.
    pub fn read(
        source: &Source,
        content: Content,
        format: Format,
        facet: Facet,
        shown: usize,
    ) -> Result<Lint> {
        let mut rows =
            FileRows { entries: Entries::new(), facts: Vec::new(), findings: Findings::new(shown) };
        io::read_rows(source, Wanted { content, facet }, format, &mut rows)?;
        if rows.entries.is_empty() {
            return Err(unreadable(source, content, format, &rows.findings));
        }
        rows.entries.group();
        let FileRows { entries, facts, findings } = rows;
        Ok(Lint { name: source.name().to_string(), content, format, entries, facts, findings })
    }

    /// The judgements that a file of them holds: of each document in a topic the highest grade.
    pub fn qrels(&self) -> Result<Qrels> {
        let mut qrels = Qrels::builder().named(&self.name);
        for topic in 0..self.entries.topic_count() as u32 {
            let rows = self.entries.rows(topic);
            let judged =
                |row: &Entry| (self.entries.topic_name(topic), self.entries.doc(row), row.value);
            qrels.extend(rows.iter().map(judged));
        }
        qrels.build_lenient(&mut Warnings::default())
    }

    /// What is odd about the file; of a run, also beside judgements.
    pub fn check(self, options: &LintOptions<'_>) -> Validation {
        let LintOptions { qrels, max_grade, cutoff, .. } = *options;
        let Lint { name, content, format, entries, facts, mut findings } = self;
        let table = TopicTable { entries: &entries, facts: &facts };
        let unjudged_in_top_10 = match content {
            Content::Run => run::check(table, qrels, cutoff.unwrap_or(0) as usize, &mut findings),
            Content::Qrels => {
                qrels::check(table, max_grade, &mut findings);
                None
            }
        };
        Validation {
            file: name,
            kind: content,
            format,
            topics: entries.topic_count(),
            rows: entries.len(),
            unjudged_in_top_10,
            findings,
        }
    }
}

/// Reads and checks a file.
pub fn validate(
    source: &Source,
    content: Content,
    format: Format,
    options: LintOptions<'_>,
) -> Result<Validation> {
    let LintOptions { facet, shown, .. } = options;
    Ok(Lint::read(source, content, format, facet, shown)?.check(&options))
}

/// A file without a single row is the wrong file, or read in the wrong way.
fn unreadable(source: &Source, content: Content, format: Format, findings: &Findings) -> Error {
    let first = findings.iter().flat_map(|f| &f.instances).min_by_key(|f| f.line);
    let place = first
        .and_then(|f| f.line)
        .map_or_else(|| Place::file(source.name()), |line| Place::line(source.name(), line));
    let message = first.map_or_else(|| "found no rows".to_string(), |f| f.message.clone());
    let error = Error::input(
        place,
        format!(
            "{message}; nothing in the file can be read as {} in the format {format}",
            content.noun()
        ),
    );
    error.help(
        Remedy::from("check that this is the right file")
            .option(", or say what it is with ", Setting::Named("as"), "")
            .option(" and ", Setting::Named("from"), ""),
    )
}

/// What a row says besides topic, document and number.
#[derive(Debug, Clone, Default)]
struct Fact {
    line: u64,
    rank: Option<f64>,
    facet: Box<[u8]>,
}

/// Gathers rows with all they say, and reports what is no row.
struct FileRows {
    entries: Entries,
    facts: Vec<Fact>,
    findings: Findings,
}

impl RowSink for FileRows {
    fn row(&mut self, row: &InputRow<'_>) -> Result<()> {
        let topic = self.entries.topic(row.topic);
        self.entries.push(topic, row.doc, row.value, self.facts.len() as u64)?;
        // The facet of nearly all files is the same for all rows and short; an empty box costs
        // nothing.
        let facet =
            if matches!(row.facet, b"" | b"0" | b"Q0") { Box::default() } else { row.facet.into() };
        self.facts.push(Fact { line: row.line, rank: row.rank, facet });
        Ok(())
    }

    fn bad(&mut self, kind: WarningKind, error: Error) -> Result<()> {
        let check = if kind == WarningKind::NotANumber {
            ValidationCheck::NotANumber
        } else {
            ValidationCheck::MalformedLine
        };
        self.findings
            .add(check, error.place().and_then(|p| p.line), || error.message().to_string());
        Ok(())
    }
}

/// The rows of a file by topic. A row's own line is its index into the facts.
#[derive(Clone, Copy)]
struct TopicTable<'t> {
    entries: &'t Entries,
    facts: &'t [Fact],
}

impl<'t> TopicTable<'t> {
    fn fact(&self, row: &Entry) -> &'t Fact {
        &self.facts[self.entries.line(row) as usize]
    }

    /// Rows of a topic, in the order of the file, with their facts.
    fn facts(self, rows: &'t [Entry]) -> impl Iterator<Item = (&'t Entry, &'t Fact)> {
        rows.iter()
            .zip(self.entries.lines(rows))
            .map(move |(row, number)| (row, &self.facts[number as usize]))
    }

    /// The line of the first row of a topic.
    fn first_line(&self, rows: &[Entry]) -> Option<u64> {
        rows.first().map(|row| self.fact(row).line)
    }

    fn doc(&self, row: &Entry) -> String {
        crate::error::quoted(self.entries.doc(row))
    }

    /// The topics with their names for people and their rows.
    fn topics(self) -> impl Iterator<Item = (u32, String, &'t [Entry])> {
        (0..self.entries.topic_count() as u32).map(move |t| {
            let name = id_text(self.entries.topic_name(t)).into_owned();
            (t, name, self.entries.rows(t))
        })
    }

    /// The rows of a topic sorted by document, those of equal documents in the order of the file.
    fn by_doc(&self, rows: &'t [Entry]) -> Vec<&'t Entry> {
        let mut sorted: Vec<&Entry> = rows.iter().collect();
        sorted.sort_by(|a, b| {
            self.entries.doc(a).cmp(self.entries.doc(b)).then(a.start.cmp(&b.start))
        });
        sorted
    }
}

#[cfg(test)]
mod tests;
