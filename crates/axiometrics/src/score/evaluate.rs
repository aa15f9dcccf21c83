//! From a run to its scores.
//!
//! [`Evaluation::score`] takes a run that is in memory. [`Evaluation::run`] takes a file and has the
//! same result: if the file is grouped by topic it is scored while it is read, in one pass and
//! little memory, by several threads if it is large. The first topic that comes again sends the
//! work to the general path, which gathers the rows of each topic first. All feed the same
//! [`Aligner`], so they cannot disagree on what a ranking is.

mod complete;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::cells::{Cells, Coverage, Unscored};
use super::extent::{Cutoffs, Extent};
use super::ranges::Vary;
use super::scores::{Scores, WeightedScore};
use crate::align::{Aligner, Policy};
use crate::data::run::first_duplicate;
use crate::data::{Entries, Judged, Listing, Needs, Qrels, Run};
use crate::error::{Error, Place, Result};
use crate::io::run::read_entries;
use crate::io::split::{self, Piece, SplitSource};
use crate::io::trec::{Halt, Layout, Scan, Sink, TopicLines};
use crate::io::{self, Content, Format, Glance, Reading, RunOptions, Source};
use crate::measure::Metric;
use crate::policy::{Missing, Policies, Rounding, Undefined};
use crate::warning::{WarningKind, Warnings};
use crate::work::Work;

/// What is to be scored, and how.
pub struct Evaluation<'a> {
    /// The judgements.
    pub qrels: &'a Qrels,
    /// The measures.
    pub metrics: &'a [Metric],
    /// How runs become judged topics. What the measures need is added to it.
    pub policy: Policy,
    /// What is done about missing topics.
    pub missing: Missing,
    /// What summaries will do with undefined scores; here it only decides whether they are an error.
    pub undefined: Undefined,
    /// Lines that are wrong are counted and left out instead of being errors.
    pub lenient: bool,
    /// How the rows of a file become a run. A run in memory is taken as it is.
    pub reading: Reading,
    /// Topics without a relevant document are left out, by every measure alike.
    pub prune: bool,
    /// Find the range of each score too, if these documents vary.
    pub ranges: Option<Vary>,
    /// How many threads may work on one run, and whether its scores are still wanted.
    pub work: Work,
    /// What is computed of a topic in place of the measures.
    row: Option<&'a TopicNumbers<'a>>,
    /// How a measure scores a topic, in place of its own way.
    pub(super) scorer: Option<&'a TopicScorer<'a>>,
}

/// The score of a topic, given also by its number in the judgements, and its weight.
pub(super) type TopicScorer<'s> = dyn Fn(u32, &Metric, &Judged<'_>) -> WeightedScore + Sync + 's;

/// Computes the numbers of one topic, given by its number in the judgements, and appends them to a
/// row. It may be called twice for a topic: a file that turns out not to be grouped by topic is read
/// again.
pub type TopicNumbers<'r> = dyn Fn(u32, &Judged<'_>, &mut Vec<f64>) + Sync + 'r;

/// What a [`TopicNumbers`] said of the topics of a run.
#[derive(Debug, Default)]
pub struct NumbersByTopic {
    /// The topics that the run and the judgements share, in no particular order.
    pub topics: Vec<u32>,
    /// Their numbers, row by row.
    pub values: Vec<f64>,
    /// How many topics of the run have no judgements.
    pub unjudged: usize,
    /// The tag on the last line of a TREC run, if it has one.
    pub tag: Option<Vec<u8>>,
}

