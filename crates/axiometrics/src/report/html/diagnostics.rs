//! What could be behind the numbers besides the runs: unjudged documents, equal scores, missing
//! topics.

use serde::Serialize;

use super::contrast::signed;
use super::means::Means;
use super::{JUDGED_DEPTH, Study};
use crate::report::number::number;
use crate::report::plot::RECALLS;

#[derive(Serialize)]
pub(super) struct DiagnosticsView {
    depth: u32,
    /// Whether anything is known of judged documents, and of ties.
    judged: bool,
    ties: bool,
    rows: Vec<DiagnosticRow>,
}

#[derive(Serialize)]
struct DiagnosticRow {
    run: String,
    missing: usize,
    unjudged_topics: usize,
    /// The mean share of the top that was not judged.
    unjudged: Option<String>,
    /// The topic with the most unjudged documents in the top.
    worst: Option<(String, String)>,
    /// True if the share makes a comparison doubtful.
    doubtful: bool,
    /// How many topics change their score by some measure when equal scores are ordered the other
    /// way round.
    tied_topics: Option<usize>,
    /// By how much the summary that changes most does.
    tied_change: Option<(String, String)>,
}

/// Above this share of unjudged documents a row is marked.
const DOUBTFUL: f64 = 0.2;

pub(super) fn view(study: &Study<'_>, means: &Means) -> DiagnosticsView {
    DiagnosticsView {
        depth: JUDGED_DEPTH,
        judged: study.runs.iter().all(|run| run.extras.is_some()),
        ties: study.runs.iter().all(|run| run.ties_reversed.is_some()),
        rows: means.order(study, 0).into_iter().map(|run| row(study, run)).collect(),
    }
}

fn row(study: &Study<'_>, index: usize) -> DiagnosticRow {
    let run = &study.runs[index];
    let percent = |share: f64| format!("{}%", number(100.0 * share, Some(1)));
    // A topic of which nothing was retrieved has no share.
    let shares: Vec<(usize, f64)> = run.extras.map_or(Vec::new(), |extras| {
        let unjudged = extras.column(RECALLS.len()).enumerate();
        unjudged.filter_map(|(row, share)| Some((row, 1.0 - share?))).collect()
    });
    let mean = (!shares.is_empty())
        .then(|| shares.iter().map(|(_, s)| s).sum::<f64>() / shares.len() as f64);
    let worst = shares.iter().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|(_, share)| *share > 0.0);
    DiagnosticRow {
        run: run.name.to_string(),
        missing: run.scores.missing,
        unjudged_topics: run.scores.unjudged,
        unjudged: mean.map(percent),
        worst: worst
            .zip(run.extras)
            .map(|((row, share), extras)| (extras.topic(*row).into_owned(), percent(*share))),
        doubtful: mean.is_some_and(|share| share > DOUBTFUL),
        tied_topics: tied_topics(study, index),
        tied_change: tied_change(study, index),
    }
}

fn tied_topics(study: &Study<'_>, index: usize) -> Option<usize> {
    let (run, reversed) = (study.runs[index].scores, study.runs[index].ties_reversed?);
    let differs = |row: &usize| {
        (0..study.metrics.len())
            .any(|column| run.value(*row, column) != reversed.value(*row, column))
    };
    Some((0..run.len()).filter(differs).count())
}

/// The measure whose summary the order of equal scores changes most, relative to the summary, and
/// the change.
fn tied_change(study: &Study<'_>, index: usize) -> Option<(String, String)> {
    let (run, reversed) = (study.runs[index].scores, study.runs[index].ties_reversed?);
    let change = |column: usize| {
        let metric = &study.metrics[column];
        let before = run.summary_value(column, study.undefined)?;
        let after = reversed.summary_value(column, study.undefined)?;
        (before != after).then(|| {
            (
                metric.to_string(),
                after - before,
                (after - before).abs() / before.abs().max(f64::MIN_POSITIVE),
            )
        })
    };
    let most = (0..study.metrics.len()).filter_map(change).max_by(|a, b| a.2.total_cmp(&b.2));
    most.map(|(measure, by, _)| {
        (measure, if by.abs() < 0.00005 { "less than 0.0001".to_string() } else { signed(by) })
    })
}
