//! A number that depends on a formula's parameters alone, worked out when it is first asked for.

use std::sync::OnceLock;

use super::Exact;

/// Such a number, once for each kind of number that was asked for.
#[derive(Debug, Clone, Default)]
pub struct LastingNumber {
    pub(super) float: OnceLock<f64>,
    pub(super) exact: OnceLock<Exact>,
    /// As it is within [`precisely`](super::precisely).
    pub(super) precise: OnceLock<Exact>,
}
