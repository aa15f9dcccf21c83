//! Scores that an earlier evaluation wrote as JSON.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::scores::TopicScores;
use crate::error::{Error, Place, Result};
use crate::remedy::{Remedy, Setting};

/// An evaluation with the scores of topics, as `eval` writes it.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvaluation {
    /// The runs.
    pub runs: Vec<TopicScores>,
    /// How they were scored.
    pub settings: Map<String, Value>,
}

#[derive(Deserialize)]
struct StoredDocument {
    runs: Vec<StoredRun>,
    #[serde(default)]
    settings: Map<String, Value>,
    judgements: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct StoredRun {
    name: String,
    measures: Vec<StoredMeasure>,
    judged_at_10: Option<f64>,
}

#[derive(Deserialize)]
struct StoredMeasure {
    measure: String,
    topics: Option<BTreeMap<String, Option<f64>>>,
}

impl StoredEvaluation {
    /// Whether a text begins as an evaluation does: an object whose first field is a list of objects
    /// called `runs`. No format of runs begins like that.
    pub fn is_one(beginning: &[u8]) -> bool {
        let mut rest = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning);
        for token in [&b"{"[..], b"\"runs\"", b":", b"[", b"{"] {
            rest = rest.trim_ascii_start();
            match rest.strip_prefix(token) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        true
    }

    /// Reads an evaluation; `file` is its name in errors.
    pub fn parse(file: &str, text: &[u8]) -> Result<StoredEvaluation> {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let document: StoredDocument = serde_json::from_slice(text).map_err(|e| {
            let place = Place::column(file, e.line() as u64, e.column() as u64);
            Error::input(place, format!("found {e}, expected the JSON of an evaluation"))
        })?;
        let mut runs = Vec::with_capacity(document.runs.len());
        for run in document.runs {
            let StoredRun { name, measures, judged_at_10 } = run;
            let mut scores = TopicScores { name, judged_at_10, ..TopicScores::default() };
            for StoredMeasure { measure, topics } in measures {
                let Some(topics) = topics else {
                    let message = format!("{measure} of {} has no scores of topics", scores.name);
                    return Err(Error::input(Place::file(file), message)
                        .help("write the evaluation again, with the scores of each topic"));
                };
                scores.measures.insert(measure, topics);
            }
            scores.judgements.clone_from(&document.judgements);
            runs.push(scores);
        }
        Ok(StoredEvaluation { runs, settings: document.settings })
    }

    /// The run to compare with: the one of this name, or the only one.
    pub fn run(&self, file: &str, name: &str) -> Result<&TopicScores> {
        let named = self.runs.iter().find(|run| run.name == name);
        match (named, self.runs.as_slice()) {
            (Some(run), _) => Ok(run),
            (None, [only]) => Ok(only),
            (None, all) => {
                let names: Vec<&str> = all.iter().map(|run| run.name.as_str()).collect();
                let message = format!("found {} runs, none of them called {name}", all.len());
                let which = format!(" says which one is the baseline: {}", names.join(", "));
                Err(Error::input(Place::file(file), message).help(Remedy::default().option(
                    "",
                    Setting::Named("baseline_run"),
                    which,
                )))
            }
        }
    }

    /// The settings that are not those of now: what, then, now. Neither the version of the program
    /// counts, nor what only ranges depend on.
    pub fn other_settings(&self, now: &Map<String, Value>) -> Vec<(String, String, String)> {
        let text = |value: Option<&Value>| match value {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => "none".to_string(),
        };
        let names =
            self.settings.keys().chain(now.keys().filter(|k| !self.settings.contains_key(*k)));
        names
            .filter(|name| !["version", "tail"].contains(&name.as_str()))
            .filter(|name| self.settings.get(*name) != now.get(*name))
            .map(|name| (name.clone(), text(self.settings.get(name)), text(now.get(name))))
            .collect()
    }
}
