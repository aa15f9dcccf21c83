//! A measure's definition as a page.

use unicode_width::UnicodeWidthStr;

use super::number::number;
use super::page::{Block, Page, Section};
use super::table::{Cell, Column, Table};
use crate::measure::{Alias, Cutoff, Def, Example, Param, Suffix};

/// All that a measure says about itself, under the same headings for each.
pub fn measure_page(def: &Def) -> Page {
    let prose = |text: &str| vec![Block::Paragraph(text.to_string())];
    let list = |points: &[&str]| match points {
        [] => prose("nothing known"),
        [one] => prose(one),
        many => vec![Block::List(many.iter().map(ToString::to_string).collect())],
    };
    let section = |heading: &str, blocks: Vec<Block>| Section { heading: heading.to_string(), blocks };
    let mut spellings = vec![own_spelling(def)];
    spellings.extend(def.aliases.iter().map(spelling));
    Page {
        title: format!("{} — {}", def.name, def.title),
        sections: vec![
            section("Definition", prose(def.definition)),
            section("Range", prose(def.range)),
            section("Undefined when", prose(def.undefined)),
            section("User model", prose(def.user_model)),
            section("Parameters", vec![Block::Table(parameters(def))]),
            section("Example by hand", def.examples.iter().map(|e| Block::Lines(drawn(e))).collect()),
            section("Differs from", list(def.differs)),
            section("Spellings", prose(&spellings.join(", "))),
            section("References", list(def.references)),
        ],
    }
}

fn own_spelling(def: &Def) -> String {
    match def.cutoff {
        Cutoff::Never => def.name.to_string(),
        Cutoff::Optional => format!("{0}, {0}@10", def.name),
        Cutoff::Required => format!("{}@10", def.name),
    }
}

/// A foreign spelling with what it implies and how a number is glued to it.
fn spelling(alias: &Alias) -> String {
    let glued = match alias.suffix {
        Suffix::None => alias.spelling.to_string(),
        Suffix::Cutoff => format!("{}_10", alias.spelling),
        Suffix::Param(name) => format!("{}.{name}", alias.spelling),
    };
    if alias.implies.is_empty() { glued } else { format!("{glued} ({})", alias.implies) }
}

fn parameters(def: &Def) -> Table {
    let mut table = Table::new(vec![Column::text("name"), Column::text("value"), Column::text("default"), Column::text("meaning")]);
    let row =
        |name: &str, value: &str, default: &str, meaning: &str| vec![name, value, default, meaning].into_iter().map(Cell::text).collect();
    match def.cutoff {
        Cutoff::Never => {}
        Cutoff::Optional => table.push(row("@k", "a whole number of at least 1", "no cutoff", "only the top k documents are looked at")),
        Cutoff::Required => table.push(row("@k", "a whole number of at least 1", "required", "only the top k documents are looked at")),
    }
    for Param { name, kind, default, doc } in def.params {
        table.push(row(name, &kind.expected(), default.unwrap_or("none"), doc));
    }
    table
}

/// The ranking with its ranks above it, the working and the value.
fn drawn(example: &Example) -> Vec<String> {
    let (ranking, rest) = example.ranking.split_once('|').unwrap_or((example.ranking, ""));
    let documents: Vec<&str> = ranking.split_whitespace().collect();
    let (mut ranks, mut grades) = (String::from("rank "), String::from("grade"));
    for (i, document) in documents.iter().enumerate() {
        let rank = (i + 1).to_string();
        let width = rank.len().max(document.width());
        ranks += &format!("  {}{rank}", " ".repeat(width - rank.len()));
        grades += &format!("  {}{document}", " ".repeat(width - document.width()));
    }
    if documents.is_empty() {
        grades += "  nothing retrieved";
    }
    let mut lines = vec![ranks, grades];
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    if !rest.is_empty() {
        lines.push(format!("not retrieved, of grade: {rest}"));
    }
    if documents.contains(&"-") {
        lines.push("(- is not judged)".to_string());
    }
    lines.push(example.working.to_string());
    lines.push(format!("{} = {}", example.measure, number(example.value, Some(4))));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure;
    use crate::report::Style;

    #[test]
    fn every_measure_fills_every_heading() {
        for def in measure::definitions() {
            let page = measure_page(def);
            for section in &page.sections {
                assert!(!section.blocks.is_empty(), "{}: {} is empty", def.name, section.heading);
            }
        }
    }

    #[test]
    fn an_example_is_drawn() {
        let example = Example { measure: "AP", ranking: "1 0 - 10 | 2 1", value: 0.25, working: "by hand" };
        insta::assert_snapshot!(drawn(&example).join("\n"), @"");
    }

    #[test]
    fn a_page_as_text_and_as_markdown() {
        let rbp: measure::Metric = "RBP".parse().unwrap();
        let page = measure_page(rbp.def());
        insta::assert_snapshot!(page.text(&Style { width: Some(80), ..Style::default() }), @"");
        insta::assert_snapshot!(page.markdown(), @"");
    }
}
