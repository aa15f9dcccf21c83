//! The model of a table.

use serde::Serialize;

use super::OutputFormat;
use super::model::Report;
use crate::remedy::{Plain, Voice};

/// A table, independent of how it is written.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Table {
    /// What the table shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// The columns; every row has a cell for each.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Sentences below the table.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub footnotes: Vec<String>,
}

/// A column.
#[derive(Debug, Clone, Serialize)]
pub struct Column {
    /// Its title.
    pub title: String,
    /// Its name for programs, if that is not the title.
    #[serde(skip)]
    pub key: Option<&'static str>,
    /// The side on which its cells stand.
    pub align: Align,
    /// Decimal places for people; `None` for the shortest text.
    pub places: Option<u8>,
    /// True if it is read with the column before it: a table that is broken into blocks keeps both
    /// in one.
    #[serde(skip)]
    pub joined: bool,
}

/// A side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// Text.
    Left,
    /// Numbers.
    Right,
}

/// A row.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The cells, one per column.
    pub cells: Vec<Cell>,
    /// True for a row that sums up those above it.
    pub summary: bool,
}

/// A cell.
#[derive(Debug, Clone, Serialize)]
pub struct Cell {
    /// What is in it.
    pub content: CellContent,
    /// True if it is to catch the eye.
    pub strong: bool,
    /// From -1 to 1: how deep its colour is on a terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shade: Option<f64>,
}

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum CellContent {
    /// A text.
    Text(String),
    /// A number.
    Number(f64),
    /// Several texts.
    List(Vec<String>),
    /// Yes or no.
    Flag(bool),
    /// No value.
    Missing,
}

/// Choices of the reader, and of whoever shows a result to them.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Decimal places, instead of the columns' own.
    pub places: Option<u8>,
    /// Whether a terminal's emphasis may be used.
    pub colour: bool,
    /// The width of the terminal; a wider table is broken into blocks of columns.
    pub width: Option<usize>,
    /// How settings and calls are spelled in advice.
    pub voice: &'static dyn Voice,
    /// Whether texts of CSV and TSV are written as they are, even if a terminal or a spreadsheet
    /// acts on them.
    pub raw: bool,
}

/// Plain text, as wide as it is.
impl Default for Style {
    fn default() -> Style {
        Style { places: None, colour: false, width: None, voice: &Plain, raw: false }
    }
}

/// The decimal places of numbers that people read.
const PLACES: u8 = 4;

impl Column {
    /// A column of texts.
    pub fn text(title: impl Into<String>) -> Column {
        Column {
            title: title.into(),
            key: None,
            align: Align::Left,
            places: Some(PLACES),
            joined: false,
        }
    }

    /// A column of numbers.
    pub fn number(title: impl Into<String>) -> Column {
        Column {
            title: title.into(),
            key: None,
            align: Align::Right,
            places: Some(PLACES),
            joined: false,
        }
    }

    /// The same column, to be read with the one before it.
    #[must_use]
    pub fn joined(self) -> Column {
        Column { joined: true, ..self }
    }

    /// The same column with so many decimal places.
    #[must_use]
    pub fn places(self, places: u8) -> Column {
        Column { places: Some(places), ..self }
    }

    /// The same column with numbers in full whatever the reader's choice: counts.
    #[must_use]
    pub fn exact(self) -> Column {
        Column { places: None, ..self }
    }

    /// The same column under another name for programs that read keys.
    #[must_use]
    pub fn keyed(self, key: &'static str) -> Column {
        Column { key: Some(key), ..self }
    }

    /// Its name for programs.
    pub fn key(&self) -> &str {
        self.key.unwrap_or(&self.title)
    }

    /// The decimal places for people.
    pub(super) fn places_under(&self, style: &Style) -> Option<u8> {
        self.places.map(|own| style.places.unwrap_or(own))
    }
}

impl Cell {
    /// A text.
    pub fn text(text: impl Into<String>) -> Cell {
        Cell { content: CellContent::Text(text.into()), strong: false, shade: None }
    }

    /// A number, or none: `None` and NaN are missing values.
    pub fn number(x: impl Into<Option<f64>>) -> Cell {
        let content =
            x.into().filter(|x| !x.is_nan()).map_or(CellContent::Missing, CellContent::Number);
        Cell { content, strong: false, shade: None }
    }

    /// Several texts.
    pub fn list<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Cell {
        let content = CellContent::List(texts.into_iter().map(Into::into).collect());
        Cell { content, strong: false, shade: None }
    }

    /// Yes or no.
    pub fn flag(flag: bool) -> Cell {
        Cell { content: CellContent::Flag(flag), strong: false, shade: None }
    }

