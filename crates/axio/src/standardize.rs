//! `axio standardize`: scores freed of their topics' difficulty.

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::choice::Choice;
use axiometrics::io::zscores;
use axiometrics::measure;
use axiometrics::score::standardize::{References, StandardForm, standardize};
use axiometrics::score::{Measured, System};
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Measures, Output, Policies, ScoreTableArgs, Work, choice};
use crate::{output, runs};

const DEFAULT_MEASURES: &str = "nDCG@10 AP";

/// Standardise scores by what all the runs get on each topic
///
/// A score becomes its distance from the mean of the runs on the same topic, in standard deviations
/// (z), or the share of a normal distribution below it (normal). Undefined scores count as 0; if all
/// runs get the same score, it is 0 (or a half).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  axio standardize examples/web/qrels.txt examples/web/*.run -m 'nDCG@10 AP'",
    mut_arg("measures", |arg| arg.default_value(DEFAULT_MEASURES))
)]
pub(crate) struct Args {
    /// The judgements
    #[arg(value_name = "QRELS", required_unless_present = "path")]
    qrels: Option<PathBuf>,
    /// The runs, which are each other's reference
    #[arg(value_name = "RUN", required_unless_present = "path", num_args = 2..)]
    runs: Vec<PathBuf>,
    #[command(flatten)]
    table: ScoreTableArgs,
    /// What a score becomes
    #[arg(long, value_parser = choice::<StandardForm>(), default_value = StandardForm::default().name(), value_name = "FORM")]
    form: StandardForm,
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

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(table) = args.table.read(&args.measures, DEFAULT_MEASURES)? {
        let names: Vec<String> = table.measures.iter().map(Measured::name).collect();
        return report(args, &table.named(), &names);
    }
    let Some(judgements) = &args.qrels else { return Err(Error::usage("no judgements").into()) };
    let metrics = args.measures.parse_labelled(&args.policies.inputs)?;
    let mut warnings = Warnings::default();
    runs::refuse_repeated_stdin(args.runs.iter().chain([judgements]))?;
    let qrels = runs::read_qrels(judgements, &metrics, &args.policies, &mut warnings)?;
    let batch = runs::batch(&qrels, &metrics, &args.policies, &args.work)?;
    let scored = runs::score(&batch, &args.runs, &args.policies, &args.work, &mut warnings)?;
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    let names: Vec<String> = metrics.iter().map(name).collect();
    report(args, &scored.systems(), &names)
}

/// `names` are those of the measures in a file for trec_eval.
fn report(args: &Args, systems: &[System<'_>], names: &[String]) -> anyhow::Result<ExitCode> {
    let report = standardize(systems, args.form)?;
    if let Some(path) = &args.zscores {
        let mut references = References::default();
        let topics = systems.first().map(|system| system.scores.topics());
        for (name, of_topics) in names.iter().zip(&report.references) {
            for (topic, reference) in topics.iter().flat_map(|t| t.iter()).zip(of_topics) {
                references.insert(topic, name, *reference);
            }
        }
        let file = path.display().to_string();
        let mut text = Vec::new();
        zscores::write(&references, &mut text, &file)?;
        output::write_atomically(path, |out| Ok(out.write_all(&text)?))?;
    }
    args.output.report(&report)?;
    Ok(ExitCode::SUCCESS)
}

/// trec_eval's name of a measure if it has one, since the file is for its `-Z`.
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
