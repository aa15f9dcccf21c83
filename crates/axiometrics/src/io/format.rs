//! The names of the formats, and of what a file can contain.

use std::fmt;
use std::path::Path;

use crate::choice::{Choice, choices};

/// What a file of rows is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Content {
    /// Judgements: the number of a row is a grade.
    Qrels,
    /// A run: the number of a row is a score.
    Run,
}

choices! {
    Content {
        Qrels "qrels" "judgements",
        Run "run" "a run",
    }
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

choices! {
    Format {
        Trec "trec" "the formats of TREC",
        Json "json" "an object of topics, or an array of records",
        Jsonl "jsonl" "a record per line",
        Csv "csv" "comma-separated, with a header",
        Tsv "tsv" "tab-separated, with a header",
        Beir "beir" "tab-separated, with the header of BEIR",
        MsMarco "msmarco" "topic, document and rank between tabs: a run only",
        Parquet "parquet" "a Parquet file",
    }
}

impl Content {
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
    /// True if a file of this format is text.
    pub fn is_text(self) -> bool {
        self != Format::Parquet
    }

    /// The format that a file's name asks for, a suffix of compression apart.
    pub fn of_name(path: &Path) -> Option<Format> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let (_, suffix) = crate::error::without_suffix(&name).rsplit_once('.')?;
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
        assert!(Format::ALL.iter().all(|f| Format::from_name(&f.to_string()).unwrap() == *f));
        assert!(Content::ALL.iter().all(|c| Content::from_name(&c.to_string()).unwrap() == *c));
        let error = Format::from_name("xml").unwrap_err().to_string();
        assert_eq!(
            error,
            "found \"xml\", expected one of trec, json, jsonl, csv, tsv, beir, msmarco, parquet"
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
