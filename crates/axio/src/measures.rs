//! `axio measures`: the list of measures, searchable.

use axiometrics::Error;
use axiometrics::report::MeasureList;

use crate::ExitCode;
use crate::args::Output;

/// List the measures, all or those that mention a word
///
/// Those of the families organization, clustering and filtering belong to `axio organize`, all
/// others to `axio eval`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  axio measures\n  axio measures precision")]
pub(crate) struct Args {
    /// Words that the measure's name, title, definition or anything else it says must contain
    words: Vec<String>,
    #[command(flatten)]
    output: Output,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let found = MeasureList::mentioning(&args.words);
    if found.is_empty() {
        let asked = args.words.join(" ");
        return Err(Error::usage(format!("no measure mentions \"{asked}\""))
            .help("`axio measures` lists all of them")
            .into());
    }
    args.output.report(&found)?;
    Ok(ExitCode::SUCCESS)
}
