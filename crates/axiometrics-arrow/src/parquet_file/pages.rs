//! The pages of a column: where their bytes come from, and what they hold when decompressed.
//!
//! The library of Parquet decompresses a page to whatever length it has, and knows zstd as C code
//! alone, which not every build can have. So each column is passed to it as one that is not
//! compressed; pages are decompressed here, as far as a file of this size may expand.

use std::fs::File;
use std::io::Read;
use std::sync::Arc;

use axiometrics::io::decompress;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::guard::Expansion;

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
        // A length is only what the file says; memory is taken for what is there.
        if start.saturating_add(length as u64) > Length::len(self) {
            return Err(ParquetError::EOF("a page ends after the end of the file".to_string()));
        }
        match self {
            Input::Disk(file) => file.get_bytes(start, length),
            Input::Memory(bytes) => bytes.get_bytes(start, length),
        }
    }
}

/// The pages of a column in a row group. `expansion` counts what they hold.
pub(super) fn pages(
    input: &Arc<Input>,
    group: &RowGroupMetaData,
    column: usize,
    expansion: &Arc<Expansion>,
) -> Result<Box<dyn PageReader>> {
    let chunk = group.column(column);
    let descriptor = chunk.column_descr();
    let rows = usize::try_from(group.num_rows())?;
    let compression = chunk.compression();
    let known = matches!(
        compression,
        Compression::UNCOMPRESSED
            | Compression::SNAPPY
            | Compression::GZIP(_)
            | Compression::LZ4
            | Compression::LZ4_RAW
            | Compression::ZSTD(_)
    );
    if !known {
        return Err(ParquetError::NYI(format!("pages are compressed by {compression}")));
    }
    let plain = chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
    let packed = SerializedPageReader::new(input.clone(), &plain, rows, None)?;
    Ok(Box::new(Unpacked {
        packed,
        compression,
        least: match descriptor.physical_type() {
            Physical::INT64 | Physical::DOUBLE => 8,
            Physical::FIXED_LEN_BYTE_ARRAY => descriptor.type_length().max(1) as usize,
            _ => 4,
        },
        levels: [descriptor.max_rep_level() > 0, descriptor.max_def_level() > 0],
        expansion: expansion.clone(),
    }))
}

/// Pages whose bytes are decompressed here.
struct Unpacked {
    packed: SerializedPageReader<Input>,
    compression: Compression,
    /// A plain value takes at least this many bytes.
    least: usize,
    /// Whether pages begin with levels of repetition, and of definition.
    levels: [bool; 2],
    expansion: Arc<Expansion>,
}

/// A value takes this many bytes of memory besides its own.
const VALUE: u64 = 40;

/// The largest page of strings that share their beginnings with the ones before: each may repeat all
/// of the page, and some dozens of them are decoded at once. Writers make pages of one megabyte.
const LARGEST_SHARED: usize = 8 << 20;

fn wrong(message: impl Into<String>) -> ParquetError {
    ParquetError::General(message.into())
}

impl Unpacked {
    fn unpacked(&self, bytes: &[u8], head: usize) -> Result<Bytes> {
        let Some((head, rest)) = bytes.split_at_checked(head) else {
            return Err(wrong("a page ends within its levels"));
        };
        let mut all = head.to_vec();
        // A page of nulls alone holds nothing.
        if !rest.is_empty() {
            self.unpack(rest, &mut all)?;
        }
        Ok(all.into())
    }

    fn unpack(&self, bytes: &[u8], all: &mut Vec<u8>) -> Result<()> {
        let failed = |cause: &dyn std::fmt::Display| {
            wrong(format!("a page cannot be decompressed: {cause}"))
        };
        match self.compression {
            Compression::UNCOMPRESSED => all.extend_from_slice(bytes),
            Compression::SNAPPY => {
                let len = snap::raw::decompress_len(bytes).map_err(|e| failed(&e))?;
                self.expansion.take(len as u64)?;
                let text =
                    snap::raw::Decoder::new().decompress_vec(bytes).map_err(|e| failed(&e))?;
                all.extend_from_slice(&text);
            }
            Compression::LZ4_RAW => self.lz4(bytes, all)?,
            Compression::LZ4 if self.lz4_of_hadoop(bytes, all)? => {}
            // Older versions of Parquet's libraries wrote frames, or blocks alone.
            Compression::LZ4 if !bytes.starts_with(b"\x04\x22\x4d\x18") => self.lz4(bytes, all)?,
            _ => {
                let (before, left) = (all.len(), self.expansion.left());
                decompress(bytes, left.saturating_add(1), all).map_err(|e| failed(&e))?;
                self.expansion.take((all.len() - before) as u64)?;
            }
        }
        Ok(())
    }

