//! Which plots there are. A report on many runs shows the distributions, differences and curves of
//! a few, and says so: a reader cannot take in a hundred, and a page must open fast.

use serde::Serialize;

use super::means::Means;
use super::summary::topics;
use super::{Study, contrast, summary};
use crate::Result;
use crate::choice::{Choice, choices};
use crate::compare::{Comparison, JointDifference, JointVerdict, Pair};
use crate::measure::range;
use crate::report::plot::{self, Figure, IntervalRow, RECALLS};
use crate::score::Scores;
use crate::stats::kendall_tau_b;

/// At most so many runs have a distribution and a curve.
const SHOWN: usize = 7;
/// With fewer runs a rank correlation says nothing.
const FEWEST: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FigureKind {
    Means,
    Distributions,
    Differences,
    Curve,
    Agreement,
    Joint,
}

choices! {
    FigureKind {
        Means "means",
        Distributions "distributions",
        Differences "differences",
        Curve "curve",
        Agreement "agreement",
        Joint "joint",
    }
}

/// The plots of one section.
pub(super) struct FigureSection {
    pub(super) kind: FigureKind,
    pub(super) groups: Vec<FigureGroup>,
}

/// The plots of one measure.
pub(super) struct FigureGroup {
    pub(super) title: String,
    pub(super) figures: Vec<Figure>,
}

impl FigureSection {
    /// As the template wants it.
    pub(super) fn view(&self) -> Vec<GroupView> {
        let figure = |f: &Figure| FigureView {
            svg: f.element(),
            caption: f.caption.clone(),
            name: f.name.clone(),
        };
        self.groups
            .iter()
            .map(|g| GroupView {
                title: g.title.clone(),
                figures: g.figures.iter().map(figure).collect(),
            })
            .collect()
    }
}

#[derive(Serialize)]
pub(super) struct GroupView {
    title: String,
    figures: Vec<FigureView>,
}

#[derive(Serialize)]
struct FigureView {
    svg: String,
    caption: String,
    name: String,
}

pub(super) fn all(
    study: &Study<'_>,
    averages: &Means,
    comparison: Option<&Comparison>,
) -> Result<Vec<FigureSection>> {
    let by_measure = |kind: FigureKind,
                      figures: &dyn Fn(usize, &str) -> Result<Vec<Figure>>|
     -> Result<FigureSection> {
        let mut groups = Vec::new();
        for (column, metric) in study.averaged() {
            let title = metric.to_string();
            groups.push(FigureGroup { figures: figures(column, &title)?, title });
        }
        groups.retain(|group| !group.figures.is_empty());
        Ok(FigureSection { kind, groups })
    };
    let once = |kind: FigureKind, figure: Option<Figure>| FigureSection {
        kind,
        groups: figure
            .into_iter()
            .map(|figure| FigureGroup { title: String::new(), figures: vec![figure] })
            .collect(),
    };
    let mut sections = vec![
        by_measure(FigureKind::Means, &|column, measure| {
            Ok(vec![means(study, averages, column, measure)])
        })?,
        by_measure(FigureKind::Distributions, &|column, measure| {
            Ok(vec![distributions(study, averages, column, measure)])
        })?,
        by_measure(FigureKind::Differences, &|column, measure| {
            comparison.map_or(Ok(Vec::new()), |c| differences(study, c, column, measure))
        })?,
        once(FigureKind::Curve, curve(study, averages)),
        once(FigureKind::Agreement, agreement(study, averages)?),
        by_measure(FigureKind::Joint, &|column, measure| {
            comparison.map_or(Ok(Vec::new()), |c| joint(study, c, column, measure))
        })?,
    ];
    sections.retain(|section| !section.groups.is_empty());
    tell_apart(&mut sections);
    Ok(sections)
}

/// Measures that differ only by signs would share the names of their files.
fn tell_apart(sections: &mut [FigureSection]) {
    let mut taken: Vec<String> = Vec::new();
    for figure in sections.iter_mut().flat_map(|s| &mut s.groups).flat_map(|g| &mut g.figures) {
        let numbered = (2..).map(|n| format!("{}-{n}", figure.name));
        if let Some(free) =
            std::iter::once(figure.name.clone()).chain(numbered).find(|name| !taken.contains(name))
        {
            taken.push(free.clone());
            figure.name = free;
        }
    }
}

fn means(study: &Study<'_>, averages: &Means, column: usize, measure: &str) -> Figure {
    let row = |run: usize| {
        let value = averages.shown(study, run, column)?;
        let interval = averages.system(run, column).and_then(summary::finite);
        let (lower, upper) = interval.unwrap_or((value, value));
        Some(IntervalRow {
            label: study.runs[run].name.to_string(),
            value,
            lower,
            upper,
            muted: run == study.reference && study.runs.len() > 1,
        })
    };
    let rows: Vec<IntervalRow> =
        averages.order(study, column).into_iter().filter_map(row).collect();
    let topics = averages.of(column).map(|means| format!(" over {}", topics(means)));
    let caption = format!(
        "Mean {measure} of every run{} with its {}% interval ({}); the reference run is grey.",
        topics.unwrap_or_default(),
        study.percent(),
        study.interval_method()
    );
    plot::intervals(&format!("means {measure}"), caption, &format!("mean {measure}"), &rows, None)
}

/// The best runs by a measure, the reference among them, and how a caption calls them.
fn shown(study: &Study<'_>, averages: &Means, column: usize) -> (Vec<usize>, String) {
    let mut order = averages.order(study, column);
    let all = order.len();
    if all <= SHOWN {
        return (order, "every run".to_string());
    }
    order.truncate(SHOWN);
    if order.contains(&study.reference) {
        return (order, format!("the {SHOWN} best of {all} runs"));
    }
    order[SHOWN - 1] = study.reference;
    let name = study.runs[study.reference].name;
    (order, format!("the {} best of {all} runs and the reference run {name}", SHOWN - 1))
}

