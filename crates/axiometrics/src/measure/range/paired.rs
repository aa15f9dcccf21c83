//! Bounds for the difference of two sums of precisions, over what both runs share.
//!
//! A sum of precisions counts each relevant document and each pair of them, by one over the lower
//! of their ranks. The difference of two runs does the same by what the one weight exceeds the
//! other. Of t relevant open documents, none adds more than its own weight, its pairs with judged
//! documents, and half of its pairs with all open ones that add at all; no t of them add more than
//! the t that add most in this way. Besides, each run's own sum for t documents has its ends.

use std::collections::HashMap;

use super::precisions::{Tables, from_bottom, from_top};
use super::{Completion, JointTopic, Precisions, Range, RangeKind};

/// A document by one over its rank in each run, 0 if it is not in the top k.
type InverseRanks = [f64; 2];

/// What the pair of two documents, or one with itself, adds to the first run's sum less the
/// second's.
fn pair(x: &InverseRanks, y: &InverseRanks) -> f64 {
    x[0].min(y[0]) - x[1].min(y[1])
}

/// The sum over documents of what their pair with each one of others adds, if that is above 0.
///
/// A pair is of one of four kinds, by which of the two has the smaller weight in each run. Within a
/// kind its sum is one over the documents of a quadrant, or of a part of one: so the documents come
/// by their first weight, and a tree holds sums by the second ([`Tree`]).
fn sums_above(of: &[InverseRanks], all: &[InverseRanks]) -> Vec<f64> {
    let mut seconds: Vec<f64> = all.iter().map(|y| y[1]).collect();
    seconds.sort_by(f64::total_cmp);
    seconds.dedup();
    let below = |weight: f64| seconds.partition_point(|second| *second < weight);
    let mut order: Vec<&InverseRanks> = all.iter().collect();
    order.sort_by(|x, y| x[0].total_cmp(&y[0]));
    // What the tree holds below a second weight, if it holds all documents of a first weight
    // below one: a sum for each document and each of two first weights.
    let mut asked: Vec<(f64, usize, bool)> = Vec::with_capacity(2 * of.len());
    for (i, x) in of.iter().enumerate() {
        asked.push((x[0], i, true));
        asked.push((x[0].min(x[1]), i, false));
    }
    asked.sort_by(|x, y| x.0.total_cmp(&y.0));
    let whole = order.iter().fold(PairedSums::default(), |sum, y| sum.with(y));
    let everything = {
        let mut tree = Tree::new(seconds.len());
        order.iter().for_each(|y| tree.add(below(y[1]), y));
        tree
    };
    let mut tree = Tree::new(seconds.len());
    let mut so_far = PairedSums::default();
    let mut next = order.iter().peekable();
    let mut sums = vec![0.0; of.len()];
    for (weight, i, own) in asked {
        while let Some(y) = next.next_if(|y| y[0] < weight) {
            tree.add(below(y[1]), y);
            so_far = so_far.with(y);
        }
        let x = &of[i];
        if own {
            // Both weights of y smaller: what y has more in the first run, if it has.
            sums[i] += tree.below(below(x[1])).excess;
            // Only the first: y's less x's, counted if y's first weight exceeds x's second; what
            // does not is taken away below.
            let high = so_far.less(tree.below(below(x[1])));
            if x[0] > x[1] {
                sums[i] += high.first - high.count * x[1];
            }
            // Only the second: x's less y's, if that is smaller than x's.
            let place = below(x[1].min(x[0]));
            let right = everything.below(place).less(tree.below(place));
            sums[i] += right.count * x[0] - right.second;
            // Neither: x's own.
            let rest = whole.less(everything.below(below(x[1]))).less(high);
            sums[i] += rest.count * (x[0] - x[1]).max(0.0);
        } else if x[0] > x[1] {
            // First weights below x's second one.
            let high = so_far.less(tree.below(below(x[1])));
            sums[i] -= high.first - high.count * x[1];
        }
    }
    sums
}

