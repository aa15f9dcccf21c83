//! Standardised scores, in every format.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::model::Report;
use super::table::{Cell, Column, Style, Table};
use crate::score::standardize::{StandardForm, Standardized, StandardizedRun};
use crate::score::{Measured, NamedMeasure};

/// A row per run.
impl Report for Standardized {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let mut table = self.rows();
        for (column, measure) in (1..).zip(&self.measures) {
            if NamedMeasure::new(measure).lower_is_better() {
                table.mark_lowest(column);
                table.footnotes.push(format!("{measure}: the smaller the better"));
            } else {
                table.mark_highest(column);
            }
        }
        let unit = match self.form {
            StandardForm::Z => "standard deviations from the mean of the runs",
            StandardForm::Normal => "shares of a normal distribution",
        };
        table.footnotes.push(format!("means over topics, in {unit}"));
        vec![table]
    }

    fn rows(&self) -> Table {
        let measures = self.measures.iter().map(Column::number);
        let mut table = Table::new(std::iter::once(Column::text("run")).chain(measures).collect());
        for StandardizedRun { run, means } in &self.runs {
            let means = means.iter().map(|mean| Cell::number(*mean));
            table.push(std::iter::once(Cell::text(run)).chain(means).collect());
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        let run = |StandardizedRun { run, means }: &StandardizedRun| {
            let means = means.iter().map(|mean| json!(mean));
            let scores: Map<String, Value> = self.measures.iter().cloned().zip(means).collect();
            json!({ "run": run, "scores": scores })
        };
        json!({ "runs": self.runs.iter().map(run).collect::<Vec<_>>() })
    }
}
