//! Ranks and letters, from the decisions that the pairs show.

use std::cmp::Ordering;

use super::decisions::Decisions;
use super::letters::letters;
use super::model::{Grouping, MeasureComparison};
use super::ranks::rank_sets;
use super::settings::ComparisonSettings;
use crate::error::Result;
use crate::stats::Correction;

/// Gives every system its letters and ranks, if all pairs were compared.
///
/// Both follow from the decisions that the pairs show and from no other test, which could contradict
/// them: two systems share a letter if and only if their pair is not significant. With a baseline the
/// pairs of the other systems are not decided, so there are neither. Ranks hold for all systems at
/// once, so they also need decisions that were corrected for the chance of any wrong one.
pub(super) fn group(measure: &mut MeasureComparison, settings: &ComparisonSettings) -> Result<()> {
    let systems = measure.systems.len();
    if measure.pairs.len() < systems * (systems - 1) / 2 {
        return Ok(());
    }
    let correction = settings.correction()?;
    let decisions = decisions(measure, settings.baseline.is_some());
    let means: Vec<f64> = measure.systems.iter().map(|system| system.mean).collect();
    let mut order: Vec<usize> = (0..systems).collect();
    order.sort_by(|a, b| measure.order(means[*b].total_cmp(&means[*a])));
    let letters = letters(&decisions, &order);
    let of_any_error = settings.test.is_family_wise()
        || matches!(correction, Correction::Holm | Correction::Bonferroni);
    let ranks = of_any_error.then(|| rank_sets(&decisions));
    for (at, system) in measure.systems.iter_mut().enumerate() {
        system.letters = Some(letters.of(at));
        system.ranks = ranks.as_ref().map(|ranks| ranks[at]);
    }
    measure.grouping =
        Some(Grouping { test: settings.test, correction, tests: measure.family.tests });
    Ok(())
}

fn decisions(measure: &MeasureComparison, turned: bool) -> Decisions {
    let first = &measure.systems[0].name;
    let mut pairs = measure.pairs.iter();
    // Two systems of which one is the baseline are a pair that may be in the other order.
    let decided = |_, _| match pairs.next() {
        Some(pair) if turned => pair.direction_of(first).cmp(&0),
        Some(pair) => pair.direction().cmp(&0),
        None => Ordering::Equal,
    };
    Decisions::new(measure.systems.len(), decided)
}
