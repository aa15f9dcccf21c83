//! All topics of a system against the gold standard.
//!
//! Owns: which topics count, what a missing topic and an undefined score mean, and the means. Does
//! not own: how numbers are shown.

use super::foreign::GoldNames;
use super::{Comparison, OrganizationMeasure, Score, Settings, Stated};
use crate::data::organization::{Catalogue, Organization, Organizations};
use crate::error::{Error, Place, Result};
use crate::policy::{Missing, Undefined};
use crate::remedy::Remedy;
use crate::warning::{Kind, Warnings};

/// What is to be scored, and how.
pub struct Evaluation<'a> {
    /// The gold standard.
    pub gold: &'a Organizations,
    /// The names of the documents of both sides.
    pub catalogue: &'a Catalogue,
    /// The measures.
    pub measures: &'a [&'static dyn OrganizationMeasure],
    /// Their parameters.
    pub settings: &'a Settings,
    /// What is done about topics that the system lacks.
    pub missing: Missing,
    /// What a mean does with a score that has no value.
    pub undefined: Undefined,
}

/// The scores of a system.
#[derive(Debug, Clone, PartialEq)]
pub struct SystemScores {
    /// The topics in their order, each with a score for each measure.
    pub topics: Vec<(String, Vec<Score>)>,
    /// The mean of each measure, where there is one.
    pub means: Vec<Option<f64>>,
}

impl<'a> Evaluation<'a> {
    /// The default choices. Undefined scores are left out: a measure of partitions has no value
    /// where clusters overlap, which says nothing of the system.
    pub fn new(
        gold: &'a Organizations,
        catalogue: &'a Catalogue,
        measures: &'a [&'static dyn OrganizationMeasure],
        settings: &'a Settings,
    ) -> Evaluation<'a> {
        Evaluation {
            gold,
            catalogue,
            measures,
            settings,
            missing: Missing::Zero,
            undefined: Undefined::Skip,
        }
    }

    /// Scores the topics of a system, which has this name in messages. In finite mode, documents
    /// that the gold standard holds under other topics alone are left out. An error where nothing
    /// can be compared, or where the policies say so.
    pub fn system(
        &self,
        name: &str,
        system: &Organizations,
        warnings: &mut Warnings,
    ) -> Result<SystemScores> {
        self.system_with(name, system, warnings, |_, _| {})
    }

    /// The same, and shows each topic's comparison to `visit`.
    pub fn system_with(
        &self,
        name: &str,
        system: &Organizations,
        warnings: &mut Warnings,
        mut visit: impl FnMut(&str, &Comparison<'_>),
    ) -> Result<SystemScores> {
        self.settings.validate()?;
        self.compare_topics(name, system, warnings)?;
        let names = self.settings.finite.then(|| GoldNames::of(self.gold, self.catalogue));
        let empty = Organization::default();
        let task = Stated::by(self.gold.values());
        let mut topics = Vec::with_capacity(self.gold.len());
        let mut tally = Tally::default();
        for (topic, gold) in self.gold {
            let system = match system.get(topic) {
                Some(system) => system,
                None if self.missing == Missing::Skip => continue,
                None => &empty,
            };
            let own = names.as_ref().and_then(|names| names.without_foreign(topic, gold, system));
            tally
                .foreign
                .add(own.as_ref().map_or(0, |(_, count)| *count), &format!("in topic {topic}"));
            let system = own.as_ref().map_or(system, |(system, _)| system);
            let comparison = Comparison::in_task(task, gold, system, self.settings);
            tally.add(&comparison, topic);
            visit(topic, &comparison);
            topics.push((
                topic.clone(),
                self.measures
                    .iter()
                    .map(|measure| measure.score(&comparison))
                    .collect::<Vec<Score>>(),
            ));
        }
        if tally.comparable > 0 && tally.disjoint.count == tally.comparable {
            return Err(nothing_in_common(name, "document"));
        }
        tally.warn(name, warnings);
        let means = (0..self.measures.len())
            .map(|at| self.mean(name, &topics, at, warnings))
            .collect::<Result<_>>()?;
        Ok(SystemScores { topics, means })
    }

    /// Which topics one of the sides lacks.
    fn compare_topics(
        &self,
        name: &str,
        system: &Organizations,
        warnings: &mut Warnings,
    ) -> Result<()> {
        let mut missing = Count::default();
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
        missing.warn(Kind::MissingTopic, name, warnings);
        let mut unjudged = Count::default();
        system
            .keys()
            .filter(|topic| !self.gold.contains_key(*topic))
            .for_each(|topic| unjudged.add(1, topic));
        unjudged.warn(Kind::UnjudgedTopic, name, warnings);
        Ok(())
    }

    fn mean(
        &self,
        name: &str,
        topics: &[(String, Vec<Score>)],
        at: usize,
        warnings: &mut Warnings,
    ) -> Result<Option<f64>> {
        let measure = self.measures[at].definition().name;
        let mut undefined = Count::default();
        let (mut sum, mut count) = (0.0, 0.0);
        for (topic, scores) in topics {
            match scores[at] {
                Score::Value(value) => {
                    sum += value;
                    count += 1.0;
                }
                Score::Undefined(why) => {
                    undefined.add(1, &format!("{measure} for topic {topic}: {why}"));
                    count += f64::from(u8::from(self.undefined == Undefined::Zero));
                }
            }
        }
        if undefined.count > 0 && self.undefined == Undefined::Error {
            let message = format!(
                "{} undefined scores, the first of them {}",
                undefined.count, undefined.example
            );
            return Err(Error::input(Place::file(name), message).help(Remedy::undefined()));
        }
        undefined.warn(Kind::UndefinedScore, name, warnings);
        Ok((count > 0.0).then(|| sum / count))
    }
}

