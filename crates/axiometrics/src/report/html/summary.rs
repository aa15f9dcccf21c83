//! The first table: a row per run, a column per measure.

use serde::Serialize;

use super::Study;
use super::contrast::p_texts;
use super::means::Means;
use crate::compare::{Comparison, MeasureMeans, Pair, SystemMean};
use crate::measure::Aggregate;
use crate::report::comparison::topics_text;
use crate::report::number::number;

#[derive(Serialize)]
pub(super) struct SummaryView {
    columns: Vec<SummaryHead>,
    rows: Vec<SummaryRow>,
    family: usize,
    /// Whether there are ranges.
    ranged: bool,
    /// The topics of all means; `None` if they are not the same by every measure.
    topics: Option<String>,
    /// Why an evaluation gives other means, if it does by some measure.
    eval: Option<String>,
}

#[derive(Serialize)]
struct SummaryHead {
    measure: String,
    title: String,
    range: String,
    /// What the numbers are if they are not means over the topics of all, or over how many topics.
    of: Option<String>,
}

#[derive(Serialize)]
struct SummaryRow {
    run: String,
    reference: bool,
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
    /// The mean of an evaluation, if that is another one.
    eval: Option<String>,
    best: bool,
    /// Better (1) or worse (-1) than the reference.
    direction: i8,
    p: Option<String>,
}

pub(super) fn view(
    study: &Study<'_>,
    means: &Means,
    comparison: Option<&Comparison>,
) -> SummaryView {
    let all: Vec<&MeasureMeans> =
        (0..study.metrics.len()).filter_map(|column| means.of(column)).collect();
    let topics = all.first().map(|first| topics(first)).filter(|_| {
        all.windows(2).all(|pair| {
            (pair[0].topics, &pair[0].left_out_topics) == (pair[1].topics, &pair[1].left_out_topics)
        })
    });
    let of = |column: usize| match means.of(column) {
        Some(_) if topics.is_some() => None,
        Some(own) => Some(format!("{} of {} topics", own.topics, own.topics_seen())),
        None => Some(format!("{}, all topics", study.metrics[column].aggregate().name())),
    };
    let columns = study.metrics.iter().enumerate().map(|(column, metric)| SummaryHead {
        measure: metric.to_string(),
        title: metric.def().title.to_string(),
        range: metric.def().range.to_string(),
        of: of(column),
    });
    let best: Vec<Option<f64>> =
        (0..study.metrics.len()).map(|column| best(study, means, column)).collect();
    let row = |index: usize| SummaryRow {
        run: study.runs[index].name.to_string(),
        reference: index == study.reference,
        cells: (0..study.metrics.len())
            .map(|column| cell(study, means, comparison, index, column, best[column]))
            .collect(),
    };
    SummaryView {
        columns: columns.collect(),
        rows: means.order(study, 0).into_iter().map(row).collect(),
        ranged: study.runs.iter().any(|run| run.ranged.is_some()),
        family: comparison.and_then(|c| c.measures.first()).map_or(0, |m| m.family.tests),
        eval: all.iter().find_map(|means| means.eval_differs.clone()),
        topics,
    }
}

/// The topics that means are over.
pub(super) fn topics(means: &MeasureMeans) -> String {
    topics_text(means.topics, means.topics_seen(), &means.left_out_topics)
}

/// The highest number of a column if the runs differ.
fn best(study: &Study<'_>, means: &Means, column: usize) -> Option<f64> {
    let all: Vec<f64> =
        (0..study.runs.len()).filter_map(|run| means.shown(study, run, column)).collect();
    let highest = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    all.iter().any(|x| *x < highest).then_some(highest)
}

fn cell(
    study: &Study<'_>,
    means: &Means,
    comparison: Option<&Comparison>,
    index: usize,
    column: usize,
    best: Option<f64>,
) -> SummaryCell {
    let (run, metric) = (&study.runs[index], &study.metrics[column]);
    let (system, value) = (means.system(index, column), means.shown(study, index, column));
    let places = if metric.aggregate() == Aggregate::Sum { None } else { Some(4) };
    let pair: Option<&Pair> = comparison
        .filter(|_| metric.aggregate() == Aggregate::Mean)
        .and_then(|c| c.measure(column)?.pairs.iter().find(|p| p.a == run.name));
    let ends = |low: f64, high: f64, places| (number(low, places), number(high, places));
    let range = match system {
        Some(system) => system.range.map(|range| ends(range.low, range.high, Some(3))),
        None => run
            .ranged
            .and_then(|scores| scores.summary_range(column, study.undefined))
            .map(|range| ends(range.low, range.high, places.map(|_| 3))),
    };
    let eval = system.filter(|_| means.of(column).is_some_and(|m| m.eval_differs.is_some()));
    SummaryCell {
        sort: value,
        value: value.map(|x| number(x, places)),
        interval: system.and_then(finite).map(|(low, high)| ends(low, high, Some(3))),
        range,
        eval: eval.and_then(|system| system.eval_mean).map(|x| number(x, Some(4))),
        best: value.is_some() && value == best,
        direction: pair.map_or(0, Pair::direction),
        p: pair.and_then(p_texts),
    }
}

/// The interval of a mean, unless the topics bound nothing.
pub(super) fn finite(system: &SystemMean) -> Option<(f64, f64)> {
    let (lower, upper) = (system.interval.lower, system.interval.upper);
    (lower.is_finite() && upper.is_finite()).then_some((lower, upper))
}
