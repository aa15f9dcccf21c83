//! From a run file to its scores.
//!
//! A file that is grouped by topic is scored while it is read, in one pass and little memory, by
//! several threads where it is large. The first topic that comes again sends the work to the
//! general path, which gathers the rows of each topic first. Both feed the same [`Aligner`], so
//! they cannot disagree on what a ranking is.

use std::collections::HashSet;
use std::io::Read;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::cells::{Cells, Coverage};
use super::ranges::Vary;
use super::table::RunScores;
use crate::align::{self, Aligner, Policy, Tied};
use crate::data::{Entries, Judged, Listing, Needs, Qrels, Repeated};
use crate::error::{Error, Place, Result};
use crate::io::row::duplicate;
use crate::io::split::{self, Piece};
use crate::io::trec::{self, Group, Halt, Layout, Sink};
use crate::io::{self, Format, Source};
use crate::measure::Metric;
use crate::policy::{Missing, Scores};
use crate::remedy::Remedy;
use crate::warning::{Kind, Warnings};

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
    /// Lines that are wrong are counted and left out instead of being errors.
    pub lenient: bool,
    /// How many threads may work on one run.
    pub threads: usize,
    /// Find the range of each score too, where these documents vary.
    pub ranges: Option<Vary>,
    /// Counts the bytes read, for a progress bar.
    pub progress: Option<&'a AtomicU64>,
    /// What is computed of a topic in place of the measures.
    row: Option<&'a Row<'a>>,
}

/// Computes the numbers of one topic, given by its number in the judgements, and appends them to a
/// row. It must not mind being asked twice for a topic: a file that turns out not to be grouped by
/// topic is read again.
pub type Row<'r> = dyn Fn(u32, &Judged<'_>, &mut Vec<f64>) + Sync + 'r;

/// What a [`Row`] said of the topics of a run.
#[derive(Debug, Default)]
pub struct Rows {
    /// The topics that the run and the judgements share, in no particular order.
    pub topics: Vec<u32>,
    /// Their numbers, row by row.
    pub values: Vec<f64>,
    /// How many topics of the run have no judgements.
    pub unjudged: usize,
}

