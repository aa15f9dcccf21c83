//! What a comparison says, for tables, pages and programs.

use serde::Serialize;

use super::certain::Joint;
use super::settings::Settings;
use crate::check::spacing::Spacing;
use crate::score::LeftOut;
use crate::stats::{EffectSize, Interval};
use crate::warning::Warning;

/// Systems compared by several measures.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// The systems, in the order given.
    pub systems: Vec<String>,
    /// The one that all others are compared with.
    pub baseline: Option<String>,
    /// One comparison per measure.
    pub measures: Vec<MeasureComparison>,
    /// How it was done.
    pub settings: Settings,
    /// What a reader has to know besides.
    pub warnings: Vec<Warning>,
}

/// Systems compared by one measure.
#[derive(Debug, Clone, Serialize)]
pub struct MeasureComparison {
    /// The measure, with its parameters.
    pub measure: String,
    /// What it computes.
    pub definition: String,
    /// Whether its values are equally spaced, which some ask of scores that are averaged and
    /// tested; absent where it was not found out.
    pub spacing: Option<Spacing>,
    /// How many topics were tested on.
    pub topics: usize,
    /// How many could not be.
    pub left_out: LeftOut,
    /// The tests that p-values were corrected among.
    pub family: Family,
    /// The systems, in the order given.
    pub systems: Vec<SystemMean>,
    /// The pairs: all of them in the order of the systems, or every system with the baseline.
    pub pairs: Vec<Pair>,
}

/// The tests that count as one for errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Family {
    /// How many tests gave a p-value.
    pub tests: usize,
    /// Pairs of systems, of one measure.
    pub pairs: usize,
    /// Measures whose pairs belong to it: all that were compared, or one where the test is
    /// family-wise by itself.
    pub measures: usize,
}

/// A system's mean over the topics tested on.
#[derive(Debug, Clone, Serialize)]
pub struct SystemMean {
    /// The system.
    pub name: String,
    /// Its mean.
    pub mean: f64,
    /// The interval of the mean; its ends are infinite (null in JSON) where a single topic bounds
    /// nothing.
    pub interval: Interval,
}

/// Two systems, compared.
#[derive(Debug, Clone, Serialize)]
pub struct Pair {
    /// The first system.
    pub a: String,
    /// The second: the baseline where there is one.
    pub b: String,
    /// The mean of a less that of b.
    pub difference: f64,
    /// The differences that the test would not reject, before correction.
    pub interval: Interval,
    /// How large the difference is against its spread; absent where it has none.
    pub effect_size: Option<EffectSize>,
    /// The test statistic.
    pub statistic: f64,
    /// The p-value; absent where the test is not defined, which the note explains.
    pub p: Option<f64>,
    /// The p-value corrected within the family.
    pub p_corrected: Option<f64>,
    /// True where the corrected p-value is at most alpha.
    pub significant: bool,
    /// Topics on which a is better.
    pub wins: usize,
    /// Topics on which they score the same.
    pub ties: usize,
    /// Topics on which b is better.
    pub losses: usize,
    /// Exactly what was done.
    pub method: String,
    /// What a reader of the p-value has to know.
    pub note: Option<String>,
    /// What unjudged documents could do to the difference; absent where it was not asked for, or
    /// the measure has no range.
    pub joint: Option<Joint>,
}

impl MeasureComparison {
    /// The pair of two systems, in either order.
    pub fn pair(&self, a: &str, b: &str) -> Option<&Pair> {
        self.pairs.iter().find(|pair| (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a))
    }
}
