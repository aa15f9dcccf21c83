//! How fast an expression of the rank i grows or falls, for large i.

use std::cmp::Ordering;

use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::expression::syntax::{Expr, Node, Op};
use crate::number::{Exact, Number, doubtful};

/// What an expression of i is like for large i.
#[derive(Debug, Clone)]
pub(in crate::check) enum Growth {
    /// Zero from some i on.
    Vanishing,
    /// A constant that is not zero times base^i * i^power * (log i)^log.
    Like(Order),
}

/// c base^i i^power (log i)^log
#[derive(Debug, Clone)]
pub(in crate::check) struct Order {
    /// c is above zero.
    positive: bool,
    base: Exact,
    power: BigRational,
    log: BigRational,
}

impl Growth {
    fn constant(x: &BigRational) -> Growth {
        if x.is_zero() {
            return Growth::Vanishing;
        }
        Growth::Like(Order {
            positive: x.is_positive(),
            base: Exact::one(),
            power: BigRational::zero(),
            log: BigRational::zero(),
        })
    }

    /// Whether the sum over all i is finite; `None` if that is not known.
    pub(in crate::check) fn has_finite_sum(&self) -> Option<bool> {
        let Growth::Like(order) = self else { return Some(true) };
        let minus = -BigRational::one();
        Some(match order.base_to_one()? {
            Ordering::Less => true,
            Ordering::Greater => false,
            Ordering::Equal => order.power < minus || (order.power == minus && order.log < minus),
        })
    }

    /// Whether it goes beyond every bound.
    pub(in crate::check) fn is_unbounded(&self) -> Option<bool> {
        let Growth::Like(order) = self else { return Some(false) };
        let zero = BigRational::zero();
        Some(match order.base_to_one()? {
            Ordering::Less => false,
            Ordering::Greater => true,
            Ordering::Equal => order.power > zero || (order.power == zero && order.log > zero),
        })
    }
}

impl Order {
    fn base_to_one(&self) -> Option<Ordering> {
        certain(|| self.base.partial_cmp(&Exact::one()))
    }

    /// Which of two is larger in the end, whatever their signs.
    fn against(&self, other: &Order) -> Option<Ordering> {
        let bases = certain(|| self.base.partial_cmp(&other.base))?;
        Some(bases.then(self.power.cmp(&other.power)).then(self.log.cmp(&other.log)))
    }

    fn times(self, other: Order) -> Order {
        Order {
            positive: self.positive == other.positive,
            base: self.base * other.base,
            power: self.power + other.power,
            log: self.log + other.log,
        }
    }

    fn inverse(self) -> Order {
        Order {
            positive: self.positive,
            base: Exact::one() / self.base,
            power: -self.power,
            log: -self.log,
        }
    }
}

fn certain<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    let (found, doubt) = doubtful(work);
    found.filter(|_| !doubt)
}

/// The growth of an expression of i alone; `None` if the rules here do not tell it.
pub(in crate::check) fn growth(node: &Node) -> Option<Growth> {
    match &node.expr {
        Expr::Number(x) => Some(Growth::constant(&Exact::decimal(*x).rational()?)),
        Expr::Name(name) if name == "i" => Some(Growth::Like(Order {
            positive: true,
            base: Exact::one(),
            power: BigRational::one(),
            log: BigRational::zero(),
        })),
        Expr::Negative(inner) => Some(negated(growth(inner)?)),
        Expr::Binary(op, a, b) if op.compares() => {
            Some(Growth::constant(&BigRational::from_integer(i32::from(compared(*op, a, b)?).into())))
        }
        Expr::Binary(Op::And | Op::Or, ..) | Expr::Not(_) => {
            Some(Growth::constant(&BigRational::from_integer(i32::from(truth(node)?).into())))
        }
        Expr::Binary(op, a, b) => match op {
            Op::Add => added(growth(a)?, growth(b)?),
            Op::Subtract => added(growth(a)?, negated(growth(b)?)),
            Op::Multiply => Some(product(growth(a)?, growth(b)?)),
            Op::Divide => match growth(b)? {
                Growth::Vanishing => None,
                Growth::Like(order) => Some(product(growth(a)?, Growth::Like(order.inverse()))),
            },
            Op::Power => power(a, b),
            _ => None,
        },
        Expr::Call(name, arguments) => match (name.as_str(), arguments.as_slice()) {
            ("log2" | "ln", [x]) => logarithm(&growth(x)?),
            ("abs", [x]) => Some(match growth(x)? {
                Growth::Like(order) => Growth::Like(Order { positive: true, ..order }),
                zero => zero,
            }),
            ("if", [condition, yes, no]) => growth(if truth(condition)? { yes } else { no }),
            ("min" | "max", [first, rest @ ..]) => {
                let mut best = first;
                for other in rest {
                    let larger = sign_of_difference(best, other)? != Ordering::Less;
                    if larger != (name == "max") {
                        best = other;
                    }
                }
                growth(best)
            }
            _ => None,
        },
        _ => None,
    }
}

