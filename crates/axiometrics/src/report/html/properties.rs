//! What can be proved about the measures used, and what follows for the numbers on the page.

use serde::Serialize;

use crate::check::lattice::Property;
use crate::check::{CheckGroup, MetricVerdicts, Verdict, Verdicts, checks};
use crate::measure::Metric;
use crate::report::verdicts::letter;

#[derive(Serialize)]
pub(super) struct PropertiesView {
    columns: Vec<PropertyHead>,
    rows: Vec<PropertyRow>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct PropertyHead {
    name: &'static str,
    statement: &'static str,
}

#[derive(Serialize)]
struct PropertyRow {
    measure: String,
    cells: Vec<VerdictCell>,
}

#[derive(Serialize)]
struct VerdictCell {
    letter: String,
    reason: String,
}

pub(super) fn view(reports: &[MetricVerdicts]) -> PropertiesView {
    let properties = || checks(&[CheckGroup::Property]);
    let cell = |report: &MetricVerdicts, name: &str| {
        let found = letter(report, name);
        VerdictCell { letter: found.text(), reason: found.why }
    };
    PropertiesView {
        columns: properties()
            .map(|c| PropertyHead { name: c.name(), statement: c.statement() })
            .collect(),
        rows: reports
            .iter()
            .map(|r| PropertyRow {
                measure: r.metric.to_string(),
                cells: properties().map(|c| cell(r, c.name())).collect(),
            })
            .collect(),
        warnings: reports.iter().flat_map(warnings).collect(),
    }
}

/// What a reader of means and differences has to know about a measure.
fn warnings(report: &MetricVerdicts) -> Vec<String> {
    let name = &report.metric;
    let lacks = |property| report.of(property).is_some_and(Verdict::is_violated);
    let mut all = Vec::new();
    if lacks(Property::Bounded) {
        all.push(format!(
            "{name} is unbounded: its mean over topics mixes scales, and topics with many relevant documents outweigh the others."
        ));
    }
    if lacks(Property::Complete) {
        all.push(format!(
            "{name} has no value for a topic without relevant documents; the settings say what the mean did with such topics."
        ));
    }
    if lacks(Property::Localized) {
        all.push(format!(
            "{name} depends on documents that were not retrieved: further judgements can change it without touching the ranking."
        ));
    }
    if lacks(Property::Realizable) {
        all.push(format!(
            "{name} cannot reach its maximum on every topic: its mean mixes the quality of runs with the number of relevant documents."
        ));
    }
    all
}

/// Where the measures were published, each reference once.
pub(super) fn references(metrics: &[Metric]) -> Vec<(String, Vec<String>)> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for metric in metrics {
        for reference in metric.def().references {
            match all.iter_mut().find(|(known, _)| known == reference) {
                Some((_, measures)) => measures.push(metric.to_string()),
                None => all.push((reference.to_string(), vec![metric.to_string()])),
            }
        }
    }
    all
}
