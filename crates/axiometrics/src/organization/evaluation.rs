//! All topics of a system against the gold standard.
//!
//! Owns: which topics count, what a missing topic and an undefined score mean, and the means. Does not own: how numbers are shown.

use super::foreign::GoldNames;
use super::{Comparison, OrganizationMeasure, Score, Settings};
use crate::data::organization::{Catalogue, Organization, Organizations};
use crate::error::{Error, Result};

/// What to do with a topic of the gold standard that the system lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Missing {
    /// Score it as an empty organization.
    #[default]
    Empty,
    /// Leave it out.
    Skip,
    /// Refuse the system.
    Error,
}

/// What an undefined score is in a mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Undefined {
    /// Left out.
    #[default]
    Skip,
    /// 0.
    Zero,
    /// A reason to refuse the system.
    Error,
}

/// How topics are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Policy {
    /// For topics that the system lacks.
    pub missing: Missing,
    /// For scores without a value.
    pub undefined: Undefined,
}

/// The scores of a system.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// The topics in their order, each with a score for each measure.
    pub topics: Vec<(String, Vec<Score>)>,
    /// The mean of each measure, where there is one.
    pub means: Vec<Option<f64>>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

/// Something that was not as it should be, but did not stop the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// Topics of the gold standard that the system lacks.
    MissingTopics(usize),
    /// Topics of the system that the gold standard lacks.
    UnknownTopics(usize),
    /// Topics in which both sides hold documents, but none in common.
    NothingInCommon(usize),
    /// Documents that the system puts into a topic and the gold standard into others alone.
    ForeignDocuments(usize),
    /// Documents that the system organizes and the gold standard does not know.
    UnknownDocuments(usize),
    /// Documents that the gold standard organizes and the system does not know.
    MissingDocuments(usize),
    /// Scores without a value, of a measure.
    UndefinedScores(&'static str, usize, &'static str),
}

impl Warning {
    /// The kind, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Warning::MissingTopics(_) => "missing-topics",
            Warning::UnknownTopics(_) => "unknown-topics",
            Warning::NothingInCommon(_) => "nothing-in-common",
            Warning::ForeignDocuments(_) => "foreign-documents",
            Warning::UnknownDocuments(_) => "unknown-documents",
            Warning::MissingDocuments(_) => "missing-documents",
            Warning::UndefinedScores(..) => "undefined-scores",
        }
    }

    /// How often it happened.
    pub fn count(&self) -> usize {
        match *self {
            Warning::MissingTopics(count)
            | Warning::UnknownTopics(count)
            | Warning::NothingInCommon(count)
            | Warning::ForeignDocuments(count)
            | Warning::UnknownDocuments(count)
            | Warning::MissingDocuments(count)
            | Warning::UndefinedScores(_, count, _) => count,
        }
    }

    /// What happened.
    pub fn message(&self) -> String {
        let count = self.count();
        match self {
            Warning::MissingTopics(_) => format!("{count} topics of the gold standard are missing from the system"),
            Warning::UnknownTopics(_) => format!("{count} topics of the system are not in the gold standard and were left out"),
            Warning::NothingInCommon(_) => format!("{count} topics have no document in common with the gold standard"),
            Warning::ForeignDocuments(_) => {
                format!("{count} documents of the system stand under other topics in the gold standard and were left out")
            }
            Warning::UnknownDocuments(_) => format!("{count} documents of the system are not in the gold standard"),
            Warning::MissingDocuments(_) => format!("{count} documents of the gold standard are not in the system"),
            Warning::UndefinedScores(measure, _, reason) => format!("{measure} has no value in {count} topics: {reason}"),
        }
    }

    /// What can be done.
    pub fn remedy(&self) -> &'static str {
        match self {
            Warning::MissingTopics(_) => "they count as empty organizations, unless missing topics are skipped",
            Warning::UnknownTopics(_) => "check that both files name their topics alike",
            Warning::NothingInCommon(_) => "check that both files name their documents alike",
            Warning::ForeignDocuments(_) => "without a tail, a topic is a collection of its own",
            Warning::UnknownDocuments(_) => "they count against Reliability; each is a class of its own for the clustering measures",
            Warning::MissingDocuments(_) => "they count against Sensitivity; each is a cluster of its own for the clustering measures",
            Warning::UndefinedScores(..) => "they are left out of the mean, unless undefined scores count as zero",
        }
    }
}

