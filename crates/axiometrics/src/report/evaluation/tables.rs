//! Scores for people: a row per run, or with topics a block per run or per measure.

use std::collections::BTreeMap;

use super::{ALL, Detail, EvaluationReport, Unit, highest_first};
use crate::choice::Choice;
use crate::data::id_text;
use crate::measure::range::RangeKind;
use crate::policy::Undefined;
use crate::report::table::{Cell, Column, Table};
use crate::score::System;
use crate::score::ranges::Range;

pub(super) fn tables(report: &EvaluationReport<'_>) -> Vec<Table> {
    match report.detail {
        Detail::Runs => vec![by_run(report)],
        Detail::Topics => report.runs.iter().map(|run| by_topic(report, run)).collect(),
        Detail::Matrix => {
            (0..report.metrics.len()).map(|column| matrix(report, column, true)).collect()
        }
    }
}

fn columns(report: &EvaluationReport<'_>, first: &str) -> Vec<Column> {
    let ends: &[&str] = if report.has_ranges() { &["low", "high"] } else { &[] };
    let of_metric = |name: String| {
        let ends = ends.iter().map(|end| Column::number(*end).joined());
        std::iter::once(Column::number(name)).chain(ends).collect::<Vec<_>>()
    };
    let first = std::iter::once(Column::text(first));
    first.chain(report.metrics.iter().flat_map(|m| of_metric(m.title()))).collect()
}

/// A score, and its range if there are ranges.
pub(super) fn cells(
    report: &EvaluationReport<'_>,
    score: Option<f64>,
    range: Option<Range>,
) -> Vec<Cell> {
    let mut cells = vec![Cell::number(score)];
    if report.has_ranges() {
        cells.extend([range.map(|r| r.low), range.map(|r| r.high)].map(Cell::number));
    }
    cells
}

fn summaries(report: &EvaluationReport<'_>, run: &System<'_>, title: &str) -> Vec<Cell> {
    let numbers = (0..report.metrics.len()).flat_map(|column| {
        cells(report, report.summary(run, column), report.summary_range(run, column))
    });
    std::iter::once(Cell::text(title)).chain(numbers).collect()
}

fn by_run(report: &EvaluationReport<'_>) -> Table {
    let mut table = Table::new(columns(report, "run"));
    let told = report.told();
    for run in &told {
        table.push(summaries(report, run, run.name));
    }
    let step = if report.has_ranges() { 3 } else { 1 };
    for column in (1..table.columns.len()).step_by(step) {
        table.mark_highest(column);
    }
    table.footnotes = notes(report, &told);
    if told.len() < report.runs.len() {
        table.footnotes.insert(0, format!("{} of {} runs", told.len(), report.runs.len()));
    }
    table
}

fn by_topic(report: &EvaluationReport<'_>, run: &System<'_>) -> Table {
    let mut table = Table::new(columns(report, report.unit.name()));
    table.caption = Some(run.name.to_string());
    let rows = report.rows_of(run.scores).unwrap_or_else(|| (0..run.scores.len()).collect());
    for row in &rows {
        let numbers = (0..report.metrics.len()).flat_map(|column| {
            cells(report, run.scores.value(*row, column), run.scores.range(*row, column))
        });
        table.push(std::iter::once(Cell::text(run.scores.topic(*row))).chain(numbers).collect());
    }
    table.push_summary(summaries(report, run, ALL));
    table.footnotes = notes(report, std::slice::from_ref(run));
    if rows.len() < run.scores.len() {
        table.footnotes.insert(0, shown(report.unit, rows.len(), run.scores.len()));
    }
    table
}

fn shown(unit: Unit, told: usize, all: usize) -> String {
    let word = unit.name();
    format!("{told} of {}; {ALL}: of all {word}s", unit.count(all))
}

/// One measure: a row per topic, a column per run.
fn matrix(report: &EvaluationReport<'_>, column: usize, notes: bool) -> Table {
    let first = std::iter::once(Column::text(report.unit.name()));
    let runs = &report.runs;
    let mut table =
        Table::new(first.chain(runs.iter().map(|run| Column::number(run.name))).collect());
    // Runs may have been scored on different topics.
    let mut topics: BTreeMap<&[u8], Vec<Option<f64>>> = BTreeMap::new();
    for (at, run) in runs.iter().enumerate() {
        for (topic, score) in run.scores.topics().iter().zip(run.scores.column(column)) {
            topics.entry(topic).or_insert_with(|| vec![None; runs.len()])[at] = score;
        }
    }
    let all = topics.len();
    let mut rows: Vec<(&[u8], Vec<Option<f64>>)> = topics.into_iter().collect();
    if report.sort == Some(column) {
        let mean = |row: &[Option<f64>]| {
            let known: Vec<f64> = row.iter().flatten().copied().collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        rows.sort_by(|a, b| highest_first(mean(&a.1), mean(&b.1)));
    }
    rows.truncate(report.top.unwrap_or(usize::MAX));
    let told = rows.len();
    for (topic, scores) in rows {
        let name = std::iter::once(Cell::text(id_text(topic)));
        table.push(name.chain(scores.into_iter().map(Cell::number)).collect());
    }
    let name = std::iter::once(Cell::text(ALL));
    let summaries = runs.iter().map(|run| Cell::number(report.summary(run, column)));
    table.push_summary(name.chain(summaries).collect());
    if notes {
        table.caption = Some(report.metrics[column].title());
        if told < all {
            table.footnotes.push(shown(report.unit, told, all));
        }
        table.footnotes.push(footnote(report, runs));
    }
    table
}

/// The same for all measures in one table: for programs. If there are several, each row begins with
/// its measure.
pub(super) fn joined_matrix(report: &EvaluationReport<'_>) -> Table {
    let mut matrices = (0..report.metrics.len()).map(|column| matrix(report, column, false));
    if report.metrics.len() == 1 {
        return matrices.next().unwrap_or_default();
    }
    let mut joined = Table::default();
    for (metric, mut matrix) in report.metrics.iter().zip(matrices) {
        if joined.columns.is_empty() {
            joined.columns = std::mem::take(&mut matrix.columns);
            joined.columns.insert(0, Column::text("measure"));
        }
        for mut row in matrix.rows {
            row.cells.insert(0, Cell::text(metric.title()));
            joined.rows.push(row);
        }
    }
    joined
}

fn notes(report: &EvaluationReport<'_>, runs: &[System<'_>]) -> Vec<String> {
    let mut notes = vec![footnote(report, runs)];
    notes.extend(uneven(report, runs));
    notes.extend(tails(report, runs));
    notes.extend(report.without_range());
    notes.extend(sampled(report, runs));
    notes
}

