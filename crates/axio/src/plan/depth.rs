//! `axio plan depth`: how deep to judge for a given uncertainty of RBP.

use std::path::PathBuf;

use axiometrics::plan;
use axiometrics::report::plan::DepthReport;
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Output, Policies, Work};
use crate::inference::open_unit;
use crate::{output, runs};

/// How deep to judge so that documents below cannot change RBP by more than a residual
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  axio plan depth --p 0.8 --residual 0.01\n  axio plan depth --residual 0.001 examples/web/*.run"
)]
pub(super) struct Args {
    /// The runs, for what a pool of that depth costs given their real overlap
    #[arg(value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The persistence of RBP's user
    #[arg(long, default_value_t = 0.8, value_name = "P", value_parser = open_unit)]
    p: f64,
    /// The largest residual
    #[arg(long, default_value_t = 0.01, value_name = "EPS", value_parser = open_unit)]
    residual: f64,
    /// How many topics, for the cost if no runs are given
    #[arg(long, value_name = "N", conflicts_with = "runs", requires = "systems")]
    topics: Option<u64>,
    /// How many systems, for the cost if no runs are given
    #[arg(long, value_name = "N", conflicts_with = "runs", requires = "topics")]
    systems: Option<u64>,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let depth = plan::depth(args.p, args.residual)?;
    let mut warnings = Warnings::default();
    let mut most =
        args.topics.zip(args.systems).map(|(topics, systems)| topics.saturating_mul(systems));
    let mut pool = None;
    if !args.runs.is_empty() {
        runs::refuse_repeated_stdin(&args.runs)?;
        let rankings = super::rankings(&args.runs, &args.policies, &mut warnings)?;
        most = Some(rankings.topics().map(|(_, rankings)| rankings.len() as u64).sum());
        pool = Some(rankings.pool_size(depth.depth));
    }
    let most = most.map(|n: u64| n.saturating_mul(u64::from(depth.depth)));
    if !args.work.quiet {
        output::warnings(&warnings);
    }
    args.output.report(&DepthReport { depth, most, pool })?;
    Ok(ExitCode::SUCCESS)
}
