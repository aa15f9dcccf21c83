//! Judgements and runs as the commands read and score them: the only place where files are opened
//! and threads are shared out.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use axiometrics::data::{Facet, Needs, Qrels, Run};
use axiometrics::io::{self, QrelsOptions, RunOptions, Source};
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
    /// How many bytes were read.
    pub(crate) size: u64,
    pub(crate) scores: Scores,
    /// The scores of the other evaluations.
    pub(crate) others: Vec<Scores>,
    /// The run itself, if it was to be kept.
    pub(crate) run: Option<Run>,
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

/// How runs are scored by the command at hand.
pub(crate) struct Scoring<'a> {
    pub(crate) qrels: &'a Qrels,
    pub(crate) metrics: &'a [Metric],
    pub(crate) policies: &'a Policies,
    pub(crate) work: &'a Work,
    /// A run that cannot be read is left out; otherwise the first one, in the order of the
    /// arguments, ends the work.
    pub(crate) keep_going: bool,
}

/// What is done with a run besides, while it is in memory, so that its file is read once.
#[derive(Default)]
pub(crate) struct Besides<'a> {
    /// It is scored in these ways too. Nothing is told of them: what is odd about the run is told
    /// once.
    pub(crate) evaluations: Vec<Evaluation<'a>>,
    /// So many runs, the first ones, are kept, and those of these numbers.
    pub(crate) keep: usize,
    pub(crate) keep_too: Option<usize>,
}

impl Besides<'_> {
    fn keeps(&self, run: usize) -> bool {
        run < self.keep || self.keep_too == Some(run)
    }
}

/// Scores every run.
pub(crate) fn score(
    qrels: &Qrels,
    metrics: &[Metric],
    paths: &[PathBuf],
    policies: &Policies,
    work: &Work,
    keep_going: bool,
    warnings: &mut Warnings,
) -> Result<AllScored> {
    let scoring = Scoring { qrels, metrics, policies, work, keep_going };
    scoring.score(paths, &Besides::default(), warnings)
}

impl<'a> Scoring<'a> {
    /// How the runs are scored under these policies.
    pub(crate) fn evaluation(&self, metrics: &'a [Metric], policies: &Policies) -> Evaluation<'a> {
        let mut evaluation = Evaluation::new(self.qrels, metrics);
        evaluation.policy = policies.policy();
        evaluation.missing = policies.missing;
        evaluation.undefined = policies.undefined;
        evaluation.lenient = policies.lenient;
        evaluation.ranges = policies.ranges;
        evaluation
    }

    /// Scores every run, each of which is read once.
    pub(crate) fn score(
        &self,
        paths: &[PathBuf],
        besides: &Besides<'_>,
        warnings: &mut Warnings,
    ) -> Result<AllScored> {
        let Scoring { work, keep_going, .. } = *self;
        let names = unique_names(paths);
        let results = progress::watch(work.quiet, total_size(paths), |progress| {
            let mut evaluation = self.evaluation(self.metrics, self.policies);
            evaluation.threads = (work.threads() / paths.len().max(1)).max(1);
            evaluation.progress = progress;
            in_parallel(paths, work.threads(), keep_going, |number, path| {
                let one = One { evaluation: &evaluation };
                one.score(path, besides, besides.keeps(number))
            })
        })?;
        all(paths, names, results, keep_going, warnings)
    }
}

fn all(
    paths: &[PathBuf],
    names: Vec<String>,
    results: Vec<Outcome>,
    keep_going: bool,
    warnings: &mut Warnings,
) -> Result<AllScored> {
    let mut runs = Vec::new();
    for ((name, path), result) in names.into_iter().zip(paths).zip(results) {
        match result {
            Ok(done) => {
                warnings.extend(done.warnings);
                let Done { size, scores, others, run, .. } = done;
                runs.push(Scored { name, path: path.clone(), size, scores, others, run });
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
    /// Whether some run has another score by the other evaluation of this number, by one of so many
    /// measures.
    pub(crate) fn differ(&self, other: usize, measures: usize) -> bool {
        let same = |a: &Scores, b: &Scores| {
            (0..measures).all(|m| a.topics() == b.topics() && a.column(m).eq(b.column(m)))
        };
        !self.runs.iter().all(|run| same(&run.scores, &run.others[other]))
    }

    /// The runs as they are compared.
    pub(crate) fn systems(&self) -> Vec<System<'_>> {
        self.runs.iter().map(|run| System { name: &run.name, scores: &run.scores }).collect()
    }

    /// The runs by the other evaluation of this number.
    pub(crate) fn other_systems(&self, other: usize) -> Vec<System<'_>> {
        self.runs.iter().map(|run| System { name: &run.name, scores: &run.others[other] }).collect()
    }

    /// The runs that were kept.
    pub(crate) fn kept(&self) -> Vec<&Run> {
        self.runs.iter().filter_map(|run| run.run.as_ref()).collect()
    }
}

type Outcome = Result<Done>;

/// What became of one run.
struct Done {
    size: u64,
    scores: Scores,
    others: Vec<Scores>,
    run: Option<Run>,
    warnings: Warnings,
}

/// How one run is scored.
struct One<'e> {
    evaluation: &'e Evaluation<'e>,
}

impl One<'_> {
    /// Scores a run: while it is read, if nothing else is done with it.
    fn score(&self, path: &Path, besides: &Besides<'_>, keep: bool) -> Outcome {
        let mut warnings = Warnings::default();
        let source = Source::open(path)?;
        let (mut scores, mut others, mut run) = (None, Vec::new(), None);
        if keep || !besides.evaluations.is_empty() {
            let lenient = self.evaluation.lenient;
            let options = RunOptions { lenient, ..RunOptions::default() };
            let read = io::read_run(&source, options, &mut warnings)?;
            scores = Some(self.evaluation.score(&read, &mut warnings)?);
            for other in &besides.evaluations {
                others.push(other.score(&read, &mut Warnings::default())?);
            }
            run = Some(read).filter(|_| keep);
        }
        let scores = match scores {
            Some(scores) => scores,
            None => self.evaluation.run(&source, &mut warnings)?,
        };
        Ok(Done { size: source.size(), scores, others, run, warnings })
    }
}

