//! `axio organize`: clustering, filtering, ranking and their mixture against a gold standard.

mod names;
mod output;
mod table;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use axiometrics::Error;
use axiometrics::data::organization::{Catalogue, Documents, Organizations};
use axiometrics::io::organization::{Format as InputFormat, ReadOptions, open, read};
use axiometrics::organization::reliability_sensitivity::{Differences, Explanation, explain};
use axiometrics::organization::{
    Curve, Evaluation, Missing, OrganizationMeasure, Policy, Settings, Undefined, Variant, evaluate_with, measure, measures,
};
use clap::ValueEnum;

/// Scores organizations of documents against a gold standard: Reliability, Sensitivity and F, and the classic measures of clustering and
/// filtering.
///
/// A file is a table with a header (topic, doc, level, cluster), labels (topic doc label [score]), JSON, or a TREC qrels or run file; the
/// format is recognised by content.
#[derive(Debug, Clone, clap::Args)]
#[command(
    after_help = "Example:\n  printf 'doc cluster\\n1 a\\n2 a\\n3 b\\n' > gold.tsv\n  printf 'doc cluster\\n1 x\\n2 y\\n3 y\\n' > mine.tsv\n  axio organize gold.tsv mine.tsv --finite"
)]
pub(crate) struct Args {
    /// The gold standard; `-` for standard input
    gold: String,
    /// The systems' outputs
    #[arg(required = true)]
    systems: Vec<String>,
    /// The documents at the top that carry --weight of the whole weight
    #[arg(long, default_value_t = 10.0, value_name = "N")]
    top: f64,
    /// The share of the whole weight that the first --top documents carry
    #[arg(long, default_value_t = 0.8, value_name = "W")]
    weight: f64,
    /// No tail of discarded documents, and equal weights: each topic is a closed collection
    #[arg(long)]
    finite: bool,
    /// How documents that one side lacks are treated
    #[arg(long, default_value = "printed", value_parser = ["printed", "table9", "semantic"])]
    variant: String,
    /// The share of priority in R, S and F; the rest is relatedness
    #[arg(long, default_value_t = 0.5, value_name = "M")]
    mix: f64,
    /// Scores for each topic
    #[arg(long)]
    per_topic: bool,
    /// Only these measures, separated by spaces or commas
    #[arg(short, long, value_name = "NAMES")]
    measures: Option<String>,
    /// Which relations were lost and which invented, the N heaviest of each topic
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10", require_equals = true)]
    explain: Option<usize>,
    /// Only this topic
    #[arg(long, value_name = "TOPIC")]
    topic: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Decimal places (tables: 4; other formats: all)
    #[arg(long, value_name = "N")]
    places: Option<usize>,
    /// Topics that a system lacks: empty organizations (zero), left out, or an error
    #[arg(long, value_enum, default_value_t = Choice::Zero)]
    missing: Choice,
    /// Scores without a value, in means: left out, zero, or an error
    #[arg(long, value_enum, default_value_t = Choice::Skip)]
    undefined: Choice,
    /// The worth of true positives, false positives, false negatives and true negatives
    #[arg(long, value_parser = utility, default_value = "1,-1,0,0", allow_hyphen_values = true, value_name = "TP,FP,FN,TN")]
    utility: [f64; 4],
    /// Adds the measure f_beta, in which recall is B times as important as precision
    #[arg(long, value_name = "B")]
    beta: Option<f64>,
    /// The label of the documents that are kept, where labels are names
    #[arg(long, value_name = "LABEL")]
    positive: Option<String>,
    /// The format of the files, where it is not to be recognised
    #[arg(long, value_name = "FORMAT", value_parser = ["table", "filtering", "json", "qrels", "diversity", "run"])]
    input_format: Option<String>,
    /// Goes on with the other systems where one cannot be read; the exit code is then 1
    #[arg(long)]
    keep_going: bool,
    /// No warnings
    #[arg(short, long)]
    quiet: bool,
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Table,
    Tsv,
    Csv,
    Json,
    Jsonl,
    Markdown,
    Latex,
}

/// What to do with something that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Choice {
    Zero,
    Skip,
    Error,
}

/// Everything that is printed.
struct Results {
    measures: Vec<&'static dyn OrganizationMeasure>,
    systems: Vec<System>,
    settings: Settings,
    policy: Policy,
}

/// What is known about one system.
struct System {
    name: String,
    evaluation: Evaluation,
    /// The explanation of each topic, with the relations in words.
    explanations: Vec<(String, Vec<Told>)>,
}

