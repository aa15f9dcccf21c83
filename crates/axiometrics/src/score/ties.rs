//! Scores under ties: the expected one over all orders of tied documents, and the lowest and the highest.
//!
//! A tied group is a stretch of ranks whose documents may stand in any order. Where a measure is a sum over ranks the expected score is a sum of means, and the sum of precisions and the
//! first relevant document have closed forms. What is left is counted out where there are few orders, and sampled from a fixed seed where there are many.

use super::ranges::Range;
use crate::align::Tie;
use crate::data::{Hit, Judged};
use crate::measure::range::{Kind, RangeRule, TieRule};
use crate::measure::{Metric, Score};
use crate::stats::{Resampling, Stream};

/// An expected score.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expected {
    pub(crate) score: Score,
    /// Its standard error, where it was sampled.
    pub(crate) error: Option<f64>,
}

/// Orders are counted out up to this many, and beyond it as many are sampled.
const ORDERS: usize = 10_000;

/// The expected score over all orders of the tied documents. Undefined orders are left out.
pub(crate) fn average(metric: &Metric, topic: &Judged<'_>, ties: &[Tie]) -> Expected {
    let exact = |score: Score| Expected { score, error: None };
    let mut hits = topic.hits.to_vec();
    if metric.is_condensed() {
        return by_orders(metric, topic, ties);
    }
    match (metric.tie_rule(), metric.range_rule(*topic.max_grade)) {
        (TieRule::First { k, rel }, _) => exact(first(metric, topic, ties, k, rel)),
        (_, RangeRule::Counts(rule)) if !ties.iter().any(|tie| tie.first <= rule.k && rule.k < tie.last()) => exact(metric.score(topic)),
        (TieRule::Linear, _) | (_, RangeRule::Additive | RangeRule::Counts(_)) => exact(linear(metric, topic, ties, &mut hits)),
        (_, RangeRule::Gains(rule)) if !rule.own => exact(linear(metric, topic, ties, &mut hits)),
        (_, RangeRule::Precisions(rule)) if rule.linear => {
            let sum = precisions(topic, ties, rule.k, rule.rel);
            exact((rule.value)(sum, 0, topic.relevant(&rule.rel)))
        }
        _ => by_orders(metric, topic, ties),
    }
}

/// The group of a rank.
fn group_of(ties: &[Tie], rank: u32) -> Option<Tie> {
    let at = ties.partition_point(|tie| tie.last() < rank);
    ties.get(at).copied().filter(|tie| tie.first <= rank)
}

/// A sum over documents: each stands at every rank of its group equally often.
fn linear(metric: &Metric, topic: &Judged<'_>, ties: &[Tie], hits: &mut Vec<Hit>) -> Score {
    hits.retain(|hit| group_of(ties, hit.rank).is_none());
    let settled = Judged { hits, ..*topic };
    let Score::Value(mut sum) = metric.score(&settled) else { return metric.score(topic) };
    let nothing = metric.score(&Judged { hits: &[], ..*topic }).value().unwrap_or(0.0);
    let mut known: Vec<((Tie, f64), f64)> = Vec::new();
    for hit in topic.hits {
        let Some(tie) = group_of(ties, hit.rank) else { continue };
        let key = (tie, hit.grade);
        let mean = known.iter().find(|(k, _)| *k == key).map(|(_, mean)| *mean).unwrap_or_else(|| {
            let alone = |rank: u32| metric.score(&Judged { hits: &[Hit { rank, ..*hit }], ..*topic }).value().unwrap_or(nothing) - nothing;
            let mean = (tie.first..=tie.last()).map(alone).sum::<f64>() / f64::from(tie.len);
            known.push((key, mean));
            mean
        });
        sum += mean;
    }
    Score::Value(sum)
}