fn nothing_in_common(name: &str, what: &str) -> Error {
    let message = format!("no {what} in common with the gold standard");
    Error::input(Place::file(name), message)
        .help(format!("check that both files name their {what}s alike"))
}

/// How often something was met, and the first instance.
#[derive(Default)]
struct Count {
    count: usize,
    example: String,
}

impl Count {
    fn add(&mut self, n: usize, example: &str) {
        if self.count == 0 && n > 0 {
            self.example = example.to_string();
        }
        self.count += n;
    }

    fn warn(&self, kind: Kind, name: &str, warnings: &mut Warnings) {
        if self.count > 0 {
            warnings.add_example(kind, self.count as u64, name, &self.example);
        }
    }
}

/// What the two sides hold, over all topics.
#[derive(Default)]
struct Tally {
    comparable: usize,
    disjoint: Count,
    foreign: Count,
    unknown: Count,
    missing: Count,
}

impl Tally {
    fn add(&mut self, comparison: &Comparison<'_>, topic: &str) {
        let (gold, system) = (comparison.gold_index(), comparison.system_index());
        let mark = |side: &Organization| {
            let mut known =
                vec![false; side.discarded().iter().max().map_or(0, |&last| last as usize + 1)];
            for &document in side.discarded() {
                known[document as usize] = true;
            }
            known
        };
        let marked =
            |discards: &[bool], document: usize| discards.get(document).copied().unwrap_or(false);
        let (gold_discards, system_discards) = (mark(comparison.gold()), mark(comparison.system()));
        let (mut shared, mut unknown, mut missing, mut either) = (0, 0, 0, [false; 2]);
        for document in 0..gold.documents() {
            let (in_gold, in_system) = (gold.count(document) > 0, system.count(document) > 0);
            let (gold_knows, system_knows) = (
                in_gold || marked(&gold_discards, document),
                in_system || marked(&system_discards, document),
            );
            shared += usize::from(gold_knows && system_knows);
            either = [either[0] || gold_knows, either[1] || system_knows];
            unknown += usize::from(in_system && !gold_knows);
            missing += usize::from(in_gold && !system_knows);
        }
        let comparable = either[0] && either[1];
        let place = format!("in topic {topic}");
        self.unknown.add(unknown, &place);
        self.missing.add(missing, &place);
        self.comparable += usize::from(comparable);
        self.disjoint.add(usize::from(comparable && shared == 0), topic);
    }

    fn warn(&self, name: &str, warnings: &mut Warnings) {
        self.disjoint.warn(Kind::NothingInCommon, name, warnings);
        self.foreign.warn(Kind::ForeignDocument, name, warnings);
        self.unknown.warn(Kind::UnknownDocument, name, warnings);
        self.missing.warn(Kind::MissingDocument, name, warnings);
    }
}
