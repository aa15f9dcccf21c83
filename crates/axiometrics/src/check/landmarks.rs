//! Where a metric may change its ways: the numbers that it speaks of.
//!
//! A search over a fixed list of gains and small collections never meets what happens at grade 7 or
//! at rank 1000. A metric's parameters, and the constants of its formula, say where to look.

use super::states::{Probe, clearly};
use crate::component::Component;
use crate::measure::Metric;
use crate::measure::params::Value;

/// The numbers of a metric.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Landmarks {
    /// Grades that it may treat apart, ascending.
    pub grades: Vec<f64>,
    /// Ranks, or numbers of documents, that it may treat apart, ascending.
    pub sizes: Vec<u32>,
    /// The gains that it declares to be written over, if it does.
    pub declared: Vec<f64>,
    /// The longest rankings that are searched.
    pub reach: u32,
    /// The longest ranking of which a score can be had at all.
    pub affordable: u32,
    /// How deep its quantifiers are nested, if it is a file: what a score costs.
    nesting: u32,
}

/// Grades above this are not tried.
const HIGHEST: f64 = 1000.0;
/// So many of each kind are tried.
const MOST: usize = 6;
/// The longest rankings that are tried.
pub(super) const REACH: u32 = 1100;
/// The same for metrics whose cost grows faster than the ranking.
const COSTLY_REACH: u32 = 64;
/// What one score may cost, in steps.
const STEPS: f64 = 1e5;
/// The same for one of the many scores of small contexts.
const STEPS_OF_CONTEXT: f64 = 4e3;
/// Down to this rank a single relevant document stands at every rank, then at one of some thirty.
const EVERY_RANK: u32 = 64;

impl Landmarks {
    /// The same, where rankings are not searched beyond a length.
    pub(super) fn within(self, reach: Option<u32>) -> Landmarks {
        Landmarks { reach: self.reach.min(reach.unwrap_or(u32::MAX)), ..self }
    }

    pub(super) fn of(metric: &Metric) -> Landmarks {
        let args = metric.args();
        let mut numbers: Vec<f64> = Vec::new();
        let mut grades: Vec<f64> = Vec::new();
        for value in args.effective().into_iter().flatten() {
            match value {
                Value::Number(x) => numbers.push(x),
                Value::Gains(gains) => grades.extend(gains.iter().map(|(grade, _)| *grade)),
                Value::Text(_) | Value::Flag(_) => {}
            }
        }
        numbers.extend(args.cutoff().map(f64::from));
        let (mut affordable, mut nesting) = (u32::MAX, 1);
        let mut declared = Vec::new();
        if let Some(component) = Component::of(metric) {
            numbers.extend(component.numbers());
            declared = component.gains().to_vec();
            nesting = component.nesting().max(1);
            affordable = longest(STEPS, nesting);
        }
        // A measure that looks at every judged document may look at every pair of them, and one of
        // diversity looks for the best order of them.
        // (What a formula from a file costs is known by its nesting.)
        let judged = metric.needs().judged && Component::of(metric).is_none();
        let costly = judged || super::diversity::is_of_diversity(metric);
        let reach = affordable.min(if costly { COSTLY_REACH } else { REACH });
        grades.extend(numbers.iter().copied().filter(|x| *x >= 1.0));
        let sizes = numbers
            .iter()
            .filter(|x| **x >= 2.0 && **x <= f64::from(reach))
            .map(|x| x.ceil() as u32)
            .collect();
        Landmarks {
            grades: few(grades.into_iter().filter(|g| *g > 0.0 && *g <= HIGHEST).collect()),
            sizes: few(sizes),
            declared,
            reach,
            affordable,
            nesting,
        }
    }

    /// The longest ranking of which thousands of scores can be had.
    pub(super) fn context(&self) -> usize {
        self.reach.min(longest(STEPS_OF_CONTEXT, self.nesting)) as usize
    }

