//! `axio eval`: the scores of runs.

use std::io::{BufReader, Read};
use std::path::PathBuf;

use axiometrics::align::Policy;
use axiometrics::beyond;
use axiometrics::choice::Choice;
use axiometrics::compare::is_unbounded;
use axiometrics::data::preferences::Preferences;
use axiometrics::data::{Catalogue, Facet, Lengths, Needs, Qrels, Run};
use axiometrics::effort;
use axiometrics::io::{self, judgements_as_run, run_as_judgements};
use axiometrics::measure::{Aggregate, Metric};
use axiometrics::policy::{BelowEnd, Missing, Ties};
use axiometrics::report::evaluation::{Detail, EvaluationReport, Unit};
use axiometrics::score::ranges::Vary;
use axiometrics::score::{
    Evaluation, Protocol, ScoredRun, ScoredRuns, Scores, System, read_judgements, warn_of_unjudged,
};
use axiometrics::warning::{WarningKind, Warnings};
use clap::ValueEnum;

use crate::ExitCode;
use crate::args::{Measures, Output, PartedMeasures, Policies, Work, choice, elsewhere};
use crate::output;
use crate::runs;
use crate::shell;

const DEFAULT_MEASURES: &str = "nDCG@10 AP RR P@10 R@1000 RBP(p=0.8)";

