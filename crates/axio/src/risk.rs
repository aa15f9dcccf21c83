//! `axio risk`: what a run loses against a baseline on single topics.

use std::path::PathBuf;

use axiometrics::report::risk::RiskReport;
use axiometrics::score::risk::risks;
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Measures, Output, Policies, Work};
use crate::{output, runs};

/// Weigh losses against a baseline: URisk, TRisk and GeoRisk
///
/// A loss on a topic counts 1 + alpha times as much as a gain. URisk is the mean of these
/// differences; TRisk is URisk over its standard error, so that below -2 the risk is significant;
/// GeoRisk joins effectiveness and risk over all runs given. Undefined scores count as 0.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  axio risk examples/web/qrels.txt examples/web/bm25.run examples/web/dense.run -m AP",
    mut_arg("measures", |arg| arg.default_value("nDCG@10 AP"))
)]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The run that others are compared with
    #[arg(value_name = "BASELINE")]
    baseline: PathBuf,
    /// The other runs
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// How much more a loss counts than a gain
    #[arg(long, default_value_t = 1.0, value_name = "A")]
    alpha: f64,
    #[command(flatten)]
    measures: Measures,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    let mut warnings = Warnings::default();
    let paths: Vec<PathBuf> = std::iter::once(&args.baseline).chain(&args.runs).cloned().collect();
    runs::refuse_repeated_stdin(paths.iter().chain([&args.qrels]))?;
    let qrels = runs::read_qrels(&args.qrels, &metrics, &args.policies, &mut warnings)?;
    let batch = runs::batch(&qrels, &metrics, &args.policies, &args.work);
    let scored = runs::score(&batch, &paths, &args.work, &mut warnings)?;
    let systems = scored.systems();
    let report = RiskReport {
        baseline: systems.first().map_or(String::new(), |system| system.name.to_string()),
        alpha: args.alpha,
        risks: risks(&systems, args.alpha)?,
    };
    if !args.work.quiet {
        output::warnings(&warnings);
    }
    args.output.report(&report)?;
    Ok(ExitCode::SUCCESS)
}
