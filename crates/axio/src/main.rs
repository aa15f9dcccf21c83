//! The command `axio`: a thin shell around the library.

mod convert;
mod output;
mod trec_eval;
mod validate;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measure retrieval systems, and measure the measures
#[derive(Debug, Parser)]
#[command(name = "axio", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Convert(convert::Args),
    Validate(validate::Args),
}

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match arguments.first() {
        // Its options are not ours.
        _ if trec_eval::called_as_trec_eval() => return trec_eval::run(&arguments),
        Some(command) if command == "trec_eval" => return trec_eval::run(&arguments[1..]),
        _ => {}
    }
    let result = match Cli::parse().command {
        Command::Convert(args) => convert::run(&args),
        Command::Validate(args) => validate::run(&args),
    };
    result.unwrap_or_else(|error| {
        if error.downcast_ref::<axiometrics::Error>().is_some_and(axiometrics::Error::is_broken_pipe) {
            return ExitCode::SUCCESS;
        }
        output::error(&error);
        ExitCode::from(2)
    })
}
