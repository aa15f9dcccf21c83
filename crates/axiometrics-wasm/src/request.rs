//! What the page asks for.

use axiometrics::policy::{BelowEnd, Ties};
use serde::Deserialize;

/// A request, by its `op`.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum Request {
    /// Metrics of the page's own, which can be named by their paths from now on.
    Own { files: Vec<OwnFile> },
    /// What measures these texts stand for.
    Measures { texts: Vec<String> },
    /// The scores of written rankings.
    Score(Score),
    /// One score, document by document.
    Explain(Explain),
    /// What a measure, a check or a measure of organizations is.
    Define { measure: String },
    /// All measures and all checks.
    Catalogue,
    /// Verdicts.
    Check(Check),
    /// Which properties go together.
    Lattice,
    /// The scores of an organization.
    Organize(Organize),
    /// Something about files.
    #[cfg(feature = "files")]
    #[serde(untagged)]
    Files(crate::files::FileRequest),
}

#[derive(Debug, Deserialize)]
pub(crate) struct OwnFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Score {
    pub(crate) rankings: Vec<String>,
    pub(crate) measures: Vec<String>,
    #[serde(flatten)]
    pub(crate) reading: Reading,
    /// Whether ranges are wanted.
    #[serde(default)]
    pub(crate) ranges: bool,
    #[serde(default)]
    pub(crate) tail: BelowEnd,
}

/// How written rankings are read.
#[derive(Debug, Deserialize)]
pub(crate) struct Reading {
    #[serde(default = "as_written")]
    pub(crate) ties: Ties,
    #[serde(default)]
    pub(crate) max_grade: Option<f64>,
}

fn as_written() -> Ties {
    Ties::File
}

#[derive(Debug, Deserialize)]
pub(crate) struct Explain {
    pub(crate) ranking: String,
    pub(crate) measure: String,
    #[serde(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Check {
    pub(crate) measure: String,
    /// `property`, `constraint` or `axiom`.
    pub(crate) groups: Vec<String>,
    #[serde(default)]
    pub(crate) max_docs: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Organize {
    pub(crate) gold: String,
    pub(crate) system: String,
    #[serde(default)]
    pub(crate) measures: Vec<String>,
    #[serde(default)]
    pub(crate) finite: bool,
    #[serde(default)]
    pub(crate) top: Option<f64>,
    #[serde(default)]
    pub(crate) weight: Option<f64>,
    /// What becomes of a document that the other side lacks.
    #[serde(default)]
    pub(crate) variant: Option<String>,
    /// The share of priority.
    #[serde(default)]
    pub(crate) priority: Option<f64>,
    /// How many of the relations lost and invented are told.
    #[serde(default)]
    pub(crate) differences: usize,
}
