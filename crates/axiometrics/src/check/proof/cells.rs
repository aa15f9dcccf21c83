//! That a gain more never lowers what a user finds per document read, shown cell by cell.
//!
//! A user who goes on with C(i, G) at rank i, by the gain G down to there, and no further than a last
//! rank, reads S(i, G) documents from rank i on if nothing more is gained: S(i) = 1 + C(i) S(i+1). A
//! gain at rank i adds itself to the upper sum N and, by the slope of S, to the lower sum D. So the
//! score does not fall if N times that slope is at most D, whatever was gained before.
//!
//! N is at most D, and at most G. Where neither settles it, the largest that N times the slope less D
//! can be is found backwards from rank i over all totals, with the upper or the lower end of C in each
//! cell of totals. All numbers are intervals, rounded outwards.

use super::Proof;
use super::reader::derivative;
use crate::check::prover::mentions;
use crate::expression::syntax::{Expr, Node, Op};

/// The width of a cell of totals, up to a total from which on cells grow.
const WIDTH: f64 = 0.05;
const FINE: usize = 80;
const GROWTH: f64 = 1.25;
/// Cells are cut into so many pieces at the first ranks, where the slope is steep.
const PIECES: u32 = 8;
const STEEP: u32 = 64;
/// The deepest last rank, and the work, that are tried.
const DEEPEST: u32 = 5000;
const MOST: usize = 20_000_000;
/// What is left over must be more than any rounding.
const MARGIN: f64 = 1e-6;

/// The proof for a user who reads on by this expression of i and G, and stops at the last rank.
pub(super) fn monotonic(c: &Node, last: u32) -> Option<Proof> {
    let plain = !["g", "k"].iter().any(|name| mentions(c, name));
    (plain && last <= DEEPEST).then_some(())?;
    let table = CellTable::new(c, last)?;
    table.every_gain_pays().then(|| Proof {
        rule: "a gain more is worth at least what it makes the user read on: in every cell of ranks and totals, by intervals".to_string(),
        claims: Vec::new(),
    })
}

/// An interval.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Enclosure {
    low: f64,
    high: f64,
}

impl Enclosure {
    fn point(x: f64) -> Enclosure {
        Enclosure { low: x, high: x }
    }

    /// Wider by more than functions of floats are wrong by.
    fn outwards(low: f64, high: f64) -> Enclosure {
        let wider = |x: f64| x.abs() * 1e-15 + f64::MIN_POSITIVE;
        Enclosure { low: low - wider(low), high: high + wider(high) }
    }

    /// The values of a function at both ends; once if these are one.
    fn at_ends<T: Copy>(self, f: impl Fn(f64) -> T) -> [T; 2] {
        let low = f(self.low);
        [low, if self.high == self.low { low } else { f(self.high) }]
    }

    fn hull(all: impl IntoIterator<Item = f64>) -> Enclosure {
        let ends = all
            .into_iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        Enclosure::outwards(ends.0, ends.1)
    }

