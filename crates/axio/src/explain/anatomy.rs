//! The score of a metric from a file, document by document and component by component.

use axiometrics::measure::Metric;
use axiometrics::report::{Cell, Column, Table};
use axiometrics::score::{Anatomy, Line};
use serde_json::{Value, json};

use super::breakdown::score_text;
use crate::eval::settings::Settings;

pub(super) fn table(metric: &Metric, topic: &str, parts: &Anatomy, settings: &Settings) -> Table {
    let mut columns = vec![
        Column::number("rank").exact(),
        Column::text("document"),
        Column::text("alpha"),
        Column::text("sigma"),
    ];
    columns.extend(["gain", "sim", "term", "contribution"].map(Column::number));
    let mut table = Table::new(columns);
    table.caption = Some(format!("{metric} of topic {topic}"));
    for line in &parts.lines {
        let rank = line.rank.map_or(Cell::text(""), |rank| Cell::number(f64::from(rank)));
        let mut cells = vec![
            rank,
            Cell::text(document_text(line)),
            Cell::text(&line.alpha),
            Cell::text(&line.sigma),
        ];
        cells.extend([Some(line.gain), line.sim, line.term, line.contribution].map(Cell::number));
        table.push(cells);
    }
    let how = match (parts.agg, parts.norm) {
        (None, _) => {
            "the score is one expression over all documents, not a sum of terms".to_string()
        }
        (Some("mean"), Some(norm)) => {
            format!("score = sum of terms / {norm}, the size of the set that is averaged over")
        }
        (Some(_), Some(norm)) => format!("score = sum of terms / norm, norm = {norm}"),
        (Some(agg), None) => format!("score = {agg} of terms"),
    };
    table.footnotes.extend([score_text(&parts.score), how, settings.to_string()]);
    table
}

fn document_text(line: &Line) -> String {
    match (&line.document, line.documents) {
        (Some(document), _) => document.clone(),
        (None, 1) => "(not retrieved)".to_string(),
        (None, n) => format!("({n} not retrieved)"),
    }
}

pub(super) fn document(
    metric: &Metric,
    topic: &str,
    parts: &Anatomy,
    settings: &Settings,
) -> Value {
    json!({
        "measure": metric.to_string(),
        "topic": topic,
        "score": parts.score.value(),
        "average": parts.agg,
        "norm": parts.norm,
        "documents": parts.lines,
        "settings": settings,
    })
}
