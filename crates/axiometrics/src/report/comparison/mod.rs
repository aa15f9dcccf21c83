//! Comparisons of systems as tables. Captions name the topics; footnotes state the test, the
//! correction, alpha and what the measures compute.
//!
//! Tables for people are at most 80 columns wide if names are not long: a pair is shown under the
//! better of its two systems, not with both names in each row.

mod changes;
mod joint;
mod latex;
mod means;
mod pairs;
mod report;
mod rows;

pub use changes::changes;
pub use joint::joint;
pub use latex::latex;
pub use means::means;
pub use pairs::pairs;
pub use report::{ComparisonReport, ComparisonTable, Notes};
pub use rows::{change_rows, mean_rows, pair_rows};

use super::table::Cell;
use crate::choice::Choice;
use crate::compare::{Comparison, Grouping, MeasureComparison, Pair};
use crate::stats::Correction;

/// What was done, in sentences that hold for every measure.
pub fn method(comparison: &Comparison) -> Vec<String> {
    let Some(measure) = comparison.measures.first() else { return Vec::new() };
    let confidence = percent(1.0 - comparison.settings.alpha);
    let mut lines = vec![format!("Differences: {}", test_line(comparison, measure))];
    lines.extend(measure.grouping.as_ref().map(|grouping| {
        let ranks = match has_ranks(measure) {
            true => format!(
                " ranks: those that a system may have, for all systems at once with {confidence}% \
                 confidence. Both: "
            ),
            false => " Letters: ".to_string(),
        };
        let decided = grouping_line(grouping, comparison.settings.alpha);
        format!("Systems that share a letter do not differ significantly.{ranks}{decided}")
    }));
    if let Some(system) = measure.systems.first() {
        lines.push(format!(
            "Intervals of means: {}, {confidence}%, cut off at the bounds of the measure",
            system.interval.method
        ));
    }
    lines.extend(scale(comparison));
    lines.extend(not_compared(comparison));
    lines
}

/// The measures by which the systems could not be compared.
fn not_compared(comparison: &Comparison) -> impl Iterator<Item = String> + '_ {
    comparison
        .not_compared
        .iter()
        .map(|not| format!("Not compared by {}: {}", not.measure, not.reason))
}

/// The topics of a table, as its head names them.
pub(super) fn topics_line(measure: &MeasureComparison) -> String {
    topics_text(measure.topics, measure.topics_seen(), &measure.left_out_topics)
}

/// So many topics, of how many some run has, and the names of the others.
pub(super) fn topics_text(topics: usize, seen: usize, left_out: &[String]) -> String {
    /// If more are left out, the others are counted.
    const NAMED: usize = 3;
    if left_out.is_empty() {
        return format!("{topics} topic{}", if topics == 1 { "" } else { "s" });
    }
    let mut named = left_out.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if left_out.len() > NAMED {
        named += &format!(" and {} more", left_out.len() - NAMED);
    }
    format!("{topics} of {seen} topics (left out: {named})")
}

/// Which of the measures are on an interval scale, and who doubts that it matters.
fn scale(comparison: &Comparison) -> Option<String> {
    let named = |equal: bool| {
        let all =
            comparison.measures.iter().filter(|m| m.spacing.is_some_and(|s| s.equal == equal));
        all.map(|m| m.title()).collect::<Vec<_>>().join(", ")
    };
    let (even, uneven) = (named(true), named(false));
    if uneven.is_empty() {
        return (!even.is_empty()).then(|| {
            format!(
                "Equally spaced values, an interval scale (Ferrante, Ferro and Fuhr 2021): {even}"
            )
        });
    }
    let even = match even.is_empty() {
        true => String::new(),
        false => format!(" Equally spaced: {even}."),
    };
    Some(format!(
        "Values that are not equally spaced: {uneven}. To Ferrante, Ferro and Fuhr (2021) they are \
         on no interval scale and should not be averaged; Moffat (2022) holds that they can be.{even}"
    ))
}

