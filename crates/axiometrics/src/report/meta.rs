//! Meta-evaluations as tables.

use super::table::{Cell, Column, Table};
use crate::choice::Choice;
use crate::meta::{Agreement, MeasureMeta, MetaEvaluation};

/// Strictness and robustness of each measure, with what else tells measures apart.
pub fn measures(meta: &MetaEvaluation) -> Table {
    let titles = ["strictness", "of ten", "in topics", "robustness", "power", "swap rate", "needed", "sensitivity", "stability"];
    let mut table = Table::new(std::iter::once(Column::text("measure")).chain(titles.map(Column::number)).collect());
    table.caption = Some(format!("{} systems, {} topics", meta.systems.len(), meta.topics));
    for measure in &meta.measures {
        let numbers = numbers(measure).into_iter().map(Cell::number);
        table.push(std::iter::once(Cell::text(&measure.measure)).chain(numbers).collect());
    }
    let settings = &meta.settings;
    let skipped: Vec<String> = meta
        .measures
        .iter()
        .filter(|m| m.robustness.skipped_topics > 0)
        .map(|m| format!("{} ({})", m.measure, m.robustness.skipped_topics))
        .collect();
    let half = meta.measures.first().map_or(0, |m| m.halves.topics);
    table.footnotes = vec![
        format!(
            "strictness: minus the largest gap between a high rank by the measure and a low rank by {}, all outputs for all topics ranked \
             together, as a share of them; of ten: the mean of the ten largest gaps; in topics: outputs ranked within each topic. Equal scores \
             share their mean rank",
            meta.against.join(", ")
        ),
        "robustness: the mean over pairs of topics of Spearman's correlation of the systems' scores".to_string(),
        format!(
            "power: the share of pairs of systems with p at most {} ({}, {} resamples, seed {})",
            settings.alpha,
            settings.test.meaning(),
            settings.resampling.trials,
            settings.resampling.seed
        ),
        format!(
            "swap rate: pairs ordered otherwise by another {half} topics; needed: the difference from which on at most 5% are; sensitivity: the \
             share of pairs that differ so much; stability: the mean Kendall tau-b of two halves. {} splits, seed {}",
            settings.splits, settings.resampling.seed
        ),
    ];
    if !skipped.is_empty() {
        table.footnotes.push(format!("Topics on which all systems score the same were skipped for robustness: {}", skipped.join(", ")));
    }
    if meta.left_out.total() > 0 {
        table.footnotes.push(format!("Topics left out: {}", meta.left_out));
    }
    table.footnotes.extend(meta.measures.iter().map(|m| format!("{}: {}", m.measure, m.definition)));
    table
}

fn numbers(measure: &MeasureMeta) -> [Option<f64>; 9] {
    let (strictness, halves) = (&measure.strictness, &measure.halves);
    [
        Some(strictness.pooled.largest),
        Some(strictness.pooled.ten_largest),
        Some(strictness.within_topics.largest),
        measure.robustness.mean,
        Some(measure.discriminative_power.share),
        Some(halves.swap_rate),
        halves.difference_needed,
        Some(halves.sensitivity),
        halves.stability,
    ]
}

/// How far the measures agree, by one coefficient.
pub fn agreement(meta: &MetaEvaluation, agreement: &Agreement) -> Table {
    let names = || meta.measures.iter().map(|m| m.measure.clone());
    let mut table = Table::new(std::iter::once(Column::text("")).chain(names().map(Column::number)).collect());
    table.caption = Some(format!("Agreement on the order of {} systems by their means: {}", meta.systems.len(), agreement.coefficient));
    for (name, row) in names().zip(&agreement.matrix) {
        table.push(std::iter::once(Cell::text(name)).chain(row.iter().map(|x| Cell::number(*x))).collect());
    }
    table
}
