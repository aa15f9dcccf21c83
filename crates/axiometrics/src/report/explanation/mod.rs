//! What a measure is, and how it comes to its score of one ranking, in every format.

mod anatomy;
mod breakdown;
mod check;
mod definition;
mod logic;
mod reading;
mod scales;

pub use anatomy::AnatomyReport;
pub use breakdown::BreakdownReport;
pub use check::check_page;
pub use definition::{component_page, measure_page, organization_page};
pub use logic::{AxiomLogicReport, OwnAxiomReport};
pub use reading::{ReadingExample, reading_section};
pub use scales::ScalesReport;

use serde::Serialize;
use serde_json::{Value, json};

use super::format::OutputFormat;
use super::model::Report;
use super::page::{Block, Page, Section};
use super::table::{Style, Table};
use crate::check::Check;
use crate::check::spacing::spacing;
use crate::choice::Choice;
use crate::component::{Component, not_expressed, standing_for};
use crate::measure::{Cutoff, Metric, Score};
use crate::organization::{Better, Definition};
use check::check_document;

/// All that is known about one measure.
#[derive(Clone)]
#[non_exhaustive]
pub enum Explanation<'a> {
    /// A measure of rankings, with its parameters.
    Ranking(&'a Metric),
    /// A measure of organizations.
    Organization(&'a Definition),
    /// A property, a constraint or an axiom.
    Check(&'a dyn Check),
}

/// A page speaks of no judgements in particular: documents are relevant or not.
const BINARY: f64 = 1.0;

impl Explanation<'_> {
    /// The page.
    pub fn page(&self, style: &Style) -> Page {
        match self {
            Explanation::Ranking(metric) => page(metric),
            Explanation::Organization(definition) => organization_page(definition, style),
            Explanation::Check(check) => check_page(*check, style),
        }
    }
}

impl Report for Explanation<'_> {
    fn tables(&self, style: &Style) -> Vec<Table> {
        vec![self.page(style).table()]
    }

    fn rows(&self) -> Table {
        self.page(&Style::default()).table()
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        match self {
            Explanation::Ranking(metric) => document(metric),
            Explanation::Organization(definition) => organization_document(definition),
            Explanation::Check(check) => check_document(*check),
        }
    }

    fn own_form(&self, format: OutputFormat, style: &Style) -> Option<String> {
        self.page(style).render(format, style)
    }
}

/// A built-in measure by scales, similarity and averages, or why it has none.
fn components(metric: &Metric) -> Option<Section> {
    let file = standing_for(metric);
    let blocks = match (&file, not_expressed(metric)) {
        (Some(file), _) => {
            let parts = Component::of(file)?.components();
            let mut list: Vec<String> =
                parts.into_iter().map(|(name, text)| format!("{name}: {text}")).collect();
            list.push(format!("the same as the file {file}"));
            vec![Block::List(list)]
        }
        (None, Some(why)) => vec![Block::Paragraph(format!("none: {why}"))],
        (None, None) => return None,
    };
    Some(Section { heading: "Components".to_string(), blocks })
}

/// The measure's own page, with its user as far as it has one, and with what follows for averages.
fn page(metric: &Metric) -> Page {
    let mut page =
        Component::of(metric).map_or_else(|| measure_page(&metric.def()), component_page);
    if let Some(section) = components(metric) {
        page.sections.push(section);
    }
    let place = |page: &Page, heading: &str| {
        page.sections.iter().position(|s| s.heading == heading).unwrap_or(page.sections.len())
    };
    if let Some(spacing) = spacing(metric, BINARY) {
        let section = Section {
            heading: "Interval scale".to_string(),
            blocks: vec![Block::Paragraph(format!("{metric}: {}", spacing.sentence()))],
        };
        let at = place(&page, "Parameters");
        page.sections.insert(at, section);
    }
    if let Some(section) = reading_section(metric) {
        let at = (place(&page, "User model") + 1).min(page.sections.len());
        page.sections.insert(at, section);
    }
    page
}

/// C, W and L of its user.
fn reading(metric: &Metric) -> Value {
    let Some(ReadingExample { continuation, weight, ranking, walk, ranks }) =
        ReadingExample::of(metric)
    else {
        return Value::Null;
    };
    let at = |rank: &u32| {
        json!({
            "rank": rank,
            "continuation": walk.continuation(*rank),
            "weight": walk.weight(*rank),
            "last": walk.last(*rank),
        })
    };
    json!({
        "measure": metric.to_string(),
        "continuation": continuation,
        "weight": weight,
        "ranking": ranking,
        "documents": walk.documents,
        "ranks": ranks.iter().map(at).collect::<Vec<_>>(),
    })
}

fn organization_document(of: &Definition) -> Value {
    json!({
        "name": of.name,
        "title": of.title,
        "family": of.task.name(),
        "summary": of.summary,
        "definition": of.definition,
        "range": of.range,
        "better": if of.better == Better::Higher { "higher" } else { "lower" },
        "undefined_when": of.undefined,
        "examples": [{
            "gold": of.example.gold,
            "system": of.example.system,
            "working": of.example.working,
            "value": of.example.value,
        }],
        "references": of.references,
    })
}

fn document(metric: &Metric) -> Value {
    let def = metric.def();
    let cutoff = match def.cutoff {
        Cutoff::Never => "never",
        Cutoff::Optional => "optional",
        Cutoff::Required => "required",
        Cutoff::Param(name) => name,
    };
    let mut page = json!({
        "name": def.name,
        "title": def.title,
        "family": def.family,
        "definition": def.definition,
        "range": def.range.to_string(),
        "undefined_when": def.undefined,
        "user_model": def.user_model,
        "interval_scale": spacing(metric, BINARY),
        "user": reading(metric),
        "cutoff": cutoff,
        "parameters": def.params.iter().map(|p| json!({
            "name": p.name, "expected": p.kind.expected(), "default": p.default, "meaning": p.doc,
        })).collect::<Vec<_>>(),
        "examples": def.examples.iter().map(|e| json!({
            "measure": e.measure, "ranking": e.ranking, "working": e.working, "value": e.value,
        })).collect::<Vec<_>>(),
        "differs_from": def.differs,
        "spellings": def.aliases.iter().map(|a| json!({
            "spelling": a.spelling, "implies": a.implies,
        })).collect::<Vec<_>>(),
        "references": def.references,
    });
    if let Some(file) = Component::of(metric) {
        let components = file.components().into_iter();
        page["components"] =
            components.map(|(name, text)| (name.to_string(), Value::from(text))).collect();
    }
    page
}

/// A score in a footnote.
fn score_text(score: &Score) -> String {
    match score {
        Score::Value(x) => format!("score {x}"),
        Score::Undefined(why) => format!("undefined: {why}"),
    }
}
