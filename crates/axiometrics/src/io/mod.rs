//! Files in, files out. Nothing else in the library opens a file.

pub mod source;
pub(crate) mod split;
pub(crate) mod trec;
mod window;

pub use source::Source;

use crate::align::Repeats;
use crate::data::qrels::Duplicate;
use crate::data::{Entries, Needs, Qrels};
use crate::error::{Error, Place, Result};
use crate::warning::Warnings;
use trec::{Group, Halt, Layout, Sink};

/// The formats of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunFormat {
    /// `topic Q0 document rank score tag`
    Trec,
}

/// The format of a run, by its content.
pub fn detect_run(_source: &Source) -> Result<RunFormat> {
    Ok(RunFormat::Trec)
}

/// The rows of a run, of whatever format. The lines that are wrong are errors, or in lenient mode counted warnings.
pub fn read_run(source: &Source, format: RunFormat, lenient: bool, warnings: &mut Warnings) -> Result<Entries> {
    match format {
        RunFormat::Trec => read_trec(source, Layout::Run, lenient, warnings),
    }
}

/// The judgements of a file, as far as they are needed.
pub fn read_qrels(source: &Source, needs: Needs, lenient: bool, warnings: &mut Warnings) -> Result<Qrels> {
    if !needs.judged
        && !lenient
        && let Some(qrels) = read_positive(source)?
    {
        return Ok(qrels);
    }
    let entries = read_trec(source, Layout::Qrels, lenient, warnings)?;
    if entries.is_empty() {
        return Err(Error::input(
            Place::file(source.name()),
            "no judgements in the file, expected lines of: topic iteration document grade",
        ));
    }
    Qrels::new(entries).map_err(|d| judged_twice(source.name(), &d))
}

fn judged_twice(name: &str, d: &Duplicate) -> Error {
    let Duplicate { topic, doc, first, second } = d;
    Error::input(
        Place::line(name, *second),
        format!("document \"{doc}\" is judged twice in topic {topic} (first on line {first}), expected one judgement"),
    )
    .help("remove one of the lines; judgements by subtopic or by judgement group need a measure that reads them, such as alpha_nDCG@10")
}

fn read_trec(source: &Source, layout: Layout, lenient: bool, warnings: &mut Warnings) -> Result<Entries> {
    let mut rows = Rows(Entries::new());
    match trec::scan(source.name(), source.read()?, layout, lenient, warnings, &mut rows) {
        Ok(()) | Err(Halt::Scattered) => Ok(rows.0),
        Err(Halt::Failed(e)) => Err(e),
    }
}

/// The judgements above zero of a file that is grouped by topic; `None` where it is anything else, or wrong, or empty.
fn read_positive(source: &Source) -> Result<Option<Qrels>> {
    let mut rows = Positive::default();
    let scanned = trec::scan(source.name(), source.read()?, Layout::Qrels, false, &mut Warnings::default(), &mut rows);
    match scanned {
        Ok(()) if rows.entries.topic_count() > 0 => Ok(Some(Qrels::positive_only(rows.entries, &rows.others, rows.max_grade))),
        _ => Ok(None),
    }
}

/// Gathers the rows above zero and counts the others.
#[derive(Default)]
struct Positive {
    entries: Entries,
    others: Vec<(u32, u32)>,
    max_grade: f64,
    repeats: Repeats,
}

impl Sink for Positive {
    fn group(&mut self, group: &Group<'_>) -> std::result::Result<(), Halt> {
        let topic = self.entries.topic(group.topic);
        // A topic that comes again or a document that does: the reader of everything will say what is wrong, if it is.
        if (topic as usize) < self.others.len() || self.repeats.check(group.lines, group.text).is_err() {
            return Err(Halt::Scattered);
        }
        let (mut zero, mut negative) = (0, 0);
        for line in group.lines {
            if line.score > 0.0 {
                self.max_grade = self.max_grade.max(line.score);
                self.entries.push_hashed(topic, line.id(group.text), line.hash, line.score, 0)?;
            } else if line.score == 0.0 {
                zero += 1;
            } else {
                negative += 1;
            }
        }
        self.others.push((zero, negative));
        Ok(())
    }
}

/// Gathers rows.
struct Rows(Entries);

impl Sink for Rows {
    fn group(&mut self, group: &Group<'_>) -> std::result::Result<(), Halt> {
        let topic = self.0.topic(group.topic);
        for (number, line) in group.numbered() {
            self.0.push_hashed(topic, line.id(group.text), line.hash, line.score, number)?;
        }
        Ok(())
    }
}
