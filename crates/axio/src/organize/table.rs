//! A table of text and numbers in the formats that hold tables.

use std::io::{self, Write};

/// Rows under a header.
pub(super) struct Table {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A cell.
pub(super) enum Cell {
    Text(String),
    /// A number, or nothing.
    Number(Option<f64>),
}

/// How a table is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Plain,
    Markdown,
    Latex,
    Tsv,
    Csv,
}

impl Table {
    /// Writes the table; numbers with `places` decimals, or in full.
    pub(super) fn write(&self, style: Style, places: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
        let nothing = if matches!(style, Style::Tsv | Style::Csv) { "NA" } else { "-" };
        let text = |cell: &Cell| match cell {
            Cell::Text(text) => text.clone(),
            Cell::Number(None) => nothing.to_string(),
            Cell::Number(Some(value)) => places.map_or_else(|| value.to_string(), |places| format!("{value:.places$}")),
        };
        let mut rows = vec![self.header.clone()];
        rows.extend(self.rows.iter().map(|row| row.iter().map(text).collect()));
        match style {
            Style::Tsv => delimited(&rows, '\t', out),
            Style::Csv => delimited(&rows, ',', out),
            Style::Plain => aligned(&rows, &self.right(), out),
            Style::Markdown => markdown(&rows, &self.right(), out),
            Style::Latex => latex(&rows, &self.right(), out),
        }
    }

    /// Which columns hold numbers.
    fn right(&self) -> Vec<bool> {
        (0..self.header.len()).map(|at| self.rows.first().is_some_and(|row| matches!(row[at], Cell::Number(_)))).collect()
    }
}

fn delimited(rows: &[Vec<String>], delimiter: char, out: &mut dyn Write) -> io::Result<()> {
    for row in rows {
        let fields: Vec<String> = row.iter().map(|field| quoted(field, delimiter)).collect();
        writeln!(out, "{}", fields.join(&delimiter.to_string()))?;
    }
    Ok(())
}

fn quoted(field: &str, delimiter: char) -> String {
    if field.contains([delimiter, '"', '\n', '\r']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_string() }
}

fn padded(rows: &[Vec<String>], right: &[bool]) -> Vec<Vec<String>> {
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..right.len()).map(width).collect();
    let pad =
        |(at, field): (usize, &String)| if right[at] { format!("{field:>0$}", widths[at]) } else { format!("{field:<0$}", widths[at]) };
    rows.iter().map(|row| row.iter().enumerate().map(pad).collect()).collect()
}

fn aligned(rows: &[Vec<String>], right: &[bool], out: &mut dyn Write) -> io::Result<()> {
    for row in padded(rows, right) {
        writeln!(out, "{}", row.join("  ").trim_end())?;
    }
    Ok(())
}

fn markdown(rows: &[Vec<String>], right: &[bool], out: &mut dyn Write) -> io::Result<()> {
    let escaped: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|field| field.replace('|', "\\|")).collect()).collect();
    for (at, row) in padded(&escaped, right).iter().enumerate() {
        writeln!(out, "| {} |", row.join(" | "))?;
        if at == 0 {
            let rules: Vec<&str> = right.iter().map(|&right| if right { "---:" } else { "---" }).collect();
            writeln!(out, "| {} |", rules.join(" | "))?;
        }
    }
    Ok(())
}

fn latex(rows: &[Vec<String>], right: &[bool], out: &mut dyn Write) -> io::Result<()> {
    let columns: String = right.iter().map(|&right| if right { 'r' } else { 'l' }).collect();
    writeln!(out, "\\begin{{tabular}}{{{columns}}}\n\\hline")?;
    let escaped: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|field| latex_escaped(field)).collect()).collect();
    for (at, row) in padded(&escaped, right).iter().enumerate() {
        writeln!(out, "{} \\\\{}", row.join(" & "), if at == 0 { "\n\\hline" } else { "" })?;
    }
    writeln!(out, "\\hline\n\\end{{tabular}}")
}

fn latex_escaped(text: &str) -> String {
    let escape = |c: char| match c {
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{c}"),
        '~' => "\\textasciitilde{}".to_string(),
        '^' => "\\textasciicircum{}".to_string(),
        '\\' => "\\textbackslash{}".to_string(),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(style: Style) -> String {
        let row = |name: &str, value| vec![Cell::Text(name.to_string()), Cell::Number(value)];
        let table = Table { header: vec!["measure".into(), "a,b_1".into()], rows: vec![row("F", Some(0.123456)), row("x|\"y\"", None)] };
        let mut out = Vec::new();
        table.write(style, Some(3), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_style() {
        assert_eq!(written(Style::Plain), "measure  a,b_1\nF        0.123\nx|\"y\"        -\n");
        assert_eq!(written(Style::Tsv), "measure\ta,b_1\nF\t0.123\n\"x|\"\"y\"\"\"\tNA\n");
        assert_eq!(written(Style::Csv), "measure,\"a,b_1\"\nF,0.123\n\"x|\"\"y\"\"\",NA\n");
        assert_eq!(written(Style::Markdown), "| measure | a,b_1 |\n| --- | ---: |\n| F       | 0.123 |\n| x\\|\"y\"  |     - |\n");
        let latex = "\\begin{tabular}{lr}\n\\hline\nmeasure & a,b\\_1 \\\\\n\\hline\nF       &  0.123 \\\\\nx|\"y\"   &      - \\\\\n\\hline\n\\end{tabular}\n";
        assert_eq!(written(Style::Latex), latex);
    }
}
