//! Risks against a baseline, in every format.

use serde::Serialize;

use super::model::Report;
use super::table::{Cell, Column, Style, Table};
use crate::score::risk::RunRisk;

/// The risks of runs against one of them.
#[derive(Debug, Clone, Serialize)]
pub struct RiskReport {
    /// The run that the others are compared with.
    pub baseline: String,
    /// How much more a loss counts than a gain.
    pub alpha: f64,
    /// A row per run and measure.
    pub risks: Vec<RunRisk>,
}

impl Report for RiskReport {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let mut table = self.rows();
        table.footnotes.push(format!(
            "baseline {}, alpha {}; TRisk below -2 is a significant risk",
            self.baseline, self.alpha
        ));
        vec![table]
    }

    fn rows(&self) -> Table {
        let mut table = Table::new(vec![
            Column::text("run"),
            Column::text("measure"),
            Column::number("URisk").keyed("urisk"),
            Column::number("TRisk").keyed("trisk"),
            Column::number("GeoRisk").keyed("georisk"),
            Column::number("wins").exact(),
            Column::number("losses").exact(),
        ]);
        for risk in &self.risks {
            table.push(vec![
                Cell::text(&risk.run),
                Cell::text(&risk.measure),
                Cell::number(risk.urisk),
                Cell::number(risk.trisk),
                Cell::number(risk.georisk),
                Cell::number(risk.wins as f64),
                Cell::number(risk.losses as f64),
            ]);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }
}