impl<'a> Evaluation<'a> {
    /// The default choices for these judgements and measures.
    pub fn new(qrels: &'a Qrels, metrics: &'a [Metric]) -> Evaluation<'a> {
        Evaluation {
            qrels,
            metrics,
            policy: Policy::default(),
            missing: Missing::Zero,
            undefined: Undefined::Zero,
            lenient: false,
            reading: Reading::default(),
            prune: false,
            ranges: None,
            work: Work::alone(),
            row: None,
            scorer: None,
        }
    }

    /// The choices that somebody made, on one thread.
    pub fn under(policies: &Policies, qrels: &'a Qrels, metrics: &'a [Metric]) -> Evaluation<'a> {
        let Policies { ties, scores, depth, order, duplicates, pool, .. } = *policies;
        let pool = pool.unwrap_or_default();
        Evaluation {
            reading: Reading { order, duplicates, pool, parts: None },
            policy: Policy { ties, scores, depth, ..Policy::default() },
            missing: policies.missing,
            undefined: policies.undefined,
            lenient: policies.lenient,
            prune: policies.prune,
            ..Evaluation::new(qrels, metrics)
        }
    }

    /// The scores of a run.
    pub fn score(&self, run: &Run, warnings: &mut Warnings) -> Result<Scores> {
        self.refuse_swapped(run.name(), &Glance::of_run(run))?;
        let partial = self.work.or_cancelled(self.of_run(run))?;
        self.complete(run.name(), partial, warnings)
    }

    /// The scores of a part of a run by the judgements of the same topics: there may be no topic in
    /// common, and then only missing ones are scored.
    pub fn score_part(&self, run: &Run, warnings: &mut Warnings) -> Result<Scores> {
        let partial = self.work.or_cancelled(self.of_run(run))?;
        self.filled(run.name(), partial, warnings)
    }

    /// The scores of the run in a file, of whatever format: those that [`Evaluation::score`] gives
    /// after [`io::read_run`], and the warnings of both, without keeping the run.
    pub fn run(&self, source: &Source, warnings: &mut Warnings) -> Result<Scores> {
        if !self.reading.is_plain() {
            let options = self.run_options();
            return self.score(&io::read_run(source, options, warnings)?, warnings);
        }
        let partial = self.work.or_cancelled(self.of_file(source, warnings))?;
        self.complete(source.name(), partial, warnings)
    }

    /// What `row` says of each judged topic of a run file, in place of the measures: for those who
    /// see more in a topic than one measure does, or treat missing topics in a way of their own.
    /// `policy` says what it needs.
    pub fn rows(
        &self,
        source: &Source,
        row: &TopicNumbers<'_>,
        warnings: &mut Warnings,
    ) -> Result<NumbersByTopic> {
        let evaluation = self.with_row(row);
        if self.reading.is_plain() {
            return Ok(evaluation.of_file(source, warnings)?.into());
        }
        let run = io::read_run(source, self.run_options(), warnings)?;
        Ok(NumbersByTopic { tag: run.tag().map(<[u8]>::to_vec), ..evaluation.of_run(&run)?.into() })
    }

    /// The same of a run in memory.
    pub fn rows_of(&self, run: &Run, row: &TopicNumbers<'_>) -> Result<NumbersByTopic> {
        Ok(self.with_row(row).of_run(run)?.into())
    }

    /// The same evaluation as a part of other work.
    pub(super) fn with_work(&self, work: Work) -> Evaluation<'a> {
        Evaluation { work, reading: self.reading.clone(), ..*self }
    }

    /// How runs are read for it.
    pub fn run_options(&self) -> RunOptions {
        RunOptions { lenient: self.lenient, reading: self.reading.clone(), ..RunOptions::default() }
    }

    /// Refuses judgements that look like a run together with a run that looks like judgements.
    fn refuse_swapped(&self, name: &str, run: &Glance) -> Result<()> {
        let Some((_, grade)) = self.qrels.looks_like_scores() else { return Ok(()) };
        // Who compares scores with grades means numbers on both sides.
        let by_scores = self.metrics.iter().all(|metric| metric.needs().scores);
        if !run.looks_like_grades() || (by_scores && !self.metrics.is_empty()) {
            return Ok(());
        }
        let message = format!(
            "the scores of the run look like grades, and the grades of the judgements like scores (such as {grade})"
        );
        Err(Error::input(Place::file(name), message).help(io::SWAPPED))
    }

    fn with_row<'r>(&'r self, row: &'r TopicNumbers<'r>) -> Evaluation<'r> {
        let (work, reading) = (self.work.clone(), self.reading.clone());
        Evaluation { metrics: &[], ranges: None, row: Some(row), work, reading, ..*self }
    }

    pub(super) fn check_needs(&self) -> Result<()> {
        if self.policy().needs.judged && !self.qrels.is_complete() {
            return Err(Error::usage(
                "these measures need all judgements, but only those above zero were read",
            ));
        }
        Ok(())
    }

    fn of_run(&self, run: &Run) -> Result<Partial> {
        self.check_needs()?;
        let mut scorer = Scorer::new(self, run.name()).with_room();
        for topic in run.topics() {
            self.work.check()?;
            // A run has each topic and each document of a topic once.
            scorer.topic(run.topic_bytes(topic), run.listing(topic)).map_err(|_| unsound())?;
        }
        Ok(scorer.into_partial())
    }

    fn of_file(&self, source: &Source, warnings: &mut Warnings) -> Result<Partial> {
        self.check_needs()?;
        let format = io::run::run_format(source, None, &self.reading, warnings)?;
        if self.qrels.looks_like_scores().is_some() {
            self.refuse_swapped(source.name(), &Glance::of_source(source, format))?;
        }
        match format {
            Format::Trec => self.trec(source, warnings),
            other => {
                let mut met = Warnings::default();
                let rows = read_entries(source, Content::Run, other, self.lenient, &mut met)?;
                let partial = self.entries(source.name(), rows.entries, &mut met)?;
                warnings.extend(met);
                Ok(partial)
            }
        }
    }

    fn trec(&self, source: &Source, warnings: &mut Warnings) -> Result<Partial> {
        if self.work.threads() > 1
            && let Some(pieces) = split::pieces(source, self.work.threads())?
            && let Some(partial) = self.pieces(source, &pieces)
        {
            return Ok(partial);
        }
        let mut scorer = Scorer::new(self, source.name()).with_room();
        let mut met = Warnings::default();
        let scan = Scan::new(source, self.layout(), self.lenient);
        match scan.read(source.read()?, &mut met, &mut scorer) {
            Ok(scanned) => {
                met.extend(std::mem::take(&mut scorer.warnings));
                warnings.extend(met);
                Ok(Partial { tag: scanned.tag, ..scorer.into_partial() })
            }
            Err(Halt::Failed(e)) => Err(e),
            Err(Halt::Scattered) => {
                self.work.check()?;
                self.scattered(source, warnings)
            }
        }
    }

    /// Pieces of one file in parallel. `None` if anything is not as it should be: the file is then
    /// read in one piece, which knows the lines of errors.
    fn pieces(&self, source: &Source, pieces: &[Piece<'_>]) -> Option<Partial> {
        let next = AtomicUsize::new(0);
        let scan = Scan::new(source, self.layout(), false);
        let work = || {
            let mut parts = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(piece) = pieces.get(number) else { return Some(parts) };
                let mut scorer = Scorer::new(self, source.name());
                let input = source.watch(piece.reader());
                let scanned = scan.read(input, &mut Warnings::default(), &mut scorer).ok()?;
                // What is to be told of a line needs its number, which is not known here.
                if !scorer.warnings.is_empty() {
                    return None;
                }
                parts.push((number, Partial { tag: scanned.tag, ..scorer.into_partial() }));
            }
        };
        let threads: Option<Vec<_>> = std::thread::scope(|scope| {
            let handles: Vec<_> =
                (0..self.work.threads().min(pieces.len())).map(|_| scope.spawn(work)).collect();
            handles.into_iter().map(|h| h.join().ok().flatten()).collect()
        });
        // In the order of the file, whoever read them.
        let mut parts: Vec<(usize, Partial)> = threads?.into_iter().flatten().collect();
        parts.sort_by_key(|(number, _)| *number);
        let mut whole = Partial::new(self.qrels.len());
        parts.into_iter().all(|(_, part)| whole.merge(part)).then_some(whole)
    }

    /// The general path for a TREC run: topics are gathered first, in memory, or in several passes
    /// over temporary files if that would be too much.
    fn scattered(&self, source: &Source, warnings: &mut Warnings) -> Result<Partial> {
        let SplitSource { sources, tag } = split::by_topic(source)?;
        let whole = [source];
        let parts: Vec<&Source> =
            if sources.is_empty() { whole.to_vec() } else { sources.iter().collect() };
        let mut partial = Partial::new(self.qrels.len());
        let (mut met, mut failed) = (Warnings::default(), None);
        for part in parts {
            let found = read_entries(part, Content::Run, Format::Trec, self.lenient, &mut met)
                .and_then(|rows| {
                    let scored = self.entries(source.name(), rows.entries, &mut met)?;
                    Ok(Partial { tag: rows.tag, ..scored })
                });
            match found.map(|found| partial.merge(found)) {
                Ok(true) => {}
                Ok(false) => return Err(unsound()),
                Err(error) => failed = Some(earlier(failed, error)),
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        warnings.extend(met);
        Ok(Partial { tag: if sources.is_empty() { partial.tag } else { tag }, ..partial })
    }

    /// The general path: rows of topics in any order.
    fn entries(
        &self,
        name: &str,
        mut entries: Entries,
        warnings: &mut Warnings,
    ) -> Result<Partial> {
        let mut scorer = Scorer::new(self, name);
        if entries.each_topic(|topic, documents| scorer.topic(topic, documents)).is_err() {
            self.work.check()?;
            entries.group();
            return Err(first_duplicate(name, &entries).unwrap_or_else(unsound));
        }
        warnings.extend(std::mem::take(&mut scorer.warnings));
        Ok(scorer.into_partial())
    }

    fn policy(&self) -> Policy {
        let needs = self.metrics.iter().fold(Needs::POSITIVE, |all, m| all.union(m.needs()));
        let needs = if self.ranges.is_some() { needs.union(Needs::JUDGED) } else { needs };
        Policy { needs: needs.union(self.policy.needs), ..self.policy }
    }

    /// Most measures see of a run its ranking alone.
    fn layout(&self) -> Layout {
        let policy = self.policy();
        if policy.needs.scores || policy.scores == Rounding::F32 {
            Layout::Run
        } else {
            Layout::Ranking
        }
    }
}

/// Of two errors the one that is told wherever the other is met too: a line that cannot be read
/// before a document that comes twice, the earlier line first.
fn earlier(known: Option<Error>, other: Error) -> Error {
    let rank = |e: &Error| (e.is_duplicate(), e.place().and_then(|place| place.line));
    match known {
        Some(known) if rank(&known) <= rank(&other) => known,
        _ => other,
    }
}

/// What cannot happen, told instead of a wrong number.
fn unsound() -> Error {
    Error::usage("a topic was met twice after its lines were gathered: please report this")
}

/// The scores of some topics of a run, in the order they were read. Parts of a run merge into the
/// whole.
struct Partial {
    topics: Vec<u32>,
    values: Vec<f64>,
    seen: Vec<bool>,
    unjudged: HashSet<Vec<u8>>,
    coverage: Coverage,
    /// A document of the run.
    example: Option<(u32, Vec<u8>)>,
    extent: Extent,
    /// How much ties could take from the scores of each measure, and add to them, over all topics.
    ties: Vec<(f64, f64)>,
    undefined: Vec<Unscored>,
    tag: Option<Vec<u8>>,
}

impl From<Partial> for NumbersByTopic {
    fn from(Partial { topics, values, unjudged, tag, .. }: Partial) -> NumbersByTopic {
        NumbersByTopic { topics, values, unjudged: unjudged.len(), tag }
    }
}

impl Partial {
    fn new(topics: usize) -> Partial {
        Partial {
            topics: Vec::new(),
            values: Vec::new(),
            seen: vec![false; topics],
            unjudged: HashSet::new(),
            coverage: Coverage::default(),
            example: None,
            extent: Extent::default(),
            ties: Vec::new(),
            undefined: Vec::new(),
            tag: None,
        }
    }

    /// Adds what comes behind in the file. False if both have a topic.
    fn merge(&mut self, other: Partial) -> bool {
        let mut apart = true;
        for topic in &other.topics {
            apart &= !std::mem::replace(&mut self.seen[*topic as usize], true);
        }
        self.coverage.merge(other.coverage);
        self.example = self.example.take().into_iter().chain(other.example).min();
        self.extent.merge(other.extent);
        self.ties.resize(self.ties.len().max(other.ties.len()), (0.0, 0.0));
        for (sum, part) in self.ties.iter_mut().zip(other.ties) {
            *sum = (sum.0 + part.0, sum.1 + part.1);
        }
        self.tag = other.tag;
        self.topics.extend(other.topics);
        self.values.extend(other.values);
        self.undefined.extend(other.undefined);
        for topic in other.unjudged {
            apart &= self.unjudged.insert(topic);
        }
        apart
    }
}

/// Scores each topic as it ends.
pub(super) struct Scorer<'e> {
    evaluation: &'e Evaluation<'e>,
    name: &'e str,
    aligner: Aligner<'e>,
    partial: Partial,
    cells: Cells<'e>,
    cutoffs: Cutoffs,
    warnings: Warnings,
    /// The topic that came last: the next one in the judgements is a good guess.
    last: u32,
}

