//! What changes if ranks are compared instead of scores.

use super::{p_cell, percent};
use crate::choice::Choice;
use crate::compare::{Changes, Comparison};
use crate::report::table::{Cell, Column, Table};

/// The pairs that come out otherwise, and a sentence on each measure.
pub fn changes(comparison: &Comparison, changes: &Changes) -> Table {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::text("pair"),
        Column::number("diff"),
        Column::number("p"),
        Column::number("of ranks").places(2),
        Column::number("p"),
        Column::text("change"),
    ]);
    table.caption =
        Some(format!("What changes if scores become ranks: {}", changes.values.meaning()));
    for measure in &changes.measures {
        for change in &measure.changed {
            table.push(vec![
                Cell::text(&measure.measure),
                Cell::text(format!("{} - {}", change.a, change.b)),
                Cell::number(change.before.0),
                p_cell(change.before.1),
                Cell::number(change.after.0),
                p_cell(change.after.1),
                Cell::text(change.change.words()),
            ]);
        }
        let tau = measure.tau_b.map_or(String::new(), |tau| {
            format!("; Kendall's tau-b of the two orders of systems {}", percent(tau) / 100.0)
        });
        let equal = measure.pairs - measure.changed.len();
        table.footnotes.push(format!(
            "{}: {equal} of {} pairs come out the same{tau}",
            measure.measure, measure.pairs
        ));
    }
    let family_wise = comparison.settings.test.is_family_wise();
    table.footnotes.push(format!(
        "p: {}; the same test on ranks. To Ferrante, Ferro and Fuhr (2021) only equally spaced \
         values can be averaged; to Moffat (2022) scores can, and ranks are not what users gain",
        if family_wise { "family-wise" } else { "corrected within the family" }
    ));
    table
}
