//! A score, document by document.

use serde::Serialize;
use serde_json::json;

use super::super::model::Report;
use super::super::table::{Cell, Column, Style, Table};
use super::score_text;
use crate::choice::Choice;
use crate::measure::{Metric, Score};
use crate::score::Protocol;
use crate::score::breakdown::{Breakdown, RankLine};

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
        let columns = ShownColumns::of(parts);
        let mut table = columns.table();
        let mut folded = 0;
        // What is folded never becomes a row: a topic may have millions of documents.
        for stretch in parts.lines.chunk_by(|a, b| counts(a) == counts(b)) {
            if counts(&stretch[0]) || stretch.len() < FOLDED {
                stretch.iter().for_each(|line| table.push(columns.cells(line)));
                continue;
            }
            folded += stretch.len();
            let mut cells = vec![Cell::text("…"), Cell::text(format!("{} more", stretch.len()))];
            cells.resize(table.columns.len(), Cell::text(""));
            table.push(cells);
        }
        table.caption = Some(format!("{metric} of topic {topic}"));
        if folded > 0 {
            let s = if folded == 1 { "" } else { "s" };
            table.footnotes.push(format!("{folded} document{s} that add nothing are folded"));
        }
        if let Some(rest) = &parts.rest {
            let add = rest.contribution.map_or_else(String::new, |x| format!(", which add {x:.4}"));
            table.footnotes.push(format!(
                "{} documents below rank {} are not taken apart{add}",
                rest.documents,
                parts.lines.len()
            ));
        }
        table.footnotes.push(score_text(&parts.score));
        if let Some(normaliser) = parts.normaliser {
            table.footnotes.push(format!("contribution = gain * weight / {normaliser:.4}"));
        }
        table.footnotes.push(match parts.range {
            Ok(range) => {
                let tail = if range.tail > 0.0 {
                    format!(", {:.4} of it from below the end of the ranking", range.tail)
                } else {
                    String::new()
                };
                format!("range {:.4} to {:.4} ({}){tail}", range.low, range.high, range.kind.name())
            }
            Err(absent) => format!("no range: {}", absent.reason()),
        });
        if let Some(user) = &parts.user {
            table.footnotes.push(format!("C(i) = {}", user.continuation));
            table.footnotes.push(format!(
                "the user reads {:.4} documents, at a cost of {} each and {:.4} in all, for a gain \
                 of {:.4} each and {:.4} in all",
                user.documents, user.cost, user.total_cost, user.utility, user.total_utility
            ));
            if let Some((retrieved, all)) = user.found {
                table.footnotes.push(format!(
                    "score = gain each * {retrieved} / {all}, the share of the relevant documents \
                     that were retrieved"
                ));
            }
        }
        table.footnotes.push(protocol.to_string());
        vec![table]
    }

    fn rows(&self) -> Table {
        let columns = ShownColumns::of(self.parts);
        let mut table = columns.table();
        self.parts.lines.iter().for_each(|line| table.push(columns.cells(line)));
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        let BreakdownReport { metric, topic, parts, protocol } = self;
        let undefined = match parts.score {
            Score::Value(_) => None,
            Score::Undefined(why) => Some(why),
        };
        let range = parts.range.ok().map(
            |r| json!({ "low": r.low, "high": r.high, "tail": r.tail, "kind": r.kind.name() }),
        );
        let mut document = json!({
            "measure": metric.to_string(),
            "topic": topic,
            "score": parts.score.value(),
            "undefined": undefined,
            "normaliser": parts.normaliser,
            "range": range,
            "no_range": parts.range.err().map(|absent| absent.reason()),
            "user": parts.user,
            "documents": parts.lines,
            "settings": protocol,
        });
        if let Some(rest) = &parts.rest {
            document["rest"] = json!(rest);
        }
        document
    }
}

/// Stretches of at least so many documents that add nothing are folded, below the first ranks.
const FOLDED: usize = 4;
const TOP: u32 = 10;

/// Whether a document is shown however many like it follow each other.
fn counts(line: &RankLine) -> bool {
    line.rank <= TOP
        || line.contribution.is_none_or(|x| x != 0.0)
        || line.weight.is_some_and(|x| x != 0.0) && line.grade.is_some_and(|g| g > 0.0)
}

/// Which columns the documents of a breakdown have.
struct ShownColumns {
    /// Those of [`numbers`].
    numbers: [bool; 5],
    user: bool,
}

impl ShownColumns {
    /// A measure that is no sum of gains has no weights, and one that sees more than grades has no
    /// gains.
    fn of(parts: &Breakdown) -> ShownColumns {
        let numbers = [
            parts.lines.iter().any(|line| line.gain.is_some()),
            parts.lines.iter().any(|line| line.weight.is_some()),
            true,
            true,
            true,
        ];
        ShownColumns { numbers, user: parts.user.is_some() }
    }

    /// A table without rows.
    fn table(&self) -> Table {
        let titles = [
            Column::number("gain"),
            Column::number("weight"),
            Column::number("contribution"),
            Column::number("total"),
            Column::number("if relevant").keyed("if_relevant"),
        ];
        let mut columns = vec![
            Column::number("rank").exact(),
            Column::text("document"),
            Column::number("run score").keyed("score").exact(),
            Column::number("grade").exact(),
        ];
        columns.extend(self.shown(titles));
        if self.user {
            columns.extend(["C", "W", "L"].map(Column::number));
        }
        Table::new(columns)
    }

    fn cells(&self, line: &RankLine) -> Vec<Cell> {
        let mut cells = vec![
            Cell::number(f64::from(line.rank)),
            Cell::text(&line.document),
            Cell::number(line.score),
            Cell::number(line.grade),
        ];
        cells.extend(self.shown(numbers(line)).map(Cell::number));
        if self.user {
            let reading = line.user;
            let numbers = [
                reading.map(|r| r.continuation),
                reading.map(|r| r.weight),
                reading.map(|r| r.last),
            ];
            cells.extend(numbers.map(Cell::number));
        }
        cells
    }

    fn shown<T>(&self, all: [T; 5]) -> impl Iterator<Item = T> {
        all.into_iter().zip(self.numbers).filter(|(_, shown)| *shown).map(|(one, _)| one)
    }
}

fn numbers(line: &RankLine) -> [Option<f64>; 5] {
    [line.gain, line.weight, line.contribution, line.total, line.if_relevant]
}
