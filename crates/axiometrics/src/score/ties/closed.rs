//! Expected scores in closed form.

use super::{Group, Orders};
use crate::data::{Hit, Judged};
use crate::measure::Score;
use crate::measure::range::{Blended, Cascade, Counts, Pairs, RangeRule, TieRule};

/// The expected score, where its form is known.
pub(super) fn average(orders: &Orders<'_>) -> Option<Score> {
    if orders.condense {
        return None;
    }
    match orders.metric.tie_rule() {
        TieRule::First { k, rel } => return Some(first(orders, k, rel)),
        TieRule::Linear => return Some(linear(orders)),
        TieRule::Cascade(rule) => return Some(cascade(orders, &rule)),
        TieRule::Pairs(rule) if orders.cut_at(u32::MAX).is_none() => {
            return Some(pairs(orders, &rule));
        }
        TieRule::Pairs(_) | TieRule::Other => {}
    }
    match orders.metric.range_rule(*orders.topic.max_grade) {
        RangeRule::Additive => Some(linear(orders)),
        RangeRule::Counts(rule) => Some(counts(orders, &rule)),
        RangeRule::Gains(rule) if !rule.own => Some(linear(orders)),
        RangeRule::Precisions(rule) if rule.linear => {
            let sum = precisions(orders, rule.k, rule.rel);
            Some((rule.value)(sum, 0, orders.topic.relevant(&rule.rel)))
        }
        RangeRule::Blended(rule) => Some(blended(orders, &rule)),
        _ => None,
    }
}

