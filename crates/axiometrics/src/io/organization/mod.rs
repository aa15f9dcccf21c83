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
mod text;
mod trec;

use crate::choice::choices;
use crate::data::organization::{DocumentCatalogue, Organizations};
use crate::error::{Error, Place, Result};
use crate::io::Source;
use crate::io::trec::refuse_lone_return;
use text::FileText;

pub use crate::data::organization::{ONLY_TOPIC, WriteFormat, write};

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
    let mut text = FileText::new(source, options);
    let mut read = text.organizations(options, catalogue);
    // What cannot be read as UTF-8 may be none. If even that is not known, the error stands.
    if read.as_ref().is_err_and(|error| error.is_input()) && !text::is_utf8(source).unwrap_or(true)
    {
        text.is_latin = true;
        read = text.organizations(options, catalogue);
    }
    let organizations = read?;
    if organizations.is_empty() {
        return Err(Error::input(Place::file(source.name()), "holds no document"));
    }
    Ok(organizations)
}

impl FileText<'_> {
    fn organizations(
        &self,
        options: &ReadOptions,
        catalogue: &mut DocumentCatalogue,
    ) -> Result<Organizations> {
        match options.format.map_or_else(|| recognise(self), Ok)? {
            OrganizationFormat::Table => table::read(self, catalogue),
            OrganizationFormat::Filtering => table::read_filtering(self, catalogue),
            OrganizationFormat::Json => json::read(self, catalogue),
            OrganizationFormat::Run => trec::read_run(self, catalogue),
            OrganizationFormat::Qrels | OrganizationFormat::Diversity => {
                let given = options.format.map(|format| format == OrganizationFormat::Diversity);
                trec::read_qrels(self, catalogue, given)
            }
        }
    }
}

/// So many rows of four columns show whether the third holds labels.
const LOOKED_AT: usize = 1000;

/// The format of a file by its first lines. Judgements by subtopic are recognised as judgements:
/// only all of their rows tell.
fn recognise(file: &FileText<'_>) -> Result<OrganizationFormat> {
    if file.begins_json()? {
        return Ok(OrganizationFormat::Json);
    }
    let mut format = None;
    let mut rows = 0;
    file.pieces(file.source.look()?, |piece| {
        let mut line = piece.line;
        for row in piece.text.lines() {
            if !row.trim().is_empty() {
                rows += 1;
                let sure = match format {
                    None => {
                        let first = by_first_row(file, row, line)?;
                        format = Some(first);
                        first != OrganizationFormat::Qrels
                    }
                    Some(_) => false,
                };
                // Where every third column is a label, it can hardly be a document.
                let labelled = || row.split_whitespace().nth(2).is_some_and(table::is_label);
                if sure || !labelled() {
                    return Ok(None);
                }
                if rows == LOOKED_AT {
                    format = Some(OrganizationFormat::Filtering);
                    return Ok(None);
                }
            }
            line += 1;
        }
        if piece.last && rows > 0 {
            format = Some(OrganizationFormat::Filtering);
        }
        Ok(Some((piece.text.len(), line)))
    })?;
    format.ok_or_else(|| Error::input(Place::file(file.source.name()), "is empty"))
}

/// The format by the first row; four columns are judgements until more is known.
fn by_first_row(file: &FileText<'_>, row: &str, line: u64) -> Result<OrganizationFormat> {
    if table::is_header(row) {
        return Ok(if table::is_filtering_header(row) {
            OrganizationFormat::Filtering
        } else {
            OrganizationFormat::Table
        });
    }
    refuse_lone_return(row.as_bytes(), file.source.name(), line)?;
    match row.split_whitespace().count() {
        6 => Ok(OrganizationFormat::Run),
        3 => Ok(OrganizationFormat::Filtering),
        4 => Ok(OrganizationFormat::Qrels),
        columns => {
            let found = format!("found {columns} columns without a header");
            let help = "write a header with some of topic, doc, level, cluster, label, score; or name the format";
            Err(Error::input(file.line(line), format!("{found}, expected an organization"))
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
