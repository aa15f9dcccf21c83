//! `axio standardize`: scores freed of their topics' difficulty.

use std::path::PathBuf;
use std::process::ExitCode;

use axiometrics::io::{write_atomically, zscores};
use axiometrics::report::{Cell, Column, Table};
use axiometrics::score::standardize::{Reference, References};
use axiometrics::warning::Warnings;
use axiometrics::{Error, measure};
use clap::ValueEnum;
use serde_json::{Map, Value, json};

use crate::args::{Format, Measures, Output, Policies, Work};
use crate::{output, runs};

/// Standardise scores by what all the runs get on each topic
///
/// A score becomes its distance from the mean of the runs on the same topic, in standard deviations
/// (z), or the share of a normal distribution below it (normal). Undefined scores count as 0; where
/// all runs get the same score, it is 0 (or a half).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  axio standardize examples/web/qrels.txt examples/web/*.run -m 'nDCG@10 AP'",
    mut_arg("measures", |arg| arg.default_value("nDCG@10 AP"))
)]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The runs, which are each other's reference
    #[arg(value_name = "RUN", required = true, num_args = 2..)]
    runs: Vec<PathBuf>,
    /// What a score becomes
    #[arg(long, value_enum, default_value_t)]
    form: Form,
    /// Also write means and standard deviations to a file that `axio trec_eval -Z` reads
    #[arg(long, value_name = "FILE")]
    zscores: Option<PathBuf>,
    #[command(flatten)]
    measures: Measures,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

/// What a score becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Form {
    /// Standard deviations from the mean
    #[default]
    Z,
    /// The share of a normal distribution below it, from 0 to 1
    Normal,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    let mut warnings = Warnings::default();
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels]))?;
    let qrels = runs::read_qrels(&args.qrels, &metrics, &args.policies, &mut warnings)?;
    let scored = runs::score(
        &qrels,
        &metrics,
        &args.runs,
        &args.policies,
        &args.work,
        false,
        &mut warnings,
    )?;
    let topics = scored.runs.first().map(|r| r.scores.topics().clone()).unwrap_or_default();
    if scored.runs.iter().any(|r| *r.scores.topics() != topics) {
        return Err(Error::usage("the runs have different topics")
            .help("--missing zero scores a missing topic as an empty ranking")
            .into());
    }
    let mut references = References::default();
    let mut means = vec![Vec::new(); scored.runs.len()];
    for (column, metric) in metrics.iter().enumerate() {
        let scores: Vec<Vec<f64>> = scored
            .runs
            .iter()
            .map(|r| r.scores.column(column).map(|x| x.unwrap_or(0.0)).collect())
            .collect();
        let mut sums = vec![(0.0, 0u32); scored.runs.len()];
        for (row, topic) in topics.iter().enumerate() {
            let all: Vec<f64> = scores.iter().map(|s| s[row]).collect();
            let Some(reference) = Reference::of(&all) else { continue };
            references.insert(topic, &name(metric), reference);
            for (x, (sum, n)) in all.iter().zip(&mut sums) {
                let standard =
                    if args.form == Form::Z { reference.z(*x) } else { reference.normal(*x) };
                if let Some(z) = standard {
                    *sum += z;
                    *n += 1;
                }
            }
        }
        for (means, (sum, n)) in means.iter_mut().zip(sums) {
            means.push((n > 0).then(|| sum / f64::from(n)));
        }
    }
    if !args.work.quiet {
        output::warnings(&warnings);
    }
    if let Some(path) = &args.zscores {
        let file = path.display().to_string();
        let mut text = Vec::new();
        zscores::write(&references, &mut text, &file)?;
        write_atomically(path, |out| Ok(out.write_all(&text)?))?;
    }
    let names: Vec<String> = metrics.iter().map(ToString::to_string).collect();
    let runs: Vec<(&str, Vec<Option<f64>>)> =
        scored.runs.iter().map(|r| r.name.as_str()).zip(means).collect();
    args.output.write(render(args, &names, &runs)?.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// trec_eval's name of a measure where it has one, since the file is for its `-Z`.
fn name(metric: &measure::Metric) -> String {
    let spellings = metric.def().aliases.iter().map(|a| a.spelling);
    let cut = metric.args().cutoff();
    let candidates =
        spellings.flat_map(|s| [s.to_string(), cut.map_or(String::new(), |k| format!("{s}_{k}"))]);
    let same = |text: &String| {
        text.parse::<measure::Metric>().is_ok_and(|m| m == *metric)
            && text.contains(|c: char| c.is_ascii_lowercase())
    };
    candidates.filter(same).find(|t| !t.is_empty()).unwrap_or_else(|| metric.to_string())
}

fn render(
    args: &Args,
    names: &[String],
    runs: &[(&str, Vec<Option<f64>>)],
) -> anyhow::Result<String> {
    let object = |(run, means): &(&str, Vec<Option<f64>>)| {
        let scores: Map<String, Value> =
            names.iter().cloned().zip(means.iter().map(|m| json!(m))).collect();
        json!({"run": run, "scores": scores})
    };
    let Some(dialect) = args.output.format.dialect() else {
        return Ok(match args.output.format {
            Format::Jsonl => runs.iter().map(|r| object(r).to_string() + "\n").collect(),
            _ => {
                serde_json::to_string_pretty(
                    &json!({"runs": runs.iter().map(object).collect::<Vec<_>>()}),
                )? + "\n"
            }
        });
    };
    let mut table = Table::new(
        std::iter::once(Column::text("run")).chain(names.iter().map(Column::number)).collect(),
    );
    for (run, means) in runs {
        table.push(
            std::iter::once(Cell::text(*run))
                .chain(means.iter().map(|m| Cell::number(*m)))
                .collect(),
        );
    }
    for column in 1..table.columns.len() {
        table.mark_highest(column);
    }
    let form = if args.form == Form::Z {
        "standard deviations from the mean of the runs"
    } else {
        "shares of a normal distribution"
    };
    table.footnotes.push(format!("means over topics, in {form}"));
    Ok(table.render(dialect, &args.output.style()))
}
