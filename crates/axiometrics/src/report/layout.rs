//! The layout that all dialects for people share: cells as text, and the width of each column.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

use super::number::number;
use super::table::{Align, Cell, CellContent, Style, Table};

/// What sets one dialect apart from another.
pub(super) trait Markup {
    /// What is shown in place of a missing value.
    const MISSING: &'static str;
    /// A text as the dialect must write it.
    fn escape(&self, text: &str) -> String;
    /// Marks an escaped text, if the marks take room in the layout.
    fn strong(&self, escaped: String) -> String;
}

/// A table whose cells are texts of the dialect.
pub(super) struct Grid<'t> {
    pub(super) table: &'t Table,
    pub(super) titles: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) widths: Vec<usize>,
}

impl<'t> Grid<'t> {
    pub(super) fn new(table: &'t Table, markup: &impl Markup, style: &Style) -> Grid<'t> {
        let titles: Vec<String> = table.columns.iter().map(|c| markup.escape(&c.title)).collect();
        let rows: Vec<Vec<String>> = table
            .rows
            .iter()
            .map(|row| {
                row.cells
                    .iter()
                    .zip(&table.columns)
                    .map(|(cell, c)| paint(cell, markup, c.places_under(style)))
                    .collect()
            })
            .collect();
        let widths = (0..titles.len())
            .map(|c| {
                std::iter::once(&titles)
                    .chain(&rows)
                    .filter_map(|r| r.get(c))
                    .map(|t| t.width())
                    .max()
                    .unwrap_or(0)
            })
            .collect();
        Grid { table, titles, rows, widths }
    }

    pub(super) fn align(&self, column: usize) -> Align {
        self.table.columns[column].align
    }

    /// The columns in blocks of at most this width, if columns take these widths and lie this far
    /// apart. The first column leads every block. Joined columns stay in one block.
    pub(super) fn blocks(&self, widths: &[usize], gap: usize, limit: usize) -> Vec<Range<usize>> {
        let first = widths.first().copied().unwrap_or(0);
        let (mut blocks, mut start, mut used) = (Vec::new(), 0, first);
        let mut column = 1;
        while column < widths.len() {
            let joined = self.table.columns[column + 1..].iter().take_while(|next| next.joined);
            let behind = column + 1 + joined.count();
            let wanted = widths[column..behind].iter().map(|width| gap + width).sum();
            // A block has at least one column besides the leading one.
            if used.saturating_add(wanted) > limit && column > start.max(1) {
                blocks.push(start..column);
                start = column;
                used = first;
            }
            used = used.saturating_add(wanted);
            column = behind;
        }
        blocks.push(start..widths.len());
        blocks
    }

    /// The columns of a block, the leading one among them.
    pub(super) fn of_block(block: Range<usize>) -> Vec<usize> {
        let leading = (block.start > 0).then_some(0);
        leading.into_iter().chain(block).collect()
    }

    /// A text in a column, with the blanks that fill it up.
    pub(super) fn padded(&self, column: usize, text: &str) -> String {
        let blanks = " ".repeat(self.widths[column].saturating_sub(text.width()));
        match self.align(column) {
            Align::Left => format!("{text}{blanks}"),
            Align::Right => format!("{blanks}{text}"),
        }
    }
}

fn paint<M: Markup>(cell: &Cell, markup: &M, places: Option<u8>) -> String {
    let text = match &cell.content {
        CellContent::Text(text) => markup.escape(text),
        CellContent::Number(x) => number(*x, places),
        CellContent::List(texts) => markup.escape(&texts.join(" ")),
        CellContent::Flag(flag) => if *flag { "yes" } else { "no" }.to_string(),
        CellContent::Missing => M::MISSING.to_string(),
    };
    if cell.strong { markup.strong(text) } else { text }
}
