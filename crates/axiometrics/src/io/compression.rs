//! Compressed streams, recognised by their content.

use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lz4_flex::frame::FrameDecoder;

#[cfg(not(target_family = "wasm"))]
use crate::error::COMPRESSED;

/// How a file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
    Lz4,
    Bzip2,
}

#[cfg(not(target_family = "wasm"))]
pub(super) const SUFFIXES: [(&str, Compression); 4] = [
    (COMPRESSED[0], Compression::Gzip),
    (COMPRESSED[1], Compression::Zstd),
    (COMPRESSED[2], Compression::Lz4),
    (COMPRESSED[3], Compression::Bzip2),
];

/// What a block of bzip2 begins with, or the end of a stream without blocks.
const BZIP2_BLOCKS: [&[u8]; 2] = [b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"];

impl Compression {
    /// The compression of what begins with these bytes.
    pub(super) fn of_content(head: &[u8]) -> Compression {
        match head {
            [0x1f, 0x8b, ..] => Compression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Compression::Zstd,
            [0x04, 0x22, 0x4d, 0x18, ..] => Compression::Lz4,
            // A frame to be skipped may be of zstd or LZ4: what follows it tells.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, length @ ..] => match length.split_first_chunk() {
                Some((length, rest)) => {
                    let behind = rest.get(u32::from_le_bytes(*length) as usize..);
                    match behind.map(Compression::of_content) {
                        Some(Compression::Lz4) => Compression::Lz4,
                        _ => Compression::Zstd,
                    }
                }
                None => Compression::Zstd,
            },
            // The letters alone could be those of a topic.
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if BZIP2_BLOCKS.iter().any(|magic| rest.starts_with(magic)) =>
            {
                Compression::Bzip2
            }
            _ => Compression::None,
        }
    }

    /// The text behind compressed bytes.
    pub(super) fn decompress<'a>(
        self,
        input: impl Read + Send + 'a,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        if self == Compression::None {
            return Ok(Box::new(input));
        }
        let compressed = Arc::new(AtomicU64::new(0));
        let input = CompressedInput { input, count: compressed.clone() };
        let text = self.decoder(input)?;
        Ok(Box::new(Unfolded { text, compressed, len: 0 }))
    }

    fn decoder<'a>(self, input: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
        Ok(match self {
            Compression::None => Box::new(input),
            Compression::Gzip => Box::new(flate2::read::MultiGzDecoder::new(
                BufReader::with_capacity(1 << 16, input),
            )),
            #[cfg(feature = "zstd")]
            Compression::Zstd => Box::new(zstd::stream::read::Decoder::new(input)?),
            #[cfg(all(feature = "zstd-in-rust", not(feature = "zstd")))]
            Compression::Zstd => Box::new(super::zstandard::Zstandard::new(input)),
            #[cfg(not(any(feature = "zstd", feature = "zstd-in-rust")))]
            Compression::Zstd => return Err(without_zstd()),
            Compression::Lz4 => Box::new(Lz4::new(input)?),
            Compression::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(input)),
        })
    }
}

/// An input whose bytes are counted.
struct CompressedInput<R> {
    input: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for CompressedInput<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buf)?;
        self.count.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// The text behind compressed bytes, refused where it goes on beyond all that runs and judgements
/// do: a megabyte can unfold to a gigabyte, which would take many in memory.
struct Unfolded<R> {
    text: R,
    /// How many bytes of the input were read for it.
    compressed: Arc<AtomicU64>,
    len: u64,
}

/// A text of this length may be as small as it likes when compressed.
const FREE: u64 = 128 << 20;
/// Any other has at most so many times the bytes. Runs have three to thirty.
const MOST_TIMES: u64 = 100;

/// How many bytes a file of this size may expand to.
pub fn most_expanded(compressed: u64) -> u64 {
    FREE.max(compressed.saturating_add(1).saturating_mul(MOST_TIMES) - 1)
}

