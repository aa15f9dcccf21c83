//! Compressed streams, recognised by their content.

use std::io::{self, BufReader, Read};

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
    Lz4,
    Bzip2,
}

pub(super) const SUFFIXES: [(&str, Compression); 4] = [
    (".gz", Compression::Gzip),
    (".zst", Compression::Zstd),
    (".lz4", Compression::Lz4),
    (".bz2", Compression::Bzip2),
];

/// A file's name without a suffix of compression, unless it is nothing else.
pub(crate) fn without_suffix(name: &str) -> &str {
    let stripped = SUFFIXES.iter().find_map(|(suffix, _)| name.strip_suffix(suffix));
    stripped.filter(|s| !s.is_empty()).unwrap_or(name)
}

impl Compression {
    /// The compression of what begins with these bytes.
    pub(super) fn of_content(head: &[u8]) -> Compression {
        match head {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            [0x04, 0x22, 0x4d, 0x18, ..] => Compression::Lz4,
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Compression::Bzip2,
            _ => Compression::None,
        }
    }

    /// The text behind compressed bytes.
    pub(super) fn decompress<'a>(
        self,
        input: impl Read + Send + 'a,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        Ok(match self {
            Compression::None => Box::new(input),
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(
                BufReader::with_capacity(1 << 16, input),
            )),
            #[cfg(feature = "zstd")]
            Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(input)?),
            #[cfg(not(feature = "zstd"))]
            Compression::Zstd => return Err(without_zstd()),
            Compression::Lz4 => Box::new(lz4_flex::frame::FrameDecoder::new(input)),
            Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
        })
    }
}

#[cfg(not(feature = "zstd"))]
pub(super) fn without_zstd() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "zstd is not part of this build")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::io::Source;

    #[test]
    fn every_compression_is_recognised_by_content() {
        let text = b"301 Q0 a 1 2.5 x\n".repeat(1000);
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gz.write_all(&text).unwrap();
        let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        bz.write_all(&text).unwrap();
        let mut lz = lz4_flex::frame::FrameEncoder::new(Vec::new());
        lz.write_all(&text).unwrap();
        let mut all =
            vec![text.clone(), gz.finish().unwrap(), bz.finish().unwrap(), lz.finish().unwrap()];
        #[cfg(feature = "zstd")]
        all.push(zstd::encode_all(text.as_slice(), 1).unwrap());
        for bytes in all {
            let mut read = Vec::new();
            Source::from_bytes("x", bytes).read().unwrap().read_to_end(&mut read).unwrap();
            assert_eq!(read, text);
        }
    }
}
