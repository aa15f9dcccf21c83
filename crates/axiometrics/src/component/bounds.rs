//! Between which numbers an expression can be, whatever the documents: what proofs about a file
//! rest on.
//!
//! Grades and counts are taken to be below large but finite limits; a position can be infinite, for
//! a document that was not retrieved.

use super::Component;
use crate::expression::Scale;
use crate::expression::syntax::{Expr, Node, Op, Quantifier, QuantifierKind};

/// An expression lies between these numbers whenever it has a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ValueBounds {
    pub low: f64,
    pub high: f64,
    /// It has a value for certain, infinite ones included.
    pub defined: bool,
}

/// No topic has more documents.
const COUNT: f64 = 4_294_967_296.0;
/// No grade and no score is larger.
const LARGE: f64 = 1e15;

impl ValueBounds {
    const ANY: ValueBounds = ValueBounds::new(f64::NEG_INFINITY, f64::INFINITY);
    const TRUTH: ValueBounds = ValueBounds::new(0.0, 1.0);

    pub(super) const fn new(low: f64, high: f64) -> ValueBounds {
        ValueBounds { low, high, defined: true }
    }

    /// Any finite number.
    pub(super) const fn finite() -> ValueBounds {
        ValueBounds::new(-LARGE, LARGE)
    }

    /// It has a finite value for certain.
    pub(super) fn is_finite(&self) -> bool {
        self.defined && self.low.is_finite() && self.high.is_finite()
    }

    fn unless(self, undefined: bool) -> ValueBounds {
        ValueBounds { defined: self.defined && !undefined, ..self }
    }

    fn and(self, other: ValueBounds) -> ValueBounds {
        self.unless(!other.defined)
    }

    pub(super) fn holds(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    fn is_infinite(&self) -> bool {
        self.low.is_infinite() || self.high.is_infinite()
    }

    /// From the values at the corners; what is no number could be any.
    fn of_corners(corners: [f64; 4]) -> ValueBounds {
        if corners.iter().any(|x| x.is_nan()) {
            return ValueBounds::ANY;
        }
        let (low, high) = corners
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        ValueBounds::new(low, high)
    }

    fn either(self, other: ValueBounds) -> ValueBounds {
        ValueBounds::new(self.low.min(other.low), self.high.max(other.high)).and(self).and(other)
    }

    fn add(self, other: ValueBounds) -> ValueBounds {
        let (low, high) = (self.low + other.low, self.high + other.high);
        let opposite = (self.high == f64::INFINITY && other.low == f64::NEG_INFINITY)
            || (self.low == f64::NEG_INFINITY && other.high == f64::INFINITY);
        if low.is_nan() || high.is_nan() {
            return ValueBounds::ANY.unless(true);
        }
        ValueBounds::new(low, high).and(self).and(other).unless(opposite)
    }

    fn negative(self) -> ValueBounds {
        ValueBounds { low: -self.high, high: -self.low, ..self }
    }

    fn times(self, other: ValueBounds) -> ValueBounds {
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let corners = [
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ];
        let nothing_of_everything =
            (self.holds(0.0) && other.is_infinite()) || (other.holds(0.0) && self.is_infinite());
        ValueBounds::of_corners(corners).and(self).and(other).unless(nothing_of_everything)
    }

    /// A quotient by infinity is 0.
    fn by(self, other: ValueBounds) -> ValueBounds {
        let inverse = if other.low > 0.0 || other.high < 0.0 {
            ValueBounds::new(1.0 / other.high, 1.0 / other.low)
        } else if other.low == 0.0 {
            ValueBounds::new(1.0 / other.high, f64::INFINITY)
        } else if other.high == 0.0 {
            ValueBounds::new(f64::NEG_INFINITY, 1.0 / other.low)
        } else {
            ValueBounds::ANY
        };
        self.times(inverse).and(self).and(other).unless(other.holds(0.0))
    }

    fn power(self, exponent: ValueBounds) -> ValueBounds {
        let powers = if self.low >= 0.0 && self.high <= 1.0 && exponent.low >= 0.0 {
            ValueBounds::TRUTH
        } else if self.low > 0.0 || (self.low >= 0.0 && exponent.low >= 0.0) {
            ValueBounds::of_corners([
                self.low.powf(exponent.low),
                self.low.powf(exponent.high),
                self.high.powf(exponent.low),
                self.high.powf(exponent.high),
            ])
        } else {
            ValueBounds::ANY.unless(true)
        };
        powers.and(self).and(exponent)
    }

    fn logarithm(self, log: fn(f64) -> f64) -> ValueBounds {
        let low = if self.low > 0.0 { log(self.low) } else { f64::NEG_INFINITY };
        let high = if self.high > 0.0 { log(self.high) } else { f64::NEG_INFINITY };
        ValueBounds::new(low, high).and(self).unless(self.low <= 0.0)
    }

    fn exponential(self) -> ValueBounds {
        let high = self.high.exp();
        ValueBounds::new(self.low.exp(), high).and(self).unless(high.is_infinite())
    }

    fn abs(self) -> ValueBounds {
        let (a, b) = (self.low.abs(), self.high.abs());
        let low = if self.holds(0.0) { 0.0 } else { a.min(b) };
        ValueBounds { low, high: a.max(b), ..self }
    }

    fn least(self, other: ValueBounds) -> ValueBounds {
        ValueBounds::new(self.low.min(other.low), self.high.min(other.high)).and(self).and(other)
    }

    fn most(self, other: ValueBounds) -> ValueBounds {
        ValueBounds::new(self.low.max(other.low), self.high.max(other.high)).and(self).and(other)
    }
}

/// What names stand for.
pub(super) struct NameMeanings<'c> {
    /// The file whose documents are spoken of; none for a function of numbers.
    pub file: Option<&'c Component>,
    /// Parameters by name.
    pub params: Vec<(&'c str, ValueBounds)>,
    /// Counts and grades have no limit at all: what is bounded then is bounded by one constant for
    /// all collections.
    pub endless: bool,
}

impl NameMeanings<'_> {
    /// The bounds of an expression.
    pub(super) fn of(&self, node: &Node) -> ValueBounds {
        match &node.expr {
            Expr::Number(x) => ValueBounds::new(*x, *x),
            // A level is a number among comparisons only.
            Expr::Level(_) => ValueBounds::new(0.0, LARGE),
            Expr::Name(name) => self.name(name),
            Expr::Call(name, arguments) => self.call(name, arguments),
            Expr::Negative(inner) => self.of(inner).negative(),
            Expr::Not(inner) => ValueBounds::TRUTH.and(self.of(inner)),
            Expr::Binary(op, left, right) => {
                let (a, b) = (self.of(left), self.of(right));
                match op {
                    Op::Add => a.add(b),
                    Op::Subtract => a.add(b.negative()),
                    Op::Multiply => a.times(b),
                    Op::Divide => a.by(b),
                    Op::Power => a.power(b),
                    _ => ValueBounds::TRUTH.and(a).and(b),
                }
            }
            Expr::Over(q) => self.over(q),
        }
    }