impl<'e> Scorer<'e> {
    pub(super) fn new(evaluation: &'e Evaluation<'e>, name: &'e str) -> Scorer<'e> {
        Scorer {
            evaluation,
            name,
            aligner: Aligner::new(evaluation.qrels, evaluation.policy()),
            partial: Partial::new(evaluation.qrels.len()),
            cells: Cells::new(evaluation),
            cutoffs: Cutoffs::new(evaluation.metrics),
            warnings: Warnings::default(),
            last: u32::MAX,
        }
    }

    /// Makes room for the scores of all judged topics: a table that grows step by step leaves holes
    /// in memory.
    fn with_room(mut self) -> Scorer<'e> {
        let width = self.cells.layout().width();
        self.partial.values.reserve_exact(self.evaluation.qrels.len() * width);
        self
    }

    /// Scores a topic. Fails if it has a document twice, if the topic came before, or if its score is
    /// no longer wanted.
    pub(super) fn topic(
        &mut self,
        name: &[u8],
        documents: Listing<'_>,
    ) -> std::result::Result<(), Again> {
        let evaluation = self.evaluation;
        if evaluation.work.is_cancelled() {
            return Err(Again);
        }
        let topic = self.find(name);
        let new = match topic {
            Some(topic) => !std::mem::replace(&mut self.partial.seen[topic as usize], true),
            None => self.partial.unjudged.insert(name.to_vec()),
        };
        if !new {
            return Err(Again);
        }
        let once;
        let mut documents = documents;
        if evaluation.lenient && self.aligner.check_unjudged(documents).is_err() {
            once = documents.once();
            if let Some(first) = once.repeats.first() {
                let (count, line) = (once.repeats.len() as u64, documents.line(*first));
                self.warnings.add(WarningKind::DuplicateDocument, count, self.name, line);
            }
            documents.rows = &once.rows;
        }
        match topic {
            Some(topic) => {
                let (judged, ties) = self.aligner.align(topic, documents).map_err(|_| Again)?;
                self.partial.topics.push(topic);
                match evaluation.row {
                    Some(row) => row(topic, &judged, &mut self.partial.values),
                    None => {
                        self.partial.coverage.count(&judged);
                        // Told only if nothing at all is judged, and then of the first topic,
                        // whatever comes first in the file.
                        if self.partial.coverage.judged == 0
                            && self.partial.example.as_ref().is_none_or(|(first, _)| topic < *first)
                        {
                            let ids = (0..documents.rows.len()).map(|row| documents.id(row));
                            self.partial.example = ids.min().map(|id| (topic, id.to_vec()));
                        }
                        self.partial.extent.count(self.cutoffs, &judged);
                        self.cells.push(topic, &judged, ties, &mut self.partial.values);
                    }
                }
            }
            None => self.aligner.check_unjudged(documents).map_err(|_| Again)?,
        }
        Ok(())
    }

