//! The users of the C/W/L family.

use super::{Continuation, FARTHEST, FOREVER, GainlessStretch, Response};
use crate::measure::Number;
use crate::measure::structure::Weights;

/// Goes on with one probability, whatever was seen: C = c.
pub(super) struct Geometric {
    pub(super) c: Constant,
}

/// A constant probability, kept in the form in which it is exact.
pub(super) enum Constant {
    Decimal(f64),
    /// 1 / (1 + rate)
    Discount(f64),
    /// 2^(-steps)
    HalfLife(f64),
}

impl Constant {
    fn value<N: Number>(&self) -> N {
        match self {
            Constant::Decimal(c) => N::decimal(*c),
            Constant::Discount(rate) => N::one() / (N::one() + N::decimal(*rate)),
            Constant::HalfLife(steps) => N::one() / N::int(2).powf(*steps),
        }
    }
}

impl Continuation for Geometric {
    fn formula(&self) -> String {
        match self.c {
            Constant::Decimal(c) => c.to_string(),
            Constant::Discount(rate) => format!("1 / (1 + {rate})"),
            Constant::HalfLife(steps) => format!("2^-{steps}"),
        }
    }

    fn response(&self) -> Response {
        Response::Blind
    }

    fn weights(&self) -> Option<Weights> {
        Some(self.c.value()).filter(|c| *c < 1.0).map(Weights::Geometric)
    }

    fn at<N: Number>(&self, _rank: u32, _gain: &N, _total: &N) -> N {
        self.c.value()
    }

    fn stretch<N: Number>(&self, from: u32, to: u32, total: &N) -> GainlessStretch<N> {
        let c: N = self.c.value();
        if c == N::one() {
            return Tireless.stretch(from, to, total);
        }
        let through = if to == FOREVER { N::zero() } else { c.clone().powi(to - from + 1) };
        GainlessStretch { read: (N::one() - through.clone()) / (N::one() - c), through }
    }
}

/// C(i) = ((i - 1 + s) / (i + s))^2: the inverse squares, s = 2T. The goal T shrinks by what was
/// gained where `adapts`.
pub(super) struct InverseSquare {
    pub(super) goal: f64,
    pub(super) adapts: bool,
}

impl InverseSquare {
    fn shift<N: Number>(&self, total: &N) -> N {
        let twice = N::int(2) * N::decimal(self.goal);
        if self.adapts { twice - total.clone() } else { twice }
    }
}

/// Up to here a sum is taken term by term, which keeps rationals exact and loses no digits.
const SHORT: u32 = 32;

impl Continuation for InverseSquare {
    fn formula(&self) -> String {
        let s = 2.0 * self.goal;
        let gained = if self.adapts { " - G" } else { "" };
        format!("((i - 1 + {s}{gained}) / (i + {s}{gained}))^2")
    }

    fn potential(&self) -> Option<String> {
        let s = 2.0 * self.goal;
        self.adapts.then(|| format!("(i + {s} - G)^2 / (2 * (i + {s} - G) - 1)"))
    }

    fn response(&self) -> Response {
        if self.adapts { Response::Adaptive } else { Response::Blind }
    }

    fn weights(&self) -> Option<Weights> {
        (!self.adapts).then_some(Weights::InverseSquare(2.0 * self.goal))
    }

    fn documents<N: Number>(&self) -> Option<N> {
        let s: N = self.shift(&N::zero());
        (!self.adapts).then(|| s.clone().powi(2) * s.trigamma())
    }

    fn at<N: Number>(&self, rank: u32, _gain: &N, total: &N) -> N {
        let shifted = N::count(rank) + self.shift(total);
        ((shifted.clone() - N::one()) / shifted).powi(2)
    }

    fn rich_stretch<N: Number>(&self, from: u32, to: u32, total: &N) -> N {
        if !self.adapts {
            return self.stretch(from, to, total).read;
        }
        // A gain of 1 at each rank keeps i + 2T - total as it is, and with it C.
        let c = self.at(from, &N::one(), &(total.clone() + N::one()));
        let through = if to == FOREVER { N::zero() } else { c.clone().powi(to - from + 1) };
        (N::one() - through) / (N::one() - c)
    }

    fn stretch<N: Number>(&self, from: u32, to: u32, total: &N) -> GainlessStretch<N> {
        // V(i) / V(from) = (x / (x + i - from))^2, and a sum of inverse squares is a difference of
        // trigammas.
        let x = N::count(from - 1) + self.shift(total);
        let square = x.clone().powi(2);
        if to == FOREVER {
            return GainlessStretch { read: square * x.trigamma(), through: N::zero() };
        }
        let length = to - from + 1;
        let through = (x.clone() / (x.clone() + N::count(length))).powi(2);
        let sum = if length <= SHORT {
            (0..length).fold(N::zero(), |sum, j| sum + N::one() / (x.clone() + N::count(j)).powi(2))
        } else {
            x.clone().trigamma() - (x + N::count(length)).trigamma()
        };
        GainlessStretch { read: square * sum, through }
    }
}

