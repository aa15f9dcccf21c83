//! `axio session`: the queries of a session scored together.

use std::path::PathBuf;

use axiometrics::Error;
use axiometrics::data::{Qrels, Sessions, id_text};
use axiometrics::io;
use axiometrics::measure::Metric;
use axiometrics::report::evaluation::{Detail, EvaluationReport, Unit};
use axiometrics::score::{Protocol, Scores, System};
use axiometrics::session::{of_queries, of_sessions, parse_session_measures};
use axiometrics::warning::Warnings;

use crate::ExitCode;
use crate::args::{Output, Policies, Work};
use crate::{output, runs, shell};

const AFTER_HELP: &str = "\
Examples:
  axio session examples/sessions/sessions.txt examples/sessions/qrels.txt examples/sessions/*.run
  axio session examples/sessions/s*.txt examples/sessions/q*.txt examples/sessions/*.run -m sRBP";

/// Score sessions of several queries: sDCG, nsDCG and sRBP
///
/// The queries of a session are topics, as in runs and judgements. A file tells which belong
/// together: on each line a session and the topic of its next query.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The sessions
    #[arg(value_name = "SESSIONS")]
    sessions: PathBuf,
    /// The judgements
    #[arg(value_name = "QRELS")]
    qrels: PathBuf,
    /// The runs
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Measures of sessions: sDCG, nsDCG and sRBP, with parameters and cutoffs; may be repeated
    #[arg(short, long, value_name = "MEASURES", default_value = "sDCG@10 nsDCG@10 sRBP")]
    measures: Vec<String>,
    /// The scores of each session, besides the mean
    #[arg(long)]
    per_session: bool,
    #[command(flatten)]
    work: Work,
    #[command(flatten)]
    policies: Policies,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = parse_session_measures(&args.measures.join(" "))?;
    runs::refuse_repeated_stdin(args.runs.iter().chain([&args.qrels, &args.sessions]))?;
    let sessions = io::read_sessions(&shell::open(&args.sessions)?)?;
    let queries = of_queries(&metrics)?;
    let mut warnings = Warnings::default();
    let qrels = runs::read_qrels(&args.qrels, &queries, &args.policies, &mut warnings)?;
    refuse_unjudged(&sessions, &qrels)?;
    let batch = runs::batch(&qrels, &queries, &args.policies, &args.work)?;
    let scored = runs::score(&batch, &args.runs, &args.policies, &args.work, &mut warnings)?;
    let scores: Vec<Scores> = scored
        .runs
        .iter()
        .map(|run| of_sessions(&run.scores, &metrics, &sessions))
        .collect::<axiometrics::Result<_>>()?;
    if !args.work.quiet {
        output::warnings(&warnings, args.work.verbose);
    }
    report(
        args,
        &qrels,
        &metrics,
        &scored.runs.iter().map(|run| run.name.as_str()).zip(&scores).collect::<Vec<_>>(),
        &warnings,
    )
}

/// A query without judgements would count as one that found nothing.
fn refuse_unjudged(sessions: &Sessions, qrels: &Qrels) -> axiometrics::Result<()> {
    for session in sessions.iter() {
        if let Some(topic) = session.queries().find(|topic| qrels.find(topic).is_none()) {
            let message = format!(
                "the topic {} of session {} has no judgements",
                id_text(topic),
                session.text()
            );
            return Err(Error::usage(message).help("judge it, or leave it out of the session"));
        }
    }
    Ok(())
}

fn report(
    args: &Args,
    qrels: &Qrels,
    metrics: &[Metric],
    runs: &[(&str, &Scores)],
    warnings: &Warnings,
) -> anyhow::Result<ExitCode> {
    let report = EvaluationReport {
        unit: Unit::Session,
        qrels,
        metrics,
        runs: runs.iter().map(|(name, scores)| System { name, scores }).collect(),
        protocol: Protocol::new(qrels, &args.policies.choices()),
        warnings: warnings.list(),
        detail: if args.per_session { Detail::Topics } else { Detail::Runs },
        sort: None,
        top: None,
    };
    if !args.work.quiet && args.output.format.has_lines() {
        output::note("settings", &report.protocol.to_string());
    }
    args.output.report(&report)?;
    Ok(ExitCode::SUCCESS)
}
