//! The program `axio`; all of it is in the library of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    axio::main(&std::env::args_os().collect::<Vec<_>>()).into()
}
