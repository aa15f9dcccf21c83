//! `axio measures`: the list of measures, searchable.

use std::process::ExitCode;

use axiometrics::Error;
use axiometrics::measure::{Def, definitions};
use axiometrics::report::{Cell, Column, Table};
use serde_json::{Value, json};

use crate::args::{Format, Output};

/// List the measures, all or those that mention a word
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  axio measures\n  axio measures precision")]
pub(crate) struct Args {
    /// Words that the measure's name, title, definition or anything else it says must contain
    words: Vec<String>,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let words: Vec<String> = args.words.iter().map(|w| w.to_lowercase()).collect();
    let found: Vec<&Def> = definitions().filter(|def| mentions(def, &words)).collect();
    if found.is_empty() {
        let asked = args.words.join(" ");
        return Err(Error::usage(format!("no measure mentions \"{asked}\"")).help("`axio measures` lists all of them").into());
    }
    let text = match (args.output.format.dialect(), args.output.format) {
        (Some(dialect), _) => table(&found).render(dialect, &args.output.style()),
        (None, Format::Jsonl) => found.iter().map(|d| row(d).to_string() + "\n").collect(),
        (None, _) => serde_json::to_string_pretty(&json!({ "measures": found.iter().map(|d| row(d)).collect::<Vec<_>>() }))? + "\n",
    };
    args.output.write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn mentions(def: &Def, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let mut text = vec![def.name, def.title, def.family, def.definition, def.range, def.undefined, def.user_model];
    text.extend(def.aliases.iter().map(|a| a.spelling));
    text.extend(def.params.iter().flat_map(|p| [p.name, p.doc]));
    text.extend(def.differs.iter().chain(def.references));
    let text = text.join("\n").to_lowercase();
    words.iter().all(|w| text.contains(w))
}

fn spellings(def: &Def) -> Vec<&str> {
    def.aliases.iter().map(|a| a.spelling).filter(|s| *s != def.name).collect()
}

fn row(def: &Def) -> Value {
    json!({ "name": def.name, "title": def.title, "family": def.family, "aliases": spellings(def) })
}

fn table(found: &[&Def]) -> Table {
    let columns = ["name", "title", "family", "also written"].map(Column::text).to_vec();
    let mut table = Table::new(columns);
    for def in found {
        let aliases = spellings(def).join(" ");
        table.push(vec![Cell::text(def.name).strong(true), Cell::text(def.title), Cell::text(def.family), Cell::text(aliases)]);
    }
    table
}
