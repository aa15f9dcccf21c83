//! The user behind a measure, as a probability of reading on (the C/W/L framework of Moffat, Thomas
//! and Scholer).
//!
//! C(i) is the probability of reading on after rank i, V(i) = C(1) ... C(i-1) that of reading rank
//! i at all. The sum of V is how many documents are read, W(i) = V(i) / sum of V the share of
//! attention that rank i gets, and L(i) = V(i) - V(i+1) = (W(i) - W(i+1)) / W(1) the probability
//! that it is the last.

use super::structure::{Combine, Divisor, Shape, Weights};
use crate::data::Judged;

/// The user whom a measure models.
pub struct User<'a> {
    /// C(i), as a formula of the rank i, the gain g there, and the gain G of all documents down to
    /// it.
    pub continuation: String,
    /// W(i), if it is a formula of its own.
    pub weight: Option<String>,
    /// C depends on what is found.
    pub adaptive: bool,
    /// What reading one document costs.
    pub cost: f64,
    /// The walk down a ranking, seen as far as a rank.
    pub(super) walk: Box<WalkOf<'a>>,
}

type WalkOf<'a> = dyn Fn(&Judged<'_>, u32) -> Option<Walk> + Send + Sync + 'a;

/// What a user does on one ranking.
#[derive(Debug, Clone)]
pub struct Walk {
    /// V from rank 1 on, and at one rank more than there are gains.
    reach: Vec<f64>,
    /// What the document at each rank is worth.
    gains: Vec<f64>,
    /// The sum of V over all ranks, those not seen here included.
    pub documents: f64,
}

impl Walk {
    pub(super) fn new(reach: Vec<f64>, gains: Vec<f64>, documents: f64) -> Walk {
        Walk { reach, gains, documents }
    }

    /// The walk with these gains by a user of whom V is known.
    fn by_reach(gains: Vec<f64>, documents: f64, reach: impl Fn(u32) -> f64) -> Walk {
        Walk { reach: (1..=gains.len() as u32 + 1).map(reach).collect(), gains, documents }
    }

    /// The walk of a user who reads down to one rank at most, of whom C is known.
    pub(super) fn by_continuation(
        gains: Vec<f64>,
        end: u32,
        continuation: impl Fn(u32, f64) -> f64,
    ) -> Walk {
        let mut reach = vec![1.0];
        for (rank, gain) in (1..).zip(&gains) {
            let here = reach[reach.len() - 1];
            reach.push(if rank < end { here * continuation(rank, *gain) } else { 0.0 });
        }
        let documents = reach[..gains.len()].iter().sum();
        Walk { reach, gains, documents }
    }

    fn reach(&self, rank: u32) -> f64 {
        rank.checked_sub(1).and_then(|at| self.reach.get(at as usize)).copied().unwrap_or(0.0)
    }

    /// What the document at a rank is worth.
    pub fn gain(&self, rank: u32) -> f64 {
        rank.checked_sub(1).and_then(|at| self.gains.get(at as usize)).copied().unwrap_or(0.0)
    }

    /// C(i): the probability of reading on after this rank, 0 if it is never read.
    pub fn continuation(&self, rank: u32) -> f64 {
        let here = self.reach(rank);
        if here > 0.0 { self.reach(rank + 1) / here } else { 0.0 }
    }

    /// W(i): the share of attention.
    pub fn weight(&self, rank: u32) -> f64 {
        self.reach(rank) / self.documents
    }

    /// L(i): the probability that this is the last rank read.
    pub fn last(&self, rank: u32) -> f64 {
        self.reach(rank) - self.reach(rank + 1)
    }

    /// The expected gain in all.
    pub fn total_utility(&self) -> f64 {
        self.reach.iter().zip(&self.gains).map(|(reach, gain)| reach * gain).sum()
    }

    /// The expected gain per document read.
    pub fn utility(&self) -> f64 {
        self.total_utility() / self.documents
    }
}

/// What the documents of a ranking are worth, down to a rank.
pub(super) fn gains(topic: &Judged<'_>, ranks: u32, k: u32, gain: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut all = vec![0.0; ranks as usize];
    for hit in topic.top(ranks.min(k)).filter(|hit| hit.grade >= 0.0) {
        all[hit.rank as usize - 1] = gain(hit.grade);
    }
    all
}

impl User<'_> {
    /// The walk down a ranking, seen as far as a rank; `None` where nobody walks it.
    pub fn walk(&self, topic: &Judged<'_>, ranks: u32) -> Option<Walk> {
        (self.walk)(topic, ranks)
    }

    /// The user of a measure that is a weighted sum of gains: its weights are V. A cutoff ends the
    /// reading, but for a divisor that does not know of it.
    pub(super) fn of_shape(shape: Shape, k: Option<u32>) -> Option<User<'static>> {
        let Shape { combine, weights, gain, divisor } = shape;
        let end = match divisor {
            Divisor::Endless => None,
            Divisor::None | Divisor::Cutoff | Divisor::Ideal => Some(k?),
            Divisor::Whole | Divisor::Own | Divisor::Gains => return None,
        };
        if combine != Combine::Sum {
            return None;
        }
        let documents = match end {
            None => weights.tail(0)?,
            Some(k) => weights.sum(k, |rank| weights.at(rank)),
        };
        let reach =
            move |rank: u32| if end.is_some_and(|k| rank > k) { 0.0 } else { weights.at(rank) };
        let walk = move |topic: &Judged<'_>, ranks: u32| {
            // Divided by the weights of all ranks, a measure is divided by the highest gain too.
            let top = gain.of(*topic.max_grade, *topic.max_grade);
            let unit = if matches!(divisor, Divisor::Endless | Divisor::Cutoff) && top > 0.0 {
                top
            } else {
                1.0
            };
            let gains = gains(topic, ranks, k.unwrap_or(u32::MAX), |grade| {
                gain.of(grade, *topic.max_grade) / unit
            });
            Some(Walk::by_reach(gains, documents, reach))
        };
        let (continuation, weight) = formulas(weights, documents);
        Some(User {
            continuation: down_to(end, continuation),
            weight,
            adaptive: false,
            cost: 1.0,
            walk: Box::new(walk),
        })
    }
}

/// C and W of a family of weights.
fn formulas(weights: Weights, documents: f64) -> (String, Option<String>) {
    let (c, v) = match weights {
        Weights::Constant => ("1".to_string(), "1".to_string()),
        Weights::Reciprocal => ("i / (i + 1)".to_string(), "1 / i".to_string()),
        Weights::Logarithmic => {
            ("log2(i + 1) / log2(i + 2)".to_string(), "1 / log2(i + 1)".to_string())
        }
        Weights::LogarithmicFrom(b) => (
            format!("if(i < {b}, 1, log2(i) / log2(i + 1))"),
            format!("if(i < {b}, 1, log2({b}) / log2(i))"),
        ),
        Weights::Geometric(p) => (p.to_string(), format!("{p}^(i - 1)")),
        Weights::InverseSquare(s) => {
            (format!("((i - 1 + {s}) / (i + {s}))^2"), format!("({s} / (i - 1 + {s}))^2"))
        }
    };
    (c, Some(format!("{v} / {documents:.6}")))
}

/// The continuation of a user who reads down to a rank at most.
pub(super) fn down_to(end: Option<u32>, continuation: String) -> String {
    match end {
        None => continuation,
        Some(end) if continuation == "1" => format!("i < {end}"),
        Some(end) => format!("if(i < {end}, {continuation}, 0)"),
    }
}
