//! TREC judgements and runs as organizations.

use std::collections::{BTreeMap, HashSet};

use super::delimited::{DelimitedRows, Delimiter, RowFields};
use super::text::FileText;
use crate::data::organization::{
    Defect, DocumentCatalogue, Documents, Organization, Organizations,
};
use crate::data::{by_id, by_score};
use crate::error::{Error, Result};
use crate::policy::Ties;

/// A line of either kind of file.
struct KeyedLine<K> {
    document: u32,
    key: K,
    line: u64,
}

type LinesByTopic<K> = BTreeMap<String, Vec<KeyedLine<K>>>;

/// Reads lines of `width` fields, the topic first and the document third; `key` reads the rest.
fn lines<K>(
    source: &FileText<'_>,
    catalogue: &mut DocumentCatalogue,
    width: usize,
    mut key: impl FnMut(&RowFields<'_>, u64) -> Result<K>,
) -> Result<LinesByTopic<K>> {
    let mut topics: LinesByTopic<K> = BTreeMap::new();
    source.pieces(source.source.read()?, |piece| {
        let mut rows = DelimitedRows::part(source.source.name(), piece, Delimiter::Space);
        let mut fields = RowFields::default();
        while let Some(line) = rows.next(&mut fields)? {
            if fields.len() != width {
                return Err(Error::input(
                    source.line(line),
                    format!("found {} fields, expected {width}", fields.len()),
                ));
            }
            let key = key(&fields, line)?;
            let topic = fields.text(0);
            if !topics.contains_key(topic) {
                topics.insert(topic.to_string(), Vec::new());
                catalogue.entry(topic.to_string()).or_default();
            }
            if let (Some(list), Some(documents)) = (topics.get_mut(topic), catalogue.get_mut(topic))
            {
                list.push(KeyedLine { document: documents.intern(fields.text(2)), key, line });
            }
        }
        Ok(Some(rows.next_row()))
    })?;
    Ok(topics)
}

/// True if some topic judges a document more than once: judgements by subtopic.
fn repeats_documents<K>(topics: &LinesByTopic<K>) -> bool {
    topics.values().any(|lines| repetition(lines).is_err())
}

/// Reads judgements: by grade, or by subtopic. Unless it is known which, the documents tell.
pub(super) fn read_qrels(
    source: &FileText<'_>,
    catalogue: &mut DocumentCatalogue,
    by_subtopics: Option<bool>,
) -> Result<Organizations> {
    let mut subtopics = Documents::default();
    let topics = lines(source, catalogue, 4, |fields, line| match fields.text(3).parse::<i64>() {
        Ok(grade) => Ok((subtopics.intern(fields.text(1)), grade)),
        Err(_) => Err(Error::expected(
            source.column(line, fields.column(3)),
            fields.text(3).as_bytes(),
            "a whole number for the grade",
        )),
    })?;
    let by_subtopics = by_subtopics.unwrap_or_else(|| repeats_documents(&topics));
    build(source, catalogue, topics, if by_subtopics { by_subtopic } else { by_grade })
}

/// Reads a run. Ties are broken as trec_eval does, by the document's name from the end of the
/// alphabet.
pub(super) fn read_run(
    source: &FileText<'_>,
    catalogue: &mut DocumentCatalogue,
) -> Result<Organizations> {
    let topics = lines(source, catalogue, 6, |fields, line| match fields.text(4).parse::<f64>() {
        Ok(score) if !score.is_nan() => Ok(score),
        _ => Err(Error::expected(
            source.column(line, fields.column(4)),
            fields.text(4).as_bytes(),
            "a number for the score",
        )),
    })?;
    build(source, catalogue, topics, by_rank)
}

type Build<K> =
    fn(Vec<KeyedLine<K>>, &Documents) -> std::result::Result<Organization, (u64, Defect)>;

fn build<K>(
    source: &FileText<'_>,
    catalogue: &DocumentCatalogue,
    topics: LinesByTopic<K>,
    build: Build<K>,
) -> Result<Organizations> {
    let mut organizations = Organizations::new();
    let none = Documents::default();
    for (topic, lines) in topics {
        let documents = catalogue.get(&topic).unwrap_or(&none);
        let organization = build(lines, documents).map_err(|(line, defect)| {
            let document = defect.document();
            Error::input(
                source.line(line),
                format!("topic {topic} names document {} twice", documents.name(document)),
            )
        })?;
        organizations.insert(topic, organization);
    }
    Ok(organizations)
}

/// The first line whose document was named before.
fn repetition<K>(lines: &[KeyedLine<K>]) -> std::result::Result<(), (u64, Defect)> {
    let mut seen = HashSet::with_capacity(lines.len());
    match lines.iter().find(|line| !seen.insert(line.document)) {
        Some(line) => Err((line.line, Defect::TwiceInCluster(line.document))),
        None => Ok(()),
    }
}

fn by_grade(
    mut lines: Vec<KeyedLine<(u32, i64)>>,
    _: &Documents,
) -> std::result::Result<Organization, (u64, Defect)> {
    repetition(&lines)?;
    lines.sort_by_key(|line| std::cmp::Reverse(line.key.1));
    let mut builder = Organization::builder();
    for level in lines.chunk_by(|a, b| a.key.1 == b.key.1) {
        builder.level();
        for line in level {
            let added = if line.key.1 > 0 {
                builder.cluster([line.document])
            } else {
                builder.discard(line.document)
            };
            added.map_err(|defect| (line.line, defect))?;
        }
    }
    Ok(builder.build())
}

/// A level for each grade, and on it a cluster for each subtopic: its documents of that grade.
fn by_subtopic(
    mut lines: Vec<KeyedLine<(u32, i64)>>,
    _: &Documents,
) -> std::result::Result<Organization, (u64, Defect)> {
    lines.sort_by_key(|line| line.key.0);
    for subtopic in lines.chunk_by(|a, b| a.key.0 == b.key.0) {
        repetition(subtopic)?;
    }
    lines.sort_by_key(|line| (std::cmp::Reverse(line.key.1), line.key.0));
    let mut builder = Organization::builder();
    let mut known = HashSet::new();
    for level in lines.chunk_by(|a, b| a.key.1 == b.key.1) {
        builder.level();
        if level[0].key.1 > 0 {
            for cluster in level.chunk_by(|a, b| a.key.0 == b.key.0) {
                known.extend(cluster.iter().map(|line| line.document));
                builder
                    .cluster(cluster.iter().map(|line| line.document))
                    .map_err(|defect| (cluster[0].line, defect))?;
            }
            continue;
        }
        for line in level {
            if known.insert(line.document) {
                builder.discard(line.document).map_err(|defect| (line.line, defect))?;
            }
        }
    }
    Ok(builder.build())
}

fn by_rank(
    mut lines: Vec<KeyedLine<f64>>,
    documents: &Documents,
) -> std::result::Result<Organization, (u64, Defect)> {
    repetition(&lines)?;
    let name = |line: &KeyedLine<f64>| documents.name(line.document).as_bytes();
    lines.sort_by(|a, b| {
        by_score(a.key, b.key).then_with(|| by_id(Ties::DocidDesc, name(a), name(b)))
    });
    let mut builder = Organization::builder();
    for line in &lines {
        builder.level().cluster([line.document]).map_err(|defect| (line.line, defect))?;
        builder.score(line.document, line.key);
    }
    Ok(builder.build())
}
