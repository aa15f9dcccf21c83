//! The score of a metric from a file, document by document and component by component.

use serde::Serialize;
use serde_json::json;

use super::super::model::Report;
use super::super::table::{Cell, Column, Style, Table};
use super::score_text;
use crate::measure::Metric;
use crate::score::{Anatomy, DocumentLine, Protocol};

/// A score taken apart.
#[derive(Debug, Clone)]
pub struct AnatomyReport<'a> {
    /// The metric.
    pub metric: &'a Metric,
    /// The topic.
    pub topic: &'a str,
    /// Its documents.
    pub parts: &'a Anatomy,
    /// How it was scored.
    pub protocol: &'a Protocol,
}

impl Report for AnatomyReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let AnatomyReport { metric, topic, parts, protocol } = self;
        let mut table = self.rows();
        table.caption = Some(format!("{metric} of topic {topic}"));
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
        table.footnotes.extend([score_text(&parts.score), how, protocol.to_string()]);
        vec![table]
    }

    fn rows(&self) -> Table {
        let mut columns = vec![
            Column::number("rank").exact(),
            Column::text("document"),
            Column::text("alpha"),
            Column::text("sigma"),
        ];
        columns.extend(["gain", "sim", "term", "contribution"].map(Column::number));
        let mut table = Table::new(columns);
        for line in &self.parts.lines {
            let rank = line.rank.map_or(Cell::text(""), |rank| Cell::number(f64::from(rank)));
            let mut cells = vec![
                rank,
                Cell::text(document_text(line)),
                Cell::text(&line.alpha),
                Cell::text(&line.sigma),
            ];
            let numbers = [Some(line.gain), line.sim, line.term, line.contribution];
            cells.extend(numbers.map(Cell::number));
            table.push(cells);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        let AnatomyReport { metric, topic, parts, protocol } = self;
        json!({
            "measure": metric.to_string(),
            "topic": topic,
            "score": parts.score.value(),
            "average": parts.agg,
            "norm": parts.norm,
            "documents": parts.lines,
            "settings": protocol,
        })
    }
}

fn document_text(line: &DocumentLine) -> String {
    match (&line.document, line.documents) {
        (Some(document), _) => document.clone(),
        (None, 1) => "(not retrieved)".to_string(),
        (None, n) => format!("({n} not retrieved)"),
    }
}