    fn name(&self, name: &str) -> ValueBounds {
        if let Some((_, bounds)) = self.params.iter().find(|(param, _)| *param == name) {
            return *bounds;
        }
        match name {
            "R" => ValueBounds::new(0.0, self.limit(COUNT)),
            // It is above 0, even if no grade is.
            "max_grade" => ValueBounds::new(f64::MIN_POSITIVE, self.limit(LARGE)),
            "a" => self.field("alpha"),
            "s" => self.field("sigma"),
            "sim" => self
                .file
                .and_then(|file| file.language.sim.as_ref())
                .map_or(ValueBounds::ANY.unless(true), |sim| self.of(sim)),
            _ => ValueBounds::ANY.unless(true),
        }
    }

    fn limit(&self, most: f64) -> f64 {
        if self.endless { f64::INFINITY } else { most }
    }

    /// Any number that a file may hold.
    fn any_number(&self) -> ValueBounds {
        ValueBounds::new(-self.limit(LARGE), self.limit(LARGE))
    }

    /// What is known of a document.
    fn field(&self, field: &str) -> ValueBounds {
        let Some(file) = self.file else { return ValueBounds::ANY.unless(true) };
        let of = |m: &super::Measurement| match (m.scale, m.range) {
            (scale, _) if scale.has_levels() => ValueBounds::new(0.0, m.levels.len() as f64),
            (scale, _) if scale.is_order() => ValueBounds::new(1.0, f64::INFINITY),
            (_, Some((low, high))) => ValueBounds::new(low, high),
            (Scale::Ratio, None) => ValueBounds::new(0.0, self.limit(LARGE)),
            _ => self.any_number(),
        };
        match field {
            "alpha" => of(file.alpha()),
            // Scores of a run can be negative on any scale without a range.
            "sigma" if file.sigma().scale.is_numeric() && file.sigma().range.is_none() => {
                self.any_number()
            }
            "sigma" => of(file.sigma()),
            "pos" => ValueBounds::new(1.0, f64::INFINITY),
            "ideal" => ValueBounds::new(1.0, self.limit(COUNT)),
            _ => match file.alpha().gain.as_slice() {
                [] => of(file.alpha()),
                gains => ValueBounds::new(
                    gains.iter().copied().fold(f64::INFINITY, f64::min),
                    gains.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                ),
            },
        }
    }

