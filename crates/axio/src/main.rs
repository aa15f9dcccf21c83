//! The command `axio`.

mod trec_eval;

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    match args.first() {
        _ if trec_eval::called_as_trec_eval() => trec_eval::run(&args),
        Some(command) if command == "trec_eval" => trec_eval::run(&args[1..]),
        _ => {
            eprintln!("axio: expected a subcommand: trec_eval");
            ExitCode::from(2)
        }
    }
}
