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
        let mut table = self.rows();
        let folded = fold(&mut table, &parts.lines);
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

/// Folds what adds nothing, and says how many rows that were.
fn fold(table: &mut Table, lines: &[RankLine]) -> usize {
    let counts = |line: &RankLine| {
        line.rank <= TOP
            || line.contribution.is_none_or(|x| x != 0.0)
            || line.weight.is_some_and(|x| x != 0.0) && line.grade.is_some_and(|g| g > 0.0)
    };
    let rows = std::mem::take(&mut table.rows);
    let mut rows = rows.into_iter();
    let mut folded = 0;
    for stretch in lines.chunk_by(|a, b| counts(a) == counts(b)) {
        let some: Vec<_> = rows.by_ref().take(stretch.len()).collect();
        if counts(&stretch[0]) || stretch.len() < FOLDED {
            table.rows.extend(some);
            continue;
        }
        folded += stretch.len();
        let mut cells = vec![Cell::text("…"), Cell::text(format!("{} more", stretch.len()))];
        cells.resize(table.columns.len(), Cell::text(""));
        table.push(cells);
    }
    folded
}

fn numbers(line: &RankLine) -> [Option<f64>; 5] {
    [line.gain, line.weight, line.contribution, line.total, line.if_relevant]
}
