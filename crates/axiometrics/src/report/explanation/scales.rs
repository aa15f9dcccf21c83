//! The scales of measurement.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::format::{OutputFormat, Rendering};
use super::super::model::Report;
use super::super::table::{Cell, Column, Style, Table};
use crate::choice::Choice;
use crate::component::Scale;

/// The other lists of scales in Maddalena and Mizzaro 2014, section 3.1, and what their entries are
/// among the nine.
const LISTS: &[(&str, &[(&str, &str)])] = &[
    (
        "Stevens (1946), four:",
        &[
            ("nominal", "nominal-unrelated, nominal-across, nominal-within"),
            ("ordinal", "strict, weak, partial, ranked-categories"),
            ("interval", "interval"),
            ("ratio", "ratio"),
        ],
    ),
    (
        "the usual list of six:",
        &[
            ("nominal", "as above"),
            ("ordinal", "as above"),
            ("interval", "interval"),
            (
                "log-interval",
                "interval, of the logarithms: powers keep it, and ratios of ratios mean something",
            ),
            ("ratio", "ratio"),
            ("absolute", "ratio with a unit that is given, such as a probability: range = [0, 1]"),
        ],
    ),
    (
        "Chrisman (1998), ten:",
        &[
            ("nominal", "as above"),
            ("graded membership", "ratio with range = [0, 1], one number for each category"),
            ("ordinal", "as above"),
            ("interval", "interval"),
            ("log-interval", "as above"),
            ("extensive ratio", "ratio"),
            ("cyclical ratio", "none: the ends of a circle meet, and no relevance does"),
            ("derived ratio", "ratio"),
            ("counts", "ratio, of whole numbers"),
            ("absolute", "as above"),
        ],
    ),
];

/// The nine scales, and between which of them a similarity can be defined.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScalesReport;

impl Report for ScalesReport {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        vec![self.rows()]
    }

    fn rows(&self) -> Table {
        let columns = std::iter::once(Column::text("alpha \\ sigma").keyed("alpha"))
            .chain(Scale::ALL.iter().map(|s| Column::text(s.name())));
        let mut table = Table::new(columns.collect());
        for alpha in Scale::ALL {
            let marks = Scale::ALL.iter().map(|sigma| Cell::text(alpha.similarity(*sigma).mark()));
            let name = Cell::text(alpha.name()).strong(true);
            table.push(std::iter::once(name).chain(marks).collect());
        }
        table
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        let refused = |alpha: &Scale| -> Value {
            let of = |sigma: &Scale| (sigma.name().to_string(), json!(alpha.refusal(*sigma)));
            Value::Object(Scale::ALL.iter().map(of).collect())
        };
        let scale = |scale: &Scale| {
            json!({
                "scale": scale.name(),
                "meaning": scale.meaning(),
                "refused": refused(scale),
            })
        };
        let entry = |(entry, here): &(&str, &str)| json!({ "scale": entry, "here": here });
        let list = |(list, entries): &(&str, &[(&str, &str)])| json!({ "list": list, "scales": entries.iter().map(entry).collect::<Vec<_>>() });
        json!({
            "scales": Scale::ALL.iter().map(scale).collect::<Vec<_>>(),
            "other_lists": LISTS.iter().map(list).collect::<Vec<_>>(),
        })
    }

    /// For people, what the marks and the names mean comes below the table.
    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        let (OutputFormat::Table | OutputFormat::Markdown, Rendering::Tables(render)) =
            (format, format.form())
        else {
            return None;
        };
        let mut text = render(&self.rows(), style);
        text += "\n.  a similarity can be defined   x  none can   -  the pair makes no sense\n";
        text += "Rows: the assessor's scale (alpha); columns: the system's (sigma).\n\n";
        for scale in Scale::ALL {
            // Writing to a string does not fail.
            let _ = writeln!(text, "- {}: {}", scale.name(), scale.meaning());
        }
        text += "\nOther lists that the paper names, and where their entries are here:\n\n";
        for (list, entries) in LISTS {
            let _ = writeln!(text, "{list}");
            for (entry, here) in *entries {
                let _ = writeln!(text, "- {entry}: {here}");
            }
        }
        Some(text)
    }
}
