//! Scores and explanations as tables: for people a column for each system, for programs a row for
//! each value.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use axiometrics::measure::Score;
use axiometrics::report::{Cell, Column, Format, Style, Table};

use super::{Results, System, Told};

/// The mean, among topics.
pub(super) const ALL: &str = "all";

pub(super) fn render(
    results: &Results<'_>,
    format: Format,
    style: &Style,
    explain: bool,
) -> Vec<u8> {
    let text = match (format, explain) {
        (Format::Tsv | Format::Csv, true) => differences(results).render(format, style),
        (Format::Tsv | Format::Csv, false) => long(results).render(format, style),
        (_, false) => wide(results).render(format, style),
        (_, true) => wide(results).render(format, style) + &sentences(results, style),
    };
    text.into_bytes()
}

/// A row for each measure (and topic), a column for each system. Measures without any value are
/// left to the warnings.
fn wide(results: &Results<'_>) -> Table {
    let per_topic = results.per_topic;
    let keys = std::iter::once("measure").chain(per_topic.then_some("topic")).map(Column::text);
    let mut table = Table::new(
        keys.chain(results.systems.iter().map(|system| Column::number(&system.name))).collect(),
    );
    // Systems can have been scored on different topics, where missing ones are skipped.
    let by_topic: Vec<BTreeMap<&str, &[Score]>> = results
        .systems
        .iter()
        .map(|system| {
            system
                .scores
                .topics
                .iter()
                .map(|(topic, scores)| (topic.as_str(), scores.as_slice()))
                .collect()
        })
        .collect();
    let mut topics: Vec<&str> = by_topic.iter().flat_map(|scores| scores.keys().copied()).collect();
    topics.sort_unstable();
    topics.dedup();
    let has_value =
        |at: &usize| results.systems.iter().any(|system| system.scores.means[*at].is_some());
    for (at, measure) in results.measures.iter().enumerate().filter(|(at, _)| has_value(at)) {
        let name = || Cell::text(measure.definition().name);
        if per_topic {
            for topic in &topics {
                let value = |scores: &BTreeMap<&str, &[Score]>| {
                    Cell::number(scores.get(topic).and_then(|scores| scores[at].value()))
                };
                table.push(
                    [name(), Cell::text(*topic)]
                        .into_iter()
                        .chain(by_topic.iter().map(value))
                        .collect(),
                );
            }
        }
        let means = results.systems.iter().map(|system| Cell::number(system.scores.means[at]));
        table.push(
            std::iter::once(name())
                .chain(per_topic.then(|| Cell::text(ALL)))
                .chain(means)
                .collect(),
        );
    }
    table.footnotes.push(format!("{}, {}", count(topics.len(), "topic"), results.settings));
    table
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Every value: system, measure, topic, value.
pub(super) fn values<'a>(
    results: &'a Results<'_>,
) -> impl Iterator<Item = (&'a System, &'static str, &'a str, Option<f64>)> {
    results.systems.iter().flat_map(move |system| {
        results.measures.iter().enumerate().flat_map(move |(at, measure)| {
            let name = measure.definition().name;
            let topics = system.scores.topics.iter().filter(|_| results.per_topic);
            let topics = topics
                .map(move |(topic, scores)| (system, name, topic.as_str(), scores[at].value()));
            topics.chain([(system, name, ALL, system.scores.means[at])])
        })
    })
}

fn long(results: &Results<'_>) -> Table {
    let keys = ["system", "measure", "topic"].map(Column::text);
    let mut table = Table::new(keys.into_iter().chain([Column::number("value")]).collect());
    for (system, measure, topic, value) in values(results) {
        table.push(vec![
            Cell::text(&system.name),
            Cell::text(measure),
            Cell::text(topic),
            Cell::number(value),
        ]);
    }
    table
}

fn differences(results: &Results<'_>) -> Table {
    let keys = ["system", "topic", "fate", "relation"].map(Column::text);
    let mut table = Table::new(keys.into_iter().chain([Column::number("weight")]).collect());
    for system in &results.systems {
        for (topic, told) in &system.explanations {
            for Told { fate, relation, weight } in told {
                let texts = [&system.name, topic, *fate, relation].map(Cell::text);
                table.push(texts.into_iter().chain([Cell::number(*weight)]).collect());
            }
        }
    }
    table
}

fn sentences(results: &Results<'_>, style: &Style) -> String {
    let places = usize::from(style.places.unwrap_or(4));
    let mut out = String::new();
    for system in &results.systems {
        for (topic, told) in &system.explanations {
            let _ = writeln!(out, "\n{}, topic {topic}:", system.name);
            if told.is_empty() {
                out.push_str("  nothing is lost and nothing is invented\n");
            }
            for Told { fate, relation, weight } in told {
                let _ = writeln!(out, "  {relation} is {fate}: {weight:.places$}");
            }
        }
    }
    out
}
