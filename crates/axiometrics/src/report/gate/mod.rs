//! What a gate says, for people and for the programs that build and test.

mod annotations;
mod junit;

pub use annotations::annotations;
pub use junit::junit;

use serde::Serialize;

use super::OutputFormat;
use super::comparison::percent;
use super::model::Report;
use super::table::{Cell, Column, Style, Table};
use crate::choice::Choice;
use crate::compare::gate::{Gate, Limit, LimitCheck, LimitVerdict, TopicChanges};

/// What gates say of some runs, each run in a table.
#[derive(Debug)]
pub struct GateReport<'g>(pub &'g [Gate]);

impl Report for GateReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        self.0.iter().map(table).collect()
    }

    fn rows(&self) -> Table {
        let mut columns = ["run", "baseline"].map(Column::text).to_vec();
        columns.extend(columns_of_checks());
        let mut rows = Table::new(columns);
        for gate in self.0 {
            for check in &gate.checks {
                let baseline = gate.baseline.as_deref().unwrap_or_default();
                let mut cells = [gate.run.as_str(), baseline].map(Cell::text).to_vec();
                cells.extend(cells_of(check));
                rows.push(cells);
            }
        }
        rows
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        let verdict = LimitVerdict::of_all(self.0.iter().map(|gate| gate.verdict));
        serde_json::json!({ "verdict": verdict, "runs": self.0 })
    }

    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        (format == OutputFormat::Markdown).then(|| markdown(self.0, style))
    }
}

/// In Markdown, under a heading with the verdict: for a pull request.
fn markdown(gates: &[Gate], style: &Style) -> String {
    let verdict = LimitVerdict::of_all(gates.iter().map(|gate| gate.verdict));
    let mark = match verdict {
        LimitVerdict::Pass => "✅",
        LimitVerdict::Undecided => "⚠️",
        LimitVerdict::Fail => "❌",
    };
    let tables: Vec<String> =
        gates.iter().map(|gate| table(gate).render(OutputFormat::Markdown, style)).collect();
    format!("### {mark} Retrieval quality: {}\n\n{}", verdict.name(), tables.join("\n"))
}

fn columns_of_checks() -> Vec<Column> {
    let texts = ["verdict", "measure", "limit"].map(Column::text);
    let numbers = ["before", "now", "diff", "from", "to"].map(Column::number);
    texts.into_iter().chain(numbers).collect()
}

fn cells_of(check: &LimitCheck) -> Vec<Cell> {
    let bounds = check.bounds.as_ref();
    vec![
        Cell::text(check.verdict.name()).strong(check.verdict != LimitVerdict::Pass),
        Cell::text(check.title()),
        Cell::text(check.limit.to_string()),
        Cell::number(check.baseline_mean),
        Cell::number(check.mean),
        Cell::number(check.difference.filter(|_| check.baseline_mean.is_some())),
        Cell::number(bounds.map(|b| b.lower)),
        Cell::number(bounds.map(|b| b.upper)),
    ]
}

fn table(gate: &Gate) -> Table {
    let confidence = percent(1.0 - gate.settings.alpha);
    let mut table = Table::new(columns_of_checks());
    table.caption = Some(format!("{}: {}", gate.title(), gate.verdict.name()));
    gate.checks.iter().for_each(|check| table.push(cells_of(check)));
    for check in &gate.checks {
        table.footnotes.push(check.sentence(gate.settings.alpha));
        table.footnotes.extend(dropped(check));
    }
    table.footnotes.extend(changed(&gate.changes));
    let one_sided = gate.checks.iter().filter(|check| !check.one_sided.is_empty());
    table.footnotes.extend(one_sided.map(|check| {
        format!(
            "{}: left out, with a score on one side alone: {}",
            check.title(),
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
fn dropped(check: &LimitCheck) -> Option<String> {
    if check.verdict == LimitVerdict::Pass || check.dropped.is_empty() {
        return None;
    }
    let told =
        check.dropped.iter().map(|d| format!("{} ({:.4} to {:.4})", d.topic, d.baseline, d.score));
    Some(format!("{}: lost most on topics {}", check.title(), told.collect::<Vec<_>>().join(", ")))
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
