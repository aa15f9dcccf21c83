//! Scores and explanations as tables: for people a column for each system, for programs a row for
//! each value.

use std::fmt::Write as _;

use super::{Difference, OrganizationReport, OrganizedSystem};
use crate::choice::Choice;
use crate::organization::reliability_sensitivity::{OfDocument, RelationScores, Relations};
use crate::report::safe::safe;
use crate::report::table::{Cell, Column, Style, Table};

/// The mean, among topics.
const ALL: &str = "all";

/// What stands for the tail among documents.
const TAIL: &str = "(tail)";

/// The topics of all systems, which can have been scored on different ones if missing ones are
/// skipped.
fn topics(results: &OrganizationReport<'_>) -> Vec<String> {
    let of_system = |system: &OrganizedSystem| {
        (0..system.scores.len())
            .map(|row| system.scores.topic(row).into_owned())
            .collect::<Vec<_>>()
    };
    let mut topics: Vec<String> = results.systems.iter().flat_map(of_system).collect();
    topics.sort_unstable();
    topics.dedup();
    topics
}

/// A row for each measure (and topic), a column for each system. Measures without any value are
/// left to the warnings.
pub(super) fn wide(results: &OrganizationReport<'_>) -> Table {
    let per_topic = results.per_topic;
    let keys = std::iter::once("measure").chain(per_topic.then_some("topic")).map(Column::text);
    let mut table = Table::new(
        keys.chain(results.systems.iter().map(|system| Column::number(&system.name))).collect(),
    );
    let topics = topics(results);
    let has_value =
        |at: &usize| results.systems.iter().any(|system| results.mean(system, *at).is_some());
    for (at, measure) in results.names().enumerate().filter(|(at, _)| has_value(at)) {
        let name = || Cell::text(measure);
        for topic in topics.iter().filter(|_| per_topic) {
            let value = |system: &OrganizedSystem| {
                let row = system.scores.row_of(topic.as_bytes());
                Cell::number(row.and_then(|row| system.scores.value(row, at)))
            };
            let values = results.systems.iter().map(value);
            table.push([name(), Cell::text(topic)].into_iter().chain(values).collect());
        }
        let means = results.systems.iter().map(|system| Cell::number(results.mean(system, at)));
        table.push(
            std::iter::once(name())
                .chain(per_topic.then(|| Cell::text(ALL)))
                .chain(means)
                .collect(),
        );
    }
    table.footnotes.push(footnote(results));
    table
}

fn footnote(results: &OrganizationReport<'_>) -> String {
    let count = topics(results).len();
    format!("{count} topic{}, {}", if count == 1 { "" } else { "s" }, results.protocol)
}

/// A value with its system, measure and topic.
struct TopicValue<'a> {
    system: &'a str,
    measure: &'a str,
    topic: String,
    value: Option<f64>,
}

/// Every value.
fn values<'a>(results: &'a OrganizationReport<'_>) -> impl Iterator<Item = TopicValue<'a>> {
    results.systems.iter().flat_map(move |system| {
        results.names().enumerate().flat_map(move |(at, measure)| {
            let value =
                move |topic, value| TopicValue { system: &system.name, measure, topic, value };
            let scores = &system.scores;
            let rows = (0..scores.len()).filter(|_| results.per_topic);
            let topics =
                rows.map(move |row| value(scores.topic(row).into_owned(), scores.value(row, at)));
            topics.chain([value(ALL.to_string(), results.mean(system, at))])
        })
    })
}

pub(super) fn long(results: &OrganizationReport<'_>) -> Table {
    let keys = ["system", "measure", "topic"].map(Column::text);
    let mut table = Table::new(keys.into_iter().chain([Column::number("value")]).collect());
    for TopicValue { system, measure, topic, value } in values(results) {
        let texts = [system, measure, &topic].map(Cell::text);
        table.push(texts.into_iter().chain([Cell::number(value)]).collect());
    }
    table
}

pub(super) fn differences(results: &OrganizationReport<'_>) -> Table {
    let keys = ["system", "topic", "fate", "relation"].map(Column::text);
    let mut table = Table::new(keys.into_iter().chain([Column::number("weight")]).collect());
    for system in results.systems {
        for (topic, told) in told(system) {
            for Difference { fate, relation, weight } in told {
                let texts = [&system.name, topic, fate.name(), relation].map(Cell::text);
                table.push(texts.into_iter().chain([Cell::number(*weight)]).collect());
            }
        }
    }
    table
}

/// The explained topics of a system.
pub(super) fn told(system: &OrganizedSystem) -> impl Iterator<Item = (&str, &[Difference])> {
    let topics = system.topics.iter();
    topics.filter_map(|(topic, said)| Some((topic.as_str(), said.differences.as_deref()?)))
}

pub(super) fn sentences(results: &OrganizationReport<'_>, style: &Style) -> String {
    let places = usize::from(style.places.unwrap_or(4));
    let mut out = String::new();
    for system in results.systems {
        for (topic, told) in told(system) {
            let _ = writeln!(out, "\n{}, topic {}:", safe(&system.name), safe(topic));
            if told.is_empty() {
                out.push_str("  nothing is lost and nothing is invented\n");
            }
            for Difference { fate, relation, weight } in told {
                let relation = safe(relation);
                let _ = writeln!(out, "  {relation} is {}: {weight:.places$}", fate.name());
            }
        }
    }
    out
}

/// A document on one or both sides.
pub(super) struct BothSides {
    pub(super) name: String,
    pub(super) system: Option<OfDocument>,
    pub(super) gold: Option<OfDocument>,
}