    /// One block of LZ4.
    fn lz4(&self, bytes: &[u8], all: &mut Vec<u8>) -> Result<()> {
        let broken = || wrong("a page cannot be decompressed: its LZ4 block is damaged");
        let len = lz4_len(bytes).ok_or_else(broken)?;
        self.expansion.take(len as u64)?;
        let block = lz4_flex::block::decompress(bytes, len).map_err(|_| broken())?;
        all.extend_from_slice(&block);
        Ok(())
    }

    /// Blocks of LZ4 as Hadoop has them, each after its two lengths. False, and nothing is appended,
    /// if these are none.
    fn lz4_of_hadoop(&self, bytes: &[u8], all: &mut Vec<u8>) -> Result<bool> {
        let mut blocks = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let Some((lengths, behind)) = rest.split_first_chunk::<8>() else { return Ok(false) };
            let [a, b, c, d, e, f, g, h] = *lengths;
            let len = u32::from_be_bytes([a, b, c, d]) as usize;
            let packed = u32::from_be_bytes([e, f, g, h]) as usize;
            let Some((block, behind)) = behind.split_at_checked(packed) else { return Ok(false) };
            if lz4_len(block) != Some(len) {
                return Ok(false);
            }
            blocks.push(block);
            rest = behind;
        }
        blocks.into_iter().try_for_each(|block| self.lz4(block, all))?;
        Ok(true)
    }

    /// Refuses a dictionary of more values than its bytes can hold, or of too many for memory.
    fn check_dictionary(&self, bytes: usize, values: u32) -> Result<()> {
        if values as usize > bytes / self.least {
            return Err(wrong(format!(
                "{bytes} bytes cannot hold {values} values of a dictionary"
            )));
        }
        self.expansion.take(VALUE * u64::from(values))
    }

    /// Refuses a page of strings whose lengths are more than its values, or take too much memory.
    fn check_strings(&self, encoding: Encoding, values: u32, bytes: &[u8]) -> Result<()> {
        if !matches!(encoding, Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY) {
            return Ok(());
        }
        if encoding == Encoding::DELTA_BYTE_ARRAY && bytes.len() > LARGEST_SHARED {
            return Err(wrong(
                "a page of strings in the encoding DELTA_BYTE_ARRAY has more than 8 MB",
            ));
        }
        // Strings that share their beginnings have the lengths of these first, then of the rest.
        let blocks = if encoding == Encoding::DELTA_BYTE_ARRAY { 2 } else { 1 };
        let mut rest = bytes;
        for _ in 0..blocks {
            let (lengths, len) =
                delta_block(rest).ok_or_else(|| wrong("a page ends within its lengths"))?;
            if lengths > u64::from(values) {
                return Err(wrong(format!("a page of {values} strings has {lengths} lengths")));
            }
            self.expansion.take(size_of::<u32>() as u64 * lengths)?;
            rest = &rest[len..];
        }
        Ok(())
    }

    /// What follows the levels in a page of the first version.
    fn behind_levels<'b>(&self, encodings: [Encoding; 2], bytes: &'b [u8]) -> Result<&'b [u8]> {
        let mut rest = bytes;
        for (_, encoding) in self.levels.into_iter().zip(encodings).filter(|(there, _)| *there) {
            if encoding != Encoding::RLE {
                return Err(wrong(format!("the levels of a page are in the encoding {encoding}")));
            }
            let behind = rest
                .split_first_chunk()
                .and_then(|(len, rest)| rest.get(u32::from_le_bytes(*len) as usize..));
            rest = behind.ok_or_else(|| wrong("a page ends within its levels"))?;
        }
        Ok(rest)
    }
}

