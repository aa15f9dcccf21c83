//! `axio explain`: what a measure is, and how it comes to its score of one ranking.

mod anatomy;
mod breakdown;

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::Error;
use axiometrics::check::spacing::spacing;
use axiometrics::choice::Choice;
use axiometrics::component::Component;
use axiometrics::component::Scale;
use axiometrics::measure::{Cutoff, Metric, definitions};
use axiometrics::organization::{self, Better, Definition};
use axiometrics::report::{
    Block, Cell, Column, Dialect, Page, ReadingExample, Section, Table, component_page,
    measure_page, organization_page, reading_section,
};
use clap::ValueEnum;
use serde_json::{Value, json};

use crate::args::Policies;
use crate::output;

const AFTER_HELP: &str = "\
Examples:
  axio explain nDCG@10
  axio explain RBP --format json
  axio explain bcubed_f
  axio explain 'CWL(c=\"((i+1)/(i+2))^2\")'
  axio explain components/ap.toml
  axio explain scales
  axio explain AP@5 examples/web/qrels.txt examples/web/bm25.run --topic 201
  axio explain components/ap.toml examples/web/qrels.txt examples/web/bm25.run --topic 201";

/// Explain a measure: definition, range, user model, a worked example, how other tools differ; or
/// its score of one topic, document by document
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The measure, in any spelling, a file (`my.toml`), or `scales`: the scales of measurement and
    /// where similarity can be defined
    metric: String,
    /// The judgements, to take a score apart
    #[arg(value_name = "QRELS", requires = "run")]
    qrels: Option<PathBuf>,
    /// The run
    #[arg(value_name = "RUN", requires = "topic")]
    run: Option<PathBuf>,
    /// The topic whose score is taken apart
    #[arg(long, value_name = "TOPIC", requires = "run")]
    topic: Option<String>,
    #[command(flatten)]
    policies: Policies,
    /// How the page is written
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: PageFormat,
}

