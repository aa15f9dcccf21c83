//! The range of a summary. What one topic's open documents are does not depend on another's, so the
//! ends of a mean are the means of the ends.

use serde::{Deserialize, Serialize};

use super::Range;
use crate::measure::range::RangeKind;
use crate::measure::{Aggregate, Gathered};
use crate::policy::Undefined;

/// The range of the summary of topics with these ranges, `None` for a topic whose score is
/// undefined whatever the judgements. `None` if nothing is left to summarise.
pub(crate) fn summarise(
    aggregate: &Aggregate,
    parts: &[Option<Range>],
    undefined: Undefined,
) -> Option<Range> {
    let kind = parts.iter().flatten().map(|range| range.kind).max().unwrap_or(RangeKind::Exact);
    let end = |side: RangeEnd, of: fn(&Range) -> f64| -> Option<f64> {
        let mut end = End::default();
        for part in parts {
            let at = part.as_ref().map(|range| (of(range), range.undefined));
            end.gather(side, aggregate, at, undefined);
        }
        end.summary(side, aggregate)
    };
    let (low, high) = (end(RangeEnd::Low, |r| r.low)?, end(RangeEnd::High, |r| r.high)?);
    let without = end(RangeEnd::High, |r| r.high - r.tail)?;
    Some(Range { low, high, tail: high - without, kind, undefined: false })
}

/// Which end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeEnd {
    /// The lowest score.
    Low,
    /// The highest score.
    High,
}

impl RangeEnd {
    fn further(self, a: f64, b: f64) -> f64 {
        match self {
            RangeEnd::Low => a.min(b),
            RangeEnd::High => a.max(b),
        }
    }
}

/// One end of the range of a summary, as the ends of topics come. Ends of parts merge into the end
/// of the whole.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct End {
    fixed: Gathered,
    /// The ends of topics that some judgements leave undefined, and that are then left out.
    loose: Gathered,
}

impl End {
    /// Adds the end of a topic, and whether some judgements leave the topic undefined; `None` if
    /// all do.
    pub fn gather(
        &mut self,
        side: RangeEnd,
        aggregate: &Aggregate,
        end: Option<(f64, bool)>,
        undefined: Undefined,
    ) {
        let skipped = undefined == Undefined::Skip;
        let otherwise = undefined.value().unwrap_or(0.0);
        let value = match end {
            None if skipped => return,
            None => otherwise,
            // All are kept, so that the best choice can be found.
            Some((x, true)) if skipped => {
                return Aggregate::Median.gather(&mut self.loose, Some(x), Undefined::Skip);
            }
            Some((x, true)) => side.further(x, otherwise),
            Some((x, false)) => x,
        };
        aggregate.gather(&mut self.fixed, Some(value), Undefined::Zero);
    }

    /// Adds the end of other topics.
    pub fn merge(&mut self, other: End) {
        self.fixed.merge(other.fixed);
        self.loose.merge(other.loose);
    }

    /// The end of the summary.
    pub fn summary(&self, side: RangeEnd, aggregate: &Aggregate) -> Option<f64> {
        // A topic that may be undefined may be left out: the best choice leaves out all whose end
        // is worse than some value.
        let mut loose: Vec<f64> = self.loose.all().collect();
        loose.sort_by(|a, b| if side == RangeEnd::Low { a.total_cmp(b) } else { b.total_cmp(a) });
        let mut kept = self.fixed.clone();
        let mut best = aggregate.summary(&kept, Undefined::Zero);
        for x in loose {
            aggregate.gather(&mut kept, Some(x), Undefined::Zero);
            let with = aggregate.summary(&kept, Undefined::Zero);
            best = [best, with].into_iter().flatten().reduce(|a, b| side.further(a, b));
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One topic has 0.2 for certain, one 0.8 unless it is undefined, one is undefined for certain.
    #[test]
    fn topics_that_may_be_undefined_are_left_out_where_that_helps() {
        let ends = [Some((0.2, false)), Some((0.8, true)), None];
        for (undefined, low, high) in
            [(Undefined::Skip, 0.2, 0.5), (Undefined::Zero, 0.2 / 3.0, 1.0 / 3.0)]
        {
            for (side, expected) in [(RangeEnd::Low, low), (RangeEnd::High, high)] {
                let mut end = End::default();
                for topic in ends {
                    end.gather(side, &Aggregate::Mean, topic, undefined);
                }
                let found = end.summary(side, &Aggregate::Mean).unwrap();
                // However the topics are shared out.
                let (mut first, mut rest) = (End::default(), End::default());
                first.gather(side, &Aggregate::Mean, ends[0], undefined);
                ends[1..].iter().for_each(|e| rest.gather(side, &Aggregate::Mean, *e, undefined));
                first.merge(rest);
                assert_eq!(first.summary(side, &Aggregate::Mean), Some(found));
                assert!((found - expected).abs() < 1e-15, "{undefined:?} {side:?}: {found}");
            }
        }
    }

    /// Four of five topics may be undefined: against the means of all choices of these.
    #[test]
    fn the_best_choice_of_topics_is_found() {
        let certain = 0.5;
        let loose = [0.1, 0.9, 0.3, 0.7];
        let means = (0..16u32).map(|chosen| {
            let kept = (0..).zip(loose).filter(|(n, _)| chosen >> n & 1 == 1).map(|(_, x)| x);
            let kept: Vec<f64> = kept.chain([certain]).collect();
            kept.iter().sum::<f64>() / kept.len() as f64
        });
        let lowest = means.clone().fold(f64::INFINITY, f64::min);
        let highest = means.fold(f64::NEG_INFINITY, f64::max);
        for (side, expected) in [(RangeEnd::Low, lowest), (RangeEnd::High, highest)] {
            let mut end = End::default();
            let topics = loose.map(|x| (x, true)).into_iter().chain([(certain, false)]);
            for topic in topics {
                end.gather(side, &Aggregate::Mean, Some(topic), Undefined::Skip);
            }
            let found = end.summary(side, &Aggregate::Mean).unwrap();
            assert!((found - expected).abs() < 1e-12, "{side:?}: {found}, not {expected}");
        }
    }
}
