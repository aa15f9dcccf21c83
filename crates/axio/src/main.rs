//! The command `axio`.

mod check;
mod choose;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measure retrieval systems, and measure the measures.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Args),
    Choose(choose::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Check(args) => check::run(&args),
        Command::Choose(args) => choose::run(&args),
    };
    done.unwrap_or_else(|e| {
        eprintln!("error: {e:#}");
        ExitCode::from(2)
    })
}
