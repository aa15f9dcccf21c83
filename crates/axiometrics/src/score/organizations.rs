//! All topics of a system's organizations against the gold standard.
//!
//! Owns: which topics count, what a missing topic and an undefined score mean. Does not own: the
//! measures, and how numbers are shown.

use rayon::prelude::*;

use super::diagnosis::warn_of_undefined;
use super::scores::{MetricColumn, Scores, WeightedScore};
use crate::component::of_organizations;
use crate::data::organization::{DocumentCatalogue, Documents, Organization, Organizations};
use crate::error::{Error, Place, Result};
use crate::measure::{Aggregate, Metric};
use crate::organization::{
    GoldNames, OrganizationComparison, OrganizationMeasure, OrganizationSettings,
};
use crate::policy::{Missing, Undefined};
use crate::remedy::Remedy;
use crate::warning::{WarningKind, Warnings};

/// What is to be scored, and how.
#[derive(Clone, Copy)]
pub struct OrganizationEvaluation<'a> {
    /// The gold standard.
    pub gold: &'a Organizations,
    /// The names of the documents of both sides.
    pub catalogue: &'a DocumentCatalogue,
    /// The measures.
    pub measures: &'a [&'static dyn OrganizationMeasure],
    /// Metrics from files, whose columns come after those of the measures.
    pub files: &'a [Metric],
    /// Their parameters.
    pub settings: &'a OrganizationSettings,
    /// What is done about topics that the system lacks.
    pub missing: Missing,
    /// What a mean does with a score that has no value.
    pub undefined: Undefined,
}

impl<'a> OrganizationEvaluation<'a> {
    /// The default choices. Undefined scores are left out: a measure of partitions has no value
    /// if clusters overlap, which says nothing of the system.
    pub fn new(
        gold: &'a Organizations,
        catalogue: &'a DocumentCatalogue,
        measures: &'a [&'static dyn OrganizationMeasure],
        settings: &'a OrganizationSettings,
    ) -> OrganizationEvaluation<'a> {
        OrganizationEvaluation {
            gold,
            catalogue,
            measures,
            files: &[],
            settings,
            missing: Missing::Zero,
            undefined: Undefined::Skip,
        }
    }

    /// Scores the topics of a system, which has this name in messages. In finite mode, documents
    /// that the gold standard holds under other topics alone are left out. An error if nothing can
    /// be compared, or if the policies say so.
    pub fn system(
        &self,
        name: &str,
        system: &Organizations,
        warnings: &mut Warnings,
    ) -> Result<Scores> {
        Ok(self.system_with(name, system, warnings, |_, _| ())?.0)
    }

    /// The same, and what `visit` makes of each topic's comparison. Topics are compared side by side,
    /// as many as there are threads.
    pub fn system_with<V: Send>(
        &self,
        name: &str,
        system: &Organizations,
        warnings: &mut Warnings,
        visit: impl Fn(&str, &OrganizationComparison<'_>) -> V + Sync,
    ) -> Result<(Scores, Vec<(String, V)>)> {
        self.settings.validate()?;
        let missing = self.compare_topics(name, system, warnings)?;
        let names = self.settings.finite.then(|| GoldNames::of(self.gold, self.catalogue));
        let (empty, no_names) = (Organization::default(), Documents::default());
        let topics: Vec<(&String, &Organization, &Organization)> = self
            .gold
            .iter()
            .filter_map(|(topic, gold)| match system.get(topic) {
                Some(system) => Some((topic, gold, system)),
                None if self.missing == Missing::Skip => None,
                None => Some((topic, gold, &empty)),
            })
            .collect();
        let of_topic = |&(topic, gold, system): &(&String, &Organization, &Organization)| {
            let own = names.as_ref().and_then(|names| names.without_foreign(topic, gold, system));
            let foreign = own.as_ref().map_or(0, |(_, count)| *count);
            let system = own.as_ref().map_or(system, |(system, _)| system);
            let comparison = OrganizationComparison::new(gold, system, self.settings);
            let names = self.catalogue.get(topic).unwrap_or(&no_names);
            let measures = self.measures.iter().map(|m| (m.score(&comparison), Some(1.0)));
            let files = self.files.iter().map(|file| of_organizations(file, &comparison, names));
            let scores: Vec<WeightedScore> = measures.chain(files).collect();
            (Held::of(&comparison, foreign), scores, visit(topic, &comparison))
        };
        let compared: Vec<(Held, Vec<WeightedScore>, V)> =
            topics.par_iter().map(of_topic).collect();
        let mut tally = HeldInAll::default();
        let measures = self.measures.iter().map(|measure| MetricColumn {
            name: measure.definition().name.to_string(),
            aggregate: Aggregate::Mean,
        });
        let columns = measures.chain(self.files.iter().map(MetricColumn::from)).collect();
        let mut table = Scores::builder_of(name, columns);
        let mut visited = Vec::with_capacity(topics.len());
        for ((topic, ..), (held, scores, value)) in topics.iter().zip(compared) {
            tally.add(&held, topic);
            table.push_weighted(topic, &scores)?;
            visited.push((topic.to_string(), value));
        }
        if tally.comparable > 0 && tally.disjoint.count == tally.comparable {
            return Err(nothing_in_common(name, "document"));
        }
        tally.warn(name, warnings);
        let mut scores = table.build()?;
        (scores.missing, scores.unjudged) = missing;
        warn_of_undefined(&scores, self.undefined, warnings)?;
        Ok((scores, visited))
    }

    /// How many topics each of the sides lacks.
    fn compare_topics(
        &self,
        name: &str,
        system: &Organizations,
        warnings: &mut Warnings,
    ) -> Result<(usize, usize)> {
        let mut missing = Sightings::default();
        self.gold
            .keys()
            .filter(|topic| !system.contains_key(*topic))
            .for_each(|topic| missing.add(1, topic));
        if missing.count == self.gold.len() {
            return Err(nothing_in_common(name, "topic"));
        }
        if missing.count > 0 && self.missing == Missing::Error {
            let message = format!(
                "{} topics of the gold standard are missing, the first of them {}",
                missing.count, missing.example
            );
            return Err(Error::input(Place::file(name), message).help(Remedy::missing()));
        }
        missing.warn(WarningKind::MissingTopic, name, warnings);
        let mut unjudged = Sightings::default();
        system
            .keys()
            .filter(|topic| !self.gold.contains_key(*topic))
            .for_each(|topic| unjudged.add(1, topic));
        unjudged.warn(WarningKind::UnjudgedTopic, name, warnings);
        Ok((missing.count, unjudged.count))
    }
}

