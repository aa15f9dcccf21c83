//! Topics judged by preferences, which look at the ranking by document ids.

use axiometrics::data::Preferences;
use axiometrics::io::{self, Facet, Format, QrelsOptions, RunOptions, Source, preferences};
use axiometrics::measure::preference::preference_counts;
use axiometrics::policy::{Rounding, Ties};
use axiometrics::warning::Warnings;
use std::io::BufReader;

use super::Failure;
use super::columns::{Line, What};
use super::format::TopicRow;
use super::options::Options;

/// The topics to be printed, in the order of printing, and the tag of the run.
pub(super) fn table(
    judgements: &Source,
    run: &Source,
    lines: &[Line],
    qrels: bool,
    options: &Options,
) -> Result<(Vec<TopicRow>, Vec<u8>), Failure> {
    let all = if qrels {
        implied(judgements)?
    } else {
        preferences::read(BufReader::new(judgements.read()?), judgements.name())?
    };
    let reading = RunOptions { format: Some(Format::Trec), ..RunOptions::default() };
    let run = io::read_run(run, reading, &mut Warnings::default())?;
    if run.is_empty() {
        return Err(Failure::input(format!("{}: the run is empty", run.name())));
    }
    let mut rankings = vec![None; all.topics().len()];
    for topic in run.topics() {
        if let Ok(at) = all.topics().binary_search_by(|t| t.id().cmp(run.topic_bytes(topic))) {
            // Here, and only here, trec_eval orders equal scores by ascending document id.
            let ranking = run.ranking(topic, Ties::DocidAsc, Rounding::F64);
            rankings[at] = Some(ranking.into_iter().map(|(doc, _)| doc).collect::<Vec<_>>());
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
    Ok((table, run.tag().unwrap_or_default().to_vec()))
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
