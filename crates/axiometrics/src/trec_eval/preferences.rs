//! Topics judged by preferences, which look at the ranking by document ids.

use std::io::BufReader;

use super::columns::{LineContent, TrecLine};
use super::table::{TrecScores, TrecTopic};
use super::{Evaluator, Judgements};
use crate::data::Preferences;
use crate::error::{Error, Place, Result};
use crate::io::{self, Facet, Format, QrelsOptions, RunOptions, Source, preferences};
use crate::measure::preference::preference_counts;
use crate::policy::{Rounding, Ties};
use crate::warning::Warnings;

/// The scores of a run in a file.
pub(super) fn of_files<'e>(
    evaluator: &'e Evaluator,
    judgements: &Source,
    run: &Source,
) -> Result<TrecScores<'e>> {
    let Evaluator { lines, settings, .. } = evaluator;
    let all = if evaluator.judgements == Judgements::QrelsAsPreferences {
        implied(judgements)?
    } else {
        preferences::read(BufReader::new(judgements.read()?), judgements.name())?
    };
    if all.topics().is_empty() {
        let message =
            "no preferences in the file, expected lines of: topic group subgroup document level";
        return Err(Error::input(Place::file(judgements.name()), message));
    }
    let reading = RunOptions { format: Some(Format::Trec), ..RunOptions::default() };
    let run = io::read_run(run, reading, &mut Warnings::default())?;
    if run.is_empty() {
        return Err(Error::input(Place::file(run.name()), "the run is empty"));
    }
    let mut rankings = vec![None; all.topics().len()];
    for topic in run.topics() {
        if let Ok(at) = all.topics().binary_search_by(|t| t.id().cmp(run.topic_bytes(topic))) {
            // Here, and only here, trec_eval orders equal scores by ascending document id.
            let ranking = run.ranking(topic, Ties::DocidAsc, Rounding::F64);
            rankings[at] = Some(ranking.into_iter().map(|(doc, _)| doc).collect::<Vec<_>>());
        }
    }
    let depth = settings.depth.map_or(usize::MAX, |depth| usize::try_from(depth).unwrap_or(0));
    let (mut table, mut values) = (Vec::new(), Vec::new());
    for (topic, ranking) in all.topics().iter().zip(rankings) {
        if evaluator.skips(topic.id()) || ranking.is_none() && !settings.complete {
            continue;
        }
        let ranking = ranking.unwrap_or_default();
        let counts = preference_counts(topic, &ranking[..ranking.len().min(depth)]);
        let score = |line: &TrecLine| {
            if let LineContent::Number(column, _) = &line.what {
                column.score_preferences(&counts)
            } else {
                0.0
            }
        };
        values.extend(lines.iter().map(score));
        table.push(TrecTopic {
            name: topic.id().to_vec(),
            row: table.len(),
            grades: String::new(),
        });
    }
    Ok(TrecScores::new(evaluator, table, values, run.tag().unwrap_or_default().to_vec()))
}

/// Plain judgements as preferences: the second column is the group.
fn implied(source: &Source) -> Result<Preferences> {
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
    Preferences::from_judgements(all, source.name())
}