/// Never tires: C = 1.
pub(super) struct Tireless;

impl Continuation for Tireless {
    fn formula(&self) -> String {
        "1".to_string()
    }

    fn response(&self) -> Response {
        Response::Blind
    }

    fn at<N: Number>(&self, _rank: u32, _gain: &N, _total: &N) -> N {
        N::one()
    }

    fn stretch<N: Number>(&self, from: u32, to: u32, _total: &N) -> GainlessStretch<N> {
        GainlessStretch { read: N::count(to - from + 1), through: N::one() }
    }
}

/// Reads until the goal is reached: C = 1 while the total is below it, 0 from there.
pub(super) struct Target {
    pub(super) goal: f64,
}

impl Continuation for Target {
    fn formula(&self) -> String {
        format!("G < {}", self.goal)
    }

    fn response(&self) -> Response {
        Response::Goal
    }

    fn at<N: Number>(&self, _rank: u32, _gain: &N, total: &N) -> N {
        if *total < N::decimal(self.goal) { N::one() } else { N::zero() }
    }

    fn stretch<N: Number>(&self, from: u32, to: u32, total: &N) -> GainlessStretch<N> {
        // The goal is not reached here, or the stretch would not be.
        Tireless.stretch(from, to, total)
    }
}

/// C(i) = i / (i + 1).
pub(super) struct Harmonic;

impl Continuation for Harmonic {
    fn formula(&self) -> String {
        "i / (i + 1)".to_string()
    }

    fn response(&self) -> Response {
        Response::Blind
    }

    fn at<N: Number>(&self, rank: u32, _gain: &N, _total: &N) -> N {
        N::count(rank) / N::count(rank + 1)
    }

    fn stretch<N: Number>(&self, from: u32, to: u32, _total: &N) -> GainlessStretch<N> {
        // V(i) / V(from) = from / i.
        let (first, behind) = (N::count(from), N::count(to) + N::one());
        GainlessStretch {
            read: first.clone() * N::reciprocals(from - 1, to),
            through: first / behind,
        }
    }
}

/// V(i) = 1 - (i - 1) / length, 0 from the rank where that ends: attention that fades in a straight
/// line.
pub(super) struct LinearAttention {
    /// How many documents until nothing is left.
    pub(super) length: f64,
}

impl LinearAttention {
    fn reach<N: Number>(&self, rank: u32) -> N {
        (N::one() - N::count(rank - 1) / N::decimal(self.length)).max(N::zero())
    }
}

impl Continuation for LinearAttention {
    fn formula(&self) -> String {
        let length = self.length;
        format!("if(i < {length}, ({length} - i) / ({length} - i + 1), 0)")
    }

    fn response(&self) -> Response {
        Response::Blind
    }

    fn at<N: Number>(&self, rank: u32, _gain: &N, _total: &N) -> N {
        let here: N = self.reach(rank);
        if here.is_zero() { here } else { self.reach::<N>(rank + 1) / here }
    }

    fn stretch<N: Number>(&self, from: u32, to: u32, _total: &N) -> GainlessStretch<N> {
        let first: N = self.reach(from);
        let last = to.min(self.length.ceil().max(1.0) as u32);
        if first.is_zero() || last < from {
            return GainlessStretch { read: N::zero(), through: N::zero() };
        }
        // An arithmetic series: the number of terms times the mean of the first and the last.
        let sum = N::count(last - from + 1) * (first.clone() + self.reach(last)) / N::int(2);
        let through = if to > last { N::zero() } else { self.reach::<N>(to + 1) / first.clone() };
        GainlessStretch { read: sum / first, through }
    }
}

/// Is satisfied by a document of gain r with probability r, and otherwise goes on as another user
/// would.
pub(super) struct Satisfied<C>(pub(super) C);

impl<C: Continuation> Continuation for Satisfied<C> {
    fn formula(&self) -> String {
        match self.0.formula().as_str() {
            "1" => "1 - g".to_string(),
            other => format!("({other}) * (1 - g)"),
        }
    }

    fn response(&self) -> Response {
        Response::Satisfied
    }

    fn at<N: Number>(&self, rank: u32, gain: &N, total: &N) -> N {
        (N::one() - gain.clone()) * self.0.at(rank, gain, total)
    }

    fn stretch<N: Number>(&self, from: u32, to: u32, total: &N) -> GainlessStretch<N> {
        self.0.stretch(from, to, total)
    }
}

/// Information foraging: the closer the goal, and the lower the rate of gain, the sooner the user
/// leaves.
pub(super) struct Foraging {
    pub(super) goal: Option<Logistic>,
    pub(super) rate: Option<Logistic>,
}

