//! Meta-evaluations as tables.

use serde::Serialize;

use super::model::Report;
use super::table::{Cell, Column, Style, Table};
use crate::choice::{Choice, choices};
use crate::meta::{Agreement, MeasureMeta, MetaEvaluation, PoolBias, RunBias, WidestGap};
use crate::score::Protocol;
use crate::warning::Warning;

/// A meta-evaluation in every format.
#[derive(Debug, Clone, Serialize)]
pub struct MetaReport<'a> {
    /// What was found.
    #[serde(flatten)]
    pub meta: &'a MetaEvaluation,
    /// What the pool did, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pool_bias: Option<&'a PoolBias>,
    /// How the runs were scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<&'a Protocol>,
    /// What was odd about the files.
    pub warnings: Vec<Warning>,
    /// The only table to show; for people all, for programs the measures, if it is `None`.
    #[serde(skip)]
    pub only: Option<MetaTable>,
}

/// The tables of a meta-evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum MetaTable {
    /// What tells the measures apart.
    #[default]
    Measures,
    /// How far they agree.
    Agreement,
    /// How their scores are correlated.
    Correlation,
    /// What each run or team brought into the pool.
    PoolBias,
}

choices! {
    MetaTable {
        Measures "measures" "what tells the measures apart",
        Agreement "agreement" "how far they agree on the order of systems",
        Correlation "correlation" "how their scores are correlated, of systems and of topics",
        PoolBias "pool-bias" "what each run or team brought into the pool",
    }
}

impl Report for MetaReport<'_> {
    fn tables(&self, _style: &Style) -> Vec<Table> {
        let MetaReport { meta, .. } = self;
        let wanted = |table: MetaTable| self.only.is_none_or(|only| only == table);
        let mut all = Vec::new();
        if wanted(MetaTable::Measures) {
            all.push(measures(meta));
        }
        if wanted(MetaTable::Agreement) {
            all.extend(meta.agreement.iter().map(|a| agreement(meta, a)));
        }
        if self.only == Some(MetaTable::Correlation) {
            all.extend(meta.correlation.iter().map(|c| correlation(meta, c)));
        }
        if let Some(pool) = self.pool_bias.filter(|_| wanted(MetaTable::PoolBias)) {
            all.extend((0..meta.measures.len()).map(|measure| pool_bias(pool, meta, measure)));
        }
        if let Some(last) = all.last_mut() {
            last.footnotes.extend(self.evaluation.map(Protocol::to_string));
        }
        all
    }

    fn rows(&self) -> Table {
        match (self.only, self.pool_bias) {
            (Some(MetaTable::Agreement), _) => agreement_rows(self.meta, &self.meta.agreement),
            (Some(MetaTable::Correlation), _) => agreement_rows(self.meta, &self.meta.correlation),
            (Some(MetaTable::PoolBias), Some(pool)) => pool_bias_rows(pool),
            _ => measures(self.meta),
        }
    }

    fn document(&self, _style: &Style) -> impl Serialize {
        self
    }
}

/// The output that decides a measure's strictness, in a sentence.
fn gap(measure: &MeasureMeta) -> Option<String> {
    let WidestGap { system, topic, against, rank, rank_against, outputs } =
        measure.widest_gap.as_ref()?;
    let name = &measure.measure;
    Some(format!(
        "the largest gap of {name}: {system} on topic {topic} is number {rank} of {outputs} by \
         {name}, number {rank_against} by {against}"
    ))
}

