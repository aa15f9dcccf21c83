//! Tables for a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::layout::{Grid, Markup};
use super::safe::safe;
use super::shade;
use super::table::{Align, Style, Table};

const GAP: &str = "  ";
/// A table that is not for a terminal may be wide; its rules need not be.
const LONGEST_RULE: usize = 120;
pub(super) const BOLD: &str = "\x1b[1m";
pub(super) const DIM: &str = "\x1b[2m";
pub(super) const RESET: &str = "\x1b[0m";

struct PlainText;

impl Markup for PlainText {
    const MISSING: &'static str = "–";

    fn escape(&self, text: &str) -> String {
        safe(text).into_owned()
    }

    /// Bold takes no room; it is put around the padded cell.
    fn strong(&self, escaped: String) -> String {
        escaped
    }
}

pub(super) fn render(table: &Table, style: &Style) -> String {
    let mut grid = Grid::new(table, &PlainText, style);
    let limit = style.width.unwrap_or(usize::MAX);
    narrow_last(&mut grid, limit);
    let mark = |code: &str, text: &str| {
        if style.colour { format!("{code}{text}{RESET}") } else { text.to_string() }
    };
    let mut out = String::new();
    if let Some(caption) = &table.caption {
        wrapped(&PlainText.escape(caption), limit)
            .iter()
            .for_each(|l| out += &format!("{}\n", mark(BOLD, l)));
    }
    for (i, block) in grid.blocks(&grid.widths, GAP.len(), limit).into_iter().enumerate() {
        out += if i > 0 { "\n" } else { "" };
        let columns = Grid::of_block(block);
        let rule = mark(DIM, &"─".repeat(width(&grid, &columns).min(LONGEST_RULE))) + "\n";
        out += &line(&grid, &columns, &grid.titles, |text, _| mark(BOLD, text));
        out += &rule;
        for (row, cells) in table.rows.iter().zip(&grid.rows) {
            if row.summary {
                out += &rule;
            }
            out += &line(&grid, &columns, cells, |text, c| {
                match (row.cells[c].strong, row.cells[c].shade) {
                    (_, Some(depth)) => mark(&shade::terminal(depth), text),
                    (true, None) => mark(BOLD, text),
                    (false, None) => text.to_string(),
                }
            });
        }
    }
    for note in &table.footnotes {
        wrapped(&PlainText.escape(note), limit)
            .iter()
            .for_each(|l| out += &format!("{}\n", mark(DIM, l)));
    }
    out
}

fn width(grid: &Grid<'_>, columns: &[usize]) -> usize {
    columns.iter().map(|c| grid.widths[*c]).sum::<usize>()
        + GAP.len() * columns.len().saturating_sub(1)
}

/// A row of some columns: one line, or more if a text is wider than its column.
fn line(
    grid: &Grid<'_>,
    columns: &[usize],
    cells: &[String],
    paint: impl Fn(&str, usize) -> String,
) -> String {
    let parts: Vec<Vec<String>> =
        columns.iter().map(|c| in_cell(&cells[*c], grid.widths[*c])).collect();
    let mut out = String::new();
    for i in 0..parts.iter().map(Vec::len).max().unwrap_or(1) {
        let last =
            parts.iter().rposition(|p| p.get(i).is_some_and(|text| !text.is_empty())).unwrap_or(0);
        for (at, (column, part)) in columns.iter().zip(&parts).enumerate().take(last + 1) {
            let padded = grid.padded(*column, part.get(i).map_or("", String::as_str));
            // No blanks at the end of a line.
            let padded = if at == last { padded.trim_end() } else { &padded };
            out += if at > 0 { GAP } else { "" };
            out += &paint(padded, *column);
        }
        out.push('\n');
    }
    out
}

/// A last column of texts gets what room is left, if that is enough to read in.
fn narrow_last(grid: &mut Grid<'_>, limit: usize) {
    const READABLE: usize = 20;
    const LEAST: usize = 8;
    let all: Vec<usize> = (0..grid.widths.len()).collect();
    let excess = width(grid, &all).saturating_sub(limit);
    if let Some(last) = all.last().filter(|c| excess > 0 && grid.align(**c) == Align::Left)
        && grid.widths[*last] >= READABLE + excess
    {
        grid.widths[*last] -= excess;
    }
    // Any other text is in a block with the first column alone, if need be, which leaves it half of
    // a narrow terminal.
    let Some(first) = grid.widths.first().copied() else { return };
    let is_text = grid.align(0) == Align::Left;
    if excess > 0 && is_text && limit < first + GAP.len() + READABLE {
        grid.widths[0] = first.min((limit / 2).max(LEAST));
    }
    let room = limit.saturating_sub(grid.widths[0] + GAP.len()).max(LEAST);
    for column in 1..grid.widths.len() {
        if grid.align(column) == Align::Left {
            grid.widths[column] = grid.widths[column].min(room);
        }
    }
}

/// The lines of a cell. A word that is wider than its column is broken.
fn in_cell(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in wrapped(text, width) {
        let (mut part, mut filled) = (String::new(), 0);
        for c in line.chars() {
            let needed = c.width().unwrap_or(0);
            if filled > 0 && filled + needed > width {
                lines.push(std::mem::take(&mut part));
                filled = 0;
            }
            part.push(c);
            filled += needed;
        }
        lines.push(part);
    }
    lines
}