/// The documents of each topic of a system, by number, the tail last.
pub(super) fn by_document(
    system: &OrganizedSystem,
) -> impl Iterator<Item = (&str, Vec<BothSides>)> {
    system.topics.iter().filter_map(|(topic, said)| {
        let (parts, names) = said.documents.as_ref()?;
        let mut all: Vec<Option<u32>> =
            parts.system.iter().chain(&parts.gold).map(|part| part.document).collect();
        all.sort_unstable_by_key(|document| document.unwrap_or(u32::MAX));
        all.dedup();
        let find = |side: &[OfDocument], document: Option<u32>| {
            side.iter().find(|part| part.document == document).copied()
        };
        let both = |document: Option<u32>| BothSides {
            name: document.map_or(TAIL, |document| names.name(document)).to_string(),
            system: find(&parts.system, document),
            gold: find(&parts.gold, document),
        };
        Some((topic.as_str(), all.into_iter().map(both).collect()))
    })
}

/// The columns of a document's relations: on the system's side R, on the gold standard's S.
pub(super) const OF_DOCUMENT: [&str; 8] = [
    "weight",
    "R_priority",
    "R_related",
    "R_joint",
    "gold_weight",
    "S_priority",
    "S_related",
    "S_joint",
];

impl BothSides {
    pub(super) fn numbers(&self) -> impl Iterator<Item = Option<f64>> {
        [self.system, self.gold].into_iter().flat_map(|side| {
            let number = move |of: fn(&OfDocument) -> f64| side.as_ref().map(of);
            [
                number(|d| d.weight),
                number(|d| d.priority),
                number(|d| d.related),
                number(|d| d.joint),
            ]
        })
    }
}

pub(super) fn documents(results: &OrganizationReport<'_>, for_people: bool) -> Table {
    let keys = ["system", "topic", "doc"].map(Column::text).into_iter();
    let mut table = Table::new(keys.chain(OF_DOCUMENT.map(Column::number)).collect());
    for system in results.systems {
        for (topic, documents) in by_document(system) {
            for document in documents {
                let texts = [&system.name, topic, &document.name].map(Cell::text);
                table.push(texts.into_iter().chain(document.numbers().map(Cell::number)).collect());
            }
        }
    }
    if for_people {
        table.footnotes.push(
            "R is the sum over all rows of weight times share, S of gold_weight times share"
                .to_string(),
        );
        table.footnotes.push(footnote(results));
    }
    table
}

/// The shares of priority that are tried.
const STEPS: u32 = 10;

/// R, S and F of a system for each share of priority: means over topics.
pub(super) fn by_mixture(
    results: &OrganizationReport<'_>,
    system: &OrganizedSystem,
) -> Vec<(f64, [Option<f64>; 3])> {
    let topics: Vec<Relations> =
        system.topics.iter().filter_map(|(_, said)| said.relations).collect();
    let at = |step: u32| {
        let share = f64::from(step) / f64::from(STEPS);
        let mix = |priority: f64, related: f64| share * priority + (1.0 - share) * related;
        let mut sums = [0.0; 3];
        for Relations { priority, related, .. } in &topics {
            let pair = RelationScores {
                reliability: mix(priority.reliability, related.reliability),
                sensitivity: mix(priority.sensitivity, related.sensitivity),
            };
            let values = [pair.reliability, pair.sensitivity, pair.f(results.protocol.beta)];
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
        let mean = |sum: f64| (!topics.is_empty()).then(|| sum / topics.len() as f64);
        (share, sums.map(mean))
    };
    (0..=STEPS).map(at).collect()
}

pub(super) fn mixtures(results: &OrganizationReport<'_>) -> Table {
    let columns = results.systems.iter().map(|system| Column::number(format!("F {}", system.name)));
    let mut table = Table::new(std::iter::once(Column::text("priority")).chain(columns).collect());
    let all: Vec<_> = results.systems.iter().map(|system| by_mixture(results, system)).collect();
    let mut best: Vec<Option<usize>> = Vec::new();
    for step in 0..=STEPS as usize {
        let values: Vec<Option<f64>> = all.iter().map(|of| of[step].1[2]).collect();
        best.push(first_of(&values));
        let share = Cell::text(format!("{}", all[0][step].0));
        table.push(std::iter::once(share).chain(values.into_iter().map(Cell::number)).collect());
    }
    let change = best.windows(2).position(|pair| pair[0] != pair[1]);
    if let Some(step) = change
        && let (Some(before), Some(after)) = (best[step], best[step + 1])
    {
        let share = |step: usize| step as f64 / f64::from(STEPS);
        table.footnotes.push(format!(
            "the first system changes from {} to {} between {} and {}",
            results.systems[before].name,
            results.systems[after].name,
            share(step),
            share(step + 1)
        ));
    }
    table.footnotes.push(footnote(results));
    table
}

fn first_of(values: &[Option<f64>]) -> Option<usize> {
    let known = values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?)));
    known.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).map(|(at, _)| at)
}

pub(super) fn mixture_rows(results: &OrganizationReport<'_>) -> Table {
    let names = ["priority", "R", "S", "F"].map(Column::number);
    let mut table = Table::new(std::iter::once(Column::text("system")).chain(names).collect());
    for system in results.systems {
        for (share, values) in by_mixture(results, system) {
            let numbers = std::iter::once(Some(share)).chain(values).map(Cell::number);
            table.push(std::iter::once(Cell::text(&system.name)).chain(numbers).collect());
        }
    }
    table
}
