//! `axio risk`: what a run loses against a baseline on single topics.

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::report::risk::RiskReport;
use axiometrics::score::System;
use axiometrics::score::risk::risks;
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Measures, Output, Policies, ScoreTableArgs, Work};
use crate::{output, runs};

const DEFAULT_MEASURES: &str = "nDCG@10 AP";

/// Weigh losses against a baseline: URisk, TRisk and GeoRisk
///
/// A loss on a topic counts 1 + alpha times as much as a gain. URisk is the mean of these
/// differences; TRisk is URisk over its standard error, so that below -2 the risk is significant;
/// GeoRisk joins effectiveness and risk over all runs given. Undefined scores count as 0.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  axio risk examples/web/qrels.txt examples/web/bm25.run examples/web/dense.run -m AP",
    mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES))
)]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS", required_unless_present = "path")]
    qrels: Option<PathBuf>,
    /// The run that others are compared with, and the other runs; in a table the first system is
    /// the one that others are compared with
    #[arg(value_name = "BASELINE RUN", required_unless_present = "path", num_args = 2..)]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    table: ScoreTableArgs,
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
    if let Some(table) = args.table.read(&args.measures, DEFAULT_MEASURES)? {
        return report(args, &table.named());
    }
    let Some(judgements) = &args.qrels else { return Err(Error::usage("no judgements").into()) };
    let metrics = args.measures.parse_labelled(&args.policies.inputs)?;
    let mut warnings = Warnings::default();
    runs::refuse_repeated_stdin(args.runs.iter().chain([judgements]))?;
    let qrels = runs::read_qrels(judgements, &metrics, &args.policies, &mut warnings)?;
    let batch = runs::batch(&qrels, &metrics, &args.policies, &args.work)?;
    let scored = runs::score(&batch, &args.runs, &args.policies, &args.work, &mut warnings)?;
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    report(args, &scored.systems())
}

fn report(args: &Args, systems: &[System<'_>]) -> anyhow::Result<ExitCode> {
    args.output.report(&RiskReport {
        baseline: systems.first().map_or(String::new(), |system| system.name.to_string()),
        alpha: args.alpha,
        risks: risks(systems, args.alpha)?,
    })?;
    Ok(ExitCode::SUCCESS)
}