/// Sums over some documents.
#[derive(Debug, Clone, Copy, Default)]
struct PairedSums {
    count: f64,
    first: f64,
    second: f64,
    /// What the first weight exceeds the second by, if it does.
    excess: f64,
}

impl PairedSums {
    fn with(self, y: &InverseRanks) -> PairedSums {
        PairedSums {
            count: self.count + 1.0,
            first: self.first + y[0],
            second: self.second + y[1],
            excess: self.excess + (y[0] - y[1]).max(0.0),
        }
    }

    fn plus(self, other: PairedSums) -> PairedSums {
        PairedSums {
            count: self.count + other.count,
            first: self.first + other.first,
            second: self.second + other.second,
            excess: self.excess + other.excess,
        }
    }

    fn less(self, other: PairedSums) -> PairedSums {
        PairedSums {
            count: self.count - other.count,
            first: self.first - other.first,
            second: self.second - other.second,
            excess: self.excess - other.excess,
        }
    }
}

/// Sums over the documents at places up to any one (Fenwick).
struct Tree(Vec<PairedSums>);

impl Tree {
    fn new(places: usize) -> Tree {
        Tree(vec![PairedSums::default(); places + 1])
    }

    fn add(&mut self, place: usize, y: &InverseRanks) {
        let mut at = place + 1;
        while at < self.0.len() {
            self.0[at] = self.0[at].with(y);
            at += at & at.wrapping_neg();
        }
    }

    /// Of the places before this one.
    fn below(&self, place: usize) -> PairedSums {
        let (mut at, mut sum) = (place, PairedSums::default());
        while at > 0 {
            sum = sum.plus(self.0[at]);
            at -= at & at.wrapping_neg();
        }
        sum
    }
}

/// The same if it is below 0: what it is above 0 with the runs in the other order.
fn sums_below(of: &[InverseRanks], all: &[InverseRanks]) -> Vec<f64> {
    let swapped =
        |all: &[InverseRanks]| all.iter().map(|x| [x[1], x[0]]).collect::<Vec<InverseRanks>>();
    sums_above(&swapped(of), &swapped(all)).into_iter().map(|sum| -sum).collect()
}

/// The sum over all pairs of some documents, and over each with itself, of what they add: a
/// document's weight counts once for each that has no less.
fn sum_of_pairs(all: &[InverseRanks]) -> f64 {
    let side = |run: usize| -> f64 {
        let mut weights: Vec<f64> = all.iter().map(|x| x[run]).collect();
        weights.sort_by(|x, y| y.total_cmp(x));
        (1u32..).zip(weights).map(|(rank, weight)| f64::from(rank) * weight).sum()
    };
    side(0) - side(1)
}

