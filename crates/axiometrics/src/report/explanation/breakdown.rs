//! A score, document by document.

use serde::Serialize;
use serde_json::json;

use super::super::model::Report;
use super::super::table::{Cell, Column, Style, Table};
use super::score_text;
use crate::measure::{Metric, Score};
use crate::score::Protocol;
use crate::score::breakdown::{Breakdown, Line};

/// A score taken apart.
#[derive(Debug, Clone)]
pub struct BreakdownReport<'a> {
    /// The measure.
    pub metric: &'a Metric,
    /// The topic.
    pub topic: &'a str,
    /// Its documents.
    pub parts: &'a Breakdown,
    /// How it was scored.
    pub protocol: &'a Protocol,
}

impl Report for BreakdownReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let BreakdownReport { metric, topic, parts, protocol } = self;
        let mut table = self.rows();
        table.caption = Some(format!("{metric} of topic {topic}"));
        table.footnotes.push(score_text(&parts.score));
        if let Some(normaliser) = parts.normaliser {
            table.footnotes.push(format!("contribution = gain * weight / {normaliser:.4}"));
        }
        if let Some(range) = parts.range {
            let tail = if range.tail > 0.0 {
                format!(", {:.4} of it from below the end of the ranking", range.tail)
            } else {
                String::new()
            };
            table.footnotes.push(format!(
                "range {:.4} to {:.4} ({}){tail}",
                range.low,
                range.high,
                range.kind.name()
            ));
        }
        if let Some(user) = &parts.user {
            table.footnotes.push(format!("C(i) = {}", user.continuation));
            table.footnotes.push(format!(
                "the user reads {:.4} documents, at a cost of {} each and {:.4} in all, for a gain \
                 of {:.4} each and {:.4} in all",
                user.documents, user.cost, user.total_cost, user.utility, user.total_utility
            ));
        }
        table.footnotes.push(protocol.to_string());
        vec![table]
    }

    fn rows(&self) -> Table {
        let lines = &self.parts.lines;
        let mut columns = vec![
            Column::number("rank").exact(),
            Column::text("document"),
            Column::number("run score").keyed("score").exact(),
            Column::number("grade").exact(),
        ];
        // A measure that is no sum of gains has no weights, and one that sees more than grades has
        // no gains.
        let shown = [
            lines.iter().any(|line| line.gain.is_some()),
            lines.iter().any(|line| line.weight.is_some()),
            true,
            true,
            true,
        ];
        let titles = [
            Column::number("gain"),
            Column::number("weight"),
            Column::number("contribution"),
            Column::number("total"),
            Column::number("if relevant").keyed("if_relevant"),
        ];
        let only_shown = |shown: [bool; 5]| move |at: &usize| shown[*at];
        columns.extend((0..5).filter(only_shown(shown)).map(|at| titles[at].clone()));
        let user = self.parts.user.is_some();
        if user {
            columns.extend(["C", "W", "L"].map(Column::number));
        }
        let mut table = Table::new(columns);
        for line in lines {
            let mut cells = vec![
                Cell::number(f64::from(line.rank)),
                Cell::text(&line.document),
                Cell::number(line.score),
                Cell::number(line.grade),
            ];
            let numbers = numbers(line);
            cells.extend((0..5).filter(only_shown(shown)).map(|at| Cell::number(numbers[at])));
            if user {
                let reading = line.user;
                let numbers = [
                    reading.map(|r| r.continuation),
                    reading.map(|r| r.weight),
                    reading.map(|r| r.last),
                ];
                cells.extend(numbers.map(Cell::number));
            }
            table.push(cells);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        let BreakdownReport { metric, topic, parts, protocol } = self;
        let undefined = match parts.score {
            Score::Value(_) => None,
            Score::Undefined(why) => Some(why),
        };
        let range = parts.range.map(
            |r| json!({ "low": r.low, "high": r.high, "tail": r.tail, "kind": r.kind.name() }),
        );
        json!({
            "measure": metric.to_string(),
            "topic": topic,
            "score": parts.score.value(),
            "undefined": undefined,
            "normaliser": parts.normaliser,
            "range": range,
            "user": parts.user,
            "documents": parts.lines,
            "settings": protocol,
        })
    }
}

fn numbers(line: &Line) -> [Option<f64>; 5] {
    [line.gain, line.weight, line.contribution, line.total, line.if_relevant]
}
