//! Judgements and runs as the commands read and score them: the only place where files are opened
//! and threads are shared out.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use axiometrics::data::{Facet, Needs, Qrels};
use axiometrics::io::{self, QrelsOptions, Source};
use axiometrics::measure::Metric;
use axiometrics::score::{Evaluation, Scores, System};
use axiometrics::warning::{Kind, Warnings};
use axiometrics::{Error, Result};
use rayon::prelude::*;

use crate::args::{Policies, Work};
use crate::output;
use crate::progress;

/// A run that was scored.
pub(crate) struct Scored {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) scores: Scores,
}

/// What is left of several runs.
pub(crate) struct AllScored {
    pub(crate) runs: Vec<Scored>,
    /// True where one could not be read and the others went on.
    pub(crate) left_out: bool,
}

/// Reads the judgements as far as these measures need them, under the maximum grade that was asked
/// for.
pub(crate) fn read_qrels(
    path: &PathBuf,
    metrics: &[Metric],
    policies: &Policies,
    warnings: &mut Warnings,
) -> Result<Qrels> {
    let needs = if policies.ranges.is_some() { Needs::JUDGED } else { Needs::POSITIVE };
    read_qrels_for(needs, path, metrics, policies, warnings)
}

/// The same, for who needs more of them than the measures do.
pub(crate) fn read_qrels_for(
    needs: Needs,
    path: &PathBuf,
    metrics: &[Metric],
    policies: &Policies,
    warnings: &mut Warnings,
) -> Result<Qrels> {
    let needs = metrics.iter().fold(needs, |all, m| all.union(m.needs()));
    if let Some(other) =
        metrics.iter().find(|m| ![Facet::None, needs.facet].contains(&m.needs().facet))
    {
        let error = Error::usage(format!(
            "{other} needs judgements by another key than the measures before it"
        ));
        return Err(error.help(
            "subtopics and strata do not come from one file: ask for these measures in two calls",
        ));
    }
    let options = QrelsOptions {
        lenient: policies.lenient,
        facet: needs.facet,
        positive_only: !needs.judged,
        ..QrelsOptions::default()
    };
    let mut qrels = io::read_qrels(&Source::open(path)?, options, warnings)?;
    if let Some(max_grade) = policies.max_grade {
        let found = qrels.max_grade();
        if found > max_grade {
            let error = Error::usage(format!(
                "--max-grade {max_grade} is below the grade {found} in {}",
                path.display()
            ));
            return Err(error.help("gains are shares of the maximum grade and cannot exceed 1"));
        }
        qrels.set_max_grade(max_grade);
    }
    Ok(qrels)
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

/// Scores every run. The first one that fails, in the order of the arguments, ends the work, or is
/// left out where the others may go on.
pub(crate) fn score(
    qrels: &Qrels,
    metrics: &[Metric],
    paths: &[PathBuf],
    policies: &Policies,
    work: &Work,
    keep_going: bool,
    warnings: &mut Warnings,
) -> Result<AllScored> {
    let sources: Vec<Result<Source>> = paths.iter().map(Source::open).collect();
    let names = unique_names(paths);
    let total = total_size(&sources);
    let results = progress::watch(work.quiet, total, |progress| {
        let mut evaluation = Evaluation::new(qrels, metrics);
        evaluation.policy = policies.policy();
        evaluation.missing = policies.missing;
        evaluation.undefined = policies.undefined;
        evaluation.lenient = policies.lenient;
        evaluation.threads = (work.threads() / paths.len().max(1)).max(1);
        evaluation.ranges = policies.ranges;
        evaluation.progress = progress;
        in_parallel(sources, work.threads(), keep_going, |source| one(&evaluation, &source?))
    })?;
    let mut runs = Vec::new();
    for ((name, path), result) in names.into_iter().zip(paths).zip(results) {
        match result {
            Ok((scores, gathered)) => {
                warnings.extend(gathered);
                runs.push(Scored { name, path: path.clone(), scores });
            }
            Err(error) if keep_going => {
                output::error(&error);
                let message = error.to_string();
                warnings.add_example(
                    Kind::RunLeftOut,
                    1,
                    &path.display().to_string(),
                    message.lines().next().unwrap_or(""),
                );
            }
            Err(error) => return Err(error),
        }
    }
    if runs.is_empty() {
        return Err(
            Error::usage("no run is left to score").help("each of them has its own error above")
        );
    }
    let left_out = runs.len() < paths.len();
    Ok(AllScored { runs, left_out })
}

impl AllScored {
    /// Whether a score of some run is another one here, by one of so many measures.
    pub(crate) fn differ(&self, other: &AllScored, measures: usize) -> bool {
        let same = |a: &Scored, b: &Scored| {
            (0..measures).all(|m| {
                a.scores.topics() == b.scores.topics() && a.scores.column(m).eq(b.scores.column(m))
            })
        };
        !self.runs.iter().zip(&other.runs).all(|(a, b)| same(a, b))
    }

    /// The runs as they are compared.
    pub(crate) fn systems(&self) -> Vec<System<'_>> {
        self.runs.iter().map(|run| System { name: &run.name, scores: &run.scores }).collect()
    }
}