impl<'a> Evaluation<'a> {
    /// The default choices for these judgements and measures.
    pub fn new(qrels: &'a Qrels, metrics: &'a [Metric]) -> Evaluation<'a> {
        Evaluation {
            qrels,
            metrics,
            policy: Policy::default(),
            missing: Missing::Zero,
            lenient: false,
            threads: 1,
            ranges: None,
            progress: None,
            row: None,
        }
    }

    /// The scores of a run file, of whatever format.
    pub fn run(&self, source: &Source, warnings: &mut Warnings) -> Result<RunScores> {
        let partial = self.partial(source, warnings)?;
        self.complete(source.name(), partial, warnings)
    }

    /// What `row` says of each judged topic of a run file, in place of the measures: for those who
    /// see more in a topic than one measure does, or treat missing topics in a way of their own.
    /// `policy` says what it needs.
    pub fn rows(&self, source: &Source, row: &Row<'_>, warnings: &mut Warnings) -> Result<Rows> {
        let Evaluation { qrels, policy, missing, lenient, threads, progress, .. } = *self;
        let evaluation = Evaluation {
            qrels,
            metrics: &[],
            policy,
            missing,
            lenient,
            threads,
            ranges: None,
            progress,
            row: Some(row),
        };
        let Partial { topics, values, unjudged, .. } = evaluation.partial(source, warnings)?;
        Ok(Rows { topics, values, unjudged: unjudged.len() })
    }

    fn partial(&self, source: &Source, warnings: &mut Warnings) -> Result<Partial> {
        if self.policy().needs.judged && !self.qrels.is_complete() {
            return Err(Error::usage(
                "these measures need all judgements, but only those above zero were read",
            ));
        }
        match io::detect_run(source)? {
            Format::Trec => self.trec(source, warnings),
            other => {
                let entries = io::read_run(source, other, self.lenient, warnings)?;
                self.entries(source.name(), entries, warnings)
            }
        }
    }

    fn trec(&self, source: &Source, warnings: &mut Warnings) -> Result<Partial> {
        if let Some(pieces) = split::pieces(source, self.threads)?
            && let Some(partial) = self.pieces(source.name(), &pieces)
        {
            return Ok(partial);
        }
        let mut scorer = Scorer::new(self, source.name());
        let mut met = Warnings::default();
        let scanned = trec::scan(
            source.name(),
            self.counted(source.read()?),
            self.layout(),
            self.lenient,
            &mut met,
            &mut scorer,
        );
        match scanned {
            Ok(()) => {
                warnings.extend(met);
                warnings.extend(scorer.warnings);
                Ok(scorer.partial)
            }
            Err(Halt::Failed(e)) => Err(e),
            Err(Halt::Scattered) => self.scattered(source, warnings),
        }
    }

    /// Pieces of one file in parallel. `None` where anything is not as it should be: the file is
    /// then read in one piece, which knows the lines of errors.
    fn pieces(&self, name: &str, pieces: &[Piece]) -> Option<Partial> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut parts = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(piece) = pieces.get(number) else { return Some(parts) };
                let mut scorer = Scorer::new(self, name);
                let mut ignored = Warnings::default();
                trec::scan(
                    name,
                    self.counted(piece.reader()),
                    self.layout(),
                    false,
                    &mut ignored,
                    &mut scorer,
                )
                .ok()?;
                parts.push((number, scorer.partial));
            }
        };
        let threads: Option<Vec<_>> = std::thread::scope(|scope| {
            let handles: Vec<_> =
                (0..self.threads.min(pieces.len())).map(|_| scope.spawn(work)).collect();
            handles.into_iter().map(|h| h.join().ok().flatten()).collect()
        });
        // In the order of the file, whoever read them.
        let mut parts: Vec<(usize, Partial)> = threads?.into_iter().flatten().collect();
        parts.sort_by_key(|(number, _)| *number);
        let mut whole = Partial::new(self.qrels.len());
        parts.into_iter().all(|(_, part)| whole.merge(part)).then_some(whole)
    }

    /// The general path for a TREC run: topics are gathered first, in memory, or in several passes
    /// over temporary files where that would be too much.
    fn scattered(&self, source: &Source, warnings: &mut Warnings) -> Result<Partial> {
        let mut whole = Partial::new(self.qrels.len());
        for part in split::by_topic(source)?.iter().map(|p| p.as_ref().unwrap_or(source)) {
            let mut gathered = Warnings::default();
            let entries = io::read_run(part, Format::Trec, self.lenient, &mut gathered)?;
            warnings.extend(gathered);
            whole.merge(self.entries(source.name(), entries, warnings)?);
        }
        Ok(whole)
    }

    /// The general path: rows of topics in any order.
    pub(crate) fn entries(
        &self,
        name: &str,
        mut entries: Entries,
        warnings: &mut Warnings,
    ) -> Result<Partial> {
        let mut scorer = Scorer::new(self, name);
        entries.each_topic(|topic, documents| {
            scorer.topic(topic, documents).map_err(|repeated| match repeated {
                Some(repeated) => repeated_document(name, topic, documents, repeated),
                None => Error::usage("a topic came twice after grouping"),
            })
        })?;
        warnings.extend(scorer.warnings);
        Ok(scorer.partial)
    }

    /// Fills in the missing topics and sorts by name.
    fn complete(&self, name: &str, partial: Partial, warnings: &mut Warnings) -> Result<RunScores> {
        if partial.topics.is_empty() {
            let error = Error::input(Place::file(name), "no topic in common with the judgements");
            return Err(match partial.unjudged.iter().next() {
                Some(topic) => {
                    let topic = String::from_utf8_lossy(topic).into_owned();
                    let judged = self
                        .qrels
                        .topics()
                        .first()
                        .map_or(String::new(), |t| self.qrels.topic_name(*t));
                    error
                        .help(format!("the run has topic \"{topic}\", the judgements have \"{judged}\": do they belong to one collection?"))
                }
                None => Error::input(Place::file(name), "the run is empty")
                    .help("an empty file is no ranking; was the run written at all?"),
            });
        }
        let mut cells = Cells::new(self);
        let width = cells.layout().width();
        let mut at = vec![usize::MAX; self.qrels.len()];
        for (row, topic) in partial.topics.iter().enumerate() {
            at[*topic as usize] = row;
        }
        let missing = self.qrels.len() - partial.topics.len();
        if missing > 0 {
            let first = self.qrels.topics().iter().find(|t| at[**t as usize] == usize::MAX);
            let first =
                first.map_or(String::new(), |t| format!("topic {}", self.qrels.topic_name(*t)));
            if self.missing == Missing::Error {
                let error = Error::input(
                    Place::file(name),
                    format!("{missing} judged topics are missing from the run, among them {first}"),
                );
                return Err(error.help(Remedy::missing()));
            }
            warnings.add_example(Kind::MissingTopic, missing as u64, name, &first);
        }
        if let Some(example) = partial.unjudged.iter().min() {
            let example = format!("topic {}", String::from_utf8_lossy(example));
            warnings.add_example(
                Kind::UnjudgedTopic,
                partial.unjudged.len() as u64,
                name,
                &example,
            );
        }
        let kept =
            if self.missing == Missing::Skip { partial.topics.len() } else { self.qrels.len() };
        let mut topics = Vec::with_capacity(kept);
        let mut values = Vec::with_capacity(kept * width);
        let mut aligner = Aligner::new(self.qrels, self.policy);
        for topic in self.qrels.topics() {
            match at[*topic as usize] {
                usize::MAX if self.missing == Missing::Skip => continue,
                usize::MAX => {
                    let empty = aligner.empty(*topic);
                    cells.push(*topic, &empty, Tied::default(), &mut values);
                }
                row => values.extend_from_slice(&partial.values[row * width..(row + 1) * width]),
            }
            topics.push(*topic);
        }
        let mut scores =
            RunScores::new(topics, values, cells.layout(), missing, partial.unjudged.len());
        scores.coverage = self.policy().needs.judged.then_some(partial.coverage);
        scores.ties = partial.ties;
        Ok(scores)
    }

    fn policy(&self) -> Policy {
        let needs = self.metrics.iter().fold(Needs::POSITIVE, |all, m| all.union(m.needs()));
        let needs = if self.ranges.is_some() { needs.union(Needs::JUDGED) } else { needs };
        Policy { needs: needs.union(self.policy.needs), ..self.policy }
    }

    /// Most measures see of a run its ranking alone.
    fn layout(&self) -> Layout {
        let policy = self.policy();
        if policy.needs.scores || policy.scores == Scores::F32 {
            Layout::Run
        } else {
            Layout::Ranking
        }
    }

    fn counted<'r, R: Read + 'r>(&'r self, input: R) -> Counted<'r, R> {
        Counted { input, count: self.progress }
    }
}

