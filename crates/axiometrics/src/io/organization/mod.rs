//! Organizations in files.
//!
//! Owns: the formats, their recognition by content, and the places of what is wrong in them. Does
//! not own: what is measured.
//!
//! | Format | Looks like |
//! |---|---|
//! | table | a header with some of `topic doc level cluster`, then rows; tabs, commas or spaces |
//! | filtering | `topic doc label [score]`, with or without a header |
//! | json | `{"topic": [[["d1"],["d2","d3"]], [["d4"]]]}` |
//! | qrels | `topic 0 doc grade`: grades become levels, 0 and below the tail |
//! | diversity | `topic subtopic doc grade`: grades become levels, subtopics overlapping clusters |
//! | run | `topic Q0 doc rank score tag`: ranks become levels |

mod assemble;
mod delimited;
mod json;
mod table;
mod trec;

use crate::choice::choices;
use crate::data::organization::{DocumentCatalogue, Organizations};
use crate::error::{Error, Place, Result};
use crate::io::Source;

pub use crate::data::organization::{ONLY_TOPIC, WriteFormat, write};

const BOM: char = '\u{feff}';

/// What a file can be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrganizationFormat {
    /// Rows of document, level and cluster, under a header.
    Table,
    /// Labels of documents.
    Filtering,
    /// Nested lists.
    Json,
    /// TREC judgements.
    Qrels,
    /// TREC judgements by subtopic.
    Diversity,
    /// A TREC run.
    Run,
}

/// How to read a file.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// The format, where it should not be recognised by content.
    pub format: Option<OrganizationFormat>,
    /// The label of the documents that are kept, where labels are neither 0/1 nor true/false.
    pub positive: Option<String>,
}

/// Reads the organizations of one side. Documents are numbered in `catalogue`, which gold and
/// systems share. UTF-8, or else latin-1.
pub fn read(
    source: &Source,
    options: &ReadOptions,
    catalogue: &mut DocumentCatalogue,
) -> Result<Organizations> {
    let streamed = match options.format {
        None | Some(OrganizationFormat::Table | OrganizationFormat::Filtering) => {
            table::stream(source, options, catalogue)?
        }
        Some(_) => None,
    };
    let organizations = match streamed {
        Some(organizations) => organizations,
        None => read_whole(source, options, catalogue)?,
    };
    if organizations.is_empty() {
        return Err(Error::input(Place::file(source.name()), "holds no document"));
    }
    Ok(organizations)
}

fn read_whole(
    source: &Source,
    options: &ReadOptions,
    catalogue: &mut DocumentCatalogue,
) -> Result<Organizations> {
    let mut bytes = Vec::new();
    source.read()?.read_to_end(&mut bytes).map_err(|cause| Error::io(source.name(), cause))?;
    let text = decode(bytes);
    let text = text.strip_prefix(BOM).unwrap_or(&text);
    let file = FileText { name: source.name(), text, positive: options.positive.as_deref() };
    match options.format.map_or_else(|| recognise(&file), Ok)? {
        OrganizationFormat::Table => table::read(&file, catalogue),
        OrganizationFormat::Filtering => table::read_filtering(&file, catalogue),
        OrganizationFormat::Json => json::read(&file, catalogue),
        OrganizationFormat::Qrels => trec::read_qrels(&file, catalogue, false),
        OrganizationFormat::Diversity => trec::read_qrels(&file, catalogue, true),
        OrganizationFormat::Run => trec::read_run(&file, catalogue),
    }
}

/// A file in memory.
struct FileText<'a> {
    name: &'a str,
    text: &'a str,
    positive: Option<&'a str>,
}

impl FileText<'_> {
    fn line(&self, line: u64) -> Place {
        Place::line(self.name, line)
    }

    fn column(&self, line: u64, column: u64) -> Place {
        Place::column(self.name, line, column)
    }
}

/// Bytes that are not UTF-8 are latin-1, whose bytes are the first 256 characters.
fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

fn recognise(source: &FileText<'_>) -> Result<OrganizationFormat> {
    let mut lines = source
        .text
        .lines()
        .zip(1u64..)
        .filter(|(line, _)| !line.trim().is_empty())
        .take(1000)
        .peekable();
    let Some(&(first, number)) = lines.peek() else {
        return Err(Error::input(Place::file(source.name), "is empty"));
    };
    if first.trim_start().starts_with('{') {
        return Ok(OrganizationFormat::Json);
    }
    if table::is_header(first) {
        return Ok(if table::is_filtering_header(first) {
            OrganizationFormat::Filtering
        } else {
            OrganizationFormat::Table
        });
    }
    match first.split_whitespace().count() {
        6 => Ok(OrganizationFormat::Run),
        3 => Ok(OrganizationFormat::Filtering),
        // Where every third column is a label, it can hardly be a document.
        4 if lines.all(|(line, _)| line.split_whitespace().nth(2).is_some_and(table::is_label)) => {
            Ok(OrganizationFormat::Filtering)
        }
        4 if trec::repeats_documents(source.text) => Ok(OrganizationFormat::Diversity),
        4 => Ok(OrganizationFormat::Qrels),
        columns => {
            let found = format!("found {columns} columns without a header");
            let help = "write a header with some of topic, doc, level, cluster, label, score; or name the format";
            Err(Error::input(source.line(number), format!("{found}, expected an organization"))
                .help(help))
        }
    }
}

#[cfg(test)]
mod tests;

choices! {
    OrganizationFormat {
        Table "table" "rows under a header with some of topic, doc, level, cluster",
        Filtering "filtering" "topic, document, label and perhaps a score",
        Json "json" "nested lists of levels, clusters and documents",
        Qrels "qrels" "TREC judgements: grades become levels",
        Diversity "diversity" "TREC judgements by subtopic: grades become levels, subtopics overlapping clusters",
        Run "run" "a TREC run: ranks become levels",
    }
}
