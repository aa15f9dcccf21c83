//! Judgements and runs: read from files that come in pieces, scored, compared, taken apart.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use axiometrics::choice::Choice;
use axiometrics::compare::{self, Comparison, ComparisonSettings, JointRanges};
use axiometrics::component::Component;
use axiometrics::data::{Facet, Needs, Qrels, Run};
use axiometrics::io::{self, Source};
use axiometrics::measure::Metric;
use axiometrics::policy::{BelowEnd, Policies, Ties};
use axiometrics::report::comparison::{ComparisonReport, ComparisonTable, Notes};
use axiometrics::report::evaluation::{Detail, EvaluationReport};
use axiometrics::report::explanation::{AnatomyReport, BreakdownReport};
use axiometrics::report::{Format, Report, Style};
use axiometrics::score::breakdown::Breakdown;
use axiometrics::score::ranges::Vary;
use axiometrics::score::{
    Anatomy, Batch, Evaluation, Protocol, ScoredRun, ScoredRuns, read_judgements,
};
use axiometrics::warning::Warnings;
use axiometrics::work::Work;
use axiometrics::{Error, Result};
use serde_json::{Value, json};

use crate::measures::{Measures, document};
use crate::request::Judgements;

/// Files that are still being filled, or wait to be read.
#[derive(Default)]
pub(crate) struct Files {
    next: u32,
    open: BTreeMap<u32, (String, Vec<u8>)>,
}

impl Files {
    /// Makes room for a file at once, so that its bytes are never moved.
    pub(crate) fn open(&mut self, name: String, size: usize) -> Result<Value> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).map_err(|_| {
            let size = size >> 20;
            Error::usage(format!("{name} has {size} MB, more than the browser has memory left for"))
                .help("score it with the command: axio eval")
        })?;
        self.next += 1;
        self.open.insert(self.next, (name, bytes));
        Ok(self.next.into())
    }

    pub(crate) fn close(&mut self, file: u32) -> Result<Value> {
        self.open.remove(&file);
        Ok(Value::Null)
    }

    pub(crate) fn room(&mut self, file: u32, length: usize) -> Option<&mut [u8]> {
        let (_, bytes) = self.open.get_mut(&file)?;
        let start = bytes.len();
        bytes.resize(start + length, 0);
        Some(&mut bytes[start..])
    }

    /// The file as a source; it is no longer open then.
    pub(crate) fn take(&mut self, file: u32) -> Result<Source> {
        let (name, bytes) = self
            .open
            .remove(&file)
            .ok_or_else(|| Error::usage(format!("no file {file} is open")))?;
        Ok(Source::from_bytes(name, bytes))
    }
}

/// Runs of these bytes together are kept in memory, for what unjudged documents could do to a
/// difference, as in `axio compare`.
const KEPT: u64 = 64 << 20;

/// Judgements, and the runs that were scored by them.
pub(crate) struct Study {
    qrels: Qrels,
    metrics: Vec<Metric>,
    policies: Policies,
    ranges: bool,
    warnings: Warnings,
    /// The names of the runs' files.
    files: Vec<String>,
    scored: ScoredRuns,
    kept: u64,
}

impl Study {
    pub(crate) fn new(
        measures: &mut Measures,
        files: &mut Files,
        asked: &Judgements,
    ) -> Result<Study> {
        let source = files.take(asked.file)?;
        let metrics: Vec<Metric> =
            asked.measures.iter().map(|text| measures.one(text)).collect::<Result<_>>()?;
        let policies = Policies {
            ties: asked.ties,
            missing: asked.missing,
            undefined: asked.undefined,
            depth: asked.depth,
            max_grade: asked.max_grade,
            ..Policies::default()
        };
        let mut warnings = Warnings::default();
        let qrels = read_judgements(&source, &metrics, Needs::JUDGED, &policies, &mut warnings)?;
        Ok(Study {
            qrels,
            metrics,
            policies,
            ranges: asked.ranges,
            warnings,
            files: Vec::new(),
            scored: ScoredRuns::default(),
            kept: 0,
        })
    }

