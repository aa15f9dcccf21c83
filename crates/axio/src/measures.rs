//! `axio measures`: the list of measures, searchable.

use std::process::ExitCode;

use axiometrics::Error;
use axiometrics::measure::{Def, definitions};
use axiometrics::organization::{self, Definition};
use axiometrics::report::{Cell, Column, Table};
use serde_json::{Value, json};

use crate::args::{Format, Output};

/// List the measures, all or those that mention a word
///
/// Those of the families organization, clustering and filtering belong to `axio organize`, all
/// others to `axio eval`.
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
    let all = definitions()
        .map(Listed::ranking)
        .chain(organization::measures().map(|m| Listed::organization(m.definition())));
    let found: Vec<Listed> =
        all.filter(|measure| words.iter().all(|word| measure.says.contains(word))).collect();
    if found.is_empty() {
        let asked = args.words.join(" ");
        return Err(Error::usage(format!("no measure mentions \"{asked}\""))
            .help("`axio measures` lists all of them")
            .into());
    }
    let text = match (args.output.format.dialect(), args.output.format) {
        (Some(dialect), _) => table(&found).render(dialect, &args.output.style()),
        (None, Format::Jsonl) => found.iter().map(|m| m.row().to_string() + "\n").collect(),
        (None, _) => {
            serde_json::to_string_pretty(
                &json!({ "measures": found.iter().map(Listed::row).collect::<Vec<_>>() }),
            )? + "\n"
        }
    };
    args.output.write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// A measure in the list.
struct Listed {
    name: &'static str,
    title: &'static str,
    family: &'static str,
    aliases: Vec<&'static str>,
    /// All that it says of itself, in small letters.
    says: String,
}

impl Listed {
    fn ranking(def: &'static Def) -> Listed {
        let range = def.range.to_string();
        let mut text = vec![
            def.name,
            def.title,
            def.family,
            def.definition,
            &range,
            def.undefined,
            def.user_model,
        ];
        text.extend(def.aliases.iter().map(|a| a.spelling));
        text.extend(def.params.iter().flat_map(|p| [p.name.as_ref(), p.doc]));
        text.extend(def.differs.iter().chain(def.references));
        let aliases = def.aliases.iter().map(|a| a.spelling).filter(|s| *s != def.name).collect();
        Listed {
            name: def.name,
            title: def.title,
            family: def.family,
            aliases,
            says: text.join("\n").to_lowercase(),
        }
    }

    fn organization(def: &'static Definition) -> Listed {
        let family = def.task.name();
        let mut text = vec![
            def.name,
            def.title,
            family,
            def.summary,
            def.definition,
            def.range,
            def.undefined,
        ];
        text.extend(def.references);
        Listed {
            name: def.name,
            title: def.title,
            family,
            aliases: Vec::new(),
            says: text.join("\n").to_lowercase(),
        }
    }

    fn row(&self) -> Value {
        json!({ "name": self.name, "title": self.title, "family": self.family, "aliases": self.aliases })
    }
}

fn table(found: &[Listed]) -> Table {
    let columns = ["name", "title", "family", "also written"].map(Column::text).to_vec();
    let mut table = Table::new(columns);
    for measure in found {
        let aliases = Cell::text(measure.aliases.join(" "));
        table.push(vec![
            Cell::text(measure.name).strong(true),
            Cell::text(measure.title),
            Cell::text(measure.family),
            aliases,
        ]);
    }
    table
}
