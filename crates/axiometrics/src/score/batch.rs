//! Many runs, scored alike.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::common::System;
use super::evaluate::Evaluation;
use super::scores::Scores;
use crate::data::Run;
use crate::error::{Error, Result};
use crate::io::{self, Source};
use crate::remedy::{Remedy, Setting};
use crate::warning::{WarningKind, Warnings};

/// How many runs are scored, each of which is read once.
///
/// The threads of the evaluation's work are shared out: several runs at once, and several threads
/// for a run if there are more threads than runs.
pub struct Batch<'a> {
    /// How every run is scored.
    pub evaluation: Evaluation<'a>,
    /// The other ways in which it is scored while it is in memory. Nothing is told of them: what is
    /// odd about a run is told once.
    pub others: Vec<Evaluation<'a>>,
    /// The numbers of the runs that are kept in memory.
    pub keep: Vec<usize>,
    /// A run that cannot be read is left out. Otherwise the first one, in the order of the runs,
    /// ends the work.
    pub keep_going: bool,
}

/// A run that was scored.
#[derive(Debug)]
pub struct ScoredRun {
    /// Its number among the runs.
    pub number: usize,
    /// Its name for tables, which no other run has.
    pub name: String,
    /// The tag that a TREC file gives it, on its first line.
    pub tag: Option<String>,
    /// How many bytes its file has.
    pub size: u64,
    /// Its scores.
    pub scores: Scores,
    /// Its scores by the other evaluations.
    pub others: Vec<Scores>,
    /// The run itself, if it was to be kept.
    pub run: Option<Run>,
}

/// What became of several runs.
#[derive(Debug, Default)]
pub struct ScoredRuns {
    /// Those that were scored, in order.
    pub runs: Vec<ScoredRun>,
    /// Why the others were left out, in order.
    pub left_out: Vec<Error>,
}