fn distributions(study: &Study<'_>, averages: &Means, column: usize, measure: &str) -> Figure {
    let (runs, which) = shown(study, averages, column);
    let groups: Vec<(String, Vec<f64>)> = runs
        .into_iter()
        .map(|run| (study.runs[run].name.to_string(), averages.scores(study, run, column)))
        .collect();
    let most = groups.iter().map(|(_, scores)| scores.len()).max().unwrap_or(0);
    let dots = if most > plot::DOTS {
        format!("{} dots of equally many topics each", plot::DOTS)
    } else {
        "each topic as a dot".to_string()
    };
    let caption = format!(
        "{measure} over the topics, for {which}: density, quartiles with whiskers to 1.5 times their distance, and {dots}."
    );
    plot::distribution(&format!("distribution {measure}"), caption, measure, &groups)
}

fn differences(
    study: &Study<'_>,
    comparison: &Comparison,
    column: usize,
    measure: &str,
) -> Result<Vec<Figure>> {
    let pairs = contrast::contrasted(study, comparison, column);
    let runs: Vec<usize> = pairs.iter().map(|(run, _)| *run).collect();
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let by_topic = contrast::ByTopic::new(study, column, &runs)?;
    let figure = |(run, pair): &(usize, &Pair)| {
        let Pair { a, b, wins, ties, losses, .. } = pair;
        let caption = format!(
            "{measure} of {a} less that of {b}, topic by topic: {wins} better, {ties} equal, {losses} worse."
        );
        let sorted = by_topic.sorted(study, *run);
        plot::differences(
            &format!("differences {measure} {a}"),
            caption,
            &format!("difference in {measure}"),
            &sorted,
            by_topic.span(),
            |topic| study.qrels.topic_name(topic),
        )
    };
    Ok(pairs.iter().map(figure).collect())
}

/// The differences between what unjudged documents could make of them.
fn joint(
    study: &Study<'_>,
    comparison: &Comparison,
    column: usize,
    measure: &str,
) -> Result<Vec<Figure>> {
    let mut rows: Vec<IntervalRow> = Vec::new();
    let mut kind = range::RangeKind::Exact;
    let pairs = comparison.measure(column).into_iter().flat_map(|m| &m.pairs);
    for (pair, joint) in pairs.filter_map(|pair| Some((pair, pair.joint.as_ref()?))) {
        let JointDifference { low: lower, high: upper, .. } = joint.range;
        kind = kind.max(joint.range.kind);
        let muted = joint.verdict == JointVerdict::CouldTurn;
        rows.push(IntervalRow {
            label: pair.a.clone(),
            value: pair.difference,
            lower,
            upper,
            muted,
        });
    }
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let of = if rows.len() + 1 < study.runs.len() {
        format!("the {} runs named", rows.len())
    } else {
        "every run".to_string()
    };
    let caption = format!(
        "Mean difference in {measure} of {of} from {}, as judged, and the range that the unjudged documents of both leave open ({}); grey if it holds 0.",
        study.runs[study.reference].name,
        kind.name()
    );
    Ok(vec![plot::intervals(
        &format!("joint {measure}"),
        caption,
        &format!("mean difference in {measure}"),
        &rows,
        Some(0.0),
    )])
}

fn curve(study: &Study<'_>, averages: &Means) -> Option<Figure> {
    let (runs, which) = shown(study, averages, 0);
    let mean = |scores: &Scores, column: usize| {
        let values: Vec<f64> = scores.column(column).flatten().collect();
        values.iter().sum::<f64>() / values.len().max(1) as f64
    };
    let points = |scores: &Scores| (0..RECALLS.len()).map(|column| mean(scores, column)).collect();
    let curve =
        |run: usize| Some((study.runs[run].name.to_string(), points(study.runs[run].extras?)));
    let groups: Vec<(String, Vec<f64>)> = runs.into_iter().map(curve).collect::<Option<_>>()?;
    let caption = format!(
        "Interpolated precision at eleven levels of recall, the mean of the topics with a relevant document, for {which}."
    );
    Some(plot::recall_precision("recall-precision", caption, &groups))
}

/// The agreement of the measures on the order of the runs.
fn agreement(study: &Study<'_>, averages: &Means) -> Result<Option<Figure>> {
    if study.runs.len() < FEWEST || study.metrics.len() < 2 {
        return Ok(None);
    }
    let summary = |column: usize| -> Option<Vec<f64>> {
        (0..study.runs.len()).map(|run| averages.shown(study, run, column)).collect()
    };
    let scored: Vec<(String, Vec<f64>)> = study
        .metrics
        .iter()
        .enumerate()
        .filter_map(|(column, metric)| Some((metric.to_string(), summary(column)?)))
        .collect();
    let mut rows = Vec::new();
    for (_, x) in &scored {
        let row: Result<Vec<Option<f64>>> =
            scored.iter().map(|(_, y)| kendall_tau_b(x, y)).collect();
        rows.push(row?);
    }
    let names: Vec<String> = scored.into_iter().map(|(name, _)| name).collect();
    let caption = format!(
        "Kendall's \u{3c4}-b between the orders in which two measures put the {} runs.",
        study.runs.len()
    );
    Ok(Some(plot::agreement("agreement", caption, "Kendall's \u{3c4}-b", &names, &rows)))
}
