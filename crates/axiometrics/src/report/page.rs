//! A page of prose under headings: what `explain` shows, in a terminal and elsewhere.

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use super::layout::Markup;
use super::markdown::Markdown;
use super::table::Style;
use super::text::{BOLD, RESET};

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
    /// The page for a terminal.
    pub fn text(&self, style: &Style) -> String {
        let width = style.width.unwrap_or(WIDEST).min(WIDEST);
        let bold = |text: &str| if style.colour { format!("{BOLD}{text}{RESET}") } else { text.to_string() };
        let mut out = format!("{}\n", bold(&self.title));
        for section in &self.sections {
            out += &format!("\n{}\n", bold(&section.heading));
            for (i, block) in section.blocks.iter().enumerate() {
                out += if i > 0 { "\n" } else { "" };
                match block {
                    Block::Paragraph(text) => out += &wrap(text, INDENT, INDENT, width),
                    Block::List(points) => points.iter().for_each(|p| out += &wrap(p, "  - ", "    ", width)),
                    Block::Lines(lines) => lines.iter().for_each(|l| out += &indented(l)),
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
                    Block::List(points) => points.iter().for_each(|p| out += &format!("- {}\n", Markdown.escape(p))),
                    Block::Lines(lines) => out += &format!("```text\n{}\n```\n", lines.join("\n")),
                }
            }
        }
        out
    }
}

fn indented(line: &str) -> String {
    format!("{INDENT}{line}").trim_end().to_string() + "\n"
}

/// Words in lines of at most `width` columns, where words are not longer than that.
fn wrap(text: &str, first: &str, other: &str, width: usize) -> String {
    let mut out = String::new();
    let mut line = first.to_string();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.width() + 1 + word.width() > width {
            out += &line;
            out.push('\n');
            line = other.to_string();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line += word;
        empty = false;
    }
    out + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_and_never_broken() {
        assert_eq!(wrap("aa bb cc", "- ", "  ", 7), "- aa bb\n  cc\n");
        assert_eq!(wrap("longerthanthewidth b", "", "", 5), "longerthanthewidth\nb\n");
    }
}