/// How many bytes a block of LZ4 holds when decompressed; `None` if it ends too early.
fn lz4_len(block: &[u8]) -> Option<usize> {
    let mut len = 0usize;
    let mut at = 0;
    // A length of four bits; 15 means that more bytes are to be added, up to one below 255.
    let length = |first: u8, at: &mut usize| {
        let mut length = usize::from(first);
        while length >= 15 {
            let more = *block.get(*at)?;
            *at += 1;
            length = length.checked_add(usize::from(more))?;
            if more < 255 {
                break;
            }
        }
        Some(length)
    };
    loop {
        let token = *block.get(at)?;
        at += 1;
        let literals = length(token >> 4, &mut at)?;
        at = at.checked_add(literals).filter(|at| *at <= block.len())?;
        len = len.checked_add(literals)?;
        if at == block.len() {
            return Some(len);
        }
        at += 2;
        len = len.checked_add(length(token & 15, &mut at)? + 4)?;
    }
}

/// How many numbers there are in the encoding DELTA_BINARY_PACKED, and how many bytes they take.
fn delta_block(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut at = 0;
    let number = |at: &mut usize| {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = *bytes.get(*at)?;
            *at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    };
    let (block, parts, count) = (number(&mut at)?, number(&mut at)?, number(&mut at)?);
    // The first number, then the differences in blocks of so many parts.
    number(&mut at)?;
    let part = block.checked_div(parts).filter(|part| *part > 0)?;
    let parts = usize::try_from(parts).ok()?;
    let mut left = count.saturating_sub(1);
    while left > 0 {
        number(&mut at)?;
        let widths = bytes.get(at..at.checked_add(parts)?)?;
        at += parts;
        for width in widths {
            if left > 0 {
                at = at.checked_add(usize::try_from(part * u64::from(*width) / 8).ok()?)?;
                left = left.saturating_sub(part);
            }
        }
    }
    (at <= bytes.len()).then_some((count, at))
}

impl PageReader for Unpacked {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.packed.get_next_page()? else { return Ok(None) };
        // A list is decoded whole, however long it is.
        if self.levels[0] && page.is_data_page() {
            self.expansion.take(VALUE * u64::from(page.num_values()))?;
        }
        match &mut page {
            Page::DictionaryPage { buf, num_values, .. } => {
                *buf = self.unpacked(buf, 0)?;
                self.check_dictionary(buf.len(), *num_values)?;
            }
            Page::DataPage {
                buf,
                num_values,
                encoding,
                def_level_encoding,
                rep_level_encoding,
                ..
            } => {
                *buf = self.unpacked(buf, 0)?;
                let levels = [*rep_level_encoding, *def_level_encoding];
                let strings = matches!(
                    encoding,
                    Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY
                );
                if strings {
                    self.check_strings(*encoding, *num_values, self.behind_levels(levels, buf)?)?;
                }
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed,
                ..
            } => {
                // The levels of this version come before what is compressed.
                let head = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                if *is_compressed {
                    *buf = self.unpacked(buf, head)?;
                }
                let values =
                    buf.get(head..).ok_or_else(|| wrong("a page ends within its levels"))?;
                self.check_strings(*encoding, *num_values, values)?;
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_an_lz4_block_is_known_before_it_is_decompressed() {
        let mut random = 7u32;
        for len in [0, 1, 14, 15, 16, 270, 271, 4000, 70_000] {
            for letters in [1, 2, 250] {
                let text: Vec<u8> = (0..len)
                    .map(|_| {
                        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                        (random >> 24) as u8 % letters
                    })
                    .collect();
                let block = lz4_flex::block::compress(&text);
                assert_eq!(lz4_len(&block), Some(text.len()), "{len} bytes of {letters} letters");
            }
        }
        assert_eq!(lz4_len(b""), None);
        assert_eq!(lz4_len(b"\xf0\xff\xff"), None);
    }

    #[test]
    fn a_delta_block_says_how_many_numbers_it_has() {
        // Blocks of 128 differences in 4 parts: the first two take 1 and 2 bits each, then there are
        // 40 differences, so that the other parts have widths and no bits.
        let head = [0x80, 0x01, 0x04, 41, 0x00];
        let block = [0x00, 1, 2, 9, 9];
        let bits = [0xff; 4 + 8];
        let bytes = [&head[..], &block, &bits, b"rest"].concat();
        assert_eq!(delta_block(&bytes), Some((41, 22)));
        assert_eq!(delta_block(&bytes[..21]), None);
        assert_eq!(delta_block(&[0x80, 0x01, 0x04, 0x01, 0x08]), Some((1, 5)));
        assert_eq!(delta_block(&[0x80, 0x01, 0x04]), None);
        assert_eq!(delta_block(&[0x80, 0x01, 0x00, 0x02, 0x00, 0x00]), None);
        assert_eq!(delta_block(&[0xff; 40]), None);
    }
}
