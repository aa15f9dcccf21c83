//! The subcommands: one line for each.
//!
//! Owns: their names and order, and which of them is run. To describe the options of all takes more
//! time and memory than to score a small run, so only those of the one that is asked for are
//! described, unless help, completions or a slip need all.

use std::ffi::OsStr;

use axiometrics::Error;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgMatches, Args, FromArgMatches};

use crate::ExitCode;
use crate::progress;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER_HELP: &str = "\
Exit codes: 0 done; 1 done, but a requested check failed or a run was left out; 2 bad usage or bad input.
Files may be compressed (gzip, zstd, lz4, bzip2); `-` is standard input.

`axio trec_eval ...` takes the options of trec_eval and prints what it prints.";

/// A subcommand: how its options are described, and how it is run with those that were given.
struct Subcommand {
    name: &'static str,
    describe: fn(clap::Command) -> clap::Command,
    run: fn(&ArgMatches) -> anyhow::Result<ExitCode>,
}

macro_rules! subcommands {
    ($($name:literal: $args:path => $run:path,)*) => {
        const SUBCOMMANDS: &[Subcommand] = &[$(Subcommand {
            name: $name,
            describe: <$args as Args>::augment_args,
            run: |matches| $run(&<$args>::from_arg_matches(matches)?),
        },)*];
    };
}

// In the order of the help.
subcommands! {
    "eval": crate::eval::Args => crate::eval::run,
    "score": crate::score::Args => crate::score::run,
    "compare": crate::compare::Args => crate::compare::run,
    "gate": crate::gate::Args => crate::gate::run,
    "meta": crate::meta::Args => crate::meta::run,
    "plan": crate::plan::Args => crate::plan::run,
    "fit": crate::fit::Args => crate::fit::run,
    "measures": crate::measures::Args => crate::measures::run,
    "explain": crate::explain::Args => crate::explain::run,
    "risk": crate::risk::Args => crate::risk::run,
    "standardize": crate::standardize::Args => crate::standardize::run,
    "session": crate::session::Args => crate::session::run,
    "check": crate::check::Args => crate::check::run,
    "choose": crate::choose::Args => crate::choose::run,
    "fuse": crate::fuse::Args => crate::fuse::run,
    "report": crate::report::Args => crate::report::run,
    "organize": crate::organize::Args => crate::organize::run,
    "convert": crate::convert::Args => crate::convert::run,
    "validate": crate::validate::Args => crate::validate::run,
    "lab": crate::lab::Args => crate::lab::run,
    "completions": crate::generate::CompletionsArgs => crate::generate::completions,
    "man": crate::generate::ManArgs => crate::generate::man,
}

/// The command with the subcommand that its first argument names, or with all of them.
pub(crate) fn described(first: Option<&OsStr>) -> clap::Command {
    let asked = first.and_then(|first| SUBCOMMANDS.iter().find(|known| first == known.name));
    let chosen = asked.map_or(SUBCOMMANDS, std::slice::from_ref);
    let command = clap::Command::new("axio")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Measure retrieval systems, and measure the measures")
        .styles(STYLES)
        .after_help(AFTER_HELP)
        .max_term_width(110)
        .subcommand_required(true)
        .arg_required_else_help(true);
    chosen.iter().fold(command, |command, one| {
        command.subcommand((one.describe)(clap::Command::new(one.name)))
    })
}

/// Runs the subcommand that the arguments name.
pub(crate) fn run(matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    let called = matches.subcommand().and_then(|(name, inner)| {
        Some((SUBCOMMANDS.iter().find(|known| known.name == name)?, inner))
    });
    match called {
        Some((subcommand, inner)) => {
            // `lab` serves until it is stopped.
            let quiet = subcommand.name == "lab"
                || matches!(inner.try_get_one::<bool>("quiet"), Ok(Some(true)));
            progress::command(subcommand.name, quiet, || (subcommand.run)(inner))
        }
        None => Err(Error::usage("found no subcommand, expected one").into()),
    }
}
