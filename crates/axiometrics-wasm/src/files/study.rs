//! Judgements and runs: scored, compared, taken apart.

use std::sync::{Mutex, PoisonError};

use axiometrics::check;
use axiometrics::choice::Choice;
use axiometrics::compare::{self, Comparison, ComparisonSettings, JointRanges, MeasureMeans};
use axiometrics::component::Component;
use axiometrics::data::{Facet, Needs, Qrels, Run};
use axiometrics::io::{self, Source};
use axiometrics::measure::Metric;
use axiometrics::policy::{BelowEnd, Policies, Ties};
use axiometrics::report::comparison::{ComparisonReport, ComparisonTable, Notes};
use axiometrics::report::evaluation::{Detail, EvaluationReport, Unit};
use axiometrics::report::explanation::{AnatomyReport, BreakdownReport};
use axiometrics::report::html;
use axiometrics::report::{OutputFormat, Report, Style};
use axiometrics::score::breakdown::Breakdown;
use axiometrics::score::ranges::Vary;
use axiometrics::score::{
    Anatomy, Batch, Evaluation, Protocol, ScoredRun, ScoredRuns, read_judgements,
};
use axiometrics::warning::{Warning, Warnings};
use axiometrics::work::Work;
use axiometrics::{Error, Result};
use serde_json::{Value, json};

use super::Judgements;
use crate::measures::{Measures, document};
use crate::voice::advice;

/// Runs of these bytes together are kept in memory, for what unjudged documents could do to a
/// difference, as in `axio compare`.
const KEPT: u64 = 64 << 20;

/// Judgements, and the runs that were scored by them.
pub(super) struct Study {
    pub(super) qrels: Qrels,
    pub(super) metrics: Vec<Metric>,
    pub(super) policies: Policies,
    pub(super) ranges: bool,
    pub(super) warnings: Warnings,
    /// The file of judgements, and its size.
    pub(super) judgements: (String, u64),
    /// The files of the runs, and their sizes.
    pub(super) files: Vec<(String, u64)>,
    pub(super) scored: ScoredRuns,
    /// Verdicts on the measures, once they are asked for.
    pub(super) checks: Vec<check::MetricVerdicts>,
    /// What the report wants to know besides; nothing if measures need more than grades.
    further: Vec<Metric>,
    kept: u64,
}

impl Study {
    pub(super) fn new(
        measures: &mut Measures,
        source: Source,
        asked: &Judgements,
    ) -> Result<Study> {
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
        let further = if plain(&metrics) { html::extra_metrics()? } else { Vec::new() };
        let all: Vec<Metric> = metrics.iter().chain(&further).cloned().collect();
        let qrels = read_judgements(&source, &all, Needs::JUDGED, &policies, &mut warnings)?;
        Ok(Study {
            ranges: asked.ranges && qrels.len() <= html::RANGED,
            qrels,
            metrics,
            policies,
            warnings,
            judgements: (source.name().to_string(), source.size()),
            files: Vec::new(),
            scored: ScoredRuns::default(),
            checks: Vec::new(),
            further,
            kept: 0,
        })
    }

    /// Whether grades alone decide the measures.
    pub(super) fn is_plain(&self) -> bool {
        plain(&self.metrics)
    }

    /// Which of the other scores of a run are those under reversed ties.
    pub(super) fn reversed(&self) -> Option<usize> {
        self.policies.ties.opposite().map(|_| 0)
    }

    /// Which are those that the report wants besides.
    pub(super) fn extras(&self) -> Option<usize> {
        let before = self.reversed().map_or(0, |other| other + 1);
        (!self.further.is_empty()).then_some(before)
    }

    /// Decides the properties of the measures, unless that was done.
    pub(super) fn check(&mut self) {
        if self.checks.is_empty() {
            let options = html::checked();
            self.checks = self.metrics.iter().map(|metric| check::run(metric, &options)).collect();
        }
    }

    /// How runs are compared, as by `axio compare`.
    pub(super) fn settings(&self, baseline: Option<usize>) -> ComparisonSettings {
        let undefined = self.policies.undefined;
        ComparisonSettings { undefined, baseline, ..ComparisonSettings::default() }
    }

    /// What the judgements are.
    pub(super) fn told(&self) -> Value {
        let qrels = &self.qrels;
        json!({
            "topics": qrels.len(),
            "judgements": qrels.judgement_count(),
            "max_grade": qrels.max_grade(),
            "measures": self.metrics.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })
    }

