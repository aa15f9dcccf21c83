//! How the scores of topics become one number.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use crate::number::ExactSum;
use crate::policy::Undefined;

/// How the scores of topics become one number.
#[derive(Debug, Clone, Default)]
pub enum Aggregate {
    /// The arithmetic mean.
    #[default]
    Mean,
    /// The geometric mean, with scores below 0.00001 raised to it.
    GeometricMean,
    /// The sum: counts of documents.
    Sum,
    /// What a file says.
    Own(Arc<dyn Summary>),
}

/// Scores below this count as this in a geometric mean.
pub const GEOMETRIC_FLOOR: f64 = 1e-5;

/// A summary that a user defines.
pub trait Summary: Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The summary of these scores, of which `None` is an undefined one; `None` if there is none.
    /// Its own rule for undefined scores comes before `otherwise`.
    fn of(
        &self,
        scores: &mut dyn Iterator<Item = Option<f64>>,
        otherwise: Undefined,
    ) -> Option<f64>;
    /// What it does with undefined scores, if it has a rule of its own.
    fn undefined(&self) -> Option<Undefined>;
    /// Its name.
    fn name(&self) -> &str;
}

impl PartialEq for Aggregate {
    fn eq(&self, other: &Aggregate) -> bool {
        match (self, other) {
            (Aggregate::Mean, Aggregate::Mean)
            | (Aggregate::GeometricMean, Aggregate::GeometricMean)
            | (Aggregate::Sum, Aggregate::Sum) => true,
            (Aggregate::Own(a), Aggregate::Own(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Eq for Aggregate {}

impl Aggregate {
    /// What the summary is called.
    pub fn name(&self) -> &str {
        match self {
            Aggregate::Mean => "mean",
            Aggregate::GeometricMean => "geometric mean",
            Aggregate::Sum => "sum",
            Aggregate::Own(own) => own.name(),
        }
    }

    /// Many scores as one, of which `None` is an undefined one. The order of the scores plays no
    /// part: sums are exact and round once. `None` if no score is left to summarise, or if
    /// undefined scores are refused and there is one.
    pub fn of(
        &self,
        scores: impl IntoIterator<Item = Option<f64>>,
        undefined: Undefined,
    ) -> Option<f64> {
        let mut scores = scores.into_iter();
        if let Aggregate::Own(own) = self {
            return own.of(&mut scores, undefined);
        }
        let mut sum = ExactSum::default();
        for score in scores {
            let x = match score.or(undefined.value()) {
                Some(x) => x,
                None if undefined == Undefined::Skip => continue,
                None => return None,
            };
            sum += if *self == Aggregate::GeometricMean { x.max(GEOMETRIC_FLOOR).ln() } else { x };
        }
        match self {
            Aggregate::Sum => Some(sum.total()),
            Aggregate::GeometricMean => sum.mean().map(f64::exp),
            Aggregate::Mean | Aggregate::Own(_) => sum.mean(),
        }
    }
}
