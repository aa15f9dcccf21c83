//! The command `axio`.

mod organize;

use std::process::ExitCode;

use clap::Parser;

#[derive(Debug, Parser)]
#[command(name = "axio", version)]
enum Command {
    Organize(organize::Args),
}

fn main() -> ExitCode {
    let Command::Organize(args) = Command::parse();
    match organize::run(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("axio: {error}");
            ExitCode::from(2)
        }
    }
}
