//! `axio meta`: measures measured on real runs.

mod pool;

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::choice::Choice;
use axiometrics::compare::Procedure;
use axiometrics::data::Needs;
use axiometrics::measure::{Metric, parse_list};
use axiometrics::meta::{self, MetaEvaluation};
use axiometrics::report::meta::{self as tables, MetaReport, MetaTable};
use axiometrics::report::plot::{self, Figure};
use axiometrics::score::Protocol;
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Measures, Output, Policies, Work, choice};
use crate::inference::{Resamples, open_unit};
use crate::{output, runs};
use pool::Pool;

/// The standard measures of Amigo, Gonzalo and Verdejo's Table 8, with RBP as it was defined: over
/// relevant or not.
const DEFAULT_MEASURES: &str = "AP DCG P@10 RR RBP(p=0.8,rel=1) RBP(p=0.95,rel=1)";

const AFTER_HELP: &str = "\
Examples:
  axio meta examples/web/qrels.txt examples/web/*.run
  axio meta examples/web/qrels.txt examples/web/*.run -m 'AP P@10 RR' --against 'AP P@10'
  axio meta examples/web/qrels.txt examples/web/*.run --show agreement --plots target/agreement
  axio meta examples/web/qrels.txt examples/web/*.run -m AP --pool-bias --show pool-bias";

/// Measure the measures: strictness, robustness, discriminative power, swaps, stability, agreement
///
/// All measures are seen on the same topics: those on which each of them has a score for every run.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES)))]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The runs, three at least
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    measures: Measures,
    /// The measures, among those of -m, that strictness looks for low ranks by [default: all but
    /// reliability and sensitivity]
    #[arg(long, value_name = "MEASURES")]
    against: Option<String>,
    /// The test of discriminative power; a paired one is not corrected
    #[arg(long, value_parser = choice::<Procedure>(), default_value = Procedure::RandomisedTukey.name(), value_name = "TEST")]
    test: Procedure,
    /// Its level
    #[arg(long, default_value_t = 0.05, value_name = "ALPHA", value_parser = open_unit)]
    alpha: f64,
    /// How often topics are split into halves
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    splits: u32,
    /// The p of rank-biased overlap
    #[arg(long, default_value_t = 0.9, value_name = "P", value_parser = open_unit)]
    rbo_p: f64,
    #[command(flatten)]
    resamples: Resamples,
    /// Which tables [default: all; measures in CSV, TSV and JSON lines]
    #[arg(long, value_parser = choice::<MetaTable>(), value_name = "TABLE")]
    show: Option<MetaTable>,
    /// Write the agreement of the measures to this directory as heat maps, in SVG and PNG
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    #[command(flatten)]
    pool: Pool,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    let against = against(args, &metrics)?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]))?;
    if args.show == Some(MetaTable::PoolBias) && !args.pool.pool_bias {
        return Err(Error::usage("--show pool-bias needs --pool-bias").into());
    }
    let mut warnings = Warnings::default();
    let needs = if args.pool.pool_bias { Needs::JUDGED } else { Needs::POSITIVE };
    let qrels = runs::read_qrels_for(needs, &args.qrels, &metrics, &args.policies, &mut warnings)?;
    let mut batch = runs::batch(&qrels, &metrics, &args.policies, &args.work);
    if args.pool.pool_bias {
        batch.keep = (0..args.runs.len()).collect();
    }
    let scored = runs::score(&batch, &args.runs, &args.work, &mut warnings)?;
    let settings = meta::Settings {
        test: args.test,
        alpha: args.alpha,
        resampling: args.resamples.resampling(),
        splits: args.splits as usize,
        rbo_p: args.rbo_p,
        against: Some(against),
    };
    let found = meta::evaluate(&qrels, &metrics, &scored.systems(), &settings)?;
    let pool = args
        .pool
        .pool_bias
        .then(|| args.pool.find(&qrels, &metrics, &scored, &args.policies))
        .transpose()?;
    let report = MetaReport {
        meta: &found,
        pool_bias: pool.as_ref(),
        evaluation: &Protocol::new(&qrels, &args.policies.choices()),
        warnings: warnings.list(),
        only: args.show,
    };
    if let Some(directory) = &args.plots {
        output::plots(directory, &figures(&found))?;
    }
    if !args.work.quiet {
        output::warnings(&warnings);
    }
    args.output.report(&report)?;
    Ok(ExitCode::SUCCESS)
}

/// The measures that strictness is against, as places among all.
fn against(args: &Args, metrics: &[Metric]) -> axiometrics::Result<Vec<usize>> {
    let Some(text) = &args.against else {
        // Reliability and sensitivity are what the others judge, in the paper and here.
        return Ok((0..metrics.len())
            .filter(|i| !metrics[*i].def().name.starts_with("RS_"))
            .collect());
    };
    let place = |wanted: Metric| {
        metrics.iter().position(|m| *m == wanted).ok_or_else(|| {
            axiometrics::Error::usage(format!(
                "--against names {wanted}, which is not among the measures"
            ))
            .help("add it to -m")
        })
    };
    parse_list(text)?.into_iter().map(place).collect()
}

/// A heat map for each coefficient of agreement.
fn figures(found: &MetaEvaluation) -> Vec<Figure> {
    let names: Vec<String> = found.measures.iter().map(|m| m.measure.clone()).collect();
    let figure = |agreement: &meta::Agreement| {
        let caption = tables::agreement(found, agreement).caption.unwrap_or_default();
        plot::agreement(
            &format!("agreement {}", agreement.name),
            caption,
            &agreement.coefficient,
            &names,
            &agreement.matrix,
        )
    };
    found.agreement.iter().map(figure).collect()
}
