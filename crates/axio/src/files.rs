//! What the command line says about files, before any is read.
//!
//! Owns: a result never replaces what it was made of, in any command, by whatever name or link; and
//! one file is not both judgements and a run, unless it holds both.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axiometrics::io::{self, Columns};
use axiometrics::{Error, Result, measure};
use clap::ArgMatches;

use crate::shell;

/// The arguments that name a file to write.
const TARGETS: [&str; 1] = ["output"];

/// The arguments of the innermost subcommand.
fn innermost(mut matches: &ArgMatches) -> &ArgMatches {
    while let Some((_, inner)) = matches.subcommand() {
        matches = inner;
    }
    matches
}

/// The most bytes of a pipe that are read, if the command line says it.
pub(crate) fn max_spool(matches: &ArgMatches) -> Option<u64> {
    innermost(matches).try_get_one("max_spool").ok().flatten().copied()
}

/// Refuses arguments that name files in ways that do harm.
pub(crate) fn check(matches: &ArgMatches) -> Result<()> {
    let matches = innermost(matches);
    let inputs = inputs(matches);
    let in_place = matches.try_get_one::<bool>("in_place").ok().flatten() == Some(&true);
    for target in TARGETS.iter().flat_map(|id| paths(matches, id)).filter(|_| !in_place) {
        refuse_overwriting(target, &inputs)?;
    }
    for run in ["runs", "run"].iter().flat_map(|id| paths(matches, id)) {
        refuse_measure(run)?;
    }
    for qrels in paths(matches, "qrels") {
        for run in ["runs", "run"].iter().flat_map(|id| paths(matches, id)) {
            let columns = matches.try_get_one::<Columns>("columns").ok().flatten();
            refuse_one_for_both(qrels, run, columns)?;
        }
    }
    Ok(())
}

/// Refuses to write to a file that is read.
pub(crate) fn refuse_overwriting(target: &Path, inputs: &[PathBuf]) -> Result<()> {
    match inputs.iter().find(|input| io::same_file(input, target)) {
        None => Ok(()),
        Some(input) => {
            let name = target.display();
            let message = if input == target {
                format!("{name} is one of the inputs, and would be overwritten")
            } else {
                format!("{name} is the input {}, and would be overwritten", input.display())
            };
            Err(Error::usage(message).help("write the result to another file"))
        }
    }
}

/// A measure among the files is a slip that deserves more than "no such file".
fn refuse_measure(run: &Path) -> Result<()> {
    let Some(text) = run
        .to_str()
        .filter(|text| *text != "-" && !run.exists() && shell::in_memory(run).is_none())
    else {
        return Ok(());
    };
    match measure::parse_list(text) {
        Ok(metrics) if !metrics.is_empty() => {
            Err(Error::usage(format!("found the measure {text} among the runs, expected files"))
                .help(format!("measures go with -m: -m '{text}'")))
        }
        _ => Ok(()),
    }
}

fn refuse_one_for_both(qrels: &Path, run: &Path, columns: Option<&Columns>) -> Result<()> {
    if !io::same_file(qrels, run) {
        return Ok(());
    }
    let named = columns.cloned().map(Arc::new);
    if io::holds_both(&shell::open(qrels)?.with_columns(named)) {
        return Ok(());
    }
    let message = format!("{} is given as judgements and as a run", shell::name(run));
    Err(Error::usage(message).help("the order is QRELS RUN: first the judgements, then the runs"))
}

/// All files that are read, the metrics among them.
fn inputs(matches: &ArgMatches) -> Vec<PathBuf> {
    let ids = matches.ids().map(clap::Id::as_str).filter(|id| !TARGETS.contains(id));
    let mut inputs: Vec<PathBuf> =
        ids.flat_map(|id| paths(matches, id)).map(PathBuf::from).collect();
    for id in ["measures", "metric", "metrics"] {
        let texts = matches.try_get_many::<String>(id).ok().flatten().into_iter().flatten();
        let words = texts.flat_map(|text| text.split_whitespace());
        inputs.extend(words.filter(|word| word.ends_with(".toml")).map(PathBuf::from));
    }
    inputs
}

/// The paths of an argument; none if it is no path.
fn paths<'m>(matches: &'m ArgMatches, id: &str) -> impl Iterator<Item = &'m Path> {
    let many = matches.try_get_many::<PathBuf>(id).ok().flatten();
    many.into_iter().flatten().map(PathBuf::as_path)
}
