//! Scores as one JSON document, whose schema is a promise, and as one object per value.

use serde_json::{Map, Value, json};

use super::tables::{self, BothSides, OF_DOCUMENT};
use super::{Results, Show, System, Told};
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
    let mut lines: Vec<Value> = Vec::new();
    match results.show {
        Show::Scores => {
            lines.extend(tables::values(results).map(|value| json!({ "system": value.system, "measure": value.measure, "topic": value.topic, "value": rounded(value.value, results.places) })));
        }
        Show::Documents => {
            for system in &results.systems {
                for (topic, documents) in tables::by_document(system) {
                    lines.extend(documents.iter().map(|document| {
                        let mut line = of_document(results, document);
                        line.insert("system".into(), json!(system.name));
                        line.insert("topic".into(), json!(topic));
                        Value::Object(line)
                    }));
                }
            }
        }
        Show::Mix => {
            for system in &results.systems {
                lines.extend(mixtures(results, system).into_iter().map(|mut line| {
                    line.insert("system".into(), json!(system.name));
                    Value::Object(line)
                }));
            }
        }
    }
    lines.iter().map(|line| line.to_string() + "\n").collect::<String>().into_bytes()
}

fn object(results: &Results<'_>, system: &System) -> Value {
    let mut object = Map::new();
    let columns = 0..results.measures.len();
    object.insert("name".into(), json!(system.name));
    if results.per_topic {
        let topic = |row: usize| {
            let values = columns.clone().map(move |at| system.scores.value(row, at));
            (system.scores.topic(row).into_owned(), named(results, values))
        };
        object
            .insert("topics".into(), Value::Object((0..system.scores.len()).map(topic).collect()));
    }
    let means = columns.clone().map(|at| results.mean(system, at));
    object.insert("mean".into(), named(results, means));
    let explained: Map<String, Value> = tables::told(system)
        .map(|(topic, told)| {
            let list = |fate: &str| -> Vec<Value> {
                let of_fate = told.iter().filter(|told| told.fate == fate);
                of_fate.map(|Told { relation, weight, .. }| json!({ "relation": relation, "weight": rounded(Some(*weight), results.places) })).collect()
            };
            (topic.to_string(), json!({ "lost": list("lost"), "invented": list("invented") }))
        })
        .collect();
    if !explained.is_empty() {
        object.insert("explain".into(), Value::Object(explained));
    }
    if results.show == Show::Documents {
        let topic = |(topic, documents): (&str, Vec<BothSides>)| {
            let documents: Vec<Value> =
                documents.iter().map(|d| Value::Object(of_document(results, d))).collect();
            (topic.to_string(), json!(documents))
        };
        object.insert(
            "documents".into(),
            Value::Object(tables::by_document(system).map(topic).collect()),
        );
    }
    if results.show == Show::Mix {
        let mixtures = mixtures(results, system).into_iter().map(Value::Object);
        object.insert("mix".into(), mixtures.collect());
    }
    Value::Object(object)
}

fn of_document(results: &Results<'_>, document: &BothSides) -> Map<String, Value> {
    let mut object = Map::from_iter([("doc".to_string(), json!(document.name))]);
    let numbers = document.numbers().map(|number| json!(rounded(number, results.places)));
    object.extend(OF_DOCUMENT.iter().map(ToString::to_string).zip(numbers));
    object
}

fn mixtures(results: &Results<'_>, system: &System) -> Vec<Map<String, Value>> {
    let object = |(share, values): (f64, [Option<f64>; 3])| {
        let numbers = values.map(|value| json!(rounded(value, results.places)));
        let named = ["R", "S", "F"].map(String::from).into_iter().zip(numbers);
        Map::from_iter(std::iter::once(("priority".to_string(), json!(share))).chain(named))
    };
    tables::by_mixture(results, system).into_iter().map(object).collect()
}

/// The values by the names of their measures.
fn named(results: &Results<'_>, values: impl Iterator<Item = Option<f64>>) -> Value {
    let names = results.measures.iter().map(|measure| measure.definition().name.to_string());
    Value::Object(names.zip(values.map(|value| json!(rounded(value, results.places)))).collect())
}
