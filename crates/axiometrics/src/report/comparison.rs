//! Comparisons of systems as tables. Caption and footnotes state the test, the correction, alpha
//! and what the measures compute.

use super::table::{Cell, Column, Table};
use crate::choice::Choice;
use crate::compare::{Comparison, Joint, JointVerdict, MeasureComparison, Pair};
use crate::measure::range::Kind;
use crate::stats::Correction;

/// The means of all systems by all measures, each with the marks of significance beside it.
///
/// With a baseline the mark is `+` for better and `-` for worse; without, every system has a label,
/// and the mark lists the labels of the systems that it is significantly better than.
pub fn means(comparison: &Comparison) -> Table {
    let labels: Vec<String> =
        (0..comparison.systems.len()).map(|i| label(i, comparison.systems.len())).collect();
    let labelled = comparison.baseline.is_none();
    let mut columns = vec![Column::text("system")];
    columns.extend(labelled.then(|| Column::text("label")));
    for measure in &comparison.measures {
        columns.extend([
            Column::number(&measure.measure),
            Column::text(if labelled { "beats" } else { "" }),
        ]);
    }
    let mut table = Table::new(columns);
    table.caption = Some("Means over topics".to_string());
    for (i, system) in comparison.systems.iter().enumerate() {
        let mut cells = vec![Cell::text(system)];
        cells.extend(labelled.then(|| Cell::text(&labels[i])));
        for measure in &comparison.measures {
            let mark = match &comparison.baseline {
                Some(baseline) => {
                    measure.pair(system, baseline).map_or("", |pair| sign(pair, system)).to_string()
                }
                None => beaten(comparison, measure, system, &labels),
            };
            cells.extend([Cell::number(measure.systems[i].mean), Cell::text(mark)]);
        }
        table.push(cells);
    }
    for column in (0..table.columns.len()).filter(|c| *c > 0) {
        table.mark_highest(column);
    }
    table.footnotes.push(match &comparison.baseline {
        Some(baseline) => {
            format!("+ or -: significantly better or worse than the baseline {baseline}")
        }
        None => "beats: the labels of the systems that the system is significantly better than"
            .to_string(),
    });
    table.footnotes.extend(method(comparison));
    table.footnotes.extend(scale(comparison));
    table.footnotes.extend(
        comparison
            .measures
            .iter()
            .map(|m| format!("{} ({} topics): {}", m.measure, m.topics, m.definition)),
    );
    table
}

/// The pairs of one measure.
pub fn pairs(comparison: &Comparison, measure: &MeasureComparison) -> Table {
    let confidence = format!("{}%", percent(1.0 - comparison.settings.alpha));
    let mut table = Table::new(vec![
        Column::text("system"),
        Column::text("against"),
        Column::number("difference"),
        Column::number(format!("{confidence} from")),
        Column::number("to"),
        Column::number("g").places(2),
        Column::number("p"),
        Column::number("corrected"),
        Column::text(""),
        Column::number("wins").exact(),
        Column::number("ties").exact(),
        Column::number("losses").exact(),
    ]);
    table.caption = Some(format!(
        "{}, {} topics: {}",
        measure.measure,
        measure.topics,
        test_line(comparison, measure)
    ));
    let mut notes: Vec<(String, Vec<String>)> = Vec::new();
    for pair in &measure.pairs {
        table.push(vec![
            Cell::text(&pair.a),
            Cell::text(&pair.b),
            Cell::number(pair.difference),
            Cell::number(pair.interval.lower),
            Cell::number(pair.interval.upper),
            Cell::number(pair.effect_size.map(|e| e.hedges_g)),
            p_cell(pair.p),
            p_cell(pair.p_corrected).strong(pair.significant),
            Cell::text(if pair.significant { "*" } else { "" }),
            Cell::number(pair.wins as f64),
            Cell::number(pair.ties as f64),
            Cell::number(pair.losses as f64),
        ]);
        if let Some(note) = &pair.note {
            let about = format!("{} against {}", pair.a, pair.b);
            match notes.iter_mut().find(|(known, _)| known == note) {
                Some((_, pairs)) => pairs.push(about),
                None => notes.push((note.clone(), vec![about])),
            }
        }
    }
    let alpha = comparison.settings.alpha;
    table.footnotes.push(format!(
        "*: corrected p at most {alpha}. g: Hedges' effect size of the paired differences"
    ));
    if let Some(pair) = measure.pairs.first() {
        let of = if comparison.settings.test.is_family_wise() {
            "Intervals of all pairs together"
        } else {
            "Intervals of single differences"
        };
        table.footnotes.push(format!("Test: {}. {of}: {}", pair.method, pair.interval.method));
    }
    table.footnotes.push(format!("{}: {}", measure.measure, measure.definition));
    if measure.left_out.total() > 0 {
        table.footnotes.push(format!("Topics left out: {}", measure.left_out));
    }
    /// Beyond this only the number of pairs is told.
    const NAMED: usize = 3;
    for (note, about) in notes {
        let named = about.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        let more = about.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        table.footnotes.push(format!("{note}: {named}{more}"));
    }
    table
}