/// Refuses a compressed file of this size that has expanded further than runs and judgements do.
pub fn check_expansion(compressed: u64, expanded: u64) -> io::Result<()> {
    if expanded <= most_expanded(compressed) {
        return Ok(());
    }
    let message = format!(
        "expands to more than {MOST_TIMES} times its size, which no run or judgements do; \
         if it is meant, write it as plain text first"
    );
    Err(io::Error::new(io::ErrorKind::InvalidData, message))
}

impl<R: Read> Read for Unfolded<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.text.read(buf)?;
        self.len += n as u64;
        check_expansion(self.compressed.load(Ordering::Relaxed), self.len)?;
        Ok(n)
    }
}

/// Appends the text of bytes that gzip, zstd or LZ4 compressed, at most the first `most` bytes of it.
pub fn decompress(bytes: &[u8], most: u64, text: &mut Vec<u8>) -> io::Result<()> {
    let compression = Compression::of_content(bytes);
    if compression == Compression::None {
        let message = "the data is not compressed in a way that is known";
        return Err(io::Error::new(io::ErrorKind::InvalidData, message));
    }
    compression.decompress(bytes)?.take(most).read_to_end(text)?;
    Ok(())
}

/// All frames of an LZ4 stream. The decoder knows one frame, and takes a frame that is cut off
/// between two blocks for a whole one, so the end of what it reads is watched.
struct Lz4<R: Read> {
    /// The frame at hand; `None` at the end.
    frame: Option<FrameDecoder<FrameInput<R>>>,
    /// True before the first byte of a frame that is not the first.
    between: bool,
}

/// What a frame is read from.
struct FrameInput<R> {
    /// The first bytes of the frame, as far as they have not been read from here.
    magic: Vec<u8>,
    rest: R,
    /// Whether the end of the stream was met.
    ended: bool,
}

impl<R: Read> FrameInput<R> {
    /// Looks at the next frame, and passes over those that hold no text.
    fn look(&mut self) -> io::Result<()> {
        loop {
            (&mut self.rest).take(4).read_to_end(&mut self.magic)?;
            if !matches!(self.magic[..], [0x50..=0x5f, 0x2a, 0x4d, 0x18]) {
                return Ok(());
            }
            self.magic.clear();
            let mut length = [0; 4];
            self.rest.read_exact(&mut length)?;
            let length = u64::from(u32::from_le_bytes(length));
            if io::copy(&mut (&mut self.rest).take(length), &mut io::sink())? < length {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

impl<R: Read> Read for FrameInput<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let known = self.magic.len().min(buf.len());
        if known > 0 {
            buf[..known].copy_from_slice(&self.magic[..known]);
            self.magic.drain(..known);
            return Ok(known);
        }
        let n = self.rest.read(buf)?;
        self.ended |= n == 0 && !buf.is_empty();
        Ok(n)
    }
}

impl<R: Read> Lz4<R> {
    fn new(input: R) -> io::Result<Lz4<R>> {
        let input = FrameInput { magic: Vec::new(), rest: input, ended: false };
        Ok(Lz4 { frame: Lz4::begin(input)?, between: false })
    }

    /// The next frame, if there is one.
    fn begin(mut input: FrameInput<R>) -> io::Result<Option<FrameDecoder<FrameInput<R>>>> {
        input.look()?;
        Ok((!input.magic.is_empty()).then(|| FrameDecoder::new(input)))
    }
}

impl<R: Read> Read for Lz4<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        while let Some(frame) = &mut self.frame {
            match frame.read(buf) {
                Err(e) if self.between && e.kind() != io::ErrorKind::UnexpectedEof => {
                    let message = "something else follows the compressed data";
                    return Err(io::Error::new(e.kind(), message));
                }
                Err(e) => return Err(e),
                Ok(0) if frame.get_ref().ended => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(0) => {
                    self.frame = match self.frame.take() {
                        Some(frame) => Lz4::begin(frame.into_inner())?,
                        None => None,
                    };
                    self.between = true;
                }
                Ok(n) => {
                    self.between = false;
                    return Ok(n);
                }
            }
        }
        Ok(0)
    }
}

