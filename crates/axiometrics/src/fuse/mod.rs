//! Several runs made into one.
//!
//! Owns the scales on which scores are brought together ([`Normalization`]) and the methods that
//! combine them ([`METHODS`], one file per group). A method sees one topic at a time, as the
//! rankings of all runs; it does not know files, nor how rankings are read.
//!
//! ```
//! use axiometrics::Run;
//! use axiometrics::fuse::Fusion;
//! use axiometrics::policy::{Rounding, Ties};
//!
//! let one = Run::from_columns(&["q"; 2], &["a", "b"], &[9.0, 1.0])?;
//! let two = Run::from_columns(&["q"; 2], &["b", "c"], &[0.5, 0.4])?;
//! let fused = Fusion::named("rrf(k=60)")?.fuse(&[&one, &two])?;
//! let ranking = fused.ranking(0, Ties::default(), Rounding::default());
//! let (first, score) = ranking[0];
//! assert_eq!(first, b"b");
//! assert_eq!(score, 1.0 / 62.0 + 1.0 / 61.0);
//! # Ok::<(), axiometrics::Error>(())
//! ```

mod combine;
mod condorcet;
mod learned;
mod method;
mod normalize;
mod positions;
#[cfg(test)]
mod tests;
mod topic;

pub use learned::Learned;
pub use method::{Fusion, FusionDef, FusionParam};
pub use normalize::Normalization;

/// Every method, group by group, the commonest first.
pub const METHODS: &[&[FusionDef]] =
    &[combine::METHODS, positions::METHODS, condorcet::METHODS, learned::METHODS];

/// Every method, one after the other.
pub fn methods() -> impl Iterator<Item = &'static FusionDef> {
    METHODS.iter().copied().flatten()
}
