//! `axio meta`: measures measured on real runs.

mod pool;

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::Error;
use axiometrics::choice::Choice;
use axiometrics::compare::Procedure;
use axiometrics::data::Needs;
use axiometrics::measure::{Metric, parse_list};
use axiometrics::meta::{self, MetaEvaluation, PoolBias};
use axiometrics::report::plot::{self, Figure};
use axiometrics::report::{Dialect, Table, meta as tables};
use axiometrics::warning::Warnings;
use clap::ValueEnum;
use serde::Serialize;

use crate::args::{Format, Measures, Output, Policies, Work, choice};
use crate::eval::settings::Settings;
use crate::inference::{Resamples, open_unit};
use crate::output;
use crate::runs::{self, Besides, Scoring};
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
    #[arg(long, value_enum, value_name = "TABLE")]
    show: Option<Show>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Show {
    /// What tells the measures apart
    Measures,
    /// How far they agree on the order of systems
    Agreement,
    /// What each run or team brought into the pool; with --pool-bias
    PoolBias,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    meta: &'a MetaEvaluation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pool_bias: Option<&'a PoolBias>,
    evaluation: &'a Settings,
    warnings: Vec<axiometrics::warning::Warning>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    let against = against(args, &metrics)?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]))?;
    if args.show == Some(Show::PoolBias) && !args.pool.pool_bias {
        return Err(Error::usage("--show pool-bias needs --pool-bias").into());
    }
    let mut warnings = Warnings::default();
    let needs = if args.pool.pool_bias { Needs::JUDGED } else { Needs::POSITIVE };
    let qrels = runs::read_qrels_for(needs, &args.qrels, &metrics, &args.policies, &mut warnings)?;
    let (policies, work) = (&args.policies, &args.work);
    let scoring = Scoring { qrels: &qrels, metrics: &metrics, policies, work, keep_going: false };
    let keep = if args.pool.pool_bias { args.runs.len() } else { 0 };
    let besides = Besides { keep, ..Besides::default() };
    let scored = scoring.score(&args.runs, &besides, &mut warnings)?;
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
    let evaluation = Settings::new(&qrels, &args.policies);
    let text = match (args.output.format, args.output.format.dialect()) {
        (Format::Jsonl, _) => json_lines(args.show, &found, pool.as_ref())?,
        (_, None) => {
            let document = Document {
                meta: &found,
                pool_bias: pool.as_ref(),
                evaluation: &evaluation,
                warnings: warnings.list(),
            };
            serde_json::to_string_pretty(&document)? + "\n"
        }
        (_, Some(dialect @ (Dialect::Csv | Dialect::Tsv))) => {
            rows(args.show, &found, pool.as_ref()).render(dialect, &args.output.style())
        }
        (_, Some(dialect)) => {
            let tables = for_people(args.show, &found, pool.as_ref(), &evaluation);
            tables
                .iter()
                .map(|table| table.render(dialect, &args.output.style()))
                .collect::<Vec<_>>()
                .join("\n")
        }
    };
    if let Some(directory) = &args.plots {
        output::plots(directory, &figures(&found))?;
    }
    if !args.work.quiet {
        output::warnings(&warnings);
    }
    args.output.write(text.as_bytes())?;
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

fn for_people(
    show: Option<Show>,
    found: &MetaEvaluation,
    pool: Option<&PoolBias>,
    evaluation: &Settings,
) -> Vec<Table> {
    let wanted = |table: Show| show.is_none_or(|show| show == table);
    let mut all = Vec::new();
    if wanted(Show::Measures) {
        all.push(tables::measures(found));
    }
    if wanted(Show::Agreement) {
        all.extend(found.agreement.iter().map(|a| tables::agreement(found, a)));
    }
    if let Some(pool) = pool.filter(|_| wanted(Show::PoolBias)) {
        all.extend(
            (0..found.measures.len()).map(|measure| tables::pool_bias(pool, found, measure)),
        );
    }
    if let Some(last) = all.last_mut() {
        last.footnotes.push(evaluation.to_string());
    }
    all
}

/// One table for programs.
fn rows(show: Option<Show>, found: &MetaEvaluation, pool: Option<&PoolBias>) -> Table {
    match (show, pool) {
        (Some(Show::Agreement), _) => tables::agreement_rows(found),
        (Some(Show::PoolBias), Some(pool)) => tables::pool_bias_rows(pool),
        _ => tables::measures(found),
    }
}

fn json_lines(
    show: Option<Show>,
    found: &MetaEvaluation,
    pool: Option<&PoolBias>,
) -> serde_json::Result<String> {
    let lines: Vec<String> = match (show, pool) {
        (Some(Show::Agreement), _) => {
            found.agreement.iter().map(serde_json::to_string).collect::<serde_json::Result<_>>()?
        }
        (Some(Show::PoolBias), Some(pool)) => {
            pool.teams.iter().map(serde_json::to_string).collect::<serde_json::Result<_>>()?
        }
        _ => found.measures.iter().map(serde_json::to_string).collect::<serde_json::Result<_>>()?,
    };
    Ok(lines.join("\n") + "\n")
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
