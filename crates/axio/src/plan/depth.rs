//! `axio plan depth`: how deep to judge for a given uncertainty of a score.

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::measure::Metric;
use axiometrics::plan::{self, Rankings};
use axiometrics::report::plan::{DepthReport, MeasureDepth};
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Output, Policies, Work};
use crate::inference::open_unit;
use crate::{output, runs};

/// How deep to judge so that documents below cannot change a score by more than a residual
///
/// For measures that are a weighted precision (RBP, INSQ, INST, CWL, SDCG@k, P@k), and others whose
/// score does not depend on what nobody retrieved. With --budget, what can be known for a number of
/// judgements.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  axio plan depth --p 0.8 --residual 0.01\n  axio plan depth --residual 0.001 examples/web/*.run\n  axio plan depth -m 'RBP(p=0.8) INSQ INST SDCG@20 P@10' --residual 0.05 examples/web/*.run\n  axio plan depth -m 'RBP(p=0.8) INSQ' --budget 500 examples/web/*.run"
)]
pub(super) struct Args {
    /// The runs, for what a pool of that depth costs given their real overlap
    #[arg(value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The measures; may be repeated [default: RBP]
    #[arg(short, long, value_name = "MEASURES")]
    measures: Vec<String>,
    /// The persistence of RBP's user, if no measures are given
    #[arg(long, default_value_t = 0.8, value_name = "P", value_parser = open_unit, conflicts_with = "measures")]
    p: f64,
    /// So many documents can be judged: how deep is that, and what is known then
    #[arg(long, value_name = "N", conflicts_with = "residual")]
    budget: Option<usize>,
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
    let metrics = match args.measures.join(" ") {
        none if none.trim().is_empty() => crate::args::metrics(&format!("RBP(p={})", args.p))?,
        some => crate::args::metrics(&some)?,
    };
    let mut warnings = Warnings::default();
    let mut most =
        args.topics.zip(args.systems).map(|(topics, systems)| topics.saturating_mul(systems));
    let mut rankings = None;
    if !args.runs.is_empty() {
        runs::refuse_repeated_stdin(&args.runs)?;
        let all = super::rankings(&args.runs, &args.policies, &mut warnings)?;
        most = Some(all.topics().map(|(_, rankings)| rankings.len() as u64).sum());
        rankings = Some(all);
    }
    let affordable = args.budget.map(|budget| affordable(budget, rankings.as_ref(), most));
    let affordable = affordable.transpose()?;
    let plan = |metric: &Metric| {
        let depth = match affordable {
            Some(depth) => plan::at(metric, depth)?,
            None => plan::depth(metric, args.residual)?,
        };
        Ok(MeasureDepth {
            most: most.map(|n: u64| n.saturating_mul(u64::from(depth.depth))),
            pool: rankings.as_ref().map(|rankings| rankings.pool_size(depth.depth)),
            depth,
        })
    };
    let plans = metrics.iter().map(plan).collect::<axiometrics::Result<_>>()?;
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    args.output.report(&DepthReport { plans })?;
    Ok(ExitCode::SUCCESS)
}

/// The depth of which the pool costs no more than a budget.
fn affordable(
    budget: usize,
    rankings: Option<&Rankings>,
    rankings_in_all: Option<u64>,
) -> axiometrics::Result<u32> {
    let depth = match (rankings, rankings_in_all) {
        (Some(rankings), _) => rankings.affordable(budget),
        (None, Some(all)) => (budget as u64 / all.max(1)).min(DEEPEST) as u32,
        (None, None) => {
            return Err(Error::usage("a budget is shared by rankings, and none are given")
                .help("name runs, or give --topics and --systems"));
        }
    };
    if depth == 0 {
        let error = format!("{budget} judgements do not reach rank 1 of every ranking");
        return Err(Error::usage(error).help("plan judge chooses documents for any budget"));
    }
    Ok(depth)
}

/// No ranking is judged deeper.
const DEEPEST: u64 = 1_000_000;
