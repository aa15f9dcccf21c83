//! An organization of documents beside the gold standard.

use axiometrics::choice::Choice;
use axiometrics::data::organization::{DocumentCatalogue, Organization, Organizations, notation};
use axiometrics::io::organization::ONLY_TOPIC;
use axiometrics::organization::reliability_sensitivity::{by_document, explain};
use axiometrics::organization::{
    Curve, Mix, OrganizationComparison, OrganizationMeasure, OrganizationSettings, Shares, Variant,
    measure, measures,
};
use axiometrics::policy::{Missing, Undefined};
use axiometrics::report::organization::{
    Difference, OrganizationProtocol, OrganizationReport, OrganizationTable, OrganizedSystem,
    OrganizedTopic,
};
use axiometrics::score::OrganizationEvaluation;
use axiometrics::warning::Warnings;
use axiometrics::{Error, Result};
use serde_json::{Value, json};

use crate::measures::document;
use crate::request::Organize;

/// The document of `axio organize --explain --show documents`, with what the measures are.
pub(crate) fn organize(asked: &Organize) -> Result<Value> {
    let settings = settings(asked)?;
    let chosen = chosen(&asked.measures)?;
    let mut catalogue = DocumentCatalogue::new();
    let gold = read("gold", &asked.gold, &mut catalogue)?;
    let system = read("system", &asked.system, &mut catalogue)?;
    let evaluation = OrganizationEvaluation::new(&gold, &catalogue, &chosen, &settings);
    let mut warnings = Warnings::default();
    let visit = |topic: &str, comparison: &OrganizationComparison<'_>| {
        let names = catalogue.get(topic);
        OrganizedTopic {
            differences: names.map(|n| Difference::of(&explain(comparison, asked.differences), n)),
            documents: names.map(|names| (by_document(comparison), names.clone())),
            relations: None,
        }
    };
    let (scores, topics) = evaluation.system_with("system", &system, &mut warnings, visit)?;
    let systems = &[OrganizedSystem { name: "system".to_string(), scores, topics }];
    let report = OrganizationReport {
        show: OrganizationTable::Documents,
        systems,
        protocol: OrganizationProtocol::new(&settings, &gold, Missing::Zero, Undefined::Skip),
        warnings: warnings.list(),
        per_topic: false,
        undefined: Undefined::Skip,
        explained: true,
    };
    let about = chosen.iter().map(|measure| {
        let definition = measure.definition();
        json!({
            "name": definition.name,
            "title": definition.title,
            "task": definition.task.name(),
            "summary": definition.summary,
            "range": definition.range,
        })
    });
    Ok(json!({ "document": document(&report)?, "measures": about.collect::<Value>() }))
}

fn settings(asked: &Organize) -> Result<OrganizationSettings> {
    const TOP: f64 = 10.0;
    const WEIGHT: f64 = 0.8;
    let variant = asked.variant.as_deref().map(Variant::from_name).transpose()?.unwrap_or_default();
    let settings = OrganizationSettings {
        curve: Curve::new(asked.top.unwrap_or(TOP), asked.weight.unwrap_or(WEIGHT))?,
        finite: asked.finite,
        variant,
        mix: asked.priority.map_or(Mix::Stated, |share| Mix::Given(Shares::of_priority(share))),
        ..OrganizationSettings::default()
    };
    settings.validate()?;
    Ok(settings)
}

/// The measures of these names, or all but F-beta, which is F without a beta.
fn chosen(names: &[String]) -> Result<Vec<&'static dyn OrganizationMeasure>> {
    if names.is_empty() {
        return Ok(measures().filter(|known| known.definition().name != "f_beta").collect());
    }
    let known = |name: &String| {
        measure(name)
            .ok_or_else(|| Error::usage(format!("no measure of organizations is named {name}")))
    };
    names.iter().map(known).collect()
}

/// One organization is the organization of the only topic.
fn read(side: &str, text: &str, catalogue: &mut DocumentCatalogue) -> Result<Organizations> {
    let documents = catalogue.entry(ONLY_TOPIC.to_string()).or_default();
    let organization: Organization = notation::parse(text, documents).map_err(|message| {
        Error::usage(format!("{side}: {message}"))
            .help("write an organization such as d1 {d2 d3} / d4 | d5")
    })?;
    Ok(Organizations::from([(ONLY_TOPIC.to_string(), organization)]))
}
