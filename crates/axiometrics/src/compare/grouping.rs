//! Ranks and letters: which decisions they rest on.

use std::cmp::Ordering;

use super::decisions::Decisions;
use super::letters::letters;
use super::model::{Grouping, MeasureComparison};
use super::ranks::rank_sets;
use super::settings::{ComparisonSettings, Procedure};
use crate::error::Result;
use crate::stats::{self, Correction, ScoreMatrix};

/// Beyond this many topics the labels of systems are not permuted: Tukey's test is as good then, and
/// does not cost more with each of them.
const MANY_TOPICS: usize = 10_000;

/// Gives every system its ranks and letters.
///
/// They follow from the decisions shown, if these are about all pairs and were corrected for the
/// chance of any wrong one. If only a baseline was compared, or the correction does not do that, all
/// pairs are decided by a test that does: the randomised Tukey test.
pub(super) fn group(
    measure: &mut MeasureComparison,
    scores: &ScoreMatrix,
    settings: &ComparisonSettings,
) -> Result<()> {
    let (decisions, grouping) = decisions(measure, scores, settings)?;
    let means: Vec<f64> = measure.systems.iter().map(|system| system.mean).collect();
    let mut order: Vec<usize> = (0..means.len()).collect();
    order.sort_by(|a, b| measure.order(means[*b].total_cmp(&means[*a])));
    let letters = letters(&decisions, &order);
    for (at, (system, ranks)) in measure.systems.iter_mut().zip(rank_sets(&decisions)).enumerate() {
        system.ranks = ranks;
        system.letters = letters.of(at);
    }
    measure.grouping = grouping;
    Ok(())
}

fn decisions(
    measure: &MeasureComparison,
    scores: &ScoreMatrix,
    settings: &ComparisonSettings,
) -> Result<(Decisions, Grouping)> {
    let systems = scores.systems();
    let correction = settings.correction()?;
    let all_pairs = measure.pairs.len() == systems * (systems - 1) / 2;
    let any_error = settings.test.is_family_wise()
        || matches!(correction, Correction::Holm | Correction::Bonferroni);
    if all_pairs && any_error {
        let grouping = Grouping { test: settings.test, correction, tests: measure.family.tests };
        let first = &measure.systems[0].name;
        let turned = settings.baseline.is_some();
        let mut pairs = measure.pairs.iter();
        // Two systems of which one is the baseline are a pair that may stand the other way round.
        let decided = |_, _| match pairs.next() {
            Some(pair) if turned => pair.direction_of(first).cmp(&0),
            Some(pair) => pair.direction().cmp(&0),
            None => Ordering::Equal,
        };
        return Ok((Decisions::new(systems, decided), grouping));
    }
    let test = match settings.test {
        Procedure::Paired(_) if scores.topics() > MANY_TOPICS => Procedure::Tukey,
        Procedure::Paired(_) => Procedure::RandomisedTukey,
        family_wise => family_wise,
    };
    let results = match test {
        Procedure::Tukey => stats::tukey_hsd(scores)?,
        _ => stats::randomised_tukey(scores, settings.resampling)?,
    };
    let mut results = results.iter();
    let decided = |_, _| match results.next() {
        Some(pair) if pair.result.p.is_some_and(|p| p <= settings.alpha) => {
            measure.order(pair.difference.total_cmp(&0.0))
        }
        _ => Ordering::Equal,
    };
    let grouping =
        Grouping { test, correction: Correction::None, tests: systems * (systems - 1) / 2 };
    Ok((Decisions::new(systems, decided), grouping))
}