/// The outcomes in the order of the runs, up to the first failure if that ends the work.
fn in_parallel<T: Send>(
    paths: &[PathBuf],
    threads: usize,
    keep_going: bool,
    one: impl Fn(usize, &Path) -> Result<T> + Sync,
) -> Result<Vec<Result<T>>> {
    let failed = AtomicUsize::new(usize::MAX);
    // A run behind one that failed will not be asked for; one before it always is, so the error
    // told does not depend on the threads.
    let attempt = |(i, path): (usize, &PathBuf)| {
        if i > failed.load(Ordering::Relaxed) {
            return None;
        }
        let outcome = one(i, path);
        if outcome.is_err() && !keep_going {
            failed.fetch_min(i, Ordering::Relaxed);
        }
        Some(outcome)
    };
    let workers = threads.min(paths.len());
    let outcomes: Vec<Option<Result<T>>> = if workers > 1 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
        let pool = pool.map_err(|e| {
            Error::usage(format!("{workers} threads cannot be started: {e}"))
                .help("ask for fewer with --threads")
        })?;
        pool.install(|| paths.par_iter().enumerate().with_max_len(1).map(attempt).collect())
    } else {
        paths.iter().enumerate().map(attempt).collect()
    };
    Ok(outcomes.into_iter().flatten().collect())
}

/// The bytes to read, if the files tell: what a compressed one holds is known at its end only.
fn total_size(paths: &[PathBuf]) -> Option<u64> {
    let size = |path: &PathBuf| {
        let suffixes = ["gz", "zst", "lz4", "bz2"];
        let compressed = path.extension().is_some_and(|e| suffixes.iter().any(|s| e == *s));
        std::fs::metadata(path).ok().filter(|meta| meta.is_file() && !compressed).map(|m| m.len())
    };
    paths.iter().map(size).sum()
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
        let paths: Vec<PathBuf> = (0..20).map(|i| PathBuf::from(format!("run {i}"))).collect();
        let fail = |_, path: &Path| Err::<(), _>(Error::usage(path.display().to_string()));
        for threads in [1, 2, 8] {
            let outcomes = in_parallel(&paths, threads, false, fail).unwrap();
            assert_eq!(outcomes[0].as_ref().unwrap_err().to_string(), "run 0");
            let all = in_parallel(&paths, threads, true, fail).unwrap();
            assert_eq!(all.len(), 20);
            assert_eq!(all[19].as_ref().unwrap_err().to_string(), "run 19");
        }
    }
}
