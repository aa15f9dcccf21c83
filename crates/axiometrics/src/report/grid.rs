//! A table, laid out once, with a small hook per dialect.

use std::borrow::Cow;
use std::fmt::Write as _;

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Aligned columns for a terminal.
    Text,
    /// A pipe table.
    Markdown,
    /// A `tabular`.
    Latex,
    /// Comma separated values, quoted where needed.
    Csv,
    /// A `table` element.
    Html,
}

/// One cell.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// What is shown.
    pub text: String,
    /// What lies behind it: shown in HTML when the pointer rests on the cell.
    pub hint: Option<String>,
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), hint: None }
    }
}

/// A table with one header row and notes below.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Grid {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, as long as the header.
    pub rows: Vec<Vec<Cell>>,
    /// Lines below the table. Not in CSV, which is for programs.
    pub notes: Vec<String>,
}

impl Grid {
    /// The table as text, ending with a line break.
    pub fn render(&self, dialect: Dialect) -> String {
        let mut out = String::new();
        let texts: Vec<Vec<Cow<'_, str>>> = self.rows.iter().map(|r| r.iter().map(|c| escape(&c.text, dialect)).collect()).collect();
        let header: Vec<Cow<'_, str>> = self.header.iter().map(|h| escape(h, dialect)).collect();
        match dialect {
            Dialect::Text | Dialect::Markdown => {
                let width = |i: usize| texts.iter().map(|r| chars(&r[i])).chain([chars(&header[i])]).max().unwrap_or(0);
                let widths: Vec<usize> = (0..header.len()).map(width).collect();
                let (open, between, close) = if dialect == Dialect::Text { ("", "  ", "") } else { ("| ", " | ", " |") };
                let mut line = |cells: &[Cow<'_, str>]| {
                    let padded: Vec<String> = cells.iter().zip(&widths).map(|(c, w)| format!("{c}{}", " ".repeat(w - chars(c)))).collect();
                    let _ = writeln!(out, "{}", format!("{open}{}{close}", padded.join(between)).trim_end());
                };
                line(&header);
                let rule: Vec<Cow<'_, str>> = widths.iter().map(|w| "-".repeat(*w).into()).collect();
                line(&rule);
                texts.iter().for_each(|row| line(row));
            }
            Dialect::Csv => std::iter::once(&header).chain(&texts).for_each(|row| {
                let _ = writeln!(out, "{}", row.join(","));
            }),
            Dialect::Latex => {
                let _ = writeln!(out, "\\begin{{tabular}}{{l{}}}\n\\hline", "c".repeat(header.len().saturating_sub(1)));
                let _ = writeln!(out, "{} \\\\\n\\hline", header.join(" & "));
                for row in &texts {
                    let _ = writeln!(out, "{} \\\\", row.join(" & "));
                }
                out.push_str("\\hline\n\\end{tabular}\n");
            }
            Dialect::Html => {
                let cells: String = header.iter().map(|h| format!("<th>{h}</th>")).collect();
                let _ = writeln!(out, "<table>\n<thead><tr>{cells}</tr></thead>\n<tbody>");
                for (row, texts) in self.rows.iter().zip(&texts) {
                    let cell = |(c, text): (&Cell, &Cow<'_, str>)| match &c.hint {
                        Some(hint) => format!("<td title=\"{}\">{text}</td>", escape(hint, dialect)),
                        None => format!("<td>{text}</td>"),
                    };
                    let _ = writeln!(out, "<tr>{}</tr>", row.iter().zip(texts).map(cell).collect::<String>());
                }
                out.push_str("</tbody>\n</table>\n");
            }
        }
        self.add_notes(&mut out, dialect);
        out
    }

    fn add_notes(&self, out: &mut String, dialect: Dialect) {
        let notes = || self.notes.iter().map(|n| escape(n, dialect));
        match dialect {
            Dialect::Csv => {}
            _ if self.notes.is_empty() => {}
            Dialect::Html => notes().for_each(|n| {
                let _ = writeln!(out, "<p>{n}</p>");
            }),
            Dialect::Latex => notes().for_each(|n| {
                let _ = writeln!(out, "\n{n}");
            }),
            Dialect::Text | Dialect::Markdown => {
                out.push('\n');
                let end = if dialect == Dialect::Markdown { "\n\n" } else { "\n" };
                let text: Vec<_> = notes().collect();
                out.push_str(&text.join(end));
                out.push('\n');
            }
        }
    }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// A text as the dialect can hold it.
pub fn escape(text: &str, dialect: Dialect) -> Cow<'_, str> {
    let special: &[char] = match dialect {
        Dialect::Text => return text.into(),
        Dialect::Markdown => &['|', '<', '*', '_', '\\'],
        Dialect::Latex => &['&', '%', '$', '#', '_', '{', '}', '~', '^', '\\', '<', '>', '|'],
        Dialect::Csv => {
            let quoted = text.contains([',', '"', '\n', '\r']);
            return if quoted { format!("\"{}\"", text.replace('"', "\"\"")).into() } else { text.into() };
        }
        Dialect::Html => &['&', '<', '>', '"'],
    };
    if !text.contains(special) {
        return text.into();
    }
    let mut out = String::new();
    for c in text.chars() {
        match (dialect, c) {
            (Dialect::Html, '&') => out.push_str("&amp;"),
            (Dialect::Html, '<') => out.push_str("&lt;"),
            (Dialect::Html, '>') => out.push_str("&gt;"),
            (Dialect::Html, '"') => out.push_str("&quot;"),
            (Dialect::Latex, '\\') => out.push_str("\\textbackslash{}"),
            (Dialect::Latex, '~') => out.push_str("\\textasciitilde{}"),
            (Dialect::Latex, '^') => out.push_str("\\textasciicircum{}"),
            (Dialect::Latex, '<' | '>' | '|') => {
                let _ = write!(
                    out,
                    "${}$",
                    if c == '|' {
                        "\\vert"
                    } else if c == '<' {
                        "<"
                    } else {
                        ">"
                    }
                );
            }
            (_, c) if special.contains(&c) => {
                out.push('\\');
                out.push(c);
            }
            (_, c) => out.push(c),
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        Grid {
            header: vec!["metric".into(), "a_b".into()],
            rows: vec![vec!["P@5".into(), Cell { text: "N".into(), hint: Some("10|1 < \"x\"".into()) }], vec!["x, y".into(), "1|0".into()]],
            notes: vec!["a note".into()],
        }
    }

    #[test]
    fn one_table_in_every_dialect() {
        let g = grid();
        assert_eq!(g.render(Dialect::Text), "metric  a_b\n------  ---\nP@5     N\nx, y    1|0\n\na note\n");
        assert_eq!(g.render(Dialect::Markdown), "| metric | a\\_b |\n| ------ | ---- |\n| P@5    | N    |\n| x, y   | 1\\|0 |\n\na note\n");
        assert_eq!(g.render(Dialect::Csv), "metric,a_b\nP@5,N\n\"x, y\",1|0\n");
        assert_eq!(
            g.render(Dialect::Latex),
            "\\begin{tabular}{lc}\n\\hline\nmetric & a\\_b \\\\\n\\hline\nP@5 & N \\\\\nx, y & 1$\\vert$0 \\\\\n\\hline\n\\end{tabular}\n\na note\n"
        );
        let html = g.render(Dialect::Html);
        assert!(html.contains("<td title=\"10|1 &lt; &quot;x&quot;\">N</td>"), "{html}");
        assert!(html.ends_with("<p>a note</p>\n"));
    }
}