fn negated(x: Growth) -> Growth {
    match x {
        Growth::Like(order) => Growth::Like(Order { positive: !order.positive, ..order }),
        zero => zero,
    }
}

fn added(a: Growth, b: Growth) -> Option<Growth> {
    let (x, y) = match (a, b) {
        (Growth::Vanishing, other) | (other, Growth::Vanishing) => return Some(other),
        (Growth::Like(x), Growth::Like(y)) => (x, y),
    };
    match x.against(&y)? {
        Ordering::Greater => Some(Growth::Like(x)),
        Ordering::Less => Some(Growth::Like(y)),
        // What cancels out leaves something smaller, of which nothing is known.
        Ordering::Equal => (x.positive == y.positive).then_some(Growth::Like(x)),
    }
}

fn product(a: Growth, b: Growth) -> Growth {
    match (a, b) {
        (Growth::Like(x), Growth::Like(y)) => Growth::Like(x.times(y)),
        _ => Growth::Vanishing,
    }
}

fn power(base: &Node, exponent: &Node) -> Option<Growth> {
    if let Some((slope, constant)) = linear(exponent) {
        if slope.is_zero() {
            return constant_power(growth(base)?, &constant);
        }
        // c^(m i + n) is a constant times (c^m)^i.
        let (zero, c) = linear(base)?;
        if !zero.is_zero() || !c.is_positive() {
            return None;
        }
        let base = number(&c).power(number(&slope));
        return Some(Growth::Like(Order {
            positive: true,
            base,
            power: BigRational::zero(),
            log: BigRational::zero(),
        }));
    }
    None
}

fn constant_power(base: Growth, exponent: &BigRational) -> Option<Growth> {
    let Growth::Like(order) = base else {
        return exponent.is_positive().then_some(Growth::Vanishing);
    };
    let even = exponent.is_integer() && (exponent.to_integer() % 2u32).is_zero();
    if !order.positive && !exponent.is_integer() {
        return None;
    }
    Some(Growth::Like(Order {
        positive: order.positive || even,
        base: order.base.power(number(exponent)),
        power: order.power * exponent,
        log: order.log * exponent,
    }))
}

fn number(x: &BigRational) -> Exact {
    let part = |n: &num_bigint::BigInt| n.to_i64().map_or_else(
        || Exact::decimal(n.to_f64().unwrap_or(f64::NAN)),
        Exact::int,
    );
    part(x.numer()) / part(x.denom())
}

fn logarithm(of: &Growth) -> Option<Growth> {
    let Growth::Like(order) = of else { return None };
    if !order.positive {
        return None;
    }
    let like = |positive: bool, power: i32, log: i32| {
        Some(Growth::Like(Order {
            positive,
            base: Exact::one(),
            power: BigRational::from_integer(power.into()),
            log: BigRational::from_integer(log.into()),
        }))
    };
    match order.base_to_one()? {
        Ordering::Greater => like(true, 1, 0),
        Ordering::Less => like(false, 1, 0),
        Ordering::Equal if order.power.is_positive() => like(true, 0, 1),
        Ordering::Equal if order.power.is_negative() => like(false, 0, 1),
        // The logarithm of what goes to a constant may be zero, and that of a logarithm is slower
        // than all that is understood here.
        Ordering::Equal => None,
    }
}

