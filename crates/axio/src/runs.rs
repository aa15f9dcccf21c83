//! Judgements and runs as the commands name them: by their files. The library reads and scores them.

use std::path::{Path, PathBuf};

use axiometrics::data::{Facet, Needs, Qrels};
use axiometrics::io::{self, Source};
use axiometrics::measure::Metric;
use axiometrics::policy::Ties;
use axiometrics::score::{Batch, Evaluation, ScoredRuns, read_judgements};
use axiometrics::warning::Warnings;
use axiometrics::{Error, Result};

use crate::args::{Label, Policies, Work};
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
    read_judgements(&policies.inputs.open(path)?, metrics, needs, &policies.choices(), warnings)
}

/// What a comparison needs of the judgements: all, to see which documents are unjudged. By subtopics,
/// groups and strata a document has several grades, and how many are unjudged says less.
pub(crate) fn needs(metrics: &[Metric]) -> Needs {
    match metrics.iter().all(|metric| metric.needs().facet == Facet::None) {
        true => Needs::JUDGED,
        false => Needs::POSITIVE,
    }
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
) -> Result<Batch<'a>> {
    let mut evaluation = Evaluation::under(&policies.choices(), qrels, metrics);
    // Judged documents that are not relevant are looked for too, to see how many are unjudged. The
    // orders of tied documents would be more then, and some expected scores no longer exact.
    let orders = matches!(policies.ties, Ties::Average | Ties::Range);
    if qrels.is_complete() && !orders {
        evaluation.policy.needs = needs(metrics);
    }
    evaluation.work = work.handle();
    evaluation.reading = policies.inputs.reading()?;
    Ok(Batch::new(evaluation))
}

/// Scores the runs in these files, with a progress bar. Tells why runs were left out.
pub(crate) fn score(
    batch: &Batch<'_>,
    paths: &[PathBuf],
    policies: &Policies,
    work: &Work,
    warnings: &mut Warnings,
) -> Result<ScoredRuns> {
    let open = |path: &PathBuf| policies.inputs.open_run(path);
    let mut scored = score_opened(batch, paths, work, warnings, open)?;
    name(&mut scored, policies);
    Ok(scored)
}

/// Like [`score`], for files that are opened in another way. The runs are named by their files.
pub(crate) fn score_opened(
    batch: &Batch<'_>,
    paths: &[PathBuf],
    work: &Work,
    warnings: &mut Warnings,
    open: impl Fn(&PathBuf) -> Result<Source> + Sync,
) -> Result<ScoredRuns> {
    let handle = &batch.evaluation.work;
    let here = shell::here();
    handle.expect(paths.iter().map(shell::size).sum());
    let scored = progress::watch(work.quiet, handle, || {
        batch.score(&unique_names(paths), |number| here.within(|| open(&paths[number])), warnings)
    })?;
    scored.left_out.iter().for_each(output::error);
    if scored.runs.is_empty() {
        return Err(
            Error::usage("no run is left to score").help("each of them has its own error above")
        );
    }
    Ok(scored)
}

/// Names runs as the user wants them named. Tags name them if all have one and no two are alike.
pub(crate) fn name(scored: &mut ScoredRuns, policies: &Policies) {
    if policies.inputs.label == Label::File {
        return;
    }
    let tags: Vec<String> = scored.runs.iter().filter_map(|run| run.tag.clone()).collect();
    let unique = (1..tags.len()).all(|i| !tags[..i].contains(&tags[i]));
    if tags.len() == scored.runs.len() && unique {
        scored.runs.iter_mut().zip(tags).for_each(|(run, tag)| run.name = tag);
    } else {
        output::note("note", "runs are named by their files: some have no tag, or the same one");
    }
}

/// Names for tables. A file in memory keeps the name that its owner gave it.
pub(crate) fn unique_names(paths: &[PathBuf]) -> Vec<String> {
    let names: Vec<String> = paths.iter().map(|path| shell::name(path)).collect();
    let short = paths.iter().zip(&names).map(|(path, name)| match shell::in_memory(path) {
        Some(_) => name.clone(),
        None => io::short_name(name),
    });
    io::unique(&short.collect::<Vec<_>>(), &names)
}
