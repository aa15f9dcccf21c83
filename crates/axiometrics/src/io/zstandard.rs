//! Zstandard streams, read without the C library.

use std::io::{self, BufRead, BufReader, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// All frames of a stream. The decoder knows one frame, and leaves its checksum to whoever asks.
pub(super) struct Zstandard<R> {
    input: BufReader<R>,
    frame: FrameDecoder,
    /// True from the head of a frame to its last byte.
    within: bool,
}

impl<R: Read> Zstandard<R> {
    pub(super) fn new(input: R) -> Zstandard<R> {
        let input = BufReader::with_capacity(1 << 16, input);
        Zstandard { input, frame: FrameDecoder::new(), within: false }
    }

    /// Begins the next frame; false at the end.
    fn next(&mut self) -> io::Result<bool> {
        while !self.input.fill_buf()?.is_empty() {
            match self.frame.reset(&mut self.input) {
                Ok(()) => {
                    self.within = true;
                    return Ok(true);
                }
                // A frame that holds no text.
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    if io::copy(&mut (&mut self.input).take(length), &mut io::sink())? < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    /// Ends a frame: its checksum, if it has one, must be that of the text.
    fn end(&mut self) -> io::Result<()> {
        self.within = false;
        match self.frame.get_checksum_from_data() {
            Some(told) if self.frame.get_calculated_checksum() != Some(told) => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "the checksum is wrong"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: Read> Read for Zstandard<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        while self.within || self.next()? {
            while self.frame.can_collect() == 0 && !self.frame.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.frame.decode_blocks(&mut self.input, one).map_err(io::Error::other)?;
            }
            match self.frame.read(buf)? {
                0 => self.end()?,
                n => return Ok(n),
            }
        }
        Ok(0)
    }
}