/// What unjudged documents could do to the differences of one measure; `None` where that is not
/// known.
pub fn joint(measure: &MeasureComparison) -> Option<Table> {
    let pairs: Vec<(&Pair, &Joint)> =
        measure.pairs.iter().filter_map(|pair| Some((pair, pair.joint.as_ref()?))).collect();
    if pairs.is_empty() {
        return None;
    }
    let mut table = Table::new(vec![
        Column::text("system"),
        Column::text("against"),
        Column::number("difference"),
        Column::number("lowest"),
        Column::number("highest"),
        Column::text("kind"),
        Column::number("unjudged").exact(),
        Column::text("order"),
    ]);
    table.caption = Some(format!(
        "{}, {} topics: the lowest and the highest difference that any judgement of the unjudged documents could give",
        measure.measure, measure.topics
    ));
    for (pair, joint) in &pairs {
        table.push(vec![
            Cell::text(&pair.a),
            Cell::text(&pair.b),
            Cell::number(pair.difference),
            Cell::number(joint.range.low),
            Cell::number(joint.range.high),
            Cell::text(joint.range.kind.name()),
            Cell::number(joint.range.unjudged as f64),
            Cell::text(if joint.verdict == JointVerdict::CouldTurn {
                "could turn"
            } else {
                "certain"
            }),
        ]);
    }
    /// Beyond this the sentences are summed up.
    const TOLD: usize = 6;
    if pairs.len() <= TOLD {
        table.footnotes.extend(pairs.iter().map(|(_, joint)| joint.sentence.clone()));
    } else {
        let turn =
            pairs.iter().filter(|(_, joint)| joint.verdict == JointVerdict::CouldTurn).count();
        let hold = pairs.len() - turn;
        table
            .footnotes
            .push(format!("{hold} of {} orders hold whatever the unjudged documents are; {turn} could be turned round", pairs.len()));
    }
    let bound = pairs.iter().any(|(_, joint)| joint.range.kind == Kind::Bound);
    let bound = if bound { ". bound: the ends may lie too far apart" } else { "" };
    table
        .footnotes
        .push(format!("unjudged: documents that either retrieved, of one grade for both{bound}"));
    table.footnotes.push(format!("{}: {}", measure.measure, measure.definition));
    Some(table)
}

/// The means with their intervals, a row per system and measure: for programs.
pub fn mean_rows(comparison: &Comparison) -> Table {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::text("system"),
        Column::number("mean"),
        Column::number("lower"),
        Column::number("upper"),
        Column::number("confidence"),
        Column::number("topics"),
    ]);
    for measure in &comparison.measures {
        for system in &measure.systems {
            table.push(vec![
                Cell::text(&measure.measure),
                Cell::text(&system.name),
                Cell::number(system.mean),
                Cell::number(system.interval.lower),
                Cell::number(system.interval.upper),
                Cell::number(system.interval.confidence),
                Cell::number(measure.topics as f64),
            ]);
        }
    }
    table
}

/// The pairs of all measures, a row each: for programs.
pub fn pair_rows(comparison: &Comparison) -> Table {
    let mut table = Table::new(vec![
        Column::text("measure"),
        Column::text("a"),
        Column::text("b"),
        Column::number("difference"),
        Column::number("lower"),
        Column::number("upper"),
        Column::number("cohen_d"),
        Column::number("hedges_g"),
        Column::number("statistic"),
        Column::number("p"),
        Column::number("p_corrected"),
        Column::text("significant"),
        Column::number("wins"),
        Column::number("ties"),
        Column::number("losses"),
        Column::number("joint_low"),
        Column::number("joint_high"),
        Column::text("joint_kind"),
        Column::number("unjudged"),
        Column::text("note"),
    ]);
    for measure in &comparison.measures {
        for pair in &measure.pairs {
            table.push(vec![
                Cell::text(&measure.measure),
                Cell::text(&pair.a),
                Cell::text(&pair.b),
                Cell::number(pair.difference),
                Cell::number(pair.interval.lower),
                Cell::number(pair.interval.upper),
                Cell::number(pair.effect_size.map(|e| e.cohen_d)),
                Cell::number(pair.effect_size.map(|e| e.hedges_g)),
                Cell::number(pair.statistic),
                Cell::number(pair.p),
                Cell::number(pair.p_corrected),
                Cell::text(if pair.significant { "yes" } else { "no" }),
                Cell::number(pair.wins as f64),
                Cell::number(pair.ties as f64),
                Cell::number(pair.losses as f64),
                Cell::number(pair.joint.as_ref().map(|j| j.range.low)),
                Cell::number(pair.joint.as_ref().map(|j| j.range.high)),
                Cell::text(pair.joint.as_ref().map_or("", |j| j.range.kind.name())),
                Cell::number(pair.joint.as_ref().map(|j| j.range.unjudged as f64)),
                Cell::text(pair.note.as_deref().unwrap_or("")),
            ]);
        }
    }
    table
}

