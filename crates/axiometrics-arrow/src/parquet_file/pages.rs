//! The pages of a column: where their bytes come from, and those that zstd compressed.
//!
//! The library of Parquet knows zstd as C code alone, which not every build can have. It is told that
//! such a column is not compressed, and the pages that it finds are unpacked here, by whichever zstd
//! [`axiometrics`] was built with.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use axiometrics::io::decompress_zstd;
use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

/// The bytes of a file, on disk or in memory.
pub(super) enum Input {
    Disk(File),
    Memory(Bytes),
}

impl Length for Input {
    fn len(&self) -> u64 {
        match self {
            Input::Disk(file) => Length::len(file),
            Input::Memory(bytes) => bytes.len() as u64,
        }
    }
}

impl ChunkReader for Input {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Box<dyn Read>> {
        Ok(match self {
            Input::Disk(file) => Box::new(file.get_read(start)?),
            Input::Memory(bytes) => Box::new(bytes.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        match self {
            Input::Disk(file) => file.get_bytes(start, length),
            Input::Memory(bytes) => bytes.get_bytes(start, length),
        }
    }
}

/// The pages of a column in a row group.
pub(super) fn pages(
    input: &Arc<Input>,
    group: &RowGroupMetaData,
    column: usize,
) -> Result<Box<dyn PageReader>> {
    let chunk = group.column(column);
    let rows = usize::try_from(group.num_rows())?;
    if !matches!(chunk.compression(), Compression::ZSTD(_)) {
        return Ok(Box::new(SerializedPageReader::new(input.clone(), chunk, rows, None)?));
    }
    let plain = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
    let packed = SerializedPageReader::new(input.clone(), &plain, rows, None)?;
    let most = u64::try_from(chunk.uncompressed_size())?;
    Ok(Box::new(Unpacked { packed, most }))
}

/// Pages that zstd compressed.
struct Unpacked {
    packed: SerializedPageReader<Input>,
    /// No page is larger than all of the column.
    most: u64,
}

impl Unpacked {
    fn unpacked(&self, bytes: &[u8], head: usize) -> Result<Bytes> {
        let Some((head, rest)) = bytes.split_at_checked(head) else {
            return Err(ParquetError::General("a page ends within its levels".to_string()));
        };
        let mut all = head.to_vec();
        // A page of nulls alone holds nothing.
        if !rest.is_empty() {
            decompress_zstd(rest, self.most, &mut all)
                .map_err(|e| ParquetError::General(format!("a page cannot be unpacked: {e}")))?;
        }
        Ok(all.into())
    }
}

impl PageReader for Unpacked {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.packed.get_next_page()? else { return Ok(None) };
        match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => {
                *buf = self.unpacked(buf, 0)?;
            }
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed: true,
                ..
            } => {
                // The levels of this version stand before what is compressed.
                let head = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                *buf = self.unpacked(buf, head)?;
            }
            Page::DataPageV2 { .. } => {}
        }
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.packed.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.packed.skip_next_page()
    }
}

impl Iterator for Unpacked {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}
