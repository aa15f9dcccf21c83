//! `axio eval`: the scores of runs.

use std::path::PathBuf;

use axiometrics::data::Needs;
use axiometrics::policy::Ties;
use axiometrics::report::evaluation::{Detail, EvaluationReport};
use axiometrics::score::Protocol;
use axiometrics::score::ranges::Vary;
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Measures, Output, Policies, Work};
use crate::output;
use crate::runs;

const DEFAULT_MEASURES: &str = "nDCG@10 AP RR P@10 R@1000 RBP(p=0.8)";

const AFTER_HELP: &str = "\
Examples:
  axio eval examples/web/qrels.txt examples/web/bm25.run
  axio eval examples/web/qrels.txt examples/web/*.run -m 'nDCG@10 AP RBP(p=0.8)'
  axio eval examples/web/qrels.txt examples/web/bm25.run -m 'nDCG@10 RBP' --ranges
  axio eval examples/web/qrels.txt examples/web/bm25.run -m 'AP RR Compat' --ties average
  axio eval examples/passages/qrels.txt examples/passages/bm25.run --per-topic --format tsv -m RR@10";

/// Score runs against judgements
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES)))]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The runs
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    measures: Measures,
    /// The scores of each topic, besides the summary
    #[arg(long)]
    per_topic: bool,
    /// The lowest and the highest score that any judgement of the unjudged documents could give: of
    /// those retrieved, or of N more in the collection too
    #[arg(long, value_name = "retrieved|collection=N", value_parser = vary, num_args = 0..=1, default_missing_value = "retrieved")]
    ranges: Option<Vary>,
    /// Leave out the runs that cannot be read (exit code 1) instead of stopping
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

/// Which documents vary.
fn vary(text: &str) -> Result<Vary, String> {
    match text.strip_prefix("collection=") {
        Some(n) => n
            .parse()
            .ok()
            .filter(|n| *n <= MOST_FURTHER)
            .map(Vary::Collection)
            .ok_or_else(|| format!("expected a number of documents up to {MOST_FURTHER}")),
        None if text == "retrieved" => Ok(Vary::Retrieved),
        None => Err("expected retrieved or collection=N".to_string()),
    }
}

/// More documents than any collection has would only take memory.
const MOST_FURTHER: u32 = 100_000_000;

/// A score has one range.
fn check_ties(args: &Args) -> axiometrics::Result<()> {
    if args.policies.ties == Ties::Range && args.ranges.is_some() {
        return Err(axiometrics::Error::usage(
            "--ranges and --ties range both ask for the low and high of a score",
        )
        .help("ask for them in two calls"));
    }
    Ok(())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]))?;
    check_ties(args)?;
    let mut warnings = Warnings::default();
    let needs = if args.ranges.is_some() { Needs::JUDGED } else { Needs::POSITIVE };
    let qrels = runs::read_qrels_for(needs, &args.qrels, &metrics, &args.policies, &mut warnings)?;
    let mut batch = runs::batch(&qrels, &metrics, &args.policies, &args.work);
    batch.evaluation.ranges = args.ranges;
    batch.keep_going = args.keep_going;
    let scored = runs::score(&batch, &args.runs, &args.work, &mut warnings)?;
    let report = EvaluationReport {
        qrels: &qrels,
        metrics: &metrics,
        runs: scored.systems(),
        protocol: Protocol::new(&qrels, &args.policies.choices()),
        warnings: warnings.list(),
        detail: if args.per_topic { Detail::Topics } else { Detail::Runs },
        sort: None,
        top: None,
    };
    if !args.work.quiet {
        output::warnings(&warnings);
        if args.output.format.has_lines() {
            output::note("settings", &report.protocol.to_string());
            report.without_range().iter().for_each(|sentence| output::note("ranges", sentence));
        }
    }
    args.output.report(&report)?;
    Ok(if scored.left_out.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
