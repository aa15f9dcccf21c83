//! `axio fit`: the user of a measure, fitted to people.

use std::path::PathBuf;

use axiometrics::fit::{self, Observations};
use axiometrics::io;
use axiometrics::report::fit::FitReport;

use crate::ExitCode;
use crate::args::{Measures, Output};

const AFTER_HELP: &str = "\
USERS has the last rank that each person read, one in a line, or columns rank, count and ranking:
10+ is somebody who read at least down to rank 10, and the ranking that was shown is written as for
axio score, which measures need whose user answers to what is found (INST).

Examples:
  axio fit examples/users/stops.csv
  axio fit examples/users/stops.csv -m 'RBP INSQ TBG' --format json";

/// Fit the user of a measure to the ranks at which people stopped: p of RBP, T of INSQ and INST,
/// the half-life of TBG, by maximum likelihood
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP, mut_arg("measures", |arg| arg.default_value("RBP INSQ INST")))]
pub(crate) struct Args {
    /// What was observed
    #[arg(value_name = "USERS")]
    users: PathBuf,
    #[command(flatten)]
    measures: Measures,
    #[command(flatten)]
    output: Output,
}

/// A larger file holds no ranks.
const LARGEST: u64 = 64 << 20;

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let metrics = args.measures.parse()?;
    let path = args.users.display().to_string();
    let observed = Observations::read(&path, &io::read_text(&path, LARGEST, "observed ranks")?)?;
    let fits = metrics
        .iter()
        .map(|metric| fit::fit(metric, &observed))
        .collect::<axiometrics::Result<_>>()?;
    let (people, mean_rank) = (observed.people(), observed.mean_rank());
    args.output.report(&FitReport { fits, people, mean_rank })?;
    Ok(ExitCode::SUCCESS)
}