/// The expected sum of precisions in the top k.
fn precisions(topic: &Judged<'_>, ties: &[Tie], k: u32, rel: f64) -> f64 {
    let mut sum = 0.0;
    let mut above = 0.0;
    let mut hits = topic.hits.iter().filter(|hit| hit.grade >= rel).peekable();
    while let Some(hit) = hits.next() {
        let Some(tie) = group_of(ties, hit.rank) else {
            above += 1.0;
            if hit.rank <= k {
                sum += above / f64::from(hit.rank);
            }
            continue;
        };
        let mut relevant = 1.0;
        while hits.next_if(|h| h.rank <= tie.last()).is_some() {
            relevant += 1.0;
        }
        let n = f64::from(tie.len);
        // At the j-th rank: relevant with r/n, and then (r-1)/(n-1) of the j-1 ranks above in the group are.
        let others = if n > 1.0 { (relevant - 1.0) / (n - 1.0) } else { 0.0 };
        for (j, rank) in (tie.first..=tie.last()).take_while(|rank| *rank <= k).enumerate() {
            sum += relevant / n * (above + 1.0 + j as f64 * others) / f64::from(rank);
        }
        above += relevant;
    }
    sum
}

/// A function of the rank of the first relevant document.
fn first(metric: &Metric, topic: &Judged<'_>, ties: &[Tie], k: u32, rel: f64) -> Score {
    let at = |rank: u32, hit: &Hit| metric.score(&Judged { hits: &[Hit { rank, ..*hit }], ..*topic }).value().unwrap_or(0.0);
    let Some(hit) = topic.relevant_top(u32::MAX, &rel).next() else { return metric.score(topic) };
    let Some(tie) = group_of(ties, hit.rank) else { return metric.score(topic) };
    let relevant = topic.hits.iter().filter(|h| h.grade >= rel && (tie.first..=tie.last()).contains(&h.rank)).count() as f64;
    let n = f64::from(tie.len);
    let (mut sum, mut none_above) = (0.0, 1.0);
    for (j, rank) in (tie.first..=tie.last()).take_while(|rank| *rank <= k).enumerate() {
        let left = n - j as f64;
        let here = (relevant / left).min(1.0);
        sum += none_above * here * at(rank, hit);
        none_above *= 1.0 - here;
    }
    Score::Value(sum)
}

/// The lowest and the highest score of any order: tied documents sorted by grade, worst or best first. Where a measure is not known to favour these orders the range is called searched: another may lie outside.
pub(crate) fn range(metric: &Metric, topic: &Judged<'_>, ties: &[Tie]) -> Option<Range> {
    let worst = metric.score(&Judged { hits: &sorted(topic, ties, false), ..*topic }).value()?;
    let best = metric.score(&Judged { hits: &sorted(topic, ties, true), ..*topic }).value()?;
    let exact = match metric.range_rule(*topic.max_grade) {
        // A relevant document that is pushed out of the top k may raise a score that is divided by what is left there.
        RangeRule::Gains(rule) => !rule.own,
        RangeRule::Precisions(rule) => rule.linear,
        RangeRule::Opposed(rule) => rule.ordered,
        RangeRule::Blended(_) | RangeRule::None(_) | RangeRule::PrefixIfBinary(_) | RangeRule::Extremes(Kind::Searched) => false,
        RangeRule::Goal(_) | RangeRule::Reading(_) => false,
        _ => true,
    };
    let kind = if exact { Kind::Exact } else { Kind::Searched };
    Some(Range { low: worst.min(best), high: worst.max(best), tail: 0.0, kind, undefined: false })
}

/// The hits where tied documents stand by grade. Unjudged documents stand behind the judged ones where the best come first, and before the relevant ones elsewhere.
fn sorted(topic: &Judged<'_>, ties: &[Tie], best_first: bool) -> Vec<Hit> {
    let mut hits = topic.hits.to_vec();
    for tie in ties {
        let from = hits.partition_point(|hit| hit.rank < tie.first);
        let to = hits.partition_point(|hit| hit.rank <= tie.last());
        let group = &mut hits[from..to];
        group.sort_by(|a, b| if best_first { b.grade.total_cmp(&a.grade) } else { a.grade.total_cmp(&b.grade) });
        // Documents of no use first or last, whichever it is; the gap between them is the unjudged ones.
        let start = if best_first { tie.first } else { tie.last() + 1 - group.len() as u32 };
        for (rank, hit) in (start..).zip(group) {
            hit.rank = rank;
        }
    }
    hits
}

