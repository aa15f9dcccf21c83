//! How far rankings and judgements reach, as far as the scores of a reader depend on it.

use crate::data::Judged;
use crate::measure::Metric;
use crate::measure::structure::Divisor;
use crate::warning::{WarningKind, Warnings};

/// The cutoffs that matter.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cutoffs {
    /// The deepest cutoff of a measure that is divided by it: P@k, SDCG@k.
    divided: Option<u32>,
    /// The deepest cutoff of a measure that is divided by the best ranking: nDCG@k.
    normalised: Option<u32>,
}

impl Cutoffs {
    pub(super) fn new(metrics: &[Metric]) -> Cutoffs {
        let deepest = |divisor: Divisor| {
            let of =
                |metric: &&Metric| metric.structure().shape.map(|s| s.divisor) == Some(divisor);
            metrics.iter().filter(of).filter_map(|metric| metric.args().cutoff()).max()
        };
        Cutoffs { divided: deepest(Divisor::Cutoff), normalised: deepest(Divisor::Ideal) }
    }
}

/// What was counted of the topics of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extent {
    topics: u64,
    /// Rankings that end above the cutoff.
    short: u64,
    /// Topics of which no document was judged but those in the top of the ranking.
    own: u64,
}

impl Extent {
    pub(super) fn count(&mut self, cutoffs: Cutoffs, topic: &Judged<'_>) {
        self.topics += 1;
        self.short += u64::from(cutoffs.divided.is_some_and(|k| topic.retrieved < k));
        if let Some(k) = cutoffs.normalised {
            let relevant = topic.grades.positive.len();
            let found = || topic.top(k).filter(|hit| hit.grade > 0.0).count();
            let all = topic.grades.judged() <= k && relevant > 0 && relevant == found();
            self.own += u64::from(all);
        }
    }

    pub(super) fn merge(&mut self, other: Extent) {
        self.topics += other.topics;
        self.short += other.short;
        self.own += other.own;
    }

    pub(super) fn warn(self, cutoffs: Cutoffs, name: &str, warnings: &mut Warnings) {
        if let Some(k) = cutoffs.divided.filter(|_| self.short > 0) {
            let example = format!("of {} fewer than {k} documents", self.topics);
            warnings.add_example(WarningKind::ShortRanking, self.short, name, &example);
        }
        if let Some(k) = cutoffs.normalised.filter(|_| self.own > 1 && self.own == self.topics) {
            let example = format!("nDCG@{k} is SNDCG@{k}");
            warnings.add_example(WarningKind::SelfNormalised, 1, name, &example);
        }
    }
}
