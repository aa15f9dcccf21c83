//! The range of a difference of two runs.
//!
//! That their ranges overlap says little: an unjudged document that both retrieved counts for both.
//! The joint range gives each document one grade.
//! - A sum over documents: each adds what it adds to one run less what it adds to the other.
//! - A quotient whose divisor both share (nDCG): Dinkelbach's method over these differences, as for
//!   one run.
//! - Counts over what both share (recall, F): for each number of relevant documents, those that
//!   only one run shows come first or last.
//! - A sum of precisions over what both share (AP): a bound over pairs of documents.
//! - The first relevant document: one document alone makes the first run as good as it can be, and
//!   any other could only help the second.

use super::counts::Openness;
use super::{Completion, Ends, Range, Ranger, Vary, gains, paired};
use crate::data::{Hit, Judged};
use crate::measure::range::{Counts, Gains, Kind, RangeRule, TieRule};
use crate::measure::{Metric, Score};

/// A document that is unjudged and that at least one of two runs retrieved: its rank in each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedDocument {
    /// In the first run.
    pub in_a: Option<u32>,
    /// In the second run.
    pub in_b: Option<u32>,
}

/// The lowest and the highest that the score of `a` less that of `b` can be, for one topic.
/// `unjudged` holds every unjudged document that either retrieved.
///
/// It is exact for additive measures of finite depth, nDCG, recall, F and their kin, RR and
/// Success; for AP a bound over what both share, elsewhere the bound that follows from the two
/// ranges apart. `None` where the measure has no range. A score that is undefined where the other
/// is not counts as 0.
pub fn difference(
    metric: &Metric,
    a: &Judged<'_>,
    b: &Judged<'_>,
    unjudged: &[SharedDocument],
    vary: Vary,
) -> Option<Range> {
    let rule = metric.range_rule(*a.max_grade);
    // What the other run alone retrieved is a further document of the collection.
    let completion = |topic: &Judged<'_>, rank: fn(&SharedDocument) -> Option<u32>| {
        let only_other = unjudged.iter().filter(|d| rank(d).is_none()).count() as u32;
        Completion::new(topic, Vary::Collection(vary.further().saturating_add(only_other)))
    };
    let (mut of_a, mut of_b) = (completion(a, |d| d.in_a), completion(b, |d| d.in_b));
    // Where no grade is above 0, none can be given.
    let unjudged = if of_a.max_grade() > 0.0 { unjudged } else { &[] };
    match (&rule, metric.tie_rule()) {
        (RangeRule::Additive, _) => additive(metric, &mut of_a, &mut of_b, unjudged),
        (RangeRule::Gains(rule), _) if !rule.own => normalised(rule, &of_a, &of_b, unjudged),
        (RangeRule::Counts(rule), _) if rule.linear => counted(rule, &of_a, &of_b, unjudged),
        (RangeRule::Precisions(rule), _)
            if rule.linear && rule.rel > 0.0 && rule.rel <= of_a.max_grade() =>
        {
            paired::range(rule, &of_a, &of_b, unjudged)
        }
        (RangeRule::Extremes(Kind::Exact), TieRule::First { k, rel }) if rel > 0.0 => {
            first(metric, (k, rel), &of_a, &of_b, unjudged)
        }
        _ => {
            let mut ranger = Ranger::new(metric, *a.max_grade);
            let (a, b) = (ranger.of_completions(&mut of_a)?, ranger.of_completions(&mut of_b)?);
            Some(apart(a, b))
        }
    }
}

/// The difference of two scores. One that is undefined where the other is not counts as 0.
fn less(a: Score, b: Score) -> Score {
    match (a, b) {
        (Score::Undefined(why), Score::Undefined(_)) => Score::Undefined(why),
        (a, b) => Score::Value(a.value().unwrap_or(0.0) - b.value().unwrap_or(0.0)),
    }
}

/// What follows from the two ranges alone.
fn apart(a: Range, b: Range) -> Range {
    let fixed = [a, b].iter().all(|range| range.low == range.high && !range.undefined);
    let kind = if fixed { a.kind.max(b.kind) } else { Kind::Bound };
    let (a, b) = (a.or_zero(), b.or_zero());
    Range { low: a.low - b.high, high: a.high - b.low, tail: a.tail, kind, undefined: false }
}

/// Each document adds what it adds to `a` less what it adds to `b`.
fn additive(
    metric: &Metric,
    a: &mut Completion,
    b: &mut Completion,
    unjudged: &[SharedDocument],
) -> Option<Range> {
    let start = metric.score_complete(&a.prefix(0).view()).value()?
        - metric.score_complete(&b.prefix(0).view()).value()?;
    let weight = |all: &Completion, rank: Option<u32>| -> Option<f64> {
        let Some(rank) = rank else { return Some(0.0) };
        let alone = |grade: f64| {
            metric
                .score_complete(&Judged { hits: &[Hit { rank, doc: 0, grade }], ..all.view() })
                .value()
        };
        Some(alone(all.max_grade())? - alone(0.0)?)
    };
    let (mut low, mut high) = (start, start);
    for document in unjudged {
        let change = weight(a, document.in_a)? - weight(b, document.in_b)?;
        low += change.min(0.0);
        high += change.max(0.0);
    }
    // What is below the end of one ranking may be anywhere in the other, so the tails make it a
    // bound.
    let tail = |all: &mut Completion| -> Option<f64> {
        let topic = all.prefix(0).view();
        let score = metric.score_complete(&topic).value()?;
        Some(metric.score_with_tail(&topic, score).map_or(0.0, |with| with - score))
    };
    let (tail_a, tail_b) = (tail(a)?, tail(b)?);
    let kind = if tail_a > 0.0 || tail_b > 0.0 { Kind::Bound } else { Kind::Exact };
    Some(Range { low: low - tail_b, high: high + tail_a, tail: tail_a, kind, undefined: false })
}