/// Strictness and robustness of each measure, with what else tells measures apart.
pub fn measures(meta: &MetaEvaluation) -> Table {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::number("strictness"),
        Column::number("of ten").keyed("of_ten"),
        Column::number("in topics").keyed("in_topics"),
        Column::number("robustness"),
        Column::number("power"),
        Column::number("swap rate").keyed("swap_rate"),
        Column::number("needed"),
        Column::number("sensitivity"),
        Column::number("stability"),
    ]);
    table.caption = Some(format!(
        "Measures measured on {} systems and {} topics",
        meta.systems.len(),
        meta.topics
    ));
    for measure in &meta.measures {
        let numbers = numbers(measure).into_iter().map(Cell::number);
        table.push(std::iter::once(Cell::text(&measure.measure)).chain(numbers).collect());
    }
    let settings = &meta.settings;
    let skipped: Vec<String> = meta
        .measures
        .iter()
        .filter(|m| m.robustness.skipped_topics > 0)
        .map(|m| format!("{} ({})", m.measure, m.robustness.skipped_topics))
        .collect();
    let half = meta.measures.first().map_or(0, |m| m.halves.topics);
    table.footnotes = vec![
        format!(
            "strictness: minus the largest gap between a high rank by the measure and a low rank by {}, all outputs for all topics ranked \
             together, as a share of them; of ten: the mean of the ten largest gaps; in topics: outputs ranked within each topic. Equal scores \
             share their mean rank",
            meta.against.join(", ")
        ),
        "robustness: the mean over pairs of topics of Spearman's correlation of the systems' scores".to_string(),
        format!(
            "power: the share of pairs of systems with p at most {} ({}, {} resamples, seed {})",
            settings.alpha,
            settings.test.meaning(),
            settings.resampling.trials,
            settings.resampling.seed
        ),
        format!(
            "swap rate: pairs ordered otherwise by another {half} topics; needed: the difference from which on at most 5% are; sensitivity: the \
             share of pairs that differ so much; stability: the mean Kendall tau-b of two halves. {} splits, seed {}",
            settings.splits, settings.resampling.seed
        ),
    ];
    table.footnotes.extend(meta.measures.iter().filter_map(gap));
    if !skipped.is_empty() {
        table.footnotes.push(format!(
            "Topics on which all systems score the same were skipped for robustness: {}",
            skipped.join(", ")
        ));
    }
    if meta.left_out.total() > 0 {
        table.footnotes.push(format!("Topics left out: {}", meta.left_out));
    }
    let not_measured = meta.not_measured.iter();
    table
        .footnotes
        .extend(not_measured.map(|not| format!("Left out: {}: {}", not.measure, not.reason)));
    table
        .footnotes
        .extend(meta.measures.iter().map(|m| format!("{}: {}", m.measure, m.definition)));
    table
}

fn numbers(measure: &MeasureMeta) -> [Option<f64>; 9] {
    let (strictness, halves) = (&measure.strictness, &measure.halves);
    [
        Some(strictness.pooled.largest),
        Some(strictness.pooled.ten_largest),
        Some(strictness.within_topics.largest),
        measure.robustness.mean,
        Some(measure.discriminative_power.share),
        Some(halves.swap_rate),
        halves.difference_needed,
        Some(halves.sensitivity),
        halves.stability,
    ]
}

/// How the scores of the measures are correlated, by one coefficient.
pub fn correlation(meta: &MetaEvaluation, coefficient: &Agreement) -> Table {
    let mut table = agreement(meta, coefficient);
    table.caption = Some(format!(
        "Correlation of scores on {} systems and {} topics: {}",
        meta.systems.len(),
        meta.topics,
        coefficient.coefficient
    ));
    table.footnotes = vec!["1: in a line, or in the same order; 0: no correlation".to_string()];
    table
}

/// How far the measures agree, by one coefficient.
pub fn agreement(meta: &MetaEvaluation, agreement: &Agreement) -> Table {
    let names = || meta.measures.iter().map(|m| m.measure.clone());
    let mut table =
        Table::new(std::iter::once(Column::text("")).chain(names().map(Column::number)).collect());
    table.caption = Some(format!(
        "Agreement on the order of {} systems by their means: {}",
        meta.systems.len(),
        agreement.coefficient
    ));
    for (name, row) in names().zip(&agreement.matrix) {
        table.push(
            std::iter::once(Cell::text(name))
                .chain(row.iter().map(|x| Cell::number(*x).shade(*x)))
                .collect(),
        );
    }
    table
        .footnotes
        .push("1: the same order of systems; 0: no agreement (RBO: nothing in common)".to_string());
    table
}

/// The same for all coefficients, a row for every two measures: for programs.
pub fn agreement_rows(meta: &MetaEvaluation, coefficients: &[Agreement]) -> Table {
    let mut table = Table::new(vec![
        Column::text("coefficient"),
        Column::text("measure"),
        Column::text("other"),
        Column::number("value"),
    ]);
    for agreement in coefficients {
        for (measure, row) in meta.measures.iter().zip(&agreement.matrix) {
            for (other, value) in meta.measures.iter().zip(row) {
                table.push(vec![
                    Cell::text(agreement.name),
                    Cell::text(&measure.measure),
                    Cell::text(&other.measure),
                    Cell::number(*value),
                ]);
            }
        }
    }
    table
}