/// m and n, if the expression is m i + n.
fn linear(node: &Node) -> Option<(BigRational, BigRational)> {
    let zero = BigRational::zero;
    match &node.expr {
        Expr::Number(x) => Some((zero(), Exact::decimal(*x).rational()?)),
        Expr::Name(name) if name == "i" => Some((BigRational::one(), zero())),
        Expr::Negative(inner) => linear(inner).map(|(m, n)| (-m, -n)),
        Expr::Binary(op, a, b) => {
            let ((m, n), (p, q)) = (linear(a)?, linear(b)?);
            match op {
                Op::Add => Some((m + p, n + q)),
                Op::Subtract => Some((m - p, n - q)),
                Op::Multiply if m.is_zero() => Some((&n * p, n * q)),
                Op::Multiply if p.is_zero() => Some((m * &q, n * q)),
                Op::Divide if p.is_zero() && !q.is_zero() => Some((m / &q, n / q)),
                Op::Power if m.is_zero() && p.is_zero() && q.is_integer() => {
                    let e = q.to_integer().to_i32().filter(|e| e.abs() <= 64)?;
                    (e >= 0 || !n.is_zero()).then(|| (zero(), n.pow(e)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn sign_of_difference(a: &Node, b: &Node) -> Option<Ordering> {
    match added(growth(a)?, negated(growth(b)?)) {
        Some(Growth::Vanishing) => Some(Ordering::Equal),
        Some(Growth::Like(order)) => {
            Some(if order.positive { Ordering::Greater } else { Ordering::Less })
        }
        // Two constants of the same kind.
        None => match (linear(a)?, linear(b)?) {
            ((m, n), (p, q)) if m == p => Some(n.cmp(&q)),
            ((m, _), (p, _)) => Some(m.cmp(&p)),
        },
    }
}

/// Whether a comparison holds for all large i.
fn compared(op: Op, a: &Node, b: &Node) -> Option<bool> {
    let order = sign_of_difference(a, b)?;
    Some(match op {
        Op::Less => order == Ordering::Less,
        Op::LessEqual => order != Ordering::Greater,
        Op::Greater => order == Ordering::Greater,
        Op::GreaterEqual => order != Ordering::Less,
        Op::Equal => order == Ordering::Equal,
        Op::NotEqual => order != Ordering::Equal,
        _ => return None,
    })
}

fn truth(node: &Node) -> Option<bool> {
    match &node.expr {
        Expr::Binary(Op::And, a, b) => Some(truth(a)? && truth(b)?),
        Expr::Binary(Op::Or, a, b) => Some(truth(a)? || truth(b)?),
        Expr::Not(inner) => truth(inner).map(|holds| !holds),
        Expr::Binary(op, a, b) if op.compares() => compared(*op, a, b),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::syntax::parse;

    #[test]
    fn sums_that_end_and_sums_that_do_not() {
        let finite = |text: &str| growth(&parse(text).unwrap()).and_then(|g| g.has_finite_sum());
        for text in [
            "0.8^(i - 1)",
            "2^(-0.01 * (i - 1))",
            "(4 / (i - 1 + 4))^2",
            "1 / (i * log2(i + 1)^2)",
            "i^3 * 0.999^i",
            "max(0, 1 - (i - 1) / 1000)",
            "if(i <= 10, 1, 0)",
            "1 / i^1.001",
            "(1 / (1 + 0.1))^(i - 1)",
        ] {
            assert_eq!(finite(text), Some(true), "{text}");
        }
        for text in [
            "1",
            "1 / i",
            "1 / log2(i + 1)",
            "1 / (i * ln(i + 1))",
            "if(i < 2, 1, log2(2) / log2(i))",
            "i / (i + 1)",
            "1.0001^i / i^50",
            "min(5000, i)",
        ] {
            assert_eq!(finite(text), Some(false), "{text}");
        }
        for text in ["(i + 1) - i", "log2(1 + 1 / i)", "log2(log2(i + 2))"] {
            assert_eq!(finite(text), None, "{text}");
        }
    }
}
