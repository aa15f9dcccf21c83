//! `axio organize`: clustering, filtering, ranking and their mixture against a gold standard.

mod document;
mod settings;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::choice::Choice;
use axiometrics::data::organization::{Catalogue, Documents, Organizations};
use axiometrics::io::Source;
use axiometrics::io::organization::{Format as InputFormat, ReadOptions, read};
use axiometrics::organization::reliability_sensitivity::{Explanation, Relation, explain};
use axiometrics::organization::{
    Curve, Evaluation, Mix, OrganizationMeasure, Settings, Shares, Stated, SystemScores, Variant,
    measure, measures,
};
use axiometrics::policy::{Missing, Undefined};
use axiometrics::report::Format;
use axiometrics::warning::{Kind, Warnings};
use axiometrics::{Error, Result};

use crate::args::{Output, choice};
use crate::{output, runs};

const AFTER_HELP: &str = "\
Examples:
  axio organize examples/organization/gold.tsv examples/organization/broken.tsv
  axio organize examples/organization/gold.tsv examples/organization/mixed.json --explain=5
  axio organize examples/organization/gold.tsv examples/organization/*.json --finite -m bcubed_f";

/// Score organizations of documents (clusters, selections, rankings) against a gold standard
///
/// A file is a table with a header (topic, doc, level, cluster), labels (topic doc label [score]),
/// JSON, or a TREC qrels or run file; the format is recognised by content. The measures are
/// Reliability, Sensitivity and F, and the classic ones of clustering and filtering.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The gold standard
    #[arg(value_name = "GOLD")]
    gold: PathBuf,
    /// The systems' outputs
    #[arg(value_name = "SYSTEM", required = true)]
    systems: Vec<PathBuf>,
    /// Measures, separated by spaces or commas; may be repeated [default: all]
    #[arg(short, long, value_name = "MEASURES")]
    measures: Vec<String>,
    /// The scores of each topic, besides the mean
    #[arg(long)]
    per_topic: bool,
    /// Which relations were lost and which invented, the N heaviest of each topic
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10", require_equals = true)]
    explain: Option<usize>,
    /// Only this topic
    #[arg(long, value_name = "TOPIC")]
    topic: Option<String>,
    /// Leave out the systems that cannot be read (exit code 1) instead of stopping
    #[arg(long)]
    keep_going: bool,
    /// No warnings, no settings
    #[arg(short, long)]
    quiet: bool,
    /// The documents at the top that carry --weight of the whole weight
    #[arg(long, default_value_t = 10.0, value_name = "N", help_heading = "Parameters")]
    top: f64,
    /// The share of the whole weight that the first --top documents carry
    #[arg(long, default_value_t = 0.8, value_name = "W", help_heading = "Parameters")]
    weight: f64,
    /// No tail of discarded documents, and equal weights: each topic is a closed collection
    #[arg(long, help_heading = "Parameters")]
    finite: bool,
    /// What becomes of a document that the other side lacks
    #[arg(long, value_parser = choice::<Variant>(), default_value = Variant::default().name(), value_name = "VARIANT", help_heading = "Parameters")]
    variant: Variant,
    /// The share of priority in R, S and F; the rest is relatedness [default: 0.5, but 1 if the gold
    /// standard clusters nothing, and 0 if it is finite and orders nothing]
    #[arg(long, value_name = "M", help_heading = "Parameters")]
    mix: Option<f64>,
    /// The worth of true positives, false positives, false negatives and true negatives
    #[arg(long, value_parser = utility, default_value = "1,-1,0,0", allow_hyphen_values = true, value_name = "TP,FP,FN,TN", help_heading = "Parameters")]
    utility: [f64; 4],
    /// Sensitivity is B times as important as Reliability in F, and recall as precision in f_beta
    /// [default: 1]
    #[arg(long, value_name = "B", help_heading = "Parameters")]
    beta: Option<f64>,
    /// What to do about a topic of the gold standard that a system lacks
    #[arg(long, value_parser = choice::<Missing>(), default_value = Missing::default().name(), value_name = "POLICY", help_heading = "Policies")]
    missing: Missing,
    /// What to do about a score that is undefined
    #[arg(long, value_parser = choice::<Undefined>(), default_value = Undefined::Skip.name(), value_name = "POLICY", help_heading = "Policies")]
    undefined: Undefined,
    /// The label of the documents that are kept, where labels are names
    #[arg(long, value_name = "LABEL", help_heading = "Policies")]
    positive: Option<String>,
    /// The format of the files, where it is not to be recognised
    #[arg(long, value_parser = choice::<InputFormat>(), value_name = "FORMAT", help_heading = "Policies")]
    input_format: Option<InputFormat>,
    #[command(flatten)]
    output: Output,
}

/// All that the formats have to tell.
struct Results<'a> {
    measures: &'a [&'static dyn OrganizationMeasure],
    systems: Vec<System>,
    settings: settings::Told,
    warnings: &'a Warnings,
    per_topic: bool,
    places: Option<u8>,
}

/// What is known about one system.
struct System {
    name: String,
    scores: SystemScores,
    /// The explanation of each topic, with the relations in words.
    explanations: Vec<(String, Vec<Told>)>,
}

/// A difference in words.
struct Told {
    fate: &'static str,
    relation: String,
    weight: f64,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let settings = settings(args)?;
    let measures = chosen(args)?;
    runs::refuse_repeated_stdin(args.systems.iter().chain([&args.gold]))?;
    let options = ReadOptions { format: args.input_format, positive: args.positive.clone() };
    let mut catalogue = Catalogue::new();
    let mut gold = read(&Source::open(&args.gold)?, &options, &mut catalogue)?;
    if let Some(topic) = &args.topic {
        gold.retain(|name, _| name == topic);
        if gold.is_empty() {
            return Err(Error::usage(format!("the gold standard has no topic {topic}")).into());
        }
    }
    let mut warnings = Warnings::default();
    let mut systems = Vec::new();
    for (path, name) in args.systems.iter().zip(runs::unique_names(&args.systems)) {
        let file = path.display().to_string();
        let system = Source::open(path).and_then(|source| read(&source, &options, &mut catalogue));
        let scored = system.and_then(|mut system| {
            system.retain(|topic, _| args.topic.as_ref().is_none_or(|only| only == topic));
            let mut evaluation = Evaluation::new(&gold, &catalogue, &measures, &settings);
            (evaluation.missing, evaluation.undefined) = (args.missing, args.undefined);
            score(&evaluation, name, &file, &system, args.explain, &mut warnings)
        });
        match scored {
            Ok(system) => systems.push(system),
            Err(error) if args.keep_going => {
                output::error(&error);
                warnings.add_example(
                    Kind::RunLeftOut,
                    1,
                    &file,
                    error.to_string().lines().next().unwrap_or(""),
                );
            }
            Err(error) => return Err(error.into()),
        }
    }
    if systems.is_empty() {
        return Err(Error::usage("no system is left to score")
            .help("each of them has its own error above")
            .into());
    }
    let left_out = systems.len() < args.systems.len();
    let settings =
        settings::Told::new(&settings, Stated::by(gold.values()), args.missing, args.undefined);
    let results = Results {
        measures: &measures,
        systems,
        settings,
        warnings: &warnings,
        per_topic: args.per_topic,
        places: args.output.places,
    };
    let rendered = match args.output.format {
        Format::Jsonl => document::lines(&results),
        Format::Json => document::render(&results)?,
        format => tables::render(&results, format, &args.output.style(), args.explain.is_some()),
    };
    if !args.quiet {
        output::warnings(&warnings);
        if args.output.format.has_lines() {
            output::note("settings", &results.settings.to_string());
        }
    }
    args.output.write(&rendered)?;
    Ok(if left_out { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn score(
    evaluation: &Evaluation<'_>,
    name: String,
    file: &str,
    system: &Organizations,
    limit: Option<usize>,
    warnings: &mut Warnings,
) -> Result<System> {
    let mut explanations = Vec::new();
    let scores = evaluation.system_with(file, system, warnings, |topic, comparison| {
        if let (Some(limit), Some(documents)) = (limit, evaluation.catalogue.get(topic)) {
            explanations.push((topic.to_string(), told(&explain(comparison, limit), documents)));
        }
    })?;
    Ok(System { name, scores, explanations })
}

fn settings(args: &Args) -> Result<Settings> {
    let curve = Curve::new(args.top, args.weight)?;
    let beta = args.beta.unwrap_or(1.0);
    let settings = Settings {
        curve,
        finite: args.finite,
        variant: args.variant,
        mix: args.mix.map_or(Mix::Stated, |share| Mix::Given(Shares::of_priority(share))),
        utility: args.utility,
        beta,
    };
    settings.validate()?;
    Ok(settings)
}

/// Four numbers with commas between them.
fn utility(text: &str) -> std::result::Result<[f64; 4], String> {
    let numbers: std::result::Result<Vec<f64>, _> =
        text.split(',').map(|number| number.trim().parse()).collect();
    numbers
        .ok()
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(|| "expected four numbers: TP,FP,FN,TN".to_string())
}

/// The measures that were asked for, each once, or all; F-beta only with a beta.
fn chosen(args: &Args) -> Result<Vec<&'static dyn OrganizationMeasure>> {
    if args.measures.is_empty() {
        return Ok(measures()
            .filter(|measure| args.beta.is_some() || measure.definition().name != "f_beta")
            .collect());
    }
    let mut chosen: Vec<&'static dyn OrganizationMeasure> = Vec::new();
    for name in args
        .measures
        .iter()
        .flat_map(|names| names.split([' ', ',']))
        .filter(|name| !name.is_empty())
    {
        let Some(measure) = measure(name) else {
            let known: Vec<&str> = measures().map(|measure| measure.definition().name).collect();
            let error = Error::usage(format!("no measure of organizations is named {name}"));
            return Err(error.help(format!("known are {}", known.join(", "))));
        };
        if chosen.iter().all(|known| known.definition().name != name) {
            chosen.push(measure);
        }
    }
    if chosen.is_empty() {
        return Err(
            Error::usage("found no measure in -m, expected at least one").help("write -m 'R S F'")
        );
    }
    Ok(chosen)
}

fn told(explanation: &Explanation, documents: &Documents) -> Vec<Told> {
    let list = |fate: &'static str, relations: &[Relation]| -> Vec<Told> {
        relations
            .iter()
            .map(|relation| Told {
                fate,
                relation: relation.describe(documents),
                weight: relation.weight,
            })
            .collect()
    };
    let mut told = list("lost", &explanation.lost);
    told.extend(list("invented", &explanation.invented));
    told
}
