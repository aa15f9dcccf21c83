//! The four operations on numbers of every kind that an exact number may be.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Signed, Zero};

use super::real::Real;

/// What can be done with two numbers, of any kind.
#[derive(Debug, Clone, Copy)]
pub(super) enum Operation {
    Add,
    Sub,
    Mul,
    Div,
}

impl Operation {
    /// `None` if machine words do not hold the result.
    pub(super) fn checked<T>(self, a: &Ratio<T>, b: &Ratio<T>) -> Option<Ratio<T>>
    where
        T: Clone + Integer + CheckedAdd + CheckedSub + CheckedMul,
    {
        match self {
            Operation::Add => a.checked_add(b),
            Operation::Sub => a.checked_sub(b),
            Operation::Mul => a.checked_mul(b),
            Operation::Div => a.checked_div(b),
        }
    }

    /// The result need not be in lowest terms. To look for common divisors costs far more than all
    /// the rest, and denominators that are powers of one number, as in most sums, have them at hand.
    pub(super) fn rational(self, a: &BigRational, b: &BigRational) -> BigRational {
        let (numerator, denominator) = match self {
            Operation::Add | Operation::Sub => {
                let (x, y, denominator) = with_one_denominator(a, b);
                (if matches!(self, Operation::Add) { x + y } else { x - y }, denominator)
            }
            Operation::Mul => (a.numer() * b.numer(), a.denom() * b.denom()),
            Operation::Div => {
                let (x, y) = (a.numer() * b.denom(), a.denom() * b.numer());
                if y.is_negative() { (-x, -y) } else { (x, y) }
            }
        };
        BigRational::new_raw(numerator, denominator)
    }

    pub(super) fn real(self, a: &Real, b: &Real) -> Option<Real> {
        match self {
            Operation::Add => Some(a.add(b)),
            Operation::Sub => Some(a.add(&b.neg())),
            Operation::Mul => Some(a.mul(b)),
            Operation::Div => a.div(b),
        }
    }

    pub(super) fn float(self, a: f64, b: f64) -> f64 {
        match self {
            Operation::Add => a + b,
            Operation::Sub => a - b,
            Operation::Mul => a * b,
            Operation::Div => a / b,
        }
    }
}

/// Two numerators, and the denominator that they have in common then.
fn with_one_denominator(a: &BigRational, b: &BigRational) -> (BigInt, BigInt, BigInt) {
    let whole = |of: &BigInt, by: &BigInt| {
        let (times, rest) = of.div_rem(by);
        rest.is_zero().then_some(times)
    };
    if let Some(times) = whole(a.denom(), b.denom()) {
        return (a.numer().clone(), b.numer() * times, a.denom().clone());
    }
    if let Some(times) = whole(b.denom(), a.denom()) {
        return (a.numer() * times, b.numer().clone(), b.denom().clone());
    }
    let common = a.denom().gcd(b.denom());
    let (for_a, for_b) = (b.denom() / &common, a.denom() / &common);
    (a.numer() * &for_a, b.numer() * for_b, a.denom() * for_a)
}
