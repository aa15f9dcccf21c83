//! What the parameters of a curve mean: the weight of each rank, of the tail, and where thresholds
//! lie.

use serde::Serialize;

use crate::Result;
use crate::choice::Choice;
use crate::measure::Metric;
use crate::organization::{Curve, Thresholds, Variant};
use crate::report::model::Report;
use crate::report::table::{Cell, Column, Style, Table};

/// A curve of weights, in every format.
#[derive(Debug, Clone, Serialize)]
pub struct CurveReport {
    top: f64,
    weight: f64,
    c: f64,
    ranks: Vec<Rank>,
    thresholds: Vec<OfMeasure>,
}

/// What a rank weighs.
#[derive(Debug, Clone, Copy, Serialize)]
struct Rank {
    rank: u32,
    weight: f64,
    so_far: f64,
    tail: f64,
}

/// Where the thresholds of a measure lie.
#[derive(Debug, Clone, Serialize)]
struct OfMeasure {
    measure: String,
    #[serde(flatten)]
    thresholds: Thresholds,
}

impl CurveReport {
    /// The first so many ranks of a curve.
    pub fn new(curve: &Curve, ranks: u32) -> Result<CurveReport> {
        // Twelve digits, so that 0.1 + 0.2 is 0.3.
        let c = (curve.c::<f64>() * 1e12).round() / 1e12;
        let rank = |rank: u32| {
            let at = f64::from(rank);
            Rank {
                rank,
                weight: curve.weight_of_rank(at),
                so_far: at / (c + at),
                tail: c / (c + at),
            }
        };
        Ok(CurveReport {
            top: curve.top(),
            weight: curve.weight(),
            c,
            ranks: (1..=ranks).map(rank).collect(),
            thresholds: thresholds(curve)?,
        })
    }
}

/// The thresholds of R and F, as the formulas say and as the paper's numbers do.
fn thresholds(curve: &Curve) -> Result<Vec<OfMeasure>> {
    let mut found = Vec::new();
    for variant in [Variant::Printed, Variant::Table9] {
        for name in ["RS_R", "RS_F"] {
            let (n, w) = (curve.top(), curve.weight());
            let metric: Metric =
                format!("{name}(n={n},w={w},variant={})", variant.name()).parse()?;
            let thresholds = Thresholds::of(&metric);
            found.push(OfMeasure { measure: metric.to_string(), thresholds });
        }
    }
    Ok(found)
}

impl OfMeasure {
    fn sentence(&self) -> String {
        let what = "relevant documents after n others";
        let measure = &self.measure;
        match (self.thresholds.closeness, self.thresholds.deepness) {
            (Some(n), Some(from)) => format!(
                "{measure}: n {what} are better than one on top up to n = {n}, worse from {from} on"
            ),
            (Some(_), None) => {
                format!("{measure}: n {what} are better than one on top, however large n is")
            }
            (None, _) => format!("{measure}: n {what} are never better than one on top"),
        }
    }
}

impl Report for CurveReport {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let CurveReport { top, weight, c, .. } = self;
        let mut table = self.rows();
        table.footnotes.push(format!(
            "top {top}, weight {weight}: c = {c}, weight of rank i = c/((c + i - 1)(c + i)), of \
             the tail after N = c/(c + N)"
        ));
        table.footnotes.extend(self.thresholds.iter().map(OfMeasure::sentence));
        vec![table]
    }

    fn rows(&self) -> Table {
        let mut table = Table::new(vec![
            Column::number("rank").exact(),
            Column::number("weight"),
            Column::number("so far").keyed("so_far"),
            Column::number("tail"),
        ]);
        for Rank { rank, weight, so_far, tail } in &self.ranks {
            let numbers = [f64::from(*rank), *weight, *so_far, *tail];
            table.push(numbers.map(Cell::number).to_vec());
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }
}
