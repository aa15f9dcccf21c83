//! Organizations as nested lists: `{"topic": [[["d1"],["d2","d3"]], [["d4"]]]}`, levels, clusters,
//! documents.
//!
//! A topic can be an object instead, if documents of the tail are known, or if documents have weights
//! or links: `{"levels": [...], "tail": ["d5"], "weights": {"d1": 2}, "links": [["d1", "d2"]]}`.

use serde_json::Value;

use super::FileText;
use crate::data::organization::{DocumentCatalogue, Documents, Organization, Organizations};
use crate::error::{Error, Place, Result};

/// Reads a file.
pub(super) fn read(
    source: &FileText<'_>,
    catalogue: &mut DocumentCatalogue,
) -> Result<Organizations> {
    let value: Value = serde_json::from_str(source.text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default().to_string();
        Error::input(
            source.column(error.line() as u64, error.column() as u64),
            format!("no valid JSON: {message}"),
        )
    })?;
    let Value::Object(topics) = value else {
        return Err(Error::input(
            Place::file(source.name),
            "expected an object whose keys are topics",
        ));
    };
    let mut organizations = Organizations::new();
    for (topic, value) in &topics {
        let documents = catalogue.entry(topic.clone()).or_default();
        let organization = organization(value, documents).map_err(|message| {
            Error::input(Place::file(source.name), format!("topic {topic}: {message}"))
        })?;
        organizations.insert(topic.clone(), organization);
    }
    Ok(organizations)
}

fn organization(
    value: &Value,
    documents: &mut Documents,
) -> std::result::Result<Organization, String> {
    const PARTS: [&str; 4] = ["levels", "tail", "weights", "links"];
    let nothing = Value::Array(Vec::new());
    let mut parts = PARTS.map(|_| &nothing);
    match value {
        Value::Object(given) => {
            for (name, value) in given {
                match PARTS.iter().position(|part| part == name) {
                    Some(at) => parts[at] = value,
                    None => return Err(format!("found {name}, expected {}", PARTS.join(", "))),
                }
            }
        }
        levels => parts[0] = levels,
    }
    let [levels, tail, weights, links] = parts;
    let mut builder = Organization::builder();
    for (level, number) in list(levels, "a list of levels")?.iter().zip(1..) {
        builder.level();
        for (cluster, position) in list(level, "a list of clusters")
            .map_err(|m| format!("level {number}: {m}"))?
            .iter()
            .zip(1..)
        {
            let place = |message: String| format!("level {number}, cluster {position}: {message}");
            let members = list(cluster, "a list of documents").map_err(place)?;
            let members: Vec<u32> = members
                .iter()
                .map(|value| document(value, documents))
                .collect::<std::result::Result<_, String>>()
                .map_err(place)?;
            builder.cluster(members).map_err(|defect| place(defect.describe(documents)))?;
        }
    }
    for value in list(tail, "a list of documents")? {
        let document = document(value, documents)?;
        builder.discard(document).map_err(|defect| defect.describe(documents))?;
    }
    if weights != &nothing {
        let Value::Object(weights) = weights else {
            return Err(format!("found {weights}, expected an object of weights by document"));
        };
        for (name, weight) in weights {
            match weight.as_f64() {
                Some(number) if number > 0.0 => builder.weigh(documents.intern(name), number),
                _ => return Err(format!("found {weight}, expected a number above 0 for {name}")),
            };
        }
    }
    for link in list(links, "a list of links")? {
        let ends = list(link, "a link: two documents")?;
        let [from, to] = &ends[..] else {
            return Err(format!("found {link}, expected a link: two documents"));
        };
        let (from, to) = (document(from, documents)?, document(to, documents)?);
        builder.link(from, to).map_err(|defect| defect.describe(documents))?;
    }
    Ok(builder.build())
}

fn list<'a>(value: &'a Value, expected: &str) -> std::result::Result<&'a Vec<Value>, String> {
    value.as_array().ok_or_else(|| format!("found {value}, expected {expected}"))
}

fn document(value: &Value, documents: &mut Documents) -> std::result::Result<u32, String> {
    match value {
        Value::String(name) => Ok(documents.intern(name)),
        Value::Number(number) if number.is_i64() || number.is_u64() => {
            Ok(documents.intern(&number.to_string()))
        }
        other => Err(format!("found {other}, expected a document")),
    }
}
