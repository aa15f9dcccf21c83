//! `axio meta`: measures measured on real runs.

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::choice::Choice;
use axiometrics::compare::Procedure;
use axiometrics::measure::{Metric, parse_list};
use axiometrics::meta::{self, MetaEvaluation};
use axiometrics::report::{Dialect, Table, meta as tables};
use axiometrics::warning::Warnings;
use serde::Serialize;

use crate::args::{Format, Measures, Output, Policies, Work, choice};
use crate::compare::{Resamples, open_unit};
use crate::eval::settings::Settings;
use crate::output;
use crate::runs;

/// The standard measures of Amigo, Gonzalo and Verdejo's Table 8, with RBP as it was defined: over relevant or not.
const DEFAULT_MEASURES: &str = "AP DCG P@10 RR RBP(p=0.8,rel=1) RBP(p=0.95,rel=1)";

const AFTER_HELP: &str = "\
Examples:
  axio meta examples/web/qrels.txt examples/web/*.run
  axio meta examples/web/qrels.txt examples/web/*.run -m 'AP P@10 RR' --against 'AP P@10'";

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
    /// The measures, among those of -m, that strictness looks for low ranks by [default: all but reliability and sensitivity]
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
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    meta: &'a MetaEvaluation,
    evaluation: &'a Settings,
    warnings: Vec<axiometrics::warning::Warning>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    let against = against(args, &metrics)?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]))?;
    let mut warnings = Warnings::default();
    let qrels = runs::read_qrels(&args.qrels, &metrics, &args.policies, &mut warnings)?;
    let scored = runs::score(&qrels, &metrics, &args.runs, &args.policies, &args.work, false, &mut warnings)?;
    let settings = meta::Settings {
        test: args.test,
        alpha: args.alpha,
        resampling: args.resamples.resampling(),
        splits: args.splits as usize,
        rbo_p: args.rbo_p,
        against: Some(against),
    };
    let found = meta::evaluate(&qrels, &metrics, &scored.systems(), &settings)?;
    let evaluation = Settings::new(&qrels, &args.policies);
    let text = match (args.output.format, args.output.format.dialect()) {
        (Format::Jsonl, _) => {
            let lines: Vec<String> = found.measures.iter().map(serde_json::to_string).collect::<serde_json::Result<_>>()?;
            lines.join("\n") + "\n"
        }
        (_, None) => serde_json::to_string_pretty(&Document { meta: &found, evaluation: &evaluation, warnings: warnings.list() })? + "\n",
        (_, Some(dialect)) => {
            let rendered: Vec<String> =
                all_tables(&found, dialect, &evaluation).iter().map(|table| table.render(dialect, &args.output.style())).collect();
            rendered.join("\n")
        }
    };
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
        return Ok((0..metrics.len()).filter(|i| !metrics[*i].def().name.starts_with("RS_")).collect());
    };
    let place = |wanted: Metric| {
        metrics.iter().position(|m| *m == wanted).ok_or_else(|| {
            axiometrics::Error::usage(format!("--against names {wanted}, which is not among the measures")).help("add it to -m")
        })
    };
    parse_list(text)?.into_iter().map(place).collect()
}

/// Programs get the measures alone: one table per file.
fn all_tables(found: &MetaEvaluation, dialect: Dialect, evaluation: &Settings) -> Vec<Table> {
    let mut measures = tables::measures(found);
    measures.footnotes.push(evaluation.to_string());
    let mut all = vec![measures];
    if !matches!(dialect, Dialect::Csv | Dialect::Tsv) {
        all.extend(found.agreement.iter().map(|a| tables::agreement(found, a)));
    }
    all
}
