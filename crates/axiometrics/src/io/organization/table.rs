//! Tables of documents, levels and clusters; labels of documents.

use super::assemble::{About, Assembly, Intake, Spot};
use super::delimited::{DelimitedRows, Delimiter, RowFields};
use super::text::{FileText, TextPiece};
use crate::data::organization::{DocumentCatalogue, Organizations};
use crate::error::{Error, Place, Result};
use crate::io::columns::{self, Role};

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrganizationColumn {
    Topic,
    Document,
    Level,
    Cluster,
    Label,
    Score,
    Weight,
    Links,
}

impl OrganizationColumn {
    fn of(name: &str) -> Option<OrganizationColumn> {
        let name = name.trim().trim_matches('"');
        Some(match name.to_lowercase().as_str() {
            "entity" | "entity_id" => OrganizationColumn::Topic,
            "tweet_id" => OrganizationColumn::Document,
            "level" => OrganizationColumn::Level,
            "cluster" | "cluster_id" | "class" => OrganizationColumn::Cluster,
            "label" => OrganizationColumn::Label,
            "weight" | "time" => OrganizationColumn::Weight,
            "links" => OrganizationColumn::Links,
            // What runs and judgements call the same.
            _ => match columns::role(name.as_bytes())?.0 {
                Role::Topic => OrganizationColumn::Topic,
                Role::Doc => OrganizationColumn::Document,
                Role::Score => OrganizationColumn::Score,
                _ => return None,
            },
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
    names(line).any(|name| OrganizationColumn::of(name) == Some(OrganizationColumn::Document))
}

/// True for a header with a column for labels.
pub(super) fn is_filtering_header(line: &str) -> bool {
    names(line).any(|name| OrganizationColumn::of(name) == Some(OrganizationColumn::Label))
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
    weight: Option<usize>,
    links: Option<usize>,
    width: usize,
}

impl Header {
    fn read(file: &str, line: u64, fields: &RowFields<'_>) -> Result<Header> {
        let mut header = Header { width: fields.len(), ..Header::default() };
        let mut document = None;
        // In RepLab's files the topic of the evaluation is the entity, and the column named topic
        // holds the clusters.
        let entities =
            (0..fields.len()).any(|at| fields.text(at).trim().to_lowercase().starts_with("entity"));
        for at in 0..fields.len() {
            let name = fields.text(at);
            let place = || Place::column(file, line, fields.column(at));
            let slot = match OrganizationColumn::of(name) {
                Some(OrganizationColumn::Topic)
                    if entities && name.trim().eq_ignore_ascii_case("topic") =>
                {
                    &mut header.cluster
                }
                Some(OrganizationColumn::Topic) => &mut header.topic,
                Some(OrganizationColumn::Document) => &mut document,
                Some(OrganizationColumn::Level) => &mut header.level,
                Some(OrganizationColumn::Cluster) => &mut header.cluster,
                Some(OrganizationColumn::Label) => &mut header.label,
                Some(OrganizationColumn::Score) => &mut header.score,
                Some(OrganizationColumn::Weight) => &mut header.weight,
                Some(OrganizationColumn::Links) => &mut header.links,
                None => {
                    let expected = "one of the columns topic, doc, level, cluster, label, score, weight (or time), links";
                    return Err(Error::expected(place(), name.as_bytes(), expected));
                }
            };
            if slot.replace(at).is_some() {
                return Err(Error::expected(place(), name.as_bytes(), "each column once"));
            }
        }
        let Some(document) = document else {
            return Err(Error::input(Place::line(file, line), "the header names no column doc"));
        };
        if header.label.is_some() && (header.level.is_some() || header.cluster.is_some()) {
            return Err(Error::input(
                Place::line(file, line),
                "the header names labels, and levels or clusters too; expected one or the other",
            ));
        }
        Ok(Header { document, ..header })
    }

    /// How many fields a row must have. Columns at the end may be left out if they may be empty: a
    /// cluster, a score, a weight, links.
    fn needed(&self) -> usize {
        [self.topic, Some(self.document), self.level, self.label]
            .into_iter()
            .flatten()
            .max()
            .unwrap_or(0)
            + 1
    }
}

/// Reads a table under its header.
pub(super) fn read(
    text: &FileText<'_>,
    catalogue: &mut DocumentCatalogue,
) -> Result<Organizations> {
    stream(text, |_| None, catalogue)
}

/// Reads labels, under a header or without one.
pub(super) fn read_filtering(
    text: &FileText<'_>,
    catalogue: &mut DocumentCatalogue,
) -> Result<Organizations> {
    let unnamed = |first: &str| {
        let width = names(first).count();
        (!is_header(first)).then(|| Header {
            topic: Some(0),
            document: 1,
            label: Some(2),
            score: (width > 3).then_some(3),
            width,
            ..Header::default()
        })
    };
    stream(text, unnamed, catalogue)
}

/// Reads a table piece by piece. `header` makes the columns of the first line, if it does not name
/// them.
fn stream(
    text: &FileText<'_>,
    header: impl Fn(&str) -> Option<Header>,
    catalogue: &mut DocumentCatalogue,
) -> Result<Organizations> {
    let mut table = TableReader::new(
        text.source.name(),
        text.positive,
        Assembly::new(text.source.name(), catalogue),
    );
    let read = text.pieces(text.source.read()?, |piece| {
        if table.delimiter.is_none() {
            let first = first_line(piece.text);
            if first.is_empty() {
                let lines = piece.text.matches('\n').count() as u64;
                return Ok(Some((piece.text.len(), piece.line + lines)));
            }
            (table.delimiter, table.header) = (Some(Delimiter::of(first)), header(first));
        }
        table.part(piece).map(Some)
    });
    // The catalogue is complete again before the same file is read as latin-1.
    table.assembly.put_back();
    read?;
    table.finish()
}

/// The first line that is not blank.
fn first_line(text: &str) -> &str {
    text.lines().find(|line| !line.trim().is_empty()).unwrap_or("")
}

/// A table that is being read.
struct TableReader<'a> {
    file: &'a str,
    positive: Option<&'a str>,
    /// None before the first line.
    delimiter: Option<Delimiter>,
    header: Option<Header>,
    assembly: Assembly<'a>,
}

impl<'a> TableReader<'a> {
    fn new(file: &'a str, positive: Option<&'a str>, assembly: Assembly<'a>) -> TableReader<'a> {
        TableReader { file, positive, delimiter: None, header: None, assembly }
    }

    /// Takes the rows of the next piece of text. If a quote may be closed in the piece behind it,
    /// its row is left. Tells how much was used, and the line that comes next.
    fn part(&mut self, piece: TextPiece<'_>) -> Result<(usize, u64)> {
        let delimiter = self.delimiter.unwrap_or(Delimiter::Space);
        let mut rows = DelimitedRows::part(self.file, piece, delimiter);
        let mut fields = RowFields::default();
        if self.header.is_none()
            && let Some(line) = rows.next(&mut fields)?
        {
            self.header = Some(Header::read(self.file, line, &fields)?);
        }
        if let Some(header) = &self.header {
            let reader = RowReader {
                file: self.file,
                positive: self.positive,
                header,
                needed: header.needed(),
            };
            let mut intake = self.assembly.intake();
            while let Some(line) = rows.next(&mut fields)? {
                reader.take(line, &fields, &mut intake)?;
            }
            intake.close();
        }
        Ok(rows.next_row())
    }

    fn finish(self) -> Result<Organizations> {
        let labelled = self.header.is_some_and(|header| header.label.is_some());
        let (organizations, catalogue) = self.assembly.finish()?;
        if labelled {
            once_each(self.file, &organizations, catalogue)?;
        }
        Ok(organizations)
    }
}

/// What a row means.
struct RowReader<'a> {
    file: &'a str,
    positive: Option<&'a str>,
    header: &'a Header,
    needed: usize,
}

impl RowReader<'_> {
    #[inline]
    fn take<'t>(
        &self,
        line: u64,
        fields: &RowFields<'t>,
        intake: &mut Intake<'_, '_, 't>,
    ) -> Result<()> {
        let header = self.header;
        if fields.len() > header.width || fields.len() < self.needed {
            let message = format!("found {} fields, expected {}", fields.len(), header.width);
            return Err(Error::input(Place::line(self.file, line), message));
        }
        let expected = |field: usize, expected: &str| {
            Error::expected(
                Place::column(self.file, line, fields.column(field)),
                fields.text(field).as_bytes(),
                expected,
            )
        };
        let document = fields.plain(header.document);
        if document == Some("") {
            return Err(expected(header.document, "a document"));
        }
        let cluster =
            header.cluster.map(|cluster| fields.text(cluster)).filter(|name| !name.is_empty());
        let spot = match (header.label, header.level) {
            (Some(label), _) => match verdict(fields.text(label), self.positive) {
                Some(true) => Spot::Level(1, None),
                Some(false) => Spot::Tail,
                None => {
                    let error = expected(label, "a label: 0, 1, true or false");
                    return Err(
                        error.help("where labels are names of classes, say which one is kept")
                    );
                }
            },
            (None, None) => Spot::Level(1, cluster),
            (None, Some(level)) => match fields.text(level) {
                tail if tail.eq_ignore_ascii_case("tail") => Spot::Tail,
                number => match number.parse() {
                    Ok(number) if number > 0 => Spot::Level(number, cluster),
                    _ => {
                        return Err(expected(
                            level,
                            "a level: 1 for the top, 2, 3 and so on, or tail",
                        ));
                    }
                },
            },
        };
        let number = |field: Option<usize>, right: fn(f64) -> bool, what: &str| {
            let Some(field) = field.filter(|field| !fields.text(*field).is_empty()) else {
                return Ok(None);
            };
            match fields.text(field).parse::<f64>() {
                Ok(number) if right(number) => Ok(Some(number)),
                _ => Err(expected(field, what)),
            }
        };
        let about = About {
            score: number(header.score, |score| !score.is_nan(), "a number for the score")?,
            weight: number(
                header.weight,
                |weight| weight > 0.0 && weight.is_finite(),
                "a number above 0 for the weight",
            )?,
            links: header.links.map_or("", |links| fields.text(links)),
        };
        let topic = header.topic.map(|topic| fields.text(topic));
        match (document, spot) {
            (Some(document), Spot::Level(level, cluster)) if about.is_empty() => {
                intake.add_plain(line, topic, document, level, cluster)
            }
            (_, spot) => intake.add(line, topic, fields.text(header.document), spot, about),
        }
    }
}

/// A document has one label.
fn once_each(
    file: &str,
    organizations: &Organizations,
    catalogue: &DocumentCatalogue,
) -> Result<()> {
    for (topic, organization) in organizations {
        let mut seen = vec![false; organization.bound()];
        for cluster in 0..organization.clusters() {
            for &document in organization.cluster(cluster) {
                if std::mem::replace(&mut seen[document as usize], true) {
                    let name =
                        catalogue.get(topic).map_or("?", |documents| documents.name(document));
                    return Err(Error::input(
                        Place::file(file),
                        format!("document {name} of topic {topic} is labelled twice"),
                    ));
                }
            }
        }
    }
    Ok(())
}
