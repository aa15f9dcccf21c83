//! Files in, files out. Nothing else in the library opens a file.
//!
//! Owns one file per format, the recognition of formats by content, and compression. Every reader
//! but the fast one for TREC runs reports rows to a `row::RowSink`; what is done with them, and
//! with what is no row, is the sink's business.

mod catalogue;
mod cells;
mod columns;
mod compression;
mod convert;
pub(crate) mod csv;
mod detect;
mod encode;
mod fields;
mod file;
mod format;
mod glance;
mod json;
mod jsonl;
mod labels;
mod lengths;
mod lines;
pub mod organization;
pub mod preferences;
mod qrels;
mod reading;
mod roles;
pub(crate) mod row;
pub(crate) mod run;
mod sessions;
pub mod source;
pub(crate) mod split;
mod swapped;
pub mod table;
#[cfg(test)]
mod tests;
pub(crate) mod trec;
mod window;
#[cfg(not(target_family = "wasm"))]
mod write;
pub mod zscores;
#[cfg(all(feature = "zstd-in-rust", any(test, not(feature = "zstd"))))]
mod zstandard;

pub use crate::data::Facet;
pub use catalogue::{read_catalogue, read_features};
pub use columns::Columns;
pub use compression::{check_expansion, decompress, most_expanded};
pub use convert::{Conversion, convert};
pub use detect::{detect, detect_content, detect_run, first_tag};
pub use encode::{write_qrels, write_run};
pub use file::same_file;
pub use format::{Content, Format};
pub(crate) use glance::Glance;
pub use labels::{read_numbers_by_name, with_labels};
pub use lengths::read_lengths;
pub use qrels::{QrelsOptions, read_qrels};
pub use reading::{Reading, read_parts};
pub use roles::{judgements_as_run, preferences_as_judgements, run_as_judgements};
pub use run::{RunOptions, read_run};
pub use sessions::read_sessions;
pub use source::{Limits, Source, read_text, short_name, unique, unique_names};
pub use swapped::{SWAPPED, holds_both};
#[cfg(not(target_family = "wasm"))]
pub use write::{remove_unfinished, standard_output, write_atomically};

use crate::error::{Error, Result};
use row::{RowSink, Wanted};

/// Reports the rows of a file, with all that a format knows of them.
pub(crate) fn read_rows(
    source: &Source,
    wanted: Wanted,
    format: Format,
    sink: &mut impl RowSink,
) -> Result<()> {
    if let Some(table) = source.table() {
        return table::read(source, table, wanted, sink);
    }
    match format {
        Format::Trec => lines::read_trec(source, wanted, sink),
        Format::Json => json::read(source, wanted, sink),
        Format::Jsonl => jsonl::read(source, wanted, sink),
        Format::Csv => csv::read(source, None, wanted, sink),
        Format::Tsv | Format::Beir => csv::read(source, Some(b'\t'), wanted, sink),
        Format::MsMarco if wanted.content == Content::Run => csv::read_msmarco(source, sink),
        Format::MsMarco => Err(Error::usage("the format msmarco holds runs, not judgements")
            .help("judgements of MS MARCO are in the format trec")),
        Format::Parquet => Err(Error::usage(format!("{} is no table", source.name()))
            .help("a Parquet file is recognised by itself")),
    }
}
