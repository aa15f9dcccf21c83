//! The page of `axio report`, and its plots.

use axiometrics::compare::JointRanges;
use axiometrics::report::html::{self, Origin};
use axiometrics::score::Evaluation;
use axiometrics::warning::WarningKind;
use axiometrics::{Error, Result};
use serde_json::{Value, json};

use super::study::Study;

/// The plots that the page does not draw itself, where one clicks on them.
const DRAWN: [&str; 4] = ["distributions", "curve", "agreement", "joint"];

/// The plots of the report about one measure and about all of them.
pub(super) fn figures(study: &Study, measure: &str, baseline: usize) -> Result<Value> {
    with_report(study, String::new(), (baseline, true), |report| {
        let placed = report.placed_figures()?.into_iter();
        let wanted = placed.filter(|placed| {
            DRAWN.contains(&placed.section)
                && placed.measure.as_deref().is_none_or(|about| about == measure)
        });
        let told = wanted.map(|placed| {
            json!({
                "section": placed.section,
                "name": placed.figure.name,
                "caption": placed.figure.caption,
                "svg": placed.figure.element(),
            })
        });
        Ok(told.collect())
    })
}

/// The page as text.
pub(super) fn report(
    study: &mut Study,
    command: String,
    baseline: usize,
    chosen: bool,
) -> Result<Value> {
    study.check();
    with_report(study, command, (baseline, chosen), |report| Ok(report.page()?.into()))
}

fn with_report<T>(
    study: &Study,
    command: String,
    (baseline, chosen): (usize, bool),
    tell: impl FnOnce(&html::Study<'_>) -> Result<T>,
) -> Result<T> {
    let runs = &study.scored.runs;
    if baseline >= runs.len() {
        let message = format!("found no run {baseline}, expected one of {}", runs.len());
        return Err(Error::usage(message));
    }
    let kept: Vec<usize> = (0..runs.len()).filter(|run| runs[*run].run.is_some()).collect();
    let policy = Evaluation::under(&study.policies, &study.qrels, &study.metrics).policy;
    let joint = match kept.len() > 1 && study.is_plain() && kept.contains(&baseline) {
        true => Some(JointRanges::new(&study.qrels, policy, &study.scored.kept())?),
        false => None,
    };
    let settings = study.settings(Some(baseline));
    let files = std::iter::once(&study.judgements).chain(&study.files).cloned().collect();
    // The command asks for ranges apart, and tells of unjudged documents in a table.
    let mut warnings = study.warnings.list();
    warnings.retain(|warning| warning.kind != WarningKind::UnjudgedDocument);
    tell(&html::Study {
        title: None,
        qrels: &study.qrels,
        metrics: &study.metrics,
        runs: runs
            .iter()
            .map(|run| html::ReportedRun {
                name: &run.name,
                scores: &run.scores,
                extras: study.extras().and_then(|other| run.others.get(other)),
                ranged: study.ranges.then_some(&run.scores),
                ties_reversed: study.reversed().and_then(|other| run.others.get(other)),
            })
            .collect(),
        reference: baseline,
        reference_is_chosen: chosen,
        undefined: study.policies.undefined,
        joint: joint.as_ref().map(|ranges| (ranges, kept.as_slice())),
        checks: &study.checks,
        warnings: &warnings,
        origin: Origin {
            command,
            settings: Origin::settings(&study.qrels, &study.policies, &settings)?,
            files,
        },
        settings,
    })
}
