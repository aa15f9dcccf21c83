//! Judgements and runs as the commands name them: by their files. The library reads and scores them.

use std::path::{Path, PathBuf};

use axiometrics::data::{Needs, Qrels};
use axiometrics::io;
use axiometrics::measure::Metric;
use axiometrics::score::{Batch, Evaluation, ScoredRuns, read_judgements};
use axiometrics::warning::Warnings;
use axiometrics::{Error, Result};

use crate::args::{Policies, Work};
use crate::output;
use crate::progress;
use crate::shell;

/// Reads the judgements as far as these measures need them.
pub(crate) fn read_qrels(
    path: &Path,
    metrics: &[Metric],
    policies: &Policies,
    warnings: &mut Warnings,
) -> Result<Qrels> {
    read_qrels_for(Needs::POSITIVE, path, metrics, policies, warnings)
}

/// The same, for who needs more of them than the measures do.
pub(crate) fn read_qrels_for(
    needs: Needs,
    path: &Path,
    metrics: &[Metric],
    policies: &Policies,
    warnings: &mut Warnings,
) -> Result<Qrels> {
    read_judgements(&shell::open(path)?, metrics, needs, &policies.choices(), warnings)
}

/// Standard input can be read once.
pub(crate) fn refuse_repeated_stdin<'p>(
    paths: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<()> {
    match paths.into_iter().filter(|p| p.as_os_str() == "-").count() {
        0 | 1 => Ok(()),
        _ => Err(Error::usage("standard input (-) is named more than once")
            .help("write all but one of them to files")),
    }
}

/// How runs are scored under these policies.
pub(crate) fn batch<'a>(
    qrels: &'a Qrels,
    metrics: &'a [Metric],
    policies: &Policies,
    work: &Work,
) -> Batch<'a> {
    let mut evaluation = Evaluation::under(&policies.choices(), qrels, metrics);
    evaluation.work = work.handle();
    Batch::new(evaluation)
}

/// Scores the runs in these files, with a progress bar. Tells why runs were left out.
pub(crate) fn score(
    batch: &Batch<'_>,
    paths: &[PathBuf],
    work: &Work,
    warnings: &mut Warnings,
) -> Result<ScoredRuns> {
    let handle = &batch.evaluation.work;
    let files = shell::files();
    handle.expect(paths.iter().map(|path| files.size(path)).sum());
    let scored = progress::watch(work.quiet, handle, || {
        batch.score(&names(paths), |number| files.open(&paths[number]), warnings)
    })?;
    scored.left_out.iter().for_each(output::error);
    if scored.runs.is_empty() {
        return Err(
            Error::usage("no run is left to score").help("each of them has its own error above")
        );
    }
    Ok(scored)
}

fn names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string()).collect()
}

/// Names for tables.
pub(crate) fn unique_names(paths: &[PathBuf]) -> Vec<String> {
    io::unique_names(&names(paths))
}
