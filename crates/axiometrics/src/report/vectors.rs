//! The scores of rankings that were written down, in every format.

use serde::Serialize;
use serde_json::{Value, json};

use super::model::Report;
use super::number::rounded;
use super::table::{Cell, Column, Style, Table};
use crate::choice::Choice;
use crate::data::{Qrels, Vector};
use crate::measure::range::RangeKind;
use crate::measure::{Metric, Score};
use crate::score::ranges::{Range, Ranger};
use crate::score::{Protocol, Scores};

/// Rankings with the scores that measures give them.
#[derive(Debug, Clone)]
pub struct VectorsReport<'a> {
    /// The rankings.
    pub rankings: &'a [Vector],
    /// Their judgements, in which each is a topic.
    pub qrels: &'a Qrels,
    /// The measures, in the order of the columns of the scores.
    pub metrics: &'a [Metric],
    /// The scores, in which each ranking is a topic.
    pub scores: &'a Scores,
    /// How they were scored.
    pub protocol: &'a Protocol,
}

impl VectorsReport<'_> {
    fn row_of(&self, ranking: &Vector) -> Option<usize> {
        self.scores.row_of(ranking.to_string().as_bytes())
    }

    fn score(&self, ranking: &Vector, column: usize) -> Option<Score> {
        self.scores.score(self.row_of(ranking)?, column)
    }

    fn range(&self, ranking: &Vector, column: usize) -> Option<Range> {
        self.scores.range(self.row_of(ranking)?, column)
    }

    /// The number, and its range if there are ranges.
    fn cells(&self, ranking: &Vector, column: usize) -> Vec<Cell> {
        let score = self.score(ranking, column).and_then(|score| score.value());
        let mut cells = vec![Cell::number(score)];
        if self.scores.has_ranges() {
            let range = self.range(ranking, column);
            cells.extend([range.map(|r| r.low), range.map(|r| r.high)].map(Cell::number));
        }
        cells
    }

    fn no_range(&self, column: usize) -> Option<&'static str> {
        let below = self.protocol.tail?;
        let ranger = Ranger::new(&self.metrics[column]);
        ranger.refusal(self.qrels).or_else(|| {
            let why = ranger.refusal_of_short_rankings(below)?;
            let lacks = |ranking: &Vector| {
                let score = self.score(ranking, column).and_then(|score| score.value());
                score.is_some() && self.range(ranking, column).is_none()
            };
            self.rankings.iter().any(lacks).then_some(why)
        })
    }

    /// Why scores have no value, and what is known of the ends of ranges.
    fn notes(&self) -> Vec<String> {
        let Protocol { max_grade, ties, tail, version, .. } = self.protocol;
        let mut settings = format!("max grade {max_grade}");
        if self.rankings.iter().any(Vector::has_ties) {
            settings += &format!(", ties {}", ties.name());
        }
        if let Some(tail) = tail {
            settings += &format!(", tail {}: {}", tail.name(), tail.meaning());
        }
        let mut notes = vec![format!("{settings}, axio {version}")];
        for (column, metric) in self.metrics.iter().enumerate() {
            notes.extend(self.no_range(column).map(|why| format!("{metric} has no range: {why}")));
            for ranking in self.rankings {
                if let Some(Score::Undefined(why)) = self.score(ranking, column) {
                    notes.push(format!("{metric} of {ranking} is undefined: {why}"));
                }
            }
            let kinds = self.rankings.iter().filter_map(|ranking| self.range(ranking, column));
            match kinds.map(|range| range.kind).max() {
                None | Some(RangeKind::Exact | RangeKind::Limit) => {}
                Some(kind) => notes.push(format!("{metric}: the range is {}", kind.meaning())),
            }
        }
        notes
    }
}

impl Report for VectorsReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let ends: &[&str] = if self.scores.has_ranges() { &["low", "high"] } else { &[] };
        let mut columns = vec![Column::text("ranking")];
        for metric in self.metrics {
            columns.push(Column::number(metric.to_string()));
            columns.extend(ends.iter().map(|end| Column::number(*end).joined()));
        }
        let mut table = Table::new(columns);
        for ranking in self.rankings {
            let numbers = (0..self.metrics.len()).flat_map(|column| self.cells(ranking, column));
            table.push(std::iter::once(Cell::text(ranking.to_string())).chain(numbers).collect());
        }
        table.footnotes = self.notes();
        vec![table]
    }

    fn rows(&self) -> Table {
        let mut columns = ["ranking", "measure"].map(Column::text).to_vec();
        columns.push(Column::number("value"));
        if self.scores.has_ranges() {
            columns.extend(["low", "high"].map(Column::number));
        }
        let mut table = Table::new(columns);
        for ranking in self.rankings {
            for (column, metric) in self.metrics.iter().enumerate() {
                let texts = [ranking.to_string(), metric.to_string()].map(Cell::text);
                table.push(texts.into_iter().chain(self.cells(ranking, column)).collect());
            }
        }
        table
    }

    fn document(&self, style: &Style) -> impl Serialize {
        let places = |x: Option<f64>| rounded(x, style.places);
        let measure = |ranking: &Vector, column: usize| -> Value {
            let score = self.score(ranking, column);
            let mut value = json!({
                "measure": self.metrics[column].to_string(),
                "value": places(score.and_then(Score::value)),
            });
            if let Some(Score::Undefined(why)) = score {
                value["undefined"] = json!(why);
            }
            if let Some(range) = self.range(ranking, column) {
                value["range"] = json!({
                    "low": places(Some(range.low)),
                    "high": places(Some(range.high)),
                    "unjudged": places(Some(range.unjudged())),
                    "tail": places(Some(range.tail)),
                    "kind": range.kind.name(),
                });
            } else if let Some(why) = self.no_range(column) {
                value["no_range"] = json!(why);
            }
            value
        };
        let ranking = |ranking: &Vector| {
            let columns = 0..self.metrics.len();
            json!({
                "ranking": ranking.to_string(),
                "grades": ranking.grades().collect::<Vec<_>>(),
                "unretrieved": ranking.unretrieved(),
                "measures": columns.map(|column| measure(ranking, column)).collect::<Vec<_>>(),
            })
        };
        json!({
            "rankings": self.rankings.iter().map(ranking).collect::<Vec<_>>(),
            "settings": self.protocol,
        })
    }
}