    fn call(&self, name: &str, arguments: &[Node]) -> ValueBounds {
        let mut each = arguments.iter().map(|node| self.of(node));
        let combined = match name {
            "alpha" | "sigma" | "pos" | "gain" | "ideal" => Some(self.field(name)),
            "abs" => each.next().map(ValueBounds::abs),
            "ln" => each.next().map(|x| x.logarithm(f64::ln)),
            "log2" => each.next().map(|x| x.logarithm(f64::log2)),
            "exp" => each.next().map(ValueBounds::exponential),
            "min" => each.reduce(ValueBounds::least),
            "max" => each.reduce(ValueBounds::most),
            "if" => match (each.next(), each.next(), each.next()) {
                (Some(condition), Some(yes), Some(no)) => Some(yes.either(no).and(condition)),
                _ => None,
            },
            _ => None,
        };
        combined.unwrap_or(ValueBounds::ANY.unless(true))
    }

    fn over(&self, q: &Quantifier) -> ValueBounds {
        let one = ValueBounds::new(1.0, 1.0);
        let body = q.body.as_ref().map_or(one, |body| self.of(body));
        let filter = q.filter.as_ref().map_or(one, |filter| self.of(filter));
        let times = ValueBounds::new(0.0, self.limit(COUNT));
        let value = match q.kind {
            QuantifierKind::Count => times,
            QuantifierKind::Sum if body.is_finite() => body.times(times),
            QuantifierKind::Sum => {
                let low = if body.low >= 0.0 { 0.0 } else { f64::NEG_INFINITY };
                ValueBounds::new(low, if body.high <= 0.0 { 0.0 } else { f64::INFINITY })
                    .unless(low < 0.0 && body.high > 0.0)
            }
            QuantifierKind::Product if body.low >= 0.0 && body.high <= 1.0 => ValueBounds::TRUTH,
            QuantifierKind::Product if body.low >= 0.0 => {
                ValueBounds::new(0.0, f64::INFINITY).unless(!body.is_finite())
            }
            QuantifierKind::Product => ValueBounds::ANY.unless(!body.is_finite()),
            QuantifierKind::Exists | QuantifierKind::None => ValueBounds::TRUTH,
            // The smallest of nothing is infinite.
            QuantifierKind::Min => ValueBounds::new(body.low, f64::INFINITY),
            QuantifierKind::Max => ValueBounds::new(f64::NEG_INFINITY, body.high),
        };
        value.and(body).and(filter).and(self.set(&q.set))
    }

    /// Whether the condition of a set has a value.
    pub(super) fn set(&self, name: &str) -> ValueBounds {
        let own = self.file.and_then(|f| f.language.sets.iter().find(|(set, _)| set == name));
        own.map_or(ValueBounds::TRUTH, |(_, condition)| ValueBounds::TRUTH.and(self.of(condition)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::syntax::parse;

    #[test]
    fn bounds_are_what_they_are() {
        let file = Component::parse(
            "b.toml",
            "score = \"R\"\n[alpha]\nscale = \"ranked-categories\"\nlevels = [\"N\", \"R\"]\ngain = [0, 2]\n",
        )
        .unwrap();
        let names = NameMeanings {
            file: Some(&file),
            params: vec![("p", ValueBounds::new(0.8, 0.8))],
            endless: false,
        };
        let of = |text: &str| names.of(&parse(text).unwrap());
        for (text, low, high, defined) in [
            ("gain(d) - 1", -1.0, 1.0, true),
            ("1 / pos(d)", 0.0, 1.0, true),
            ("gain(d) / log2(pos(d) + 1)", 0.0, 2.0, true),
            ("p^(pos(d) - 1) * gain(d)", 0.0, 2.0, true),
            ("1 / (pos(d) - 5)", f64::NEG_INFINITY, f64::INFINITY, false),
            ("count(x in Rel where pos(x) <= pos(d)) / pos(d)", 0.0, COUNT, true),
            ("ln(min(max(gain(d), 0.1), 0.9))", 0.1f64.ln(), 0.9f64.ln(), true),
            ("ln(gain(d))", f64::NEG_INFINITY, 2f64.ln(), false),
            ("exp(-pos(d))", 0.0, (-1f64).exp(), true),
            ("exp(R)", 1.0, f64::INFINITY, false),
            ("if(a == 'R', 3, -1)", -1.0, 3.0, true),
            ("max(x in Rel : 1 / pos(x))", f64::NEG_INFINITY, 1.0, true),
            ("product(x in Rel : 1 - gain(x) / 2)", 0.0, 1.0, true),
            ("0 * pos(d)", 0.0, 0.0, false),
            ("2^gain(d)", 1.0, 4.0, true),
            ("R - 0.2 * count(x in D)", -0.2 * COUNT, COUNT, true),
        ] {
            assert_eq!(of(text), ValueBounds { low, high, defined }, "{text}");
        }
    }
}
