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
    let table = Table::new(c, last)?;
    table.every_gain_pays().then(|| Proof {
        rule: "a gain more is worth at least what it makes the user read on: in every cell of ranks and totals, by intervals".to_string(),
        claims: Vec::new(),
    })
}

/// An interval.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cell {
    low: f64,
    high: f64,
}

impl Cell {
    fn point(x: f64) -> Cell {
        Cell { low: x, high: x }
    }

    /// Wider by more than functions of floats are wrong by.
    fn outwards(low: f64, high: f64) -> Cell {
        let wider = |x: f64| x.abs() * 1e-15 + f64::MIN_POSITIVE;
        Cell { low: low - wider(low), high: high + wider(high) }
    }

    fn hull(all: impl IntoIterator<Item = f64>) -> Cell {
        let ends = all
            .into_iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        Cell::outwards(ends.0, ends.1)
    }

    fn with(self, other: Cell) -> Cell {
        Cell { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    fn plus(self, other: Cell) -> Cell {
        Cell::outwards(self.low + other.low, self.high + other.high)
    }

    fn minus(self, other: Cell) -> Cell {
        Cell::outwards(self.low - other.high, self.high - other.low)
    }

    fn times(self, other: Cell) -> Cell {
        let [a, b, c, d] = [self.low, self.high, other.low, other.high];
        Cell::hull([a * c, a * d, b * c, b * d])
    }

    fn over(self, other: Cell) -> Option<Cell> {
        let [a, b, c, d] = [self.low, self.high, other.low, other.high];
        (c > 0.0 || d < 0.0).then(|| Cell::hull([a / c, a / d, b / c, b / d]))
    }

    /// The value of an expression at a rank, for all totals of a cell.
    fn of(node: &Node, rank: f64, total: Cell) -> Option<Cell> {
        let of = |node: &Node| Cell::of(node, rank, total);
        let found = match &node.expr {
            Expr::Number(x) => Cell::point(*x),
            Expr::Name(name) if name == "i" => Cell::point(rank),
            Expr::Name(name) if name == "G" => total,
            Expr::Negative(a) => {
                let a = of(a)?;
                Cell { low: -a.high, high: -a.low }
            }
            Expr::Call(name, arguments) if name == "ln" => {
                let a = of(arguments.first()?)?;
                (a.low > 0.0).then(|| Cell::outwards(a.low.ln(), a.high.ln()))?
            }
            Expr::Binary(Op::Add, a, b) => of(a)?.plus(of(b)?),
            Expr::Binary(Op::Subtract, a, b) => of(a)?.minus(of(b)?),
            Expr::Binary(Op::Multiply, a, b) => of(a)?.times(of(b)?),
            Expr::Binary(Op::Divide, a, b) => of(a)?.over(of(b)?)?,
            Expr::Binary(Op::Power, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                // A power of a positive base has its extremes at the corners.
                (a.low > 0.0).then(|| {
                    let [p, q, r, s] = [a.low, a.high, b.low, b.high];
                    Cell::hull([p.powf(r), p.powf(s), q.powf(r), q.powf(s)])
                })?
            }
            _ => return None,
        };
        (found.low.is_finite() && found.high.is_finite()).then_some(found)
    }

    /// The same, piece by piece: intervals that are narrow tell more.
    fn of_pieces(node: &Node, rank: f64, total: Cell, pieces: u32) -> Option<Cell> {
        let step = (total.high - total.low) / f64::from(pieces);
        let at = |n: u32| total.low + step * f64::from(n);
        let part = |n: u32| Cell::outwards(at(n).max(0.0), at(n + 1));
        let all = (0..pieces).map(|n| Cell::of(node, rank, part(n)));
        all.collect::<Option<Vec<Cell>>>()?.into_iter().reduce(Cell::with)
    }
}

/// What is known at each rank, by cells of totals.
struct Table {
    totals: Vec<Cell>,
    /// From rank 1 on.
    ranks: Vec<Vec<Known>>,
}

/// Of one rank and one cell of totals.
#[derive(Clone, Copy)]
struct Known {
    /// C.
    on: Cell,
    /// S, at least.
    read: f64,
    /// The slope of S by the total, at most.
    slope: f64,
}

impl Table {
    fn new(c: &Node, last: u32) -> Option<Table> {
        let by_gain = derivative(c, "G")?;
        let mut edges: Vec<f64> = (0..=FINE).map(|n| n as f64 * WIDTH).collect();
        // No total is above the number of ranks.
        while edges[edges.len() - 1] < f64::from(last) {
            edges.push(edges[edges.len() - 1] * GROWTH);
        }
        let totals: Vec<Cell> = edges.windows(2).map(|w| Cell { low: w[0], high: w[1] }).collect();
        let mut read = vec![Cell::point(1.0); totals.len()];
        let mut slope = vec![Cell::point(0.0); totals.len()];
        let mut ranks = Vec::new();
        for rank in (1..last).rev() {
            let pieces = if rank < STEEP { PIECES } else { 1 };
            let mut row = Vec::with_capacity(totals.len());
            for (at, total) in totals.iter().enumerate() {
                let on = Cell::of_pieces(c, f64::from(rank), *total, pieces)?;
                let change = Cell::of_pieces(&by_gain, f64::from(rank), *total, pieces)?;
                // C is a probability.
                (on.low > -MARGIN && on.high < 1.0 + MARGIN).then_some(())?;
                let on = Cell { low: on.low.max(0.0), high: on.high.min(1.0) };
                slope[at] = change.times(read[at]).plus(on.times(slope[at]));
                read[at] = Cell::point(1.0).plus(on.times(read[at]));
                row.push(Known { on, read: read[at].low, slope: slope[at].high });
            }
            ranks.push(row);
        }
        ranks.reverse();
        Some(Table { totals, ranks })
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
        let Known { slope, read, .. } = self.ranks[before][at];
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
        let total = Cell { low: 1.25, high: 1.75 };
        let found = Cell::of_pieces(&node, 3.0, total, 4).unwrap();
        for n in 0..=50 {
            let g = 1.25 + f64::from(n) / 100.0;
            let value = (g - 1.0).powi(2) / (3.0 + g) - 2f64.ln() * 3f64.powf(-g);
            assert!(found.low <= value && value <= found.high, "{g}: {value} {found:?}");
        }
    }
}
