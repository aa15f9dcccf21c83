//! Whether unjudged documents could turn a verdict.
//!
//! Judgements are pooled from old runs, so that a new run has documents that nobody judged. They
//! count as not relevant, and the run seems to be worse than it is. A verdict that goes against a
//! side with fewer judgements has to hold whatever grades the unjudged documents would get: it is
//! decided once more with the score of each topic at the end of its range that speaks for that side.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Limit, LimitVerdict, TopicScores};
use crate::score::{JUDGED_ENOUGH, is_less_judged};

/// Judged@10 of both sides, if the judgements are a pool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct JudgedShares {
    /// That of the baseline.
    pub baseline: Option<f64>,
    /// That of the run.
    pub run: Option<f64>,
}

/// The lowest and the highest that the difference of each topic could be, new score less old, or
/// the score if its mean is limited, whatever the grades of the unjudged documents.
pub type PossibleScores = BTreeMap<String, (f64, f64)>;

/// Finds what unjudged documents could make of a measure that is limited; `None` if it has no range.
/// It is asked only if the verdict could depend on that.
pub type FindPossible<'a> = &'a dyn Fn(&str, Limit) -> Option<PossibleScores>;

/// An end of the range of each topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FavouredEnd {
    Low,
    High,
}

impl FavouredEnd {
    pub(super) fn of(self, (low, high): (f64, f64)) -> f64 {
        match self {
            FavouredEnd::Low => low,
            FavouredEnd::High => high,
        }
    }
}

impl JudgedShares {
    pub(super) fn new(baseline: Option<&TopicScores>, run: &TopicScores) -> JudgedShares {
        JudgedShares {
            baseline: baseline.and_then(|side| side.judged_at_10),
            run: run.judged_at_10,
        }
    }

    /// The end of the ranges that speaks for the side with fewer judgements, if the verdict goes
    /// against it.
    pub(super) fn in_doubt(self, verdict: LimitVerdict) -> Option<FavouredEnd> {
        let run = self.run?;
        let (run_lacks, baseline_lacks) = match self.baseline {
            Some(baseline) => (is_less_judged(run, baseline), is_less_judged(baseline, run)),
            None => (run < JUDGED_ENOUGH, false),
        };
        match verdict {
            LimitVerdict::Fail if run_lacks => Some(FavouredEnd::High),
            LimitVerdict::Pass if baseline_lacks => Some(FavouredEnd::Low),
            _ => None,
        }
    }
}
