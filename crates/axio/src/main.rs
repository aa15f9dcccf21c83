//! The command `axio`: a thin shell around the library.
//!
//! Owns: what is asked for, where results and messages go, and the exit code (0 done, 1 done but a
//! requested check failed or a run was left out, 2 bad usage or bad input). Does not own: any
//! number, which the library computes, nor any table's layout.

mod args;
mod check;
mod choose;
mod compare;
mod convert;
mod eval;
mod explain;
mod fit;
mod fuse;
mod gate;
mod generate;
mod inference;
mod measures;
mod meta;
mod organize;
mod output;
mod plan;
mod progress;
mod report;
mod risk;
mod runs;
mod score;
mod signals;
mod standardize;
mod trec_eval;
mod validate;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some(rest) = trec_eval_arguments(&arguments) {
        return trec_eval::run(rest);
    }
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return output::usage(&error),
    };
    let result = match cli.command {
        Command::Eval(args) => eval::run(&args),
        Command::Score(args) => score::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Gate(args) => gate::run(&args),
        Command::Meta(args) => meta::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Fit(args) => fit::run(&args),
        Command::Measures(args) => measures::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Risk(args) => risk::run(&args),
        Command::Standardize(args) => standardize::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Choose(args) => choose::run(&args),
        Command::Fuse(args) => fuse::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Organize(args) => organize::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Completions(args) => generate::completions(&args),
        Command::Man(args) => generate::man(&args),
    };
    result.unwrap_or_else(|error| {
        // Whoever read our output went away, which is no failure of ours.
        if error
            .downcast_ref::<axiometrics::Error>()
            .is_some_and(axiometrics::Error::is_broken_pipe)
        {
            return ExitCode::SUCCESS;
        }
        output::failure(&error);
        ExitCode::from(2)
    })
}

/// The arguments of the drop-in, when it is what was called: as `axio trec_eval` or through a link
/// of that name. It reads them raw, because its options are not ours.
fn trec_eval_arguments(arguments: &[OsString]) -> Option<&[OsString]> {
    if trec_eval::called_as_trec_eval() {
        return arguments.get(1..);
    }
    (arguments.get(1)? == "trec_eval").then(|| &arguments[2..])
}
