//! Every run against the reference, by every measure that is averaged.

use serde::Serialize;

use super::Study;
use crate::Result;
use crate::compare::{self, Comparison, MeasureComparison, Pair};
use crate::report::number::number;
use crate::score::CommonTopics;
use crate::warning::{Kind, Warnings};

/// The comparison, if there is more than one run.
pub(super) fn comparison(study: &Study<'_>) -> Result<Option<Comparison>> {
    if study.runs.len() < 2 {
        return Ok(None);
    }
    let settings = compare::Settings { baseline: Some(study.reference), ..study.settings.clone() };
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
    compared.warnings.retain(|w| w.kind != Kind::UnboundedMean);
    Ok(Some(compared))
}

/// The topics on which all runs are compared by one measure, each with the run's score less the
/// reference's.
pub(super) fn differences(
    study: &Study<'_>,
    column: usize,
    run: usize,
) -> Result<Vec<(String, f64)>> {
    let systems = study.systems();
    let common = CommonTopics::new(study.qrels, &[(column, &study.metrics[column])], &systems)?;
    let scores = common.matrix(column)?;
    let (a, b) = (&scores.rows()[run], &scores.rows()[study.reference]);
    let topics = common.topics.iter().map(|topic| study.qrels.topic_name(*topic));
    Ok(topics.zip(a.iter().zip(b).map(|(a, b)| a - b)).collect())
}

/// The table of differences of one measure.
#[derive(Serialize)]
pub(super) struct View {
    measure: String,
    topics: usize,
    rows: Vec<Row>,
    /// What unjudged documents could do to each difference.
    sentences: Vec<String>,
}

#[derive(Serialize)]
struct Row {
    run: String,
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

pub(super) fn view(study: &Study<'_>, comparison: &Comparison) -> Vec<View> {
    let row = |pair: &Pair| Row {
        run: pair.a.clone(),
        difference: signed(pair.difference),
        interval: (pair.interval.lower.is_finite() && pair.interval.upper.is_finite())
            .then(|| (signed(pair.interval.lower), signed(pair.interval.upper))),
        p: pair.p.map(p_text),
        corrected: pair.p_corrected.map(p_text),
        effect: pair
            .effect_size
            .as_ref()
            .map(|e| number(e.hedges_g, Some(2)).replace('-', "\u{2212}")),
        wins: pair.wins,
        ties: pair.ties,
        losses: pair.losses,
        direction: pair.direction(),
        note: pair.note.clone(),
    };
    let of = |measure: &MeasureComparison| {
        let mut pairs: Vec<&Pair> = measure.pairs.iter().collect();
        pairs.sort_by(|a, b| b.difference.total_cmp(&a.difference));
        let sentences =
            pairs.iter().filter_map(|pair| Some(pair.joint.as_ref()?.sentence.clone())).collect();
        View {
            measure: measure.measure.clone(),
            topics: measure.topics,
            rows: pairs.into_iter().map(row).collect(),
            sentences,
        }
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
