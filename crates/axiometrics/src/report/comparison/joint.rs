//! What unjudged documents could do to differences.

use super::{ShownPair, shown, shown_against, topics_line};
use crate::choice::Choice;
use crate::compare::{Comparison, Joint, JointVerdict, MeasureComparison};
use crate::measure::range::RangeKind;
use crate::report::table::{Cell, Column, Table};

/// What unjudged documents could do to the differences of one measure; `None` if that is not known.
pub fn joint(comparison: &Comparison, measure: &MeasureComparison) -> Option<Table> {
    let all: Vec<&Joint> = measure.pairs.iter().filter_map(|pair| pair.joint.as_ref()).collect();
    if all.is_empty() {
        return None;
    }
    let mut table = Table::new(vec![
        Column::text("system"),
        Column::number("diff"),
        Column::number("lowest"),
        Column::number("highest"),
        Column::text("kind"),
        Column::number("unjudged").exact(),
        Column::text("order"),
    ]);
    let width = table.columns.len();
    let row = |table: &mut Table, name: String, shown: &ShownPair<'_>| {
        let Some(joint) = &shown.pair.joint else { return };
        let (low, high) = shown.ends(joint.range.low, joint.range.high);
        let order = match joint.verdict {
            JointVerdict::CouldTurn => "could turn",
            _ => "certain",
        };
        table.push(vec![
            Cell::text(name),
            Cell::number(shown.sign(shown.pair.difference)),
            Cell::number(low),
            Cell::number(high),
            Cell::text(joint.range.kind.name()),
            Cell::number(joint.range.unjudged as f64),
            Cell::text(order),
        ]);
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
    table.caption = Some(format!(
        "{}: {against} over {}, under any judgement of the unjudged documents",
        measure.title(),
        topics_line(measure)
    ));
    /// Beyond this the sentences are summed up.
    const TOLD: usize = 6;
    if all.len() <= TOLD {
        table.footnotes.extend(all.iter().map(|joint| joint.sentence.clone()));
    } else {
        let turn = all.iter().filter(|joint| joint.verdict == JointVerdict::CouldTurn).count();
        table.footnotes.push(format!(
            "{} of {} orders hold whatever the unjudged documents are; {turn} could be turned round",
            all.len() - turn,
            all.len()
        ));
    }
    let bound = match all.iter().any(|joint| joint.range.kind == RangeKind::Bound) {
        true => ". bound: the ends may be too far apart",
        false => "",
    };
    table
        .footnotes
        .push(format!("unjudged: documents that either retrieved, with one grade for both{bound}"));
    Some(table)
}
