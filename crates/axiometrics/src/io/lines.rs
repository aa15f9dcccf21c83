//! Text by lines: the TREC formats with all of their fields, for judgements by facet and for the
//! linter, and the lines of JSONL.
//!
//! The fast scanner in [`super::trec`] knows neither ranks nor strata. What a line means is decided
//! there, in one place, for both.

use super::row::{InputRow, RowSink, Wanted};
use super::trec::{self, Layout};
use super::window::Window;
use super::{Content, Facet, Source};
use crate::data::bytes;
use crate::error::Result;

/// A line of a format without blanks around its fields: without a byte order mark, nor the carriage
/// return of its end.
pub(crate) fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_prefix(trec::BYTE_ORDER_MARK).unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Calls `each` with every line, without its newline, and its number.
pub(crate) fn each_line(
    source: &Source,
    mut each: impl FnMut(&[u8], u64) -> Result<()>,
) -> Result<()> {
    let mut window = Window::new(source.read()?, source.limits().window);
    let (mut pos, mut line) = (0, 0u64);
    while window.advance(pos, source.name(), line + 1)? {
        pos = 0;
        while pos < window.limit {
            line += 1;
            let end = bytes::line_end(&window.buf, pos, window.limit);
            each(&window.buf[pos..end], line)?;
            pos = end + 1;
        }
        // The last line may lack its newline.
        pos = pos.min(window.limit);
    }
    Ok(())
}

/// Calls `each` with every line that is neither blank nor a remark, without blanks around it, its
/// number, and whether it is the first of them, which may be a header.
pub(crate) fn each_entry(
    source: &Source,
    mut each: impl FnMut(&[u8], u64, bool) -> Result<()>,
) -> Result<()> {
    let mut is_first = true;
    each_line(source, |text, line| {
        let text = bare(text).trim_ascii();
        trec::refuse_lone_return(text, source.name(), line)?;
        if text.is_empty() || text.starts_with(b"#") {
            return Ok(());
        }
        each(text, line, std::mem::take(&mut is_first))
    })
}

/// Reads a TREC file line by line.
pub(crate) fn read_trec(source: &Source, wanted: Wanted, sink: &mut impl RowSink) -> Result<()> {
    let layout = match (wanted.content, wanted.facet) {
        (Content::Run, _) => Layout::Run,
        (Content::Qrels, Facet::Stratum) => Layout::Stratified,
        (Content::Qrels, _) => Layout::Qrels,
    };
    each_line(source, |text, line| match trec::split_line(text, layout) {
        Ok(None) => Ok(()),
        Ok(Some(fields)) => {
            let doc = &text[fields.doc_at..fields.doc_at + fields.doc_len];
            let rank = (layout == Layout::Run)
                .then(|| std::str::from_utf8(fields.fourth).ok()?.parse().ok())
                .flatten();
            let facet = if layout == Layout::Stratified { fields.fourth } else { fields.second };
            sink.row(&InputRow { topic: fields.topic, doc, value: fields.value, rank, facet, line })
        }
        Err(bad) => sink.bad(bad.kind, bad.error(source.name(), line)),
    })
}