/// How many topics the scores are over and how they were made; and which runs lack some.
fn footnote(report: &EvaluationReport<'_>, runs: &[System<'_>]) -> String {
    let counts = || runs.iter().map(|run| run.scores.len());
    let judged = report.qrels.len();
    let covered: Vec<String> = runs
        .iter()
        .filter(|run| run.scores.missing > 0)
        .map(|run| format!("{} covers {} of {judged}", run.name, judged - run.scores.missing))
        .collect();
    let covered = match covered.len() {
        0 => String::new(),
        1..=3 => format!(" ({})", covered.join(", ")),
        many => format!(" ({many} runs do not cover all {judged})"),
    };
    let topics = match (counts().min(), counts().max()) {
        (Some(least), Some(most)) if least == most => report.unit.count(most),
        (Some(least), Some(most)) => format!("{least} to {}", report.unit.count(most)),
        _ => format!("no {}s", report.unit.name()),
    };
    format!("{topics}{covered}, {}", report.protocol.describe(&scaled(report)))
}

/// Which measures divide by a maximum grade that the judgements happen to have.
fn scaled(report: &EvaluationReport<'_>) -> String {
    if !report.qrels.max_grade_is_judged() {
        return String::new();
    }
    let scaled = report.metrics.iter().filter(|metric| metric.scales_by_max_grade());
    let names: Vec<String> = scaled.map(ToString::to_string).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => format!(" (the highest judged, by which {one} scales)"),
        _ => format!(" (the highest judged, by which {} scale)", names.join(", ")),
    }
}

/// Which means are over fewer topics than others of the same run.
fn uneven(report: &EvaluationReport<'_>, runs: &[System<'_>]) -> Vec<String> {
    if report.protocol.undefined != Undefined::Skip {
        return Vec::new();
    }
    let of_run = |run: &System<'_>| {
        let fewer = report.metrics.iter().enumerate().filter_map(|(column, metric)| {
            let topics = run.scores.column(column).flatten().count();
            (topics < run.scores.len()).then(|| format!("{metric} over {topics}"))
        });
        let fewer: Vec<String> = fewer.collect();
        let all = run.scores.len();
        (!fewer.is_empty())
            .then(|| format!("{}: of {}, {}", run.name, report.unit.count(all), fewer.join(", ")))
    };
    runs.iter().filter_map(of_run).collect()
}

fn by_measure<'r>(
    report: &EvaluationReport<'_>,
    runs: &'r [System<'r>],
) -> impl Iterator<Item = (&'r System<'r>, usize)> {
    let columns = report.metrics.len();
    runs.iter().flat_map(move |run| (0..columns).map(move |column| (run, column)))
}

/// Which means were sampled.
fn sampled(report: &EvaluationReport<'_>, runs: &[System<'_>]) -> impl Iterator<Item = String> {
    by_measure(report, runs).filter_map(|(run, column)| {
        let error = report.standard_error(run, column)?;
        let (topics, all) = (run.scores.sampled(column), run.scores.len());
        let name = format!("{} of {}", report.metrics[column], run.name);
        Some(format!(
            "{name}: orders of tied documents were sampled in {topics} of {all} topics, standard \
             error {error:.1e}"
        ))
    })
}

/// What judging cannot remove, and which ends are no more than bounds.
fn tails(report: &EvaluationReport<'_>, runs: &[System<'_>]) -> impl Iterator<Item = String> {
    let ranged = report.has_ranges();
    by_measure(report, runs).filter(move |_| ranged).filter_map(|(run, column)| {
        let range = report.summary_range(run, column)?;
        let name = format!("{} of {}", report.metrics[column], run.name);
        let mut notes = Vec::new();
        if range.tail > 0.0 {
            notes.push(format!(
                "{:.4} of the range is owed to unjudged documents, {:.4} to documents below the \
                 end of the ranking",
                range.unjudged(),
                range.tail
            ));
        }
        if !matches!(range.kind, RangeKind::Exact | RangeKind::Limit) {
            notes.push(format!("the range is {}", range.kind.meaning()));
        }
        (!notes.is_empty()).then(|| format!("{name}: {}", notes.join("; ")))
    })
}