/// The range if the score is proportional to the sum and open documents may be relevant or not.
pub(super) fn range(
    rule: &Precisions<'_>,
    JointTopic { a, b, unjudged }: &JointTopic<'_>,
    tables: &mut Tables,
) -> Option<Range> {
    let inverses = tables.inverses(a.retrieved().max(b.retrieved())).to_vec();
    let weight = |rank: u32| if rank <= rule.k { inverses[rank as usize] } else { 0.0 };
    let open: Vec<InverseRanks> =
        unjudged.iter().map(|d| [d.in_a, d.in_b].map(|rank| rank.map_or(0.0, weight))).collect();
    let mut judged: HashMap<u32, InverseRanks> = HashMap::new();
    for (side, all) in [a, b].into_iter().enumerate() {
        for (hit, _) in all.documents().filter(|(hit, open)| !open && hit.grade >= rule.rel) {
            judged.entry(hit.doc).or_default()[side] = weight(hit.rank);
        }
    }
    let mut judged: Vec<(u32, InverseRanks)> = judged.into_iter().collect();
    judged.sort_unstable_by_key(|(doc, _)| *doc);
    let judged: Vec<InverseRanks> = judged.into_iter().map(|(_, weights)| weights).collect();

    let base = sum_of_pairs(&judged);
    let [above, below] = [sums_above(&open, &open), sums_below(&open, &open)];
    let [gained, lost] = [sums_above(&open, &judged), sums_below(&open, &judged)];
    let mut changes: [Vec<f64>; 2] =
        [Vec::with_capacity(open.len()), Vec::with_capacity(open.len())];
    for (i, x) in open.iter().enumerate() {
        let own = pair(x, x);
        let settled = own + gained[i] + lost[i];
        changes[0].push(settled + (above[i] - own.max(0.0)) / 2.0);
        changes[1].push(settled + (below[i] - own.min(0.0)) / 2.0);
    }
    // Further documents of the collection add nothing.
    changes.iter_mut().for_each(|changes| changes.resize(a.open() as usize, 0.0));
    changes[0].sort_by(|x, y| y.total_cmp(x));
    changes[1].sort_by(f64::total_cmp);
    let sums = [a, b].map(|all| SumEnds::new(rule, all, &inverses));
    let relevant = a.judged_grades().relevant(&rule.rel);
    let factors = tables.factors(rule, relevant + a.open());
    let (mut low, mut high, mut undefined) = (f64::INFINITY, f64::NEG_INFINITY, false);
    let (mut most, mut least) = (base, base);
    for t in 0..=a.open() {
        if t > 0 {
            most += changes[0][t as usize - 1];
            least += changes[1][t as usize - 1];
        }
        let factor = factors(relevant + t);
        if factor.is_nan() {
            undefined = true;
            continue;
        }
        high = high.max(most.min(sums[0].highest(t) - sums[1].lowest(t)) * factor);
        low = low.min(least.max(sums[0].lowest(t) - sums[1].highest(t)) * factor);
    }
    let kind = if a.open() == 0 { RangeKind::Exact } else { RangeKind::Bound };
    Range::of_ends(low, high, kind, undefined)
}

/// The ends of one run's sum for each number of relevant open documents.
struct SumEnds {
    /// With the first and the last so many of the top k.
    ends: [Vec<f64>; 2],
    /// How many are open elsewhere.
    outside: usize,
}

impl SumEnds {
    fn new(rule: &Precisions<'_>, all: &Completion, inverses: &[f64]) -> SumEnds {
        let documents: Vec<(f64, bool)> = all
            .documents()
            .take_while(|(hit, _)| hit.rank <= rule.k)
            .filter(|(hit, open)| *open || hit.grade >= rule.rel)
            .map(|(hit, open)| (inverses[hit.rank as usize], open))
            .collect();
        let mut ends = [Vec::new(), Vec::new()];
        from_top(&documents, |_, sum| ends[0].push(sum));
        from_bottom(&documents, |_, sum| ends[1].push(sum));
        let outside = all.open() as usize + 1 - ends[0].len();
        SumEnds { ends, outside }
    }

    fn highest(&self, t: u32) -> f64 {
        self.ends[0][(t as usize).min(self.ends[0].len() - 1)]
    }

    fn lowest(&self, t: u32) -> f64 {
        self.ends[1][(t as usize).saturating_sub(self.outside)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Resampling;

    #[test]
    fn sums_of_pairs_are_those_pair_by_pair() {
        let mut dice = Resampling::default().stream(5);
        for case in 0..200usize {
            let mut draw = |n: usize| -> Vec<InverseRanks> {
                let mut weight = || match dice.below(1 + case % 9) {
                    0 => 0.0,
                    rank => 1.0 / rank as f64,
                };
                (0..n).map(|_| [weight(), weight()]).collect()
            };
            let (of, all) = (draw(case % 7), draw(case % 11));
            let near = |x: f64, y: f64| assert!((x - y).abs() < 1e-12, "{x} {y}: {of:?} {all:?}");
            let [above, below] = [sums_above(&of, &all), sums_below(&of, &all)];
            for (i, x) in of.iter().enumerate() {
                near(above[i], all.iter().map(|y| pair(x, y).max(0.0)).sum());
                near(below[i], all.iter().map(|y| pair(x, y).min(0.0)).sum());
            }
            let each = (0..all.len()).flat_map(|i| (0..=i).map(move |j| (i, j)));
            near(sum_of_pairs(&all), each.map(|(i, j)| pair(&all[i], &all[j])).sum());
        }
    }
}
