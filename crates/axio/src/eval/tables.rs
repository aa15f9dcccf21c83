//! Scores for people: a row per run, or with topics a block per run.

use axiometrics::report::{Cell, Column, Dialect, Style, Table};

use axiometrics::measure::Metric;
use axiometrics::measure::range::Kind;
use axiometrics::score::ranges::Range;

use super::Results;
use crate::runs::Scored;

pub(super) fn render(results: &Results<'_>, dialect: Dialect, style: &Style) -> Vec<u8> {
    let tables = if results.per_topic {
        results.runs.iter().map(|run| by_topic(results, run)).collect()
    } else {
        vec![by_run(results)]
    };
    let texts: Vec<String> = tables.iter().map(|table| table.render(dialect, style)).collect();
    texts.join("\n").into_bytes()
}

fn columns(results: &Results<'_>, first: &str) -> Vec<Column> {
    let ends: &[&str] = if results.has_ranges() { &["low", "high"] } else { &[] };
    let of_metric = |m: &Metric| {
        std::iter::once(m.to_string())
            .chain(ends.iter().map(ToString::to_string))
            .map(Column::number)
            .collect::<Vec<_>>()
    };
    std::iter::once(Column::text(first)).chain(results.metrics.iter().flat_map(of_metric)).collect()
}

/// A score, and its range where there are ranges.
fn cells(
    results: &Results<'_>,
    score: Option<f64>,
    range: impl FnOnce() -> Option<Range>,
) -> Vec<Cell> {
    let mut cells = vec![Cell::number(score)];
    if results.has_ranges() {
        let range = range();
        cells.extend([range.map(|r| r.low), range.map(|r| r.high)].map(Cell::number));
    }
    cells
}

fn summaries(results: &Results<'_>, run: &Scored, title: &str) -> Vec<Cell> {
    let numbers = (0..results.metrics.len()).flat_map(|column| {
        cells(results, results.summary(run, column), || results.summary_range(run, column))
    });
    std::iter::once(Cell::text(title)).chain(numbers).collect()
}

fn by_run(results: &Results<'_>) -> Table {
    let mut table = Table::new(columns(results, "run"));
    for run in results.runs {
        table.push(summaries(results, run, &run.name));
    }
    let step = if results.has_ranges() { 3 } else { 1 };
    for column in (1..table.columns.len()).step_by(step) {
        table.mark_highest(column);
    }
    table.footnotes.push(footnote(results, results.runs));
    table.footnotes.extend(
        tails(results, results.runs)
            .chain(results.without_range())
            .chain(sampled(results, results.runs)),
    );
    table
}

fn by_topic(results: &Results<'_>, run: &Scored) -> Table {
    let mut table = Table::new(columns(results, "topic"));
    table.caption = Some(run.name.clone());
    for row in 0..run.scores.len() {
        let numbers = (0..results.metrics.len()).flat_map(|column| {
            cells(results, run.scores.value(row, column), || run.scores.range(row, column))
        });
        table.push(std::iter::once(Cell::text(run.scores.topic(row))).chain(numbers).collect());
    }
    table.push_summary(summaries(results, run, "all"));
    table.footnotes.push(footnote(results, std::slice::from_ref(run)));
    let own = std::slice::from_ref(run);
    table
        .footnotes
        .extend(tails(results, own).chain(results.without_range()).chain(sampled(results, own)));
    table
}

fn footnote(results: &Results<'_>, runs: &[Scored]) -> String {
    let counts = || runs.iter().map(|run| run.scores.len());
    let topics = match (counts().min(), counts().max()) {
        (Some(1), Some(1)) => "1 topic".to_string(),
        (Some(least), Some(most)) if least == most => format!("{most} topics"),
        (Some(least), Some(most)) => format!("{least} to {most} topics"),
        _ => "no topics".to_string(),
    };
    format!("{topics}, {}", results.settings)
}

/// Which means were sampled.
fn sampled<'a>(results: &'a Results<'_>, runs: &'a [Scored]) -> impl Iterator<Item = String> + 'a {
    let columns = runs
        .iter()
        .flat_map(move |run| (0..results.metrics.len()).map(move |column| (run, column)));
    columns.filter_map(move |(run, column)| {
        let error = results.standard_error(run, column)?;
        let (topics, all) = (run.scores.sampled(column), run.scores.len());
        let name = format!("{} of {}", results.metrics[column], run.name);
        Some(format!("{name}: orders of tied documents were sampled in {topics} of {all} topics, standard error {error:.1e}"))
    })
}

/// What judging cannot remove, and which ends are no more than bounds.
fn tails<'a>(results: &'a Results<'_>, runs: &'a [Scored]) -> impl Iterator<Item = String> + 'a {
    let ranges = runs
        .iter()
        .flat_map(move |run| (0..results.metrics.len()).map(move |column| (run, column)));
    ranges.filter(|_| results.has_ranges()).filter_map(move |(run, column)| {
        let range = results.summary_range(run, column)?;
        let name = format!("{} of {}", results.metrics[column], run.name);
        let mut notes = Vec::new();
        if range.tail > 0.0 {
            notes.push(format!(
                "{:.4} of the range is owed to unjudged documents, {:.4} to documents below the end of the ranking",
                range.unjudged(),
                range.tail
            ));
        }
        if range.kind != Kind::Exact {
            notes.push(format!("the range is {}", range.kind.name()));
        }
        (!notes.is_empty()).then(|| format!("{name}: {}", notes.join("; ")))
    })
}