/// A text in lines of at most so many columns, broken between words; a longer word stays whole.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    if text.width() <= width {
        return vec![text.to_string()];
    }
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::awkward;
    use super::super::table::{Cell, Column};
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
        let style = Style { places: Some(2), colour: true, ..Style::default() };
        insta::assert_snapshot!(render(&awkward(), &style).replace('\x1b', "^"), @r#"
        ^[1mWeb & more^[0m
        ^[1mrun         ^[0m  ^[1mnDCG@10^[0m  ^[1mnum_ret^[0m
        ^[2m──────────────────────────────^[0m
        bm25_rm3.run     0.51     1000
        検索|a,"b"    ^[1m   0.60^[0m       20
        50%_of_$x\y         –     -1.5
        ^[2m──────────────────────────────^[0m
        all              0.56     1020
        ^[2mmax_grade 3, ties docid-desc^[0m
        "#);
    }

    #[test]
    fn a_heat_map() {
        let mut table =
            Table::new(vec![Column::text("m"), Column::number("a"), Column::number("b")]);
        table.push(vec![
            Cell::text("a"),
            Cell::number(1.0).shade(Some(1.0)),
            Cell::number(-0.5).shade(Some(-0.5)),
        ]);
        let style = Style { colour: true, ..Style::default() };
        let shaded = render(&table, &style);
        // White on full blue, black on half orange.
        for cell in [
            "\x1b[48;2;0;114;178m\x1b[38;5;15m1.0000\x1b[0m",
            "\x1b[48;2;234;175;128m\x1b[38;5;16m-0.5000\x1b[0m",
        ] {
            assert!(shaded.contains(cell), "{shaded:?}");
        }
        assert!(!render(&table, &Style::default()).contains('\x1b'));
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
        max_grade 3, ties
        docid-desc
        "#);
    }

    #[test]
    fn a_score_stays_beside_the_ends_of_its_range() {
        let measure = |name: &str| {
            let ends = ["low", "high"].map(|end| Column::number(end).joined());
            std::iter::once(Column::number(name)).chain(ends).collect::<Vec<_>>()
        };
        let columns = std::iter::once(Column::text("run"))
            .chain(["AP", "RR", "P@5"].iter().flat_map(|m| measure(m)));
        let mut table = Table::new(columns.collect());
        let numbers = (0..9).map(|i| Cell::number(f64::from(i) / 10.0));
        table.push(std::iter::once(Cell::text("a.run")).chain(numbers).collect());
        for width in 10..90 {
            let text = render(&table, &Style { width: Some(width), ..Style::default() });
            for head in text.lines().filter(|line| line.contains("run ")) {
                for name in ["AP", "RR", "P@5"] {
                    let after = head.split_once(name).map(|(_, after)| after);
                    let read_on =
                        |after: &str| after.split_whitespace().take(2).eq(["low", "high"]);
                    assert!(after.is_none_or(read_on), "{width}: {text}");
                }
            }
        }
    }

    #[test]
    fn a_last_column_of_texts_is_wrapped() {
        let mut table = Table::new(vec![
            Column::text("name"),
            Column::number("n").exact(),
            Column::text("meaning"),
        ]);
        table.push(vec![
            Cell::text("a"),
            Cell::number(1.0),
            Cell::text("a text that is much wider than the room there is for it"),
        ]);
        table.push(vec![Cell::text("b"), Cell::number(2.0), Cell::text("")]);
        let style = Style { width: Some(40), ..Style::default() };
        insta::assert_snapshot!(render(&table, &style), @"
        name  n  meaning
        ────────────────────────────────────────
        a     1  a text that is much wider than
                 the room there is for it
        b     2
        ");
    }

    /// Names and reasons of any length, on terminals from 24 columns on.
    #[test]
    fn no_line_of_a_table_is_wider_than_the_terminal() {
        let mut table = Table::new(vec![
            Column::text("check"),
            Column::text("verdict"),
            Column::number("n").exact(),
            Column::text("why"),
        ]);
        for name in ["deepness-threshold", "a/very/long/path/of-a-file-without-a-space.run", "AP"] {
            table.push(vec![
                Cell::text(name),
                Cell::text("violated"),
                Cell::number(12.5),
                Cell::text("n = 3: one on top scores 0.3333, n after n irrelevant 0.3833"),
            ]);
        }
        for width in 24..130 {
            let style = Style { width: Some(width), ..Style::default() };
            for line in render(&table, &style).lines() {
                assert!(line.width() <= width, "{width}: {line}");
            }
        }
    }

    #[test]
    fn words_are_never_broken() {
        assert_eq!(wrapped("aa bb cc", 5), ["aa bb", "cc"]);
        assert_eq!(wrapped("longerthanthewidth b", 5), ["longerthanthewidth", "b"]);
        assert_eq!(wrapped("as  it  is", 10), ["as  it  is"]);
    }

    #[test]
    fn a_table_without_rows_or_columns() {
        assert_eq!(render(&Table::default(), &Style::default()), "\n\n");
    }
}
