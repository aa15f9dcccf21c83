//! The thirteen axioms of Maddalena and Mizzaro (2014).
//!
//! Axioms speak of documents that an assessor and a system have measured. They are tried on all
//! worlds of a few documents, then on random larger ones; rules over a file's components prove some
//! of them for every size.

mod bench;
mod decision;
mod effect;
mod monotonicity;
#[cfg(test)]
mod naive;
mod range;
mod similarity;
mod single;
#[cfg(test)]
mod tests;

use super::{Check, Finding, Group, Lab, State, Verdict, Witness};
use crate::choice::choices;
use crate::measure::Metric;
use bench::{Case, Subject, members};
use decision::Decision;

/// How a ranking is restricted to some of its documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restrict {
    /// They get the positions from 1 on.
    #[default]
    Renumber,
    /// They keep their positions.
    Keep,
}

/// What the metric on one document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Single {
    /// The score where there is no other document.
    #[default]
    Singleton,
    /// What the document adds to the sum.
    Contribution,
    /// The score of all documents, where nothing else changes.
    CeterisParibus,
}

/// When a document counts as over- or under-estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reading {
    /// Where the system's value is above or below the assessor's.
    #[default]
    Order,
    /// Where the paper's inequalities between similarities hold.
    Literal,
}

/// The readings in force, and how far to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// How a ranking is restricted; both ways are tried where nothing is said.
    pub restrict: Option<Restrict>,
    /// What the metric on one document is.
    pub single: Single,
    /// What over-estimated means.
    pub reading: Reading,
    /// The largest worlds that are searched exhaustively, in documents; each axiom has its own
    /// bound where nothing is said.
    pub docs: Option<u32>,
    /// How many values of a scale documents can have: where nothing is said, up to four levels,
    /// four numbers of a range, and 0 and 1 without a range.
    pub grades: Option<u32>,
}

/// The axioms by number.
pub(super) const CHECKS: &[&dyn Check] = &[
    &Axiom(1),
    &Axiom(2),
    &Axiom(3),
    &Axiom(4),
    &Axiom(5),
    &Axiom(6),
    &Axiom(7),
    &Axiom(8),
    &Axiom(9),
    &Axiom(10),
    &Axiom(11),
    &Axiom(12),
    &Axiom(13),
];

/// One of the thirteen.
struct Axiom(usize);

const NAMES: [&str; 13] = [
    "axiom-1", "axiom-2", "axiom-3", "axiom-4", "axiom-5", "axiom-6", "axiom-7", "axiom-8",
    "axiom-9", "axiom-10", "axiom-11", "axiom-12", "axiom-13",
];

const STATEMENTS: [&str; 13] = [
    "documents with equal alpha and equal sigma have equal similarity",
    "a document with equal alpha and sigma in two queries has equal similarity in both",
    "two systems that measure a document alike are equally similar to the assessor on it",
    "two systems that measure a document alike have the same metric on it",
    "of two systems that are wrong in the same direction, the less wrong one has the larger metric on the document",
    "of two over-estimated documents, the metric is larger on the less relevant one where the more relevant one is more wrong",
    "of two under-estimated documents, the metric is larger on the one that is less wrong, where the system has them in the right order",
    "of two documents with equal similarity, the one that the system ranks higher affects the metric more",
    "of two documents with equal similarity, the more relevant one affects the metric more",
    "two documents that are alike affect the metric alike",
    "values are from 0 to 1, every ideal system has 1, and the worst system has 0",
    "what is better on two sets of documents, or better on one and equal on the other, is better on both together",
    "the same for sets of queries",
];

impl Check for Axiom {
    fn group(&self) -> Group {
        Group::Axiom
    }
    fn name(&self) -> &'static str {
        NAMES[self.0 - 1]
    }
    fn statement(&self) -> &'static str {
        STATEMENTS[self.0 - 1]
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        decide(self.0, lab.metric(), Settings::default(), Restrict::default(), lab.seed()).verdict
    }
    fn axiom(&self) -> Option<usize> {
        Some(self.0)
    }
}

