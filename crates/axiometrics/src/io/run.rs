//! Runs from files of any format.

use super::row::{Gather, Wanted};
use super::trec::{Halt, Layout, MixedLine, Scan, Sink, TopicLines};
use super::{Content, Facet, Format, Glance, Reading, Source, detect, read_rows, swapped};
use crate::data::{Entries, Run};
use crate::error::Result;
use crate::policy::Order;
use crate::warning::Warnings;

/// How a run is read.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Lines that are wrong are counted and left out, and of repeated documents the highest score
    /// is kept.
    pub lenient: bool,
    /// The format, if it is not to be recognised by the content.
    pub format: Option<Format>,
    /// How the rows become a run.
    pub reading: Reading,
}

/// The run in a file, of whatever format.
pub fn read_run(source: &Source, options: RunOptions, warnings: &mut Warnings) -> Result<Run> {
    let RunOptions { lenient, format, reading } = options;
    let mut met = Warnings::default();
    let format = run_format(source, format, &reading, &mut met)?;
    let rows = read_entries(source, Content::Run, format, lenient, &mut met)?;
    let entries = reading.settle(source.name(), rows.entries, &mut met)?;
    let run = Run::from_file(source.name(), entries, lenient, &mut met)?;
    warnings.extend(met);
    let ranked = Glance::of_source(source, format).has_ranks();
    Ok(run.tagged(rows.tag).with_ranks(ranked))
}

/// The format of a run, recognised unless it is known. Judgements are refused, and scores that mean
/// the opposite of what scores mean are told.
pub(crate) fn run_format(
    source: &Source,
    known: Option<Format>,
    reading: &Reading,
    warnings: &mut Warnings,
) -> Result<Format> {
    swapped::refuse(source, Content::Run)?;
    let format = known.map_or_else(|| detect(source, Content::Run), Ok)?;
    if reading.order == Order::Desc {
        Glance::of_source(source, format).warn_of_reversal(source.name(), warnings);
    }
    Ok(format)
}

/// The rows of a file.
#[derive(Default)]
pub(crate) struct RunRows {
    pub(crate) entries: Entries,
    /// The tag of a TREC run.
    pub(crate) tag: Option<Vec<u8>>,
    /// The topics of some lines.
    topics: Vec<u32>,
}

/// The rows of a file, of whatever format. Lines that are wrong are errors, or in lenient mode
/// counted.
pub(crate) fn read_entries(
    source: &Source,
    content: Content,
    format: Format,
    lenient: bool,
    warnings: &mut Warnings,
) -> Result<RunRows> {
    if format == Format::Trec {
        let layout = if content == Content::Run { Layout::Run } else { Layout::Qrels };
        let mut rows = RunRows::default();
        return match Scan::new(source, layout, lenient).read(source.read()?, warnings, &mut rows) {
            Ok(scanned) => Ok(RunRows { tag: scanned.tag, ..rows }),
            Err(Halt::Scattered) => Ok(rows),
            Err(Halt::Failed(e)) => Err(e),
        };
    }
    let mut gather = Gather::new(source.name(), false, lenient, warnings);
    read_rows(source, Wanted { content, facet: Facet::None }, format, &mut gather)?;
    Ok(RunRows { entries: gather.entries, ..RunRows::default() })
}

impl Sink for RunRows {
    fn group(&mut self, group: &TopicLines<'_>) -> std::result::Result<(), Halt> {
        let topic = self.entries.topic(group.topic);
        Ok(self.entries.extend(
            topic,
            group.text,
            group.numbered().map(|(row, line)| (row, Some(line))),
        )?)
    }

    fn mixed(&mut self, lines: &[MixedLine], text: &[u8]) -> std::result::Result<(), Halt> {
        self.topics.clear();
        self.topics.extend(
            lines.iter().map(|line| self.entries.topic_headed(line.topic(text), line.topic_head)),
        );
        for (topic, line) in self.topics.iter().zip(lines) {
            self.entries.add(*topic, text, line.row, line.number)?;
        }
        Ok(())
    }
}