    /// Scores a run, and keeps it if that is wanted and there is room.
    pub(super) fn add(&mut self, source: Source, keep: bool) -> Result<Value> {
        let (name, size) = (source.name().to_string(), source.size());
        let keep = keep && self.kept + size <= KEPT;
        let mut evaluation = Evaluation::under(&self.policies, &self.qrels, &self.metrics);
        evaluation.ranges = self.ranges.then(Vary::default);
        evaluation.work = Work::alone();
        let mut batch = Batch::new(evaluation);
        if keep {
            batch.keep = vec![0];
            let mut also = |policies: &Policies, metrics| {
                let mut other = Evaluation::under(policies, &self.qrels, metrics);
                other.work = Work::alone();
                batch.others.push(other);
            };
            // In this order they are found again.
            if let Some(ties) = self.policies.ties.opposite() {
                also(&Policies { ties, ..self.policies }, &self.metrics);
            }
            if self.extras().is_some() {
                also(&self.policies, &self.further);
            }
        }
        // A batch opens each run once.
        let source = Mutex::new(Some(source));
        let open = |_| {
            let taken = source.lock().unwrap_or_else(PoisonError::into_inner).take();
            taken.ok_or_else(|| Error::usage("a run was opened twice"))
        };
        // A run that cannot be scored leaves nothing.
        let mut warnings = Warnings::default();
        let scored = batch.score(&[&name], open, &mut warnings)?;
        self.warnings.extend(warnings);
        self.kept += if keep { size } else { 0 };
        self.files.push((name, size));
        self.scored.runs.extend(scored.runs);
        let files: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        let names = io::unique_names(&files);
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
            unit: Unit::Topic,
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
        let settings = self.settings(baseline);
        let systems = scored.systems();
        let mut comparison = compare::compare(qrels, metrics, &systems, &settings, warnings)?;
        let kept = scored.kept();
        if kept.len() < systems.len() {
            return Ok(comparison);
        }
        let reversed = self.reversed().filter(|other| scored.differ(*other, metrics.len()));
        let others = reversed.map_or_else(Vec::new, |other| scored.other_systems(other));
        if others.len() == systems.len() {
            let mut told = Warnings::default();
            let other = compare::compare(qrels, metrics, &others, &settings, &mut told)?;
            compare::warn_of_ties(&mut comparison, &other, warnings);
        }
        if self.is_plain() && !matches!(self.policies.ties, Ties::Average | Ties::Range) {
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

    /// The means of the runs with their intervals, over the topics on which all have a score.
    fn means(&self) -> Vec<MeasureMeans> {
        let (systems, settings) = (self.scored.systems(), self.settings(None));
        let of = |(column, metric)| {
            compare::means(&self.qrels, metric, column, &systems, &settings).ok()
        };
        self.metrics.iter().enumerate().filter_map(of).collect()
    }

    /// The documents of `axio eval --per-topic` and, of several runs, of `axio compare`; and the means
    /// that `axio compare` and `axio report` show.
    pub(super) fn results(&self, baseline: Option<usize>) -> Result<Value> {
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
            "means": self.means(),
            "warnings": self.warnings.list().iter().chain(&warnings.list()).map(told).collect::<Value>(),
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
    pub(super) fn render(
        &self,
        table: &str,
        format: &str,
        baseline: Option<usize>,
    ) -> Result<Value> {
        let format = OutputFormat::from_name(format).map_err(Error::from)?;
        let style = &Style::default();
        if table == "evaluation" {
            let detail = if format == OutputFormat::Latex { Detail::Runs } else { Detail::Topics };
            return Ok(self.evaluation(detail).render(format, style).into());
        }
        let only = ComparisonTable::from_name(table).map_err(Error::from)?;
        let comparison = self.comparison(baseline, &mut Warnings::default())?;
        Ok(self.comparison_report(&comparison, Some(only)).render(format, style).into())
    }

    /// The document of `axio explain --topic`, and the grades of the documents that were not
    /// retrieved. A run that was not kept is read again.
    pub(super) fn topic(
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

/// A warning in the words of the page.
fn told(warning: &Warning) -> Value {
    let Warning { kind, count, message, remedy } = warning;
    json!({ "kind": kind, "count": count, "message": message, "remedy": advice(remedy) })
}

fn plain(metrics: &[Metric]) -> bool {
    metrics.iter().all(|metric| metric.needs().facet == Facet::None)
}
