//! What came of wishes: the measures that fit, why the others do not, and what goes together.

mod lattice;
mod text;

use serde::Serialize;
use serde_json::{Value, json};

pub use lattice::LatticeReport;

use super::format::OutputFormat;
use super::model::Report;
use super::table::{Cell, Column, Style, Table};
use crate::check::choose::{Chosen, Wish};
use crate::check::spacing::{Spacing, spacing};

/// What came of wishes, in every format.
#[derive(Debug, Clone, Copy)]
pub struct ChoiceReport<'a> {
    /// What came of them.
    pub chosen: &'a Chosen,
    /// More of each measure that fits, and why each of the others does not.
    pub all: bool,
}

impl Report for ChoiceReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let mut table = self.rows();
        let wishes = names(&self.chosen.wishes);
        table.caption = (!wishes.is_empty()).then(|| format!("Wanted: {wishes}"));
        if let Some(impossible) = &self.chosen.impossible {
            let names = impossible.names.join(", ");
            table.footnotes.push(format!("Impossible together: {names}. {}", impossible.why));
        }
        vec![table]
    }

    fn rows(&self) -> Table {
        let columns = ["measure", "fits", "wish", "why"].map(Column::text);
        let mut table = Table::new(columns.to_vec());
        for fit in &self.chosen.fits {
            let unproved = match fit.unproved.is_empty() {
                true => String::new(),
                false => format!("searched, not proved: {}", fit.unproved.join(", ")),
            };
            let [metric, wish, why] = [fit.metric.as_str(), "", &unproved].map(Cell::text);
            table.push(vec![metric, Cell::flag(true), wish, why]);
        }
        for miss in &self.chosen.misses {
            for (wish, why) in &miss.unmet {
                let [metric, wish, why] = [&miss.metric, &wish.describe(), why].map(Cell::text);
                table.push(vec![metric, Cell::flag(false), wish, why]);
            }
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        document(self.chosen)
    }

    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        (format == OutputFormat::Table).then(|| text::text(self.chosen, self.all, style))
    }
}

fn names(wishes: &[Wish]) -> String {
    wishes.iter().map(Wish::describe).collect::<Vec<_>>().join(", ")
}

/// Of measures of rankings, when documents are relevant or not.
fn interval_scale(metric: &str) -> Option<Spacing> {
    metric.parse().ok().and_then(|metric| spacing(&metric, 1.0))
}

fn document(chosen: &Chosen) -> Value {
    let wishes = |w: &[Wish]| w.iter().map(Wish::describe).collect::<Vec<_>>();
    let unmet = |(wish, why): &(Wish, String)| json!({ "wish": wish.describe(), "why": why });
    json!({
        "wishes": wishes(&chosen.wishes),
        "fits": chosen.fits.iter().map(|f| json!({
            "metric": f.metric,
            "title": f.title,
            "undefined": f.undefined,
            "unproved": f.unproved,
            "interval_scale": interval_scale(&f.metric),
        })).collect::<Vec<_>>(),
        "impossible": chosen.impossible.as_ref().map(|i| json!({
            "properties": i.names,
            "derivation": i.why,
        })),
        "give_up": chosen.give_up.iter().map(|s| json!({
            "wishes": wishes(&s.wishes),
            "fits": s.metrics,
        })).collect::<Vec<_>>(),
        "misses": chosen.misses.iter().map(|m| json!({
            "metric": m.metric,
            "unmet": m.unmet.iter().map(unmet).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}
