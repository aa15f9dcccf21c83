//! `axio plan`: judgement budgets.

mod depth;
mod judge;
mod relevant;
mod topics;

use std::path::PathBuf;

use axiometrics::io;
use axiometrics::plan::Rankings;
use axiometrics::warning::Warnings;
use clap::Subcommand;

use crate::ExitCode;
use crate::args::Policies;

const AFTER_HELP: &str = "\
Examples:
  axio plan depth --p 0.8 --residual 0.01
  axio plan topics --delta 0.02 --power 0.8 --sd 0.1
  axio plan topics --delta 0.02 -m AP examples/web/qrels.txt examples/web/*.run
  axio plan judge examples/web/qrels.txt examples/web/*.run --budget 5
  axio plan relevant examples/web/qrels.txt examples/web/*.run";

/// Plan judgements: how deep, how many topics, which documents next, and what is still missing
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    Depth(depth::Args),
    Topics(topics::Args),
    Judge(judge::Args),
    Relevant(relevant::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.question {
        Question::Depth(args) => depth::run(args),
        Question::Topics(args) => topics::run(args),
        Question::Judge(args) => judge::run(args),
        Question::Relevant(args) => relevant::run(args),
    }
}

/// The rankings of these runs, ordered as they are scored.
fn rankings(
    paths: &[PathBuf],
    policies: &Policies,
    warnings: &mut Warnings,
) -> axiometrics::Result<Rankings> {
    let mut rankings = Rankings::new();
    let options = policies.run_options()?;
    for path in paths {
        let run = io::read_run(&policies.inputs.open_run(path)?, options.clone(), warnings)?;
        rankings.push(&run, &policies.policy());
    }
    Ok(rankings)
}
