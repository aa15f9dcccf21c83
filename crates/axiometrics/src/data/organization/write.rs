//! Writing organizations.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::{DocumentCatalogue, Documents, LINK, Organization, Organizations};

/// What can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteFormat {
    /// `topic doc level cluster`, with tabs.
    Tsv,
    /// The same with commas.
    Csv,
    /// Nested lists.
    Json,
    /// `topic doc label [score]`, with tabs: what is on any level is kept.
    Filtering,
}

/// Writes organizations. Clusters are numbered, as their names are not kept; a cluster of one
/// document has no name.
pub fn write(
    out: &mut dyn Write,
    format: WriteFormat,
    organizations: &Organizations,
    catalogue: &DocumentCatalogue,
) -> io::Result<()> {
    let none = Documents::default();
    let topics = organizations.iter().map(|(topic, organization)| {
        (topic.as_str(), organization, catalogue.get(topic).unwrap_or(&none))
    });
    match format {
        WriteFormat::Tsv => table(out, '\t', topics),
        WriteFormat::Csv => table(out, ',', topics),
        WriteFormat::Filtering => filtering(out, topics),
        WriteFormat::Json => {
            let all: Map<String, Value> = topics
                .map(|(topic, organization, documents)| {
                    (topic.to_string(), value(organization, documents))
                })
                .collect();
            writeln!(out, "{}", Value::Object(all))
        }
    }
}

type WrittenTopic<'a> = (&'a str, &'a Organization, &'a Documents);

fn table<'a>(
    out: &mut dyn Write,
    delimiter: char,
    topics: impl Iterator<Item = WrittenTopic<'a>> + Clone,
) -> io::Result<()> {
    let any = |said: fn(&Organization) -> bool| topics.clone().any(|(_, side, _)| said(side));
    let weighted = any(|side| !side.weights().is_empty());
    let linked = any(|side| !side.links().is_empty());
    // A row has a field for the weight and one for the links if any row has.
    let mut line = |place: [&str; 4], weight: &str, links: &str| {
        let mut fields = place.to_vec();
        fields.extend(weighted.then_some(weight));
        fields.extend(linked.then_some(links));
        row(out, delimiter, &fields)
    };
    line(["topic", "doc", "level", "cluster"], "weight", "links")?;
    for (topic, organization, documents) in topics {
        let weights: HashMap<u32, String> =
            organization.weights().iter().map(|(d, weight)| (*d, weight.to_string())).collect();
        let weight = |document: u32| weights.get(&document).map_or("", String::as_str);
        let mut links: HashMap<u32, String> = HashMap::new();
        for &(from, to) in organization.links() {
            let names = links.entry(from).or_default();
            if !names.is_empty() {
                names.push(LINK);
            }
            names.push_str(documents.name(to));
        }
        for level in 0..organization.levels() {
            let number = (level + 1).to_string();
            for cluster in organization.level(level) {
                let members = organization.cluster(cluster);
                let name =
                    if members.len() > 1 { format!("c{}", cluster + 1) } else { String::new() };
                for &document in members {
                    let place = [topic, documents.name(document), &number, &name];
                    // Links are told once, with the first occurrence.
                    line(place, weight(document), &links.remove(&document).unwrap_or_default())?;
                }
            }
        }
        for &document in organization.discarded() {
            line([topic, documents.name(document), "tail", ""], weight(document), "")?;
        }
    }
    Ok(())
}

fn filtering<'a>(
    out: &mut dyn Write,
    topics: impl Iterator<Item = WrittenTopic<'a>> + Clone,
) -> io::Result<()> {
    let scored = topics.clone().any(|(_, organization, _)| !organization.scores().is_empty());
    let width = if scored { 4 } else { 3 };
    row(out, '\t', &["topic", "doc", "label", "score"][..width])?;
    for (topic, organization, documents) in topics {
        let scores: HashMap<u32, f64> = organization.scores().iter().copied().collect();
        let mut kept: Vec<u32> = (0..organization.clusters())
            .flat_map(|cluster| organization.cluster(cluster))
            .copied()
            .collect();
        kept.sort_unstable();
        kept.dedup();
        let labelled = kept
            .iter()
            .map(|document| (document, "1"))
            .chain(organization.discarded().iter().map(|document| (document, "0")));
        for (document, label) in labelled {
            let score = scores.get(document).map(f64::to_string).unwrap_or_default();
            row(out, '\t', &[topic, documents.name(*document), label, &score][..width])?;
        }
    }
    Ok(())
}

fn row(out: &mut dyn Write, delimiter: char, fields: &[&str]) -> io::Result<()> {
    for (at, field) in fields.iter().enumerate() {
        if at > 0 {
            write!(out, "{delimiter}")?;
        }
        out.write_all(quoted(field, delimiter).as_bytes())?;
    }
    out.write_all(b"\n")
}

fn quoted(field: &str, delimiter: char) -> Cow<'_, str> {
    if field.contains([delimiter, '"', '\n', '\r']) {
        Cow::Owned(format!("\"{}\"", field.replace('"', "\"\"")))
    } else {
        Cow::Borrowed(field)
    }
}

fn value(organization: &Organization, documents: &Documents) -> Value {
    let name = |&document: &u32| documents.name(document);
    let cluster =
        |cluster: usize| organization.cluster(cluster).iter().map(name).collect::<Vec<_>>();
    let levels: Vec<Vec<Vec<&str>>> = (0..organization.levels())
        .map(|level| organization.level(level).map(cluster).collect())
        .collect();
    let mut parts = Map::new();
    if !organization.discarded().is_empty() {
        parts.insert("tail".into(), organization.discarded().iter().map(name).collect());
    }
    if !organization.weights().is_empty() {
        let weights = organization.weights().iter();
        let weights = weights.map(|(document, weight)| (name(document).to_string(), json!(weight)));
        parts.insert("weights".into(), Value::Object(weights.collect()));
    }
    if !organization.links().is_empty() {
        let links = organization.links().iter().map(|(from, to)| json!([name(from), name(to)]));
        parts.insert("links".into(), links.collect());
    }
    if parts.is_empty() {
        return json!(levels);
    }
    parts.insert("levels".into(), json!(levels));
    Value::Object(parts)
}
