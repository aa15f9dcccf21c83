//! A report on runs as one page: tables, plots, significance, the properties of the measures used,
//! and how to make it again.
//!
//! Owns: which tables and plots there are, and the page around them. Does not own: scores, tests,
//! verdicts (it is given or asks for them), nor how a plot looks. The page needs no network and no
//! script; the script it has sorts tables.

mod contrast;
mod diagnostics;
mod figures;
mod means;
mod properties;
mod summary;
#[cfg(test)]
mod tests;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde::Serialize;

use contrast::ContrastView;
use diagnostics::DiagnosticsView;
use figures::{FigureKind, FigureSection, GroupView};
use means::Means;
use properties::PropertiesView;
use summary::SummaryView;

use super::comparison::test_line;
use super::number::number;
use super::plot::{Figure, RECALLS};
use super::safe::safe;
use crate::check;
use crate::choice::Choice;
use crate::compare;
use crate::data::Qrels;
use crate::measure::{Aggregate, Metric};
use crate::policy::{Duplicates, Order, Policies, Undefined};
use crate::score::{NamedMeasure, Scores, System};
use crate::stats::MeanInterval;
use crate::warning::Warning;
use crate::{Error, Result};

/// The SHA-256 of the script in base 64: the page allows no other. A test computes it.
const SCRIPT_HASH: &str = "8cHLqFFlnpgX+xEEFnop5NxQlErqBtj64S1QLfPpNiQ=";

/// How deep the share of judged documents is looked at.
const JUDGED_DEPTH: u32 = 10;

/// What a report is about.
pub struct Study<'a> {
    /// What it is called, if not by what it compares.
    pub title: Option<&'a str>,
    /// The judgements.
    pub qrels: &'a Qrels,
    /// The measures, in the order of the columns of the scores.
    pub metrics: &'a [Metric],
    /// The runs, in the order they were named.
    pub runs: Vec<ReportedRun<'a>>,
    /// The run that the others are compared with.
    pub reference: usize,
    /// Whether somebody chose the reference. If not, it is the first run, and the page says so.
    pub reference_is_chosen: bool,
    /// What summaries do with undefined scores.
    pub undefined: Undefined,
    /// How the runs are compared; the reference is the baseline.
    pub settings: compare::ComparisonSettings,
    /// What unjudged documents could do to differences: the rankings of some of the runs, among
    /// them the reference, and which runs they are.
    pub joint: Option<(&'a compare::JointRanges, &'a [usize])>,
    /// The verdicts on the measures.
    pub checks: &'a [check::MetricVerdicts],
    /// What was odd about the files.
    pub warnings: &'a [Warning],
    /// How the report came about.
    pub origin: Origin,
}

/// One run.
pub struct ReportedRun<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its scores by the measures.
    pub scores: &'a Scores,
    /// Its scores by [`extra_metrics`], if these can be computed.
    pub extras: Option<&'a Scores>,
    /// The scores by the measures with their ranges under unjudged documents.
    pub ranged: Option<&'a Scores>,
    /// The scores by the measures alone, with equal scores ordered the other way round.
    pub ties_reversed: Option<&'a Scores>,
}

/// A plot, and where it belongs.
pub struct PlacedFigure {
    /// The section of the page: `means`, `distributions`, `differences`, `curve`, `agreement` or
    /// `joint`.
    pub section: &'static str,
    /// The measure that it is about; `None` if it is about all.
    pub measure: Option<String>,
    /// The plot.
    pub figure: Figure,
}

/// How a report came about.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Origin {
    /// The command, as one could type it.
    pub command: String,
    /// Settings by name.
    pub settings: Vec<(String, String)>,
    /// The files by name, with their size in bytes.
    pub files: Vec<(String, u64)>,
}