fn nothing_in_common(name: &str, what: &str) -> Error {
    let message = format!("no {what} in common with the gold standard");
    Error::input(Place::file(name), message)
        .help(format!("check that both files name their {what}s alike"))
}

/// How often something was met, and the first instance.
#[derive(Default)]
struct Sightings {
    count: usize,
    example: String,
}

impl Sightings {
    fn add(&mut self, n: usize, example: &str) {
        if self.count == 0 && n > 0 {
            self.example = example.to_string();
        }
        self.count += n;
    }

    fn warn(&self, kind: WarningKind, name: &str, warnings: &mut Warnings) {
        if self.count > 0 {
            warnings.add_example(kind, self.count as u64, name, &self.example);
        }
    }
}

/// What the two sides hold of one topic.
struct Held {
    comparable: bool,
    disjoint: bool,
    foreign: usize,
    unknown: usize,
    missing: usize,
}

impl Held {
    fn of(comparison: &OrganizationComparison<'_>, foreign: usize) -> Held {
        let (gold, system) = (comparison.gold_index(), comparison.system_index());
        let marks = |side: &Organization| {
            let mut known = vec![false; gold.documents()];
            for &document in side.discarded() {
                known[document as usize] = true;
            }
            known
        };
        let (gold_discards, system_discards) =
            (marks(comparison.gold()), marks(comparison.system()));
        let (mut shared, mut unknown, mut missing, mut either) = (0, 0, 0, [false; 2]);
        for document in 0..gold.documents() {
            let (in_gold, in_system) = (gold.count(document) > 0, system.count(document) > 0);
            let gold_knows = in_gold || gold_discards[document];
            let system_knows = in_system || system_discards[document];
            shared += usize::from(gold_knows && system_knows);
            either = [either[0] || gold_knows, either[1] || system_knows];
            unknown += usize::from(in_system && !gold_knows);
            missing += usize::from(in_gold && !system_knows);
        }
        let comparable = either[0] && either[1];
        Held { comparable, disjoint: comparable && shared == 0, foreign, unknown, missing }
    }
}

/// The same over all topics.
#[derive(Default)]
struct HeldInAll {
    comparable: usize,
    disjoint: Sightings,
    foreign: Sightings,
    unknown: Sightings,
    missing: Sightings,
}

impl HeldInAll {
    fn add(&mut self, held: &Held, topic: &str) {
        let place = format!("in topic {topic}");
        self.foreign.add(held.foreign, &place);
        self.unknown.add(held.unknown, &place);
        self.missing.add(held.missing, &place);
        self.comparable += usize::from(held.comparable);
        self.disjoint.add(usize::from(held.disjoint), topic);
    }

    fn warn(&self, name: &str, warnings: &mut Warnings) {
        self.disjoint.warn(WarningKind::NothingInCommon, name, warnings);
        self.foreign.warn(WarningKind::ForeignDocument, name, warnings);
        self.unknown.warn(WarningKind::UnknownDocument, name, warnings);
        self.missing.warn(WarningKind::MissingDocument, name, warnings);
    }
}

#[cfg(test)]
#[path = "organizations_tests.rs"]
mod tests;
