//! Scores as one JSON document, whose schema is a promise, and as one object per value.

use axiometrics::measure::Score;
use serde_json::{Map, Value, json};

use super::{Results, System, Told, tables};
use axiometrics::report::rounded;

pub(super) fn render(results: &Results<'_>) -> serde_json::Result<Vec<u8>> {
    let systems: Vec<Value> =
        results.systems.iter().map(|system| object(results, system)).collect();
    let document = json!({ "systems": systems, "settings": results.settings, "warnings": results.warnings.list() });
    let mut out = serde_json::to_vec_pretty(&document)?;
    out.push(b'\n');
    Ok(out)
}

pub(super) fn lines(results: &Results<'_>) -> Vec<u8> {
    let line = |(system, measure, topic, value): (&System, _, _, _)| {
        json!({ "system": system.name, "measure": measure, "topic": topic, "value": rounded(value, results.places) }).to_string() + "\n"
    };
    tables::values(results).map(line).collect::<String>().into_bytes()
}

fn object(results: &Results<'_>, system: &System) -> Value {
    let mut object = Map::new();
    object.insert("name".into(), json!(system.name));
    if results.per_topic {
        let topic = |(topic, scores): &(String, Vec<Score>)| {
            (topic.clone(), named(results, scores.iter().map(|score| score.value())))
        };
        object.insert(
            "topics".into(),
            Value::Object(system.scores.topics.iter().map(topic).collect()),
        );
    }
    object.insert("mean".into(), named(results, system.scores.means.iter().copied()));
    if !system.explanations.is_empty() {
        let list = |told: &[Told], fate: &str| -> Vec<Value> {
            let of_fate = told.iter().filter(|told| told.fate == fate);
            of_fate.map(|told| json!({ "relation": told.relation, "weight": rounded(Some(told.weight), results.places) })).collect()
        };
        let topic = |(topic, told): &(String, Vec<Told>)| {
            (
                topic.clone(),
                json!({ "lost": list(told, "lost"), "invented": list(told, "invented") }),
            )
        };
        object.insert(
            "explain".into(),
            Value::Object(system.explanations.iter().map(topic).collect()),
        );
    }
    Value::Object(object)
}

/// The values by the names of their measures.
fn named(results: &Results<'_>, values: impl Iterator<Item = Option<f64>>) -> Value {
    let names = results.measures.iter().map(|measure| measure.definition().name.to_string());
    Value::Object(names.zip(values.map(|value| json!(rounded(value, results.places)))).collect())
}
