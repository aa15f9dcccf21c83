//! The range of a difference of two runs.
//!
//! That their ranges overlap says little: an unjudged document that both retrieved counts for both. The joint range gives each document one grade.

use super::{Completion, Range, Ranger, Vary, gains};
use crate::data::{Hit, Judged};
use crate::measure::Metric;
use crate::measure::range::{Gains, Kind, RangeRule};

/// A document that is unjudged and that at least one of two runs retrieved: its rank in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedDocument {
    /// In the first run.
    pub in_a: Option<u32>,
    /// In the second run.
    pub in_b: Option<u32>,
}

/// The lowest and the highest that the score of `a` less that of `b` can be, for one topic. `unjudged` holds every unjudged document that either retrieved.
///
/// It is exact for additive measures of finite depth and for nDCG; elsewhere the bound that follows from the two ranges apart. `None` where the measure has no range.
pub fn difference(metric: &Metric, a: &Judged<'_>, b: &Judged<'_>, unjudged: &[SharedDocument], vary: Vary) -> Option<Range> {
    let rule = metric.range_rule(*a.max_grade);
    // What the other run alone retrieved is a further document of the collection.
    let completion = |topic: &Judged<'_>, rank: fn(&SharedDocument) -> Option<u32>| {
        let only_other = unjudged.iter().filter(|d| rank(d).is_none()).count() as u32;
        Completion::new(topic, Vary::Collection(vary.further().saturating_add(only_other)))
    };
    let (mut of_a, mut of_b) = (completion(a, |d| d.in_a), completion(b, |d| d.in_b));
    match &rule {
        RangeRule::Additive => additive(metric, &mut of_a, &mut of_b, unjudged),
        RangeRule::Gains(gains) if !gains.own => {
            let unjudged = &unjudged[..if of_a.max_grade() > 0.0 { unjudged.len() } else { 0 }];
            normalised(gains, &of_a, &of_b, unjudged, vary)
        }
        _ => {
            let mut ranger = Ranger::new(metric, *a.max_grade);
            let (a, b) = (ranger.of_completions(&mut of_a)?, ranger.of_completions(&mut of_b)?);
            Some(apart(a, b))
        }
    }
}

/// What follows from the two ranges alone.
fn apart(a: Range, b: Range) -> Range {
    let fixed = a.low == a.high && b.low == b.high;
    let kind = if fixed { Kind::Exact } else { Kind::Bound };
    Range { low: a.low - b.high, high: a.high - b.low, tail: a.tail, kind, undefined: a.undefined || b.undefined }
}

/// Each document adds what it adds to `a` less what it adds to `b`.
fn additive(metric: &Metric, a: &mut Completion, b: &mut Completion, unjudged: &[SharedDocument]) -> Option<Range> {
    let start = metric.score_complete(&a.prefix(0).view()).value()? - metric.score_complete(&b.prefix(0).view()).value()?;
    let weight = |all: &Completion, rank: Option<u32>| -> Option<f64> {
        let Some(rank) = rank else { return Some(0.0) };
        let alone = |grade: f64| metric.score_complete(&Judged { hits: &[Hit { rank, doc: 0, grade }], ..all.view() }).value();
        Some(alone(all.max_grade())? - alone(0.0)?)
    };
    let (mut low, mut high) = (start, start);
    for document in unjudged {
        let change = weight(a, document.in_a)? - weight(b, document.in_b)?;
        low += change.min(0.0);
        high += change.max(0.0);
    }
    // What is below the end of one ranking may be anywhere in the other, so the tails make it a bound.
    let tail = |all: &mut Completion| -> Option<f64> {
        let topic = all.prefix(0).view();
        Some(metric.score_with_tail(&topic).map_or(0.0, |with| metric.score_complete(&topic).value().map_or(0.0, |without| with - without)))
    };
    let (tail_a, tail_b) = (tail(a)?, tail(b)?);
    let kind = if tail_a > 0.0 || tail_b > 0.0 { Kind::Bound } else { Kind::Exact };
    Some(Range { low: low - tail_b, high: high + tail_a, tail: tail_a, kind, undefined: false })
}

/// Both are divided by the same ideal.
fn normalised(rule: &Gains<'_>, a: &Completion, b: &Completion, unjudged: &[SharedDocument], vary: Vary) -> Option<Range> {
    let judged = a.judged_grades();
    let open = unjudged.len() as u32 + vary.further();
    let mut sums = Vec::new();
    let steps = gains::Steps::new(rule, judged.positive, judged.zero, open, a.max_grade(), &mut sums);
    let (sum_a, sum_b) = (gains::ranking(rule, a).0, gains::ranking(rule, b).0);
    let weight = |rank: Option<u32>| rank.filter(|rank| *rank <= rule.k).map_or(0.0, |rank| 1.0 / (rule.discount)(rank));
    let changes: Vec<f64> = unjudged.iter().map(|d| weight(d.in_a) - weight(d.in_b)).collect();
    let most = steps.ideal_of_tops(open);
    if most <= 0.0 {
        return None;
    }
    let end = |sign: f64| {
        let base = sign * (sum_a - sum_b + steps.lowest * changes.iter().sum::<f64>());
        let mut helpful: Vec<f64> = changes.iter().map(|change| sign * change).filter(|change| *change > 0.0).collect();
        helpful.sort_by(|x, y| y.total_cmp(x));
        let best = base + steps.span() * helpful.iter().sum::<f64>();
        if best < 0.0 {
            // A number below 0 is highest over the largest ideal, which other documents may prevent.
            return (best / most, if open == 0 { Kind::Exact } else { Kind::Bound });
        }
        // Nothing is relevant so far, and nothing helps: 0 is the most.
        steps.highest(base, &helpful).map_or((0.0, Kind::Bound), |high| (high, Kind::Exact))
    };
    let ((high, kind_high), (low, kind_low)) = (end(1.0), end(-1.0));
    let kind = if kind_high == Kind::Exact { kind_low } else { kind_high };
    Some(Range { low: 0.0 - low, high, tail: 0.0, kind, undefined: steps.ideal_of_tops(0) <= 0.0 })
}
