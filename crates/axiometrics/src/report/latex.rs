//! Tables in LaTeX, with booktabs.

use super::layout::{Grid, Markup};
use super::safe::acts;
use super::table::{Align, Style, Table};

struct Latex;

impl Markup for Latex {
    const MISSING: &'static str = "--";

    fn escape(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '\\' => out += "\\textbackslash{}",
                '~' => out += "\\textasciitilde{}",
                '^' => out += "\\textasciicircum{}",
                '<' => out += "\\textless{}",
                '>' => out += "\\textgreater{}",
                '|' => out += "\\textbar{}",
                '"' => out += "{\\char34}",
                '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
                c if acts(c) => out.push(' '),
                c => out.push(c),
            }
        }
        out
    }

    fn strong(&self, escaped: String) -> String {
        format!("\\textbf{{{escaped}}}")
    }
}

/// Texts as LaTeX prints them, to know their widths.
struct PrintedText;

impl Markup for PrintedText {
    const MISSING: &'static str = "--";

    fn escape(&self, text: &str) -> String {
        text.to_string()
    }

    fn strong(&self, escaped: String) -> String {
        escaped
    }
}

/// A text as LaTeX must write it.
pub(super) fn escape(text: &str) -> String {
    Latex.escape(text)
}

/// The width of the text of an article, a character and the space between two columns, in points:
/// at ten points a figure is 5 wide, as a small letter is on average.
const TEXT_WIDTH: usize = 345;
const CHARACTER: usize = 5;
const GAP: usize = 12;

/// Rows that a page has room for, below a caption. A longer table breaks over pages.
pub(super) const ROWS_OF_A_PAGE: usize = 40;

/// What a table needs, and how it begins and ends: a float, or a table that breaks over pages if it
/// has more rows than one has room for.
pub(super) struct Frame {
    /// It breaks over pages.
    pub(super) long: bool,
}

impl Frame {
    pub(super) fn of(rows: usize) -> Frame {
        Frame { long: rows > ROWS_OF_A_PAGE }
    }

    /// What comes before the first tabular: packages, and the caption as LaTeX has it.
    pub(super) fn begin(&self, caption: &str) -> String {
        let also = if self.long { ",longtable" } else { "" };
        let needs = format!("% needs \\usepackage{{booktabs{also}}}\n");
        if self.long { needs } else { format!("{needs}\\begin{{table}}\n\\centering\n{caption}") }
    }

    /// A tabular with its head, which a long table repeats on each page.
    pub(super) fn tabular(&self, spec: &str, caption: &str, head: &str, body: &str) -> String {
        if !self.long {
            return format!(
                "\\begin{{tabular}}{{{spec}}}\n\\toprule\n{head}\\midrule\n{body}\\bottomrule\n\\end{{tabular}}\n"
            );
        }
        let head = format!("\\toprule\n{head}\\midrule\n");
        // The caption belongs to the first page alone.
        let first = match caption.trim_end() {
            "" => String::new(),
            caption => format!("{caption} \\\\\n{head}\\endfirsthead\n"),
        };
        format!(
            "\\begin{{longtable}}{{{spec}}}\n{first}{head}\\endhead\n{body}\\bottomrule\n\\end{{longtable}}\n"
        )
    }

    /// What comes after the last tabular.
    pub(super) fn end(&self, notes: &[String]) -> String {
        let note = |note: &String| format!("\\par\\smallskip{{\\footnotesize {}}}\n", escape(note));
        let notes: String = notes.iter().map(note).collect();
        if self.long { notes } else { notes + "\\end{table}\n" }
    }
}

pub(super) fn render(table: &Table, style: &Style) -> String {
    let grid = Grid::new(table, &Latex, style);
    let caption = table.caption.as_ref().map(|text| format!("\\caption{{{}}}\n", escape(text)));
    let caption = caption.unwrap_or_default();
    let frame = Frame::of(table.rows.len());
    let mut out = frame.begin(&caption);
    let letter = |c: &usize| if grid.align(*c) == Align::Left { 'l' } else { 'r' };
    let printed = Grid::new(table, &PrintedText, style).widths;
    let widths: Vec<usize> = printed.iter().map(|width| width * CHARACTER).collect();
    for (i, block) in grid.blocks(&widths, GAP, TEXT_WIDTH).into_iter().enumerate() {
        let columns = Grid::of_block(block);
        let line = |cells: &[String]| {
            let padded: Vec<String> = columns.iter().map(|c| grid.padded(*c, &cells[*c])).collect();
            format!("{} \\\\\n", padded.join(" & "))
        };
        let mut body = String::new();
        for (row, cells) in table.rows.iter().zip(&grid.rows) {
            body += if row.summary { "\\midrule\n" } else { "" };
            body += &line(cells);
        }
        let spec: String = columns.iter().map(letter).collect();
        out += if i > 0 { "\\par\\bigskip\n" } else { "" };
        out +=
            &frame.tabular(&spec, if i == 0 { &caption } else { "" }, &line(&grid.titles), &body);
    }
    out + &frame.end(&table.footnotes)
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::awkward;
    use super::super::table::{Cell, Column};
    use super::*;

    #[test]
    fn awkward_table() {
        insta::assert_snapshot!(render(&awkward(), &Style::default()), @r#"
        % needs \usepackage{booktabs}
        \begin{table}
        \centering
        \caption{Web \& more}
        \begin{tabular}{lrr}
        \toprule
        run                                 &         nDCG@10 & num\_ret \\
        \midrule
        bm25\_rm3.run                       &          0.5123 &     1000 \\
        検索\textbar{}a,{\char34}b{\char34} & \textbf{0.6000} &       20 \\
        50\%\_of\_\$x\textbackslash{}y      &              -- &     -1.5 \\
        \midrule
        all                                 &          0.5562 &     1020 \\
        \bottomrule
        \end{tabular}
        \par\smallskip{\footnotesize max\_grade 3, ties docid-desc}
        \end{table}
        "#);
    }

    /// Columns that a page has no room for come below, and rows on further pages.
    #[test]
    fn wide_and_long_tables_fit_on_pages() {
        let mut table = Table::new(
            std::iter::once(Column::text("measure"))
                .chain((0..12).map(|c| Column::number(format!("column {c}"))))
                .collect(),
        );
        let row = || {
            std::iter::once(Cell::text("nDCG@10"))
                .chain((0..12).map(|c| Cell::number(f64::from(c))))
                .collect::<Vec<_>>()
        };
        table.push(row());
        let wide = render(&table, &Style::default());
        assert_eq!(wide.matches("\\begin{tabular}").count(), 3, "{wide}");
        for line in wide.lines().filter(|line| line.ends_with("\\\\")) {
            assert!(line.starts_with("measure") || line.starts_with("nDCG@10"), "{line}");
            assert!(
                line.split(" & ").map(|cell| cell.len() * CHARACTER + GAP).sum::<usize>()
                    <= TEXT_WIDTH + 4 * GAP,
                "{line}"
            );
        }
        assert!(!wide.contains("longtable"));
        (0..ROWS_OF_A_PAGE).for_each(|_| table.push(row()));
        table.caption = Some("Many".to_string());
        let long = render(&table, &Style::default());
        assert!(
            long.starts_with("% needs \\usepackage{booktabs,longtable}\n\\begin{longtable}{l"),
            "{long}"
        );
        assert!(
            long.contains("\\caption{Many} \\\\\n\\toprule") && long.contains("\\endhead"),
            "{long}"
        );
        assert!(!long.contains("{table}"), "{long}");
    }
}
