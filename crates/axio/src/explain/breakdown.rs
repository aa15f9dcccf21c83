//! A score, document by document.

use std::path::PathBuf;

use axiometrics::Result;
use axiometrics::align::Policy;
use axiometrics::component::Component;
use axiometrics::io::{self, Source};
use axiometrics::measure::{Metric, Score};
use axiometrics::report::{Cell, Column, Dialect, Table};
use axiometrics::score::Anatomy;
use axiometrics::score::breakdown::{Breakdown, Line};
use axiometrics::score::ranges::Vary;
use axiometrics::warning::Warnings;
use serde_json::{Value, json};

use super::{Args, PageFormat, anatomy};
use crate::args::Policies;
use crate::eval::settings::Settings;
use crate::{output, runs};

pub(super) fn show(
    args: &Args,
    metric: &Metric,
    qrels: &PathBuf,
    run: &PathBuf,
    topic: &str,
) -> Result<()> {
    runs::refuse_repeated_stdin([qrels, run])?;
    let mut warnings = Warnings::default();
    let policies = Policies { ranges: Some(Vary::Retrieved), ..args.policies.clone() };
    let qrels = runs::read_qrels(qrels, std::slice::from_ref(metric), &policies, &mut warnings)?;
    let source = Source::open(run)?;
    let mut entries =
        io::read_run(&source, io::detect_run(&source)?, policies.lenient, &mut warnings)?;
    entries.group();
    let policy = Policy {
        ties: policies.ties,
        scores: policies.scores,
        depth: policies.depth,
        ..Policy::default()
    };
    let settings = Settings::new(&qrels, &policies);
    let (table, document) = if Component::of(metric).is_some() {
        let parts = Anatomy::new(metric, &qrels, &entries, topic, policy)?;
        (
            anatomy::table(metric, topic, &parts, &settings),
            anatomy::document(metric, topic, &parts, &settings),
        )
    } else {
        let parts = Breakdown::new(metric, &qrels, &entries, topic, policy)?;
        (table(metric, topic, &parts, &settings), document(metric, topic, &parts, &settings))
    };
    let text = match args.format {
        PageFormat::Text => table.render(Dialect::Text, &output::terminal_style()),
        PageFormat::Markdown => table.render(Dialect::Markdown, &output::terminal_style()),
        PageFormat::Json => format!("{document:#}\n"),
    };
    output::warnings(&warnings);
    output::stdout(text.as_bytes())
}

fn table(metric: &Metric, topic: &str, parts: &Breakdown, settings: &Settings) -> Table {
    let mut columns = vec![
        Column::number("rank").exact(),
        Column::text("document"),
        Column::number("run score").exact(),
        Column::number("grade").exact(),
    ];
    // A measure that is no sum of gains has no weights, and one that sees no grades alone no gains.
    let [gains, weights] = [|line: &Line| line.gain.is_some(), |line: &Line| line.weight.is_some()]
        .map(|has| parts.lines.iter().any(has));
    let titles = [
        (gains, "gain"),
        (weights, "weight"),
        (true, "contribution"),
        (true, "total"),
        (true, "if relevant"),
    ];
    columns
        .extend(titles.iter().filter(|(shown, _)| *shown).map(|(_, title)| Column::number(*title)));
    let user = parts.user.is_some();
    if user {
        columns.extend(["C", "W", "L"].map(Column::number));
    }
    let mut table = Table::new(columns);
    table.caption = Some(format!("{metric} of topic {topic}"));
    for line in &parts.lines {
        let mut cells = vec![
            Cell::number(f64::from(line.rank)),
            Cell::text(&line.document),
            Cell::number(line.score),
            Cell::number(line.grade),
        ];
        let numbers = [line.gain, line.weight, line.contribution, line.total, line.if_relevant];
        cells.extend(
            titles
                .iter()
                .zip(numbers)
                .filter(|((shown, _), _)| *shown)
                .map(|(_, x)| Cell::number(x)),
        );
        if user {
            let reading = line.user;
            cells.extend(
                [
                    reading.map(|r| r.continuation),
                    reading.map(|r| r.weight),
                    reading.map(|r| r.last),
                ]
                .map(Cell::number),
            );
        }
        table.push(cells);
    }
    table.footnotes.push(score_text(&parts.score));
    if let Some(normaliser) = parts.normaliser {
        table.footnotes.push(format!("contribution = gain * weight / {normaliser:.4}"));
    }
    table.footnotes.push(match parts.range {
        Ok(range) => {
            let tail = if range.tail > 0.0 {
                format!(", {:.4} of it from below the end of the ranking", range.tail)
            } else {
                String::new()
            };
            format!("range {:.4} to {:.4} ({}){tail}", range.low, range.high, range.kind.name())
        }
        Err(absent) => format!("no range: {}", absent.reason()),
    });
    if let Some(user) = &parts.user {
        table.footnotes.push(format!("C(i) = {}", user.continuation));
        table.footnotes.push(format!(
            "the user reads {:.4} documents, at a cost of {} each and {:.4} in all, for a gain of {:.4} each and {:.4} in all",
            user.documents, user.cost, user.total_cost, user.utility, user.total_utility
        ));
    }
    table.footnotes.push(settings.to_string());
    table
}

pub(super) fn score_text(score: &Score) -> String {
    match score {
        Score::Value(x) => format!("score {x}"),
        Score::Undefined(why) => format!("undefined: {why}"),
    }
}

fn document(metric: &Metric, topic: &str, parts: &Breakdown, settings: &Settings) -> Value {
    let undefined = match parts.score {
        Score::Value(_) => None,
        Score::Undefined(why) => Some(why),
    };
    json!({
        "measure": metric.to_string(),
        "topic": topic,
        "score": parts.score.value(),
        "undefined": undefined,
        "normaliser": parts.normaliser,
        "range": parts.range.ok().map(|r| json!({ "low": r.low, "high": r.high, "tail": r.tail, "kind": r.kind.name() })),
        "no_range": parts.range.err().map(|absent| absent.reason()),
        "user": parts.user,
        "documents": parts.lines,
        "settings": settings,
    })
}