type Outcome = Result<(Scores, Warnings)>;

fn one(evaluation: &Evaluation<'_>, source: &Source) -> Outcome {
    let mut warnings = Warnings::default();
    let scores = evaluation.run(source, &mut warnings)?;
    Ok((scores, warnings))
}

/// The outcomes in the order of the runs, up to the first failure where that ends the work.
fn in_parallel(
    sources: Vec<Result<Source>>,
    threads: usize,
    keep_going: bool,
    one: impl Fn(Result<Source>) -> Outcome + Sync,
) -> Result<Vec<Outcome>> {
    let failed = AtomicUsize::new(usize::MAX);
    // A run behind one that failed will not be asked for; one before it always is, so the error
    // told does not depend on the threads.
    let attempt = |(i, source): (usize, Result<Source>)| {
        if i > failed.load(Ordering::Relaxed) {
            return None;
        }
        let outcome = one(source);
        if outcome.is_err() && !keep_going {
            failed.fetch_min(i, Ordering::Relaxed);
        }
        Some(outcome)
    };
    let workers = threads.min(sources.len());
    let outcomes: Vec<Option<Outcome>> = if workers > 1 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
        let pool = pool.map_err(|e| {
            Error::usage(format!("{workers} threads cannot be started: {e}"))
                .help("ask for fewer with --threads")
        })?;
        pool.install(|| sources.into_par_iter().enumerate().with_max_len(1).map(attempt).collect())
    } else {
        sources.into_iter().enumerate().map(attempt).collect()
    };
    Ok(outcomes.into_iter().flatten().collect())
}

/// The bytes to read, where the files say so: what a compressed one holds is known at its end only.
fn total_size(sources: &[Result<Source>]) -> Option<u64> {
    sources
        .iter()
        .map(|source| {
            let source = source.as_ref().ok()?;
            let compressed = [".gz", ".zst", ".lz4", ".bz2"]
                .iter()
                .any(|suffix| source.name().ends_with(suffix));
            source.size().filter(|_| !compressed)
        })
        .sum()
}

/// Names for tables.
pub(crate) fn unique_names(paths: &[PathBuf]) -> Vec<String> {
    let files: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    io::unique_names(&files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_in_order_is_told() {
        let sources = |n: usize| {
            (0..n).map(|i| Ok(Source::from_bytes(format!("run {i}"), ""))).collect::<Vec<_>>()
        };
        for threads in [1, 2, 8] {
            let outcomes =
                in_parallel(sources(20), threads, false, |s| Err(Error::usage(s?.name()))).unwrap();
            assert_eq!(outcomes[0].as_ref().unwrap_err().to_string(), "run 0");
            let all =
                in_parallel(sources(20), threads, true, |s| Err(Error::usage(s?.name()))).unwrap();
            assert_eq!(all.len(), 20);
            assert_eq!(all[19].as_ref().unwrap_err().to_string(), "run 19");
        }
    }
}
