//! A page of prose under headings: what `explain` shows, in a terminal and elsewhere.

use serde::Serialize;

use super::format::OutputFormat;
use super::latex;
use super::layout::Markup;
use super::markdown::Markdown;
use super::safe::safe;
use super::table::{Cell, Column, Style, Table};
use super::text::{BOLD, RESET, wrapped};

/// A page.
#[derive(Debug, Clone, Serialize)]
pub struct Page {
    /// What it is about.
    pub title: String,
    /// Its parts.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Debug, Clone, Serialize)]
pub struct Section {
    /// Its heading.
    pub heading: String,
    /// What stands below the heading.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    /// Prose, wrapped to the width at hand.
    Paragraph(String),
    /// Points.
    List(Vec<String>),
    /// Lines that stay as they are.
    Lines(Vec<String>),
}

/// Prose wider than this is hard to read.
const WIDEST: usize = 100;
const INDENT: &str = "  ";

impl Page {
    /// The page in the formats that have a form for prose; `None` for the others.
    pub(super) fn render(&self, format: OutputFormat, style: &Style) -> Option<String> {
        match format {
            OutputFormat::Table => Some(self.text(style)),
            OutputFormat::Markdown => Some(self.markdown()),
            OutputFormat::Latex => Some(self.latex()),
            _ => None,
        }
    }

    /// The page as rows: what each section says, piece by piece.
    pub(super) fn table(&self) -> Table {
        let mut table = Table::new(["section", "text"].map(Column::text).to_vec());
        table.caption = Some(self.title.clone());
        for section in &self.sections {
            for block in &section.blocks {
                let pieces = match block {
                    Block::Paragraph(text) => vec![text.clone()],
                    Block::List(points) => points.clone(),
                    Block::Lines(lines) => vec![lines.join("\n")],
                };
                for piece in pieces {
                    table.push(vec![Cell::text(&section.heading), Cell::text(piece)]);
                }
            }
        }
        table
    }

    /// The page for a terminal.
    pub fn text(&self, style: &Style) -> String {
        let width = style.width.unwrap_or(WIDEST).min(WIDEST);
        let bold = |text: &str| {
            let text = safe(text);
            if style.colour { format!("{BOLD}{text}{RESET}") } else { text.into_owned() }
        };
        let mut out = format!("{}\n", bold(&self.title));
        for section in &self.sections {
            out += &format!("\n{}\n", bold(&section.heading));
            for (i, block) in section.blocks.iter().enumerate() {
                out += if i > 0 { "\n" } else { "" };
                match block {
                    Block::Paragraph(text) => out += &hanging(&safe(text), INDENT, width),
                    Block::List(points) => {
                        points.iter().for_each(|p| out += &hanging(&safe(p), "  - ", width));
                    }
                    Block::Lines(lines) => lines.iter().for_each(|l| out += &indented(&safe(l))),
                }
            }
        }
        out
    }

    /// The page in Markdown.
    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n", Markdown.escape(&self.title));
        for section in &self.sections {
            out += &format!("\n## {}\n", Markdown.escape(&section.heading));
            for block in &section.blocks {
                out.push('\n');
                match block {
                    Block::Paragraph(text) => out += &format!("{}\n", Markdown.escape(text)),
                    Block::List(points) => {
                        points.iter().for_each(|p| out += &format!("- {}\n", Markdown.escape(p)))
                    }
                    Block::Lines(lines) => out += &format!("```text\n{}\n```\n", lines.join("\n")),
                }
            }
        }
        out
    }

    /// The page in LaTeX.
    fn latex(&self) -> String {
        let escape = latex::escape;
        let mut out = format!("\\section*{{{}}}\n", escape(&self.title));
        for section in &self.sections {
            out += &format!("\n\\subsection*{{{}}}\n", escape(&section.heading));
            for block in &section.blocks {
                out.push('\n');
                match block {
                    Block::Paragraph(text) => out += &format!("{}\n", escape(text)),
                    Block::List(points) => {
                        out += "\\begin{itemize}\n";
                        points.iter().for_each(|p| out += &format!("\\item {}\n", escape(p)));
                        out += "\\end{itemize}\n";
                    }
                    Block::Lines(lines) => {
                        out += &format!(
                            "\\begin{{verbatim}}\n{}\n\\end{{verbatim}}\n",
                            lines.join("\n")
                        );
                    }
                }
            }
        }
        out
    }
}

fn indented(line: &str) -> String {
    format!("{INDENT}{line}").trim_end().to_string() + "\n"
}

/// A text below its first mark, the other lines under the text.
fn hanging(text: &str, mark: &str, width: usize) -> String {
    let lines = wrapped(text, width.saturating_sub(mark.len()));
    let blanks = " ".repeat(mark.len());
    lines
        .iter()
        .enumerate()
        .map(|(i, line)| format!("{}{line}\n", if i == 0 { mark } else { &blanks }))
        .collect()
}
