//! The constraints of Amigó, Spina and Carrillo-de-Albornoz (2018) on measures of diversity.
//!
//! Five of them are those of rankings, for a topic with one subtopic: the measure is looked at as
//! one of rankings (`alone`) and asked the same checks, but for the thresholds, which are tried with
//! smaller n. The other five are about what a document adds to those above it, and are searched on
//! all small rankings whose documents serve some of two or three subtopics. Both rankings of a case are of one collection, so that no measure sees
//! a difference in what could have been retrieved.
//!
//! The constraints are told in our words.
//!
//! ```
//! use axiometrics::check::{self, CheckGroup, CheckOptions, Verdicts};
//! let options = CheckOptions { groups: vec![CheckGroup::Constraint], ..CheckOptions::default() };
//! let report = check::run(&"StRecall@10".parse()?, &options);
//! assert!(report.get("redundancy").unwrap().holds());
//! let witness = report.get("monotonic-redundancy").unwrap().witness().unwrap();
//! assert!(witness.text.starts_with("{a,b} {a} {b} | {a} scores 1, no more than"), "{}", witness.text);
//! # Ok::<(), axiometrics::Error>(())
//! ```

mod alone;
mod aspect;
mod ranking;
mod redundancy;
mod saturation;
#[cfg(test)]
mod tests;
mod threshold;

use std::cmp::Ordering;

use super::lattice::Property;
use super::search::SearchTally;
use super::{
    Bounds, Check, CheckGroup, CheckOptions, Finding, MetricVerdicts, Scope, Verdict, Witness,
    checks, run_checks,
};
use crate::choice::Choice;
use crate::data::Facet;
use crate::measure::Metric;
use ranking::{A, B, Served, SubtopicRanking, compare};

/// A constraint that is decided here.
trait DiversityConstraint: Sync {
    /// Its name, as in the JSON output.
    fn name(&self) -> &'static str;
    /// When a measure satisfies it, in one sentence.
    fn statement(&self) -> &'static str;
    /// Which rankings and collections are tried.
    fn worlds(&self) -> String;
    /// Decides it.
    fn decide(&self, metric: &Metric) -> Verdict;
}

/// In the order of the paper.
const CONSTRAINTS: &[&dyn DiversityConstraint] = &[
    &threshold::SubtopicDeepness,
    &threshold::SubtopicCloseness,
    &aspect::Diversity,
    &redundancy::Redundancy,
    &redundancy::MonotonicRedundancy,
    &saturation::Saturation,
    &aspect::Relevance,
];

/// The constraints of rankings that are asked of a topic with one subtopic as they are.
const OF_RANKINGS: [Property; 3] = [Property::Priority, Property::Deepness, Property::Confidence];

fn is_of_rankings(check: &&'static dyn Check) -> bool {
    Property::from_name(check.name()).is_ok_and(|p| OF_RANKINGS.contains(&p))
}

/// What can be asked of a measure of diversity, with the statements.
pub fn statements() -> Vec<(&'static str, &'static str)> {
    let of_rankings = checks(&[CheckGroup::Constraint])
        .filter(is_of_rankings)
        .filter(|c| c.scope() == Some(Scope::General))
        .map(|c| (c.name(), c.statement()));
    of_rankings.chain(CONSTRAINTS.iter().map(|c| (c.name(), c.statement()))).collect()
}

/// Which rankings and collections are tried for each.
pub fn worlds() -> Vec<(&'static str, String)> {
    let of_rankings = checks(&[CheckGroup::Constraint])
        .filter(is_of_rankings)
        .filter(|c| c.scope() == Some(Scope::General))
        .map(|c| (c.name(), c.worlds()));
    of_rankings.chain(CONSTRAINTS.iter().map(|c| (c.name(), c.worlds()))).collect()
}

/// Whether these constraints are about a metric.
pub fn applies(metric: &Metric) -> bool {
    is_of_diversity(metric) && metric.needs().facet != Facet::None
}

/// Whether a metric is a measure of diversity, looked at by subtopic or as one of rankings.
pub(super) fn is_of_diversity(metric: &Metric) -> bool {
    metric.def().family == FAMILY
}

const FAMILY: &str = "diversity";

/// Every registered measure of diversity, as `check all` takes it.
pub fn all_metrics() -> Vec<Metric> {
    super::all_metrics().into_iter().filter(applies).collect()
}

/// The number of registered measures of diversity.
#[cfg(test)]
fn registered() -> usize {
    crate::measure::definitions().filter(|def| def.family == FAMILY).count()
}

/// The verdicts of a measure of diversity.
pub(super) fn findings(metric: &Metric, options: &CheckOptions) -> Vec<Finding> {
    let mut findings = one_subtopic(metric, options);
    findings.extend(
        CONSTRAINTS
            .iter()
            .map(|c| Finding::new(CheckGroup::Constraint, c.name(), None, c.decide(metric))),
    );
    findings
}

/// The verdicts about topics with one subtopic.
fn one_subtopic(metric: &Metric, options: &CheckOptions) -> Vec<Finding> {
    let asked: Vec<&'static dyn Check> =
        checks(&[CheckGroup::Constraint]).filter(is_of_rankings).collect();
    let Some(alone) = alone::alone(metric) else { return Vec::new() };
    let MetricVerdicts { mut findings, .. } = run_checks(&alone, &asked, options);
    for finding in &mut findings {
        if let Verdict::Searched(bounds) | Verdict::Sampled { bounds, .. } = &mut finding.verdict {
            let note = bounds.note.take().map_or_else(String::new, |note| format!("; {note}"));
            bounds.note = Some(format!("with one subtopic{note}"));
        }
    }
    findings
}

/// What documents serve that may be in the collection of a case too, not retrieved.
const MISSED: [Served; 4] = [0, A, B, A | B];

/// The collections of a case, in words.
const COLLECTIONS: &str = "each with no other document in the collection, and with one that was not retrieved and serves {}, {a}, {b} or {a,b}";

/// Looks for a case in which the ranking that should be better, the first of two, is not.
fn search(
    metric: &Metric,
    subtopics: u32,
    cases: impl Iterator<Item = [SubtopicRanking; 2]>,
) -> Verdict {
    let mut tally = SearchTally::default();
    let mut docs = 0;
    let alone: Vec<[SubtopicRanking; 2]> = cases.collect();
    let missing = MISSED.into_iter().flat_map(|document| {
        alone.iter().map(move |case| case.clone().map(|ranking| ranking.missing(document)))
    });
    for [good, bad] in alone.iter().cloned().chain(missing) {
        docs = docs.max(good.collection.len() as u32);
        if let Some(Ordering::Less | Ordering::Equal) = compare(metric, &mut tally, &good, &bad) {
            let text = format!(
                "{}, no more than {}{}",
                good.told(metric),
                bad.told(metric).replace(" scores ", " with "),
                tally.proviso()
            );
            return Verdict::violated(witness(text));
        }
    }
    let bounds = Bounds {
        docs,
        gains: String::new(),
        cases: tally.cases,
        skipped: tally.skipped,
        arithmetic: tally.arithmetic,
        note: Some(format!("documents that serve some of {subtopics} subtopics")),
    };
    if tally.cases == 0 { Verdict::Vacuous(bounds) } else { Verdict::Searched(bounds) }
}

/// A witness in words: what a document serves is more than a gain.
fn witness(text: String) -> Witness {
    Witness { states: Vec::new(), text, max_grade: 1.0, worlds: Vec::new() }
}
