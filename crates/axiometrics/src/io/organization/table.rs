//! Tables of documents, levels and clusters; labels of documents.

use super::assemble::{Assembly, Spot};
use super::delimited::{Delimiter, Field, Rows};
use super::{ONLY_TOPIC, Text};
use crate::data::organization::{Catalogue, Organizations};
use crate::error::{Error, Place, Result};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Topic,
    Document,
    Level,
    Cluster,
    Label,
    Score,
}

impl Column {
    fn of(name: &str) -> Option<Column> {
        Some(match name.trim().trim_matches('"').to_lowercase().as_str() {
            "topic" | "topic_id" | "query" | "query_id" | "qid" | "entity" | "entity_id" => Column::Topic,
            "doc" | "document" | "docid" | "doc_id" | "docno" | "tweet_id" => Column::Document,
            "level" => Column::Level,
            "cluster" | "cluster_id" | "class" => Column::Cluster,
            "label" => Column::Label,
            "score" => Column::Score,
            _ => return None,
        })
    }
}

fn names(line: &str) -> impl Iterator<Item = &str> {
    let delimiter = Delimiter::of(line);
    line.split(move |c: char| match delimiter {
        Delimiter::Byte(byte) => c == char::from(byte),
        Delimiter::Space => c.is_whitespace(),
    })
    .filter(|name| !name.trim().is_empty())
}

/// True for a line that names a column for the documents.
pub(super) fn is_header(line: &str) -> bool {
    names(line).any(|name| Column::of(name) == Some(Column::Document))
}

/// True for a header with a column for labels.
pub(super) fn is_filtering_header(line: &str) -> bool {
    names(line).any(|name| Column::of(name) == Some(Column::Label))
}

/// True for a label that needs no explanation.
pub(super) fn is_label(text: &str) -> bool {
    verdict(text, None).is_some()
}

/// Whether a label keeps its document.
fn verdict(label: &str, positive: Option<&str>) -> Option<bool> {
    match (positive, label) {
        (Some(positive), label) => Some(label == positive),
        (None, "1") => Some(true),
        (None, "0") => Some(false),
        (None, label) if label.eq_ignore_ascii_case("true") => Some(true),
        (None, label) if label.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    }
}

/// Where each column stands.
#[derive(Debug, Default)]
struct Header {
    topic: Option<usize>,
    document: usize,
    level: Option<usize>,
    cluster: Option<usize>,
    label: Option<usize>,
    score: Option<usize>,
    width: usize,
}

impl Header {
    fn read(source: &Text<'_>, line: u64, fields: &[Field<'_>]) -> Result<Header> {
        let mut header = Header { width: fields.len(), ..Header::default() };
        let mut document = None;
        // In RepLab's files the topic of the evaluation is the entity, and the column named topic holds the clusters.
        let entities = fields.iter().any(|field| field.text.trim().to_lowercase().starts_with("entity"));
        for (at, field) in fields.iter().enumerate() {
            let place = || source.column(line, field.column);
            let slot = match Column::of(&field.text) {
                Some(Column::Topic) if entities && field.text.trim().eq_ignore_ascii_case("topic") => &mut header.cluster,
                Some(Column::Topic) => &mut header.topic,
                Some(Column::Document) => &mut document,
                Some(Column::Level) => &mut header.level,
                Some(Column::Cluster) => &mut header.cluster,
                Some(Column::Label) => &mut header.label,
                Some(Column::Score) => &mut header.score,
                None => {
                    let expected = "one of the columns topic, doc, level, cluster, label, score";
                    return Err(Error::expected(place(), field.text.as_bytes(), expected));
                }
            };
            if slot.replace(at).is_some() {
                return Err(Error::expected(place(), field.text.as_bytes(), "each column once"));
            }
        }
        let Some(document) = document else {
            return Err(Error::input(source.line(line), "the header names no column doc"));
        };
        if header.label.is_some() && (header.level.is_some() || header.cluster.is_some()) {
            return Err(Error::input(source.line(line), "the header names labels, and levels or clusters too; expected one or the other"));
        }
        Ok(Header { document, ..header })
    }
}

