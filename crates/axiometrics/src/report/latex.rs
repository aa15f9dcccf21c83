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

/// A text as LaTeX must write it.
pub(super) fn escape(text: &str) -> String {
    Latex.escape(text)
}

pub(super) fn render(table: &Table, style: &Style) -> String {
    let grid = Grid::new(table, &Latex, style);
    let line = |cells: &[String]| {
        let padded: Vec<String> =
            cells.iter().enumerate().map(|(c, text)| grid.padded(c, text)).collect();
        format!("{} \\\\\n", padded.join(" & "))
    };
    let letter = |c: usize| if grid.align(c) == Align::Left { 'l' } else { 'r' };
    let spec: String = (0..grid.widths.len()).map(letter).collect();
    let mut out = String::from("% needs \\usepackage{booktabs}\n\\begin{table}\n\\centering\n");
    if let Some(caption) = &table.caption {
        out += &format!("\\caption{{{}}}\n", Latex.escape(caption));
    }
    out += &format!("\\begin{{tabular}}{{{spec}}}\n\\toprule\n");
    out += &line(&grid.titles);
    out += "\\midrule\n";
    for (row, cells) in table.rows.iter().zip(&grid.rows) {
        if row.summary {
            out += "\\midrule\n";
        }
        out += &line(cells);
    }
    out += "\\bottomrule\n\\end{tabular}\n";
    for note in &table.footnotes {
        out += &format!("\\par\\smallskip{{\\footnotesize {}}}\n", Latex.escape(note));
    }
    out + "\\end{table}\n"
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::awkward;
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
}
