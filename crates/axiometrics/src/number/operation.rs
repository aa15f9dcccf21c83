//! The four operations on numbers of every kind that an exact number may be.

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::{BigRational, Ratio, Rational64};
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
    /// On fractions in lowest terms; `None` if machine words do not hold the result.
    pub(super) fn small(self, a: &Rational64, b: &Rational64) -> Option<Rational64> {
        let wide = |x: &Rational64| (i128::from(*x.numer()), i128::from(*x.denom()));
        let ((p, q), (r, s)) = (wide(a), wide(b));
        // Products of two words fit into two, and so does the sum of two products of a numerator
        // and a denominator.
        let (numerator, denominator) = match self {
            Operation::Add => (p * s + r * q, q * s),
            Operation::Sub => (p * s - r * q, q * s),
            Operation::Mul => (p * r, q * s),
            Operation::Div if r < 0 => (-p * s, -q * r),
            Operation::Div => (p * s, q * r),
        };
        let (numerator, denominator) = match (i64::try_from(numerator), i64::try_from(denominator))
        {
            (_, Ok(0)) => return None,
            (Ok(n), Ok(1)) => (n, 1),
            (Ok(n), Ok(d)) if n != i64::MIN => match n.gcd(&d) {
                1 => (n, d),
                common => (n / common, d / common),
            },
            _ => {
                let common = numerator.gcd(&denominator);
                let word = |x: i128| i64::try_from(x / common).ok();
                (word(numerator)?, word(denominator)?)
            }
        };
        (numerator != i64::MIN).then(|| Rational64::new_raw(numerator, denominator))
    }

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fraction() -> impl Strategy<Value = Rational64> {
        let part = prop_oneof![-9..=9i64, any::<i64>(), Just(i64::MAX), Just(-i64::MAX)];
        (part.clone(), part)
            .prop_filter("no such fraction", |(n, d)| *n != i64::MIN && *d != 0 && *d != i64::MIN)
            .prop_map(|(n, d)| Rational64::new(n, d))
    }

    proptest! {
        /// Machine words say what fractions of any length say, whenever they hold it.
        #[test]
        fn small_fractions_are_exact(a in fraction(), b in fraction()) {
            let long = |x: &Rational64| {
                BigRational::new(BigInt::from(*x.numer()), BigInt::from(*x.denom()))
            };
            for operation in [Operation::Add, Operation::Sub, Operation::Mul, Operation::Div] {
                if matches!(operation, Operation::Div) && b.is_zero() {
                    prop_assert_eq!(operation.small(&a, &b), None);
                    continue;
                }
                let expected = operation.rational(&long(&a), &long(&b)).reduced();
                let word = |x: &BigInt| i64::try_from(x).ok().filter(|x| *x != i64::MIN);
                let fits = word(expected.numer()).zip(word(expected.denom()));
                let expected = fits.map(|(n, d)| Rational64::new_raw(n, d));
                prop_assert_eq!(operation.small(&a, &b), expected, "{:?} {} {}", operation, a, b);
            }
        }
    }
}
