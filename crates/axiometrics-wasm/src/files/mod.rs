//! Files of judgements and runs that come in pieces, and the study that is made of them.
//!
//! A library with this part is larger, so the page loads it only once files are to be read.

mod page;
mod study;

use std::collections::BTreeMap;

use axiometrics::io::Source;
use axiometrics::policy::{Missing, Ties, Undefined};
use axiometrics::{Error, Result};
use serde::Deserialize;
use serde_json::Value;

use crate::measures::Measures;
use study::Study;

/// A request about files, by its `op`.
#[derive(Debug, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(crate) enum FileRequest {
    /// A file that will come in pieces.
    Open { name: String, size: usize },
    /// A file that is no longer wanted.
    Close { file: u32 },
    /// Begins a study with a file of judgements.
    Judgements(Judgements),
    /// Adds a run to the study.
    Run { file: u32, keep: bool },
    /// What came of the study.
    Results { baseline: Option<usize> },
    /// The plots of the report that are about a measure, or about all.
    Figures { measure: String, baseline: usize },
    /// The same as text: for a spreadsheet, a paper.
    Render { table: String, format: String, baseline: Option<usize> },
    /// The page of `axio report`, the command that it names, and whether a person chose the baseline.
    Report {
        command: String,
        baseline: usize,
        #[serde(default)]
        chosen: bool,
    },
    /// The documents of one topic of a run, from its file if the run was not kept.
    Topic { run: usize, file: Option<u32>, topic: String, measure: String },
}

#[derive(Debug, Deserialize)]
pub(crate) struct Judgements {
    pub(crate) file: u32,
    pub(crate) measures: Vec<String>,
    #[serde(default)]
    pub(crate) ties: Ties,
    #[serde(default)]
    pub(crate) missing: Missing,
    #[serde(default)]
    pub(crate) undefined: Undefined,
    #[serde(default)]
    pub(crate) depth: Option<u32>,
    #[serde(default)]
    pub(crate) max_grade: Option<f64>,
    #[serde(default)]
    pub(crate) ranges: bool,
}

/// What lies there from one request to the next.
#[derive(Default)]
pub(crate) struct Desk {
    files: Files,
    study: Option<Study>,
}

impl Desk {
    pub(crate) fn act(&mut self, measures: &mut Measures, request: FileRequest) -> Result<Value> {
        match request {
            FileRequest::Open { name, size } => self.files.open(name, size),
            FileRequest::Close { file } => self.files.close(file),
            FileRequest::Judgements(asked) => {
                // A file that holds no judgements leaves the study that there is.
                let study = Study::new(measures, self.files.take(asked.file)?, &asked)?;
                let told = study.told();
                self.study = Some(study);
                Ok(told)
            }
            FileRequest::Run { file, keep } => {
                let source = self.files.take(file)?;
                self.study()?.add(source, keep)
            }
            FileRequest::Results { baseline } => self.study()?.results(baseline),
            FileRequest::Figures { measure, baseline } => {
                page::figures(self.study()?, &measure, baseline)
            }
            FileRequest::Render { table, format, baseline } => {
                self.study()?.render(&table, &format, baseline)
            }
            FileRequest::Report { command, baseline, chosen } => {
                page::report(self.study()?, command, baseline, chosen)
            }
            FileRequest::Topic { run, file, topic, measure } => {
                let source = file.map(|file| self.files.take(file)).transpose()?;
                let metric = measures.one(&measure)?;
                self.study()?.topic(run, source, &topic, &metric)
            }
        }
    }

    fn study(&mut self) -> Result<&mut Study> {
        self.study.as_mut().ok_or_else(|| {
            Error::usage("no judgements were read yet").help("drop a file of judgements first")
        })
    }

    /// Makes a file longer, and gives the part that is to be filled.
    pub(crate) fn room(&mut self, file: u32, length: usize) -> Option<&mut [u8]> {
        let (_, bytes) = self.files.open.get_mut(&file)?;
        let start = bytes.len();
        bytes.resize(start + length, 0);
        Some(&mut bytes[start..])
    }
}

/// Files that are still being filled, or wait to be read.
#[derive(Default)]
struct Files {
    next: u32,
    open: BTreeMap<u32, (String, Vec<u8>)>,
}

impl Files {
    /// Makes room for a file at once, so that its bytes are never moved.
    fn open(&mut self, name: String, size: usize) -> Result<Value> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| {
            let size = size / 1_000_000;
            Error::usage(format!("{name} has {size} MB, more than the browser has memory left for"))
                .help("score it with the command: axio eval")
        })?;
        self.next += 1;
        self.open.insert(self.next, (name, bytes));
        Ok(self.next.into())
    }

    fn close(&mut self, file: u32) -> Result<Value> {
        self.open.remove(&file);
        Ok(Value::Null)
    }

    /// The file as a source, of any kind that the command reads; it is no longer open then.
    fn take(&mut self, file: u32) -> Result<Source> {
        let (name, bytes) = self
            .open
            .remove(&file)
            .ok_or_else(|| Error::usage(format!("no file {file} is open")))?;
        if axiometrics_arrow::begins_parquet(&bytes) {
            return axiometrics_arrow::from_bytes(name, bytes);
        }
        Ok(Source::from_bytes(name, bytes))
    }
}