/// The test, what its p-values are corrected for, and the level.
pub(super) fn test_line(comparison: &Comparison, measure: &MeasureComparison) -> String {
    let settings = &comparison.settings;
    let family = &measure.family;
    let corrected = match settings.correction.unwrap_or_default() {
        _ if settings.test.is_family_wise() => {
            format!("p-values hold for the family of all {} pairs of one measure", family.tests)
        }
        Correction::None => "p-values are not corrected".to_string(),
        other => {
            let pairs = counted(family.pairs, "pair");
            let of = match family.measures {
                1 => format!("{pairs} of one measure"),
                measures => format!("{pairs} x {measures} measures"),
            };
            let tests = counted(family.tests, "test");
            format!("p-values corrected by {} over {tests} ({of})", other.name())
        }
    };
    format!("{}; {corrected}; alpha {}", settings.test.meaning(), settings.alpha)
}

/// Whether systems have ranks.
pub(super) fn has_ranks(measure: &MeasureComparison) -> bool {
    measure.systems.iter().all(|system| system.ranks.is_some())
}

/// What letters and ranks rest on.
pub(super) fn grouping_line(grouping: &Grouping, alpha: f64) -> String {
    let Grouping { test, correction, tests } = grouping;
    let corrected = match correction {
        Correction::None if test.is_family_wise() => format!(" ({})", counted(*tests, "pair")),
        Correction::None => ", not corrected".to_string(),
        other => format!(", corrected by {} over {}", other.name(), counted(*tests, "test")),
    };
    format!("{}{corrected}, alpha {alpha}", test.meaning())
}

/// The titles of p-values: the raw one and the corrected one, or the only one there is.
fn p_titles(comparison: &Comparison) -> (Option<&'static str>, String) {
    let settings = &comparison.settings;
    match settings.correction.unwrap_or_default() {
        _ if settings.test.is_family_wise() => (None, "p family-wise".to_string()),
        Correction::None => (None, "p raw".to_string()),
        // Nine letters more would not fit 80 columns.
        Correction::Bonferroni => (Some("p raw"), "p bonf".to_string()),
        other => (Some("p raw"), format!("p {}", other.name())),
    }
}

fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

pub(super) fn percent(share: f64) -> f64 {
    (share * 1e4).round() / 1e2
}

/// A p-value for people: the smallest ones as a bound, for 0.0000 is none.
fn p_cell(p: Option<f64>) -> Cell {
    match p {
        Some(p) if p < 0.00005 => Cell::text("<0.0001"),
        other => Cell::number(other),
    }
}

/// The pairs of a measure as people read them: under the better system the others, by their means;
/// with a baseline, the others alone.
fn shown(measure: &MeasureComparison) -> Vec<(&str, Vec<ShownPair<'_>>)> {
    let order: Vec<&str> = measure.by_mean().iter().map(|system| system.name.as_str()).collect();
    let place = |name: &str| order.iter().position(|other| *other == name).unwrap_or(0);
    let mut groups: Vec<(&str, Vec<ShownPair<'_>>)> =
        order.iter().map(|name| (*name, Vec::new())).collect();
    for pair in &measure.pairs {
        let turned = place(&pair.b) < place(&pair.a);
        let (at, other) = if turned { (&pair.b, &pair.a) } else { (&pair.a, &pair.b) };
        groups[place(at)].1.push(ShownPair { pair, other, turned });
    }
    for (_, pairs) in &mut groups {
        pairs.sort_by_key(|shown| place(shown.other));
    }
    groups.retain(|(_, pairs)| !pairs.is_empty());
    groups
}

/// The pairs with a baseline, the systems by their means.
fn shown_against<'a>(measure: &'a MeasureComparison, baseline: &str) -> Vec<ShownPair<'a>> {
    let of = |name: &str| measure.pairs.iter().find(|p| p.a == name && p.b == baseline);
    measure
        .by_mean()
        .into_iter()
        .filter_map(|system| of(&system.name))
        .map(|pair| ShownPair { pair, other: &pair.a, turned: false })
        .collect()
}

/// A pair, perhaps the other way round.
struct ShownPair<'a> {
    pair: &'a Pair,
    other: &'a str,
    turned: bool,
}

impl ShownPair<'_> {
    fn sign(&self, x: f64) -> f64 {
        // Never minus zero.
        if self.turned { 0.0 - x } else { x }
    }

    fn ends(&self, lower: f64, upper: f64) -> (f64, f64) {
        if self.turned { (0.0 - upper, 0.0 - lower) } else { (lower, upper) }
    }
}

#[cfg(test)]
mod tests;
