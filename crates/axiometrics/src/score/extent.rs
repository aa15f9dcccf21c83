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
    /// The lowest grade that is relevant to that measure.
    threshold: f64,
    /// The deepest cutoff of a measure that is divided by the best ranking: nDCG@k.
    normalised: Option<u32>,
}

impl Cutoffs {
    pub(super) fn new(metrics: &[Metric]) -> Cutoffs {
        let deepest = |divisor: Divisor| {
            let of =
                |metric: &&Metric| metric.structure().shape.map(|s| s.divisor) == Some(divisor);
            metrics.iter().filter(of).max_by_key(|metric| metric.args().cutoff())
        };
        let divided = deepest(Divisor::Cutoff);
        Cutoffs {
            divided: divided.and_then(|metric| metric.args().cutoff()),
            threshold: divided
                .and_then(|metric| metric.args().optional("rel"))
                .unwrap_or(f64::MIN_POSITIVE),
            normalised: deepest(Divisor::Ideal).and_then(|metric| metric.args().cutoff()),
        }
    }
}

/// What was counted of the topics of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extent {
    topics: u64,
    /// Rankings that end above the cutoff.
    short: u64,
    /// Topics with fewer relevant documents than the cutoff, all of them above it: nothing is left
    /// to find, and yet the score is below 1.
    capped: u64,
    /// Topics of which no document was judged but those in the top of the ranking.
    own: u64,
}

impl Extent {
    pub(super) fn count(&mut self, cutoffs: Cutoffs, topic: &Judged<'_>) {
        self.topics += 1;
        if let Some(k) = cutoffs.divided {
            let rel = &cutoffs.threshold;
            let relevant = topic.relevant(rel);
            let found = || topic.relevant_top(k, rel).count() as u32;
            let capped = relevant > 0 && relevant < k && relevant == found();
            self.short += u64::from(topic.retrieved < k);
            self.capped += u64::from(capped);
        }
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
        self.capped += other.capped;
        self.own += other.own;
    }

    pub(super) fn warn(self, cutoffs: Cutoffs, name: &str, warnings: &mut Warnings) {
        if let Some(k) = cutoffs.divided.filter(|_| self.short > 0) {
            let example = format!("of {} fewer than {k} documents", self.topics);
            warnings.add_example(WarningKind::ShortRanking, self.short, name, &example);
        }
        // A few such topics are the rule; of most of them the mean tells how much is relevant.
        if let Some(k) =
            cutoffs.divided.filter(|_| self.topics > 1 && 2 * self.capped > self.topics)
        {
            let example = format!("fewer than {k} are relevant, {} topics in all", self.topics);
            warnings.add_example(WarningKind::CappedScore, self.capped, name, &example);
        }
        if let Some(k) = cutoffs.normalised.filter(|_| self.own > 1 && self.own == self.topics) {
            let example = format!("nDCG@{k} is SNDCG@{k}");
            warnings.add_example(WarningKind::SelfNormalised, 1, name, &example);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        let mut whole = Extent { topics: 5, short: 1, capped: 2, own: 3 };
        whole.merge(Extent { topics: 7, short: 2, capped: 4, own: 3 });
        let Extent { topics, short, capped, own } = whole;
        assert_eq!((topics, short, capped, own), (12, 3, 6, 6));
    }
}
