//! Files in, files out. Nothing else in the library opens a file.
//!
//! Owns one file per format, the recognition of formats by content, and compression. Every reader
//! but the fast one for TREC runs reports rows to a `row::RowSink`; what is done with them, and
//! with what is no row, is the sink's business.

mod columns;
mod convert;
mod csv;
mod detect;
mod encode;
mod fields;
mod format;
mod json;
mod jsonl;
mod lines;
pub mod organization;
pub mod preferences;
mod qrels;
pub(crate) mod row;
pub mod source;
pub(crate) mod split;
mod tag;
#[cfg(test)]
mod tests;
pub(crate) mod trec;
mod window;
mod write;
pub mod zscores;

pub use crate::data::Facet;
pub use convert::{Conversion, convert};
pub use detect::{detect, detect_content, detect_run};
pub use encode::{write_qrels, write_run};
pub use format::{Content, Format};
pub use qrels::{QrelsOptions, read_qrels};
pub use source::{Source, read_text};
pub use tag::last_tag;
pub use write::write_atomically;

use crate::data::Entries;
use crate::error::{Error, Result};
use crate::warning::Warnings;
use row::{Gather, RowSink, Wanted};
use trec::{Group, Halt, Layout, Mixed, Sink};

/// The rows of a run, of whatever format. The lines that are wrong are errors, or in lenient mode
/// counted warnings.
pub fn read_run(
    source: &Source,
    format: Format,
    lenient: bool,
    warnings: &mut Warnings,
) -> Result<Entries> {
    read_entries(source, Content::Run, format, lenient, warnings)
}

fn read_entries(
    source: &Source,
    content: Content,
    format: Format,
    lenient: bool,
    warnings: &mut Warnings,
) -> Result<Entries> {
    if format == Format::Trec {
        let layout = if content == Content::Run { Layout::Run } else { Layout::Qrels };
        return read_trec(source, layout, lenient, warnings);
    }
    let mut gather = Gather::new(source.name(), false, lenient, warnings);
    read_rows(source, Wanted { content, facet: Facet::None }, format, &mut gather)?;
    Ok(gather.entries)
}

/// Reports the rows of a file, with all that a format knows of them.
pub(crate) fn read_rows(
    source: &Source,
    wanted: Wanted,
    format: Format,
    sink: &mut impl RowSink,
) -> Result<()> {
    match format {
        Format::Trec => lines::read_trec(source, wanted, sink),
        Format::Json => json::read(source, wanted, sink),
        Format::Jsonl => jsonl::read(source, wanted, sink),
        Format::Csv => csv::read(source, b',', wanted, sink),
        Format::Tsv | Format::Beir => csv::read(source, b'\t', wanted, sink),
        Format::MsMarco if wanted.content == Content::Run => csv::read_msmarco(source, sink),
        Format::MsMarco => Err(Error::usage("the format msmarco holds runs, not judgements")
            .help("judgements of MS MARCO are in the format trec")),
    }
}

fn read_trec(
    source: &Source,
    layout: Layout,
    lenient: bool,
    warnings: &mut Warnings,
) -> Result<Entries> {
    let mut rows = Rows::default();
    match trec::scan(source.name(), source.read()?, layout, lenient, warnings, &mut rows) {
        Ok(()) | Err(Halt::Scattered) => Ok(rows.entries),
        Err(Halt::Failed(e)) => Err(e),
    }
}

/// Gathers rows.
#[derive(Default)]
struct Rows {
    entries: Entries,
    topics: Vec<u32>,
}

impl Sink for Rows {
    fn group(&mut self, group: &Group<'_>) -> std::result::Result<(), Halt> {
        let topic = self.entries.topic(group.topic);
        Ok(self.entries.extend(
            topic,
            group.text,
            group.numbered().map(|(row, line)| (row, Some(line))),
        )?)
    }

    fn mixed(&mut self, lines: &[Mixed], text: &[u8]) -> std::result::Result<(), Halt> {
        self.topics.clear();
        self.topics.extend(
            lines.iter().map(|line| self.entries.topic_headed(line.topic(text), line.topic_head)),
        );
        for (topic, line) in self.topics.iter().zip(lines) {
            self.entries.add(*topic, text, line.row, line.number)?;
        }
        Ok(())
    }
}