/// A difference in words.
struct Told {
    fate: &'static str,
    relation: String,
    weight: f64,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let settings = settings(args)?;
    let policy = policy(args);
    let measures = chosen(args)?;
    if args.systems.iter().chain([&args.gold]).filter(|path| *path == "-").count() > 1 {
        bail!(Error::usage("standard input can be read once").help("give one file as -"));
    }
    let options = ReadOptions {
        format: args
            .input_format
            .as_ref()
            .and_then(|name| InputFormat::ALL.iter().find(|(known, _)| known == name))
            .map(|(_, format)| *format),
        positive: args.positive.clone(),
    };
    let mut catalogue = Catalogue::new();
    let mut gold = load(&args.gold, &options, &mut catalogue)?;
    if let Some(topic) = &args.topic {
        gold.retain(|name, _| name == topic);
        if gold.is_empty() {
            bail!(Error::usage(format!("the gold standard has no topic {topic}")));
        }
    }
    let mut systems = Vec::new();
    let mut failed = false;
    for (path, name) in args.systems.iter().zip(names::of(&args.systems)) {
        let scored = load(path, &options, &mut catalogue).and_then(|mut system| {
            if let Some(topic) = &args.topic {
                system.retain(|name, _| name == topic);
            }
            let mut explanations = Vec::new();
            let evaluation = evaluate_with(&gold, &system, &catalogue, &measures, &settings, policy, |topic, comparison| {
                if let (Some(limit), Some(documents)) = (args.explain, catalogue.get(topic)) {
                    explanations.push((topic.to_string(), told(&explain(comparison, limit), documents)));
                }
            });
            let evaluation = evaluation.map_err(|error| anyhow!("{path}: {error}"))?;
            Ok(System { name, evaluation, explanations })
        });
        match scored {
            Ok(system) => systems.push(system),
            Err(error) if args.keep_going => {
                failed = true;
                eprintln!("axio: {error}; left out");
            }
            Err(error) => return Err(error),
        }
    }
    let results = Results { measures, systems, settings, policy };
    if !args.quiet {
        output::warn(&results, &mut io::stderr().lock())?;
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    match output::print(&results, args, &mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }
    Ok(if failed { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

fn load(path: &str, options: &ReadOptions, catalogue: &mut Catalogue) -> Result<Organizations> {
    Ok(read(&mut *open(path)?, path, options, catalogue)?)
}

fn settings(args: &Args) -> Result<Settings> {
    let variant = Variant::ALL.iter().find(|(name, _)| *name == args.variant).map_or(Variant::Printed, |(_, variant)| *variant);
    let curve = Curve::new(args.top, args.weight)?;
    let settings = Settings { curve, finite: args.finite, variant, mix: args.mix, utility: args.utility, beta: args.beta.unwrap_or(1.0) };
    settings.validate()?;
    Ok(settings)
}

/// Four numbers with commas between them.
fn utility(text: &str) -> Result<[f64; 4], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    numbers.ok().and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| "expected four numbers: TP,FP,FN,TN".to_string())
}

fn policy(args: &Args) -> Policy {
    let missing = match args.missing {
        Choice::Zero => Missing::Empty,
        Choice::Skip => Missing::Skip,
        Choice::Error => Missing::Error,
    };
    let undefined = match args.undefined {
        Choice::Zero => Undefined::Zero,
        Choice::Skip => Undefined::Skip,
        Choice::Error => Undefined::Error,
    };
    Policy { missing, undefined }
}

/// The measures that were asked for, or all; F-beta only with a beta.
fn chosen(args: &Args) -> Result<Vec<&'static dyn OrganizationMeasure>> {
    let Some(names) = &args.measures else {
        return Ok(measures().filter(|measure| args.beta.is_some() || measure.definition().name != "f_beta").collect());
    };
    let mut chosen = Vec::new();
    for name in names.split([' ', ',']).filter(|name| !name.is_empty()) {
        match measure(name) {
            Some(measure) => chosen.push(measure),
            None => {
                let known: Vec<&str> = measures().map(|measure| measure.definition().name).collect();
                bail!(Error::usage(format!("no measure of organizations is named {name}")).help(format!("known are {}", known.join(", "))));
            }
        }
    }
    if chosen.is_empty() {
        bail!(Error::usage("no measure was named"));
    }
    Ok(chosen)
}

fn told(explanation: &Explanation, documents: &Documents) -> Vec<Told> {
    let list = |fate: &'static str, differences: &Differences| -> Vec<Told> {
        differences.heaviest.iter().map(|relation| Told { fate, relation: relation.describe(documents), weight: relation.weight }).collect()
    };
    let mut told = list("lost", &explanation.lost);
    told.extend(list("invented", &explanation.invented));
    told
}
