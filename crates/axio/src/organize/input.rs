//! Where organizations come from: files, or the command line itself.

use axiometrics::data::organization::{DocumentCatalogue, Organizations, notation};
use axiometrics::io::organization::{ONLY_TOPIC, ReadOptions, read};
use axiometrics::{Error, Result};

use super::{Args, runs};

use crate::shell;

/// The organizations that were named, all of whose documents are numbered alike.
pub(super) struct Input<'a> {
    args: &'a Args,
    options: ReadOptions,
    catalogue: DocumentCatalogue,
}

impl<'a> Input<'a> {
    pub(super) fn of(args: &'a Args) -> Result<Input<'a>> {
        if !args.notation {
            runs::refuse_repeated_stdin(args.systems.iter().chain(&args.gold))?;
        }
        let options = ReadOptions { format: args.input_format, positive: args.positive.clone() };
        Ok(Input { args, options, catalogue: DocumentCatalogue::new() })
    }

    pub(super) fn catalogue(&self) -> &DocumentCatalogue {
        &self.catalogue
    }

    /// The gold standard.
    pub(super) fn gold(&mut self) -> Result<Organizations> {
        let args = self.args;
        let Some(path) = &args.gold else {
            return Err(Error::usage("no gold standard was named"));
        };
        let gold = self.read(path)?;
        match &args.topic {
            Some(topic) if gold.is_empty() => {
                Err(Error::usage(format!("the gold standard has no topic {topic}")))
            }
            _ => Ok(gold),
        }
    }

    /// The names of the systems, in tables and in messages.
    pub(super) fn systems(&self) -> Vec<(String, String)> {
        let paths = &self.args.systems;
        if self.args.notation {
            let name = |(at, text): (usize, &std::path::PathBuf)| {
                let text = text.to_string_lossy();
                let name = named(&text).0.map_or(format!("system {}", at + 1), str::to_string);
                (name.clone(), name)
            };
            return paths.iter().enumerate().map(name).collect();
        }
        let files = paths.iter().map(|path| shell::name(path));
        runs::unique_names(paths).into_iter().zip(files).collect()
    }

    /// One of the systems.
    pub(super) fn system(&mut self, at: usize) -> Result<Organizations> {
        let path = &self.args.systems[at];
        self.read(path)
    }

    fn read(&mut self, path: &std::path::Path) -> Result<Organizations> {
        let mut organizations = if self.args.notation {
            let text = path.to_string_lossy();
            let documents = self.catalogue.entry(ONLY_TOPIC.to_string()).or_default();
            let organization = notation::parse(named(&text).1, documents).map_err(|message| {
                Error::usage(message).help("write an organization such as 'd1 {d2 d3} / d4 | d5'")
            })?;
            Organizations::from([(ONLY_TOPIC.to_string(), organization)])
        } else {
            read(&shell::open(path)?, &self.options, &mut self.catalogue)?
        };
        organizations.retain(|topic, _| self.args.topic.as_ref().is_none_or(|only| only == topic));
        Ok(organizations)
    }
}

/// The name before an organization, if it has one, and the organization.
fn named(text: &str) -> (Option<&str>, &str) {
    match text.split_once(':') {
        Some((name, rest)) if !name.contains(['{', '/', '|']) => (Some(name.trim()), rest),
        _ => (None, text),
    }
}
