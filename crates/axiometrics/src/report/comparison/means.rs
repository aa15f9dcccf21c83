//! The systems by one measure, the best first.

use super::{has_ranks, percent, topics_line};
use crate::compare::ranks::RankSet;
use crate::compare::{Comparison, MeasureComparison, SystemMean};
use crate::report::table::{Cell, Column, Table};

/// The means of one measure, the best first: each with its interval; the ranks that the system may
/// have and its letters, if there are any; with a baseline, marked if it is significantly better or
/// worse; with the mean of an evaluation if that is another one.
pub fn means(comparison: &Comparison, measure: &MeasureComparison) -> Table {
    let confidence = percent(1.0 - comparison.settings.alpha);
    let mut columns = vec![
        Column::text("system"),
        Column::number("mean"),
        Column::number(format!("{confidence}% from")),
        Column::number("to"),
    ];
    let (with_ranks, with_letters) = (has_ranks(measure), measure.grouping.is_some());
    columns.extend(with_ranks.then(|| Column::text("ranks")));
    columns.extend(with_letters.then(|| Column::text("letters")));
    columns.extend(comparison.baseline.as_ref().map(|_| Column::text("baseline")));
    columns.extend(measure.eval_differs.as_ref().map(|_| Column::number("eval")));
    let mut table = Table::new(columns);
    table.caption = Some(format!("{}: means over {}", measure.title(), topics_line(measure)));
    for system in measure.by_mean() {
        let mut cells = vec![
            Cell::text(&system.name),
            Cell::number(system.mean),
            Cell::number(system.interval.lower),
            Cell::number(system.interval.upper),
        ];
        cells.extend(with_ranks.then(|| Cell::text(ranks(system, "-"))));
        cells.extend(with_letters.then(|| Cell::text(system.letters.as_deref().unwrap_or(""))));
        if let Some(baseline) = &comparison.baseline {
            cells.push(Cell::text(mark(measure, system, baseline)));
        }
        cells.extend(measure.eval_differs.as_ref().map(|_| Cell::number(system.eval_mean)));
        table.push(cells);
    }
    if measure.lower_is_better {
        table.mark_lowest(1);
    } else {
        table.mark_highest(1);
    }
    if let Some(baseline) = &comparison.baseline {
        table
            .footnotes
            .push(format!("baseline: significantly better (+) or worse (-) than {baseline}"));
    }
    if let Some(reason) = &measure.eval_differs {
        table.footnotes.push(format!("eval: the mean of an evaluation, which differs: {reason}"));
    }
    let end = if measure.lower_is_better { "; the smaller the better" } else { "" };
    table.footnotes.push(format!("{}: {}{end}", measure.title(), measure.definition));
    table
}

/// The ranks of a system, with this between the best and the worst; empty if it has none.
pub(super) fn ranks(system: &SystemMean, to: &str) -> String {
    match system.ranks {
        None => String::new(),
        Some(RankSet { best, worst }) if best == worst => best.to_string(),
        Some(RankSet { best, worst }) => format!("{best}{to}{worst}"),
    }
}

fn mark(measure: &MeasureComparison, system: &SystemMean, baseline: &str) -> &'static str {
    let pair = measure.pair(&system.name, baseline);
    match pair.map_or(0, |pair| pair.direction_of(&system.name)) {
        0 => "",
        1 => "+",
        _ => "-",
    }
}