/// What was done, in sentences.
pub fn method(comparison: &Comparison) -> Vec<String> {
    let Some(measure) = comparison.measures.first() else { return Vec::new() };
    let mut lines = vec![test_line(comparison, measure)];
    if let Some(system) = measure.systems.first() {
        let confidence = percent(1.0 - comparison.settings.alpha);
        lines.push(format!(
            "Intervals of means: {}, {confidence}%, as far as the range of the measure goes",
            system.interval.method
        ));
    }
    lines
}

/// Which of the measures are on an interval scale, and who doubts that it matters.
fn scale(comparison: &Comparison) -> Option<String> {
    let named = |equal: bool| {
        let all =
            comparison.measures.iter().filter(|m| m.spacing.is_some_and(|s| s.equal == equal));
        all.map(|m| m.measure.as_str()).collect::<Vec<_>>().join(", ")
    };
    let (even, uneven) = (named(true), named(false));
    if uneven.is_empty() {
        return (!even.is_empty()).then(|| {
            format!(
                "Equally spaced values, an interval scale (Ferrante, Ferro and Fuhr 2021): {even}"
            )
        });
    }
    let even = if even.is_empty() { String::new() } else { format!("; {even} are") };
    Some(format!(
        "Values not equally spaced, so no interval scale to Ferrante, Ferro and Fuhr (2021), who would not average them: {uneven}{even}. \
         Moffat (2022) holds that scores can be averaged as they are"
    ))
}

pub(super) fn test_line(comparison: &Comparison, measure: &MeasureComparison) -> String {
    let settings = &comparison.settings;
    let family = &measure.family;
    let corrected = match settings.correction.unwrap_or_default() {
        _ if settings.test.is_family_wise() => {
            format!("p-values hold for the family of all {} pairs of one measure", family.tests)
        }
        Correction::None => "p-values are not corrected".to_string(),
        other => {
            let (pairs, measures) =
                (counted(family.pairs, "pair"), counted(family.measures, "measure"));
            format!(
                "p-values corrected by {} over {} ({pairs} x {measures})",
                other.name(),
                counted(family.tests, "test")
            )
        }
    };
    format!("{}; {corrected}; alpha {}", settings.test.meaning(), settings.alpha)
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn percent(share: f64) -> f64 {
    (share * 1e4).round() / 1e2
}

/// A p-value for people: the smallest ones as a bound, for 0.0000 is none.
fn p_cell(p: Option<f64>) -> Cell {
    match p {
        Some(p) if p < 0.00005 => Cell::text("<0.0001"),
        other => Cell::number(other),
    }
}

fn sign(pair: &Pair, system: &str) -> &'static str {
    match (pair.significant, (pair.difference > 0.0) == (pair.a == system)) {
        (false, _) => "",
        (true, true) => "+",
        (true, false) => "-",
    }
}

/// Letters while they suffice, numbers beyond.
fn label(system: usize, of: usize) -> String {
    match u8::try_from(system) {
        Ok(i) if of <= 26 => char::from(b'a' + i).to_string(),
        _ => (system + 1).to_string(),
    }
}

fn beaten(
    comparison: &Comparison,
    measure: &MeasureComparison,
    system: &str,
    labels: &[String],
) -> String {
    let is_beaten =
        |other: &str| measure.pair(system, other).is_some_and(|pair| sign(pair, system) == "+");
    let beaten: Vec<&str> = comparison
        .systems
        .iter()
        .zip(labels)
        .filter(|(other, _)| is_beaten(other))
        .map(|(_, label)| label.as_str())
        .collect();
    beaten.join(if labels.len() <= 26 { "" } else { " " })
}