struct Counted<'a, R> {
    input: R,
    count: Option<&'a AtomicU64>,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = self.input.read(buf)?;
        if let Some(count) = self.count {
            count.fetch_add(n as u64, Ordering::Relaxed);
        }
        Ok(n)
    }
}

/// The scores of some topics of a run, in the order they were read. Parts of a run merge into the
/// whole.
pub(crate) struct Partial {
    topics: Vec<u32>,
    values: Vec<f64>,
    seen: Vec<bool>,
    unjudged: HashSet<Vec<u8>>,
    coverage: Coverage,
    /// How much ties could take from the scores of each measure, and add to them, over all topics.
    ties: Vec<(f64, f64)>,
}

impl Partial {
    fn new(topics: usize) -> Partial {
        Partial {
            topics: Vec::new(),
            values: Vec::new(),
            seen: vec![false; topics],
            unjudged: HashSet::new(),
            coverage: Coverage::default(),
            ties: Vec::new(),
        }
    }

    /// False where both have a topic.
    fn merge(&mut self, other: Partial) -> bool {
        let mut apart = true;
        for topic in &other.topics {
            apart &= !std::mem::replace(&mut self.seen[*topic as usize], true);
        }
        self.coverage.merge(other.coverage);
        self.ties.resize(self.ties.len().max(other.ties.len()), (0.0, 0.0));
        for (sum, part) in self.ties.iter_mut().zip(other.ties) {
            *sum = (sum.0 + part.0, sum.1 + part.1);
        }
        self.topics.extend(other.topics);
        self.values.extend(other.values);
        for topic in other.unjudged {
            apart &= self.unjudged.insert(topic);
        }
        apart
    }
}