impl<'a> Batch<'a> {
    /// Runs are scored in this one way, none is kept, and the first that cannot be read ends the
    /// work.
    pub fn new(evaluation: Evaluation<'a>) -> Batch<'a> {
        Batch { evaluation, others: Vec::new(), keep: Vec::new(), keep_going: false }
    }

    /// Scores runs, each under its name. `open` opens each when its turn comes.
    pub fn score<S: AsRef<str>>(
        &self,
        names: &[S],
        open: impl Fn(usize) -> Result<Source> + Sync,
        warnings: &mut Warnings,
    ) -> Result<ScoredRuns> {
        let results = self.each(names.len(), &open)?;
        let mut all = ScoredRuns::default();
        for ((number, name), result) in names.iter().map(AsRef::as_ref).enumerate().zip(results) {
            match result {
                Ok((run, met)) => {
                    warnings.extend(met);
                    all.runs.push(ScoredRun { number, name: name.to_string(), ..run });
                }
                Err(error) if self.keep_going && !error.is_cancelled() => {
                    let text = error.to_string();
                    let first = text.lines().next().unwrap_or_default();
                    warnings.add_example(WarningKind::RunLeftOut, 1, name, first);
                    all.left_out.push(error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }

    /// The outcomes in the order of the runs, up to the first failure if that ends the work.
    fn each(
        &self,
        runs: usize,
        open: &(impl Fn(usize) -> Result<Source> + Sync),
    ) -> Result<Vec<Result<(ScoredRun, Warnings)>>> {
        let work = &self.evaluation.work;
        let evaluation = self.evaluation.with_work(work.shared_by(runs));
        in_order(runs, work.threads(), self.keep_going, |number| {
            let source = open(number)?.watched(work);
            work.or_cancelled(self.one(&evaluation, &source, number))
        })
    }

    /// Scores a run: while it is read, if nothing else is done with it.
    fn one(
        &self,
        evaluation: &Evaluation<'_>,
        source: &Source,
        number: usize,
    ) -> Result<(ScoredRun, Warnings)> {
        let mut warnings = Warnings::default();
        let keep = self.keep.contains(&number);
        let mut others = Vec::with_capacity(self.others.len());
        let mut run = None;
        let scores = if keep || !self.others.is_empty() {
            let read = io::read_run(source, evaluation.run_options(), &mut warnings)?;
            let scores = evaluation.score(&read, &mut warnings)?;
            for other in &self.others {
                others.push(other.score(&read, &mut Warnings::default())?);
            }
            run = Some(read).filter(|_| keep);
            scores
        } else {
            evaluation.run(source, &mut warnings)?
        };
        let (name, size, tag) = (String::new(), source.size(), io::first_tag(source));
        Ok((ScoredRun { number, name, tag, size, scores, others, run }, warnings))
    }
}

impl ScoredRuns {
    /// The runs as they are compared.
    pub fn systems(&self) -> Vec<System<'_>> {
        self.runs.iter().map(|run| System { name: &run.name, scores: &run.scores }).collect()
    }

    /// The runs by the other evaluation of this number.
    pub fn other_systems(&self, other: usize) -> Vec<System<'_>> {
        let scored = self.runs.iter().filter_map(|run| Some((&run.name, run.others.get(other)?)));
        scored.map(|(name, scores)| System { name, scores }).collect()
    }

    /// Whether some run has another score by the other evaluation of this number, in one of the
    /// first columns.
    pub fn differ(&self, other: usize, columns: usize) -> bool {
        let same = |a: &Scores, b: &Scores| {
            a.topics() == b.topics() && (0..columns).all(|m| a.column(m).eq(b.column(m)))
        };
        !self.runs.iter().all(|run| run.others.get(other).is_none_or(|o| same(&run.scores, o)))
    }

    /// The runs that were kept.
    pub fn kept(&self) -> Vec<&Run> {
        self.runs.iter().filter_map(|run| run.run.as_ref()).collect()
    }
}

/// The outcomes of numbered tasks in their order, up to the first failure unless failures are no
/// matter.
fn in_order<T: Send>(
    tasks: usize,
    threads: usize,
    keep_going: bool,
    one: impl Fn(usize) -> Result<T> + Sync,
) -> Result<Vec<Result<T>>> {
    let failed = AtomicUsize::new(usize::MAX);
    // A task behind one that failed will not be asked for; one before it always is, so the error
    // told does not depend on the threads.
    let attempt = |number: usize| {
        if number > failed.load(Ordering::Relaxed) {
            return None;
        }
        let outcome = one(number);
        if outcome.is_err() && !keep_going {
            failed.fetch_min(number, Ordering::Relaxed);
        }
        Some(outcome)
    };
    let workers = threads.min(tasks);
    let outcomes: Vec<Option<Result<T>>> = if workers > 1 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(workers).build();
        let pool = pool.map_err(|e| {
            let help =
                Remedy::default().option("ask for fewer with ", Setting::Named("threads"), "");
            Error::usage(format!("{workers} threads cannot be started: {e}")).help(help)
        })?;
        pool.install(|| (0..tasks).into_par_iter().with_max_len(1).map(attempt).collect())
    } else {
        (0..tasks).map(attempt).collect()
    };
    Ok(outcomes.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Qrels;
    use crate::io::QrelsOptions;
    use crate::measure::Metric;
    use crate::work::Work;

    #[test]
    fn the_first_failure_in_order_is_told() {
        let fail = |number: usize| Err::<(), _>(Error::usage(format!("run {number}")));
        for threads in [1, 2, 8] {
            let outcomes = in_order(20, threads, false, fail).unwrap();
            assert_eq!(outcomes[0].as_ref().unwrap_err().to_string(), "run 0");
            let all = in_order(20, threads, true, fail).unwrap();
            assert_eq!(all.len(), 20);
            assert_eq!(all[19].as_ref().unwrap_err().to_string(), "run 19");
        }
    }

    fn judged() -> Qrels {
        let source = Source::from_bytes("q", "1 0 a 1\n2 0 a 1\n");
        io::read_qrels(&source, QrelsOptions::default(), &mut Warnings::default()).unwrap()
    }

    const FILES: [&str; 4] = ["x/r.run", "y/r.run", "bad.run", "last.run"];

    fn open(number: usize) -> Result<Source> {
        let text = match number {
            2 => "1 Q0 a\n",
            _ => "1 Q0 a 1 2.0 t\n2 Q0 b 1 1.0 t\n",
        };
        Ok(Source::from_bytes(FILES[number], text))
    }

    #[test]
    fn runs_are_scored_once_in_every_way() {
        let (qrels, metrics) = (judged(), ["AP".parse::<Metric>().unwrap()]);
        let deep = ["RR".parse::<Metric>().unwrap(), "P@1".parse().unwrap()];
        for threads in [1, 3] {
            let mut evaluation = Evaluation::new(&qrels, &metrics);
            evaluation.work = Work::alone().with_threads(threads);
            let others = vec![Evaluation::new(&qrels, &deep)];
            let batch = Batch { others, keep: vec![1], keep_going: true, ..Batch::new(evaluation) };
            let mut warnings = Warnings::default();
            let scored = batch.score(&FILES, open, &mut warnings).unwrap();
            let names: Vec<&str> = scored.runs.iter().map(|run| run.name.as_str()).collect();
            assert_eq!(names, ["x/r.run", "y/r.run", "last.run"]);
            assert_eq!(scored.left_out.len(), 1);
            assert!(warnings.list().iter().any(|w| w.kind == WarningKind::RunLeftOut));
            for run in &scored.runs {
                assert_eq!(run.scores.column(0).collect::<Vec<_>>(), [Some(1.0), Some(0.0)]);
                assert_eq!(run.others[0].columns().len(), 2);
                assert_eq!(run.run.is_some(), run.number == 1);
            }
            assert_eq!(scored.kept().len(), 1);
            // AP is RR here; there is no second evaluation.
            assert!(!scored.differ(0, 1) && !scored.differ(1, 1));
            assert_eq!(batch.evaluation.work.done(), 3 * 30 + 7);
        }
    }

    #[test]
    fn another_evaluation_may_have_other_scores() {
        let qrels = Qrels::from_columns(&["1", "1"], &["a", "b"], &[1.0, 1.0]).unwrap();
        let metrics = ["RR", "AP"].map(|m| m.parse::<Metric>().unwrap());
        let others = [["RR", "P@1"], ["RR", "AP"]].map(|both| both.map(|m| m.parse().unwrap()));
        let others: Vec<Evaluation<'_>> =
            others.iter().map(|both: &[Metric; 2]| Evaluation::new(&qrels, both)).collect();
        let batch = Batch { others, ..Batch::new(Evaluation::new(&qrels, &metrics)) };
        let open = |_| Ok(Source::from_bytes("r", "1 Q0 a 1 2.0 t\n1 Q0 z 1 1.0 t\n"));
        let scored = batch.score(&["r"], open, &mut Warnings::default()).unwrap();
        // The first column is the same, the second is AP 0.5 beside P@1 1.
        assert_eq!((scored.differ(0, 1), scored.differ(0, 2)), (false, true));
        assert!(!scored.differ(1, 2));
    }

    #[test]
    fn a_failure_ends_the_work_unless_it_is_to_go_on() {
        let (qrels, metrics) = (judged(), ["AP".parse::<Metric>().unwrap()]);
        let batch = Batch::new(Evaluation::new(&qrels, &metrics));
        let error = batch.score(&FILES, open, &mut Warnings::default()).unwrap_err();
        assert!(error.to_string().starts_with("bad.run:1"), "{error}");
    }

    #[test]
    fn cancelled_work_ends_even_if_it_is_to_go_on() {
        let (qrels, metrics) = (judged(), ["AP".parse::<Metric>().unwrap()]);
        for others in [0, 1] {
            let others = (0..others).map(|_| Evaluation::new(&qrels, &metrics)).collect();
            let evaluation = Evaluation::new(&qrels, &metrics);
            let batch = Batch { others, keep_going: true, ..Batch::new(evaluation) };
            batch.evaluation.work.cancel();
            let error = batch.score(&FILES, open, &mut Warnings::default()).unwrap_err();
            assert!(error.is_cancelled(), "{error}");
        }
    }
}
