//! Rows for programs, a line each.

use std::io::{Result, Write};

use super::number::push_number;
use super::table::{CellContent, Column, Style, Table};

/// What sets one format of lines apart from another. A line is made of values, each with something
/// before it, and an end.
pub(super) trait Lines: Sync {
    /// Appends what comes before the first row.
    fn head(&self, columns: &[Column], out: &mut Vec<u8>);
    /// Appends what comes before the value of a column, given by its place and its key.
    fn before(&self, place: usize, key: &str, out: &mut Vec<u8>);
    /// Appends a text. It may be no UTF-8.
    fn text(&self, text: &[u8], out: &mut Vec<u8>);
    /// Appends a list of texts.
    fn list(&self, texts: &[String], out: &mut Vec<u8>);
    /// Appends yes or no.
    fn flag(&self, flag: bool, out: &mut Vec<u8>);
    /// Whether it can hold a number that is not finite.
    fn holds_infinity(&self) -> bool;
    /// What stands for a missing value.
    fn missing(&self) -> &'static [u8];
    /// What ends a line.
    fn end(&self) -> &'static [u8];
    /// The same format, with texts as they are even if a terminal or a spreadsheet acts on them.
    fn raw(&self) -> &'static dyn Lines;
}

/// The format, raw if the style says so.
pub(super) fn chosen(form: &'static dyn Lines, style: &Style) -> &'static dyn Lines {
    if style.raw { form.raw() } else { form }
}

/// How many bytes are written at once.
const PORTION: usize = 1 << 16;

/// Writes the rows of a table.
pub(super) fn write(
    lines: &'static dyn Lines,
    table: &Table,
    style: &Style,
    out: &mut dyn Write,
) -> Result<()> {
    let lines = chosen(lines, style);
    let mut text = Vec::new();
    lines.head(&table.columns, &mut text);
    for row in &table.rows {
        for (place, (cell, column)) in row.cells.iter().zip(&table.columns).enumerate() {
            lines.before(place, column.key(), &mut text);
            match &cell.content {
                CellContent::Text(value) => lines.text(value.as_bytes(), &mut text),
                CellContent::List(values) => lines.list(values, &mut text),
                CellContent::Flag(flag) => lines.flag(*flag, &mut text),
                CellContent::Number(x) if x.is_finite() || lines.holds_infinity() => {
                    push_number(&mut text, *x, column.places.and(style.places));
                }
                CellContent::Number(_) | CellContent::Missing => {
                    text.extend_from_slice(lines.missing())
                }
            }
        }
        text.extend_from_slice(lines.end());
        if text.len() >= PORTION {
            out.write_all(&text)?;
            text.clear();
        }
    }
    out.write_all(&text)
}
