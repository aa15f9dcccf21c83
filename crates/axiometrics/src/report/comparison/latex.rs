//! A comparison as one would submit it: systems by measures, one column each.

use super::means::ranks;
use super::{grouping_line, has_ranks, percent, topics_line};
use crate::compare::{Comparison, MeasureComparison, SystemMean};
use crate::report::latex::{Frame, escape};
use crate::report::number::number;
use crate::report::table::Style;

/// One table for the measures with the same topics, booktabs around it: means with letters as
/// superscripts, or arrows with a baseline, and below each mean its interval and the ranks that the
/// system may have. What is
/// needed to read it is in the caption; further notes come below it if they are given.
pub fn latex(comparison: &Comparison, notes: &[String], style: &Style) -> String {
    let mut groups: Vec<Vec<&MeasureComparison>> = Vec::new();
    for measure in &comparison.measures {
        let same = |group: &&mut Vec<&MeasureComparison>| {
            group[0].topics == measure.topics && group[0].left_out_topics == measure.left_out_topics
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(measure),
            None => groups.push(vec![measure]),
        }
    }
    let last = groups.len().saturating_sub(1);
    let tables = groups.iter().enumerate().map(|(i, group)| {
        let label = match i {
            0 => "tab:comparison".to_string(),
            i => format!("tab:comparison-{}", i + 1),
        };
        table(comparison, group, &label, if i == last { notes } else { &[] }, style)
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn table(
    comparison: &Comparison,
    measures: &[&MeasureComparison],
    label: &str,
    notes: &[String],
    style: &Style,
) -> String {
    let places = Some(style.places.unwrap_or(4));
    // Each system has two lines.
    let frame = Frame::of(2 * measures[0].systems.len());
    let caption =
        format!("\\caption{{{}}}\n\\label{{{label}}}\n", caption(comparison, measures[0]));
    let head = line("System", measures.iter().map(|measure| escape(measure.title())));
    let mut body = String::new();
    for system in measures[0].by_mean() {
        let of = |measure: &MeasureComparison| {
            measure.systems.iter().find(|other| other.name == system.name).cloned()
        };
        let own: Vec<Option<SystemMean>> = measures.iter().map(|measure| of(measure)).collect();
        let cells = measures.iter().zip(&own).map(|(measure, system)| {
            system.as_ref().map_or(String::new(), |s| mean(comparison, measure, s, places))
        });
        // A page breaks between systems, not between the lines of one.
        let means = line(&escape(&system.name), cells);
        body += &if frame.long { means.replace("\\\\\n", "\\\\*\n") } else { means };
        let below =
            own.iter().map(|system| system.as_ref().map_or(String::new(), |s| interval(s, places)));
        body += &line("", below);
    }
    let spec = format!("l{}", "c".repeat(measures.len()));
    frame.begin(&caption) + &frame.tabular(&spec, &caption, &head, &body) + &frame.end(notes)
}

fn line(first: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = std::iter::once(first.to_string()).chain(cells).collect();
    format!("{} \\\\\n", cells.join(" & "))
}

fn caption(comparison: &Comparison, measure: &MeasureComparison) -> String {
    let confidence = percent(1.0 - comparison.settings.alpha);
    let ranks = if has_ranks(measure) { " and the ranks that a system may have" } else { "" };
    let mut text = escape(&format!(
        "Means over {}, with {confidence}% intervals{ranks}.",
        topics_line(measure)
    ));
    if let Some(grouping) = &measure.grouping {
        let decided = grouping_line(grouping, comparison.settings.alpha);
        text += &escape(&format!(
            " Systems that share a letter do not differ significantly ({decided})."
        ));
    }
    if let Some(baseline) = &comparison.baseline {
        text += &format!(
            " $\\uparrow$, $\\downarrow$: significantly better or worse than {} ({}).",
            escape(baseline),
            escape(&super::test_line(comparison, measure))
        );
    }
    let alpha = comparison.settings.alpha;
    text.replace(&format!("alpha {alpha}"), &format!("$\\alpha = {alpha}$"))
}

/// The mean with its letters and arrow, bold if no system has a better one.
fn mean(
    comparison: &Comparison,
    measure: &MeasureComparison,
    system: &SystemMean,
    places: Option<u8>,
) -> String {
    let text = number(system.mean, places);
    let best = measure.by_mean().first().is_some_and(|first| first.mean == system.mean);
    let text = if best { format!("\\mathbf{{{text}}}") } else { text };
    let arrow = comparison.baseline.as_deref().and_then(|baseline| {
        match measure.pair(&system.name, baseline)?.direction_of(&system.name) {
            0 => None,
            1 => Some("\\uparrow"),
            _ => Some("\\downarrow"),
        }
    });
    let letters = system.letters.as_ref().map(|letters| format!("\\mathrm{{{letters}}}"));
    match (letters, arrow) {
        (None, None) => format!("${text}$"),
        (letters, arrow) => {
            format!("${text}^{{{}{}}}$", letters.unwrap_or_default(), arrow.unwrap_or_default())
        }
    }
}

/// The interval of the mean and the ranks if there are any, small.
fn interval(system: &SystemMean, places: Option<u8>) -> String {
    let end = |x: f64| match x {
        f64::INFINITY => "\\infty".to_string(),
        f64::NEG_INFINITY => "-\\infty".to_string(),
        x => number(x, places),
    };
    let ranks = system.ranks.map(|_| format!(", {}", ranks(system, "--"))).unwrap_or_default();
    let (lower, upper) = (end(system.interval.lower), end(system.interval.upper));
    format!("{{\\scriptsize $[{lower}, {upper}]${ranks}}}")
}
