//! Runs and judgements as text, in every format that is read. What a format cannot hold is an
//! error, never a file that reads back as something else.

use std::borrow::Cow;
use std::io::Write;

use super::{Content, Facet, Format};
use crate::data::{Qrels, Run};
use crate::error::{Error, Result};
use crate::policy::{Rounding, Ties};

/// A row to write. Rows of a topic follow each other.
struct Out<'r> {
    topic: &'r [u8],
    doc: &'r [u8],
    value: f64,
    /// From 1; judgements have none.
    rank: usize,
    facet: &'r [u8],
}

/// What the rows have in common.
#[derive(Clone, Copy)]
struct RowContext<'t> {
    content: Content,
    facet: Facet,
    tag: &'t str,
}

/// Writes a run: topics in the order they came, documents as the measures see them, by descending
/// score and then by descending document. `tag` names the run if the format has a place for it.
pub fn write_run(run: &Run, format: Format, tag: &str, out: &mut dyn Write) -> Result<()> {
    let table = RowContext { content: Content::Run, facet: Facet::None, tag };
    let topics = run.topics().map(|topic| {
        let name = run.topic_bytes(topic);
        let ranking = run.ranking(topic, Ties::DocidDesc, Rounding::F64);
        let row = |(i, (doc, value))| Out { topic: name, doc, value, rank: i + 1, facet: b"" };
        ranking.into_iter().enumerate().map(row).collect()
    });
    write(topics, table, format, out)
}

/// Writes judgements, in the order of the file they came from. `facet` says what their second key
/// is, where it was read.
pub fn write_qrels(qrels: &Qrels, facet: Facet, format: Format, out: &mut dyn Write) -> Result<()> {
    if facet != Facet::None && matches!(format, Format::Json | Format::Beir) {
        return Err(Error::usage(format!("the format {format} has no place for subtopics"))
            .help("use trec, jsonl, csv or tsv"));
    }
    let table = RowContext { content: Content::Qrels, facet, tag: "" };
    let topics = (0..qrels.len() as u32).map(|topic| {
        let name = qrels.topic_bytes(topic);
        let docs = qrels.rows(topic);
        let row = |doc: usize, value, facet| {
            (
                docs[doc].start,
                Out { topic: name, doc: qrels.doc(&docs[doc]), value, rank: 0, facet },
            )
        };
        let mut rows: Vec<(u32, Out<'_>)> = if facet == Facet::None {
            docs.iter().enumerate().map(|(i, d)| row(i, d.value, b"".as_slice())).collect()
        } else {
            let facets = qrels.facets(topic).rows.iter();
            facets
                .map(|f| {
                    row(f.doc as usize, f.grade, qrels.facet_names()[f.facet as usize].as_bytes())
                })
                .collect()
        };
        rows.sort_by_key(|(place, _)| *place);
        rows.into_iter().map(|(_, row)| row).collect()
    });
    write(topics, table, format, out)
}

fn write<'r>(
    topics: impl Iterator<Item = Vec<Out<'r>>>,
    table: RowContext<'_>,
    format: Format,
    out: &mut dyn Write,
) -> Result<()> {
    match format {
        Format::Trec => by_lines(topics.flatten(), table, format, out, trec),
        Format::MsMarco if table.content == Content::Qrels => {
            Err(Error::usage("the format msmarco holds runs, not judgements"))
        }
        Format::MsMarco => by_lines(topics.flatten(), table, format, out, |row, _, out| {
            let (topic, doc) = (plain(row.topic, format, true)?, plain(row.doc, format, false)?);
            Ok(write_all(out, &[topic, b"\t", doc, b"\t", row.rank.to_string().as_bytes(), b"\n"])?)
        }),
        Format::Json => json(topics, table, out),
        Format::Jsonl => topics.flatten().try_for_each(|row| jsonl(&row, table, out)),
        Format::Csv => csv(topics, table, b',', names(table), out),
        Format::Tsv => csv(topics, table, b'\t', names(table), out),
        Format::Beir => csv(topics, table, b'\t', vec!["query-id", "corpus-id", "score"], out),
        Format::Parquet => Err(Error::usage("Parquet cannot be written as text")
            .help("use csv or jsonl, or a build with Parquet")),
    }
}

