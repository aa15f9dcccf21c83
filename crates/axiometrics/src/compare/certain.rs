//! Which differences hold whatever the unjudged documents are.

use rayon::prelude::*;
use serde::Serialize;

use super::joint::{JointDifference, JointRanges, JointVerdict, ROUNDING};
use super::model::{Comparison, MeasureComparison, Pair};
use crate::data::Qrels;
use crate::error::Result;
use crate::measure::Metric;
use crate::measure::range::RangeKind;
use crate::score::ranges::Ranger;
use crate::score::{CommonTopics, System};
use crate::warning::{WarningKind, Warnings};

/// What unjudged documents could do to the difference of two systems.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Joint {
    /// The lowest and the highest that it could be.
    #[serde(flatten)]
    pub range: JointDifference,
    /// What follows.
    pub verdict: JointVerdict,
    /// The same in words.
    pub sentence: String,
}

/// Adds to each pair what unjudged documents could do to it, and warns of comparisons that are
/// unsafe, and of measures that have no range. `ranges` holds some of the systems, and `runs` says
/// which: pairs of others stay as they are.
pub fn add_joint(
    comparison: &mut Comparison,
    qrels: &Qrels,
    metrics: &[Metric],
    systems: &[System<'_>],
    (ranges, runs): (&JointRanges, &[usize]),
    warnings: &mut Warnings,
) -> Result<()> {
    let held = |name: &str| {
        runs.iter().position(|run| systems.get(*run).is_some_and(|system| system.name == name))
    };
    for measure in &mut comparison.measures {
        let column = measure.column;
        let Some(metric) = metrics.get(column) else { continue };
        let mut no_range = |measure: &mut MeasureComparison, why: &str| {
            warnings.add_example(WarningKind::NoRange, 1, &measure.measure, why);
            measure.no_joint = Some(why.to_string());
        };
        if let Some(why) = Ranger::new(metric).refusal(qrels) {
            no_range(measure, why);
            continue;
        }
        let topics = CommonTopics::of_measure(qrels, column, metric, systems)?.topics;
        let find = |pair: &mut Pair| {
            let (a, b) = (held(&pair.a)?, held(&pair.b)?);
            match ranges.mean_difference(metric, a, b, &topics) {
                Ok(range) => {
                    pair.joint = Some(Joint::new(range, &pair.a, &pair.b));
                    None
                }
                Err(why) => Some(why),
            }
        };
        // Some topics of some pairs show that there is none; the first pair's reason is told.
        let refused: Vec<Option<&str>> = measure.pairs.par_iter_mut().map(find).collect();
        if let Some(why) = refused.into_iter().flatten().next() {
            no_range(measure, why);
        }
        for pair in &measure.pairs {
            if let Some(joint) = &pair.joint {
                joint.range.warn(&measure.measure, &pair.a, &pair.b, warnings);
            }
        }
    }
    comparison.warnings = warnings.list();
    Ok(())
}

impl Joint {
    fn new(range: JointDifference, a: &str, b: &str) -> Joint {
        let verdict = range.verdict();
        Joint { sentence: sentence(&range, verdict, a, b), range, verdict }
    }
}

/// The numbers are those of the first system named less the second, whichever of them comes first
/// in the pair.
fn sentence(range: &JointDifference, verdict: JointVerdict, a: &str, b: &str) -> String {
    let behind = match verdict {
        JointVerdict::CertainlyAhead => false,
        JointVerdict::CertainlyBehind => true,
        JointVerdict::Equal | JointVerdict::CouldTurn => range.difference < -ROUNDING,
    };
    let (range, a, b) = if behind { (range.turned(), b, a) } else { (*range, a, b) };
    let JointDifference { difference, low, high, unjudged, .. } = range;
    let documents = match unjudged {
        0 => return ahead(a, b, difference, "", ": every document they retrieved is judged"),
        1 => "the unjudged document is".to_string(),
        n => format!("the {n} unjudged documents are"),
    };
    match verdict {
        JointVerdict::CertainlyAhead | JointVerdict::CertainlyBehind => {
            // To four places, a range that is narrower is a number.
            let least = if high - low < 0.00005 { "" } else { "at least " };
            ahead(a, b, low, least, &format!(" whatever {documents}"))
        }
        JointVerdict::Equal => ahead(a, b, 0.0, "", &format!(" whatever {documents}")),
        JointVerdict::CouldTurn => {
            let these = if unjudged == 1 {
                "the unjudged document".to_string()
            } else {
                format!("the {unjudged} unjudged documents")
            };
            let could = match (difference <= ROUNDING, low >= -ROUNDING) {
                (true, _) => "part them",
                (false, true) => "make them equal",
                (false, false) => "turn it round",
            };
            let proviso =
                if range.kind == RangeKind::Exact { "" } else { ", as far as bounds can tell" };
            let range = format!("({a} minus {b}: {} to {})", places(low), places(high));
            ahead(a, b, difference, "", &format!(", but {these} could {could} {range}{proviso}"))
        }
    }
}

/// That the first of two systems is ahead by a difference, unless this is rounding.
fn ahead(a: &str, b: &str, difference: f64, least: &str, rest: &str) -> String {
    if difference <= ROUNDING {
        return format!("{a} and {b} are equal{rest}");
    }
    format!("{a} is ahead of {b} by {least}{}{rest}", places(difference))
}

/// To four places, never minus zero.
fn places(x: f64) -> String {
    format!("{:.4}", (x * 1e4).round() / 1e4 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences() {
        let of = |difference, low, high, unjudged| {
            let range = JointDifference {
                difference,
                low,
                high,
                kind: RangeKind::Exact,
                unjudged,
                shares: [0.0; 2],
                apart: [(0.0, 1.0); 2],
            };
            Joint::new(range, "A", "B").sentence
        };
        assert_eq!(
            of(0.012, 0.012, 0.012, 14),
            "A is ahead of B by 0.0120 whatever the 14 unjudged documents are"
        );
        assert_eq!(
            of(-0.2, -0.3, -0.1, 1),
            "B is ahead of A by at least 0.1000 whatever the unjudged document is"
        );
        assert_eq!(
            of(0.012, -0.01, 0.03, 14),
            "A is ahead of B by 0.0120, but the 14 unjudged documents could turn it round (A minus B: -0.0100 to 0.0300)"
        );
        assert_eq!(
            of(-0.5, -1.0, 0.0, 2),
            "B is ahead of A by 0.5000, but the 2 unjudged documents could make them equal (B minus A: 0.0000 to 1.0000)"
        );
        assert_eq!(
            of(0.0, -1.0, 1.0, 1),
            "A and B are equal, but the unjudged document could part them (A minus B: -1.0000 to 1.0000)"
        );
        assert_eq!(of(0.0, 0.0, 0.0, 2), "A and B are equal whatever the 2 unjudged documents are");
        assert_eq!(
            of(0.5, 0.5, 0.5, 0),
            "A is ahead of B by 0.5000: every document they retrieved is judged"
        );
    }
}
