//! Tables of scores in files: a row for each system, topic and measure.
//!
//! Scores of any origin can be read this way, so whatever compares systems or measures can compare
//! those that this program did not compute; what `eval` and `organize` write as rows is read back.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};

use super::common::System;
use super::measured::NamedMeasure;
use super::scores::Scores;
use crate::data::Qrels;
use crate::error::{Error, Place, Result};
use crate::io::Source;
use crate::io::csv::{each_record, lone_return_error};
use crate::measure::Score;

/// What a column of the table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScoreColumn {
    System,
    Topic,
    Measure,
    Value,
}

const COLUMNS: [(ScoreColumn, &[&str]); 4] = [
    (ScoreColumn::System, &["system", "run"]),
    (ScoreColumn::Topic, &["topic", "query_id", "qid", "topic_id"]),
    (ScoreColumn::Measure, &["measure", "metric"]),
    (ScoreColumn::Value, &["value", "score"]),
];

/// The topic of a row that is a summary over topics, which is left out.
const ALL: &str = "all";

/// How an undefined score is written.
const UNDEFINED: &str = "NA";

/// Why a score that was read is undefined.
const NO_VALUE: &str = "the table of scores has no value for it";

/// Reads the scores of systems from a table with a header: `system topic measure value`, in any
/// order, with tabs or commas. Systems and measures come in the order of their first rows; a score
/// that is `NA`, empty or without a row is undefined. Rows of the topic `all` are summaries and left
/// out.
pub fn read_scores(source: &Source) -> Result<Vec<Scores>> {
    read_some(source, &[])
}

/// The same for some of the measures, or for all if none is named.
fn read_some(source: &Source, only: &[String]) -> Result<Vec<Scores>> {
    let mut table = GatheredScores::default();
    let mut others: BTreeSet<String> = BTreeSet::new();
    let mut places: Option<[usize; 4]> = None;
    let mut width = 0;
    let delimiter = delimiter(source)?;
    each_record(source, delimiter, |record, line| {
        let place = || Place::line(source.name(), line);
        let field = |at: usize| String::from_utf8_lossy(record.get(at).unwrap_or(b"")).into_owned();
        let Some(places) = places else {
            let names: Vec<String> = (0..record.len()).map(field).collect();
            width = record.len();
            lone_return_error(record, source.name(), line).map_or(Ok(()), Err)?;
            places = Some(header(&names).map_err(|missing| {
                let error = Error::input(place(), format!("the header names no column {missing}"));
                error.help("a table of scores has the columns system, topic, measure and value")
            })?);
            return Ok(());
        };
        if record.len() != width {
            lone_return_error(record, source.name(), line).map_or(Ok(()), Err)?;
        }
        if record.len() <= places.into_iter().max().unwrap_or(0) {
            let message = format!("found {} fields, fewer than the header", record.len());
            return Err(Error::input(place(), message));
        }
        let [system, topic, measure, value] = places.map(field);
        let empty = [(&system, "system"), (&topic, "topic"), (&measure, "measure")];
        if let Some((_, what)) = empty.into_iter().find(|(text, _)| text.is_empty()) {
            return Err(Error::expected(place(), b"", &format!("the name of a {what}")));
        }
        if topic == ALL {
            return Ok(());
        }
        if !only.is_empty() && !only.contains(&measure) {
            others.insert(measure);
            return Ok(());
        }
        let score = match value.as_str() {
            "" | UNDEFINED => Score::Undefined(NO_VALUE),
            number => match number.parse::<f64>() {
                Ok(number) if !number.is_nan() => Score::Value(number),
                _ => {
                    let expected = format!("a number, or {UNDEFINED} if there is none");
                    return Err(Error::expected(place(), value.as_bytes(), &expected));
                }
            },
        };
        table
            .add(&system, &topic, &measure, score)
            .map_err(|message| Error::duplicate(place(), message).help("remove one of the rows"))
    })?;
    if let Some(missing) = only.iter().find(|name| !table.measures.contains(name)) {
        others.extend(table.measures);
        let message = format!("holds no score by {missing}");
        let known = others.into_iter().collect::<Vec<_>>().join(", ");
        return Err(Error::input(Place::file(source.name()), message)
            .help(format!("its measures are {known}")));
    }
    if table.systems.is_empty() {
        return Err(Error::input(Place::file(source.name()), "holds no score"));
    }
    table.build()
}

/// A table of scores of any origin, ready to be compared.
#[derive(Debug)]
pub struct ScoreTable {
    /// The scores, system by system.
    pub systems: Vec<Scores>,
    /// The measures, column by column.
    pub measures: Vec<NamedMeasure>,
    /// The topics. Nothing is known of their documents: each counts as having a relevant one.
    pub topics: Qrels,
}

impl ScoreTable {
    /// Reads a table as [`read_scores`] does. Only these measures, if any are named.
    pub fn read(source: &Source, only: &[String]) -> Result<ScoreTable> {
        let systems = read_some(source, only)?;
        let columns = systems.first().map_or(&[][..], |system| system.columns());
        let measures = columns.iter().map(|column| NamedMeasure::new(&column.name)).collect();
        let mut topics: Vec<&[u8]> = systems.iter().flat_map(|s| s.topics().iter()).collect();
        topics.sort_unstable();
        topics.dedup();
        let (docs, grades) = (vec!["-"; topics.len()], vec![1.0; topics.len()]);
        let topics = Qrels::from_columns(&topics, &docs, &grades)?;
        Ok(ScoreTable { systems, measures, topics })
    }

    /// The systems under their names.
    pub fn named(&self) -> Vec<System<'_>> {
        self.systems.iter().map(|scores| System { name: scores.name(), scores }).collect()
    }
}