/// 1 / (1 + b e^((level - x) R)): the share of users who find x high enough.
pub(super) struct Logistic {
    pub(super) level: f64,
    pub(super) b: f64,
    pub(super) rationality: f64,
}

impl Logistic {
    fn formula(&self, x: &str) -> String {
        let Logistic { level, b, rationality } = self;
        format!("1 / (1 + {b} * {}^(({level} - {x}) * {rationality}))", std::f64::consts::E)
    }

    fn enough<N: Number>(&self, x: N) -> N {
        let short = (N::decimal(self.level) - x) * N::decimal(self.rationality);
        N::one() / (N::one() + N::decimal(self.b) * short.exp())
    }
}

impl Foraging {
    /// C1 falls with the total that it is given, C2 rises.
    fn heeding<N: Number>(&self, rank: u32, for_goal: N, for_rate: N) -> N {
        let goal = self.goal.as_ref().map(|goal| N::one() - goal.enough(for_goal));
        let rate = self.rate.as_ref().map(|rate| rate.enough(for_rate / N::count(rank)));
        goal.unwrap_or_else(N::one) * rate.unwrap_or_else(N::one)
    }
}

impl Continuation for Foraging {
    fn formula(&self) -> String {
        let goal = self.goal.as_ref().map(|goal| format!("(1 - {})", goal.formula("G")));
        let rate = self.rate.as_ref().map(|rate| rate.formula("G / i"));
        goal.into_iter().chain(rate).collect::<Vec<_>>().join(" * ")
    }

    fn response(&self) -> Response {
        Response::Other
    }

    fn at<N: Number>(&self, rank: u32, _gain: &N, total: &N) -> N {
        self.heeding(rank, total.clone(), total.clone())
    }

    /// The rate G / i falls if nothing is gained.
    fn fades(&self) -> bool {
        true
    }

    fn between(&self, rank: u32, [low, high]: [f64; 2]) -> [f64; 2] {
        [self.heeding(rank, high, low), self.heeding(rank, low, high)]
    }

    fn rest_between(&self, from: u32, to: u32, total: [f64; 2]) -> [f64; 2] {
        let ends: Vec<[f64; 2]> =
            (from..=to).take(FARTHEST as usize).map(|rank| self.between(rank, total)).collect();
        [0, 1].map(|end| ends.iter().rev().skip(1).fold(1.0, |read, on| 1.0 + on[end] * read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Exact;

    /// The sums that a model knows are those of the walk rank by rank.
    fn closed_form_is_the_walk(model: &impl Continuation, total: f64) {
        struct Walked<'a, C>(&'a C);
        impl<C: Continuation> Continuation for Walked<'_, C> {
            fn formula(&self) -> String {
                self.0.formula()
            }
            fn response(&self) -> Response {
                self.0.response()
            }
            fn at<N: Number>(&self, rank: u32, gain: &N, total: &N) -> N {
                self.0.at(rank, gain, total)
            }
        }
        for (from, to) in [(1, 1), (1, 3), (2, 50), (4, 500), (3, 17)] {
            let (closed, walked) =
                (model.stretch(from, to, &total), Walked(model).stretch(from, to, &total));
            assert!(
                (closed.read - walked.read).abs() < 1e-10 * walked.read,
                "{from} {to}: {} {}",
                closed.read,
                walked.read
            );
            assert!(
                (closed.through - walked.through).abs() < 1e-12,
                "{from} {to}: {} {}",
                closed.through,
                walked.through
            );
        }
    }

    #[test]
    fn closed_forms() {
        closed_form_is_the_walk(&Geometric { c: Constant::Decimal(0.9) }, 0.0);
        closed_form_is_the_walk(&Geometric { c: Constant::HalfLife(0.25) }, 0.0);
        closed_form_is_the_walk(&Harmonic, 0.0);
        closed_form_is_the_walk(&InverseSquare { goal: 1.0, adapts: false }, 0.0);
        closed_form_is_the_walk(&InverseSquare { goal: 2.5, adapts: true }, 0.75);
        closed_form_is_the_walk(&LinearAttention { length: 700.5 }, 0.0);
        closed_form_is_the_walk(&LinearAttention { length: 7.5 }, 0.0);
        closed_form_is_the_walk(&LinearAttention { length: 4.0 }, 0.0);
        closed_form_is_the_walk(&Target { goal: 1.0 }, 0.5);
        closed_form_is_the_walk(&Satisfied(Tireless), 0.0);
    }

    #[test]
    fn short_sums_stay_rational() {
        let stretch = InverseSquare { goal: 1.0, adapts: false }.stretch(1, 3, &Exact::zero());
        assert_eq!(stretch.read, Exact::one() + Exact::ratio(4, 9) + Exact::ratio(4, 16));
        assert!(stretch.read.is_exact());
    }
}