/// A page speaks of no judgements in particular: documents are relevant or not.
const BINARY: f64 = 1.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum PageFormat {
    /// For a terminal
    #[default]
    Text,
    /// A Markdown page
    Markdown,
    /// One JSON document
    Json,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let (Some(qrels), Some(run), Some(topic)) = (&args.qrels, &args.run, &args.topic) {
        let metric = one(&args.metric)?;
        breakdown::show(args, &metric, qrels, run, topic)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.metric == "scales" {
        return scales(args.format);
    }
    let (page, document) = match (named(&args.metric), organization::measure(&args.metric)) {
        (Err(_), Some(measure)) => {
            (organization_page(measure.definition()), organization_document(measure.definition()))
        }
        (metric, _) => metric.map(|metric| (page(&metric), document(&metric)))?,
    };
    let text = match args.format {
        PageFormat::Text => page.text(&output::terminal_style()),
        PageFormat::Markdown => page.markdown(),
        PageFormat::Json => serde_json::to_string_pretty(&document)? + "\n",
    };
    output::stdout(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The nine scales, and between which of them a similarity can be defined.
fn scales(format: PageFormat) -> anyhow::Result<ExitCode> {
    if format == PageFormat::Json {
        let row = |a: &Scale| {
            Scale::ALL
                .iter()
                .map(|s| (s.name().to_string(), json!(a.refusal(*s))))
                .collect::<serde_json::Map<_, _>>()
        };
        let scales: Vec<Value> = Scale::ALL
            .iter()
            .map(|a| json!({ "scale": a.name(), "meaning": a.meaning(), "refused": row(a) }))
            .collect();
        output::stdout(
            (serde_json::to_string_pretty(&json!({ "scales": scales }))? + "\n").as_bytes(),
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let columns = std::iter::once(Column::text("alpha \\ sigma"))
        .chain(Scale::ALL.iter().map(|s| Column::text(s.name())));
    let mut table = Table::new(columns.collect());
    for alpha in Scale::ALL {
        let marks = Scale::ALL.iter().map(|sigma| Cell::text(alpha.similarity(*sigma).mark()));
        table.push(std::iter::once(Cell::text(alpha.name()).strong(true)).chain(marks).collect());
    }
    let dialect = if format == PageFormat::Markdown { Dialect::Markdown } else { Dialect::Text };
    let mut text = table.render(dialect, &output::terminal_style());
    text.push_str("\n.  a similarity can be defined   x  none can   -  the pair makes no sense\n");
    text.push_str("Rows: the assessor's scale (alpha); columns: the system's (sigma).\n\n");
    for scale in Scale::ALL {
        text.push_str(&format!("- {}: {}\n", scale.name(), scale.meaning()));
    }
    output::stdout(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn one(text: &str) -> axiometrics::Result<Metric> {
    let mut all = crate::args::metrics(text)?;
    match all.len() {
        1 => Ok(all.remove(0)),
        many => Err(Error::usage(format!("\"{text}\" stands for {many} measures, expected one"))),
    }
}

/// A name stands for its measure even where a score would need a cutoff, or a parameter that its
/// example has.
fn named(text: &str) -> axiometrics::Result<Metric> {
    let example = || {
        definitions()
            .find(|def| def.name == text)
            .and_then(|def| one(def.examples.first()?.measure).ok())
    };
    // A file's own error is about the file, and no cutoff mends it.
    one(text).or_else(|error| {
        let mended =
            if error.is_usage() { one(&format!("{text}@10")).ok().or_else(example) } else { None };
        mended.ok_or(error)
    })
}

/// The measure's own page, with its user as far as it has one, and with what follows for averages.
fn page(metric: &Metric) -> Page {
    let mut page =
        Component::of(metric).map_or_else(|| measure_page(&metric.def()), component_page);
    let place = |page: &Page, heading: &str| {
        page.sections.iter().position(|s| s.heading == heading).unwrap_or(page.sections.len())
    };
    if let Some(spacing) = spacing(metric, BINARY) {
        let section = Section {
            heading: "Interval scale".to_string(),
            blocks: vec![Block::Paragraph(format!("{metric}: {}", spacing.sentence()))],
        };
        let at = place(&page, "Parameters");
        page.sections.insert(at, section);
    }
    if let Some(section) = reading_section(metric) {
        let at = (place(&page, "User model") + 1).min(page.sections.len());
        page.sections.insert(at, section);
    }
    page
}

/// C, W and L of its user.
fn reading(metric: &Metric) -> Value {
    let Some(ReadingExample { continuation, weight, ranking, walk, ranks }) =
        ReadingExample::of(metric)
    else {
        return Value::Null;
    };
    let at = |rank: &u32| json!({ "rank": rank, "continuation": walk.continuation(*rank), "weight": walk.weight(*rank), "last": walk.last(*rank) });
    json!({
        "measure": metric.to_string(), "continuation": continuation, "weight": weight, "ranking": ranking, "documents": walk.documents,
        "ranks": ranks.iter().map(at).collect::<Vec<_>>(),
    })
}

fn organization_document(definition: &Definition) -> Value {
    let Definition {
        name,
        title,
        task,
        summary,
        definition,
        range,
        better,
        undefined,
        example,
        references,
    } = definition;
    json!({
        "name": name,
        "title": title,
        "family": task.name(),
        "summary": summary,
        "definition": definition,
        "range": range,
        "better": if *better == Better::Higher { "higher" } else { "lower" },
        "undefined_when": undefined,
        "examples": [{ "gold": example.gold, "system": example.system, "working": example.working, "value": example.value }],
        "references": references,
    })
}

fn document(metric: &Metric) -> Value {
    let def = metric.def();
    let mut page = json!({
        "name": def.name,
        "title": def.title,
        "family": def.family,
        "definition": def.definition,
        "range": def.range.to_string(),
        "undefined_when": def.undefined,
        "user_model": def.user_model,
        "interval_scale": spacing(metric, BINARY),
        "user": reading(metric),
        "cutoff": match def.cutoff { Cutoff::Never => "never", Cutoff::Optional => "optional", Cutoff::Required => "required", Cutoff::Param(name) => name },
        "parameters": def.params.iter().map(|p| json!({
            "name": p.name, "expected": p.kind.expected(), "default": p.default, "meaning": p.doc,
        })).collect::<Vec<_>>(),
        "examples": def.examples.iter().map(|e| json!({
            "measure": e.measure, "ranking": e.ranking, "working": e.working, "value": e.value,
        })).collect::<Vec<_>>(),
        "differs_from": def.differs,
        "spellings": def.aliases.iter().map(|a| json!({ "spelling": a.spelling, "implies": a.implies })).collect::<Vec<_>>(),
        "references": def.references,
    });
    if let Some(file) = Component::of(metric) {
        page["components"] = file
            .components()
            .into_iter()
            .map(|(name, text)| (name.to_string(), Value::from(text)))
            .collect();
    }
    page
}
