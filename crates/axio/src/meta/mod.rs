//! `axio meta`: measures measured on real runs.

mod pool;

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::choice::Choice;
use axiometrics::compare::Procedure;
use axiometrics::data::Needs;
use axiometrics::measure::{self, Metric, parse_list};
use axiometrics::meta::{self, MetaEvaluation};
use axiometrics::report::meta::{self as tables, MetaReport, MetaTable};
use axiometrics::report::plot::{self, Figure};
use axiometrics::score::{Measured, Protocol, ScoreTable, ScoredRun, ScoredRuns};
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Measures, Output, Policies, ScoreTableArgs, Work, choice};
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
  axio meta examples/web/qrels.txt examples/web/*.run -m 'AP RR' --show correlation
  axio meta examples/web/qrels.txt examples/web/*.run -m AP --pool-bias --show pool-bias";

/// Measure the measures: strictness, robustness, discriminative power, swaps, stability, agreement
///
/// All measures are seen on the same topics: those on which each of them has a score for every run.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES)))]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS", required_unless_present = "path")]
    qrels: Option<PathBuf>,
    /// The runs, three at least
    #[arg(value_name = "RUN", required_unless_present = "path")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    table: ScoreTableArgs,
    #[command(flatten)]
    measures: Measures,
    /// The measures, among those of -m, that strictness looks for low ranks by [default: all but
    /// reliability and sensitivity]
    #[arg(long, value_name = "MEASURES")]
    against: Option<String>,
    /// Leave out the runs that retrieve fewer documents than this for some judged topic, as the
    /// authors of strictness did (1000)
    #[arg(long, value_name = "N", conflicts_with = "path", value_parser = clap::value_parser!(u32).range(1..))]
    min_docs: Option<u32>,
    /// The test of discriminative power; a paired one is not corrected
    #[arg(long, value_parser = choice::<Procedure>(), default_value = Procedure::RandomisedTukey.name(), value_name = "TEST")]
    test: Procedure,
    /// The significance level of that test
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
    /// Write the agreement of the measures to this directory as heat maps, and the scores of each
    /// two as a scatter plot, in SVG and PNG
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    pool: Pool,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(table) = args.table.read(&args.measures, DEFAULT_MEASURES)? {
        return measure_table(args, &table);
    }
    let Some(judgements) = &args.qrels else { return Err(Error::usage("no judgements").into()) };
    let metrics = args.measures.parse_labelled(&args.policies.inputs)?;
    let names: Vec<String> = metrics.iter().map(Metric::to_string).collect();
    // Reliability and sensitivity are what the others judge, in the paper and here.
    let judges = |i: &usize| metrics[*i].def().family != measure::RELIABILITY_SENSITIVITY;
    let against = against(args, &names, judges)?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([judgements]))?;
    if args.show == Some(MetaTable::PoolBias) && !args.pool.pool_bias {
        return Err(Error::usage("--show pool-bias needs --pool-bias").into());
    }
    let mut warnings = Warnings::default();
    let needs = if args.pool.pool_bias { Needs::JUDGED } else { Needs::POSITIVE };
    let qrels = runs::read_qrels_for(needs, judgements, &metrics, &args.policies, &mut warnings)?;
    let mut columns = metrics.clone();
    if args.min_docs.is_some() {
        columns.push("NumRet".parse()?);
    }
    let mut batch = runs::batch(&qrels, &columns, &args.policies, &args.work)?;
    if args.pool.pool_bias {
        batch.keep = (0..args.runs.len()).collect();
    }
    let mut scored = runs::score(&batch, &args.runs, &args.policies, &args.work, &mut warnings)?;
    if let Some(least) = args.min_docs {
        leave_out_short(&mut scored, metrics.len(), least, args.work.quiet)?;
    }
    let settings = settings(args, against);
    let found = meta::evaluate(&qrels, &metrics, &scored.systems(), &settings)?;
    found.not_measured.iter().for_each(|measure| measure.warn(&mut warnings));
    let pool = args
        .pool
        .pool_bias
        .then(|| args.pool.find(&qrels, &metrics, &scored, &args.policies))
        .transpose()?;
    let report = MetaReport {
        meta: &found,
        pool_bias: pool.as_ref(),
        evaluation: Some(&Protocol::new(&qrels, &args.policies.choices())),
        warnings: warnings.list(),
        only: args.show,
    };
    if let Some(directory) = &args.plots {
        output::plots(directory, &figures(&found))?;
    }
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    args.output.report(&report)?;
    Ok(ExitCode::SUCCESS)
}

/// Leaves out the runs with too few documents for some topic; this column counts them.
fn leave_out_short(
    scored: &mut ScoredRuns,
    column: usize,
    least: u32,
    quiet: bool,
) -> axiometrics::Result<()> {
    let is_short = |run: &ScoredRun| {
        run.scores.column(column).any(|count| count.is_none_or(|count| count < f64::from(least)))
    };
    let short: Vec<String> =
        scored.runs.iter().filter(|run| is_short(run)).map(|run| run.name.clone()).collect();
    scored.runs.retain(|run| !is_short(run));
    if scored.runs.is_empty() {
        return Err(Error::usage(format!(
            "every run has fewer than {least} documents for a topic"
        ))
        .help("give a smaller --min-docs"));
    }
    if !short.is_empty() && !quiet {
        let count = short.len();
        let names = short.join(", ");
        output::note("left out", &format!("{count} with fewer than {least} documents: {names}"));
    }
    Ok(())
}

fn settings(args: &Args, against: Vec<usize>) -> meta::MetaSettings {
    meta::MetaSettings {
        test: args.test,
        alpha: args.alpha,
        resampling: args.resamples.resampling(),
        splits: args.splits as usize,
        rbo_p: args.rbo_p,
        against: Some(against),
    }
}

/// Measures the measures of a table of scores.
fn measure_table(args: &Args, table: &ScoreTable) -> anyhow::Result<ExitCode> {
    if args.pool.pool_bias {
        let message = "the bias of a pool cannot be told from scores alone";
        return Err(Error::usage(message).help("name judgements and runs").into());
    }
    let names: Vec<String> = table.measures.iter().map(Measured::name).collect();
    let settings = settings(args, against(args, &names, |_| true)?);
    let found = meta::evaluate(&table.topics, &table.measures, &table.named(), &settings)?;
    let mut warnings = Warnings::default();
    found.not_measured.iter().for_each(|measure| measure.warn(&mut warnings));
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    if let Some(directory) = &args.plots {
        output::plots(directory, &figures(&found))?;
    }
    args.output.report(&MetaReport {
        meta: &found,
        pool_bias: None,
        evaluation: None,
        warnings: warnings.list(),
        only: args.show,
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The measures that strictness is against, as places among all; unasked, those that `judge`.
fn against(
    args: &Args,
    names: &[String],
    judge: impl Fn(&usize) -> bool,
) -> axiometrics::Result<Vec<usize>> {
    let Some(text) = &args.against else {
        return Ok((0..names.len()).filter(judge).collect());
    };
    let place = |wanted: String| {
        names.iter().position(|name| *name == wanted).ok_or_else(|| {
            Error::usage(format!("--against names {wanted}, which is not among the measures"))
                .help("add it to -m")
        })
    };
    let wanted: Vec<String> = match args.table.path {
        Some(_) => text.split_whitespace().map(str::to_string).collect(),
        None => parse_list(text)?.iter().map(Metric::to_string).collect(),
    };
    wanted.into_iter().map(place).collect()
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
    let mut figures: Vec<Figure> = found.agreement.iter().map(figure).collect();
    for (at, x) in found.measures.iter().enumerate() {
        for y in &found.measures[at + 1..] {
            let axes = [x.measure.as_str(), y.measure.as_str()];
            let mut draw = |of: &str, caption: &str, x: &[f64], y: &[f64]| {
                let points: Vec<(f64, f64)> = x.iter().copied().zip(y.iter().copied()).collect();
                let name = format!("scatter {of} {} {}", axes[0], axes[1]);
                figures.push(plot::scatter(&name, caption.to_string(), axes, &points));
            };
            draw("means", "The means of the systems by two measures", &x.means, &y.means);
            draw("scores", "All outputs by two measures", &x.outputs, &y.outputs);
        }
    }
    figures
}
