//! What a gate says, for people and for the programs that build and test.

mod annotations;
mod junit;

pub use annotations::annotations;
pub use junit::junit;

use serde::Serialize;

use super::Format;
use super::comparison::percent;
use super::table::{Cell, Column, Style, Table};
use crate::compare::gate::{Check, Gate, Limit, TopicChanges, Verdict};

/// Each run in a table, for a terminal.
pub fn text(gates: &[Gate], style: &Style) -> String {
    tables(gates).iter().map(|t| t.render(Format::Table, style)).collect::<Vec<_>>().join("\n")
}

/// The same in Markdown, under a heading with the verdict: for a pull request.
pub fn markdown(gates: &[Gate], style: &Style) -> String {
    let verdict = Verdict::of_all(gates.iter().map(|gate| gate.verdict));
    let mark = match verdict {
        Verdict::Pass => "✅",
        Verdict::Undecided => "⚠️",
        Verdict::Fail => "❌",
    };
    let tables: Vec<String> =
        tables(gates).iter().map(|t| t.render(Format::Markdown, style)).collect();
    format!("### {mark} Retrieval quality: {}\n\n{}", verdict.word(), tables.join("\n"))
}

/// One document. Its schema is a promise: fields are added, never changed.
pub fn document(gates: &[Gate]) -> impl Serialize {
    let verdict = Verdict::of_all(gates.iter().map(|gate| gate.verdict));
    serde_json::json!({ "verdict": verdict, "runs": gates })
}

fn tables(gates: &[Gate]) -> Vec<Table> {
    gates.iter().map(table).collect()
}

fn table(gate: &Gate) -> Table {
    let confidence = percent(1.0 - gate.settings.alpha);
    let mut table = Table::new(vec![
        Column::text("verdict"),
        Column::text("measure"),
        Column::text("limit"),
        Column::number("before"),
        Column::number("now"),
        Column::number("diff"),
        Column::number("from"),
        Column::number("to"),
    ]);
    table.caption =
        Some(format!("{} against {}: {}", gate.run, gate.baseline, gate.verdict.word()));
    for check in &gate.checks {
        let bounds = check.bounds.as_ref();
        table.push(vec![
            Cell::text(check.verdict.word()).strong(check.verdict != Verdict::Pass),
            Cell::text(&check.measure),
            Cell::text(check.limit.to_string()),
            Cell::number(check.baseline_mean),
            Cell::number(check.mean),
            Cell::number(check.difference.filter(|_| check.baseline_mean.is_some())),
            Cell::number(bounds.map(|b| b.lower)),
            Cell::number(bounds.map(|b| b.upper)),
        ]);
    }
    for check in &gate.checks {
        table.footnotes.push(check.sentence(gate.settings.alpha));
        table.footnotes.extend(dropped(check));
    }
    table.footnotes.extend(changed(&gate.changes));
    let one_sided = gate.checks.iter().filter(|check| !check.one_sided.is_empty());
    table.footnotes.extend(one_sided.map(|check| {
        format!(
            "{}: left out, with a score on one side alone: {}",
            check.measure,
            named(&check.one_sided)
        )
    }));
    if let Some(most) = gate.checks.iter().map(|check| check.left_out).max().filter(|n| *n > 0) {
        let s = if most == 1 { "" } else { "s" };
        table
            .footnotes
            .push(format!("Left out: {most} topic{s} without relevant documents or scores"));
    }
    let method = gate.checks.iter().find_map(|check| check.bounds.as_ref());
    let of = match gate.checks.iter().any(|check| matches!(check.limit, Limit::Min(_))) {
        true => "the difference, or of the mean if that is limited",
        false => "the difference",
    };
    if let Some(bounds) = method {
        table.footnotes.push(format!(
            "from, to: the one-sided {confidence}% bounds of {of}: {}",
            bounds.method
        ));
    }
    table.footnotes.push(gate.family());
    table
}

/// The topics that lost most, if the check did not pass.
fn dropped(check: &Check) -> Option<String> {
    if check.verdict == Verdict::Pass || check.dropped.is_empty() {
        return None;
    }
    let told =
        check.dropped.iter().map(|d| format!("{} ({:.4} to {:.4})", d.topic, d.baseline, d.score));
    Some(format!("{}: lost most on topics {}", check.measure, told.collect::<Vec<_>>().join(", ")))
}

/// What the two sides do not share.
fn changed(changes: &TopicChanges) -> Vec<String> {
    let mut lines = Vec::new();
    for (topics, what) in [
        (&changes.appeared, "only in the run"),
        (&changes.vanished, "only in the baseline"),
        (&changes.judged_anew, "with other judgements than the baseline's"),
    ] {
        if !topics.is_empty() {
            let share = percent(topics.len() as f64 / changes.topics as f64);
            let count = topics.len();
            let s = if count == 1 { "" } else { "s" };
            lines.push(format!("Left out: {count} topic{s} {what} ({share}%): {}", named(topics)));
        }
    }
    if !changes.judgements_known {
        lines.push(
            "The baseline does not say what its judgements were: changes of them are not seen"
                .to_string(),
        );
    }
    lines
}

/// Some topics by name, and the number of the others.
fn named(topics: &[String]) -> String {
    const NAMED: usize = 5;
    let shown = topics.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    match topics.len().saturating_sub(NAMED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
