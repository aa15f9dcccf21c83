//! The first table: a row per run, a column per measure.

use serde::Serialize;

use super::Study;
use super::contrast::p_texts;
use crate::compare::{Comparison, Pair};
use crate::measure::Aggregate;
use crate::report::number::number;
use crate::stats::mean_interval;

#[derive(Serialize)]
pub(super) struct SummaryView {
    columns: Vec<SummaryHead>,
    rows: Vec<SummaryRow>,
    family: usize,
    /// Whether there are ranges.
    ranged: bool,
}

#[derive(Serialize)]
struct SummaryHead {
    measure: String,
    title: String,
    range: String,
    summary: String,
}

#[derive(Serialize)]
struct SummaryRow {
    run: String,
    reference: bool,
    topics: usize,
    cells: Vec<SummaryCell>,
}

#[derive(Serialize)]
struct SummaryCell {
    /// In full, to sort by.
    sort: Option<f64>,
    value: Option<String>,
    interval: Option<(String, String)>,
    /// What unjudged documents could make of it.
    range: Option<(String, String)>,
    best: bool,
    /// Better (1) or worse (-1) than the reference.
    direction: i8,
    p: Option<String>,
}

pub(super) fn view(study: &Study<'_>, comparison: Option<&Comparison>) -> SummaryView {
    let columns = study.metrics.iter().map(|metric| SummaryHead {
        measure: metric.to_string(),
        title: metric.def().title.to_string(),
        range: metric.def().range.to_string(),
        summary: metric.aggregate().name().to_string(),
    });
    let best: Vec<Option<f64>> =
        (0..study.metrics.len()).map(|column| best(study, column)).collect();
    let row = |index: usize| SummaryRow {
        run: study.runs[index].name.to_string(),
        reference: index == study.reference,
        topics: study.runs[index].scores.len(),
        cells: (0..study.metrics.len())
            .map(|column| cell(study, comparison, index, column, best[column]))
            .collect(),
    };
    SummaryView {
        columns: columns.collect(),
        rows: study.by_summary(0).into_iter().map(row).collect(),
        ranged: study.runs.iter().any(|run| run.ranged.is_some()),
        family: comparison.and_then(|c| c.measures.first()).map_or(0, |m| m.family.tests),
    }
}

/// The highest summary of a column if the runs differ.
fn best(study: &Study<'_>, column: usize) -> Option<f64> {
    let all: Vec<f64> = study
        .runs
        .iter()
        .filter_map(|run| run.scores.summary_value(column, study.undefined))
        .collect();
    let highest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    all.iter().any(|x| *x < highest).then_some(highest)
}

fn cell(
    study: &Study<'_>,
    comparison: Option<&Comparison>,
    index: usize,
    column: usize,
    best: Option<f64>,
) -> SummaryCell {
    let (run, metric) = (&study.runs[index], &study.metrics[column]);
    let summary = run.scores.summary_value(column, study.undefined);
    let places = if metric.aggregate() == Aggregate::Sum { None } else { Some(4) };
    let pair: Option<&Pair> = comparison
        .filter(|_| metric.aggregate() == Aggregate::Mean)
        .and_then(|c| c.measure(column)?.pairs.iter().find(|p| p.a == run.name));
    SummaryCell {
        sort: summary,
        value: summary.map(|x| number(x, places)),
        interval: (metric.aggregate() == Aggregate::Mean)
            .then(|| interval(study, index, column))
            .flatten()
            .map(|(low, high)| (number(low, Some(3)), number(high, Some(3)))),
        range: run.ranged.and_then(|scores| scores.summary_range(column, study.undefined)).map(
            |range| {
                let places = places.map(|_| 3);
                (number(range.low, places), number(range.high, places))
            },
        ),
        best: summary.is_some() && summary == best,
        direction: pair.map_or(0, Pair::direction),
        p: pair.and_then(p_texts),
    }
}

/// The interval of the mean of a run's scores.
pub(super) fn interval(study: &Study<'_>, run: usize, column: usize) -> Option<(f64, f64)> {
    let values = study.values(&study.runs[run], column);
    let interval = mean_interval(
        study.settings.mean_interval,
        &values,
        study.confidence(),
        study.settings.resampling,
    )
    .ok()?;
    let interval = interval.within(study.metrics[column].def().range.bounds());
    (interval.lower.is_finite() && interval.upper.is_finite())
        .then_some((interval.lower, interval.upper))
}