/// Writes a line for each row. The first tells what the file is, so it must tell that.
fn by_lines<'r>(
    rows: impl Iterator<Item = Out<'r>>,
    table: RowContext<'_>,
    format: Format,
    out: &mut dyn Write,
    line: impl Fn(&Out<'_>, RowContext<'_>, &mut dyn Write) -> Result<()>,
) -> Result<()> {
    let mut first = true;
    for row in rows {
        if std::mem::take(&mut first) {
            let mut text = Vec::new();
            line(&row, table, &mut text)?;
            if !super::detect::is_read_as(&text, table.content, format) {
                let id = crate::error::quoted(row.topic);
                return Err(Error::usage(format!(
                    "the topic {id} cannot be written first: the file would be taken for one of another format"
                ))
                .help("use json, jsonl, csv or tsv"));
            }
            out.write_all(&text)?;
        } else {
            line(&row, table, out)?;
        }
    }
    Ok(())
}

fn trec(row: &Out<'_>, table: RowContext<'_>, out: &mut dyn Write) -> Result<()> {
    let (topic, doc) =
        (plain(row.topic, Format::Trec, true)?, plain(row.doc, Format::Trec, false)?);
    let value = number(row.value, table.content);
    match (table.content, table.facet) {
        (Content::Run, _) => {
            let rank = row.rank.to_string();
            let tag = plain(table.tag.as_bytes(), Format::Trec, false)?;
            write_all(
                out,
                &[topic, b" Q0 ", doc, b" ", rank.as_bytes(), b" ", value.as_bytes(), b" ", tag],
            )?;
        }
        (Content::Qrels, Facet::None) => {
            write_all(out, &[topic, b" 0 ", doc, b" ", value.as_bytes()])?
        }
        (Content::Qrels, Facet::Iteration) => {
            let facet = plain(row.facet, Format::Trec, false)?;
            write_all(out, &[topic, b" ", facet, b" ", doc, b" ", value.as_bytes()])?;
        }
        (Content::Qrels, Facet::Stratum) => {
            let facet = plain(row.facet, Format::Trec, false)?;
            write_all(out, &[topic, b" 0 ", doc, b" ", facet, b" ", value.as_bytes()])?;
        }
    }
    Ok(out.write_all(b"\n")?)
}

fn write_all(out: &mut dyn Write, parts: &[&[u8]]) -> std::io::Result<()> {
    parts.iter().try_for_each(|part| out.write_all(part))
}

/// An id that survives between white space.
fn plain(id: &[u8], format: Format, first_of_line: bool) -> Result<&[u8]> {
    let why = if id.is_empty() {
        "empty ids"
    } else if id.iter().any(|b| *b <= b' ') {
        "ids with white space or control characters"
    } else if first_of_line && id.starts_with(b"#") {
        "topics that begin with #, which begins a comment"
    } else if first_of_line && (id.starts_with(b"\xef\xbb\xbf") || matches!(id[0], b'{' | b'[')) {
        "topics that begin with a brace, a bracket or a byte order mark, which begin other formats"
    } else {
        return Ok(id);
    };
    let message = format!(
        "the id {} cannot be written: the format {format} has no place for {why}",
        crate::error::quoted(id)
    );
    Err(Error::usage(message).help("use json, jsonl, csv or tsv"))
}

/// The shortest text that reads back as the same number. Rounding show a decimal point, grades only
/// if they need one.
fn number(value: f64, content: Content) -> String {
    if content == Content::Qrels && value.fract() == 0.0 && value.abs() < 1e15 {
        value.to_string()
    } else {
        format!("{value:?}")
    }
}

