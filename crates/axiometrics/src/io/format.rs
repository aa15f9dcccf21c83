//! The names of the formats, and of what a file can contain.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::{Error, Result};

/// What a file of rows is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Content {
    /// Judgements: the number of a row is a grade.
    Qrels,
    /// A run: the number of a row is a score.
    Run,
}

/// How rows are written down. Every format holds both runs and judgements, except
/// [`Format::MsMarco`], which holds runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// `topic Q0 document rank score tag` or `topic iteration document grade`, between white space.
    Trec,
    /// `{topic: {document: number}}`, or an array of records as in [`Format::Jsonl`].
    Json,
    /// A record per line: `{"query_id": "1", "doc_id": "d", "score": 2.5}`.
    Jsonl,
    /// Comma-separated, with a header.
    Csv,
    /// Tab-separated, with a header.
    Tsv,
    /// Tab-separated with the header `query-id corpus-id score`.
    Beir,
    /// `topic document rank` between tabs, without a header: a run only.
    MsMarco,
    /// Columns, with the names of CSV. It is no text, and another crate reads and writes it.
    Parquet,
}

impl Content {
    /// All there are.
    pub const ALL: [Content; 2] = [Content::Qrels, Content::Run];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Content::Qrels => "qrels",
            Content::Run => "run",
        }
    }

    /// What a person calls it.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Content::Qrels => "judgements",
            Content::Run => "a run",
        }
    }

    /// The keys of a record.
    pub(crate) fn keys(self) -> &'static str {
        match self {
            Content::Qrels => "query_id, doc_id and relevance",
            Content::Run => "query_id, doc_id and score",
        }
    }
}

impl Format {
    /// All that are text.
    pub const ALL: [Format; 7] = [
        Format::Trec,
        Format::Json,
        Format::Jsonl,
        Format::Csv,
        Format::Tsv,
        Format::Beir,
        Format::MsMarco,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Trec => "trec",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Beir => "beir",
            Format::MsMarco => "msmarco",
            Format::Parquet => "parquet",
        }
    }

    /// The format that a file's name asks for, a suffix of compression apart.
    pub fn of_name(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (_, suffix) = super::compression::without_suffix(&name).rsplit_once('.')?;
        Some(match suffix {
            "json" => Format::Json,
            "jsonl" | "ndjson" => Format::Jsonl,
            "csv" => Format::Csv,
            "tsv" => Format::Tsv,
            "parquet" | "pq" => Format::Parquet,
            "trec" | "run" | "qrels" | "txt" => Format::Trec,
            _ => return None,
        })
    }
}

/// Reads a name among those of a closed set.
fn named<T: Copy>(what: &str, text: &str, all: &[T], name: fn(T) -> &'static str) -> Result<T> {
    all.iter().copied().find(|x| name(*x).eq_ignore_ascii_case(text)).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|x| name(*x)).collect();
        Error::usage(format!("no {what} is called \"{text}\""))
            .help(format!("one of: {}", names.join(", ")))
    })
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Format> {
        if text.eq_ignore_ascii_case(Format::Parquet.name()) {
            return Ok(Format::Parquet);
        }
        named("format", text, &Format::ALL, Format::name)
    }
}

impl FromStr for Content {
    type Err = Error;

    fn from_str(text: &str) -> Result<Content> {
        named("kind of file", text, &Content::ALL, Content::name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        assert!(Format::ALL.iter().all(|f| f.to_string().parse::<Format>().unwrap() == *f));
        assert!(Content::ALL.iter().all(|c| c.to_string().parse::<Content>().unwrap() == *c));
        let error = "xml".parse::<Format>().unwrap_err().to_string();
        assert_eq!(
            error,
            "no format is called \"xml\"\n  help: one of: trec, json, jsonl, csv, tsv, beir, msmarco"
        );
    }

    #[test]
    fn file_names_ask_for_a_format() {
        for (name, format) in [
            ("a/b.json", Some(Format::Json)),
            ("b.JSONL.zst", Some(Format::Jsonl)),
            ("b.csv.gz", Some(Format::Csv)),
            ("b.run", Some(Format::Trec)),
            ("b.gz", None),
            ("tsv", None),
            ("-", None),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
    }
}
