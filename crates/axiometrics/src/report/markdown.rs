//! Tables in Markdown.

use super::layout::{Grid, Markup};
use super::safe::acts;
use super::table::{Align, Style, Table};

pub(super) struct Markdown;

impl Markup for Markdown {
    const MISSING: &'static str = "–";

    fn escape(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut before = ' ';
        let mut rest = text.chars().peekable();
        while let Some(c) = rest.next() {
            let after = rest.peek().copied().unwrap_or(' ');
            // An underscore within a word marks nothing.
            let plain = c == '_' && before.is_alphanumeric() && after.is_alphanumeric();
            if "\\|*_`<[$~".contains(c) && !plain {
                out.push('\\');
            }
            out.push(if acts(c) { ' ' } else { c });
            before = c;
        }
        out
    }

    fn strong(&self, escaped: String) -> String {
        format!("**{escaped}**")
    }
}

pub(super) fn render(table: &Table, style: &Style) -> String {
    let mut grid = Grid::new(table, &Markdown, style);
    for width in &mut grid.widths {
        *width = (*width).max(3);
    }
    let line = |cells: &[String]| {
        let padded: Vec<String> =
            cells.iter().enumerate().map(|(c, text)| grid.padded(c, text)).collect();
        format!("| {} |\n", padded.join(" | "))
    };
    let mut out = String::new();
    if let Some(caption) = &table.caption {
        out += &format!("{}\n\n", Markdown.strong(Markdown.escape(caption)));
    }
    out += &line(&grid.titles);
    for (c, width) in grid.widths.iter().enumerate() {
        let dashes = "-".repeat(width + 1);
        out += &match grid.align(c) {
            Align::Left => format!("|:{dashes}"),
            Align::Right => format!("|{dashes}:"),
        };
    }
    out += "|\n";
    for row in &grid.rows {
        out += &line(row);
    }
    for note in &table.footnotes {
        out += &format!("\n{}\n", Markdown.escape(note));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::awkward;
    use super::*;

    #[test]
    fn awkward_table() {
        insta::assert_snapshot!(render(&awkward(), &Style::default()), @r#"
        **Web & more**

        | run             |    nDCG@10 | num_ret |
        |:----------------|-----------:|--------:|
        | bm25_rm3.run    |     0.5123 |    1000 |
        | 検索\|a,"b"     | **0.6000** |      20 |
        | 50%\_of\_\$x\\y |          – |    -1.5 |
        | all             |     0.5562 |    1020 |

        max_grade 3, ties docid-desc
        "#);
    }
}
