//! What `axio organize` prints.

use std::collections::BTreeMap;
use std::io::{self, Write};

use axiometrics::organization::{Missing, Score, Undefined, Warning};
use serde_json::{Map, Value, json};

use super::table::{Cell, Style, Table};
use super::{Args, Format, Results, System, Told};

/// The row of means, among topics.
const ALL: &str = "all";

/// Prints the results in the chosen format.
pub(super) fn print(results: &Results, args: &Args, out: &mut dyn Write) -> io::Result<()> {
    let style = match args.format {
        Format::Json => return writeln!(out, "{:#}", object(results, args.per_topic)),
        Format::Jsonl => return lines(results, args.per_topic, out),
        Format::Table => Style::Plain,
        Format::Markdown => Style::Markdown,
        Format::Latex => Style::Latex,
        Format::Tsv => Style::Tsv,
        Format::Csv => Style::Csv,
    };
    let long = matches!(style, Style::Tsv | Style::Csv);
    if long && args.explain.is_some() {
        return differences(results).write(style, args.places, out);
    }
    let table = if long { long_table(results, args.per_topic) } else { wide_table(results, args.per_topic) };
    table.write(style, args.places.or((!long).then_some(4)), out)?;
    if args.explain.is_some() {
        sentences(results, args.places.unwrap_or(4), out)?;
    }
    Ok(())
}

/// A line for each measure (and topic), a column for each system. Measures without any value are left to the warnings.
fn wide_table(results: &Results, per_topic: bool) -> Table {
    let mut header = vec!["measure".to_string()];
    if per_topic {
        header.push("topic".to_string());
    }
    header.extend(results.systems.iter().map(|system| system.name.clone()));
    let mut rows = Vec::new();
    // Systems can have been scored on different topics, where missing ones are skipped.
    let mut topics: Vec<&str> =
        results.systems.iter().flat_map(|system| system.evaluation.topics.iter().map(|(topic, _)| topic.as_str())).collect();
    topics.sort_unstable();
    topics.dedup();
    let by_topic: Vec<BTreeMap<&str, &Vec<Score>>> = results
        .systems
        .iter()
        .map(|system| system.evaluation.topics.iter().map(|(topic, scores)| (topic.as_str(), scores)).collect())
        .collect();
    let has_value = |at: &usize| results.systems.iter().any(|system| system.evaluation.means[*at].is_some());
    for (at, measure) in results.measures.iter().enumerate().filter(|(at, _)| has_value(at)) {
        let name = || Cell::Text(measure.definition().name.to_string());
        if per_topic {
            for topic in &topics {
                let value = |scores: &BTreeMap<&str, &Vec<Score>>| Cell::Number(scores.get(topic).and_then(|scores| scores[at].value()));
                rows.push([name(), Cell::Text(topic.to_string())].into_iter().chain(by_topic.iter().map(value)).collect());
            }
        }
        let mut row = vec![name()];
        if per_topic {
            row.push(Cell::Text(ALL.to_string()));
        }
        row.extend(results.systems.iter().map(|system| Cell::Number(system.evaluation.means[at])));
        rows.push(row);
    }
    Table { header, rows }
}

/// A line for each value.
fn long_table(results: &Results, per_topic: bool) -> Table {
    let mut rows = Vec::new();
    for system in &results.systems {
        for (at, measure) in results.measures.iter().enumerate() {
            let mut add = |topic: &str, value: Option<f64>| {
                let text = [&system.name, measure.definition().name, topic].map(|text| Cell::Text(text.to_string()));
                rows.push(text.into_iter().chain([Cell::Number(value)]).collect());
            };
            if per_topic {
                system.evaluation.topics.iter().for_each(|(topic, scores)| add(topic, scores[at].value()));
            }
            add(ALL, system.evaluation.means[at]);
        }
    }
    Table { header: ["system", "measure", "topic", "value"].map(String::from).to_vec(), rows }
}

fn differences(results: &Results) -> Table {
    let mut rows = Vec::new();
    for system in &results.systems {
        for (topic, told) in &system.explanations {
            rows.extend(told.iter().map(|told| {
                let text = [&system.name, topic, told.fate, &told.relation].map(|text| Cell::Text(text.to_string()));
                text.into_iter().chain([Cell::Number(Some(told.weight))]).collect()
            }));
        }
    }
    Table { header: ["system", "topic", "fate", "relation", "weight"].map(String::from).to_vec(), rows }
}