/// Scores the topics of a system; `catalogue` names the documents of both sides. In finite mode, documents that the gold standard holds
/// under other topics alone are left out. An error where nothing can be compared, or where the policy says so.
pub fn evaluate(
    gold: &Organizations,
    system: &Organizations,
    catalogue: &Catalogue,
    measures: &[&'static dyn OrganizationMeasure],
    settings: &Settings,
    policy: Policy,
) -> Result<Evaluation> {
    evaluate_with(gold, system, catalogue, measures, settings, policy, |_, _| {})
}

/// The same, and shows each topic's comparison to `visit`.
pub fn evaluate_with(
    gold: &Organizations,
    system: &Organizations,
    catalogue: &Catalogue,
    measures: &[&'static dyn OrganizationMeasure],
    settings: &Settings,
    policy: Policy,
    mut visit: impl FnMut(&str, &Comparison<'_>),
) -> Result<Evaluation> {
    settings.validate()?;
    let common = gold.keys().filter(|topic| system.contains_key(*topic)).count();
    if common == 0 {
        return Err(Error::usage("no topic in common with the gold standard").help("check that both files name their topics alike"));
    }
    let missing = gold.len() - common;
    if missing > 0 && policy.missing == Missing::Error {
        return Err(Error::usage(format!("{missing} topics of the gold standard are missing")));
    }
    let names = settings.finite.then(|| GoldNames::of(gold, catalogue));
    let empty = Organization::default();
    let mut topics = Vec::with_capacity(gold.len());
    let mut tally = Tally::default();
    for (topic, gold) in gold {
        let system = match system.get(topic) {
            Some(system) => system,
            None if policy.missing == Missing::Skip => continue,
            None => &empty,
        };
        let own = names.as_ref().and_then(|names| names.without_foreign(topic, gold, system));
        tally.foreign += own.as_ref().map_or(0, |(_, count)| *count);
        let system = own.as_ref().map_or(system, |(system, _)| system);
        let comparison = Comparison::new(gold, system, settings);
        tally.add(&comparison);
        visit(topic, &comparison);
        topics.push((topic.clone(), measures.iter().map(|measure| measure.score(&comparison)).collect::<Vec<Score>>()));
    }
    if tally.comparable > 0 && tally.disjoint == tally.comparable {
        return Err(Error::usage("no document in common with the gold standard").help("check that both files name their documents alike"));
    }
    let counted = [
        Warning::MissingTopics(missing),
        Warning::UnknownTopics(system.len() - common),
        Warning::NothingInCommon(tally.disjoint),
        Warning::ForeignDocuments(tally.foreign),
        Warning::UnknownDocuments(tally.unknown),
        Warning::MissingDocuments(tally.missing),
    ];
    let mut warnings: Vec<Warning> = counted.into_iter().filter(|warning| warning.count() > 0).collect();
    let mut means = Vec::with_capacity(measures.len());
    for (at, measure) in measures.iter().enumerate() {
        let name = measure.definition().name;
        let scores = topics.iter().map(|(_, scores)| scores[at]);
        let undefined: Vec<&'static str> =
            scores.clone().filter_map(|score| if let Score::Undefined(why) = score { Some(why) } else { None }).collect();
        if let Some(&reason) = undefined.first() {
            if policy.undefined == Undefined::Error {
                return Err(Error::usage(format!("{name} has no value in {} topics: {reason}", undefined.len())));
            }
            warnings.push(Warning::UndefinedScores(name, undefined.len(), reason));
        }
        let values = scores.filter_map(|score| match (score, policy.undefined) {
            (Score::Value(value), _) => Some(value),
            (Score::Undefined(_), Undefined::Zero) => Some(0.0),
            _ => None,
        });
        let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
        means.push((count > 0.0).then(|| sum / count));
    }
    Ok(Evaluation { topics, means, warnings })
}

/// What the two sides hold, over all topics.
#[derive(Default)]
struct Tally {
    comparable: usize,
    disjoint: usize,
    foreign: usize,
    unknown: usize,
    missing: usize,
}

impl Tally {
    fn add(&mut self, comparison: &Comparison<'_>) {
        let (gold, system) = (comparison.gold_index(), comparison.system_index());
        let mark = |side: &Organization| {
            let mut known = vec![false; gold.documents()];
            for &document in side.discarded() {
                known[document as usize] = true;
            }
            known
        };
        let (gold_discards, system_discards) = (mark(comparison.gold()), mark(comparison.system()));
        let (mut shared, mut either) = (0, [false; 2]);
        for document in 0..gold.documents() {
            let (in_gold, in_system) = (gold.count(document) > 0, system.count(document) > 0);
            let (gold_knows, system_knows) = (in_gold || gold_discards[document], in_system || system_discards[document]);
            shared += usize::from(gold_knows && system_knows);
            either = [either[0] || gold_knows, either[1] || system_knows];
            self.unknown += usize::from(in_system && !gold_knows);
            self.missing += usize::from(in_gold && !system_knows);
        }
        let comparable = either[0] && either[1];
        self.comparable += usize::from(comparable);
        self.disjoint += usize::from(comparable && shared == 0);
    }
}
