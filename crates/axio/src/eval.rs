//! `axio eval`: the scores of runs.

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::choice::Choice;
use axiometrics::compare::is_unbounded;
use axiometrics::data::{Needs, Qrels, Run};
use axiometrics::measure::{Aggregate, Metric};
use axiometrics::policy::{BelowEnd, Missing, Ties};
use axiometrics::report::evaluation::{Detail, EvaluationReport};
use axiometrics::score::ranges::Vary;
use axiometrics::score::{Evaluation, Protocol, Scores, System};
use axiometrics::warning::{Kind, Warnings};

use crate::args::{Measures, Output, Policies, Work, choice};
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
    #[arg(long, value_name = "retrieved|collection=N", value_parser = further, num_args = 0..=1, default_missing_value = "retrieved")]
    ranges: Option<u32>,
    /// What stands below the end of a ranking, for --ranges
    #[arg(long, value_parser = choice::<BelowEnd>(), default_value = BelowEnd::default().name(), value_name = "RULE")]
    tail: BelowEnd,
    /// The score of the best ranking of each topic besides: all relevant documents, by grade
    #[arg(long)]
    ideal: bool,
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

/// How many documents vary that were not retrieved.
pub(crate) fn further(text: &str) -> Result<u32, String> {
    match text.strip_prefix("collection=") {
        Some(n) => n
            .parse()
            .ok()
            .filter(|n: &u32| *n <= MOST_FURTHER)
            .ok_or_else(|| format!("expected a number of documents up to {MOST_FURTHER}")),
        None if text == "retrieved" => Ok(0),
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

/// Topics have scales of their own if nothing bounds a measure.
fn warn_of_scales(metrics: &[Metric], topics: usize, warnings: &mut Warnings) {
    let averaged = |metric: &&Metric| {
        metric.aggregate() == Aggregate::Mean && metric.def().range.bounds().is_none()
    };
    for metric in metrics.iter().filter(averaged) {
        if topics > 1 && is_unbounded(metric) {
            warnings.count(Kind::UnboundedMean, 1, &metric.to_string());
        }
    }
}

/// The scores of the best ranking there is: every relevant document, the best grade first.
fn ideal(qrels: &Qrels, metrics: &[Metric], args: &Args) -> axiometrics::Result<Scores> {
    let mut run = Run::builder().named("ideal");
    for topic in qrels.topics() {
        for (document, grade) in qrels.judgements(*topic).filter(|(_, grade)| *grade > 0.0) {
            run.push(qrels.topic_bytes(*topic), document, grade);
        }
    }
    let mut evaluation = Evaluation::under(&args.policies.choices(), qrels, metrics);
    // A topic without a relevant document has an empty ranking, and equal grades are no ties.
    evaluation.missing = Missing::Zero;
    evaluation.policy.ties = Ties::File;
    evaluation.ranges = args.ranges.map(|further| Vary { further, below: args.tail });
    evaluation.score(&run.build()?, &mut Warnings::default())
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]))?;
    check_ties(args)?;
    let mut warnings = Warnings::default();
    let needs = if args.ranges.is_some() { Needs::JUDGED } else { Needs::POSITIVE };
    let qrels = runs::read_qrels_for(needs, &args.qrels, &metrics, &args.policies, &mut warnings)?;
    let mut batch = runs::batch(&qrels, &metrics, &args.policies, &args.work);
    batch.evaluation.ranges = args.ranges.map(|further| Vary { further, below: args.tail });
    batch.keep_going = args.keep_going;
    let scored = runs::score(&batch, &args.runs, &args.work, &mut warnings)?;
    warn_of_scales(&metrics, qrels.len(), &mut warnings);
    let ideal = args.ideal.then(|| ideal(&qrels, &metrics, args)).transpose()?;
    let mut systems = scored.systems();
    systems.extend(ideal.as_ref().map(|scores| System { name: scores.name(), scores }));
    let report = EvaluationReport {
        qrels: &qrels,
        metrics: &metrics,
        runs: systems,
        protocol: Protocol {
            tail: args.ranges.map(|_| args.tail),
            ..Protocol::new(&qrels, &args.policies.choices())
        },
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
