//! A property, a constraint or an axiom as a page.

use serde_json::{Value, json};

use super::super::page::{Block, Page, Section};
use super::super::table::Style;
use crate::check::axiom::{self, Condition};
use crate::check::{Check, CheckGroup};
use crate::choice::Choice;

const MOFFAT: &str = "Moffat 2013, Seven Numeric Properties of Effectiveness Metrics";
const AMIGO: &str =
    "Amigó, Gonzalo and Verdejo 2013, A General Evaluation Measure for Document Organization Tasks";
const MADDALENA: &str = "Maddalena and Mizzaro 2014, Axiometrics: Axioms of Information Retrieval Effectiveness Metrics";

const FIGURES: &str = "The paper's figures (a: the assessor, s and s': systems; the more relevant, the further to the right)";

/// What a check asks.
pub fn check_page(check: &dyn Check, style: &Style) -> Page {
    let section = |heading: &str, blocks| Section { heading: heading.to_string(), blocks };
    let prose = |text: &str| vec![Block::Paragraph(text.to_string())];
    let mut sections = vec![section("Statement", prose(check.statement()))];
    if check.meaning() != check.statement() {
        sections.push(section("In words", prose(check.meaning())));
    }
    let figures: Vec<Block> = axiom::figures(check.name())
        .flat_map(|figure| {
            let caption = format!("Figure {}: {}", figure.number, figure.caption);
            [
                Block::Paragraph(caption),
                Block::Lines(figure.draw().lines().map(str::to_string).collect()),
            ]
        })
        .collect();
    if !figures.is_empty() {
        sections.push(section(FIGURES, figures));
    }
    let conditions: Vec<String> = conditions(check)
        .map(|c| {
            format!(
                "{}: {}",
                style.voice.call(&format!("check METRIC --only axioms --drop {}", c.name())),
                c.meaning()
            )
        })
        .collect();
    if !conditions.is_empty() {
        sections.push(section("Conditions that can be left out", vec![Block::List(conditions)]));
    }
    sections.push(section("Reference", prose(reference(check.group()))));
    Page { title: title(check), sections }
}

/// The same for programs.
pub(super) fn check_document(check: &dyn Check) -> Value {
    json!({
        "name": check.name(),
        "title": check.title(),
        "group": check.group().name(),
        "statement": check.statement(),
        "meaning": check.meaning(),
        "conditions": conditions(check).map(Choice::name).collect::<Vec<_>>(),
        "figures": axiom::figures(check.name())
            .map(|f| json!({ "figure": f.number, "caption": f.caption, "drawn": f.draw() }))
            .collect::<Vec<_>>(),
        "reference": reference(check.group()),
    })
}

fn title(check: &dyn Check) -> String {
    match check.title() {
        Some(title) => format!("{} — {title}", check.name()),
        None => check.name().to_string(),
    }
}

fn reference(group: CheckGroup) -> &'static str {
    match group {
        CheckGroup::Property => MOFFAT,
        CheckGroup::Constraint => AMIGO,
        CheckGroup::Axiom => MADDALENA,
    }
}

/// The conditions of an axiom that can be left out.
fn conditions(check: &dyn Check) -> impl Iterator<Item = Condition> {
    let some: &[Condition] = match check.name() {
        "axiom-5" => &[Condition::Five],
        "axiom-6" => &[Condition::Direction],
        "axiom-7" => &[Condition::Direction, Condition::Ten],
        "axiom-8" => &[Condition::Eleven],
        "axiom-9" => &[Condition::Twelve],
        _ => &[],
    };
    some.iter().copied()
}
