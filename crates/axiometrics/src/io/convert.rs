//! From one format to another.

use std::io::Write;

use super::{Content, Facet, Format, QrelsOptions, Reading, RunOptions, Source};
use crate::error::{Error, Place, Result};
use crate::warning::Warnings;

/// What is to be converted, and how.
#[derive(Debug, Clone)]
pub struct Conversion {
    /// A run or judgements.
    pub content: Content,
    /// The format that is read.
    pub from: Format,
    /// The format that is written.
    pub to: Format,
    /// Lines that are wrong and repeated documents are counted and left out instead of being
    /// errors.
    pub lenient: bool,
    /// How the rows of a file become a run.
    pub reading: Reading,
    /// The second key of judgements, if it is to be kept.
    pub facet: Facet,
    /// The name of the run, where the format has a place for it.
    pub tag: String,
}

/// Writes in one format what was read in another. Nothing is written before all has been read.
///
/// ```
/// use axiometrics::io::{self, Content, Conversion, Facet, Format, Reading, Source};
/// use axiometrics::warning::Warnings;
///
/// let source = Source::from_bytes("run.csv", "qid,docno,score\n301,d1,9.5\n");
/// let (content, from) = io::detect_content(&source)?;
/// assert_eq!((content, from), (Content::Run, Format::Csv));
/// let conversion = Conversion { content, from, to: Format::Trec, lenient: false, reading: Reading::default(), facet: Facet::None, tag: "demo".into() };
/// let mut text = Vec::new();
/// io::convert(&source, &conversion, &mut text, &mut Warnings::default())?;
/// assert_eq!(text, b"301 Q0 d1 1 9.5 demo\n");
/// # Ok::<(), axiometrics::Error>(())
/// ```
pub fn convert(
    source: &Source,
    conversion: &Conversion,
    out: &mut dyn Write,
    warnings: &mut Warnings,
) -> Result<()> {
    let Conversion { content, from, to, lenient, reading, facet, tag } = conversion;
    match content {
        Content::Qrels => {
            let options = QrelsOptions {
                lenient: *lenient,
                format: Some(*from),
                facet: *facet,
                ..QrelsOptions::default()
            };
            super::write_qrels(&super::read_qrels(source, options, warnings)?, *facet, *to, out)
        }
        Content::Run => {
            let options =
                RunOptions { lenient: *lenient, format: Some(*from), reading: reading.clone() };
            let run = super::read_run(source, options, warnings)?;
            if run.is_empty() {
                return Err(Error::input(
                    Place::file(source.name()),
                    "no rows in the file, expected a run",
                ));
            }
            super::write_run(&run, *to, tag, out)
        }
    }
}
