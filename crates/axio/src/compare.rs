//! `axio compare`: which differences between runs are real.

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::Error;
use axiometrics::compare::{self, Comparison, JointRanges};
use axiometrics::data::{Facet, Needs};
use axiometrics::io::Source;
use axiometrics::measure::Metric;
use axiometrics::policy::Ties;
use axiometrics::report::{Dialect, Table, comparison};
use axiometrics::warning::Warnings;
use clap::ValueEnum;
use serde::Serialize;

use crate::args::{Format, Measures, Output, Policies, Work};
use crate::eval::settings::Settings;
use crate::inference::{self, Inference};
use crate::output;
use crate::runs::{self, AllScored};

const DEFAULT_MEASURES: &str = "nDCG@10 AP RR P@10 RBP(p=0.8)";

const AFTER_HELP: &str = "\
Examples:
  axio compare examples/web/qrels.txt examples/web/*.run
  axio compare examples/web/qrels.txt examples/web/*.run --baseline bm25.run -m 'nDCG@10 AP'
  axio compare examples/web/qrels.txt examples/web/*.run -m AP --test tukey --format latex
  axio compare examples/web/qrels.txt examples/web/*.run -m RBP --show joint";

/// Compare runs: effect sizes, confidence intervals, corrected p-values, wins, ties and losses
///
/// Topics are matched by id. Those without relevant documents or with an undefined score are left
/// out of the tests and counted.
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
    /// Compare every run with this one, by file or name, instead of all pairs
    #[arg(long, value_name = "RUN")]
    baseline: Option<PathBuf>,
    #[command(flatten)]
    inference: Inference,
    /// Which differences hold whatever the unjudged documents are
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    joint: JointRangesWhen,
    /// Which tables [default: all; pairs in CSV, TSV and JSON lines]
    #[arg(long, value_enum, value_name = "TABLE")]
    show: Option<Show>,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Show {
    /// The means of the systems
    Means,
    /// The differences of pairs
    Pairs,
    /// What unjudged documents could do to the differences; pairs for programs
    Joint,
}

/// Whether joint ranges are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum JointRangesWhen {
    /// Where the runs are few and not large
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

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    comparison: &'a Comparison,
    evaluation: &'a Settings,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    let (paths, baseline) = match &args.baseline {
        Some(baseline) => {
            let (paths, at) = inference::with_baseline(&args.runs, baseline);
            (paths, Some(at))
        }
        None => (args.runs.clone(), None),
    };
    runs::refuse_repeated_stdin(paths.iter().chain([&args.qrels]))?;
    let mut warnings = Warnings::default();
    let joint = joint_sources(args, &metrics, &paths)?;
    let needs = if joint.is_some() { Needs::JUDGED } else { Needs::POSITIVE };
    let qrels = runs::read_qrels_for(needs, &args.qrels, &metrics, &args.policies, &mut warnings)?;
    let scored =
        runs::score(&qrels, &metrics, &paths, &args.policies, &args.work, false, &mut warnings)?;
    let settings = args.inference.settings(baseline);
    let compared = |scored: &AllScored, warnings: &mut Warnings| {
        compare::compare(&qrels, &metrics, &scored.systems(), &settings, warnings)
    };
    let mut comparison = compared(&scored, &mut warnings)?;
    // Standard input is gone by now, and the order of lines in a file has no other way round.
    if let Some(ties) =
        args.policies.ties.opposite().filter(|_| paths.iter().all(|path| path.as_os_str() != "-"))
    {
        let policies = Policies { ties, ..args.policies.clone() };
        let mut told = Warnings::default();
        let other = runs::score(&qrels, &metrics, &paths, &policies, &args.work, false, &mut told)?;
        if other.differ(&scored, metrics.len()) {
            compare::warn_of_ties(&mut comparison, &compared(&other, &mut told)?, &mut warnings);
        }
    }
    if let Some(sources) = joint {
        let ranges =
            JointRanges::new(&qrels, args.policies.policy(), args.policies.lenient, &sources)?;
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
    let evaluation = Settings::new(&qrels, &args.policies);
    let text = match (args.output.format, args.output.format.dialect()) {
        (Format::Jsonl, _) => json_lines(args, &comparison)?,
        (_, None) => {
            serde_json::to_string_pretty(&Document {
                comparison: &comparison,
                evaluation: &evaluation,
            })? + "\n"
        }
        (_, Some(dialect)) => {
            let tables = tables(args, &comparison, dialect, &evaluation);
            if tables.is_empty() {
                return Err(Error::usage(
                    "none of these measures has a range under unjudged documents",
                )
                .into());
            }
            let rendered: Vec<String> =
                tables.iter().map(|table| table.render(dialect, &args.output.style())).collect();
            rendered.join("\n")
        }
    };
    if !args.work.quiet {
        output::warnings(&warnings);
    }
    args.output.write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The runs, to be read once more, where joint ranges are wanted and can be found.
fn joint_sources(
    args: &Args,
    metrics: &[Metric],
    paths: &[PathBuf],
) -> axiometrics::Result<Option<Vec<Source>>> {
    let refusal = if paths.iter().any(|path| path.as_os_str() == "-") {
        "standard input (-) cannot be read twice"
    } else if metrics.iter().any(|m| m.needs().facet != Facet::None) {
        "a document has more than one grade under subtopics, groups and strata"
    } else if matches!(args.policies.ties, Ties::Average | Ties::Range) {
        "they are found on one order of each ranking, not on the average or the range of several"
    } else {
        ""
    };
    let asked = args.joint == JointRangesWhen::Always || args.show == Some(Show::Joint);
    match (args.joint, refusal) {
        (JointRangesWhen::Never, _) if asked => {
            return Err(Error::usage("--show joint and --joint never exclude each other"));
        }
        (JointRangesWhen::Never, _) => return Ok(None),
        (_, why) if asked && !why.is_empty() => {
            return Err(Error::usage(format!("there are no joint ranges here: {why}")));
        }
        _ => {}
    }
    if !refusal.is_empty() {
        return Ok(None);
    }
    let sources: Vec<Source> =
        paths.iter().map(Source::open).collect::<axiometrics::Result<_>>()?;
    let bytes: u64 = sources.iter().filter_map(Source::size).sum();
    let few = paths.len() <= FEW_RUNS && bytes <= FEW_BYTES;
    Ok((few || asked).then_some(sources))
}

fn tables(
    args: &Args,
    compared: &Comparison,
    dialect: Dialect,
    evaluation: &Settings,
) -> Vec<Table> {
    if matches!(dialect, Dialect::Csv | Dialect::Tsv) {
        return vec![rows(args, compared)];
    }
    let mut tables = Vec::new();
    let wanted = |table: Show| args.show.is_none_or(|show| show == table);
    if wanted(Show::Means) {
        let mut means = comparison::means(compared);
        means.footnotes.push(evaluation.to_string());
        tables.push(means);
    }
    for measure in &compared.measures {
        tables.extend(wanted(Show::Pairs).then(|| comparison::pairs(compared, measure)));
        tables.extend(comparison::joint(measure).filter(|_| wanted(Show::Joint)));
    }
    tables
}

/// One table for programs.
fn rows(args: &Args, compared: &Comparison) -> Table {
    match args.show {
        Some(Show::Means) => comparison::mean_rows(compared),
        _ => comparison::pair_rows(compared),
    }
}

fn json_lines(args: &Args, compared: &Comparison) -> serde_json::Result<String> {
    let mut text = String::new();
    for measure in &compared.measures {
        let mut line = |row: serde_json::Value| text += &format!("{row}\n");
        let named = |row: serde_json::Value| serde_json::json!({ "measure": measure.measure, "topics": measure.topics, "row": row });
        match args.show {
            Some(Show::Means) => measure
                .systems
                .iter()
                .try_for_each(|system| serde_json::to_value(system).map(|row| line(named(row))))?,
            _ => measure
                .pairs
                .iter()
                .try_for_each(|pair| serde_json::to_value(pair).map(|row| line(named(row))))?,
        }
    }
    Ok(text)
}
