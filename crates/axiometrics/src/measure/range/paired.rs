//! Bounds for the difference of two sums of precisions, over what both runs share.
//!
//! A sum of precisions counts each relevant document and each pair of them, by one over the lower
//! of their ranks. The difference of two runs does the same by what the one weight exceeds the
//! other. Of t relevant open documents, none adds more than its own weight, its pairs with judged
//! documents, and half of its pairs with all open ones that add at all; no t of them add more than
//! the t that add most in this way. Besides, each run's own sum for t documents has its ends.

use std::collections::HashMap;

use super::precisions::{Tables, from_bottom, from_top};
use super::{Completion, Joint, Kind, Precisions, Range};

/// A document by one over its rank in each run, 0 where it is not in the top k.
type Weights = [f64; 2];

/// What the pair of two documents, or one with itself, adds to the first run's sum less the
/// second's.
fn pair(x: &Weights, y: &Weights) -> f64 {
    x[0].min(y[0]) - x[1].min(y[1])
}

/// The sum over documents of what their pair with one adds, where that is above 0 and where it is
/// below. In four lanes, as this is the square of the open documents.
fn pairs(x: &Weights, all: &[Weights]) -> [f64; 2] {
    let (mut above, mut below) = ([0.0; 4], [0.0; 4]);
    for chunk in all.chunks(4) {
        for (lane, y) in chunk.iter().enumerate() {
            let pair = pair(x, y);
            above[lane] += pair.max(0.0);
            below[lane] += pair.min(0.0);
        }
    }
    [above, below].map(|lanes| lanes.iter().sum())
}

/// The range where the score is proportional to the sum and open documents may be relevant or not.
pub(super) fn range(
    rule: &Precisions<'_>,
    Joint { a, b, unjudged }: &Joint<'_>,
    tables: &mut Tables,
) -> Option<Range> {
    let inverses = tables.inverses(a.retrieved().max(b.retrieved())).to_vec();
    let weight = |rank: u32| if rank <= rule.k { inverses[rank as usize] } else { 0.0 };
    let open: Vec<Weights> =
        unjudged.iter().map(|d| [d.in_a, d.in_b].map(|rank| rank.map_or(0.0, weight))).collect();
    let mut judged: HashMap<u32, Weights> = HashMap::new();
    for (side, all) in [a, b].into_iter().enumerate() {
        for (hit, _) in all.documents().filter(|(hit, open)| !open && hit.grade >= rule.rel) {
            judged.entry(hit.doc).or_default()[side] = weight(hit.rank);
        }
    }
    let mut judged: Vec<(u32, Weights)> = judged.into_iter().collect();
    judged.sort_unstable_by_key(|(doc, _)| *doc);
    let judged: Vec<Weights> = judged.into_iter().map(|(_, weights)| weights).collect();

    let base: f64 = judged
        .iter()
        .enumerate()
        .flat_map(|(i, x)| judged[..=i].iter().map(move |y| pair(x, y)))
        .sum();
    let mut changes: [Vec<f64>; 2] =
        [Vec::with_capacity(open.len()), Vec::with_capacity(open.len())];
    for x in &open {
        let own = pair(x, x);
        let settled = own + pairs(x, &judged).iter().sum::<f64>();
        let [above, below] = pairs(x, &open);
        changes[0].push(settled + (above - own.max(0.0)) / 2.0);
        changes[1].push(settled + (below - own.min(0.0)) / 2.0);
    }
    // Further documents of the collection add nothing.
    changes.iter_mut().for_each(|changes| changes.resize(a.open() as usize, 0.0));
    changes[0].sort_by(|x, y| y.total_cmp(x));
    changes[1].sort_by(f64::total_cmp);
    let sums = [a, b].map(|all| Sums::new(rule, all, &inverses));
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
    let kind = if a.open() == 0 { Kind::Exact } else { Kind::Bound };
    (low <= high).then_some(Range { low, high, tail: 0.0, kind, undefined })
}

/// The ends of one run's sum for each number of relevant open documents.
struct Sums {
    /// With the first and the last so many of the top k.
    ends: [Vec<f64>; 2],
    /// How many are open elsewhere.
    outside: usize,
}

impl Sums {
    fn new(rule: &Precisions<'_>, all: &Completion, inverses: &[f64]) -> Sums {
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
        Sums { ends, outside }
    }

    fn highest(&self, t: u32) -> f64 {
        self.ends[0][(t as usize).min(self.ends[0].len() - 1)]
    }

    fn lowest(&self, t: u32) -> f64 {
        self.ends[1][(t as usize).saturating_sub(self.outside)]
    }
}
