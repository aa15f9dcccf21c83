//! `axio compare`: which differences between runs are real.

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::choice::Choice;
use axiometrics::compare::{self, JointRanges, Values};
use axiometrics::data::{Facet, Run};
use axiometrics::measure::Metric;
use axiometrics::policy::Ties;
use axiometrics::report::comparison::{ComparisonReport, ComparisonTable, Notes};
use axiometrics::report::{OutputFormat, Report};
use axiometrics::score::{Evaluation, Protocol, ScoreTable, warn_of_unjudged};
use axiometrics::warning::Warnings;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::ExitCode;
use crate::args::{Measures, Output, Policies, ScoreTableArgs, Work, choice};
use crate::inference::{self, Inference};
use crate::output;
use crate::runs;
use crate::shell;

const DEFAULT_MEASURES: &str = "nDCG@10 AP RR P@10 RBP(p=0.8)";

const AFTER_HELP: &str = "\
Examples:
  axio compare examples/web/qrels.txt examples/web/*.run
  axio compare examples/web/qrels.txt examples/web/*.run --baseline bm25.run -m 'nDCG@10 AP'
  axio compare examples/web/qrels.txt examples/web/*.run -m AP --test tukey --format latex
  axio compare examples/web/qrels.txt examples/web/*.run -m RBP --show joint
  axio compare examples/web/qrels.txt examples/web/*.run -m 'AP P@10' --on-ranks --show changes
  axio compare --table examples/clusterings/scores.tsv -m bcubed_f";

/// Compare runs: means with intervals, ranks and letters; differences with p-values and effect sizes
///
/// Topics are matched by id. Those without relevant documents or with an undefined score are left
/// out of the tests and counted.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES)))]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS", required_unless_present = "path")]
    qrels: Option<PathBuf>,
    /// The runs
    #[arg(value_name = "RUN", required_unless_present = "path")]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    table: ScoreTableArgs,
    #[command(flatten)]
    measures: Measures,
    /// Compare every run with this one, by file or name, instead of all pairs
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    /// Which differences hold whatever the unjudged documents are
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    joint: JointRangesWhen,
    /// Compare once more with ranks instead of scores, and say what changes
    #[arg(long, value_parser = ranks(), num_args = 0..=1, default_missing_value = Values::PooledRanks.name(), value_name = "RANKS")]
    on_ranks: Option<Values>,
    /// Which tables [default: all, without the pairs of more than 12 systems; means in LaTeX; pairs
    /// in CSV, TSV and JSON lines]
    #[arg(long, value_parser = choice::<ComparisonTable>(), value_name = "TABLE")]
    show: Option<ComparisonTable>,
    /// Whether notes stand below the tables
    #[arg(long, value_parser = choice::<Notes>(), default_value = Notes::default().name(), value_name = "WHEN")]
    notes: Notes,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    inference: Inference,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

/// The ranks that may take the place of scores.
fn ranks() -> impl TypedValueParser<Value = Values> {
    let offered = [Values::PooledRanks, Values::TopicRanks]
        .map(|values| PossibleValue::new(values.name()).help(values.meaning()));
    PossibleValuesParser::new(offered).try_map(|name| Values::from_name(&name))
}

/// Whether joint ranges are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum JointRangesWhen {
    /// If the runs are few and not large
    #[default]
    Auto,
    /// However much memory it takes
    Always,
    /// Never
    Never,
}

/// At most so many runs, of so many bytes together, have joint ranges unasked: all their documents
/// are held in memory.
const FEW_RUNS: usize = 12;
const FEW_BYTES: u64 = 64 << 20;
/// The shortest lines of a run have about so many bytes.
const LINE: u64 = 16;

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(table) = args.table.read(&args.measures, DEFAULT_MEASURES)? {
        return compare_table(args, &table);
    }
    let Some(judgements) = &args.qrels else { return Err(Error::usage("no judgements").into()) };
    let metrics = args.measures.parse_labelled(&args.policies.inputs)?;
    if args.show == Some(ComparisonTable::Changes) && args.on_ranks.is_none() {
        return Err(Error::usage("--show changes needs --on-ranks").into());
    }
    let (paths, baseline) = match &args.baseline {
        Some(baseline) => {
            let (paths, at) = inference::with_baseline(&args.runs, baseline);
            (paths, Some(at))
        }
        None => (args.runs.clone(), None),
    };
    runs::refuse_repeated_stdin(paths.iter().chain([judgements]))?;
    let mut warnings = Warnings::default();
    let joint = wants_joint(args, &metrics, &paths)?;
    let needs = runs::needs(&metrics);
    let qrels = runs::read_qrels_for(needs, judgements, &metrics, &args.policies, &mut warnings)?;
    let (policies, work) = (&args.policies, &args.work);
    let mut batch = runs::batch(&qrels, &metrics, policies, work)?;
    if joint {
        batch.keep = (0..paths.len()).collect();
    }
    if let Some(ties) = policies.ties.opposite() {
        let reversed = Policies { ties, ..policies.clone() };
        batch.others.push(Evaluation::under(&reversed.choices(), &qrels, &metrics));
    }
    let scored = runs::score(&batch, &paths, policies, work, &mut warnings)?;
    warn_of_unjudged(&qrels, &scored.systems(), &mut warnings);
    let settings = args.inference.settings(baseline, args.policies.undefined);
    let mut comparison =
        compare::compare(&qrels, &metrics, &scored.systems(), &settings, &mut warnings)?;
    if !batch.others.is_empty() && scored.differ(0, metrics.len()) {
        let mut told = Warnings::default();
        let systems = scored.other_systems(0);
        let other = compare::compare(&qrels, &metrics, &systems, &settings, &mut told)?;
        compare::warn_of_ties(&mut comparison, &other, &mut warnings);
    }
    let kept = scored.kept();
    if joint && (few_documents(&kept) || asks_joint(args)) {
        let ranges = JointRanges::new(&qrels, policies.policy(), &kept)?;
        let all: Vec<usize> = (0..paths.len()).collect();
        compare::add_joint(
            &mut comparison,
            &qrels,
            &metrics,
            &scored.systems(),
            (&ranges, &all),
            &mut warnings,
        )?;
    }
    let changes = match args.on_ranks {
        Some(values) => {
            let settings = compare::ComparisonSettings { values, ..settings.clone() };
            let told = &mut Warnings::default();
            let other = compare::compare(&qrels, &metrics, &scored.systems(), &settings, told)?;
            Some(compare::changes(&comparison, &other)?)
        }
        None => None,
    };
    let report = ComparisonReport {
        comparison: &comparison,
        changes: changes.as_ref(),
        evaluation: Some(&Protocol::new(&qrels, &args.policies.choices())),
        only: args.show,
        notes: args.notes,
    };
    let style = args.output.style();
    if args.output.format.is_for_people() && report.tables(&style).is_empty() {
        let why: Vec<String> = report.without_joint_ranges().collect();
        return Err(Error::usage(why.join("; ")).into());
    }
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
        // Rows have no notes, and a table to submit has none unasked.
        if args.output.format.has_lines() || args.output.format == OutputFormat::Latex {
            report.without_joint_ranges().for_each(|sentence| output::note("ranges", &sentence));
        }
    }
    args.output.report(&report)?;
    Ok(ExitCode::SUCCESS)
}

/// Compares the systems of a table of scores.
fn compare_table(args: &Args, table: &ScoreTable) -> anyhow::Result<ExitCode> {
    let systems = table.named();
    let place = |name: &PathBuf| {
        let found = systems.iter().position(|system| name.as_os_str() == system.name);
        found.ok_or_else(|| {
            let known: Vec<&str> = systems.iter().map(|system| system.name).collect();
            Error::usage(format!("the table has no system {}", name.display()))
                .help(format!("its systems are {}", known.join(", ")))
        })
    };
    let baseline = args.baseline.as_ref().map(place).transpose()?;
    let settings = args.inference.settings(baseline, args.policies.undefined);
    let mut warnings = Warnings::default();
    let compared = |settings: &compare::ComparisonSettings, warnings: &mut Warnings| {
        compare::compare(&table.topics, &table.measures, &systems, settings, warnings)
    };
    let comparison = compared(&settings, &mut warnings)?;
    let changes = match args.on_ranks {
        Some(values) => {
            let on_ranks = compare::ComparisonSettings { values, ..settings.clone() };
            Some(compare::changes(&comparison, &compared(&on_ranks, &mut Warnings::default())?)?)
        }
        None => None,
    };
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    args.output.report(&ComparisonReport {
        comparison: &comparison,
        changes: changes.as_ref(),
        evaluation: None,
        only: args.show,
        notes: args.notes,
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Whether joint ranges were asked for, not only allowed.
fn asks_joint(args: &Args) -> bool {
    args.joint == JointRangesWhen::Always || args.show == Some(ComparisonTable::Joint)
}

/// Whether joint ranges are wanted and can be found, as far as is known before the runs are read.
fn wants_joint(args: &Args, metrics: &[Metric], paths: &[PathBuf]) -> axiometrics::Result<bool> {
    let refusal = if metrics.iter().any(|m| m.needs().facet != Facet::None) {
        "a document has more than one grade under subtopics, groups and strata"
    } else if matches!(args.policies.ties, Ties::Average | Ties::Range) {
        "they are found on one order of each ranking, not on the average or the range of several"
    } else {
        ""
    };
    let asked = asks_joint(args);
    match (args.joint, refusal) {
        (JointRangesWhen::Never, _) if asked => {
            return Err(Error::usage("--show joint and --joint never exclude each other"));
        }
        (JointRangesWhen::Never, _) => return Ok(false),
        (_, why) if asked && !why.is_empty() => {
            return Err(Error::usage(format!("there are no joint ranges here: {why}")));
        }
        _ => {}
    }
    // A missing file is told when it is read, and what comes through a pipe is counted then.
    let size = |path: &PathBuf| shell::size(path);
    let few = paths.len() <= FEW_RUNS && paths.iter().map(size).sum::<u64>() <= FEW_BYTES;
    Ok(refusal.is_empty() && (few || asked))
}

/// Whether the runs turned out not to be large.
fn few_documents(runs: &[&Run]) -> bool {
    runs.iter().map(|run| run.len() as u64).sum::<u64>() * LINE <= FEW_BYTES
}
