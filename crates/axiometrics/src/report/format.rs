//! The formats of results: the only place that knows all of them.

use super::delimited::{COMMAS, TABS};
use super::jsonl::JSON_LINES;
use super::lines::Lines;
use super::table::{Style, Table};
use super::{latex, markdown, text, webpage};
use crate::choice::choices;

/// How a result is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OutputFormat {
    /// Tables for a terminal.
    #[default]
    Table,
    /// Lines with tabs between the values.
    Tsv,
    /// Lines with commas between the values.
    Csv,
    /// One JSON document.
    Json,
    /// A JSON object on each line.
    Jsonl,
    /// Tables in Markdown.
    Markdown,
    /// Tables in LaTeX, with booktabs.
    Latex,
    /// A page of tables in HTML.
    Html,
}

choices! {
    OutputFormat {
        Table "table" "tables for people",
        Tsv "tsv" "tab-separated, one value per line",
        Csv "csv" "comma-separated, one value per line",
        Json "json" "one JSON document",
        Jsonl "jsonl" "one JSON object per value",
        Markdown "markdown" "Markdown tables",
        Latex "latex" "LaTeX tables (booktabs)",
        Html "html" "a page of tables",
    }
}

/// What a format makes of a result.
pub(super) enum Rendering {
    /// The tables for people, one below the other.
    Tables(fn(&Table, &Style) -> String),
    /// The rows for programs.
    Lines(&'static dyn Lines),
    /// All tables for people on one page.
    Page(fn(&[Table], &Style) -> String),
    /// The document.
    Document,
}

impl OutputFormat {
    /// What it makes of a result.
    pub(super) fn form(self) -> Rendering {
        match self {
            OutputFormat::Table => Rendering::Tables(text::render),
            OutputFormat::Markdown => Rendering::Tables(markdown::render),
            OutputFormat::Latex => Rendering::Tables(latex::render),
            OutputFormat::Html => Rendering::Page(webpage::render),
            OutputFormat::Tsv => Rendering::Lines(&TABS),
            OutputFormat::Csv => Rendering::Lines(&COMMAS),
            OutputFormat::Jsonl => Rendering::Lines(&JSON_LINES),
            OutputFormat::Json => Rendering::Document,
        }
    }

    /// True if people read it as it is.
    pub fn is_for_people(self) -> bool {
        matches!(self.form(), Rendering::Tables(_) | Rendering::Page(_))
    }

    /// True if it has a line for each row, and no room for notes.
    pub fn has_lines(self) -> bool {
        matches!(self.form(), Rendering::Lines(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::tests::names_lead_back;

    #[test]
    fn names_lead_back_to_their_format() {
        names_lead_back::<OutputFormat>();
    }
}