/// Scores each topic as it ends.
struct Scorer<'e> {
    evaluation: &'e Evaluation<'e>,
    name: &'e str,
    aligner: Aligner<'e>,
    partial: Partial,
    cells: Cells<'e>,
    warnings: Warnings,
    /// The topic that came last: the next one in the judgements is a good guess.
    last: u32,
}

impl<'e> Scorer<'e> {
    fn new(evaluation: &'e Evaluation<'e>, name: &'e str) -> Scorer<'e> {
        Scorer {
            evaluation,
            name,
            aligner: Aligner::new(evaluation.qrels, evaluation.policy()),
            partial: Partial::new(evaluation.qrels.len()),
            cells: Cells::new(evaluation),
            warnings: Warnings::default(),
            last: u32::MAX,
        }
    }

    /// Scores a topic. Fails where it has a document twice, or, with `None`, where the topic itself
    /// came before.
    fn topic(
        &mut self,
        name: &[u8],
        documents: Listing<'_>,
    ) -> std::result::Result<(), Option<Repeated>> {
        let evaluation = self.evaluation;
        let topic = self.find(name);
        let new = match topic {
            Some(topic) => !std::mem::replace(&mut self.partial.seen[topic as usize], true),
            None => self.partial.unjudged.insert(name.to_vec()),
        };
        if !new {
            return Err(None);
        }
        let cleaned;
        let documents = if evaluation.lenient && self.aligner.check_unjudged(documents).is_err() {
            let (kept, dropped) = align::without_repeats(documents);
            self.warnings.add_example(
                Kind::DuplicateDocument,
                dropped as u64,
                self.name,
                &format!("in topic {}", String::from_utf8_lossy(name)),
            );
            cleaned = kept;
            Listing { rows: &cleaned, ..documents }
        } else {
            documents
        };
        match topic {
            Some(topic) => {
                let (judged, ties) = self.aligner.align(topic, documents).map_err(Some)?;
                self.partial.topics.push(topic);
                match evaluation.row {
                    Some(row) => row(topic, &judged, &mut self.partial.values),
                    None => {
                        self.partial.coverage.count(&judged);
                        self.cells.push(topic, &judged, ties, &mut self.partial.values);
                        self.cells.tie_effects().clone_into(&mut self.partial.ties);
                    }
                }
            }
            None => self.aligner.check_unjudged(documents).map_err(Some)?,
        }
        Ok(())
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

impl Sink for Scorer<'_> {
    fn group(&mut self, group: &Group<'_>) -> std::result::Result<(), Halt> {
        self.topic(group.topic, group.listing()).map_err(|repeated| match repeated {
            None => Halt::Scattered,
            Some(repeated) => {
                repeated_document(self.name, group.topic, group.listing(), repeated).into()
            }
        })
    }
}

/// What to say of a document that its topic has twice.
fn repeated_document(
    name: &str,
    topic: &[u8],
    documents: Listing<'_>,
    Repeated { first, second }: Repeated,
) -> Error {
    duplicate(name, topic, documents.id(second), documents.line(second), documents.line(first))
}
