//! Tables for a terminal.

use std::ops::Range;

use super::layout::{Grid, Markup};
use super::table::{Style, Table};

const GAP: &str = "  ";
pub(super) const BOLD: &str = "\x1b[1m";
pub(super) const DIM: &str = "\x1b[2m";
pub(super) const RESET: &str = "\x1b[0m";

struct Plain;

impl Markup for Plain {
    const MISSING: &'static str = "–";

    /// Control characters would move the cursor.
    fn escape(&self, text: &str) -> String {
        text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
    }

    /// Bold takes no room; it is put around the padded cell.
    fn strong(&self, escaped: String) -> String {
        escaped
    }
}

pub(super) fn render(table: &Table, style: &Style) -> String {
    let grid = Grid::new(table, &Plain, style);
    let mark = |code: &str, text: &str| if style.colour { format!("{code}{text}{RESET}") } else { text.to_string() };
    let mut out = String::new();
    if let Some(caption) = &table.caption {
        out += &format!("{}\n", mark(BOLD, &Plain.escape(caption)));
    }
    for (i, block) in blocks(&grid, style.width).into_iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        let columns: Vec<usize> = if i == 0 { block.collect() } else { std::iter::once(0).chain(block).collect() };
        let line = |cells: &[String], strong: &dyn Fn(usize) -> bool| {
            let mut text = String::new();
            for (at, c) in columns.iter().enumerate() {
                let padded = grid.padded(*c, &cells[*c]);
                // No blanks at the end of a line.
                let padded = if at + 1 == columns.len() { padded.trim_end() } else { &padded };
                text += if at > 0 { GAP } else { "" };
                text += &if strong(*c) { mark(BOLD, padded) } else { padded.to_string() };
            }
            text.trim_end().to_string() + "\n"
        };
        let width: usize = columns.iter().map(|c| grid.widths[*c]).sum::<usize>() + GAP.len() * columns.len().saturating_sub(1);
        let rule = mark(DIM, &"─".repeat(width)) + "\n";
        out += &line(&grid.titles, &|_| true);
        out += &rule;
        for (row, cells) in table.rows.iter().zip(&grid.rows) {
            if row.summary {
                out += &rule;
            }
            out += &line(cells, &|c| row.cells[c].strong);
        }
    }
    for note in &table.footnotes {
        out += &format!("{}\n", mark(DIM, &Plain.escape(note)));
    }
    out
}

/// The columns in blocks that fit the width. The first column leads every block.
fn blocks(grid: &Grid<'_>, width: Option<usize>) -> Vec<Range<usize>> {
    let limit = width.unwrap_or(usize::MAX);
    let mut blocks = Vec::new();
    let mut start = 0;
    let mut used = grid.widths.first().copied().unwrap_or(0);
    for column in 1..grid.widths.len() {
        let wanted = GAP.len() + grid.widths[column];
        // A block has at least one column besides the leading one.
        if used.saturating_add(wanted) > limit && column > start.max(1) {
            blocks.push(start..column);
            start = column;
            used = grid.widths[0];
        }
        used += wanted;
    }
    blocks.push(start..grid.widths.len());
    blocks
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::awkward;
    use super::*;

    #[test]
    fn plain() {
        insta::assert_snapshot!(render(&awkward(), &Style::default()), @r#"
        Web & more
        run           nDCG@10  num_ret
        ──────────────────────────────
        bm25_rm3.run   0.5123     1000
        検索|a,"b"     0.6000       20
        50%_of_$x\y         –     -1.5
        ──────────────────────────────
        all            0.5562     1020
        max_grade 3, ties docid-desc
        "#);
    }

    #[test]
    fn with_emphasis_and_places() {
        let style = Style { places: Some(2), colour: true, width: None };
        insta::assert_snapshot!(render(&awkward(), &style).replace('\x1b', "^"), @r#"
        ^[1mWeb & more^[0m
        ^[1mrun         ^[0m  ^[1mnDCG@10^[0m  ^[1mnum_ret^[0m
        ^[2m──────────────────────────────^[0m
        bm25_rm3.run     0.51  1000.00
        検索|a,"b"    ^[1m   0.60^[0m    20.00
        50%_of_$x\y         –    -1.50
        ^[2m──────────────────────────────^[0m
        all              0.56  1020.00
        ^[2mmax_grade 3, ties docid-desc^[0m
        "#);
    }

    #[test]
    fn too_wide_for_the_terminal() {
        let style = Style { width: Some(24), ..Style::default() };
        insta::assert_snapshot!(render(&awkward(), &style), @r#"
        Web & more
        run           nDCG@10
        ─────────────────────
        bm25_rm3.run   0.5123
        検索|a,"b"     0.6000
        50%_of_$x\y         –
        ─────────────────────
        all            0.5562

        run           num_ret
        ─────────────────────
        bm25_rm3.run     1000
        検索|a,"b"         20
        50%_of_$x\y      -1.5
        ─────────────────────
        all              1020
        max_grade 3, ties docid-desc
        "#);
    }

    #[test]
    fn a_table_without_rows_or_columns() {
        assert_eq!(render(&Table::default(), &Style::default()), "\n\n");
    }
}
