//! How large a difference is, beside how certain.

use serde::Serialize;

use super::sample::{Differences, standard_deviation};
use crate::Result;

/// Standardised mean differences of paired scores.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EffectSize {
    /// Cohen's d for paired data: the mean difference over the standard deviation of the
    /// differences.
    pub cohen_d: f64,
    /// Hedges' g: d times 1 - 3/(4 df - 1), with df = n - 1, which takes most of the bias of few
    /// topics away.
    pub hedges_g: f64,
}

/// The effect size of `a` over `b`: infinite if they differ by the same amount on every topic, and
/// `None` on a single topic, which has no variance.
pub fn effect_size(a: &[f64], b: &[f64]) -> Result<Option<EffectSize>> {
    let differences = Differences::new(a, b)?;
    match differences.constant() {
        Some(0.0) => return Ok(Some(EffectSize { cohen_d: 0.0, hedges_g: 0.0 })),
        Some(_) if differences.len() == 1 => return Ok(None),
        Some(difference) => {
            let infinite = difference.signum() * f64::INFINITY;
            return Ok(Some(EffectSize { cohen_d: infinite, hedges_g: infinite }));
        }
        None => {}
    }
    let cohen_d = differences.mean() / standard_deviation(&differences.values);
    let df = (differences.len() - 1) as f64;
    Ok(Some(EffectSize { cohen_d, hedges_g: cohen_d * (1.0 - 3.0 / (4.0 * df - 1.0)) }))
}

/// On how many topics each of two systems is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct WinsTiesLosses {
    /// Topics on which the first is better.
    pub wins: usize,
    /// Topics on which they score the same.
    pub ties: usize,
    /// Topics on which the second is better.
    pub losses: usize,
}

impl WinsTiesLosses {
    pub(super) fn of(differences: &Differences) -> WinsTiesLosses {
        let beyond = |sign: f64| {
            differences.values.iter().filter(|d| sign * **d > differences.resolution).count()
        };
        let (wins, losses) = (beyond(1.0), beyond(-1.0));
        WinsTiesLosses { wins, losses, ties: differences.len() - wins - losses }
    }
}

/// Counts the topics on which `a` is better than, equal to and worse than `b`.
pub fn wins_ties_losses(a: &[f64], b: &[f64]) -> Result<WinsTiesLosses> {
    Ok(WinsTiesLosses::of(&Differences::new(a, b)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Differences 1, 2, 3: mean 2, standard deviation 1; g = 2 (1 - 3/7).
        let effect = effect_size(&[2.0, 4.0, 6.0], &[1.0, 2.0, 3.0]).unwrap().unwrap();
        assert!((effect.cohen_d - 2.0).abs() < 1e-15);
        assert!((effect.hedges_g - 2.0 * 4.0 / 7.0).abs() < 1e-15);
    }

    /// Differences of 0.1, 0.2 and 0.3 have a tenth of that mean and of that deviation.
    #[test]
    fn the_unit_of_the_scores_does_not_matter() {
        let effect = effect_size(&[0.2, 0.4, 0.6], &[0.1, 0.2, 0.3]).unwrap().unwrap();
        assert!((effect.cohen_d - 2.0).abs() < 1e-14);
    }

    #[test]
    fn degenerate_samples() {
        assert_eq!(
            effect_size(&[0.4, 0.5], &[0.4, 0.5]).unwrap(),
            Some(EffectSize { cohen_d: 0.0, hedges_g: 0.0 })
        );
        for (a, b, effect) in
            [([0.4, 0.5], [0.3, 0.4], f64::INFINITY), ([0.3, 0.4], [0.4, 0.5], f64::NEG_INFINITY)]
        {
            let found = effect_size(&a, &b).unwrap();
            assert_eq!(found, Some(EffectSize { cohen_d: effect, hedges_g: effect }));
        }
        assert_eq!(effect_size(&[0.4], &[0.3]).unwrap(), None);
        assert!(effect_size(&[], &[]).unwrap_err().is_usage());
    }

    #[test]
    fn counts_with_the_resolution() {
        let counts = wins_ties_losses(&[0.1 + 0.2, 0.5, 0.2, 0.9], &[0.3, 0.1, 0.4, 0.2]).unwrap();
        assert_eq!(counts, WinsTiesLosses { wins: 2, ties: 1, losses: 1 });
    }
}
