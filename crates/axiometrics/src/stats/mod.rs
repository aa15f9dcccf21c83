//! Statistics for comparing systems and comparing measures.
//!
//! Owns: paired tests and their intervals, comparisons of many systems at once, corrections for
//! many tests, effect sizes, power, and correlations between rankings. Does not own: which topics
//! enter a test, names, files or printing. Everything here is a pure function of numbers.
//!
//! Three rules hold throughout:
//!
//! - **Scores are finite.** NaN, infinities and magnitudes above 1e90 are refused as a usage error.
//! - **A difference of at most 1e-12 is no difference** (times the largest score if that exceeds
//!   1). Two systems that earn the same score by different sums differ in the last bits; without a
//!   resolution those bits would decide ranks, signs and whether a resampled mean is as extreme as
//!   the observed one.
//! - **An interval inverts the test beside it**: it holds the differences the test would not
//!   reject. Where the test can reject nothing (too few topics), the interval is the whole line.
//!
//! ```
//! use axiometrics::stats::{Test, TestOptions, paired_test};
//! let a = [0.31, 0.44, 0.12, 0.50, 0.27, 0.66, 0.41];
//! let b = [0.25, 0.40, 0.13, 0.38, 0.20, 0.60, 0.35];
//! let result = paired_test(Test::Randomisation, &a, &b, &TestOptions::default())?;
//! assert_eq!(result.p, Some(4.0 / 128.0));
//! # Ok::<(), axiometrics::Error>(())
//! ```

mod anova;
mod ap_correlation;
mod bootstrap;
mod correction;
mod correlation;
pub(crate) mod distribution;
mod effect;
mod interval;
mod pairs;
mod power;
pub(crate) mod random;
mod randomisation;
mod rbo;
#[cfg(test)]
mod robustness;
mod sample;
mod test;
mod tukey;
mod wilcoxon;

pub use anova::{Anova, Effect, tukey_hsd, tukey_hsd_unpaired, two_way_anova};
pub use ap_correlation::{tau_ap, tau_ap_b, tau_ap_symmetric};
pub use correction::Correction;
pub use correlation::{average_ranks, kendall_tau_a, kendall_tau_b, pearson, spearman};
pub use distribution::studentized_range::StudentizedRange;
pub use effect::{EffectSize, WinsTiesLosses, effect_size, wins_ties_losses};
pub use interval::{Interval, MeanInterval, difference_interval, mean_interval, test_interval};
pub use pairs::{PairResult, all_pairs, pair_intervals};
pub use power::{PairedDesign, power, topics_for_margin, topics_needed};
pub use random::Resampling;
pub use rbo::{Rbo, rbo};
pub use sample::ScoreMatrix;
pub use test::{Note, Test, TestOptions, TestResult, ZeroMethod, paired_test};
pub use tukey::{randomised_tukey, randomised_tukey_margin};
