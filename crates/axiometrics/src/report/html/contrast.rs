//! Every run against the reference, by every measure that is averaged.

use serde::Serialize;

use super::Study;
use crate::Result;
use crate::compare::{self, Comparison, MeasureComparison, Pair};
use crate::report::number::number;
use crate::score::{CommonTopics, Measured};
use crate::warning::{WarningKind, Warnings};

/// The comparison, if there is more than one run.
pub(super) fn comparison(study: &Study<'_>) -> Result<Option<Comparison>> {
    if study.runs.len() < 2 {
        return Ok(None);
    }
    let settings =
        compare::ComparisonSettings { baseline: Some(study.reference), ..study.settings.clone() };
    let mut warnings = Warnings::default();
    let systems = study.systems();
    let mut compared =
        compare::compare(study.qrels, study.metrics, &systems, &settings, &mut warnings)?;
    if let Some(joint) = study.joint {
        compare::add_joint(
            &mut compared,
            study.qrels,
            study.metrics,
            &systems,
            joint,
            &mut warnings,
        )?;
    }
    // The section on properties says more about it.
    compared.warnings.retain(|w| w.kind != WarningKind::UnboundedMean);
    Ok(Some(compared))
}

/// The differences of runs from the reference by one measure, topic by topic: the topics on which
/// all runs are compared, and for each run its scores less those of the reference.
pub(super) struct ByTopic {
    topics: Vec<u32>,
    differences: Vec<(usize, Vec<f64>)>,
}

impl ByTopic {
    /// The differences of these runs.
    pub(super) fn new(study: &Study<'_>, column: usize, runs: &[usize]) -> Result<ByTopic> {
        let systems = study.systems();
        let common =
            CommonTopics::of_measure(study.qrels, column, &study.metrics[column], &systems)?;
        let scores = common.matrix(column)?;
        let of = |run: usize| &scores.rows()[run];
        let less = |run: usize| {
            of(run).iter().zip(of(study.reference)).map(|(a, b)| a - b).collect::<Vec<f64>>()
        };
        let differences = runs.iter().map(|run| (*run, less(*run))).collect();
        Ok(ByTopic { topics: common.topics, differences })
    }

    /// The differences of one run, with their topics, from the greatest gain to the greatest loss.
    pub(super) fn sorted(&self, study: &Study<'_>, run: usize) -> Vec<(u32, f64)> {
        let Some((_, values)) = self.differences.iter().find(|(known, _)| *known == run) else {
            return Vec::new();
        };
        let mut sorted: Vec<(u32, f64)> =
            self.topics.iter().copied().zip(values.iter().copied()).collect();
        sorted.sort_by(|a, b| {
            let name = |topic: u32| study.qrels.topic_bytes(topic);
            b.1.total_cmp(&a.1).then_with(|| name(a.0).cmp(name(b.0)))
        });
        sorted
    }

    /// The lowest and the highest difference of all runs, so that their plots share an axis.
    pub(super) fn span(&self) -> (f64, f64) {
        let all = self.differences.iter().flat_map(|(_, values)| values);
        all.fold((0.0, 0.0), |(low, high): (f64, f64), x| (low.min(*x), high.max(*x)))
    }
}

/// At most so many runs are shown topic by topic, by each measure: those that differ most from the
/// reference.
const CONTRASTED: usize = 4;
/// So many topics are named at each end.
const NAMED: usize = 5;

/// The runs that are shown topic by topic, with their pairs.
pub(super) fn contrasted<'c>(
    study: &Study<'_>,
    comparison: &'c Comparison,
    column: usize,
) -> Vec<(usize, &'c Pair)> {
    let mut pairs: Vec<(usize, &Pair)> = Vec::new();
    for pair in comparison.measure(column).into_iter().flat_map(|m| &m.pairs) {
        pairs.extend(study.runs.iter().position(|run| run.name == pair.a).map(|run| (run, pair)));
    }
    pairs.sort_by(|a, b| b.1.difference.abs().total_cmp(&a.1.difference.abs()));
    pairs.truncate(CONTRASTED);
    pairs
}

/// The topics that a run helps most and hurts most.
#[derive(Serialize)]
struct TopicExtremes {
    run: String,
    helped: Vec<(String, String)>,
    hurt: Vec<(String, String)>,
}

