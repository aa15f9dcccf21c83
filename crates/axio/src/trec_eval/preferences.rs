//! Topics judged by preferences, which look at the ranking by document ids.

use axiometrics::Place;
use axiometrics::data::{Entries, Preferences};
use axiometrics::io::{self, Facet, Format, QrelsOptions, Source, preferences};
use axiometrics::measure::preference::preference_counts;
use axiometrics::warning::Warnings;
use std::io::BufReader;

use super::Failure;
use super::columns::{Line, What};
use super::format::TopicRow;
use super::options::Options;

/// The topics to be printed, in the order of printing.
pub(super) fn table(
    judgements: &Source,
    run: &Source,
    lines: &[Line],
    qrels: bool,
    options: &Options,
) -> Result<Vec<TopicRow>, Failure> {
    let all = if qrels {
        implied(judgements)?
    } else {
        preferences::read(BufReader::new(judgements.read()?), judgements.name())?
    };
    let mut entries = io::read_run(run, Format::Trec, false, &mut Warnings::default())?;
    if entries.is_empty() {
        return Err(Failure::input(format!("{}: the run is empty", run.name())));
    }
    entries.group();
    let mut rankings = vec![None; all.topics().len()];
    for topic in 0..entries.topic_count() as u32 {
        if let Ok(at) = all.topics().binary_search_by(|t| t.id().cmp(entries.topic_name(topic))) {
            rankings[at] = Some(ranking(&entries, topic, run.name())?);
        }
    }
    let depth = options.depth.map_or(usize::MAX, |depth| usize::try_from(depth).unwrap_or(0));
    let mut table = Vec::new();
    for (topic, ranking) in all.topics().iter().zip(rankings) {
        let skipped = options.topic.as_ref().is_some_and(|only| only.as_bytes() != topic.id());
        if skipped || ranking.is_none() && !options.complete {
            continue;
        }
        let ranking = ranking.unwrap_or_default();
        let counts = preference_counts(topic, &ranking[..ranking.len().min(depth)]);
        let score = |line: &Line| {
            if let What::Number(column, _) = &line.what {
                column.score_preferences(&counts)
            } else {
                0.0
            }
        };
        table.push(TopicRow {
            name: topic.id().to_vec(),
            values: lines.iter().map(score).collect(),
            grades: String::new(),
        });
    }
    Ok(table)
}

/// Plain judgements as preferences: the second column is the group.
fn implied(source: &Source) -> Result<Preferences, Failure> {
    let reading = QrelsOptions {
        format: Some(Format::Trec),
        facet: Facet::Iteration,
        ..QrelsOptions::default()
    };
    let qrels = io::read_qrels(source, reading, &mut Warnings::default())?;
    let mut all = Vec::new();
    for topic in qrels.topics() {
        let documents: Vec<&[u8]> = qrels.judgements(*topic).map(|(doc, _)| doc).collect();
        let rows = qrels.facets(*topic).rows.iter();
        all.extend(rows.map(|r| {
            (
                qrels.topic_bytes(*topic),
                qrels.facet_names()[r.facet as usize].as_bytes(),
                documents[r.doc as usize],
                r.grade,
            )
        }));
    }
    Ok(Preferences::from_judgements(all, source.name())?)
}

/// The documents of a topic, best first. Here, and only here, trec_eval orders equal scores by
/// ascending document id.
fn ranking<'e>(entries: &'e Entries, topic: u32, file: &str) -> Result<Vec<&'e [u8]>, Failure> {
    let mut rows: Vec<_> = entries.rows(topic).iter().collect();
    rows.sort_by_key(|row| entries.doc(row));
    if let Some(twice) = rows.windows(2).find(|w| entries.doc(w[0]) == entries.doc(w[1])) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (doc, name) = (text(entries.doc(twice[1])), text(entries.topic_name(topic)));
        let place = Place::line(file, entries.line(twice[1]));
        return Err(Failure::calculation(format!(
            "{place}: document \"{doc}\" stands twice in topic {name}"
        )));
    }
    rows.sort_by(|a, b| b.value.partial_cmp(&a.value).unwrap_or(std::cmp::Ordering::Equal));
    Ok(rows.into_iter().map(|row| entries.doc(row)).collect())
}