    /// The same cell, catching the eye if asked to.
    #[must_use]
    pub fn strong(self, strong: bool) -> Cell {
        Cell { strong, ..self }
    }

    /// The same cell in a colour of this depth, from -1 to 1.
    #[must_use]
    pub fn shade(self, depth: Option<f64>) -> Cell {
        Cell { shade: depth, ..self }
    }
}

impl From<Vec<Cell>> for Row {
    fn from(cells: Vec<Cell>) -> Row {
        Row { cells, summary: false }
    }
}

impl Table {
    /// An empty table.
    pub fn new(columns: Vec<Column>) -> Table {
        Table { columns, ..Table::default() }
    }

    /// Adds a row.
    pub fn push(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells.into());
    }

    /// Adds a row that sums up those above it.
    pub fn push_summary(&mut self, cells: Vec<Cell>) {
        self.rows.push(Row { cells, summary: true });
    }

    /// Marks the highest number of a column, in each of its rows, if the rows differ.
    pub fn mark_highest(&mut self, column: usize) {
        self.mark(column, f64::max);
    }

    /// Marks the lowest number of a column, as [`Table::mark_highest`] does the highest.
    pub fn mark_lowest(&mut self, column: usize) {
        self.mark(column, f64::min);
    }

    fn mark(&mut self, column: usize, better: fn(f64, f64) -> f64) {
        let value = |row: &Row| match row.cells.get(column).map(|c| &c.content) {
            Some(CellContent::Number(x)) => Some(*x),
            _ => None,
        };
        // Values that look alike are marked alike.
        let places = self.columns.get(column).and_then(|column| column.places);
        let same = |a: f64, b: f64| match places {
            Some(places) => {
                let places = usize::from(places);
                a == b || format!("{a:.places$}") == format!("{b:.places$}")
            }
            None => a == b,
        };
        let values: Vec<f64> = self.rows.iter().filter_map(value).collect();
        let Some(best) = values.iter().copied().reduce(better) else { return };
        if values.iter().all(|x| same(*x, best)) {
            return;
        }
        for row in &mut self.rows {
            if value(row).is_some_and(|x| same(x, best)) {
                row.cells[column].strong = true;
            }
        }
    }

    /// The table in a format.
    pub fn render(&self, format: impl Into<OutputFormat>, style: &Style) -> String {
        Report::render(self, format.into(), style)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A table with everything that a dialect can get wrong.
    pub(in crate::report) fn awkward() -> Table {
        let mut table = Table::new(vec![
            Column::text("run"),
            Column::number("nDCG@10"),
            Column::number("num_ret").exact(),
        ]);
        table.caption = Some("Web & more".into());
        table.push(vec![Cell::text("bm25_rm3.run"), Cell::number(0.51234), Cell::number(1000.0)]);
        table.push(vec![
            Cell::text("検索|a,\"b\""),
            Cell::number(0.6).strong(true),
            Cell::number(20.0),
        ]);
        table.push(vec![Cell::text("50%_of_$x\\y"), Cell::number(None), Cell::number(-1.5)]);
        table.push_summary(vec![Cell::text("all"), Cell::number(0.55617), Cell::number(1020.0)]);
        table.footnotes.push("max_grade 3, ties docid-desc".into());
        table
    }

    #[test]
    fn the_highest_is_marked_only_where_rows_differ() {
        let mut table =
            Table::new(vec![Column::text("run"), Column::number("a"), Column::number("b")]);
        for (name, a, b) in [("x", 0.5, 0.1), ("y", 0.7, 0.1), ("z", 0.7, f64::NAN)] {
            table.push(vec![Cell::text(name), Cell::number(a), Cell::number(b)]);
        }
        for column in 0..3 {
            table.mark_highest(column);
        }
        let marks: Vec<Vec<bool>> =
            table.rows.iter().map(|r| r.cells.iter().map(|c| c.strong).collect()).collect();
        assert_eq!(marks, [[false, false, false], [false, true, false], [false, true, false]]);
    }

    #[test]
    fn json() {
        let mut table = awkward();
        table.rows.truncate(3);
        table.rows.remove(0);
        insta::assert_snapshot!(serde_json::to_string(&table).unwrap(), @r#"{"caption":"Web & more","columns":[{"title":"run","align":"left","places":4},{"title":"nDCG@10","align":"right","places":4},{"title":"num_ret","align":"right","places":null}],"rows":[{"cells":[{"content":"検索|a,\"b\"","strong":false},{"content":0.6,"strong":true},{"content":20.0,"strong":false}],"summary":false},{"cells":[{"content":"50%_of_$x\\y","strong":false},{"content":null,"strong":false},{"content":-1.5,"strong":false}],"summary":false}],"footnotes":["max_grade 3, ties docid-desc"]}"#);
    }
}
