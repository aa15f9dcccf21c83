//! Files in, files out. Nothing else in the library opens a file.

mod fields;
pub mod preferences;
pub mod source;
pub(crate) mod split;
mod tag;
pub(crate) mod trec;
mod window;
pub mod zscores;

pub use source::Source;
pub use tag::last_tag;

use crate::data::qrels::Duplicate;
use crate::data::{Entries, Qrels};
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

/// The judgements of a file.
pub fn read_qrels(source: &Source, lenient: bool, warnings: &mut Warnings) -> Result<Qrels> {
    read_qrels_as(source, |grade| grade, lenient, warnings)
}

/// The judgements of a file, each grade passed through a function: `f64::trunc` reads grades as trec_eval does.
pub fn read_qrels_as(source: &Source, grade: impl Fn(f64) -> f64, lenient: bool, warnings: &mut Warnings) -> Result<Qrels> {
    let mut entries = read_trec(source, Layout::Qrels, lenient, warnings)?;
    if entries.is_empty() {
        return Err(Error::input(
            Place::file(source.name()),
            "no judgements in the file, expected lines of: topic iteration document grade",
        ));
    }
    entries.map_values(grade);
    Qrels::new(entries).map_err(|d| judged_twice(source.name(), &d))
}

fn judged_twice(name: &str, d: &Duplicate) -> Error {
    let Duplicate { topic, doc, first, second } = d;
    Error::duplicate(
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