fn json_number(row: &Out<'_>, content: Content) -> Result<String> {
    if row.value.is_finite() {
        return Ok(number(row.value, content));
    }
    let id = crate::error::quoted(row.doc);
    Err(Error::usage(format!(
        "the score {} of document {id} cannot be written: JSON has only finite numbers",
        row.value
    ))
    .help("use trec, csv or tsv"))
}

fn json_text(id: &[u8]) -> Result<String> {
    let text = std::str::from_utf8(id).map_err(|_| {
        let message = format!(
            "the id {} cannot be written: JSON is UTF-8, and the id is not",
            crate::error::quoted(id)
        );
        Error::usage(message).help("use trec, csv or tsv, or convert the file to UTF-8")
    })?;
    let json = serde_json::to_string(text).map_err(|e| Error::from(std::io::Error::from(e)))?;
    Ok(match crate::data::text::safe_json(&json) {
        Cow::Owned(escaped) => escaped,
        Cow::Borrowed(_) => json,
    })
}

fn json<'r>(
    topics: impl Iterator<Item = Vec<Out<'r>>>,
    table: RowContext<'_>,
    out: &mut dyn Write,
) -> Result<()> {
    out.write_all(b"{")?;
    for (t, rows) in topics.filter(|rows| !rows.is_empty()).enumerate() {
        let topic = json_text(rows[0].topic)?;
        write!(out, "{}\n  {topic}: {{", if t > 0 { "," } else { "" })?;
        for (i, row) in rows.iter().enumerate() {
            let (doc, value) = (json_text(row.doc)?, json_number(row, table.content)?);
            write!(out, "{}\n    {doc}: {value}", if i > 0 { "," } else { "" })?;
        }
        out.write_all(b"\n  }")?;
    }
    Ok(out.write_all(b"\n}\n")?)
}

fn jsonl(row: &Out<'_>, table: RowContext<'_>, out: &mut dyn Write) -> Result<()> {
    let (topic, doc, value) =
        (json_text(row.topic)?, json_text(row.doc)?, json_number(row, table.content)?);
    write!(out, "{{\"query_id\":{topic},\"doc_id\":{doc}")?;
    if let Some(key) = facet_key(table.facet) {
        write!(out, ",\"{key}\":{}", json_text(row.facet)?)?;
    }
    Ok(writeln!(out, ",\"{}\":{value}}}", value_key(table.content))?)
}

fn value_key(content: Content) -> &'static str {
    match content {
        Content::Qrels => "relevance",
        Content::Run => "score",
    }
}

fn facet_key(facet: Facet) -> Option<&'static str> {
    match facet {
        Facet::None => None,
        Facet::Iteration => Some("subtopic"),
        Facet::Stratum => Some("stratum"),
    }
}

fn names(table: RowContext<'_>) -> Vec<&'static str> {
    // The number stands last, so that no id is next to the end of the line.
    ["query_id", "doc_id"]
        .into_iter()
        .chain(facet_key(table.facet))
        .chain([value_key(table.content)])
        .collect()
}

fn csv<'r>(
    topics: impl Iterator<Item = Vec<Out<'r>>>,
    table: RowContext<'_>,
    delimiter: u8,
    names: Vec<&'static str>,
    out: &mut dyn Write,
) -> Result<()> {
    let fail = |e: csv::Error| match e.into_kind() {
        csv::ErrorKind::Io(e) => Error::from(e),
        other => Error::usage(format!("the row cannot be written: {other:?}")),
    };
    let mut writer =
        csv::WriterBuilder::new().delimiter(delimiter).comment(Some(b'#')).from_writer(out);
    writer.write_record(names).map_err(fail)?;
    for row in topics.flatten() {
        if row.topic.is_empty() || row.doc.is_empty() {
            return Err(Error::usage("an empty id cannot be written"));
        }
        let value = number(row.value, table.content);
        let facet = (table.facet != Facet::None).then_some(row.facet);
        writer
            .write_record([row.topic, row.doc].into_iter().chain(facet).chain([value.as_bytes()]))
            .map_err(fail)?;
    }
    Ok(writer.flush()?)
}