impl Origin {
    /// What scores and tests depend on besides the files, by name.
    pub fn settings(
        qrels: &Qrels,
        policies: &Policies,
        compared: &compare::ComparisonSettings,
    ) -> Result<Vec<(String, String)>> {
        let mut settings = vec![
            ("version", format!("axio {}", env!("CARGO_PKG_VERSION"))),
            ("maximum grade", qrels.max_grade().to_string()),
            ("order of equal scores", policies.ties.name().to_string()),
            ("missing topics", policies.missing.name().to_string()),
            ("undefined scores", policies.undefined.name().to_string()),
            ("comparison of scores", policies.scores.name().to_string()),
            ("test", compared.test.name().to_string()),
            ("correction", compared.correction()?.name().to_string()),
            ("alpha", compared.alpha.to_string()),
            ("interval of means", compared.mean_interval.name().to_string()),
            ("resamples", compared.resampling.trials.to_string()),
            ("seed", compared.resampling.seed.to_string()),
        ];
        if let Some(depth) = policies.depth {
            settings.push(("depth", depth.to_string()));
        }
        if policies.order != Order::default() {
            settings.push(("better scores", policies.order.name().to_string()));
        }
        if policies.duplicates != Duplicates::default() {
            settings.push(("repeated documents", policies.duplicates.name().to_string()));
        }
        if let Some(pool) = policies.pool {
            settings.push(("scores of documents from their parts", pool.name().to_string()));
        }
        if policies.prune {
            settings.push(("topics without a relevant document", "left out".to_string()));
        }
        if qrels.len() > RANGED {
            let why = format!("left out, as there are more than {RANGED} topics");
            settings.push(("ranges under unjudged documents", why));
        }
        Ok(settings.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }
}

/// With more topics the ranges under unjudged documents are left out, which would take several
/// times the memory of the scores.
pub const RANGED: usize = 100_000;

/// How far the table of properties is searched.
pub fn checked() -> check::CheckOptions {
    let groups = vec![check::CheckGroup::Property];
    check::CheckOptions { max_docs: 5, groups, ..check::CheckOptions::default() }
}

/// What the report wants to know besides its measures: the points of the recall-precision curve and
/// the share of judged documents.
pub fn extra_metrics() -> Result<Vec<Metric>> {
    let precision = RECALLS.iter().map(|recall| format!("IPrec@{recall:.1}").parse());
    precision.chain([format!("Judged@{JUDGED_DEPTH}").parse()]).collect()
}

impl Study<'_> {
    /// All plots, in the order of the page.
    pub fn figures(&self) -> Result<Vec<Figure>> {
        Ok(self.placed_figures()?.into_iter().map(|placed| placed.figure).collect())
    }

    /// All plots with what they are about, in the order of the page.
    pub fn placed_figures(&self) -> Result<Vec<PlacedFigure>> {
        let means = Means::new(self);
        let all = figures::all(self, &means, contrast::comparison(self)?.as_ref())?;
        let mut placed = Vec::new();
        for section in all {
            for group in section.groups {
                let measure = Some(group.title).filter(|title| !title.is_empty());
                placed.extend(group.figures.into_iter().map(|figure| PlacedFigure {
                    section: section.kind.name(),
                    measure: measure.clone(),
                    figure,
                }));
            }
        }
        Ok(placed)
    }