/// Decides an axiom by its number: in one finding where ranks do not matter, or both ways of
/// restricting them agree, in two where they do not.
pub(super) fn findings(
    number: usize,
    metric: &Metric,
    settings: Settings,
    seed: u64,
) -> Vec<Finding> {
    let by = |restrict| decide(number, metric, settings, restrict, seed);
    let found =
        |restrict: Option<Restrict>, Decision { verdict, premises, parts }: Decision| Finding {
            restrict,
            premises,
            parts,
            ..Finding::new(Group::Axiom, NAMES[number - 1], None, verdict)
        };
    if let Some(restrict) = settings.restrict {
        return vec![found(None, by(restrict))];
    }
    let renumbered = by(Restrict::Renumber);
    if !Subject::new(metric, settings, Restrict::Renumber).restricts(number) {
        return vec![found(None, renumbered)];
    }
    let kept = by(Restrict::Keep);
    if renumbered.agrees(&kept) {
        return vec![found(None, renumbered)];
    }
    vec![found(Some(Restrict::Renumber), renumbered), found(Some(Restrict::Keep), kept)]
}

/// Decides an axiom by its number, under one way of restricting a ranking.
fn decide(
    number: usize,
    metric: &Metric,
    settings: Settings,
    restrict: Restrict,
    seed: u64,
) -> Decision {
    if crate::component::Component::of(metric).is_none() {
        if let Err(why) = super::states::Probe::new(metric) {
            return Decision::not_applicable(&why);
        }
        if settings.single == Single::Contribution && (4..=7).contains(&number) {
            return Decision::not_applicable(
                "a built-in measure does not say what each document adds",
            );
        }
    }
    let subject = Subject::new(metric, settings, restrict);
    if (5..=9).contains(&number) && !subject.has_order() {
        return Decision::not_applicable("the categories of a nominal scale have no order");
    }
    match number {
        1..=3 => similarity::decide(&subject, number),
        4..=7 => single::decide(&subject, number),
        8..=10 => effect::decide(&subject, number),
        11 => range::decide(&subject),
        12 => monotonicity::documents(&subject, seed),
        _ => monotonicity::queries(&subject),
    }
}

/// A case as text: alpha and sigma of each document, and the score of the documents in question.
fn told(subject: &Subject<'_>, case: Case<'_>) -> String {
    let list = |texts: Vec<String>| format!("({})", texts.join(","));
    let alpha = list(case.alpha.iter().map(|a| subject.alpha_text(*a)).collect());
    let sigma = list(case.sigma.iter().map(|s| subject.sigma_text(*s)).collect());
    format!("alpha {alpha} sigma {sigma}")
}

fn set_text(subset: u32) -> String {
    format!("{{{}}}", members(subset).map(|i| (i + 1).to_string()).collect::<Vec<_>>().join(","))
}

fn number_text(score: Option<f64>) -> String {
    score.map_or_else(|| "undefined".to_string(), super::witness::number)
}

/// How a strict comparison fails.
fn failure(order: std::cmp::Ordering) -> &'static str {
    if order == std::cmp::Ordering::Equal { "a tie" } else { "reversed" }
}

/// A witness of these cases. Rankings become states that `axio eval` can replay; other systems are
/// told in words.
fn witness(subject: &Subject<'_>, cases: &[Case<'_>], text: String) -> Witness {
    let state = |case: &Case<'_>| {
        let mut order: Vec<usize> = members(case.subset).collect();
        order.sort_by(|a, b| case.sigma[*a].total_cmp(&case.sigma[*b]));
        let gains: Vec<f64> = order.iter().map(|d| subject.grade(case.alpha[*d])).collect();
        State { k: gains.len() as u32, gains, score: case.score }
    };
    // Positions that were kept are not those of a ranking on its own.
    let replayable = subject.ranks()
        && (subject.restrict == Restrict::Renumber
            || cases.iter().all(|c| c.subset == bench::all(c.alpha.len())));
    let states = if replayable { cases.iter().map(state).collect() } else { Vec::new() };
    Witness { states, text, max_grade: subject.top() }
}

choices! {
    Restrict {
        Renumber "renumber" "documents of a subset get the positions from 1 on",
        Keep "keep" "they keep their positions",
    }
    Single {
        Singleton "singleton" "the score where there is no other document",
        Contribution "contribution" "what the document adds to the sum",
        CeterisParibus "ceteris-paribus" "the score of all documents, where nothing else changes",
    }
    Reading {
        Order "order" "where the system's value is above or below the assessor's",
        Literal "literal" "where the paper's inequalities between similarities hold",
    }
}