/// The mean over all orders where they are few, and over a sample where they are many.
fn by_orders(metric: &Metric, topic: &Judged<'_>, ties: &[Tie]) -> Expected {
    let mut mean = Mean::default();
    let mut hits = topic.hits.to_vec();
    let groups: Vec<Group> = ties.iter().map(|tie| Group::new(topic, *tie)).collect();
    let orders = groups.iter().try_fold(1usize, |all, group| all.checked_mul(group.orders()?)).filter(|all| *all <= ORDERS);
    let mut score = |hits: &mut Vec<Hit>| {
        hits.sort_unstable_by_key(|hit| hit.rank);
        let score = metric.score(&Judged { hits, ..*topic });
        mean.add(score);
    };
    match orders {
        Some(orders) => {
            for code in 0..orders {
                let mut rest = code;
                hits.clear();
                hits.extend(topic.hits.iter().filter(|hit| group_of(ties, hit.rank).is_none()));
                for group in &groups {
                    group.order(&mut rest, &mut hits);
                }
                score(&mut hits);
            }
            Expected { score: mean.value(metric, topic), error: None }
        }
        None => {
            let mut random = Resampling::default().stream(0);
            for _ in 0..ORDERS {
                hits.clear();
                hits.extend(topic.hits.iter().filter(|hit| group_of(ties, hit.rank).is_none()));
                for group in &groups {
                    group.shuffle(&mut random, &mut hits);
                }
                score(&mut hits);
            }
            Expected { error: mean.error(), score: mean.value(metric, topic) }
        }
    }
}

/// The hits of a tied group, which can take its ranks in any order.
struct Group {
    tie: Tie,
    hits: Vec<Hit>,
}

impl Group {
    fn new(topic: &Judged<'_>, tie: Tie) -> Group {
        Group { tie, hits: topic.hits.iter().filter(|hit| (tie.first..=tie.last()).contains(&hit.rank)).copied().collect() }
    }

    /// n (n-1) ... for each hit: where it can stand.
    fn orders(&self) -> Option<usize> {
        (0..self.hits.len()).try_fold(1usize, |all, i| all.checked_mul((self.tie.len as usize).saturating_sub(i).max(1)))
    }

    /// The order of this number: each hit takes one of the ranks that are left.
    fn order(&self, code: &mut usize, hits: &mut Vec<Hit>) {
        let mut ranks: Vec<u32> = (self.tie.first..=self.tie.last()).collect();
        for hit in &self.hits {
            let rank = ranks.swap_remove(*code % ranks.len());
            *code /= ranks.len() + 1;
            hits.push(Hit { rank, ..*hit });
        }
    }

    fn shuffle(&self, random: &mut Stream, hits: &mut Vec<Hit>) {
        let mut taken: Vec<u32> = Vec::with_capacity(self.hits.len());
        for hit in &self.hits {
            let rank = loop {
                let rank = self.tie.first + random.below(self.tie.len as usize) as u32;
                if !taken.contains(&rank) {
                    break rank;
                }
            };
            taken.push(rank);
            hits.push(Hit { rank, ..*hit });
        }
    }
}

/// A running mean with its standard error (Welford's method).
#[derive(Default)]
struct Mean {
    n: f64,
    mean: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, score: Score) {
        let Score::Value(x) = score else { return };
        self.n += 1.0;
        let before = x - self.mean;
        self.mean += before / self.n;
        self.squares += before * (x - self.mean);
    }

    fn value(&self, metric: &Metric, topic: &Judged<'_>) -> Score {
        if self.n > 0.0 { Score::Value(self.mean) } else { metric.score(topic) }
    }

    fn error(&self) -> Option<f64> {
        (self.n > 1.0).then(|| (self.squares / (self.n - 1.0) / self.n).sqrt())
    }
}

#[cfg(test)]
mod tests;
