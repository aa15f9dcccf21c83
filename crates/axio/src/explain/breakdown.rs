//! A score, document by document.

use std::path::PathBuf;

use axiometrics::Result;
use axiometrics::align::Policy;
use axiometrics::component::Anatomy;
use axiometrics::io::{self, Source};
use axiometrics::measure::{Metric, Score};
use axiometrics::report::{Cell, Column, Dialect, Table};
use axiometrics::score::breakdown::Breakdown;
use axiometrics::score::ranges::Vary;
use axiometrics::warning::Warnings;
use serde_json::{Value, json};

use super::{Args, PageFormat, anatomy};
use crate::args::Policies;
use crate::{output, runs};

pub(super) fn show(args: &Args, metric: &Metric, qrels: &PathBuf, run: &PathBuf, topic: &str) -> Result<()> {
    runs::refuse_repeated_stdin([qrels, run])?;
    let mut warnings = Warnings::default();
    let policies = Policies { ranges: Some(Vary::Retrieved), ..args.policies.clone() };
    let qrels = runs::read_qrels(qrels, std::slice::from_ref(metric), &policies, &mut warnings)?;
    let source = Source::open(run)?;
    let mut entries = io::read_run(&source, io::detect_run(&source)?, policies.lenient, &mut warnings)?;
    entries.group();
    let policy = Policy { ties: policies.ties, scores: policies.scores, depth: policies.depth, ..Policy::default() };
    let (table, document) = if metric.component().is_some() {
        let parts = Anatomy::new(metric, &qrels, &entries, topic, policy)?;
        (anatomy::table(metric, topic, &parts), anatomy::document(metric, topic, &parts))
    } else {
        let parts = Breakdown::new(metric, &qrels, &entries, topic, policy)?;
        (table(metric, topic, &parts), document(metric, topic, &parts))
    };
    let text = match args.format {
        PageFormat::Text => table.render(Dialect::Text, &output::terminal_style()),
        PageFormat::Markdown => table.render(Dialect::Markdown, &output::terminal_style()),
        PageFormat::Json => format!("{document:#}\n"),
    };
    output::warnings(&warnings);
    output::stdout(text.as_bytes())
}

fn table(metric: &Metric, topic: &str, parts: &Breakdown) -> Table {
    let mut columns = vec![
        Column::number("rank").exact(),
        Column::text("document"),
        Column::number("run score").exact(),
        Column::number("grade").exact(),
    ];
    columns.extend(["gain", "weight", "contribution", "total", "if relevant"].map(Column::number));
    let user = parts.user.is_some();
    if user {
        columns.extend(["C", "W", "L"].map(Column::number));
    }
    let mut table = Table::new(columns);
    table.caption = Some(format!("{metric} of topic {topic}"));
    for line in &parts.lines {
        let mut cells =
            vec![Cell::number(f64::from(line.rank)), Cell::text(&line.document), Cell::number(line.score), Cell::number(line.grade)];
        cells.extend([line.gain, line.weight, line.contribution, line.total, line.if_relevant].map(Cell::number));
        if user {
            let reading = line.user;
            cells.extend([reading.map(|r| r.continuation), reading.map(|r| r.weight), reading.map(|r| r.last)].map(Cell::number));
        }
        table.push(cells);
    }
    table.footnotes.push(score_text(&parts.score));
    if let Some(normaliser) = parts.normaliser {
        table.footnotes.push(format!("contribution = gain * weight / {normaliser:.4}"));
    }
    if let Some(range) = parts.range {
        let tail = if range.tail > 0.0 { format!(", {:.4} of it from below the end of the ranking", range.tail) } else { String::new() };
        table.footnotes.push(format!("range {:.4} to {:.4} ({}){tail}", range.low, range.high, range.kind.name()));
    }
    if let Some(user) = parts.user {
        let figures = (user.documents, user.utility, user.total_utility);
        table
            .footnotes
            .push(format!("the user reads {:.4} documents, for a gain of {:.4} each and {:.4} in all", figures.0, figures.1, figures.2));
    }
    table
}

pub(super) fn score_text(score: &Score) -> String {
    match score {
        Score::Value(x) => format!("score {x}"),
        Score::Undefined(why) => format!("undefined: {why}"),
    }
}

fn document(metric: &Metric, topic: &str, parts: &Breakdown) -> Value {
    json!({
        "measure": metric.to_string(),
        "topic": topic,
        "score": parts.score.value(),
        "normaliser": parts.normaliser,
        "range": parts.range.map(|r| json!({ "low": r.low, "high": r.high, "tail": r.tail, "kind": r.kind.name() })),
        "user": parts.user,
        "documents": parts.lines,
    })
}