/// Both are divided by the same ideal.
fn normalised(
    rule: &Gains<'_>,
    a: &Completion,
    b: &Completion,
    unjudged: &[SharedDocument],
) -> Option<Range> {
    let judged = a.judged_grades();
    let mut sums = Vec::new();
    let steps =
        gains::Steps::new(rule, judged.positive, judged.zero, a.open(), a.max_grade(), &mut sums);
    let (sum_a, sum_b) = (gains::ranking(rule, a).0, gains::ranking(rule, b).0);
    let weight = |rank: Option<u32>| {
        rank.filter(|rank| *rank <= rule.k).map_or(0.0, |rank| 1.0 / (rule.discount)(rank))
    };
    let mut changes: Vec<f64> = unjudged.iter().map(|d| weight(d.in_a) - weight(d.in_b)).collect();
    // Further documents of the collection stand in neither.
    changes.resize(a.open() as usize, 0.0);
    let base = sum_a - sum_b + steps.lowest * changes.iter().sum::<f64>();
    let mut end = |sign: f64| {
        changes.sort_by(|x, y| (sign * y).total_cmp(&(sign * x)));
        let weights: Vec<f64> = changes.iter().map(|change| sign * change).collect();
        steps.highest(sign * base, &weights).map(|high| sign * high)
    };
    let (high, low) = (end(1.0)?, end(-1.0)?);
    Some(Range {
        low,
        high,
        tail: 0.0,
        kind: Kind::Exact,
        undefined: steps.ideal_of_tops(0) <= 0.0,
    })
}

/// Of t relevant documents, those that only one run shows in its top k are taken first, those that
/// only the other shows last. Between the rest, which both show or neither, a linear function has
/// its ends where as many or as few as possible are shown.
fn counted(
    rule: &Counts<'_>,
    a: &Completion,
    b: &Completion,
    unjudged: &[SharedDocument],
) -> Option<Range> {
    let shows = |rank: Option<u32>| rank.is_some_and(|rank| rank <= rule.k);
    let count = |a: bool, b: bool| {
        unjudged.iter().filter(|d| shows(d.in_a) == a && shows(d.in_b) == b).count() as u32
    };
    let (both, only_a, only_b) = (count(true, true), count(true, false), count(false, true));
    let neither = a.open() - both - only_a - only_b;
    let [open_a, open_b] = [a, b].map(|all| Openness::new(all, rule.k, rule.rel));
    let (seen_a, seen_b) = (open_a.seen(a, rule), open_b.seen(b, rule));
    let relevant = a.judged_grades().relevant(&rule.rel) + open_a.certain.1;
    let mut ends = Ends::default();
    for t in 0..=open_a.inside + open_a.outside {
        for (first, last, swapped) in [(only_a, only_b, false), (only_b, only_a, true)] {
            let first = first.min(t);
            let last = (t - first).saturating_sub(both + neither).min(last);
            let rest = t - first - last;
            let (x, y) = if swapped { (last, first) } else { (first, last) };
            for shown in [rest.saturating_sub(neither), rest.min(both)] {
                let value_a = (rule.value)(seen_a + x + shown, a.retrieved(), relevant + t);
                let value_b = (rule.value)(seen_b + y + shown, b.retrieved(), relevant + t);
                ends.add(less(value_a, value_b));
            }
        }
    }
    Range::between(ends, Kind::Exact)
}

/// A function of the rank of the first relevant document, which never rises with it.
fn first(
    metric: &Metric,
    (k, rel): (u32, f64),
    a: &Completion,
    b: &Completion,
    unjudged: &[SharedDocument],
) -> Option<Range> {
    let judged = |all: &Completion| {
        all.documents().find(|(hit, open)| !open && hit.grade >= rel).map(|(hit, _)| hit.rank)
    };
    let firsts = (judged(a), judged(b));
    let value = |all: &Completion, ranks: [Option<u32>; 2]| {
        let hit = ranks.into_iter().flatten().min().filter(|rank| *rank <= k).map(|rank| Hit {
            rank,
            doc: 0,
            grade: rel,
        });
        metric.score_complete(&Judged { hits: hit.as_slice(), ..all.view() })
    };
    let mut ends = Ends::default();
    let mut add =
        |rank_a, rank_b| ends.add(less(value(a, [firsts.0, rank_a]), value(b, [firsts.1, rank_b])));
    add(None, None);
    if rel <= a.max_grade() {
        unjudged.iter().for_each(|document| add(document.in_a, document.in_b));
    }
    Range::between(ends, Kind::Exact)
}