#[cfg(all(not(feature = "zstd"), not(all(feature = "zstd-in-rust", target_family = "wasm"))))]
pub(super) fn without_zstd() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "zstd is not part of this build")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use lz4_flex::frame::{BlockMode, BlockSize, FrameEncoder, FrameInfo};

    use super::*;
    use crate::io::Source;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        out.write_all(text).unwrap();
        out.finish().unwrap()
    }

    fn bzip2(text: &[u8]) -> Vec<u8> {
        let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        out.write_all(text).unwrap();
        out.finish().unwrap()
    }

    fn lz4(text: &[u8], info: FrameInfo) -> Vec<u8> {
        let mut out = FrameEncoder::with_frame_info(info, Vec::new());
        out.write_all(text).unwrap();
        out.finish().unwrap()
    }

    /// The text in every compression.
    fn all(text: &[u8]) -> Vec<Vec<u8>> {
        let small = || FrameInfo::new().block_size(BlockSize::Max64KB);
        let checked = small().content_checksum(true).block_checksums(true);
        let linked = small().block_mode(BlockMode::Linked).content_checksum(true);
        let mut all = vec![gzip(text), bzip2(text)];
        all.extend([small(), checked, linked].map(|info| lz4(text, info)));
        #[cfg(feature = "zstd")]
        {
            all.push(zstd::encode_all(text, 1).unwrap());
            let mut checked = zstd::Encoder::new(Vec::new(), 19).unwrap();
            checked.include_checksum(true).unwrap();
            checked.write_all(text).unwrap();
            all.push(checked.finish().unwrap());
        }
        all
    }

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let source = Source::from_bytes("x", bytes);
        let mut text = Vec::new();
        let read = source.read().unwrap().read_to_end(&mut text);
        #[cfg(all(feature = "zstd", feature = "zstd-in-rust"))]
        agrees(bytes, &read, &text);
        read.map(|_| text)
    }

    /// Holds the decoder in Rust against the library in C.
    #[cfg(all(feature = "zstd", feature = "zstd-in-rust"))]
    fn agrees(bytes: &[u8], read: &io::Result<usize>, text: &[u8]) {
        if Compression::of_content(bytes) != Compression::Zstd {
            return;
        }
        let mut own = Vec::new();
        let told = crate::io::zstandard::Zstandard::new(bytes).read_to_end(&mut own);
        assert_eq!(told.is_ok(), read.is_ok(), "{told:?}, {read:?}");
        if told.is_ok() {
            assert!(own == text, "the decoder in Rust reads another text");
        }
    }

    /// Text that does not shrink much, so that it is many blocks.
    fn text() -> Vec<u8> {
        let mut random = 1u32;
        let mut next = || {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            random
        };
        (0..12_000).flat_map(|i| format!("301 Q0 {:x} {i} 2.5 x\n", next()).into_bytes()).collect()
    }

    #[test]
    fn every_compression_is_recognised_by_content() {
        let text = text();
        assert_eq!(read(&text).unwrap(), text);
        for bytes in all(&text) {
            assert_eq!(read(&bytes).unwrap(), text);
        }
    }

    #[test]
    fn streams_one_behind_the_other_are_one_text() {
        let (first, second) = (text(), b"302 Q0 a 1 2.5 x\n".to_vec());
        for (a, b) in all(&first).into_iter().zip(all(&second)) {
            let both = [a.as_slice(), &b, &b].concat();
            assert_eq!(read(&both).unwrap(), [first.as_slice(), &second, &second].concat());
        }
        // Frames of different kinds, and empty ones.
        let empty = lz4(b"", FrameInfo::new());
        let kinds = [FrameInfo::new(), FrameInfo::new().content_checksum(true)];
        let [plain, checked] = kinds.map(|info| lz4(&second, info));
        let frames = [plain.as_slice(), &empty, &checked, &empty].concat();
        assert_eq!(read(&frames).unwrap(), [second.as_slice(), &second].concat());
    }

    /// pzstd puts the size of what follows into frames that hold no text.
    #[test]
    fn frames_without_text_are_passed_over() {
        let text = text();
        let skipped = |n: u8| {
            [&[0x50 + n, 0x2a, 0x4d, 0x18, n, 0, 0, 0], vec![b'x'; n.into()].as_slice()].concat()
        };
        for bytes in all(&text).into_iter().skip(2) {
            let frames = [&skipped(4), &skipped(0), &bytes, &skipped(15), &bytes, &skipped(1)];
            let frames = frames.map(Vec::as_slice).concat();
            assert!(read(&frames).unwrap() == [text.as_slice(), &text].concat());
            assert!(read(&frames[..frames.len() - 1]).is_err(), "the last one is cut off");
        }
        assert_eq!(read(&skipped(3)).unwrap(), b"");
    }

    #[test]
    fn a_stream_that_is_cut_off_is_an_error() {
        let text = text();
        for bytes in all(&text) {
            // At every place of the end, and at many others, block boundaries among them.
            // The first few bytes alone may be those of a text.
            let cuts = (bytes.len() - 40..bytes.len()).chain((40..bytes.len()).step_by(19_997));
            for cut in cuts.chain(lz4_boundaries(&bytes)) {
                assert!(read(&bytes[..cut]).is_err(), "{cut} of {} bytes were read", bytes.len());
            }
        }
    }

    /// Where the blocks of an LZ4 frame without block checksums begin.
    fn lz4_boundaries(bytes: &[u8]) -> Vec<usize> {
        let mut all = Vec::new();
        let mut at = 7;
        if bytes[..4] == [0x04, 0x22, 0x4d, 0x18] && bytes[4] & 0x10 == 0 {
            while let Some(size) = bytes.get(at..at + 4) {
                let size = u32::from_le_bytes(size.try_into().unwrap()) & 0x7fff_ffff;
                all.push(at);
                at += 4 + size as usize;
                if size == 0 {
                    break;
                }
            }
            assert!(all.len() > 2, "there are several blocks");
        }
        all
    }

    /// Long texts are not refused for their length, nor short ones for how they unfold.
    #[test]
    fn what_unfolds_beyond_all_measure_is_refused() {
        let read = |len: u64, compressed: u64| {
            let compressed = Arc::new(AtomicU64::new(compressed));
            let text = io::repeat(b'1').take(len);
            io::copy(&mut Unfolded { text, compressed, len: 0 }, &mut io::sink())
        };
        assert_eq!(read(FREE, 1).unwrap(), FREE);
        assert_eq!(read(2 * FREE, FREE / 50).unwrap(), 2 * FREE);
        assert!(read(2 * FREE, FREE / 51).unwrap_err().to_string().contains("100 times"));
        // All that is compressed is counted.
        let zeros = gzip(&vec![b'0'; 1 << 20]);
        let source = Source::from_bytes("x", zeros.repeat((FREE >> 20) as usize + 1));
        let error = io::copy(&mut source.read().unwrap(), &mut io::sink()).unwrap_err();
        assert!(error.to_string().contains("100 times"), "{error}");
    }

    #[test]
    fn garbage_behind_a_stream_is_an_error() {
        for bytes in all(b"301 Q0 a 1 2.5 x\n") {
            for garbage in [&b"x"[..], b"garbage", b"\0\0\0\0\0\0\0\0\0"] {
                let both = [bytes.as_slice(), garbage].concat();
                assert!(read(&both).is_err(), "{garbage:?} was passed over");
            }
        }
    }
}
