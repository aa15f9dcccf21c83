//! Tables as a page of HTML that needs nothing else.

use super::layout::{Grid, Markup};
use super::safe::safe;
use super::table::{Align, Style, Table};

struct Html;

impl Markup for Html {
    const MISSING: &'static str = "–";

    fn escape(&self, text: &str) -> String {
        escape(text)
    }

    fn strong(&self, escaped: String) -> String {
        format!("<b>{escaped}</b>")
    }
}

/// A text that HTML takes for nothing else, and that acts on nobody who reads it.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in safe(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<title>axio</title>
<style>
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem}
figure{margin:0 0 2rem;overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.5rem 0}
th,td{padding:.25rem .75rem;border-bottom:1px solid #8884;text-align:left;vertical-align:top}
th{border-bottom:2px solid #888}
.n{text-align:right}
.s td{border-top:1px solid #888}
p{margin:.25rem 0;max-width:60rem}
</style>
</head>
<body>
";

/// The page.
pub(super) fn render(tables: &[Table], style: &Style) -> String {
    let figures: String = tables.iter().map(|table| figure(table, style)).collect();
    format!("{HEAD}{figures}</body>\n</html>\n")
}

fn figure(table: &Table, style: &Style) -> String {
    let grid = Grid::new(table, &Html, style);
    let line = |tag: &str, cells: &[String]| -> String {
        let cell = |(column, text): (usize, &String)| match grid.align(column) {
            Align::Right => format!("<{tag} class=\"n\">{text}</{tag}>"),
            Align::Left => format!("<{tag}><bdi>{text}</bdi></{tag}>"),
        };
        cells.iter().enumerate().map(cell).collect()
    };
    let caption = table
        .caption
        .as_deref()
        .map_or(String::new(), |text| format!("<caption>{}</caption>\n", Html.escape(text)));
    let mut out = format!(
        "<figure>\n<table>\n{caption}<thead><tr>{}</tr></thead>\n<tbody>\n",
        line("th", &grid.titles)
    );
    for (cells, row) in grid.rows.iter().zip(&table.rows) {
        let class = if row.summary { " class=\"s\"" } else { "" };
        out += &format!("<tr{class}>{}</tr>\n", line("td", cells));
    }
    out += "</tbody>\n</table>\n";
    for note in &table.footnotes {
        out += &format!("<p>{}</p>\n", Html.escape(note));
    }
    out + "</figure>\n"
}

#[cfg(test)]
mod tests {
    use super::super::table::tests::awkward;
    use super::*;

    #[test]
    fn awkward_table() {
        let page = render(&[awkward()], &Style::default());
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("<tr")).collect();
        insta::assert_snapshot!(rows.join("\n"), @r#"
        <tr><td><bdi>bm25_rm3.run</bdi></td><td class="n">0.5123</td><td class="n">1000</td></tr>
        <tr><td><bdi>検索|a,&quot;b&quot;</bdi></td><td class="n"><b>0.6000</b></td><td class="n">20</td></tr>
        <tr><td><bdi>50%_of_$x\y</bdi></td><td class="n">–</td><td class="n">-1.5</td></tr>
        <tr class="s"><td><bdi>all</bdi></td><td class="n">0.5562</td><td class="n">1020</td></tr>
        "#);
    }

    #[test]
    fn nothing_of_an_input_is_taken_for_html() {
        let mut table = awkward();
        table.caption = Some("<script>alert(1)</script>".to_string());
        table.footnotes.push("a \u{202e} b & <b>".to_string());
        let page = render(&[table], &Style::default());
        assert!(!page.contains("<script") && !page.contains('\u{202e}'), "{page}");
        assert!(page.contains("&amp; &lt;b&gt;"), "{page}");
    }
}
