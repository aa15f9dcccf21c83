//! The verdicts on one metric as one table per group, each with what its checks state.

use super::super::table::{Row, Table};
use crate::check::{CheckGroup, Verdicts};

/// Where the verdict stands in a row, by the words for it, and how deep its colour is.
const SHADES: [(&str, f64); 3] = [("holds", 0.35), ("violated", -0.6), ("weak", -0.25)];

/// A table of findings, parted by the group of its checks. Below each stands what its checks state;
/// the notes of the whole table come last.
pub fn by_group<R: Verdicts>(report: &R, table: Table) -> Vec<Table> {
    let findings = report.findings();
    if findings.len() != table.rows.len() {
        return vec![table];
    }
    let Table { caption, columns, rows, footnotes, .. } = table;
    let metric = caption.unwrap_or_default();
    let mut rows = rows.into_iter().map(shaded);
    let mut tables: Vec<Table> = Vec::new();
    for same in findings.chunk_by(|a, b| a.group == b.group) {
        let mut part = Table::new(columns.clone());
        part.caption = Some(format!("{metric}: {}", title(same[0].group)));
        part.rows = rows.by_ref().take(same.len()).collect();
        let mut stated: Vec<&str> = Vec::new();
        for finding in same {
            let statement = report.statement(finding);
            if let Some(statement) = statement.filter(|_| !stated.contains(&finding.name)) {
                stated.push(finding.name);
                part.footnotes.push(format!("{}: {statement}", finding.name));
            }
        }
        tables.push(part);
    }
    if let Some(last) = tables.last_mut() {
        last.footnotes.extend(footnotes);
    }
    tables
}

fn title(group: CheckGroup) -> &'static str {
    match group {
        CheckGroup::Property => "properties",
        CheckGroup::Constraint => "constraints",
        CheckGroup::Axiom => "axioms",
    }
}

fn shaded(mut row: Row) -> Row {
    for cell in &mut row.cells {
        let word = match &cell.content {
            super::super::table::CellContent::Text(text) => text.as_str(),
            _ => continue,
        };
        if let Some((_, depth)) = SHADES.iter().find(|(known, _)| *known == word) {
            cell.shade = Some(*depth);
            break;
        }
    }
    row
}
