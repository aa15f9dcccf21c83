//! What a comparison says, for tables, pages and programs.

use std::cmp::Ordering;

use serde::Serialize;

use super::certain::Joint;
use super::ranks::RankSet;
use super::settings::{ComparisonSettings, Procedure};
use crate::check::spacing::Spacing;
use crate::measure::range::RangeKind;
use crate::score::{LeftOut, LeftOutMeasure};
use crate::stats::{Correction, EffectSize, Interval};
use crate::warning::Warning;

/// Systems compared by several measures.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// The systems, in the order given.
    pub systems: Vec<String>,
    /// The one that all others are compared with.
    pub baseline: Option<String>,
    /// One comparison per measure that could be compared, in the order of the measures.
    pub measures: Vec<MeasureComparison>,
    /// The measures that could not be.
    pub not_compared: Vec<LeftOutMeasure>,
    /// How it was done.
    pub settings: ComparisonSettings,
    /// What a reader has to know besides.
    pub warnings: Vec<Warning>,
}

/// Systems compared by one measure.
#[derive(Debug, Clone, Serialize)]
pub struct MeasureComparison {
    /// The column of the scores.
    #[serde(skip)]
    pub column: usize,
    /// The measure, with its parameters.
    pub measure: String,
    /// The spelling by which it was asked for, if that is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// What it computes.
    pub definition: String,
    /// True if a small score is a good one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lower_is_better: bool,
    /// Whether its values are equally spaced, which some ask of scores that are averaged and
    /// tested; absent if it was not found out.
    pub spacing: Option<Spacing>,
    /// How many topics were tested on.
    pub topics: usize,
    /// How many could not be.
    pub left_out: LeftOut,
    /// Their names.
    pub left_out_topics: Vec<String>,
    /// Why an evaluation of the same runs gives other means; absent if it gives the same.
    pub eval_differs: Option<String>,
    /// The tests that p-values were corrected among.
    pub family: Family,
    /// The decisions that ranks and letters follow from; absent if not all pairs were compared, so
    /// that there are neither.
    pub grouping: Option<Grouping>,
    /// The systems, in the order given.
    pub systems: Vec<SystemMean>,
    /// Why unjudged documents have no joint range; absent if they have, or if nobody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_joint: Option<String>,
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
    /// Measures whose pairs belong to it: all that were compared, or one if the test is
    /// family-wise by itself.
    pub measures: usize,
}

/// How all pairs of systems were decided: what their ranks and letters rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Grouping {
    /// The test, which is that of the pairs.
    pub test: Procedure,
    /// The correction.
    pub correction: Correction,
    /// How many tests the family has.
    pub tests: usize,
}

/// A system's mean over the topics tested on.
#[derive(Debug, Clone, Serialize)]
pub struct SystemMean {
    /// The system.
    pub name: String,
    /// Its mean.
    pub mean: f64,
    /// The interval of the mean; its ends are infinite (null in JSON) if a single topic bounds
    /// nothing.
    pub interval: Interval,
    /// The ranks that it may have, for all systems at once; absent if not all pairs were compared, or
    /// not corrected for the chance of any wrong decision.
    pub ranks: Option<RankSet>,
    /// It does not differ significantly from those systems, and no others, that it shares a letter
    /// with; absent if not all pairs were compared.
    pub letters: Option<String>,
    /// What unjudged documents could make of the mean; absent if the scores have no ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<MeanRange>,
    /// The summary that an evaluation gives; absent if there is none, or if ranks were compared.
    pub eval_mean: Option<f64>,
}

/// What unjudged documents could make of a mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanRange {
    /// The lowest mean.
    pub low: f64,
    /// The highest mean.
    pub high: f64,
    /// What is known of these two.
    pub kind: RangeKind,
}

/// Two systems, compared.
#[derive(Debug, Clone, Serialize)]
pub struct Pair {
    /// The first system.
    pub a: String,
    /// The second: the baseline if there is one.
    pub b: String,
    /// The mean of a less that of b.
    pub difference: f64,
    /// The differences that the test would not reject, before correction.
    pub interval: Interval,
    /// How large the difference is against its spread; absent if it has none.
    pub effect_size: Option<EffectSize>,
    /// The test statistic.
    pub statistic: f64,
    /// The raw p-value; absent if the test is not defined, which the note explains. A test that
    /// holds for all pairs together has no other p-value than that.
    pub p: Option<f64>,
    /// The p-value corrected within the family.
    pub p_corrected: Option<f64>,
    /// True if the corrected p-value is at most alpha.
    pub significant: bool,
    /// True if a small score is a good one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lower_is_better: bool,
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
    /// What unjudged documents could do to the difference; absent if it was not asked for, or
    /// the measure has no range.
    pub joint: Option<Joint>,
}

impl Pair {
    /// Which is significantly better: 1 for the first system, -1 for the second, 0 for neither.
    ///
    /// A test of signs or ranks can find the system better that has the lower mean. Its interval
    /// says which one it means.
    pub fn direction(&self) -> i8 {
        let sign = |x: f64| if x > 0.0 { 1 } else { -1 };
        let higher = match (self.significant, &self.interval) {
            (false, _) => 0,
            (true, interval) if interval.lower > 0.0 => 1,
            (true, interval) if interval.upper < 0.0 => -1,
            (true, _) if self.wins != self.losses && self.difference == 0.0 => {
                return sign(self.wins as f64 - self.losses as f64);
            }
            (true, _) => sign(self.difference),
        };
        if self.lower_is_better { -higher } else { higher }
    }

    /// The direction as seen from one of the two systems.
    pub fn direction_of(&self, system: &str) -> i8 {
        if self.a == system { self.direction() } else { -self.direction() }
    }
}

impl Comparison {
    /// The comparison by the measure in this column of the scores, if there is one.
    pub fn measure(&self, column: usize) -> Option<&MeasureComparison> {
        self.measures.iter().find(|measure| measure.column == column)
    }
}

impl MeasureComparison {
    /// The measure as it was asked for.
    pub fn title(&self) -> &str {
        self.asked.as_deref().unwrap_or(&self.measure)
    }

    /// The pair of two systems, in either order.
    pub fn pair(&self, a: &str, b: &str) -> Option<&Pair> {
        self.pairs.iter().find(|pair| (pair.a == a && pair.b == b) || (pair.a == b && pair.b == a))
    }

    /// The systems, the best mean first.
    pub fn by_mean(&self) -> Vec<&SystemMean> {
        let mut systems: Vec<&SystemMean> = self.systems.iter().collect();
        systems.sort_by(|a, b| self.order(b.mean.total_cmp(&a.mean)));
        systems
    }

    /// An order of scores as one of systems, of which the better is the greater.
    pub(super) fn order(&self, of_scores: Ordering) -> Ordering {
        if self.lower_is_better { of_scores.reverse() } else { of_scores }
    }

    /// How many topics some run has: those tested on, and those left out.
    pub fn topics_seen(&self) -> usize {
        self.topics + self.left_out.total()
    }
}
