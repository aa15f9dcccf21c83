//! Scores for people: a row per run, or with topics a block per run.

use axiometrics::report::{Cell, Column, Dialect, Style, Table};

use super::Results;
use crate::runs::Scored;

pub(super) fn render(results: &Results<'_>, dialect: Dialect, style: &Style) -> Vec<u8> {
    let tables = if results.per_topic { results.runs.iter().map(|run| by_topic(results, run)).collect() } else { vec![by_run(results)] };
    let texts: Vec<String> = tables.iter().map(|table| table.render(dialect, style)).collect();
    texts.join("\n").into_bytes()
}

fn columns(results: &Results<'_>, first: &str) -> Vec<Column> {
    std::iter::once(Column::text(first)).chain(results.metrics.iter().map(|m| Column::number(m.to_string()))).collect()
}

fn summaries(results: &Results<'_>, run: &Scored, title: &str) -> Vec<Cell> {
    let numbers = (0..results.metrics.len()).map(|column| Cell::number(results.summary(run, column)));
    std::iter::once(Cell::text(title)).chain(numbers).collect()
}

fn by_run(results: &Results<'_>) -> Table {
    let mut table = Table::new(columns(results, "run"));
    for run in results.runs {
        table.push(summaries(results, run, &run.name));
    }
    for column in 1..table.columns.len() {
        table.mark_highest(column);
    }
    table.footnotes.push(footnote(results, results.runs));
    table
}

fn by_topic(results: &Results<'_>, run: &Scored) -> Table {
    let mut table = Table::new(columns(results, "topic"));
    table.caption = Some(run.name.clone());
    for (row, topic) in run.scores.topics.iter().enumerate() {
        let numbers = (0..results.metrics.len()).map(|column| Cell::number(run.scores.get(row, column)));
        table.push(std::iter::once(Cell::text(results.qrels.topic_name(*topic))).chain(numbers).collect());
    }
    table.push_summary(summaries(results, run, "all"));
    table.footnotes.push(footnote(results, std::slice::from_ref(run)));
    table
}

fn footnote(results: &Results<'_>, runs: &[Scored]) -> String {
    let counts = || runs.iter().map(|run| run.scores.topics.len());
    let topics = match (counts().min(), counts().max()) {
        (Some(1), Some(1)) => "1 topic".to_string(),
        (Some(least), Some(most)) if least == most => format!("{most} topics"),
        (Some(least), Some(most)) => format!("{least} to {most} topics"),
        _ => "no topics".to_string(),
    };
    format!("{topics}, {}", results.settings)
}
