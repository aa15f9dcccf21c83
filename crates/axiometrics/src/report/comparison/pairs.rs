//! The differences of pairs of systems by one measure.

use super::{ShownPair, p_cell, p_titles, percent, shown, shown_against, test_line, topics_line};
use crate::compare::{Comparison, MeasureComparison, Pair};
use crate::report::table::{Cell, Column, Table};

/// The pairs of one measure.
pub fn pairs(comparison: &Comparison, measure: &MeasureComparison) -> Table {
    let confidence = percent(1.0 - comparison.settings.alpha);
    let (raw, last) = p_titles(comparison);
    let mut columns = vec![
        Column::text("system"),
        Column::number("diff"),
        Column::number("from"),
        Column::number("to"),
        Column::number("g").places(2),
    ];
    columns.extend(raw.map(Column::number));
    columns.extend([Column::number(last.clone()), Column::text(""), Column::text("W/T/L")]);
    let width = columns.len();
    let mut table = Table::new(columns);
    let row = |table: &mut Table, name: String, shown: &ShownPair<'_>| {
        let pair = shown.pair;
        let (from, to) = shown.ends(pair.interval.lower, pair.interval.upper);
        let (wins, losses) =
            if shown.turned { (pair.losses, pair.wins) } else { (pair.wins, pair.losses) };
        let mut cells = vec![
            Cell::text(name),
            Cell::number(shown.sign(pair.difference)),
            Cell::number(from),
            Cell::number(to),
            Cell::number(pair.effect_size.map(|e| shown.sign(e.hedges_g))),
        ];
        cells.extend(raw.map(|_| p_cell(pair.p)));
        cells.extend([
            p_cell(pair.p_corrected).strong(pair.significant),
            Cell::text(if pair.significant { "*" } else { "" }),
            Cell::text(format!("{wins}/{}/{losses}", pair.ties)),
        ]);
        table.push(cells);
    };
    let against = match &comparison.baseline {
        Some(baseline) => {
            for shown in shown_against(measure, baseline) {
                row(&mut table, shown.other.to_string(), &shown);
            }
            format!("differences from {baseline}")
        }
        None => {
            for (system, others) in shown(measure) {
                let mut heading = vec![Cell::text(format!("{system} minus"))];
                heading.resize(width, Cell::text(""));
                table.push(heading);
                for shown in others {
                    row(&mut table, format!("  {}", shown.other), &shown);
                }
            }
            "differences of pairs".to_string()
        }
    };
    table.caption = Some(format!("{}: {against} over {}", measure.title(), topics_line(measure)));
    table.footnotes.push(test_line(comparison, measure));
    let alpha = comparison.settings.alpha;
    table.footnotes.push(format!(
        "*: {last} at most {alpha}. from, to: the {confidence}% interval. g: Hedges' effect size \
         of the paired differences. W/T/L: topics won, tied, lost"
    ));
    if let Some(pair) = measure.pairs.first() {
        let of = if comparison.settings.test.is_family_wise() {
            "Intervals of all pairs together"
        } else {
            "Intervals of single differences"
        };
        table.footnotes.push(format!("Test: {}. {of}: {}", pair.method, pair.interval.method));
    }
    if measure.left_out.total() > 0 {
        table.footnotes.push(format!("Topics left out: {}", measure.left_out));
    }
    table.footnotes.extend(notes(measure));
    table
}

/// What readers of p-values have to know, each once with the pairs it is about.
fn notes(measure: &MeasureComparison) -> Vec<String> {
    /// Beyond this only the number of pairs is told.
    const NAMED: usize = 3;
    let mut notes: Vec<(&str, Vec<&Pair>)> = Vec::new();
    for pair in &measure.pairs {
        let Some(note) = &pair.note else { continue };
        match notes.iter_mut().find(|(known, _)| known == note) {
            Some((_, pairs)) => pairs.push(pair),
            None => notes.push((note, vec![pair])),
        }
    }
    let told = |(note, pairs): (&str, Vec<&Pair>)| {
        let names = pairs.iter().take(NAMED).map(|p| format!("{} against {}", p.a, p.b));
        let named = names.collect::<Vec<_>>().join(", ");
        match pairs.len().saturating_sub(NAMED) {
            0 => format!("{note}: {named}"),
            more => format!("{note}: {named} and {more} more"),
        }
    };
    notes.into_iter().map(told).collect()
}
