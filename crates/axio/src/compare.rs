//! `axio compare`: which differences between runs are real.

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::compare::{self, Comparison};
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
  axio compare examples/web/qrels.txt examples/web/*.run -m AP --test tukey --format latex";

/// Compare runs: effect sizes, confidence intervals, corrected p-values, wins, ties and losses
///
/// Topics are matched by id. Those without relevant documents or with an undefined score are left out of the tests and counted.
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
    /// Which tables [default: both; pairs in CSV, TSV and JSON lines]
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
}

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
    let qrels = runs::read_qrels(&args.qrels, &metrics, &args.policies, &mut warnings)?;
    let scored = runs::score(&qrels, &metrics, &paths, &args.policies, &args.work, false, &mut warnings)?;
    let settings = args.inference.settings(baseline);
    let compared = |scored: &AllScored, warnings: &mut Warnings| compare::compare(&qrels, &metrics, &scored.systems(), &settings, warnings);
    let mut comparison = compared(&scored, &mut warnings)?;
    // Standard input is gone by now, and the order of lines in a file has no other way round.
    if let Some(ties) = runs::opposite(args.policies.ties).filter(|_| paths.iter().all(|path| path.as_os_str() != "-")) {
        let policies = Policies { ties, ..args.policies.clone() };
        let mut told = Warnings::default();
        let other = runs::score(&qrels, &metrics, &paths, &policies, &args.work, false, &mut told)?;
        compare::warn_of_ties(&mut comparison, &compared(&other, &mut told)?, &mut warnings);
    }
    let evaluation = Settings::new(&qrels, &args.policies);
    let text = match (args.output.format, args.output.format.dialect()) {
        (Format::Jsonl, _) => json_lines(args, &comparison)?,
        (_, None) => serde_json::to_string_pretty(&Document { comparison: &comparison, evaluation: &evaluation })? + "\n",
        (_, Some(dialect)) => {
            let tables = tables(args, &comparison, dialect, &evaluation);
            let rendered: Vec<String> = tables.iter().map(|table| table.render(dialect, &args.output.style())).collect();
            rendered.join("\n")
        }
    };
    if !args.work.quiet {
        output::warnings(&warnings);
    }
    args.output.write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn tables(args: &Args, compared: &Comparison, dialect: Dialect, evaluation: &Settings) -> Vec<Table> {
    if matches!(dialect, Dialect::Csv | Dialect::Tsv) {
        return vec![rows(args, compared)];
    }
    let mut tables = Vec::new();
    if args.show != Some(Show::Pairs) {
        let mut means = comparison::means(compared);
        means.footnotes.push(evaluation.to_string());
        tables.push(means);
    }
    if args.show != Some(Show::Means) {
        tables.extend(compared.measures.iter().map(|measure| comparison::pairs(compared, measure)));
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
            Some(Show::Means) => measure.systems.iter().try_for_each(|system| serde_json::to_value(system).map(|row| line(named(row))))?,
            _ => measure.pairs.iter().try_for_each(|pair| serde_json::to_value(pair).map(|row| line(named(row))))?,
        }
    }
    Ok(text)
}