/// Reads a table under its header.
pub(super) fn read(source: &Text<'_>, catalogue: &mut Catalogue) -> Result<Organizations> {
    let first = source.text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    let mut rows = Rows::new(source, Delimiter::of(first));
    let mut fields = Vec::new();
    let Some(line) = rows.next(&mut fields)? else { return Ok(Organizations::new()) };
    let header = Header::read(source, line, &fields)?;
    rest(source, catalogue, &header, rows)
}

/// Reads labels, under a header or without one.
pub(super) fn read_filtering(source: &Text<'_>, catalogue: &mut Catalogue) -> Result<Organizations> {
    let first = source.text.lines().find(|line| !line.trim().is_empty()).unwrap_or("");
    if is_header(first) {
        return read(source, catalogue);
    }
    let width = names(first).count();
    let header = Header { topic: Some(0), document: 1, label: Some(2), score: (width > 3).then_some(3), width, ..Header::default() };
    rest(source, catalogue, &header, Rows::new(source, Delimiter::of(first)))
}

fn rest<'a>(source: &'a Text<'a>, catalogue: &mut Catalogue, header: &Header, mut rows: Rows<'a>) -> Result<Organizations> {
    let mut assembly = Assembly::new(source, catalogue);
    let mut fields = Vec::with_capacity(header.width);
    // Columns at the end may be left out where they may be empty: a cluster, a score.
    let needed = [header.topic, Some(header.document), header.level, header.label].into_iter().flatten().max().unwrap_or(0) + 1;
    while let Some(line) = rows.next(&mut fields)? {
        if fields.len() > header.width || fields.len() < needed {
            let message = format!("found {} fields, expected {}", fields.len(), header.width);
            return Err(Error::input(source.line(line), message));
        }
        let field = |column: Option<usize>| column.and_then(|at| fields.get(at));
        let expected =
            |field: &Field<'_>, expected: &str| Error::expected(source.column(line, field.column), field.text.as_bytes(), expected);
        let document = &fields[header.document];
        if document.text.is_empty() {
            return Err(expected(document, "a document"));
        }
        let cluster = field(header.cluster).map(|field| &*field.text).filter(|name| !name.is_empty());
        let spot = match (field(header.label), field(header.level)) {
            (Some(label), _) => match verdict(&label.text, source.positive) {
                Some(true) => Spot::Level(1, None),
                Some(false) => Spot::Tail,
                None => {
                    let error = expected(label, "a label: 0, 1, true or false");
                    return Err(error.help("where labels are names of classes, say which one is kept"));
                }
            },
            (None, None) => Spot::Level(1, cluster),
            (None, Some(level)) if level.text.eq_ignore_ascii_case("tail") => Spot::Tail,
            (None, Some(level)) => match level.text.parse() {
                Ok(number) if number > 0 => Spot::Level(number, cluster),
                _ => return Err(expected(level, "a level: 1 for the top, 2, 3 and so on, or tail")),
            },
        };
        let score = match field(header.score).filter(|field| !field.text.is_empty()) {
            None => None,
            Some(field) => match field.text.parse::<f64>() {
                Ok(score) if !score.is_nan() => Some(score),
                _ => return Err(expected(field, "a number for the score")),
            },
        };
        let topic = field(header.topic).map_or(ONLY_TOPIC, |field| &*field.text);
        assembly.add(line, topic, &document.text, spot, score)?;
    }
    let organizations = assembly.finish()?;
    if header.label.is_some() {
        once_each(source, &organizations, catalogue)?;
    }
    Ok(organizations)
}

/// A document has one label.
fn once_each(source: &Text<'_>, organizations: &Organizations, catalogue: &Catalogue) -> Result<()> {
    for (topic, organization) in organizations {
        let mut seen = vec![false; organization.bound()];
        for cluster in 0..organization.clusters() {
            for &document in organization.cluster(cluster) {
                if std::mem::replace(&mut seen[document as usize], true) {
                    let name = catalogue.get(topic).map_or("?", |documents| documents.name(document));
                    return Err(Error::input(Place::file(source.name), format!("document {name} of topic {topic} is labelled twice")));
                }
            }
        }
    }
    Ok(())
}
