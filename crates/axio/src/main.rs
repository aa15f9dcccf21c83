//! The command `axio`: a thin shell around the library.

mod convert;
mod output;
mod validate;

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
