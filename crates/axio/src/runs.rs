//! Judgements and runs as the commands read and score them: the only place where files are opened
//! and threads are shared out.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use axiometrics::data::{Facet, Needs, Qrels};
use axiometrics::io::{self, QrelsOptions, Source};
use axiometrics::measure::{Aggregate, Metric};
use axiometrics::policy::Ties;
use axiometrics::policy::Undefined;
use axiometrics::score::{Evaluation, RunScores, System};
use axiometrics::warning::{Kind, Warnings};
use axiometrics::{Error, Place, Result};
use rayon::prelude::*;

use crate::args::{Policies, Work};
use crate::output;
use crate::progress;

/// A run that was scored.
pub(crate) struct Scored {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) scores: RunScores,
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
        evaluation.lenient = policies.lenient;
        evaluation.threads = (work.threads() / paths.len().max(1)).max(1);
        evaluation.ranges = policies.ranges;
        evaluation.progress = progress;
        in_parallel(sources, work.threads(), keep_going, |source| {
            one(&evaluation, &source?, policies.undefined)
        })
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
                a.scores.topics == b.scores.topics && a.scores.column(m).eq(b.scores.column(m))
            })
        };
        !self.runs.iter().zip(&other.runs).all(|(a, b)| same(a, b))
    }

    /// The runs as they are compared.
    pub(crate) fn systems(&self) -> Vec<System<'_>> {
        self.runs.iter().map(|run| System { name: &run.name, scores: &run.scores }).collect()
    }
}

type Outcome = Result<(RunScores, Warnings)>;

fn one(evaluation: &Evaluation<'_>, source: &Source, policy: Undefined) -> Outcome {
    let mut warnings = Warnings::default();
    let scores = evaluation.run(source, &mut warnings)?;
    for (column, metric) in evaluation.metrics.iter().enumerate() {
        let undefined = scores.undefined(column);
        let Some(first) = undefined.first() else { continue };
        let example =
            format!("{metric} for topic {}", evaluation.qrels.topic_name(scores.topics[*first]));
        if policy == Undefined::Error {
            let message =
                format!("{} undefined scores, the first of them {example}", undefined.len());
            return Err(Error::input(Place::file(source.name()), message)
                .help("--undefined zero counts them as 0 in the summary, --undefined skip leaves them out"));
        }
        warnings.add_example(Kind::UndefinedScore, undefined.len() as u64, source.name(), &example);
    }
    warn_of_ties(evaluation, &scores, source.name(), &mut warnings);
    warn_of_samples(evaluation, &scores, source.name(), &mut warnings);
    if let Some(coverage) =
        scores.coverage.filter(|c| evaluation.ranges.is_some() && c.judged < c.retrieved)
    {
        let share = |judged: u64, all: u64| 100.0 * (all - judged) as f64 / all as f64;
        let top = share(coverage.top_judged, coverage.top);
        let example = format!(
            "{top:.1}% of the top 10, {:.1}% of all",
            share(coverage.judged, coverage.retrieved)
        );
        warnings.add_example(
            Kind::UnjudgedDocument,
            coverage.retrieved - coverage.judged,
            source.name(),
            &example,
        );
    }
    Ok((scores, warnings))
}

/// A mean that ties could change by more than this is told.
const TIES_MATTER: f64 = 0.001;
/// The measures named with what ties could do to them, the largest effects first.
const EFFECTS_TOLD: usize = 4;

fn warn_of_ties(
    evaluation: &Evaluation<'_>,
    scores: &RunScores,
    name: &str,
    warnings: &mut Warnings,
) {
    if matches!(evaluation.policy.ties, Ties::Average | Ties::Range) {
        return;
    }
    let topics = scores.topics.len() as f64;
    let effects = evaluation
        .metrics
        .iter()
        .zip(&scores.ties)
        .filter(|(metric, _)| metric.aggregate() == Aggregate::Mean);
    let effects = effects.map(|(metric, (down, up))| (metric, down / topics, up / topics));
    let mut effects: Vec<(&Metric, f64, f64)> =
        effects.filter(|(_, down, up)| down.max(*up) > TIES_MATTER).collect();
    if effects.is_empty() {
        return;
    }
    effects.sort_by(|a, b| b.1.max(b.2).total_cmp(&a.1.max(a.2)));
    let mut told: Vec<String> = effects
        .iter()
        .take(EFFECTS_TOLD)
        .map(|(metric, down, up)| format!("{metric} by {}", effect(*down, *up)))
        .collect();
    if effects.len() > EFFECTS_TOLD {
        told.push(format!("{} more by less", effects.len() - EFFECTS_TOLD));
    }
    warnings.add_example(Kind::Ties, effects.len() as u64, name, &told.join(", "));
}

/// What ties could take and add, without the side that shows as nothing.
fn effect(down: f64, up: f64) -> String {
    let shows = |x: f64| x >= 0.00005;
    match (shows(down), shows(up)) {
        (false, _) => format!("as much as +{up:.4}"),
        (true, false) => format!("as much as -{down:.4}"),
        (true, true) => format!("-{down:.4} to +{up:.4}"),
    }
}

/// A score that is a mean over some of the orders of tied documents comes with its standard error.
fn warn_of_samples(
    evaluation: &Evaluation<'_>,
    scores: &RunScores,
    name: &str,
    warnings: &mut Warnings,
) {
    for (column, metric) in evaluation.metrics.iter().enumerate() {
        let errors = (0..scores.topics.len())
            .filter_map(|row| Some((row, scores.standard_error(row, column)?)));
        let Some((row, worst)) = errors.max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        let example = format!(
            "{metric} for topic {}, standard error {worst:.1e}",
            evaluation.qrels.topic_name(scores.topics[row])
        );
        warnings.add_example(Kind::SampledOrders, scores.sampled(column) as u64, name, &example);
    }
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

/// Names for tables: file names, whole paths where those are equal, numbered where even these are.
pub(crate) fn unique_names(paths: &[PathBuf]) -> Vec<String> {
    let paths: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
    let short: Vec<String> =
        paths.iter().map(|p| Source::from_bytes(p.as_str(), "").short_name()).collect();
    let repeated =
        |names: &[String], name: &String| names.iter().filter(|n| *n == name).count() > 1;
    let mut names: Vec<String> = Vec::with_capacity(paths.len());
    for (path, short_name) in paths.iter().zip(&short) {
        let base = if repeated(&short, short_name) { path } else { short_name };
        let numbered = (2..).map(|n| format!("{base}#{n}"));
        names.extend(
            std::iter::once(base.clone()).chain(numbered).find(|name| !names.contains(name)),
        );
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_unique() {
        let unique =
            |paths: &[&str]| unique_names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(unique(&["a/x.run.gz", "a/y.run"]), ["x.run", "y.run"]);
        assert_eq!(unique(&["a/x.run", "b/x.run", "y"]), ["a/x.run", "b/x.run", "y"]);
        assert_eq!(unique(&["x.run", "x.run", "x.run#2"]), ["x.run", "x.run#2", "x.run#2#2"]);
    }

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