    /// Adds the ranks at which a metric changes its ways without saying so: where a single relevant
    /// document becomes worth more than one rank higher, or nothing.
    pub(super) fn with_turns(mut self, probe: &Probe, top: f64) -> Landmarks {
        let n = self.reach;
        let mut ranking = vec![0.0; n as usize];
        let nothing = probe.score(&ranking, n, top);
        let mut worth = |rank: u32| {
            ranking[rank as usize - 1] = top;
            let score = probe.score(&ranking, n, top);
            ranking[rank as usize - 1] = 0.0;
            score
        };
        let next = |rank: &u32| Some(rank + 1 + rank.saturating_sub(EVERY_RANK) / 30);
        let ranks: Vec<u32> =
            std::iter::successors(Some(1), next).take_while(|r| *r <= n).collect();
        let worths: Vec<Option<f64>> = ranks.iter().map(|rank| worth(*rank)).collect();
        let rises = |a: Option<f64>, b: Option<f64>| {
            a.zip(b).is_some_and(|(a, b)| clearly(a, b).is_some_and(|order| order.is_lt()))
        };
        if let Some(i) = (1..ranks.len()).find(|i| rises(worths[i - 1], worths[*i])) {
            let (mut low, mut high) = (ranks[i - 1], ranks[i]);
            let mut below = worths[i - 1];
            while high - low > 1 {
                let middle = low.midpoint(high);
                match worth(middle) {
                    score if rises(below, score) => high = middle,
                    score => (low, below) = (middle, score),
                }
            }
            self.sizes.push(high);
        }
        // What fades away is never worth nothing; what ends was worth something just before.
        let useless = |worth: Option<f64>| nothing.zip(worth).is_some_and(|(a, b)| a >= b);
        let ends = |i: &usize| rises(nothing, worths[i - 1]) && useless(worths[*i]);
        self.sizes.extend((1..ranks.len()).find(ends).map(|i| ranks[i]));
        self.sizes.sort_unstable();
        self.sizes.dedup();
        self
    }
}

/// The longest ranking whose score takes no more than so many steps.
fn longest(steps: f64, nesting: u32) -> u32 {
    // (Roots are rounded.)
    (steps.powf(1.0 / f64::from(nesting)) + 1e-6) as u32
}

/// A few different ones, ascending.
fn few<T: PartialOrd + Copy>(mut all: Vec<T>) -> Vec<T> {
    all.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    all.dedup_by(|a, b| a == b);
    all.truncate(MOST);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_constants_are_landmarks() {
        let of = |name: &str| Landmarks::of(&name.parse().unwrap());
        assert!([3.0, 7.0].iter().all(|g| of("nDCG(gains={3:0,7:2})").grades.contains(g)));
        assert_eq!(of("P@10").sizes, [10]);
        let text = "score = \"sum(d in D : if(gain(d) == 4, 0, gain(d)) / pos(d)) - R / 300\"";
        let file = Component::parse("x.toml", text).unwrap();
        let own = Landmarks::of(&Metric::own(file).unwrap());
        assert!(own.grades.contains(&4.0) && own.grades.contains(&300.0), "{own:?}");
        assert_eq!(own.sizes, [4, 300]);
    }

    #[test]
    fn ranks_at_which_weights_rise_or_end_are_landmarks_too() {
        let of = |score: &str| {
            let file = Component::parse("x.toml", &format!("score = \"{score}\"")).unwrap();
            let metric = Metric::own(file).unwrap();
            Landmarks::of(&metric).with_turns(&Probe::new(&metric).unwrap(), 1.0).sizes
        };
        // The divisor has its least value between 43 and 44, and its largest one between 22 and 23.
        let bent = "sum(d in D : gain(d) / (1 + 0.001 * pos(d)^3 - 0.1 * pos(d)^2 + 3 * pos(d)))";
        assert!(of(bent).contains(&24), "{:?}", of(bent));
        let ends = "sum(d in D : gain(d) * max(0, 1 - pos(d)^2 / 90000))";
        assert!(of(ends).iter().any(|n| (300..310).contains(n)), "{:?}", of(ends));
        assert_eq!(of("sum(d in D : gain(d) * 0.5^pos(d))"), [] as [u32; 0]);
    }
}