    pub(super) fn is_lenient(&self) -> bool {
        self.evaluation.lenient
    }

    pub(super) fn check_work(&self) -> Result<()> {
        self.evaluation.work.check()
    }

    /// The scores of all topics that came.
    pub(super) fn finish(mut self, name: &str, warnings: &mut Warnings) -> Result<Scores> {
        warnings.extend(std::mem::take(&mut self.warnings));
        self.evaluation.complete(name, self.into_partial(), warnings)
    }

    fn into_partial(self) -> Partial {
        let (ties, undefined) = self.cells.finish();
        Partial { ties, undefined, ..self.partial }
    }

    fn find(&mut self, name: &[u8]) -> Option<u32> {
        let qrels = self.evaluation.qrels;
        let guess = self.last.wrapping_add(1);
        if (guess as usize) < qrels.len() && qrels.topic_bytes(guess) == name {
            self.last = guess;
            return Some(guess);
        }
        let found = qrels.find(name);
        self.last = found.unwrap_or(self.last);
        found
    }
}

/// A topic came again, or a document within its topic; or the work was cancelled.
pub(super) struct Again;

impl Sink for Scorer<'_> {
    fn group(&mut self, group: &TopicLines<'_>) -> std::result::Result<(), Halt> {
        // If a document comes twice, the general path tells which.
        self.topic(group.topic, group.listing()).map_err(|Again| Halt::Scattered)
    }
}