/// A stretch of ranks: a document that is not tied, or a group.
enum Stretch<'o> {
    Hit(&'o Hit),
    Group(&'o Group),
}

/// The hits and groups from the top.
fn stretches<'o>(orders: &'o Orders<'_>) -> Vec<Stretch<'o>> {
    let mut all: Vec<Stretch<'o>> = orders
        .settled()
        .map(Stretch::Hit)
        .chain(orders.groups.iter().map(Stretch::Group))
        .collect();
    all.sort_by_key(|stretch| match stretch {
        Stretch::Hit(hit) => hit.rank,
        Stretch::Group(group) => group.tie.first,
    });
    all
}

/// The ranks of a group down to a cutoff or the end of the ranking, with their places in the group
/// from 0.
fn places(orders: &Orders<'_>, group: &Group, k: u32) -> impl Iterator<Item = (f64, u32)> + use<> {
    let last = group.tie.last().min(k).min(orders.depth);
    (group.tie.first..=last).enumerate().map(|(place, rank)| (place as f64, rank))
}

/// A sum over documents: each stands at every rank of its group equally often.
fn linear(orders: &Orders<'_>) -> Score {
    let Score::Value(mut sum) = orders.score(&mut orders.settled().copied().collect()) else {
        return orders.score_of_run();
    };
    let nothing = orders.score(&mut Vec::new()).value().unwrap_or(0.0);
    let mut alone = Vec::with_capacity(1);
    for group in &orders.groups {
        let mut known: Vec<(f64, f64)> = Vec::new();
        for hit in orders.of(group) {
            let mean = known
                .iter()
                .find(|(grade, _)| *grade == hit.grade)
                .map(|(_, mean)| *mean)
                .unwrap_or_else(|| {
                    let mut at = |rank: u32| {
                        alone.clear();
                        alone.push(Hit { rank, ..*hit });
                        orders.score(&mut alone).value().unwrap_or(nothing) - nothing
                    };
                    let mean =
                        places(orders, group, u32::MAX).map(|(_, rank)| at(rank)).sum::<f64>()
                            / f64::from(group.tie.len);
                    known.push((hit.grade, mean));
                    mean
                });
            sum += mean;
        }
    }
    Score::Value(sum)
}

/// A function of how many relevant documents the top k holds: those of the group that is cut are
/// hypergeometric.
fn counts(orders: &Orders<'_>, rule: &Counts<'_>) -> Score {
    let Some(group) = orders.cut_at(rule.k) else { return orders.score_of_run() };
    let relevant = |hits: &[Hit]| hits.iter().filter(|hit| hit.grade >= rule.rel).count() as u32;
    let above = relevant(&orders.hits[..group.hits.start]);
    let (n, r) = (group.tie.len, relevant(orders.of(group)));
    let inside = rule.k.min(orders.depth) - (group.tie.first - 1);
    let score = |t: u32| {
        (rule.value)(above + t, orders.topic.retrieved, orders.topic.relevant(&rule.rel)).value()
    };
    let (mut sum, mut weight) = (0.0, 0.0);
    for (t, w) in hypergeometric(n, r, inside) {
        if let Some(score) = score(t) {
            sum += w * score;
            weight += w;
        }
    }
    if weight > 0.0 { Score::Value(sum / weight) } else { orders.score_of_run() }
}

/// How likely each number of relevant documents is among `drawn` of n, of which r are relevant: as
/// shares of the likeliest, from which they are worked out either way, so that none is beyond
/// floating point.
fn hypergeometric(n: u32, r: u32, drawn: u32) -> Vec<(u32, f64)> {
    let (least, most) = (drawn.saturating_sub(n - r), r.min(drawn));
    let likeliest = ((u64::from(drawn) + 1) * (u64::from(r) + 1) / (u64::from(n) + 2)) as u32;
    let likeliest = likeliest.clamp(least, most);
    // From t to t + 1.
    let step = |t: u32| {
        f64::from(r - t) * f64::from(drawn - t)
            / (f64::from(t + 1) * (f64::from(n - r) - f64::from(drawn) + f64::from(t + 1)))
    };
    let mut all = vec![(likeliest, 1.0)];
    all.extend((likeliest..most).scan(1.0, |w, t| {
        *w *= step(t);
        Some((t + 1, *w))
    }));
    all.extend((least..likeliest).rev().scan(1.0, |w, t| {
        *w /= step(t);
        Some((t, *w))
    }));
    all
}

/// A group of n documents, some of which are relevant, and the gains of all and of these.
struct Mixture {
    n: f64,
    relevant: f64,
    gain: f64,
    relevant_gain: f64,
}

impl Mixture {
    fn new(orders: &Orders<'_>, group: &Group, rel: f64) -> Mixture {
        let mut mixture =
            Mixture { n: f64::from(group.tie.len), relevant: 0.0, gain: 0.0, relevant_gain: 0.0 };
        for hit in orders.of(group) {
            let gain = hit.grade.max(0.0);
            mixture.gain += gain;
            if hit.grade >= rel {
                mixture.relevant += 1.0;
                mixture.relevant_gain += gain;
            }
        }
        mixture
    }

    /// Of a relevant document at this place of the group: the chance that there is one, and, times
    /// that chance, how many relevant documents the group holds down to it, and how much gain.
    fn at(&self, place: f64) -> (f64, f64, f64) {
        let Mixture { n, relevant, gain, relevant_gain } = *self;
        let others = place / (n - 1.0);
        let chance = relevant / n;
        let seen = chance * (1.0 + (relevant - 1.0) * others);
        (chance, seen, (relevant_gain + (relevant * gain - relevant_gain) * others) / n)
    }
}

/// The expected sum of precisions in the top k.
fn precisions(orders: &Orders<'_>, k: u32, rel: f64) -> f64 {
    let (mut sum, mut above) = (0.0, 0.0);
    for stretch in stretches(orders) {
        match stretch {
            Stretch::Hit(hit) if hit.grade >= rel => {
                above += 1.0;
                if hit.rank <= k {
                    sum += above / f64::from(hit.rank);
                }
            }
            Stretch::Hit(_) => {}
            Stretch::Group(group) => {
                let mixture = Mixture::new(orders, group, rel);
                for (place, rank) in places(orders, group, k) {
                    let (chance, seen, _) = mixture.at(place);
                    sum += (chance * above + seen) / f64::from(rank);
                }
                above += mixture.relevant;
            }
        }
    }
    sum
}

/// The Q-measure: its term is linear in the relevant documents so far and in the gain so far.
fn blended(orders: &Orders<'_>, rule: &Blended<'_>) -> Score {
    let relevant = orders.topic.relevant(&rule.rel);
    let divisor = (rule.divisor)(relevant);
    if divisor == 0 {
        return orders.score_of_run();
    }
    let mut ideal = vec![0.0];
    ideal.extend(orders.topic.grades.positive.iter().scan(0.0, |sum, grade| {
        *sum += grade;
        Some(*sum)
    }));
    let term = |seen: f64, gain: f64, rank: u32| {
        let ideal = ideal[(rank as usize).min(ideal.len() - 1)];
        seen * (rule.term)(1, 0.0, rank, ideal) + gain * (rule.term)(0, 1.0, rank, ideal)
    };
    let (mut sum, mut above, mut gain) = (0.0, 0.0, 0.0);
    for stretch in stretches(orders) {
        match stretch {
            Stretch::Hit(hit) => {
                gain += hit.grade.max(0.0);
                if hit.grade >= rule.rel {
                    above += 1.0;
                    if hit.rank <= rule.k {
                        sum += term(above, gain, hit.rank);
                    }
                }
            }
            Stretch::Group(group) => {
                let mixture = Mixture::new(orders, group, rule.rel);
                for (place, rank) in places(orders, group, rule.k) {
                    let (chance, seen, gained) = mixture.at(place);
                    sum += term(chance * above + seen, chance * gain + gained, rank);
                }
                above += mixture.relevant;
                gain += mixture.gain;
            }
        }
    }
    Score::Value(sum / f64::from(divisor))
}

/// A function of the rank of the first relevant document.
fn first(orders: &Orders<'_>, k: u32, rel: f64) -> Score {
    let relevant = |hit: &&Hit| hit.grade >= rel;
    let Some(at) = orders.hits.iter().position(|hit| relevant(&hit)) else {
        return orders.score_of_run();
    };
    let Some(group) = orders.groups.iter().find(|group| group.hits.contains(&at)) else {
        return orders.score_of_run();
    };
    let count = orders.of(group).iter().filter(relevant).count() as f64;
    let n = f64::from(group.tie.len);
    let hit = orders.hits[at];
    let score = |rank: u32| orders.score(&mut vec![Hit { rank, ..hit }]).value().unwrap_or(0.0);
    let (mut sum, mut none_above) = (0.0, 1.0);
    for (place, rank) in places(orders, group, k) {
        let here = (count / (n - place)).min(1.0);
        sum += none_above * here * score(rank);
        none_above *= 1.0 - here;
    }
    Score::Value(sum)
}

/// The expected reciprocal of the last rank: within a group, the chance of going on behind so many
/// of its documents is the mean over all choices of them of the product of their chances.
fn cascade(orders: &Orders<'_>, rule: &Cascade<'_>) -> Score {
    let topic = &orders.topic;
    let goes_on = |hit: &Hit| 1.0 - (rule.satisfies)(topic, hit.grade);
    let (mut sum, mut reach) = (0.0, 1.0);
    for stretch in stretches(orders) {
        match stretch {
            Stretch::Hit(hit) if hit.rank <= rule.k => {
                sum += reach * (1.0 - goes_on(hit)) / f64::from(hit.rank);
                reach *= goes_on(hit);
            }
            Stretch::Hit(_) => {}
            Stretch::Group(group) => {
                let last = group.tie.last().min(rule.k).min(orders.depth);
                if last < group.tie.first {
                    break;
                }
                let through = means_of_products(
                    orders.of(group).iter().map(goes_on),
                    group.tie.len,
                    last + 1 - group.tie.first,
                );
                sum += reach
                    * (group.tie.first..=last)
                        .zip(through.windows(2))
                        .map(|(rank, m)| (m[0] - m[1]) / f64::from(rank))
                        .sum::<f64>();
                reach *= orders.of(group).iter().map(goes_on).product::<f64>();
            }
        }
    }
    (rule.value)(topic, sum)
}

/// For j = 0, 1, ..., `most`: the mean over all choices of j out of n numbers of their product. The
/// numbers that are not given are 1.
fn means_of_products(numbers: impl Iterator<Item = f64>, n: u32, most: u32) -> Vec<f64> {
    let mut means = vec![1.0; most as usize + 1];
    for (i, q) in (1..=n).zip(numbers.chain(std::iter::repeat(1.0))) {
        for j in (1..=i.min(most)).rev() {
            let without = if j == i { 0.0 } else { means[j as usize] };
            means[j as usize] = (f64::from(i - j) * without
                + f64::from(j) * q * means[j as usize - 1])
                / f64::from(i);
        }
    }
    means
}

/// A sum over relevant documents of a term of the judged non-relevant ones above: within a group,
/// each number of these is equally likely.
fn pairs(orders: &Orders<'_>, rule: &Pairs<'_>) -> Score {
    let topic = Judged { hits: &orders.hits, ..orders.topic };
    let (mut sum, mut above) = (0.0, 0);
    for stretch in stretches(orders) {
        let hits = match stretch {
            Stretch::Hit(hit) => std::slice::from_ref(hit),
            Stretch::Group(group) => orders.of(group),
        };
        let judged = hits.iter().filter(|hit| hit.grade >= 0.0);
        let relevant = judged.clone().filter(|hit| hit.grade >= rule.rel).count();
        let others = (judged.count() - relevant) as u32;
        let mean = (0..=others).map(|n| (rule.term)(&topic, above + n)).sum::<f64>()
            / f64::from(others + 1);
        sum += if relevant == 0 { 0.0 } else { relevant as f64 * mean };
        above += others;
    }
    (rule.value)(&topic, sum)
}