    /// What the judgements are.
    pub(crate) fn told(&self) -> Value {
        let qrels = &self.qrels;
        json!({
            "topics": qrels.len(),
            "judgements": qrels.judgement_count(),
            "max_grade": qrels.max_grade(),
            "measures": self.metrics.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }

    /// Scores a run, and keeps it if that is wanted and there is room.
    pub(crate) fn add(&mut self, source: Source, keep: bool) -> Result<Value> {
        let (name, size) = (source.name().to_string(), source.size());
        let keep = keep && self.kept + size <= KEPT;
        let mut evaluation = Evaluation::under(&self.policies, &self.qrels, &self.metrics);
        evaluation.ranges = self.ranges.then(Vary::default);
        evaluation.work = Work::alone();
        let mut batch = Batch::new(evaluation);
        if keep {
            batch.keep = vec![0];
            if let Some(ties) = self.policies.ties.opposite() {
                let reversed = Policies { ties, ..self.policies };
                let mut other = Evaluation::under(&reversed, &self.qrels, &self.metrics);
                other.work = Work::alone();
                batch.others.push(other);
            }
        }
        // A batch opens each run once.
        let source = Mutex::new(Some(source));
        let open = |_| {
            let taken = source.lock().unwrap_or_else(PoisonError::into_inner).take();
            taken.ok_or_else(|| Error::usage("a run was opened twice"))
        };
        let scored = batch.score(&[&name], open, &mut self.warnings)?;
        self.kept += if keep { size } else { 0 };
        self.files.push(name);
        self.scored.runs.extend(scored.runs);
        let names = io::unique_names(&self.files);
        for ((number, run), name) in self.scored.runs.iter_mut().enumerate().zip(names) {
            (run.number, run.name) = (number, name);
        }
        Ok(json!({ "kept": keep }))
    }

    fn protocol(&self) -> Protocol {
        let tail = self.ranges.then_some(BelowEnd::default());
        Protocol { tail, ..Protocol::new(&self.qrels, &self.policies) }
    }

    fn evaluation(&self, detail: Detail) -> EvaluationReport<'_> {
        EvaluationReport {
            qrels: &self.qrels,
            metrics: &self.metrics,
            runs: self.scored.systems(),
            protocol: self.protocol(),
            warnings: self.warnings.list(),
            detail,
            sort: None,
            top: None,
        }
    }

    /// The comparison as `axio compare` makes it.
    fn comparison(&self, baseline: Option<usize>, warnings: &mut Warnings) -> Result<Comparison> {
        let (qrels, metrics, scored) = (&self.qrels, &self.metrics, &self.scored);
        let undefined = self.policies.undefined;
        let settings = ComparisonSettings { undefined, baseline, ..ComparisonSettings::default() };
        let systems = scored.systems();
        let mut comparison = compare::compare(qrels, metrics, &systems, &settings, warnings)?;
        let kept = scored.kept();
        if kept.len() < systems.len() {
            return Ok(comparison);
        }
        let others = scored.other_systems(0);
        if others.len() == systems.len() && scored.differ(0, metrics.len()) {
            let mut told = Warnings::default();
            let other = compare::compare(qrels, metrics, &others, &settings, &mut told)?;
            compare::warn_of_ties(&mut comparison, &other, warnings);
        }
        let plain = metrics.iter().all(|metric| metric.needs().facet == Facet::None);
        if plain && !matches!(self.policies.ties, Ties::Average | Ties::Range) {
            let policy = Evaluation::under(&self.policies, qrels, metrics).policy;
            let joint = JointRanges::new(qrels, policy, &kept)?;
            let all: Vec<usize> = (0..systems.len()).collect();
            compare::add_joint(
                &mut comparison,
                qrels,
                metrics,
                &systems,
                (&joint, &all),
                warnings,
            )?;
        }
        Ok(comparison)
    }

    /// The documents of `axio eval --per-topic` and, of several runs, of `axio compare`.
    pub(crate) fn results(&self, baseline: Option<usize>) -> Result<Value> {
        let mut warnings = Warnings::default();
        let comparison = if self.scored.runs.len() > 1 {
            let comparison = self.comparison(baseline, &mut warnings)?;
            Some(document(&self.comparison_report(&comparison, None))?)
        } else {
            None
        };
        Ok(json!({
            "evaluation": document(&self.evaluation(Detail::Topics))?,
            "comparison": comparison,
            "warnings": warnings.list(),
        }))
    }

    fn comparison_report<'a>(
        &self,
        comparison: &'a Comparison,
        only: Option<ComparisonTable>,
    ) -> ComparisonReport<'a> {
        ComparisonReport { comparison, changes: None, evaluation: None, only, notes: Notes::Auto }
    }

    /// The scores (`evaluation`) or the comparison (`means`, `pairs`) as text.
    pub(crate) fn render(
        &self,
        table: &str,
        format: &str,
        baseline: Option<usize>,
    ) -> Result<Value> {
        let format = Format::from_name(format).map_err(Error::from)?;
        let style = &Style::default();
        if table == "evaluation" {
            let detail = if format == Format::Latex { Detail::Runs } else { Detail::Topics };
            return Ok(self.evaluation(detail).render(format, style).into());
        }
        let only = ComparisonTable::from_name(table).map_err(Error::from)?;
        let comparison = self.comparison(baseline, &mut Warnings::default())?;
        Ok(self.comparison_report(&comparison, Some(only)).render(format, style).into())
    }

    /// The document of `axio explain --topic`, and the grades of the documents that were not
    /// retrieved. A run that was not kept is read again.
    pub(crate) fn topic(
        &self,
        run: usize,
        source: Option<Source>,
        topic: &str,
        metric: &Metric,
    ) -> Result<Value> {
        let alone = std::slice::from_ref(metric);
        let evaluation = Evaluation::under(&self.policies, &self.qrels, alone);
        let read;
        let kept = self.scored.runs.get(run).and_then(|run: &ScoredRun| run.run.as_ref());
        let run: &Run = match (kept, source) {
            (Some(run), _) => run,
            (None, Some(source)) => {
                let told = &mut Warnings::default();
                read = io::read_run(&source, evaluation.run_options(), told)?;
                &read
            }
            (None, None) => {
                return Err(Error::usage("the run was too large to be kept")
                    .help("its file is needed once more"));
            }
        };
        let policies = match self.policies.ties {
            Ties::Average | Ties::Range => Policies { ties: Ties::DocidDesc, ..self.policies },
            _ => self.policies,
        };
        let policy = Evaluation::under(&policies, &self.qrels, alone).policy;
        let protocol = &Protocol::new(&self.qrels, &policies);
        let told = if Component::of(metric).is_some() {
            let parts = &Anatomy::new(metric, &self.qrels, run, topic, policy)?;
            document(&AnatomyReport { metric, topic, parts, protocol })?
        } else {
            let parts = &Breakdown::new(metric, &self.qrels, run, topic, policy)?;
            document(&BreakdownReport { metric, topic, parts, protocol })?
        };
        Ok(json!({ "document": told, "unretrieved": self.unretrieved(run, topic) }))
    }

    /// The grades of the judged documents that a run lacks, from the highest.
    fn unretrieved(&self, run: &Run, topic: &str) -> Vec<f64> {
        let (Some(judged), Some(ranked)) =
            (self.qrels.find(topic.as_bytes()), run.find(topic.as_bytes()))
        else {
            return Vec::new();
        };
        let ranking = run.ranking(ranked, self.policies.ties, self.policies.scores);
        let retrieved: std::collections::HashSet<&[u8]> =
            ranking.iter().map(|(document, _)| *document).collect();
        let mut grades: Vec<f64> = self
            .qrels
            .judgements(judged)
            .filter(|(document, grade)| *grade >= 0.0 && !retrieved.contains(document))
            .map(|(_, grade)| grade)
            .collect();
        grades.sort_by(|a, b| b.total_cmp(a));
        grades
    }
}