    fn with(self, other: Enclosure) -> Enclosure {
        Enclosure { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn plus(self, other: Enclosure) -> Enclosure {
        Enclosure::outwards(self.low + other.low, self.high + other.high)
    }

    fn minus(self, other: Enclosure) -> Enclosure {
        Enclosure::outwards(self.low - other.high, self.high - other.low)
    }

    fn times(self, other: Enclosure) -> Enclosure {
        let [a, b, c, d] = [self.low, self.high, other.low, other.high];
        Enclosure::hull([a * c, a * d, b * c, b * d])
    }

    fn over(self, other: Enclosure) -> Option<Enclosure> {
        let [a, b, c, d] = [self.low, self.high, other.low, other.high];
        (c > 0.0 || d < 0.0).then(|| Enclosure::hull([a / c, a / d, b / c, b / d]))
    }

    fn to_the(self, exponent: Enclosure) -> Option<Enclosure> {
        // A power of a positive base has its extremes at the corners.
        let corners = || self.at_ends(|base| exponent.at_ends(|x| base.powf(x)));
        (self.low > 0.0).then(|| Enclosure::hull(corners().into_iter().flatten()))
    }
}

/// Expressions of a rank and a total as steps. What occurs several times is one step: a derivative
/// repeats much of what it is the derivative of.
struct ArithmeticSteps {
    steps: Vec<ArithmeticStep>,
    /// The steps that are the expressions.
    ends: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum ArithmeticStep {
    Number(f64),
    Rank,
    Total,
    Negative(usize),
    Ln(usize),
    Binary(Op, usize, usize),
}

impl ArithmeticSteps {
    fn of(expressions: &[&Node]) -> Option<ArithmeticSteps> {
        let mut all = ArithmeticSteps { steps: Vec::new(), ends: Vec::new() };
        for expression in expressions {
            let end = all.add(expression)?;
            all.ends.push(end);
        }
        Some(all)
    }

    fn add(&mut self, node: &Node) -> Option<usize> {
        let step = match &node.expr {
            Expr::Number(x) => ArithmeticStep::Number(*x),
            Expr::Name(name) if name == "i" => ArithmeticStep::Rank,
            Expr::Name(name) if name == "G" => ArithmeticStep::Total,
            Expr::Negative(a) => ArithmeticStep::Negative(self.add(a)?),
            Expr::Call(name, arguments) if name == "ln" => {
                ArithmeticStep::Ln(self.add(arguments.first()?)?)
            }
            Expr::Binary(op, a, b) => ArithmeticStep::Binary(*op, self.add(a)?, self.add(b)?),
            _ => return None,
        };
        let known = self.steps.iter().position(|other| *other == step);
        Some(known.unwrap_or_else(|| {
            self.steps.push(step);
            self.steps.len() - 1
        }))
    }

    /// The values of the expressions at a rank, for all totals of a cell.
    fn at(&self, rank: f64, total: Enclosure, values: &mut Vec<Enclosure>) -> Option<()> {
        values.clear();
        for step in &self.steps {
            let found = match *step {
                ArithmeticStep::Number(x) => Enclosure::point(x),
                ArithmeticStep::Rank => Enclosure::point(rank),
                ArithmeticStep::Total => total,
                ArithmeticStep::Negative(a) => {
                    Enclosure { low: -values[a].high, high: -values[a].low }
                }
                ArithmeticStep::Ln(a) => {
                    let a = values[a];
                    (a.low > 0.0).then(|| Enclosure::hull(a.at_ends(f64::ln)))?
                }
                ArithmeticStep::Binary(op, a, b) => {
                    let (a, b) = (values[a], values[b]);
                    match op {
                        Op::Add => a.plus(b),
                        Op::Subtract => a.minus(b),
                        Op::Multiply => a.times(b),
                        Op::Divide => a.over(b)?,
                        Op::Power => a.to_the(b)?,
                        _ => return None,
                    }
                }
            };
            (found.low.is_finite() && found.high.is_finite()).then_some(())?;
            values.push(found);
        }
        Some(())
    }

    /// The same, piece by piece: intervals that are narrow tell more.
    fn in_pieces<const N: usize>(
        &self,
        rank: f64,
        total: Enclosure,
        pieces: u32,
    ) -> Option<[Enclosure; N]> {
        let width = (total.high - total.low) / f64::from(pieces);
        let edge = |n: u32| total.low + width * f64::from(n);
        let mut values = Vec::with_capacity(self.steps.len());
        let mut found: Option<[Enclosure; N]> = None;
        for n in 0..pieces {
            self.at(rank, Enclosure::outwards(edge(n).max(0.0), edge(n + 1)), &mut values)?;
            let here: [Enclosure; N] = std::array::from_fn(|e| values[self.ends[e]]);
            found = Some(match found {
                Some(known) => std::array::from_fn(|e| known[e].with(here[e])),
                None => here,
            });
        }
        found
    }
}

/// What is known at each rank, by cells of totals.
struct CellTable {
    totals: Vec<Enclosure>,
    /// From rank 1 on.
    ranks: Vec<Vec<KnownCell>>,
}

/// Of one rank and one cell of totals.
#[derive(Clone, Copy)]
struct KnownCell {
    /// C.
    on: Enclosure,
    /// S, at least.
    read: f64,
    /// The slope of S by the total, at most.
    slope: f64,
}

impl CellTable {
    fn new(c: &Node, last: u32) -> Option<CellTable> {
        let steps = ArithmeticSteps::of(&[c, &derivative(c, "G")?])?;
        let mut edges: Vec<f64> = (0..=FINE).map(|n| n as f64 * WIDTH).collect();
        // No total is above the number of ranks.
        while edges[edges.len() - 1] < f64::from(last) {
            edges.push(edges[edges.len() - 1] * GROWTH);
        }
        let totals: Vec<Enclosure> =
            edges.windows(2).map(|w| Enclosure { low: w[0], high: w[1] }).collect();
        let mut read = vec![Enclosure::point(1.0); totals.len()];
        let mut slope = vec![Enclosure::point(0.0); totals.len()];
        let mut ranks = Vec::new();
        for rank in (1..last).rev() {
            let pieces = if rank < STEEP { PIECES } else { 1 };
            let mut row = Vec::with_capacity(totals.len());
            for (at, total) in totals.iter().enumerate() {
                let [on, change] = steps.in_pieces(f64::from(rank), *total, pieces)?;
                // C is a probability.
                (on.low > -MARGIN && on.high < 1.0 + MARGIN).then_some(())?;
                let on = Enclosure { low: on.low.max(0.0), high: on.high.min(1.0) };
                slope[at] = change.times(read[at]).plus(on.times(slope[at]));
                read[at] = Enclosure::point(1.0).plus(on.times(read[at]));
                row.push(KnownCell { on, read: read[at].low, slope: slope[at].high });
            }
            ranks.push(row);
        }
        ranks.reverse();
        Some(CellTable { totals, ranks })
    }

    fn every_gain_pays(&self) -> bool {
        let mut work = 0;
        self.ranks.iter().enumerate().all(|(before, row)| {
            row.iter().enumerate().all(|(at, known)| {
                let (total, rank) = (self.totals[at], before as f64 + 1.0);
                let settled = total.low >= rank
                    || known.slope <= 1.0 - MARGIN
                    || known.slope * total.high.min(rank) <= 1.0 - MARGIN;
                work += if settled { 0 } else { (before + 1) * (at + 1).pow(2) / 2 };
                settled || work <= MOST && self.most(before, at) < -MARGIN
            })
        })
    }

    /// The largest that N times the slope less D can be, of all ways to gather a total of a cell down
    /// to rank `before` + 1.
    fn most(&self, before: usize, at: usize) -> f64 {
        let KnownCell { slope, read, .. } = self.ranks[before][at];
        // The most that a step from one cell to another can gain; `None` if it is more than one.
        let step = |from: usize, to: usize| {
            let (from, to) = (self.totals[from], self.totals[to]);
            (to.low - from.high < 1.0).then(|| (to.high - from.low).min(1.0))
        };
        let worth = |gain: f64| slope * gain - 1.0;
        // By the cell of the total that was gathered above.
        let mut value: Vec<f64> = (0..=at)
            .map(|from| step(from, at).map_or(f64::NEG_INFINITY, |gain| worth(gain) - (read - 1.0)))
            .collect();
        for row in self.ranks[..before].iter().rev() {
            let next: Vec<f64> = value
                .iter()
                .zip(row)
                .map(|(x, known)| x * if *x > 0.0 { known.on.high } else { known.on.low })
                .map(|x| if x.is_nan() { f64::NEG_INFINITY } else { x })
                .collect();
            let best = |from: usize| {
                let reached = (from..=at).filter_map(|to| Some(worth(step(from, to)?) + next[to]));
                reached.fold(f64::NEG_INFINITY, f64::max)
            };
            value = (0..=at).map(best).collect();
        }
        value[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::proof::tree;

    fn proved(c: &str, last: u32) -> bool {
        monotonic(&tree(c).unwrap(), last).is_some()
    }

    #[test]
    fn a_gain_that_pays_and_one_that_does_not() {
        let goal = "(1 - 1 / (1 + 0.9 * 2.718281828459045^((2 - G) * 10)))";
        let rate =
            |steep: u32| format!("1 / (1 + 0.9 * 2.718281828459045^((0.2 - G / i) * {steep}))");
        assert!(proved(&format!("{goal} * {}", rate(10)), 1000));
        // One more quarter after a top document lowers the score here: .18095 and .17858.
        assert!(!proved(&rate(1000), 1000));
        // .40 and then .01 score less than .40 alone.
        assert!(!proved(&format!("{goal} * {}", rate(100)), 1000));
        // Not a probability.
        assert!(!proved("2 - G / i", 10));
    }

    #[test]
    fn intervals_hold_what_they_are_of() {
        let node = tree("(G - 1)^2 / (i + G) - ln(2) * 3^(0 - G)").unwrap();
        let total = Enclosure { low: 1.25, high: 1.75 };
        let [found] = ArithmeticSteps::of(&[&node]).unwrap().in_pieces(3.0, total, 4).unwrap();
        for n in 0..=50 {
            let g = 1.25 + f64::from(n) / 100.0;
            let value = (g - 1.0).powi(2) / (3.0 + g) - 2f64.ln() * 3f64.powf(-g);
            assert!(found.low <= value && value <= found.high, "{g}: {value} {found:?}");
        }
    }
}
