//! What can be asked for: the subcommands, and the options that several of them share.
//!
//! A subcommand is a file with `pub(crate) struct Args` and
//! `pub(crate) fn run(&Args) -> anyhow::Result<ExitCode>`, a variant of [`Command`] and a line in
//! `main`.

use std::path::PathBuf;

use axiometrics::align::Policy;
use axiometrics::choice::Choice;
use axiometrics::component::read_component;
use axiometrics::measure::{self, Metric};
use axiometrics::policy::{self, Missing, Rounding, Ties, Undefined};
use axiometrics::report::Format;
use axiometrics::work;
use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};

use crate::shell;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 done, but a requested check failed or a run was left out; 2 bad usage or bad input.
Files may be compressed (gzip, zstd, lz4, bzip2); `-` is standard input.

`axio trec_eval ...` takes the options of trec_eval and prints what it prints.";

/// Measure retrieval systems, and measure the measures
#[derive(Debug, Parser)]
#[command(name = "axio", version, styles = STYLES, after_help = AFTER_HELP, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands, in the order of the help.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Eval(crate::eval::Args),
    Compare(crate::compare::Args),
    Gate(crate::gate::Args),
    Meta(crate::meta::Args),
    Plan(crate::plan::Args),
    Measures(crate::measures::Args),
    Explain(crate::explain::Args),
    Risk(crate::risk::Args),
    Standardize(crate::standardize::Args),
    Check(crate::check::Args),
    Choose(crate::choose::Args),
    Fuse(crate::fuse::Args),
    Report(crate::report::Args),
    Organize(crate::organize::Args),
    Convert(crate::convert::Args),
    Validate(crate::validate::Args),
    Completions(crate::generate::CompletionsArgs),
    Man(crate::generate::ManArgs),
}

/// Which measures. A subcommand sets its own default:
/// `mut_arg("measures", |arg| arg.default_value("nDCG@10 AP"))`.
#[derive(Debug, clap::Args)]
pub(crate) struct Measures {
    /// Measures, such as 'nDCG@10 AP RBP(p=0.8)' or a file, my.toml; may be repeated.
    /// `axio measures` lists them
    #[arg(short, long = "measures", value_name = "MEASURES")]
    measures: Vec<String>,
}

impl Measures {
    /// The measures asked for, each once.
    pub(crate) fn parse(&self) -> axiometrics::Result<Vec<Metric>> {
        let mut all: Vec<Metric> = Vec::new();
        let mut names: Vec<String> = Vec::new();
        for text in &self.measures {
            for metric in metrics(text)? {
                let name = metric.to_string();
                if !names.contains(&name) {
                    names.push(name);
                    all.push(metric);
                }
            }
        }
        if all.is_empty() {
            return Err(axiometrics::Error::usage("found no measure in -m, expected at least one")
                .help("write -m 'nDCG@10 AP'"));
        }
        Ok(all)
    }
}

/// Reads a list of measures, in which a name that ends in `.toml` is a file.
pub(crate) fn metrics(text: &str) -> axiometrics::Result<Vec<Metric>> {
    measure::parse_list_with(text, &mut read_component)
}

/// How runs become scores.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Policies")]
pub(crate) struct Policies {
    /// What to do about a judged topic that the run lacks
    #[arg(long, value_parser = choice::<Missing>(), default_value = Missing::default().name(), value_name = "POLICY")]
    pub(crate) missing: Missing,
    /// What to do about a score that is undefined
    #[arg(long, value_parser = choice::<Undefined>(), default_value = Undefined::default().name(), value_name = "POLICY")]
    pub(crate) undefined: Undefined,
    /// How documents with equal scores are ordered
    #[arg(long, value_parser = choice::<Ties>(), default_value = Ties::default().name(), value_name = "ORDER")]
    pub(crate) ties: Ties,
    /// How scores are compared
    #[arg(long, value_parser = choice::<Rounding>(), default_value = Rounding::default().name(), value_name = "TYPE")]
    pub(crate) scores: Rounding,
    /// The highest grade that judges could give [default: the highest in the judgements]
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    pub(crate) max_grade: Option<f64>,
    /// Cut every ranking off at this depth first
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Count lines that are wrong and leave them out, instead of stopping at the first
    #[arg(long)]
    pub(crate) lenient: bool,
}

impl Policies {
    /// As the library wants them.
    pub(crate) fn choices(&self) -> policy::Policies {
        let Policies { missing, undefined, ties, scores, max_grade, depth, lenient } = *self;
        policy::Policies { missing, undefined, ties, scores, max_grade, depth, lenient }
    }

    /// How rankings are made of runs.
    pub(crate) fn policy(&self) -> Policy {
        Policy { ties: self.ties, scores: self.scores, depth: self.depth, ..Policy::default() }
    }
}

/// How results are written.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// How results are written
    #[arg(long, value_parser = choice::<Format>(), default_value = Format::default().name(), value_name = "FORMAT")]
    pub(crate) format: Format,
    /// Decimal places [default: 4 in tables for people, all elsewhere]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=100))]
    pub(crate) places: Option<u8>,
    /// Write results to a file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// How the work is done and how much is said about it.
#[derive(Debug, clap::Args)]
pub(crate) struct Work {
    /// How many threads may work [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// No warnings, no settings, no progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl Work {
    /// The handle of the work.
    pub(crate) fn handle(&self) -> work::Work {
        let work = shell::work().unwrap_or_default();
        match self.threads {
            Some(threads) => work.with_threads(usize::from(threads)),
            None => work,
        }
    }
}

/// Offers the members of a closed set by name.
pub(crate) fn choice<T: Choice>() -> impl TypedValueParser<Value = T> {
    let offered = T::ALL.iter().map(|c| PossibleValue::new(c.name()).help(c.meaning()));
    PossibleValuesParser::new(offered).try_map(|name| T::from_name(&name))
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|x: &f64| x.is_finite() && *x > 0.0)
        .ok_or_else(|| "expected a number above 0".to_string())
}
