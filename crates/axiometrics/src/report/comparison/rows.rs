//! Comparisons for programs: one row per system, pair or change.

use crate::choice::Choice;
use crate::compare::{Changes, Comparison};
use crate::report::table::{Cell, Column, Table};

/// The means with their intervals, ranks and letters, a row per system and measure.
pub fn mean_rows(comparison: &Comparison) -> Table {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::text("system"),
        Column::number("mean"),
        Column::number("lower"),
        Column::number("upper"),
        Column::number("confidence"),
        Column::number("topics").exact(),
        Column::number("best_rank").exact(),
        Column::number("worst_rank").exact(),
        Column::text("letters"),
        Column::number("eval_mean"),
    ]);
    for measure in &comparison.measures {
        for system in &measure.systems {
            table.push(vec![
                Cell::text(measure.title()),
                Cell::text(&system.name),
                Cell::number(system.mean),
                Cell::number(system.interval.lower),
                Cell::number(system.interval.upper),
                Cell::number(system.interval.confidence),
                Cell::number(measure.topics as f64),
                Cell::number(system.ranks.map(|ranks| ranks.best as f64)),
                Cell::number(system.ranks.map(|ranks| ranks.worst as f64)),
                Cell::text(system.letters.as_deref().unwrap_or("")),
                Cell::number(system.eval_mean),
            ]);
        }
    }
    table
}

/// The pairs of all measures, a row each. `p` is the raw p-value.
pub fn pair_rows(comparison: &Comparison) -> Table {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::text("a"),
        Column::text("b"),
        Column::number("difference"),
        Column::number("lower"),
        Column::number("upper"),
        Column::number("cohen_d"),
        Column::number("hedges_g"),
        Column::number("statistic"),
        Column::number("p"),
        Column::number("p_corrected"),
        Column::text("significant"),
        Column::number("wins").exact(),
        Column::number("ties").exact(),
        Column::number("losses").exact(),
        Column::number("joint_low"),
        Column::number("joint_high"),
        Column::text("joint_kind"),
        Column::number("unjudged").exact(),
        Column::text("note"),
    ]);
    for measure in &comparison.measures {
        for pair in &measure.pairs {
            table.push(vec![
                Cell::text(measure.title()),
                Cell::text(&pair.a),
                Cell::text(&pair.b),
                Cell::number(pair.difference),
                Cell::number(pair.interval.lower),
                Cell::number(pair.interval.upper),
                Cell::number(pair.effect_size.map(|e| e.cohen_d)),
                Cell::number(pair.effect_size.map(|e| e.hedges_g)),
                Cell::number(pair.statistic),
                Cell::number(pair.p),
                Cell::number(pair.p_corrected),
                Cell::text(if pair.significant { "yes" } else { "no" }),
                Cell::number(pair.wins as f64),
                Cell::number(pair.ties as f64),
                Cell::number(pair.losses as f64),
                Cell::number(pair.joint.as_ref().map(|j| j.range.low)),
                Cell::number(pair.joint.as_ref().map(|j| j.range.high)),
                Cell::text(pair.joint.as_ref().map_or("", |j| j.range.kind.name())),
                Cell::number(pair.joint.as_ref().map(|j| j.range.unjudged as f64)),
                Cell::text(pair.note.as_deref().unwrap_or("")),
            ]);
        }
    }
    table
}

/// The pairs that come out otherwise on ranks, a row each.
pub fn change_rows(changes: &Changes) -> Table {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::text("a"),
        Column::text("b"),
        Column::text("change"),
        Column::number("difference"),
        Column::number("p_corrected"),
        Column::number("rank_difference"),
        Column::number("rank_p_corrected"),
    ]);
    for measure in &changes.measures {
        for change in &measure.changed {
            table.push(vec![
                Cell::text(measure.title()),
                Cell::text(&change.a),
                Cell::text(&change.b),
                Cell::text(change.change.words()),
                Cell::number(change.before.0),
                Cell::number(change.before.1),
                Cell::number(change.after.0),
                Cell::number(change.after.1),
            ]);
        }
    }
    table
}
