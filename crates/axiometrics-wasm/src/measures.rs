//! Measures by their names, and those that the page defines.

use std::collections::HashMap;
use std::sync::Arc;

use axiometrics::check;
use axiometrics::component::{Component, read_component};
use axiometrics::data::Facet;
use axiometrics::measure::{Cutoff, Metric, Own, definitions, parse_list_with};
use axiometrics::organization;
use axiometrics::report::explanation::Explanation;
use axiometrics::report::{Report, Style};
use axiometrics::{Error, Result};
use serde_json::{Value, json};

use crate::request::OwnFile;
use crate::told;

/// The prefix of measures of organizations, some of which share their names with others.
const ORGANIZE: &str = "organize:";

#[derive(Default)]
pub(crate) struct Measures {
    /// The texts of the page's own metrics by path, readable or not.
    own: HashMap<String, String>,
    /// What was parsed already: a page names the same measures at every act.
    known: HashMap<String, Metric>,
}

impl Measures {
    /// Replaces the page's own metrics, and says of each whether it takes a cutoff. A wrong one is an
    /// error, and replaces its predecessor too: that one's scores belong to no text on the page.
    pub(crate) fn own(&mut self, files: Vec<OwnFile>) -> Result<Value> {
        self.own = files.into_iter().map(|file| (file.path, file.text)).collect();
        self.known.clear();
        let told = |(path, text): (&String, &String)| {
            let cutoff = match Component::parse(path, text)?.def().cutoff {
                Cutoff::Required => "required",
                Cutoff::Optional => "optional",
                Cutoff::Never | Cutoff::Param(_) => "never",
            };
            Ok(json!({ "path": path, "cutoff": cutoff }))
        };
        self.own.iter().map(told).collect()
    }

    /// The one measure that a text names.
    pub(crate) fn one(&mut self, text: &str) -> Result<Metric> {
        if let Some(metric) = self.known.get(text) {
            return Ok(metric.clone());
        }
        let mut open = |path: &str| -> Result<Arc<dyn Own>> {
            if let Some(text) = self.own.get(path) {
                return Ok(Component::parse(path, text)?);
            }
            if path.ends_with(".toml") {
                return Err(Error::usage(format!("the page has no metric \"{path}\""))
                    .help("write it in the room Your metric"));
            }
            read_component(path)
        };
        let mut found = parse_list_with(text, &mut open)?;
        let metric = match found.len() {
            1 => found.remove(0),
            0 => return Err(Error::usage("found nothing, expected a measure such as nDCG@10")),
            many => {
                let message = format!("\"{text}\" stands for {many} measures, expected one");
                return Err(Error::usage(message));
            }
        };
        self.known.insert(text.to_string(), metric.clone());
        Ok(metric)
    }

    /// One that grades alone decide, as they do in the playground.
    pub(crate) fn of_grades(&mut self, text: &str) -> Result<Metric> {
        let metric = self.one(text)?;
        if metric.needs().facet == Facet::None {
            return Ok(metric);
        }
        let message = format!("{metric} needs subtopics, groups or strata, which no grade tells");
        Err(Error::usage(message).help("score files with it in the room Your runs"))
    }

    /// What each text stands for, or what is wrong with it.
    pub(crate) fn describe(&mut self, texts: &[String]) -> Value {
        let describe = |text: &String| match self.one(text) {
            Ok(metric) => json!({
                "text": text,
                "measure": metric.to_string(),
                "name": metric.def().name,
                "title": metric.def().title,
                "family": metric.def().family,
                "bounds": metric.def().range.bounds(),
                "cutoff": metric.args().cutoff(),
                "grades": metric.needs().facet == Facet::None,
            }),
            Err(error) => json!({ "text": text, "error": told(&error) }),
        };
        texts.iter().map(describe).collect()
    }

    /// What a name stands for, in full: a measure of rankings or of organizations, or a check. A
    /// name stands for its measure even if a score would need a cutoff, or a parameter that its
    /// example has.
    pub(crate) fn define(&mut self, name: &str) -> Result<Value> {
        if let Some(check) = check::check_named(name) {
            return document(&Explanation::Check(check));
        }
        if let Some(measure) = name.strip_prefix(ORGANIZE).and_then(organization::measure) {
            return document(&Explanation::Organization(measure.definition()));
        }
        let example = definitions().find(|def| def.name == name).and_then(|d| d.examples.first());
        let metric = self
            .one(name)
            .or_else(|error| self.one(&format!("{name}@10")).map_err(|_| error))
            .or_else(|error| example.map_or(Err(error), |example| self.one(example.measure)))?;
        document(&Explanation::Ranking(&metric))
    }
}

/// A report as the command writes it for programs, in full precision.
pub(crate) fn document(report: &impl Report) -> Result<Value> {
    serde_json::to_value(report.document(&Style::default()))
        .map_err(|e| Error::usage(format!("a result that JSON cannot hold: {e}")))
}
