//! `axio plan topics`: how many topics a difference needs.

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::measure::Metric;
use axiometrics::plan;
use axiometrics::report::plan::{MeasurePlan, TopicsReport};
use axiometrics::score::{CommonTopics, UsableMeasures, usable_measures};
use axiometrics::stats::PairedDesign;
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Measures, Output, Policies, Work, positive};
use crate::inference::open_unit;
use crate::{output, runs};

const AFTER_HELP: &str = "\
Examples:
  axio plan topics --delta 0.02 --power 0.8 --sd 0.1
  axio plan topics --delta 0.02 -m AP examples/web/qrels.txt examples/web/*.run";

/// How many topics a two-sided paired t-test needs to find a difference
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_arg("measures", |arg| arg.default_value("nDCG@10 AP P@10 RBP(p=0.8)")))]
pub(super) struct Args {
    /// The judgements, to take the standard deviation from runs
    #[arg(value_name = "QRELS", requires = "runs")]
    qrels: Option<PathBuf>,
    /// The runs, two at least
    #[arg(value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// The difference of means to be found
    #[arg(long, value_name = "D", value_parser = positive)]
    delta: f64,
    /// The chance of finding it
    #[arg(long, default_value_t = 0.8, value_name = "POWER", value_parser = open_unit)]
    power: f64,
    /// The standard deviation of the differences over topics
    #[arg(long, value_name = "SD", conflicts_with = "runs", required_unless_present = "qrels")]
    sd: Option<f64>,
    /// The level of the test
    #[arg(long, default_value_t = 0.05, value_name = "ALPHA", value_parser = open_unit)]
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

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut warnings = Warnings::default();
    let deviations: Vec<(Option<String>, f64)> = match (&args.qrels, args.sd) {
        (Some(qrels), _) => measured(args, qrels, &mut warnings)?,
        (None, Some(sd)) => vec![(None, sd)],
        (None, None) => return Err(Error::usage("neither --sd nor runs were given").into()),
    };
    let plan = |(measure, standard_deviation): (Option<String>, f64)| {
        let design = PairedDesign { difference: args.delta, standard_deviation, alpha: args.alpha };
        Ok(MeasurePlan { measure, plan: plan::topics(design, args.power)? })
    };
    let plans = deviations.into_iter().map(plan).collect::<axiometrics::Result<Vec<_>>>()?;
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    args.output.report(&TopicsReport { plans })?;
    Ok(ExitCode::SUCCESS)
}

/// The standard deviation by each measure, from runs.
fn measured(
    args: &Args,
    path: &PathBuf,
    warnings: &mut Warnings,
) -> anyhow::Result<Vec<(Option<String>, f64)>> {
    let metrics = args.measures.parse_labelled(&args.policies.inputs)?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([path]))?;
    let qrels = runs::read_qrels(path, &metrics, &args.policies, warnings)?;
    let batch = runs::batch(&qrels, &metrics, &args.policies, &args.work)?;
    let scored = runs::score(&batch, &args.runs, &args.policies, &args.work, warnings)?;
    let systems = scored.systems();
    let UsableMeasures { usable, left_out } = usable_measures(&qrels, &metrics, &systems)?;
    left_out.iter().for_each(|measure| measure.warn(warnings));
    let deviation = |(column, metric): (usize, &Metric)| {
        let scores = CommonTopics::of_measure(&qrels, column, metric, &systems)?.matrix(column)?;
        Ok((Some(metric.to_string()), plan::difference_deviation(&scores)?))
    };
    Ok(usable.into_iter().map(deviation).collect::<axiometrics::Result<_>>()?)
}
