//! The range of a summary. What one topic's open documents are does not depend on another's, so the
//! ends of a mean are the means of the ends.

use super::Range;
use crate::measure::Aggregate;
use crate::measure::range::RangeKind;
use crate::policy::Undefined;

/// The range of the summary of topics with these ranges, `None` for a topic whose score is
/// undefined whatever the judgements. `None` if nothing is left to summarise.
pub(crate) fn summarise(
    aggregate: &Aggregate,
    parts: &[Option<Range>],
    undefined: Undefined,
) -> Option<Range> {
    let one_number =
        |scores: &mut dyn Iterator<Item = f64>| aggregate.of(scores.map(Some), Undefined::Zero);
    let kind = parts.iter().flatten().map(|range| range.kind).max().unwrap_or(RangeKind::Exact);
    let end = |of: fn(&Range) -> f64, better: fn(f64, f64) -> f64| -> Option<f64> {
        if undefined != Undefined::Skip {
            let otherwise = undefined.value().unwrap_or(0.0);
            let value = |part: &Option<Range>| match part {
                None => otherwise,
                Some(range) if range.undefined => better(of(range), otherwise),
                Some(range) => of(range),
            };
            return one_number(&mut parts.iter().map(value));
        }
        // A topic that may be undefined may be left out: the best choice leaves out all whose end
        // is worse than some value.
        let fixed: Vec<f64> = parts.iter().flatten().filter(|r| !r.undefined).map(of).collect();
        let mut loose: Vec<f64> = parts.iter().flatten().filter(|r| r.undefined).map(of).collect();
        loose.sort_by(|a, b| if better(0.0, 1.0) == 0.0 { a.total_cmp(b) } else { b.total_cmp(a) });
        let choices = (0..=loose.len())
            .filter_map(|n| one_number(&mut fixed.iter().chain(&loose[..n]).copied()));
        choices.reduce(better)
    };
    let (low, high) = (end(|r| r.low, f64::min)?, end(|r| r.high, f64::max)?);
    let without = end(|r| r.high - r.tail, f64::max)?;
    Some(Range { low, high, tail: high - without, kind, undefined: false })
}
