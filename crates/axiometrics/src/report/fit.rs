//! Fitted users, in every format.

use serde::Serialize;

use super::model::Report;
use super::table::{Cell, Column, Style, Table};
use crate::fit::Fit;

/// Users fitted to the same people.
#[derive(Debug, Clone, Serialize)]
pub struct FitReport {
    /// A fit for each measure.
    pub fits: Vec<Fit>,
    /// How many people were observed.
    pub people: u64,
    /// The mean of their last ranks.
    pub mean_rank: f64,
}

impl Report for FitReport {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let mut table = self.rows();
        table.caption = Some("Users fitted to observed last ranks".to_string());
        table.footnotes = vec![
            format!("{} people, who stopped at rank {:.4} on average", self.people, self.mean_rank),
            "low, high: the interval of 95% by the likelihood ratio; AIC: the lower, the better the \
             user of the measure describes these people; documents: how many that user reads on \
             average, if nothing is found"
                .to_string(),
        ];
        vec![table]
    }

    fn rows(&self) -> Table {
        let mut table = Table::new(vec![
            Column::text("measure"),
            Column::text("parameter"),
            Column::number("value"),
            Column::number("low"),
            Column::number("high"),
            Column::number("log-likelihood").keyed("log_likelihood"),
            Column::number("AIC").keyed("aic"),
            Column::number("documents"),
        ]);
        for fit in &self.fits {
            table.push(vec![
                Cell::text(&fit.measure),
                Cell::text(fit.parameter),
                Cell::number(fit.value),
                Cell::number(fit.low),
                Cell::number(fit.high),
                Cell::number(fit.log_likelihood),
                Cell::number(fit.aic),
                Cell::number(fit.documents),
            ]);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }
}
