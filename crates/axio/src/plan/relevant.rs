//! `axio plan relevant`: how many relevant documents no pool reached.

use std::path::PathBuf;

use axiometrics::data::Needs;
use axiometrics::plan;
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Output, Policies, Work};
use crate::{output, runs};

/// How many relevant documents there are besides those that are known
///
/// Recall, AP and nDCG divide by R, of which a pool finds a part. Chao's estimate looks at each
/// topic: if many relevant documents were found by one run alone, there are more that no run found.
/// Zobel's looks at the ranks: how many new relevant documents deeper pools would find.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  axio plan relevant examples/web/qrels.txt examples/web/*.run --deeper 200"
)]
pub(super) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The runs that were pooled, two at least
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    runs: Vec<PathBuf>,
    /// The lowest grade that counts as relevant
    #[arg(long, default_value_t = 1.0, value_name = "GRADE")]
    rel: f64,
    /// How deep the runs were pooled [default: as far as every document of every run is judged]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pooled: Option<u32>,
    /// The depth of the pool that one might have
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    deeper: u32,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]))?;
    let mut warnings = Warnings::default();
    let qrels =
        runs::read_qrels_for(Needs::JUDGED, &args.qrels, &[], &args.policies, &mut warnings)?;
    let rankings = super::rankings(&args.runs, &args.policies, &mut warnings)?;
    let plan = plan::relevant(&qrels, &rankings, args.rel, args.pooled, args.deeper)?;
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    args.output.report(&plan)?;
    Ok(ExitCode::SUCCESS)
}
