//! Parquet files.
//!
//! Columns are read by their physical types, and not by way of Arrow's arrays: ids are bytes, scores
//! are numbers, and the code for all that a column could be besides is several megabytes.

mod column;
mod guard;
mod lists;
mod pages;
#[cfg(test)]
mod tests;
mod write;

use std::fs::File;
use std::path::{Path, PathBuf};

use axiometrics::io::Source;
use axiometrics::io::table::{CellPlace, ColumnNumbers, TableRow, TableSource};
use axiometrics::{Error, Place, Result};
use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use column::{Column, Want};
use guard::{Expansions, TooLarge, guarded};
use lists::Lists;
use pages::Input;

pub use write::to_parquet;

/// How many rows are decoded at once.
const BATCH: usize = 1 << 12;

/// A row takes this many bytes of memory besides its ids.
const ROW: u64 = 24;

/// Where the bytes of a Parquet file are.
#[derive(Debug)]
enum Origin {
    Disk(PathBuf),
    Memory(Bytes),
}

/// A Parquet file, of which only the columns that are needed are read.
#[derive(Debug)]
struct ParquetFile {
    origin: Origin,
    name: String,
    metadata: ParquetMetaData,
    size: u64,
}

/// True if these bytes are the first of a Parquet file. Its four letters can be those of a topic, but
/// then text follows; here it is the header of a page, or of the file, which no text begins with.
#[inline]
pub fn begins_parquet(head: &[u8]) -> bool {
    let blank = |byte: u8| byte.is_ascii_whitespace() || byte == b'\x0b';
    head.strip_prefix(b"PAR1")
        .and_then(|rest| rest.first())
        .is_some_and(|byte| byte.is_ascii_control() && !blank(*byte))
}

/// A Parquet file as an input of the library.
pub fn open(path: &Path) -> Result<Source> {
    let size = std::fs::metadata(path).map_or(0, |meta| meta.len());
    source(path.display().to_string(), Origin::Disk(path.to_path_buf()), size)
}

/// The bytes of a Parquet file as an input of the library.
pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Source> {
    let size = bytes.len() as u64;
    source(name.into(), Origin::Memory(bytes.into()), size)
}

fn source(name: String, origin: Origin, size: u64) -> Result<Source> {
    let input = input(&name, &origin)?;
    let metadata = guarded(&name, || {
        ParquetMetaDataReader::new().parse_and_finish(&input).map_err(|e| broken(&name, &e))
    })?;
    let file = ParquetFile { origin, name: name.clone(), metadata, size };
    Ok(Source::from_table(name, Box::new(file)))
}

/// The bytes, to be read from any place.
fn input(name: &str, origin: &Origin) -> Result<Input> {
    match origin {
        // Each reader has a file of its own: those of one handle share their place in it.
        Origin::Disk(path) => {
            File::open(path).map(Input::Disk).map_err(|cause| Error::io(name, cause))
        }
        Origin::Memory(bytes) => Ok(Input::Memory(bytes.clone())),
    }
}

fn broken(name: &str, error: &ParquetError) -> Error {
    if let ParquetError::External(cause) = error
        && let Some(TooLarge(message)) = cause.downcast_ref()
    {
        return Error::input(Place::file(name), message.as_str());
    }
    let told = error.to_string();
    let told = told.strip_prefix("Parquet error: ").unwrap_or(&told);
    let broken =
        Error::input(Place::file(name), format!("the Parquet file cannot be read: {told}"));
    let unknown = matches!(error, ParquetError::NYI(_)) || told.contains("zstd is not part");
    if unknown {
        return broken.help("write it with another compression, such as snappy");
    }
    broken
}

impl TableSource for ParquetFile {
    fn names(&self) -> Vec<String> {
        let schema = self.metadata.file_metadata().schema();
        schema.get_fields().iter().map(|field| field.name().to_string()).collect()
    }

    fn rows(
        &self,
        columns: ColumnNumbers,
        see: &mut dyn FnMut(Result<TableRow<'_>>) -> Result<()>,
    ) -> Result<()> {
        let input = std::sync::Arc::new(input(&self.name, &self.origin)?);
        let expansions = Expansions::new(self.size);
        let mut before = 0;
        for group in self.metadata.row_groups() {
            let open = |at: usize, want: Want| {
                guarded(&self.name, || {
                    Column::open(&self.name, &input, group, at, want, &expansions)
                })
            };
            if let Some(listed) = columns.listed {
                let topics = open(columns.topic, Want::Ids)?;
                let lists = Lists { topics, docs: open(columns.doc, Want::Lists)?, listed };
                before += lists.show(&self.name, before, &expansions, see)?;
                continue;
            }
            let parts = Parts {
                topic: open(columns.topic, Want::Ids)?,
                doc: open(columns.doc, Want::Ids)?,
                value: open(columns.value, Want::Numbers)?,
                facet: columns.facet.map(|at| open(at, Want::Ids)).transpose()?,
            };
            before += parts.show(&self.name, before, &expansions, see)?;
        }
        Ok(())
    }

    fn size(&self) -> u64 {
        self.size
    }
}

/// The columns of a row group that are read.
struct Parts {
    topic: Column,
    doc: Column,
    value: Column,
    facet: Option<Column>,
}

impl Parts {
    /// Shows all rows, behind so many of other groups, and says how many there are.
    fn show(
        mut self,
        name: &str,
        before: u64,
        expansions: &Expansions,
        see: &mut dyn FnMut(Result<TableRow<'_>>) -> Result<()>,
    ) -> Result<u64> {
        let mut done = 0;
        loop {
            let fill = |column: &mut Column| guarded(name, || column.fill(BATCH));
            let rows = fill(&mut self.topic)?;
            expansions.rows.take(ROW * rows as u64).map_err(|e| broken(name, &e))?;
            let others = [Some(&mut self.doc), Some(&mut self.value), self.facet.as_mut()];
            for column in others.into_iter().flatten() {
                if fill(column)? != rows {
                    let told = "the Parquet file cannot be read: its columns differ in length";
                    return Err(Error::input(Place::file(name), told));
                }
            }
            if rows == 0 {
                return Ok(done);
            }
            for row in 0..rows as u64 {
                let place = |column: &str| CellPlace {
                    table: name.to_string(),
                    column: column.to_string(),
                    row: before + done + row + 1,
                };
                let Parts { topic, doc, value, facet } = &mut self;
                let wrong = |column: &Column, expected: &str| {
                    Err(place(column.name()).wrong("null", expected))
                };
                let inexact = |column: &Column, (found, expected): (String, &str)| {
                    Err(place(column.name()).wrong(&found, expected))
                };
                topic.next();
                doc.next();
                value.next();
                let facet = facet.as_mut().and_then(|column| {
                    column.next();
                    column.id()
                });
                see(match (topic.id(), doc.id(), value.number()) {
                    (Some(topic), Some(doc), Some(Ok(value))) => {
                        let (facet, row) = (facet.unwrap_or_default(), before + done + row + 1);
                        Ok(TableRow { topic, doc, value, facet, row })
                    }
                    (Some(_), Some(_), Some(Err(found))) => inexact(value, found),
                    (None, ..) => wrong(topic, "the id of a topic"),
                    (_, None, _) => wrong(doc, "the id of a document"),
                    (.., None) => wrong(value, "a number"),
                })?;
            }
            done += rows as u64;
        }
    }
}
