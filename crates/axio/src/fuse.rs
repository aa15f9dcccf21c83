//! `axio fuse`: several runs made into one.

use std::path::{Path, PathBuf};

use axiometrics::choice::Choice;
use axiometrics::fuse::{Fusion, Learned, Normalization, methods};
use axiometrics::io::{self, Format, QrelsOptions, Reading, RunOptions};
use axiometrics::policy::{Duplicates, Ties};
use axiometrics::warning::Warnings;
use axiometrics::{Error, Run};

use crate::args::choice;
use crate::convert::{write_run, written};
use crate::{ExitCode, output, runs, shell};

const AFTER_HELP: &str = "\
Examples:
  axio fuse examples/web/bm25.run examples/web/dense.run -o target/fused.run
  axio fuse examples/web/*.run --method 'rrf(k=20)' --depth 10
  axio fuse examples/web/bm25.run examples/web/dense.run --method wsum --weights 0.3,0.7
  axio fuse --methods";

/// Fuse runs into one
///
/// The scores of each run are brought to a common scale, topic by topic, and combined. Methods by
/// rank look at the order of documents alone. A document that a run lacks has no score there, and a
/// topic that a run lacks is an empty ranking.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The runs, at least two
    #[arg(value_name = "RUN", required_unless_present_any = ["methods", "learn"], num_args = 1..)]
    runs: Vec<PathBuf>,
    /// How scores are combined, with parameters in brackets; `--methods` lists them
    #[arg(short, long, default_value = "rrf", value_name = "METHOD")]
    method: String,
    /// The scale to which scores are brought first
    #[arg(long, value_parser = choice::<Normalization>(), default_value = Normalization::default().name(), value_name = "SCALE")]
    norm: Normalization,
    /// A weight for each run, with commas between them
    #[arg(long, value_name = "WEIGHTS", value_delimiter = ',', allow_negative_numbers = true)]
    weights: Vec<f64>,
    /// The judgements from which a method learns how far ranks can be trusted
    #[arg(long, value_name = "QRELS", requires = "training")]
    qrels: Option<PathBuf>,
    /// The judged runs from which it learns, one for each run and in the same order; not those that
    /// are fused, or it learns the answers
    #[arg(long, value_name = "RUN", num_args = 1.., requires = "qrels")]
    training: Vec<PathBuf>,
    /// Only learn from the training runs, and write what was learned, as JSON, in place of a run
    #[arg(long, requires = "qrels")]
    learn: bool,
    /// A file with what was learned before
    #[arg(long, value_name = "FILE", conflicts_with = "qrels")]
    learned: Option<PathBuf>,
    /// How documents with equal scores are ordered
    #[arg(long, value_parser = orders(), default_value = Ties::default().name(), value_name = "ORDER")]
    ties: Ties,
    /// How many documents to keep for each topic [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// The format to write; otherwise it follows from the output's name, and is trec if that tells
    /// none
    #[arg(long, value_name = "FORMAT", value_parser = written())]
    to: Option<Format>,
    /// The name of the fused run in TREC output [default: that of the method]
    #[arg(long)]
    tag: Option<String>,
    /// Leave out lines that are wrong and repeated documents, and count them, instead of refusing
    /// the file
    #[arg(long)]
    lenient: bool,
    /// What to do about a document that a topic of a run has more than once
    #[arg(long, value_parser = choice::<Duplicates>(), default_value = Duplicates::default().name(), value_name = "POLICY")]
    duplicates: Duplicates,
    /// Do not print warnings
    #[arg(short, long)]
    quiet: bool,
    /// List the methods, with their parameters
    #[arg(long, exclusive = true)]
    methods: bool,
    #[command(flatten)]
    _pipes: crate::args::Pipes,
}

/// The orders of a ranking: fusing has no use for an average over them.
fn orders() -> impl clap::builder::TypedValueParser<Value = Ties> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
    let orders = [Ties::DocidDesc, Ties::DocidAsc, Ties::File];
    let offered = orders.map(|order| PossibleValue::new(order.name()).help(order.meaning()));
    PossibleValuesParser::new(offered).try_map(|name| Ties::from_name(&name))
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.methods {
        output::stdout(listing().as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut fusion = Fusion::named(&args.method)?.with_weights(args.weights.clone());
    fusion.normalization = args.norm;
    fusion.ties = args.ties;
    fusion.depth = args.depth.map(|depth| depth as usize);
    let named = args.runs.iter().chain(&args.training).chain(&args.qrels);
    runs::refuse_repeated_stdin(named)?;
    let mut warnings = Warnings::default();
    let reading = Reading { duplicates: args.duplicates, ..Reading::default() };
    let options = RunOptions { lenient: args.lenient, reading, ..RunOptions::default() };
    if let Some(qrels) = &args.qrels {
        let judgements = QrelsOptions { lenient: args.lenient, ..QrelsOptions::default() };
        let qrels = io::read_qrels(&shell::open(qrels)?, judgements, &mut warnings)?;
        let judged = read(&args.training, &options, &mut warnings)?;
        let learned = fusion.learn(&qrels, &judged.iter().collect::<Vec<_>>())?;
        if args.learn {
            let text = learned.to_json();
            output::write_atomically(&args.output, |out| Ok(writeln!(out, "{text}")?))?;
            return Ok(ExitCode::SUCCESS);
        }
        fusion = fusion.with_learned(learned);
    } else if let Some(path) = &args.learned {
        fusion = fusion.with_learned(read_learned(path)?);
    } else if fusion.def().is_trained() {
        let message = format!("{} learns from judged runs before it can fuse", fusion.def().name);
        return Err(Error::usage(message).help("give them with --qrels and --training").into());
    }
    let all = read(&args.runs, &options, &mut warnings)?;
    let fused = fusion.fuse(&all.iter().collect::<Vec<_>>())?;
    if !args.quiet {
        output::warnings(&warnings, true);
    }
    let to = args.to.or_else(|| Format::of_name(&args.output)).unwrap_or(Format::Trec);
    let tag = args.tag.as_deref().unwrap_or(fusion.def().name);
    output::write_atomically(&args.output, |out| write_run(&fused, to, tag, out))?;
    Ok(ExitCode::SUCCESS)
}

fn read(
    paths: &[PathBuf],
    options: &RunOptions,
    warnings: &mut Warnings,
) -> axiometrics::Result<Vec<Run>> {
    let one = |path: &PathBuf| io::read_run(&shell::open(path)?, options.clone(), warnings);
    paths.iter().map(one).collect()
}

/// What was learned before: a list of numbers for each run.
fn read_learned(path: &Path) -> axiometrics::Result<Learned> {
    let name = path.display().to_string();
    let text = io::read_text(&name, LARGEST_LEARNED, "what `axio fuse --learn` wrote")?;
    let wrong = |error: Error| error.help("write the file with axio fuse --learn");
    Learned::from_json(&name, &text).map_err(wrong)
}

/// A number by rank for a thousand runs would fit.
const LARGEST_LEARNED: u64 = 64 << 20;

/// The methods, a paragraph each.
fn listing() -> String {
    let mut text = String::new();
    for def in methods() {
        let params: Vec<String> = def
            .params
            .iter()
            .map(|param| match param.default {
                Some(value) => format!("{}={value}", param.name),
                None => param.name.to_string(),
            })
            .collect();
        let call = if params.is_empty() {
            def.name.to_string()
        } else {
            format!("{}({})", def.name, params.join(","))
        };
        let needs = match (def.weighted, def.is_trained()) {
            (true, _) => " Needs --weights.",
            (_, true) => " Needs --qrels and --training.",
            _ => "",
        };
        text.push_str(&format!("{call:<20} {}. {}{needs}\n", def.title, def.definition));
        for param in def.params {
            text.push_str(&format!("{:<20} {}: {}\n", "", param.name, param.about));
        }
    }
    text
}
