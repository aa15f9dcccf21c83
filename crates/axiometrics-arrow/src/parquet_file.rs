//! Parquet files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use arrow_array::{RecordBatch, RecordBatchReader};
use axiometrics::io::Source;
use axiometrics::io::table::{Columns, TableRow, TableSource};
use axiometrics::{Error, Place, Result};
use bytes::Bytes;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;

use crate::batches::batch_rows;

/// How many rows are decoded at once.
const BATCH: usize = 1 << 14;

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
    columns: Vec<String>,
    size: u64,
}

/// True if a file is one, by its first bytes. False if it cannot be read: who reads it will say why.
pub fn is_parquet(path: &Path) -> bool {
    let mut start = [0; 5];
    // A pipe can be read only once, and a directory not at all.
    let regular = std::fs::metadata(path).is_ok_and(|meta| meta.is_file());
    regular
        && File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok()
        && begins_parquet(&start)
}

/// True if these bytes are the first of a Parquet file. Its four letters can be those of a topic, but
/// then text follows; here it is the header of a page, or of the file, which no text begins with.
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
    let mut file = ParquetFile { origin, name: name.clone(), columns: Vec::new(), size };
    let schema = file.batches(None)?.schema();
    file.columns = schema.fields().iter().map(|field| field.name().clone()).collect();
    Ok(Source::from_table(name, Box::new(file)))
}

fn broken(name: &str, error: &ParquetError) -> Error {
    let told = error.to_string();
    let message = format!("the Parquet file cannot be read: {told}");
    let broken = Error::input(Place::file(name), message);
    if cfg!(not(feature = "zstd")) && told.to_lowercase().contains("zstd") {
        return broken.help("write it with another compression, such as snappy");
    }
    broken
}

impl ParquetFile {
    /// The batches of all columns or of some, in the order of the file.
    fn batches(&self, wanted: Option<&[usize]>) -> Result<ParquetRecordBatchReader> {
        let name = self.name.as_str();
        let opened = match &self.origin {
            // Each reader has a file of its own: those of one handle share their place in it.
            Origin::Disk(path) => {
                batches(File::open(path).map_err(|e| Error::io(name, e))?, wanted)
            }
            Origin::Memory(bytes) => batches(bytes.clone(), wanted),
        };
        opened.map_err(|e| broken(name, &e))
    }
}

fn batches(
    input: impl ChunkReader + 'static,
    wanted: Option<&[usize]>,
) -> parquet::errors::Result<ParquetRecordBatchReader> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(input)?.with_batch_size(BATCH);
    let mask = match wanted {
        Some(wanted) => ProjectionMask::roots(builder.parquet_schema(), wanted.iter().copied()),
        None => ProjectionMask::all(),
    };
    builder.with_projection(mask).build()
}

impl TableSource for ParquetFile {
    fn names(&self) -> Vec<String> {
        self.columns.clone()
    }

    fn rows(
        &self,
        columns: Columns,
        see: &mut dyn FnMut(Result<TableRow<'_>>) -> Result<()>,
    ) -> Result<()> {
        let Columns { topic, doc, value, facet, .. } = columns;
        let mut wanted: Vec<usize> = [topic, doc, value].into_iter().chain(facet).collect();
        wanted.sort_unstable();
        wanted.dedup();
        // In a batch the columns that are read stand in the order of the file, the others are gone.
        let place = |column: usize| wanted.partition_point(|other| *other < column);
        let chosen = Columns {
            topic: place(topic),
            doc: place(doc),
            value: place(value),
            facet: facet.map(place),
            ..columns
        };
        let mut before = 0;
        for batch in self.batches(Some(&wanted))? {
            let batch = batch.map_err(|e| broken(&self.name, &e.into()))?;
            batch_rows(&self.name, &batch, chosen, before, see)?;
            before += batch.num_rows() as u64;
        }
        Ok(())
    }

    fn size(&self) -> u64 {
        self.size
    }
}

/// A batch as the bytes of a Parquet file, compressed with Snappy, which every reader has.
pub fn to_parquet(batch: &RecordBatch) -> Result<Vec<u8>> {
    let failed = |error: ParquetError| Error::usage(format!("cannot write Parquet: {error}"));
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer =
        ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).map_err(failed)?;
    writer.write(batch).map_err(failed)?;
    writer.into_inner().map_err(failed)
}
