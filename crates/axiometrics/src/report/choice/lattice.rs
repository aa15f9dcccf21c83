//! Which properties go together, for programs.

use serde::Serialize;
use serde_json::json;

use crate::check::lattice::{FeasibleMeasure, Lattice, PropertySet};
use crate::choice::Choice;
use crate::report::model::Report;
use crate::report::table::{Cell, Column, Style, Table};

/// All smallest contradictions among the properties and all largest sets that are left.
#[derive(Debug, Clone, Copy)]
pub struct LatticeReport;

fn names(set: PropertySet) -> Vec<&'static str> {
    set.iter().map(Choice::name).collect()
}

impl Report for LatticeReport {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        vec![self.rows()]
    }

    fn rows(&self) -> Table {
        let columns = ["kind", "properties", "why"].map(Column::text);
        let mut table = Table::new(columns.to_vec());
        let lattice = Lattice::get();
        for found in &lattice.contradictions {
            table.push(vec![
                Cell::text("contradiction"),
                Cell::list(names(found.properties)),
                Cell::text(found.derivation.text()),
            ]);
        }
        for set in &lattice.feasible {
            table.push(vec![
                Cell::text("feasible"),
                Cell::list(names(*set)),
                Cell::text(
                    FeasibleMeasure::of(*set).map(FeasibleMeasure::path).unwrap_or_default(),
                ),
            ]);
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        let lattice = Lattice::get();
        json!({
            "contradictions": lattice.contradictions.iter().map(|c| json!({
                "properties": names(c.properties),
                "derivation": c.derivation.text(),
            })).collect::<Vec<_>>(),
            "feasible": lattice.feasible.iter().map(|set| json!({
                "properties": names(*set),
                "measure": FeasibleMeasure::of(*set).map(FeasibleMeasure::path),
            })).collect::<Vec<_>>(),
        })
    }
}
