//! What changes if ranks are compared instead of scores.

use super::p_cell;
use crate::choice::Choice;
use crate::compare::{Changed, Changes, Comparison, MeasureChanges};
use crate::report::table::{Cell, Column, Table};

/// How many pairs come out otherwise, measure by measure; and which, if there are any.
pub fn changes(comparison: &Comparison, changes: &Changes) -> Vec<Table> {
    let mut tables = vec![counts(changes)];
    tables.extend(pairs(comparison, changes));
    if let Some(last) = tables.last_mut() {
        last.footnotes.push(
            "To Ferrante, Ferro and Fuhr (2021) only equally spaced values can be averaged and \
             tested by means, and ranks are; to Moffat (2022) scores can, and ranks are not what \
             users gain"
                .to_string(),
        );
    }
    tables
}

fn counts(changes: &Changes) -> Table {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::number("pairs").exact(),
        Column::number("same").exact(),
        Column::number("reversed").exact(),
        Column::number("lost").exact(),
        Column::number("gained").exact(),
        Column::number("order only").exact(),
        Column::number("tau-b"),
    ]);
    table.caption =
        Some(format!("What changes if scores become ranks: {}", changes.values.meaning()));
    let count = |measure: &MeasureChanges, change: Changed| {
        Cell::number(measure.changed.iter().filter(|c| c.change == change).count() as f64)
    };
    for measure in &changes.measures {
        table.push(vec![
            Cell::text(measure.title()),
            Cell::number(measure.pairs as f64),
            Cell::number((measure.pairs - measure.changed.len()) as f64),
            count(measure, Changed::Reversed),
            count(measure, Changed::Lost),
            count(measure, Changed::Gained),
            count(measure, Changed::OrderOnly),
            Cell::number(measure.tau_b),
        ]);
    }
    table.footnotes.push(
        "reversed: the other system is significantly better on ranks; lost, gained: significant \
         differences; order only: the other has the higher mean, and neither is significant; \
         tau-b: Kendall's, between the orders of the systems by means of scores and of ranks"
            .to_string(),
    );
    table
}

fn pairs(comparison: &Comparison, changes: &Changes) -> Option<Table> {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::text("pair"),
        Column::number("diff"),
        Column::number("p"),
        Column::number("of ranks").places(2),
        Column::number("p"),
        Column::text("change"),
    ]);
    table.caption = Some("Pairs that come out otherwise on ranks".to_string());
    for measure in &changes.measures {
        for change in &measure.changed {
            table.push(vec![
                Cell::text(measure.title()),
                Cell::text(format!("{} - {}", change.a, change.b)),
                Cell::number(change.before.0),
                p_cell(change.before.1),
                Cell::number(change.after.0),
                p_cell(change.after.1),
                Cell::text(change.change.words()),
            ]);
        }
    }
    let kind = match comparison.settings.test.is_family_wise() {
        true => "family-wise",
        false => "corrected within the family",
    };
    table.footnotes.push(format!("p: {kind}, of scores and of ranks"));
    (!table.rows.is_empty()).then_some(table)
}
