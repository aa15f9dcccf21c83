//! The thirteen axioms of Maddalena and Mizzaro (2014), one file each.
//!
//! Axioms speak of documents that an assessor and a system have measured. They are tried on all
//! worlds of a few documents, then on random larger ones; rules over a file's components prove some
//! of them for every size. A rule never replaces the search: both always run.

#[cfg(test)]
mod attack;
mod case;
mod decision;
mod different_effectiveness;
mod document_monotonicity;
mod effect;
mod equal_effectiveness;
mod figure;
mod logic;
mod monotonicity;
#[cfg(test)]
mod naive;
mod overestimated_documents;
mod own;
mod query_monotonicity;
mod same_relevance;
mod similarity;
mod similarity_of_documents;
mod similarity_of_queries;
mod similarity_of_two_systems;
mod single;
mod subject;
mod system_relevance;
#[cfg(test)]
mod tests;
mod underestimated_documents;
mod user_relevance;
mod world;
mod zero_and_maximum;

use super::{Check, CheckGroup, CheckOptions, Finding, Lab, Verdict};
use crate::choice::choices;
use crate::measure::Metric;
use decision::Decision;
pub use figure::AxiomFigure;
pub(crate) use figure::on_a_line;
pub use logic::{AxiomContradiction, AxiomLogic, Consequence};
pub use own::OwnAxiom;
use subject::AxiomSubject;

/// How a ranking is restricted to some of its documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Restrict {
    /// They get the positions from 1 on.
    #[default]
    Renumber,
    /// They keep their positions.
    Keep,
}

/// Which rankings a system can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum RankingKind {
    /// Of some or all documents.
    #[default]
    Partial,
    /// Of all documents.
    Full,
}

/// What the metric on one document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Single {
    /// The score if there is no other document.
    #[default]
    Singleton,
    /// What the document adds to the sum.
    Contribution,
    /// The score of all documents, if nothing else changes.
    CeterisParibus,
}

/// When a document counts as over- or under-estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum EstimateReading {
    /// Where the system's value is above or below the assessor's.
    #[default]
    Order,
    /// Where the paper's inequalities between similarities hold.
    Literal,
}

/// A condition of the paper that can be left out, to see what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Condition {
    /// Both systems are wrong in the same direction (axiom 5).
    Five,
    /// Both documents are over-estimated, or both under-estimated (axioms 6 and 7).
    Direction,
    /// The system has the documents in the right order (axiom 7).
    Ten,
    /// The document that the system prefers is no less relevant (axiom 8).
    Eleven,
    /// The more relevant document is not below the other (axiom 9).
    Twelve,
}

/// The readings in force, and how far to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AxiomSettings {
    /// How a ranking is restricted; both ways are tried if nothing is said.
    pub restrict: Option<Restrict>,
    /// Which rankings systems make; if nothing is said, of some or all documents, and an axiom
    /// that depends on it is told for both.
    pub rankings: Option<RankingKind>,
    /// What the metric on one document is.
    pub single: Single,
    /// What over-estimated means.
    pub reading: EstimateReading,
    /// A condition that is left out.
    pub drop: Option<Condition>,
    /// The largest worlds that are searched exhaustively, in documents; each axiom has its own
    /// bound if nothing is said.
    pub docs: Option<u32>,
    /// How many values of a scale documents can have: if nothing is said, up to four levels,
    /// four numbers of a range, and without a range the grades that the metric tells apart.
    pub grades: Option<u32>,
    /// How many random larger worlds of each size are tried; each axiom has its own number where
    /// nothing is said.
    pub trials: Option<u64>,
}

/// The axioms by number.
pub(super) const CHECKS: &[&dyn Check] = &[
    &similarity_of_documents::SimilarityOfDocuments,
    &similarity_of_queries::SimilarityOfQueries,
    &similarity_of_two_systems::SimilarityOfTwoSystems,
    &equal_effectiveness::EqualEffectiveness,
    &different_effectiveness::DifferentEffectiveness,
    &overestimated_documents::OverestimatedDocuments,
    &underestimated_documents::UnderestimatedDocuments,
    &system_relevance::SystemRelevance,
    &user_relevance::UserRelevance,
    &same_relevance::SameRelevance,
    &zero_and_maximum::ZeroAndMaximum,
    &document_monotonicity::DocumentMonotonicity,
    &query_monotonicity::QueryMonotonicity,
];

const NAMES: [&str; 13] = [
    "axiom-1", "axiom-2", "axiom-3", "axiom-4", "axiom-5", "axiom-6", "axiom-7", "axiom-8",
    "axiom-9", "axiom-10", "axiom-11", "axiom-12", "axiom-13",
];

/// The paper's figures of an axiom, by the axiom's name.
pub fn figures(name: &str) -> impl Iterator<Item = &'static AxiomFigure> {
    figure::figures(NAMES.iter().position(|known| *known == name).map_or(0, |at| at + 1))
}

/// One of the thirteen.
trait Axiom: Sync {
    /// Its number in the paper.
    fn number(&self) -> usize;
    /// Its name in the paper.
    fn title(&self) -> &'static str;
    /// What it says, in the paper's terms.
    fn statement(&self) -> &'static str;
    /// What that means.
    fn meaning(&self) -> &'static str;
    /// Why it cannot be asked of this metric.
    fn refusal(&self, _subject: &AxiomSubject) -> Option<&'static str> {
        None
    }
    /// Whether it looks at some of the documents of a ranking alone.
    fn restricts(&self, _subject: &AxiomSubject) -> bool {
        false
    }
    /// Whether it can fail for rankings of all documents and hold if some may be left out.
    fn by_rankings(&self) -> bool {
        false
    }
    /// Decides it.
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision;
}