fn sentences(results: &Results, places: usize, out: &mut dyn Write) -> io::Result<()> {
    for system in &results.systems {
        for (topic, told) in &system.explanations {
            writeln!(out, "\n{}, topic {topic}:", system.name)?;
            if told.is_empty() {
                writeln!(out, "  nothing is lost and nothing is invented")?;
            }
            for Told { fate, relation, weight } in told {
                writeln!(out, "  {relation} is {fate}: {weight:.places$}")?;
            }
        }
    }
    Ok(())
}

fn object(results: &Results, per_topic: bool) -> Value {
    let settings = &results.settings;
    let systems: Vec<Value> = results.systems.iter().map(|system| system_object(results, system, per_topic)).collect();
    let warnings = results.systems.iter().flat_map(|system| {
        system.evaluation.warnings.iter().map(|warning| {
            json!({"system": system.name, "kind": warning.kind(), "count": warning.count(), "message": warning.message(), "remedy": warning.remedy()})
        })
    });
    json!({
        "systems": systems,
        "warnings": warnings.collect::<Vec<Value>>(),
        "settings": {
            "top": settings.curve.top(),
            "weight": settings.curve.weight(),
            "finite": settings.finite,
            "variant": settings.variant.name(),
            "mix": settings.mix,
            "utility": settings.utility,
            "beta": settings.beta,
            "missing": match results.policy.missing { Missing::Empty => "zero", Missing::Skip => "skip", Missing::Error => "error" },
            "undefined": match results.policy.undefined { Undefined::Skip => "skip", Undefined::Zero => "zero", Undefined::Error => "error" },
            "version": env!("CARGO_PKG_VERSION"),
        },
    })
}

fn system_object(results: &Results, system: &System, per_topic: bool) -> Value {
    let mut object = Map::new();
    object.insert("name".into(), json!(system.name));
    if per_topic {
        let topics: Map<String, Value> = system
            .evaluation
            .topics
            .iter()
            .map(|(topic, scores)| (topic.clone(), values(results, scores.iter().map(|score| score.value()))))
            .collect();
        object.insert("topics".into(), Value::Object(topics));
    }
    object.insert("mean".into(), values(results, system.evaluation.means.iter().copied()));
    if !system.explanations.is_empty() {
        let list = |told: &[Told], fate: &str| -> Vec<Value> {
            told.iter().filter(|told| told.fate == fate).map(|told| json!({"relation": told.relation, "weight": told.weight})).collect()
        };
        let topics: Map<String, Value> = system
            .explanations
            .iter()
            .map(|(topic, told)| (topic.clone(), json!({"lost": list(told, "lost"), "invented": list(told, "invented")})))
            .collect();
        object.insert("explain".into(), Value::Object(topics));
    }
    Value::Object(object)
}

fn values(results: &Results, values: impl Iterator<Item = Option<f64>>) -> Value {
    results
        .measures
        .iter()
        .zip(values)
        .map(|(measure, value)| (measure.definition().name.to_string(), json!(value)))
        .collect::<Map<_, _>>()
        .into()
}

/// An object for each system and topic, then one for the system's means.
fn lines(results: &Results, per_topic: bool, out: &mut dyn Write) -> io::Result<()> {
    for system in &results.systems {
        let mut line = |topic: &str, scores: Value| writeln!(out, "{}", json!({"system": system.name, "topic": topic, "scores": scores}));
        if per_topic {
            for (topic, scores) in &system.evaluation.topics {
                line(topic, values(results, scores.iter().map(|score| score.value())))?;
            }
        }
        line(ALL, values(results, system.evaluation.means.iter().copied()))?;
    }
    Ok(())
}

/// Tells the warnings, those about undefined scores gathered by their reason.
pub(super) fn warn(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    for system in &results.systems {
        let mut undefined: BTreeMap<(&str, usize), Vec<&str>> = BTreeMap::new();
        for warning in &system.evaluation.warnings {
            match *warning {
                Warning::UndefinedScores(measure, count, reason) => undefined.entry((reason, count)).or_default().push(measure),
                _ => writeln!(out, "axio: {}: {}: {}", system.name, warning.message(), warning.remedy())?,
            }
        }
        for ((reason, count), measures) in undefined {
            writeln!(out, "axio: {}: no value in {count} topics, since {reason}: {}", system.name, measures.join(", "))?;
        }
    }
    Ok(())
}