const AFTER_HELP: &str = "\
Examples:
  axio eval examples/web/qrels.txt examples/web/bm25.run
  axio eval examples/web/qrels.txt examples/web/*.run -m 'nDCG@10 AP RBP(p=0.8)'
  axio eval examples/web/qrels.txt examples/web/bm25.run -m 'nDCG@10 RBP' --ranges
  axio eval examples/web/qrels.txt examples/web/bm25.run -m 'AP RR Compat' --ties average
  axio eval examples/passages/qrels.txt examples/passages/bm25.run --per-topic --format tsv -m RR@10
  axio eval examples/web/qrels.txt examples/web/*.run -m nDCG@10 --matrix --sort nDCG@10 --top 5";

/// Score runs against judgements
#[derive(Debug, clap::Args)]
#[command(
    after_help = AFTER_HELP,
    mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES)),
    arg(elsewhere("per-query", "--per-topic")),
    arg(elsewhere("by-topic", "--per-topic")),
)]
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
    /// The scores of each topic, a row per topic and a column per run; `--format matrix` is the same
    #[arg(long, conflicts_with = "per_topic")]
    matrix: bool,
    /// Sort by this measure, the highest first: the runs, or the topics of --per-topic and --matrix
    #[arg(long, value_name = "MEASURE")]
    sort: Option<String>,
    /// Show only the first rows of each table
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,
    /// How measures are named: as you asked for them, or by our own names
    #[arg(long, value_enum, default_value_t, value_name = "WHOSE")]
    names: Names,
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
    /// How far assessors agree: in place of runs there are judgements, whose grades count as the
    /// scores of a system
    #[arg(long, conflicts_with = "as_systems")]
    as_assessors: bool,
    /// How far systems agree: in place of judgements there is a run, whose scores count as the grades
    /// of an assessor
    #[arg(long)]
    as_systems: bool,
    /// The judgements are preferences: a topic, a judge, a group, a document and its level on each
    /// line, as trec_eval has them. A metric's file with an order for alpha sees who is above whom;
    /// others see the height in that order as a grade
    #[arg(long, conflicts_with = "as_systems")]
    preferences: bool,
    /// The runs are partial orders, written as preferences are: for metrics from files with a partial
    /// order for sigma
    #[arg(long, conflicts_with_all = ["as_assessors", "ranges", "weight_by"])]
    orders: bool,
    /// Means over topics that do not all weigh the same: by a measure (NumRet makes the mean of SetP
    /// a micro-average, NumRel that of SetR), or by a file with a topic and its weight on each line
    #[arg(long, value_name = "MEASURE|FILE", conflicts_with = "ideal")]
    weight_by: Option<String>,
    /// Leave out the runs that cannot be read (exit code 1) instead of stopping
    #[arg(long)]
    keep_going: bool,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    catalogue: CatalogueFiles,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

/// What is known of the items that could have been retrieved.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Beyond relevance")]
struct CatalogueFiles {
    /// The items of the catalogue, one on each line, and how often each was chosen: for Coverage@k,
    /// Gini@k and Novelty@k
    #[arg(long, value_name = "FILE")]
    catalogue: Option<PathBuf>,
    /// The features of items, an item and its numbers on each line: for ILD@k
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,
    /// The lengths of documents, on each line a document, its length and, if others repeat it, the
    /// name of the group of those that say the same: for TimeTBG (in words) and TextU (in
    /// characters)
    #[arg(long, value_name = "FILE")]
    lengths: Option<PathBuf>,
}

impl CatalogueFiles {
    fn read(&self) -> axiometrics::Result<Catalogue> {
        let mut catalogue = match &self.catalogue {
            Some(path) => io::read_catalogue(&shell::open(path)?)?,
            None => Catalogue::default(),
        };
        if let Some(path) = &self.features {
            io::read_features(&shell::open(path)?, &mut catalogue)?;
        }
        Ok(catalogue)
    }

    /// Adds the columns of the measures that look at documents.
    fn extend(
        &self,
        scored: &mut ScoredRuns,
        parted: &PartedMeasures,
        qrels: &Qrels,
        policy: &Policy,
        warnings: &mut Warnings,
    ) -> axiometrics::Result<()> {
        let catalogue = self.read()?;
        let lengths = match (&self.lengths, parted.effort.first()) {
            (Some(path), _) => io::read_lengths(&shell::open(path)?)?,
            (None, None) => Lengths::default(),
            (None, Some(metric)) => {
                let message = format!("{metric} needs the lengths of documents");
                return Err(axiometrics::Error::usage(message).help("give a file with --lengths"));
            }
        };
        for run in &mut scored.runs {
            let Some(read) = &run.run else { continue };
            if !parted.beyond.is_empty() {
                let (scores, wanted) = (&run.scores, &parted.beyond);
                run.scores = beyond::extend(scores, read, wanted, &catalogue, policy, warnings)?;
            }
            if !parted.effort.is_empty() {
                run.scores =
                    effort::extend(&run.scores, (qrels, read), &parted.effort, &lengths, policy)?;
            }
        }
        Ok(())
    }
}

/// Weighs the topics of all runs, and tells by what.
fn weigh(
    args: &Args,
    by: &str,
    qrels: &Qrels,
    scored: &mut ScoredRuns,
) -> axiometrics::Result<String> {
    if let Ok(metrics) = crate::args::metrics(by)
        && metrics.len() == 1
    {
        // A weight is no column of the table, so that it is computed apart, of runs that were kept.
        let evaluation = Evaluation::under(&args.policies.choices(), qrels, &metrics);
        for run in &mut scored.runs {
            let Some(read) = &run.run else { continue };
            let weights = evaluation.score(read, &mut Warnings::default())?;
            run.scores
                .weigh(by, |topic| Some(weights.value(weights.row_of(topic)?, 0).unwrap_or(0.0)))?;
        }
        return Ok(metrics[0].to_string());
    }
    let weights = io::read_numbers_by_name(&shell::open(by)?, "a topic and its weight")?;
    for run in &mut scored.runs {
        run.scores.weigh(by, |topic| weights.get(topic).copied())?;
    }
    Ok(by.to_string())
}

/// The scores of systems that order documents in part.
fn orders(
    evaluation: &Evaluation<'_>,
    paths: &[PathBuf],
    warnings: &mut Warnings,
) -> axiometrics::Result<ScoredRuns> {
    let mut scored = ScoredRuns::default();
    for (number, (path, name)) in paths.iter().zip(runs::unique_names(paths)).enumerate() {
        let source = shell::open(path)?;
        let system = io::preferences::read(BufReader::new(source.read()?), source.name())?;
        let scores = evaluation.orders(source.name(), &system, warnings)?;
        let (tag, size, others, run) = (None, shell::size(path), Vec::new(), None);
        scored.runs.push(ScoredRun { number, name, tag, size, scores, others, run });
    }
    Ok(scored)
}

const PREFERENCES: &str = "these look like preferences (topic, judge, group, document, level), which --preferences reads as judgements";
const ORDERS: &str = "this looks like preferences (topic, judge, group, document, level), which --orders reads as the partial order of a system";

/// Tells how preferences are read, if the file at fault holds them. (Five columns whose fourth is a
/// number are judgements with a stratum.)
fn hint(error: axiometrics::Error, how: &'static str) -> axiometrics::Error {
    let file = error.place().map(|place| PathBuf::from(&place.file));
    /// So many bytes in whole lines show what a file holds.
    const BEGINNING: u64 = 1 << 16;
    let preferences = |path: PathBuf| {
        let source = shell::open(&path).ok()?;
        let mut text = Vec::new();
        source.read().ok()?.take(BEGINNING).read_to_end(&mut text).ok()?;
        if text.len() as u64 == BEGINNING {
            text.truncate(text.iter().rposition(|byte| *byte == b'\n')?);
        }
        io::preferences::read(text.as_slice(), source.name()).ok()
    };
    let is_name = |id: &[u8]| std::str::from_utf8(id).is_ok_and(|id| id.parse::<f64>().is_err());
    let names_documents = |preferences: Preferences| {
        preferences.topics().iter().any(|topic| topic.documents().iter().any(|id| is_name(id)))
    };
    match file.filter(|path| path.is_file()).and_then(preferences).is_some_and(names_documents) {
        true => error.help(how),
        false => error,
    }
}

/// How the columns of measures are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Names {
    /// As you asked for them
    #[default]
    Asked,
    /// By their canonical names
    Canonical,
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

/// The column of a measure, by any of its spellings.
fn column(text: &str, metrics: &[Metric]) -> axiometrics::Result<usize> {
    let wanted: Metric = text.parse()?;
    metrics.iter().position(|metric| *metric == wanted).ok_or_else(|| {
        let names: Vec<String> = metrics.iter().map(Metric::title).collect();
        axiometrics::Error::usage(format!("{text} is not among the measures"))
            .help(format!("sort by one of {}", names.join(", ")))
    })
}

/// Topics have scales of their own if nothing bounds a measure.
fn warn_of_scales(metrics: &[Metric], topics: usize, warnings: &mut Warnings) {
    let averaged = |metric: &&Metric| {
        metric.aggregate() == Aggregate::Mean && metric.def().range.bounds().is_none()
    };
    for metric in metrics.iter().filter(averaged) {
        if topics > 1 && is_unbounded(metric) {
            warnings.count(WarningKind::UnboundedMean, 1, &metric.to_string());
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

/// A measure beyond relevance that cannot do what the others were asked for.
fn apart(metric: &Metric, lacks: &str) -> anyhow::Error {
    let error = axiometrics::Error::usage(format!("{metric} {lacks}"));
    error.help("ask for it in another call").into()
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let parted = args.measures.parted(&args.policies.inputs)?;
    let mut metrics = parted.metrics.clone();
    if args.names == Names::Canonical {
        metrics = metrics.into_iter().map(Metric::canonical).collect();
    }
    let sort = args.sort.as_deref().map(|text| column(text, &metrics)).transpose()?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]))?;
    check_ties(args)?;
    let mut warnings = Warnings::default();
    let needs = if args.ranges.is_some() { Needs::JUDGED } else { runs::needs(&metrics) };
    let lenient = args.policies.lenient;
    let mut judgements = args.policies.inputs.open(&args.qrels)?;
    if args.as_systems {
        judgements = run_as_judgements(&judgements, lenient)?;
    }
    if args.preferences {
        let partial = metrics.iter().any(|metric| metric.needs().facet != Facet::None);
        judgements = io::preferences_as_judgements(&judgements, partial)?;
    }
    let policies = args.policies.choices();
    let qrels = read_judgements(&judgements, &metrics, needs, &policies, &mut warnings)
        .map_err(|error| if args.preferences { error } else { hint(error, PREFERENCES) })?;
    drop(judgements);
    let mut batch = runs::batch(&qrels, &metrics, &args.policies, &args.work)?;
    batch.evaluation.ranges = args.ranges.map(|further| Vary { further, below: args.tail });
    batch.keep_going = args.keep_going;
    if args.weight_by.is_some() {
        batch.keep = (0..args.runs.len()).collect();
    }
    if let Some(first) = parted.beyond.iter().chain(&parted.effort).next() {
        batch.keep = (0..args.runs.len()).collect();
        if args.ranges.is_some() || matches!(args.policies.ties, Ties::Average | Ties::Range) {
            return Err(apart(first, "has neither ranges nor scores under ties"));
        }
        if args.ideal {
            return Err(apart(first, "has no ideal ranking"));
        }
    }
    let open = |path: &PathBuf| {
        let source = args.policies.inputs.open_run(path)?;
        if args.as_assessors { judgements_as_run(&source, lenient) } else { Ok(source) }
    };
    let mut scored = if args.orders {
        orders(&batch.evaluation, &args.runs, &mut warnings)?
    } else {
        runs::score_opened(&batch, &args.runs, &args.work, &mut warnings, open)
            .map_err(|error| hint(error, ORDERS))?
    };
    if parted.of_documents() > 0 {
        let policy = &args.policies.policy();
        args.catalogue.extend(&mut scored, &parted, &qrels, policy, &mut warnings)?;
    }
    let weights = match &args.weight_by {
        Some(by) => Some(weigh(args, by, &qrels, &mut scored)?),
        None => None,
    };
    // Ranges come with a warning of their own.
    if args.ranges.is_none() {
        warn_of_unjudged(&qrels, &scored.systems(), &mut warnings);
    }
    warn_of_scales(&metrics, qrels.len(), &mut warnings);
    let ideal = args.ideal.then(|| ideal(&qrels, &metrics, args)).transpose()?;
    let PartedMeasures { beyond, effort, .. } = parted;
    let metrics: Vec<Metric> = metrics.into_iter().chain(beyond).chain(effort).collect();
    runs::name(&mut scored, &args.policies);
    let detail = match (args.matrix, args.per_topic) {
        (true, _) => Detail::Matrix,
        (false, true) => Detail::Topics,
        (false, false) => Detail::Runs,
    };
    let mut systems = scored.systems();
    systems.extend(ideal.as_ref().map(|scores| System { name: scores.name(), scores }));
    let report = EvaluationReport {
        unit: Unit::Topic,
        qrels: &qrels,
        metrics: &metrics,
        runs: systems,
        protocol: Protocol {
            tail: args.ranges.map(|_| args.tail),
            weights,
            ..Protocol::new(&qrels, &args.policies.choices())
        },
        warnings: warnings.list(),
        detail,
        sort,
        top: args.top.map(|n| n as usize),
    };
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
        let mut notes: Vec<&str> = metrics.iter().filter_map(Metric::note).collect();
        notes.dedup();
        notes.iter().for_each(|note| output::note("note", note));
        if args.output.format.has_lines() {
            output::note("settings", &report.protocol.to_string());
            report.without_range().iter().for_each(|sentence| output::note("ranges", sentence));
        }
    }
    args.output.report(&report)?;
    Ok(if scored.left_out.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
