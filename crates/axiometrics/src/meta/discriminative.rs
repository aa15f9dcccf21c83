//! Discriminative power (Sakai, SIGIR 2006): the share of pairs of systems that a test tells apart.

use serde::Serialize;

use super::MetaSettings;
use crate::compare::Procedure;
use crate::error::Result;
use crate::stats::{self, ScoreMatrix, TestOptions};

/// How many pairs of systems differ significantly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DiscriminativePower {
    /// Pairs with a p-value of at most alpha.
    pub significant: usize,
    /// All pairs.
    pub pairs: usize,
    /// The share.
    pub share: f64,
}

/// The discriminative power of a measure.
pub fn discriminative_power(
    scores: &ScoreMatrix,
    settings: &MetaSettings,
) -> Result<DiscriminativePower> {
    let tested = match settings.test {
        Procedure::Paired(test) => stats::all_pairs(
            test,
            scores,
            &TestOptions { resampling: settings.resampling, ..TestOptions::default() },
        )?,
        Procedure::Tukey => stats::tukey_hsd(scores)?,
        Procedure::RandomisedTukey => stats::randomised_tukey(scores, settings.resampling)?,
    };
    let significant =
        tested.iter().filter(|pair| pair.result.p.is_some_and(|p| p <= settings.alpha)).count();
    Ok(DiscriminativePower {
        significant,
        pairs: tested.len(),
        share: significant as f64 / tested.len().max(1) as f64,
    })
}
