//! `axio eval`: the scores of runs.

mod document;
mod lines;
pub(crate) mod settings;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::data::Qrels;
use axiometrics::measure::{Aggregate, Metric};
use axiometrics::policy::Ties;
use axiometrics::report::{Dialect, Separator};
use axiometrics::score::ranges::{Range, Ranger, Vary};
use axiometrics::warning::Warnings;

use crate::args::{Format, Measures, Output, Policies, Work};
use crate::output;
use crate::runs::{self, Scored};
use settings::Settings;

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

/// All that the formats have to tell.
struct Results<'a> {
    qrels: &'a Qrels,
    metrics: &'a [Metric],
    runs: &'a [Scored],
    settings: Settings,
    warnings: &'a Warnings,
    per_topic: bool,
    places: Option<u8>,
}

impl Results<'_> {
    /// A measure's own summary over the topics of a run.
    fn summary(&self, run: &Scored, column: usize) -> Option<f64> {
        run.scores.summary(&self.metrics[column], column, self.settings.undefined)
    }

    /// The range of that summary.
    fn summary_range(&self, run: &Scored, column: usize) -> Option<Range> {
        run.scores.summary_range(&self.metrics[column], column, self.settings.undefined)
    }

    /// The standard error of that summary, where it is a mean of scores some of which were sampled.
    fn standard_error(&self, run: &Scored, column: usize) -> Option<f64> {
        let mean = self.metrics[column].aggregate() == Aggregate::Mean;
        run.scores.mean_standard_error(column, self.settings.undefined).filter(|_| mean)
    }

    /// True where scores come with their ranges.
    fn has_ranges(&self) -> bool {
        self.runs.iter().any(|run| run.scores.has_ranges())
    }

    /// Why a measure has no range, where ranges were asked for.
    fn no_range(&self, column: usize) -> Option<&'static str> {
        let asked = self.has_ranges() && self.settings.ties != Ties::Range;
        asked.then(|| Ranger::new(&self.metrics[column]).refusal(self.qrels)).flatten()
    }

    /// The same for all, a sentence each.
    fn without_range(&self) -> Vec<String> {
        let sentence = |column: usize| {
            self.no_range(column).map(|why| format!("{} has no range: {why}", self.metrics[column]))
        };
        (0..self.metrics.len()).filter_map(sentence).collect()
    }
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
    let mut warnings = Warnings::default();
    check_ties(args)?;
    let policies = Policies { ranges: args.ranges, ..args.policies.clone() };
    let qrels = runs::read_qrels(&args.qrels, &metrics, &policies, &mut warnings)?;
    let scored = runs::score(
        &qrels,
        &metrics,
        &args.runs,
        &policies,
        &args.work,
        args.keep_going,
        &mut warnings,
    )?;
    let results = Results {
        qrels: &qrels,
        metrics: &metrics,
        runs: &scored.runs,
        settings: Settings::new(&qrels, &args.policies),
        warnings: &warnings,
        per_topic: args.per_topic,
        places: args.output.places,
    };
    let rendered = match args.output.format {
        // One line after the other.
        Format::Tsv | Format::Csv | Format::Jsonl => Vec::new(),
        Format::Json => document::render(&results)?,
        Format::Table => tables::render(&results, Dialect::Text, &args.output.style()),
        Format::Markdown => tables::render(&results, Dialect::Markdown, &args.output.style()),
        Format::Latex => tables::render(&results, Dialect::Latex, &args.output.style()),
    };
    if !args.work.quiet {
        output::warnings(&warnings);
        if matches!(args.output.format, Format::Tsv | Format::Csv | Format::Jsonl) {
            output::note("settings", &results.settings.to_string());
            results.without_range().iter().for_each(|sentence| output::note("ranges", sentence));
        }
    }
    args.output.stream(|out| match args.output.format {
        Format::Tsv => lines::delimited(&results, Separator::Tab, out),
        Format::Csv => lines::delimited(&results, Separator::Comma, out),
        Format::Jsonl => lines::json(&results, out),
        Format::Json | Format::Table | Format::Markdown | Format::Latex => out.write_all(&rendered),
    })?;
    Ok(if scored.left_out { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
