//! The command `axio`: a thin shell around the library.
//!
//! Owns: what is asked for, where results and messages go, and the exit code (0 done, 1 done but a
//! requested check failed or a run was left out, 2 bad usage or bad input). Does not own: any
//! number, which the library computes, nor any table's layout.
//!
//! It is a library so that other programs can bring the command: [`main`] is the program itself,
//! [`call`] is the same without a process, on inputs and outputs in memory.

mod args;
mod check;
mod choose;
mod command;
mod compare;
mod convert;
mod eval;
mod exit;
mod explain;
mod files;
mod fit;
mod fuse;
mod gate;
mod generate;
mod inference;
mod lab;
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
mod session;
mod shell;
mod signals;
mod standardize;
mod trec_eval;
mod validate;

use std::ffi::OsString;

use clap::ArgMatches;

pub use exit::ExitCode;
pub use shell::{Call, Files, Outcome, call, open};

/// Runs the program with these arguments, its own name first.
pub fn main(arguments: &[OsString]) -> ExitCode {
    if let Some(rest) = trec_eval_arguments(arguments) {
        return trec_eval::run(rest);
    }
    match parsed(arguments) {
        Ok(matches) => run(&matches).unwrap_or_else(|error| failed(&error)),
        Err(refusal) => output::usage(&refusal, arguments),
    }
}

fn parsed(arguments: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let first = arguments.get(1).map(OsString::as_os_str);
    command::described(first).try_get_matches_from(with_matrix(arguments.to_vec()))
}

fn run(matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    if let Some(most) = files::max_spool(matches) {
        shell::limit_spool(most);
    }
    files::check(matches)?;
    command::run(matches)
}

fn failed(error: &anyhow::Error) -> ExitCode {
    // Whoever read our output went away, which is no failure of ours.
    if error.downcast_ref::<axiometrics::Error>().is_some_and(axiometrics::Error::is_broken_pipe) {
        return ExitCode::SUCCESS;
    }
    output::failure(error);
    ExitCode::from(2)
}

/// `--format matrix` is how people ask for `--matrix`, which goes with every format.
fn with_matrix(arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_none_or(|command| command != "eval") {
        return arguments;
    }
    let mut rewritten: Vec<OsString> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        if argument == "matrix" && rewritten.last().is_some_and(|last| last == "--format") {
            rewritten.pop();
            rewritten.push("--matrix".into());
        } else if argument == "--format=matrix" {
            rewritten.push("--matrix".into());
        } else {
            rewritten.push(argument);
        }
    }
    rewritten
}

/// The arguments of the drop-in, when it is what was called: as `axio trec_eval` or through a link
/// of that name. It reads them raw, because its options are not ours.
fn trec_eval_arguments(arguments: &[OsString]) -> Option<&[OsString]> {
    if trec_eval::is_called(arguments.first()?) {
        return arguments.get(1..);
    }
    (arguments.get(1)? == "trec_eval").then(|| &arguments[2..])
}
