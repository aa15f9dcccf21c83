//! `axio plan judge`: which documents to judge next.

use std::path::PathBuf;

use axiometrics::choice::Choice;
use axiometrics::io::{self, QrelsOptions};
use axiometrics::plan;
use axiometrics::report::OutputFormat;
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Output, Policies, Work, choice};
use crate::inference::open_unit;
use crate::{output, runs};

const AFTER_HELP: &str = "\
Examples:
  axio plan judge examples/web/qrels.txt examples/web/*.run --budget 5
  axio plan judge examples/web/qrels.txt examples/web/*.run -m SDCG@10 --budget 5
  axio plan judge examples/web/qrels.txt examples/web/*.run --budget 5 -o /dev/null";

/// Which unjudged documents settle most of the scores of all runs
///
/// A document at rank i can change RBP of its ranking by (1-p) p^(i-1). These weights are summed
/// over the runs, and the heaviest documents come first: no other choice of as many documents
/// shrinks the score ranges more. Other measures have weights of their own.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The judgements so far
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The runs
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// How many documents can be judged
    #[arg(long, default_value_t = 100, value_name = "N")]
    budget: usize,
    /// The measure whose scores are to be settled [default: RBP]
    #[arg(short, long, value_name = "MEASURE")]
    measure: Option<String>,
    /// The persistence of RBP's user, if no measure is given
    #[arg(long, default_value_t = 0.8, value_name = "P", value_parser = open_unit, conflicts_with = "measure")]
    p: f64,
    /// Write the documents for the judges, a line each: topic, 0, document; by topic and document,
    /// which tells nothing of their rank
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    /// How the plan is printed
    #[arg(long, value_parser = choice::<OutputFormat>(), default_value = OutputFormat::default().name(), value_name = "FORMAT")]
    format: OutputFormat,
    /// Decimal places [default: 4 in tables for people, all elsewhere]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=100))]
    places: Option<u8>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]))?;
    let mut warnings = Warnings::default();
    let options = QrelsOptions { lenient: args.policies.lenient, ..QrelsOptions::default() };
    let qrels = io::read_qrels(&args.policies.inputs.open(&args.qrels)?, options, &mut warnings)?;
    let rankings = super::rankings(&args.runs, &args.policies, &mut warnings)?;
    let name = args.measure.clone().unwrap_or_else(|| format!("RBP(p={})", args.p));
    let metric = crate::explain::one(&name)?;
    let plan = plan::judge(&qrels, &rankings, &metric, args.budget)?;
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    if let Some(path) = &args.output {
        let mut lines: Vec<(&str, &str)> =
            plan.documents.iter().map(|c| (c.topic.as_str(), c.document.as_str())).collect();
        lines.sort_unstable();
        output::write_atomically(path, |file| {
            lines
                .iter()
                .try_for_each(|(topic, document)| Ok(writeln!(file, "{topic} 0 {document}")?))
        })?;
    }
    let (format, places) = (args.format, args.places);
    Output { format, places, output: None, raw: false }.report(&plan)?;
    Ok(ExitCode::SUCCESS)
}