fn extremes(
    study: &Study<'_>,
    comparison: &Comparison,
    column: usize,
) -> Result<Vec<TopicExtremes>> {
    let pairs = contrasted(study, comparison, column);
    let runs: Vec<usize> = pairs.iter().map(|(run, _)| *run).collect();
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let by_topic = ByTopic::new(study, column, &runs)?;
    let lower = Measured::lower_is_better(&study.metrics[column]);
    let named = |(topic, by): &(u32, f64)| (study.qrels.topic_name(*topic), signed(*by));
    let of = |run: usize| {
        let sorted = by_topic.sorted(study, run);
        let high: Vec<_> = sorted.iter().take(NAMED).filter(|(_, d)| *d > 0.0).map(named).collect();
        let low: Vec<_> =
            sorted.iter().rev().take(NAMED).filter(|(_, d)| *d < 0.0).map(named).collect();
        let (helped, hurt) = if lower { (low, high) } else { (high, low) };
        TopicExtremes { run: study.runs[run].name.to_string(), helped, hurt }
    };
    Ok(runs.into_iter().map(of).collect())
}

/// The table of differences of one measure.
#[derive(Serialize)]
pub(super) struct ContrastView {
    measure: String,
    topics: usize,
    /// Why topics were left out; empty if none was.
    left_out: String,
    rows: Vec<DifferenceRow>,
    /// The reference's mean on these topics.
    reference: Option<String>,
    extremes: Vec<TopicExtremes>,
    /// What unjudged documents could do to each difference.
    sentences: Vec<String>,
}

#[derive(Serialize)]
struct DifferenceRow {
    run: String,
    /// On the topics of the table.
    mean: Option<String>,
    difference: String,
    interval: Option<(String, String)>,
    /// Raw.
    p: Option<String>,
    corrected: Option<String>,
    effect: Option<String>,
    wins: usize,
    ties: usize,
    losses: usize,
    direction: i8,
    note: Option<String>,
}

pub(super) fn view(study: &Study<'_>, comparison: &Comparison) -> Result<Vec<ContrastView>> {
    let mean = |measure: &MeasureComparison, name: &str| {
        let system = measure.systems.iter().find(|system| system.name == name)?;
        Some(number(system.mean, Some(4)))
    };
    let row = |measure: &MeasureComparison, pair: &Pair| DifferenceRow {
        run: pair.a.clone(),
        mean: mean(measure, &pair.a),
        difference: signed(pair.difference),
        interval: (pair.interval.lower.is_finite() && pair.interval.upper.is_finite())
            .then(|| (signed(pair.interval.lower), signed(pair.interval.upper))),
        p: pair.p.map(p_text),
        corrected: pair.p_corrected.map(p_text),
        effect: pair.effect_size.as_ref().map(|e| {
            number(e.hedges_g, Some(2)).replace('-', "\u{2212}").replace("inf", "\u{221e}")
        }),
        wins: pair.wins,
        ties: pair.ties,
        losses: pair.losses,
        direction: pair.direction(),
        note: pair.note.clone(),
    };
    let of = |measure: &MeasureComparison| -> Result<ContrastView> {
        let mut pairs: Vec<&Pair> = measure.pairs.iter().collect();
        pairs.sort_by(|a, b| b.difference.total_cmp(&a.difference));
        let sentences =
            pairs.iter().filter_map(|pair| Some(pair.joint.as_ref()?.sentence.clone())).collect();
        let left_out = match measure.left_out.total() {
            0 => String::new(),
            many => format!("{many} left out: {}", measure.left_out),
        };
        Ok(ContrastView {
            measure: measure.measure.clone(),
            topics: measure.topics,
            left_out,
            rows: pairs.into_iter().map(|pair| row(measure, pair)).collect(),
            reference: mean(measure, study.runs[study.reference].name),
            extremes: extremes(study, comparison, measure.column)?,
            sentences,
        })
    };
    study.averaged().filter_map(|(column, _)| comparison.measure(column)).map(of).collect()
}

/// A difference for people, with its sign.
pub(super) fn signed(x: f64) -> String {
    let text = number(x, Some(4)).replace('-', "\u{2212}");
    if x > 0.0 { format!("+{text}") } else { text }
}

/// Both p-values for people; `None` if the test has none.
pub(super) fn p_texts(pair: &Pair) -> Option<String> {
    let (raw, corrected) = (p_text(pair.p?), p_text(pair.p_corrected?));
    Some(format!("raw {raw}, corrected {corrected}"))
}

/// A p-value for people.
fn p_text(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_string() } else { number(p, Some(4)) }
}