impl<A: Axiom> Check for A {
    fn group(&self) -> CheckGroup {
        CheckGroup::Axiom
    }
    fn name(&self) -> &'static str {
        NAMES[self.number() - 1]
    }
    fn title(&self) -> Option<&'static str> {
        Some(Axiom::title(self))
    }
    fn statement(&self) -> &'static str {
        Axiom::statement(self)
    }
    fn meaning(&self) -> &'static str {
        Axiom::meaning(self)
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let reading = (Restrict::default(), RankingKind::default());
        decide(self, lab.metric(), AxiomSettings::default(), reading, lab.seed()).verdict
    }
    fn findings(&self, metric: &Metric, options: &CheckOptions) -> Option<Vec<Finding>> {
        Some(findings(self, metric, options.axioms, options.seed))
    }
}

/// Decides an axiom: in one finding if ranks do not matter, or all ways of reading them agree, in
/// two if they do not.
fn findings(
    axiom: &dyn Axiom,
    metric: &Metric,
    settings: AxiomSettings,
    seed: u64,
) -> Vec<Finding> {
    let by = |restrict, rankings| decide(axiom, metric, settings, (restrict, rankings), seed);
    let found = |version: (Option<Restrict>, Option<RankingKind>), decision: Decision| {
        let Decision { verdict, premises, parts } = decision;
        let name = NAMES[axiom.number() - 1];
        Finding {
            restrict: version.0,
            rankings: version.1,
            premises,
            parts,
            ..Finding::new(CheckGroup::Axiom, name, None, verdict)
        }
    };
    let rankings = settings.rankings.unwrap_or_default();
    let subject = AxiomSubject::new(metric, settings, Restrict::Renumber);
    if axiom.by_rankings() && subject.ranks() && settings.rankings.is_none() {
        let restrict = settings.restrict.unwrap_or_default();
        let (full, partial) = (by(restrict, RankingKind::Full), by(restrict, RankingKind::Partial));
        if full.verdict.outcome() == partial.verdict.outcome() {
            return vec![found((None, None), partial)];
        }
        return vec![
            found((None, Some(RankingKind::Full)), full),
            found((None, Some(RankingKind::Partial)), partial),
        ];
    }
    if let Some(restrict) = settings.restrict {
        return vec![found((None, None), by(restrict, rankings))];
    }
    let renumbered = by(Restrict::Renumber, rankings);
    if !axiom.restricts(&subject) {
        return vec![found((None, None), renumbered)];
    }
    let kept = by(Restrict::Keep, rankings);
    if renumbered.agrees(&kept) {
        return vec![found((None, None), renumbered)];
    }
    vec![
        found((Some(Restrict::Renumber), None), renumbered),
        found((Some(Restrict::Keep), None), kept),
    ]
}

/// Decides an axiom under one way of reading rankings.
fn decide(
    axiom: &dyn Axiom,
    metric: &Metric,
    settings: AxiomSettings,
    (restrict, rankings): (Restrict, RankingKind),
    seed: u64,
) -> Decision {
    let settings = AxiomSettings { rankings: Some(rankings), ..settings };
    let subject = AxiomSubject::new(metric, settings, restrict);
    if subject.component().is_none()
        && let Err(why) = super::states::Probe::new(metric)
    {
        return Decision::not_applicable(&why);
    }
    if let Some(why) = axiom.refusal(&subject) {
        return Decision::not_applicable(why);
    }
    let decision = axiom.decide(&subject, seed);
    if !decision.is_vacuous() || settings.grades.is_some() || !subject.has_finer_grids() {
        return decision;
    }
    // What meets the premises may lie between the values that were tried.
    let finer = |grades: &u32| {
        let settings = AxiomSettings { grades: Some(*grades), ..settings };
        axiom.decide(&AxiomSubject::new(metric, settings, restrict), seed)
    };
    FINER.iter().map(finer).find(|finer| !finer.is_vacuous()).unwrap_or(decision)
}

/// How many values of a scale are tried if none of the usual ones meets the premises of an axiom.
const FINER: [u32; 2] = [5, 9];

choices! {
    Restrict {
        Renumber "renumber" "documents of a subset get the positions from 1 on",
        Keep "keep" "they keep their positions",
    }
    RankingKind {
        Partial "partial" "rankings of some or all documents",
        Full "full" "rankings of all documents",
    }
    Single {
        Singleton "singleton" "the score if there is no other document",
        Contribution "contribution" "what the document adds to the sum",
        CeterisParibus "ceteris-paribus" "the score of all documents, if nothing else changes",
    }
    EstimateReading {
        Order "order" "if the system's value is above or below the assessor's",
        Literal "literal" "if the paper's inequalities between similarities hold",
    }
    Condition {
        Five "5" "axiom 5: both systems are wrong in the same direction",
        Direction "6-9" "axioms 6 and 7: both documents are over-estimated, or both under-estimated",
        Ten "10" "axiom 7: the system has the documents in the right order",
        Eleven "11" "axiom 8: the document that the system prefers is no less relevant",
        Twelve "12" "axiom 9: the more relevant document is not below the other",
    }
}
