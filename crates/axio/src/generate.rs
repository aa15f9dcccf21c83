//! Completions and manual pages, generated from the arguments themselves.

use std::path::PathBuf;

use axiometrics::Error;
use clap_complete::Shell;

use crate::ExitCode;
use crate::command;
use crate::output;

/// Print the completions of a shell
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  axio completions bash > /dev/null\n\nTo use them in bash: source <(axio completions bash)"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page, or write the pages of all subcommands
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  axio man > /dev/null\n\nTo read it: axio man | man -l -")]
pub(crate) struct ManArgs {
    /// A folder for axio.1, axio-eval.1 and the others
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut command::described(None), "axio", &mut out);
    output::stdout(&out)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<ExitCode> {
    match &args.output {
        Some(folder) => std::fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command::described(None), folder))
            .map_err(|e| Error::io(folder.display().to_string(), e))?,
        None => {
            let mut out = Vec::new();
            clap_mangen::Man::new(command::described(None))
                .render(&mut out)
                .map_err(|e| Error::io("the manual page", e))?;
            output::stdout(&out)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