/// Every run with and without the documents that only it or its team brought into the pool, by one
/// of the measures.
pub fn pool_bias(bias: &PoolBias, meta: &MetaEvaluation, measure: usize) -> Table {
    let by_team = bias
        .teams
        .iter()
        .any(|team| team.measures[measure].runs.iter().any(|run| run.run != team.team));
    let mut columns = vec![Column::text("run")];
    columns.extend(by_team.then(|| Column::text("team")));
    columns.extend(["unique", "relevant"].map(|title| Column::number(title).exact()));
    columns.extend([
        Column::number("mean"),
        Column::number("without"),
        Column::number("change %").places(1),
    ]);
    columns.extend([
        Column::number("rank").exact(),
        Column::number("without").exact(),
        Column::number("tau-b"),
    ]);
    let mut table = Table::new(columns);
    let mut all: Vec<&RunBias> = Vec::new();
    for team in &bias.teams {
        let found = &team.measures[measure];
        for run in &found.runs {
            let mut cells = vec![Cell::text(&run.run)];
            cells.extend(by_team.then(|| Cell::text(&team.team)));
            cells.extend([Cell::number(team.unique as f64), Cell::number(team.relevant as f64)]);
            cells.extend([
                Cell::number(run.score),
                Cell::number(run.without),
                Cell::number(percent(run)),
            ]);
            cells.extend([run.rank, run.rank_without].map(|rank| Cell::number(rank as f64)));
            cells.push(Cell::number(found.tau));
            table.push(cells);
        }
        all.extend(&found.runs);
    }
    let unit = if by_team { "team" } else { "run" };
    let depth =
        bias.depth.map_or("retrieved".to_string(), |depth| format!("retrieved in the top {depth}"));
    table.caption = Some(format!(
        "Pool bias by {}, {} topics: all runs scored without the judged documents that only this {unit} {depth}",
        meta.measures[measure].measure,
        bias.teams.first().map_or(0, |team| team.measures[measure].topics),
    ));
    table.footnotes.push(format!(
        "unique: judged documents that only the {unit} {depth}; relevant: those with a grade above 0; without: scored as if they were not \
         judged; tau-b: Kendall's, between the orders of all {} runs with and without them",
        meta.systems.len()
    ));
    table.footnotes.extend(sentence(&all));
    let emptied: usize = bias.teams.iter().map(|team| team.emptied).sum();
    if emptied > 0 {
        table
            .footnotes
            .push(format!("{emptied} times a topic was left without relevant documents; a score that is undefined there counts as 0"));
    }
    table
        .footnotes
        .push(format!("{}: {}", meta.measures[measure].measure, meta.measures[measure].definition));
    table
}

/// The change in percent of the mean.
fn percent(run: &RunBias) -> Option<f64> {
    (run.score > 0.0).then(|| 100.0 * (run.without - run.score) / run.score)
}

/// What happens on average and at worst.
fn sentence(runs: &[&RunBias]) -> Option<String> {
    let changes: Vec<(f64, &str)> =
        runs.iter().filter_map(|run| Some((percent(run)?, run.run.as_str()))).collect();
    let worst = changes.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let mean = changes.iter().map(|(change, _)| change).sum::<f64>() / changes.len() as f64;
    let moved = runs.iter().filter(|run| run.rank != run.rank_without).count();
    Some(format!(
        "On average a run changes by {mean:.1}%, at worst by {:.1}% ({}); {moved} of {} runs change their rank",
        worst.0,
        worst.1,
        runs.len()
    ))
}

/// The same for all measures, a row each: for programs.
pub fn pool_bias_rows(bias: &PoolBias) -> Table {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::text("run"),
        Column::text("team"),
        Column::number("unique").exact(),
        Column::number("relevant").exact(),
        Column::number("mean"),
        Column::number("mean_without"),
        Column::number("rank").exact(),
        Column::number("rank_without").exact(),
        Column::number("tau_b"),
    ]);
    for team in &bias.teams {
        for measure in &team.measures {
            for run in &measure.runs {
                table.push(vec![
                    Cell::text(&measure.measure),
                    Cell::text(&run.run),
                    Cell::text(&team.team),
                    Cell::number(team.unique as f64),
                    Cell::number(team.relevant as f64),
                    Cell::number(run.score),
                    Cell::number(run.without),
                    Cell::number(run.rank as f64),
                    Cell::number(run.rank_without as f64),
                    Cell::number(measure.tau),
                ]);
            }
        }
    }
    table
}