    /// The page.
    pub fn page(&self) -> Result<String> {
        let (means, comparison) = (Means::new(self), contrast::comparison(self)?);
        let sections = figures::all(self, &means, comparison.as_ref())?;
        let view =
            |kind: FigureKind| sections.iter().find(|s| s.kind == kind).map(FigureSection::view);
        render(&HtmlPage {
            style: include_str!("page.css"),
            script: include_str!("page.js"),
            script_hash: SCRIPT_HASH,
            version: env!("CARGO_PKG_VERSION"),
            url: env!("CARGO_PKG_REPOSITORY"),
            runs: self.runs.len(),
            topics: self.qrels.len(),
            judgements: if self.is_of_table() { 0 } else { self.qrels.judgement_count() },
            reference: self.runs[self.reference].name,
            reference_is_chosen: self.reference_is_chosen,
            measures: self.metrics.iter().map(ToString::to_string).collect(),
            summary: summary::view(self, &means, comparison.as_ref()),
            title: self.title,
            contrasts: match &comparison {
                Some(comparison) => contrast::view(self, comparison)?,
                None => Vec::new(),
            },
            means: view(FigureKind::Means),
            distributions: view(FigureKind::Distributions),
            differences: view(FigureKind::Differences),
            curve: view(FigureKind::Curve),
            agreement: view(FigureKind::Agreement),
            joint: view(FigureKind::Joint),
            diagnostics: diagnostics::view(self, &means),
            properties: properties::view(self.checks),
            references: properties::references(self.metrics),
            warnings: self
                .warnings
                .iter()
                .chain(comparison.iter().flat_map(|c| &c.warnings))
                .collect(),
            origin: &self.origin,
            method: comparison
                .as_ref()
                .and_then(|c| Some(test_line(c, c.measures.first()?)))
                .unwrap_or_default(),
            family_wise: self.settings.test.is_family_wise(),
            percent: self.percent(),
            interval: self.interval_method(),
        })
    }

    /// The scores are from a table, and nothing else is known.
    fn is_of_table(&self) -> bool {
        self.metrics.iter().all(|metric| metric.own_as::<NamedMeasure>().is_some())
    }

    fn systems(&self) -> Vec<System<'_>> {
        self.runs.iter().map(|run| System { name: run.name, scores: run.scores }).collect()
    }

    /// How sure intervals are, in percent, without the noise of the subtraction.
    fn percent(&self) -> String {
        number(((1.0 - self.settings.alpha) * 1e6).round() / 1e4, None)
    }

    fn interval_method(&self) -> &'static str {
        match self.settings.mean_interval {
            MeanInterval::T => "Student's t over topics",
            MeanInterval::Percentile => "bootstrap percentiles over topics",
            MeanInterval::Bca => "bias-corrected bootstrap over topics",
        }
    }

    /// The measures that are averaged over topics, by column: of counts and geometric means there
    /// are no intervals here.
    fn averaged(&self) -> impl Iterator<Item = (usize, &Metric)> {
        self.metrics.iter().enumerate().filter(|(_, m)| m.aggregate() == Aggregate::Mean)
    }
}

/// All that the template asks for.
#[derive(Serialize)]
struct HtmlPage<'a> {
    style: &'static str,
    script: &'static str,
    script_hash: &'static str,
    version: &'static str,
    url: &'static str,
    title: Option<&'a str>,
    runs: usize,
    topics: usize,
    judgements: usize,
    reference: &'a str,
    reference_is_chosen: bool,
    measures: Vec<String>,
    summary: SummaryView,
    contrasts: Vec<ContrastView>,
    means: Option<Vec<GroupView>>,
    distributions: Option<Vec<GroupView>>,
    differences: Option<Vec<GroupView>>,
    curve: Option<Vec<GroupView>>,
    agreement: Option<Vec<GroupView>>,
    joint: Option<Vec<GroupView>>,
    diagnostics: DiagnosticsView,
    properties: PropertiesView,
    references: Vec<(String, Vec<String>)>,
    warnings: Vec<&'a Warning>,
    origin: &'a Origin,
    /// The test, the correction and alpha.
    method: String,
    family_wise: bool,
    percent: String,
    interval: &'static str,
}

/// Whatever the template is given it escapes, but for what it calls safe: our own style, script and
/// plots.
fn render(page: &HtmlPage<'_>) -> Result<String> {
    let made = || {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        environment.set_formatter(|out, state, value| match value.as_str() {
            Some(text) if !value.is_safe() => {
                minijinja::escape_formatter(out, state, &safe(text).into())
            }
            _ => minijinja::escape_formatter(out, state, value),
        });
        environment
            .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        environment.add_template("page", include_str!("page.html"))?;
        environment.get_template("page")?.render(Serde(page))
    };
    made().map_err(|e: minijinja::Error| Error::usage(format!("the page cannot be made: {e}")))
}