/// Writes scores so that [`read_scores`] reads them, with tabs.
pub fn write_scores(out: &mut dyn Write, scores: &[Scores]) -> io::Result<()> {
    writeln!(out, "system\ttopic\tmeasure\tvalue")?;
    for system in scores {
        for (column, measure) in system.columns().iter().enumerate() {
            for row in 0..system.len() {
                let value =
                    system.value(row, column).map_or(UNDEFINED.to_string(), |x| x.to_string());
                let topic = system.topic(row);
                writeln!(out, "{}\t{topic}\t{}\t{value}", system.name(), measure.name)?;
            }
        }
    }
    Ok(())
}

/// The byte between the fields of the first line, of which the beginning tells.
fn delimiter(source: &Source) -> Result<u8> {
    const BEGINNING: u64 = 1 << 14;
    let mut first = Vec::new();
    let mut input = io::BufReader::new(source.read()?).take(BEGINNING);
    io::BufRead::read_until(&mut input, b'\n', &mut first)
        .map_err(|cause| Error::io(source.name(), cause))?;
    Ok(if first.contains(&b'\t') { b'\t' } else { b',' })
}

/// Where the columns are, or which one is missing.
fn header(names: &[String]) -> std::result::Result<[usize; 4], &'static str> {
    let mut places = [0; 4];
    for (slot, (_, known)) in places.iter_mut().zip(COLUMNS) {
        let is_it = |name: &String| {
            known.contains(&name.trim_start_matches('\u{feff}').trim().to_lowercase().as_str())
        };
        *slot = names.iter().position(is_it).ok_or(known[0])?;
    }
    Ok(places)
}

/// The scores of a system, by topic; those that have no row yet are missing.
type RowsByTopic = BTreeMap<String, Vec<Option<Score>>>;

/// Scores as they are read.
#[derive(Default)]
struct GatheredScores {
    systems: Vec<(String, RowsByTopic)>,
    measures: Vec<String>,
}

impl GatheredScores {
    fn add(
        &mut self,
        system: &str,
        topic: &str,
        measure: &str,
        score: Score,
    ) -> std::result::Result<(), String> {
        let column = position(&mut self.measures, |known| known == measure, || measure.into());
        let at = position(
            &mut self.systems,
            |(known, _)| known == system,
            || (system.into(), RowsByTopic::new()),
        );
        let row = self.systems[at].1.entry(topic.to_string()).or_default();
        row.resize(row.len().max(column + 1), None);
        match row[column].replace(score) {
            None => Ok(()),
            Some(_) => Err(format!("{system} has a second score by {measure} for topic {topic}")),
        }
    }

    fn build(self) -> Result<Vec<Scores>> {
        let measures = &self.measures;
        let system = |(name, topics): (String, RowsByTopic)| {
            let mut builder = Scores::builder(name, measures);
            for (topic, row) in topics {
                let score = |at: usize| row.get(at).copied().flatten();
                let scores: Vec<Score> = (0..measures.len())
                    .map(|at| score(at).unwrap_or(Score::Undefined(NO_VALUE)))
                    .collect();
                builder.push(topic, &scores)?;
            }
            builder.build()
        };
        self.systems.into_iter().map(system).collect()
    }
}

/// Where something is, added at the end if it is new. Rows mostly speak of the same as the last.
fn position<T>(all: &mut Vec<T>, is_it: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> usize {
    all.iter().rposition(is_it).unwrap_or_else(|| {
        all.push(new());
        all.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Undefined;

    fn read(text: &str) -> Result<Vec<Scores>> {
        read_scores(&Source::from_bytes("scores", text))
    }

    #[test]
    fn rows_become_scores() {
        let text =
            "run,measure,topic,value\na,F,1,0.5\nb,F,1,0.25\na,G,1,NA\na,F,2,1\na,F,all,0.75\n";
        let scores = read(text).unwrap();
        assert_eq!(scores.iter().map(Scores::name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(scores[0].summary("F", Undefined::Error).unwrap(), Some(0.75));
        assert_eq!(scores[0].get("1", "G"), Some(Score::Undefined(NO_VALUE)));
        assert_eq!(scores[1].get("1", "G"), Some(Score::Undefined(NO_VALUE)));
        assert_eq!(scores[1].len(), 1);
        let mut written = Vec::new();
        write_scores(&mut written, &scores).unwrap();
        let again = read(&String::from_utf8(written).unwrap()).unwrap();
        for (one, two) in scores.iter().zip(&again) {
            assert_eq!((one.len(), one.columns()), (two.len(), two.columns()));
            for row in 0..one.len() {
                assert_eq!(one.score(row, 0), two.score(row, 0));
            }
        }
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        for (text, problem) in [
            (
                "system,topic,measure,value,x\na,1,F,1,\ra,2,F,1,\r",
                "scores:2: found a carriage return within the record",
            ),
            (
                "system,topic,measure,value\ra,1,F,1\r",
                "scores:1: found a carriage return within the record",
            ),
            ("system\ttopic\tvalue\n", "scores:1: the header names no column measure"),
            ("system,topic,measure,value\na,1,F,x\n", "scores:2: found \"x\", expected a number"),
            (
                "system,topic,measure,value\na,1,F,nan\n",
                "scores:2: found \"nan\", expected a number",
            ),
            (
                "system,topic,measure,value\na,1,F,1\na,1,F,1\n",
                "scores:3: a has a second score by F",
            ),
            ("system,topic,measure,value\na,,F,1\n", "scores:2: found"),
            ("system,topic,measure,value\na,1,F\n", "scores:2: found 3 fields"),
            ("system,topic,measure,value\n", "scores: holds no score"),
            ("", "scores: holds no score"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(problem), "{text}: {message}");
        }
    }
}
