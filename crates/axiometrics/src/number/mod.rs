//! The numbers a formula is written over.
//!
//! A measure's formula is written once, generic over [`Number`]: `f64` when runs are scored,
//! [`Exact`] when properties are decided. [`Exact`] is a rational that turns into an `f64` as soon
//! as a logarithm or a root enters; the checker asks [`Exact::is_exact`] and states a tolerance
//! where the answer is no.

mod sum;

pub use sum::ExactSum;

use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::LazyLock;

use num_bigint::BigInt;
use num_rational::{BigRational, Rational64};
use num_traits::{
    CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, FromPrimitive, ToPrimitive, Zero,
};

/// What a formula may do with its numbers.
pub trait Number:
    Clone
    + Debug
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    /// A whole number.
    fn int(n: i64) -> Self;
    /// The decimal fraction that an `f64` prints as: a parameter `0.8` is 4/5, not the nearest
    /// binary fraction.
    fn decimal(x: f64) -> Self;
    /// The value of a function that leaves the rationals, computed in floating point.
    fn approx(x: f64) -> Self;
    /// The nearest `f64`.
    fn to_f64(&self) -> f64;
    /// The logarithm to base two of a whole number, the discount of DCG.
    fn log2_int(n: u32) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// A whole power.
    fn powi(self, exponent: u32) -> Self;
    /// Any real power.
    fn powf(self, exponent: f64) -> Self;

    /// Nothing.
    fn zero() -> Self {
        Self::int(0)
    }
    /// The unit.
    fn one() -> Self {
        Self::int(1)
    }
    /// A rank or a count.
    fn count(n: u32) -> Self {
        Self::int(i64::from(n))
    }
    /// True for zero.
    fn is_zero(&self) -> bool {
        *self == Self::zero()
    }
    /// The larger of two.
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
    /// The smaller of two.
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
}

/// Runs are rarely deeper than this; beyond it the logarithm is computed.
const LOG_TABLE: usize = 4096;
static LOG2: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..LOG_TABLE).map(|n| (n as f64).log2()).collect());

impl Number for f64 {
    fn int(n: i64) -> f64 {
        n as f64
    }
    fn decimal(x: f64) -> f64 {
        x
    }
    fn approx(x: f64) -> f64 {
        x
    }
    fn to_f64(&self) -> f64 {
        *self
    }
    fn log2_int(n: u32) -> f64 {
        LOG2.get(n as usize).copied().unwrap_or_else(|| f64::from(n).log2())
    }
    fn ln(self) -> f64 {
        f64::ln(self)
    }
    fn powi(self, exponent: u32) -> f64 {
        match i32::try_from(exponent) {
            Ok(e) => f64::powi(self, e),
            Err(_) => f64::powf(self, f64::from(exponent)),
        }
    }
    fn powf(self, exponent: f64) -> f64 {
        f64::powf(self, exponent)
    }
}

/// A number as a person writes it by hand: quarters as fractions.
pub fn fraction(x: f64) -> String {
    match x {
        0.25 => "1/4".into(),
        0.5 => "1/2".into(),
        0.75 => "3/4".into(),
        x => format!("{x}"),
    }
}

/// The harmonic mean of two numbers that are not negative, 0 if both are 0.
pub fn harmonic<N: Number>(a: N, b: N) -> N {
    let sum = a.clone() + b.clone();
    if sum.is_zero() { sum } else { N::int(2) * a * b / sum }
}

/// The weighted harmonic mean of precision and recall, in which recall is `beta` times as important
/// (van Rijsbergen 1979): (1 + b^2) P R/(b^2 P + R), 0 if both are 0.
pub fn f_beta<N: Number>(precision: N, recall: N, beta: N) -> N {
    let square = beta.clone() * beta;
    let sum = square.clone() * precision.clone() + recall.clone();
    if sum.is_zero() { sum } else { (N::one() + square) * precision * recall / sum }
}

/// A rational, or an approximation where the formula left the rationals.
#[derive(Debug, Clone)]
pub enum Exact {
    /// Exactly this, and small enough for machine words: nearly all scores that the checker sees.
    Small(Rational64),
    /// Exactly this.
    Ratio(BigRational),
    /// This within rounding: a logarithm or a root took part.
    Approx(f64),
}

impl Exact {
    /// A fraction of whole numbers. The denominator must not be zero.
    pub fn ratio(numerator: i64, denominator: i64) -> Exact {
        Exact::int(numerator) / Exact::int(denominator)
    }

    /// True where no rounding took part.
    pub fn is_exact(&self) -> bool {
        !matches!(self, Exact::Approx(_))
    }

    /// The rational, if it is one.
    fn rational(&self) -> Option<BigRational> {
        match self {
            Exact::Small(a) => Some(BigRational::new_raw((*a.numer()).into(), (*a.denom()).into())),
            Exact::Ratio(a) => Some(a.clone()),
            Exact::Approx(_) => None,
        }
    }

    fn combine(
        self,
        other: Exact,
        small: fn(&Rational64, &Rational64) -> Option<Rational64>,
        exact: fn(BigRational, BigRational) -> BigRational,
        approx: fn(f64, f64) -> f64,
    ) -> Exact {
        if let (Exact::Small(a), Exact::Small(b)) = (&self, &other)
            && let Some(c) = small(a, b).filter(|c| *c.numer() != i64::MIN)
        {
            return Exact::Small(c);
        }
        match (self.rational(), other.rational()) {
            (Some(a), Some(b)) => Exact::Ratio(exact(a, b)),
            _ => Exact::Approx(approx(self.to_f64(), other.to_f64())),
        }
    }
}

impl Add for Exact {
    type Output = Exact;
    fn add(self, other: Exact) -> Exact {
        self.combine(other, CheckedAdd::checked_add, |a, b| a + b, |a, b| a + b)
    }
}
impl Sub for Exact {
    type Output = Exact;
    fn sub(self, other: Exact) -> Exact {
        self.combine(other, CheckedSub::checked_sub, |a, b| a - b, |a, b| a - b)
    }
}
impl Mul for Exact {
    type Output = Exact;
    fn mul(self, other: Exact) -> Exact {
        self.combine(other, CheckedMul::checked_mul, |a, b| a * b, |a, b| a * b)
    }
}
impl Div for Exact {
    type Output = Exact;
    /// Dividing by zero gives an infinity or NaN, as with `f64`; formulas return `Undefined` before
    /// it comes to that.
    fn div(self, other: Exact) -> Exact {
        if other.is_zero() {
            return Exact::Approx(self.to_f64() / 0.0);
        }
        self.combine(other, CheckedDiv::checked_div, |a, b| a / b, |a, b| a / b)
    }
}
impl Neg for Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        match self {
            Exact::Small(a) => Exact::Small(-a),
            Exact::Ratio(a) => Exact::Ratio(-a),
            Exact::Approx(a) => Exact::Approx(-a),
        }
    }
}
impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}
impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Exact) -> Option<Ordering> {
        if let (Exact::Small(a), Exact::Small(b)) = (self, other) {
            return Some(a.cmp(b));
        }
        match (self.rational(), other.rational()) {
            (Some(a), Some(b)) => Some(a.cmp(&b)),
            _ => self.to_f64().partial_cmp(&other.to_f64()),
        }
    }
}

impl Number for Exact {
    fn int(n: i64) -> Exact {
        if n == i64::MIN {
            Exact::Ratio(BigRational::from_integer(BigInt::from(n)))
        } else {
            Exact::Small(Rational64::from_integer(n))
        }
    }
    fn decimal(x: f64) -> Exact {
        // Whole numbers, which nearly all are, need not be printed and read.
        if x.fract() == 0.0 && x.abs() < 1e15 {
            return Exact::int(x as i64);
        }
        shortest_decimal(x).map_or(Exact::Approx(x), |ratio| {
            match (ratio.numer().to_i64(), ratio.denom().to_i64()) {
                (Some(a), Some(b)) if a != i64::MIN => Exact::Small(Rational64::new_raw(a, b)),
                _ => Exact::Ratio(ratio),
            }
        })
    }
    fn approx(x: f64) -> Exact {
        Exact::Approx(x)
    }
    fn to_f64(&self) -> f64 {
        match self {
            Exact::Small(a) => *a.numer() as f64 / *a.denom() as f64,
            Exact::Ratio(a) => a.to_f64().unwrap_or(f64::NAN),
            Exact::Approx(a) => *a,
        }
    }
    fn log2_int(n: u32) -> Exact {
        if n.is_power_of_two() {
            Exact::int(i64::from(n.trailing_zeros()))
        } else {
            Exact::Approx(f64::log2_int(n))
        }
    }
    fn ln(self) -> Exact {
        if self == Exact::one() { Exact::zero() } else { Exact::Approx(self.to_f64().ln()) }
    }
    fn powi(self, exponent: u32) -> Exact {
        if let Exact::Small(a) = &self
            && let Some(power) =
                num_traits::checked_pow(*a, exponent as usize).filter(|p| *p.numer() != i64::MIN)
        {
            return Exact::Small(power);
        }
        match (self.rational(), i32::try_from(exponent)) {
            (Some(a), Ok(e)) => Exact::Ratio(a.pow(e)),
            _ => Exact::Approx(Number::powi(self.to_f64(), exponent)),
        }
    }
    fn powf(self, exponent: f64) -> Exact {
        if exponent >= 0.0 && exponent.fract() == 0.0 && exponent <= 1024.0 {
            return self.powi(exponent as u32);
        }
        Exact::Approx(self.to_f64().powf(exponent))
    }
    fn is_zero(&self) -> bool {
        match self {
            Exact::Small(a) => a.is_zero(),
            Exact::Ratio(a) => a.is_zero(),
            Exact::Approx(a) => *a == 0.0,
        }
    }
}

/// `0.8` as 4/5: the digits of the shortest text that reads back as `x`.
fn shortest_decimal(x: f64) -> Option<BigRational> {
    if !x.is_finite() {
        return None;
    }
    let text = format!("{x}");
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits: BigInt = format!("{whole}{fraction}").parse().ok()?;
    let denominator = num_traits::pow(BigInt::from_u8(10)?, fraction.len());
    Some(BigRational::new(digits, denominator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_what_was_typed() {
        assert_eq!(Exact::decimal(0.8), Exact::ratio(4, 5));
        assert_eq!(Exact::decimal(-0.25), Exact::ratio(-1, 4));
        assert_eq!(Exact::decimal(1e-5), Exact::ratio(1, 100_000));
        assert_eq!(Exact::decimal(3.0), Exact::int(3));
    }

    #[test]
    fn logarithms_leave_the_rationals_and_powers_of_two_stay() {
        assert!(Exact::log2_int(8).is_exact());
        assert!(!(Exact::log2_int(3) + Exact::one()).is_exact());
        assert!((Exact::log2_int(3).to_f64() - 3f64.log2()).abs() < 1e-15);
    }

    #[test]
    fn large_rationals_stay_exact() {
        let big = Exact::int(i64::MAX) * Exact::int(i64::MAX);
        assert!(big.is_exact() && matches!(big, Exact::Ratio(_)));
        assert_eq!(big / Exact::int(i64::MAX), Exact::int(i64::MAX));
        assert_eq!(Exact::int(i64::MIN) + Exact::one(), -Exact::int(i64::MAX));
        assert_eq!(Exact::int(i64::MIN) - Exact::one() + Exact::one(), Exact::int(i64::MIN));
        let tiny = Exact::ratio(1, 3).powi(80);
        assert!(tiny > Exact::zero() && tiny < Exact::ratio(1, i64::MAX));
        assert_eq!(Exact::ratio(1, 3).powi(80), Exact::one() / Exact::int(3).powi(80));
        assert_eq!(Exact::decimal(0.1) + Exact::decimal(0.2), Exact::decimal(0.3));
    }

    #[test]
    fn a_rational_sum_is_exact() {
        let third = Exact::ratio(1, 3);
        assert_eq!(third.clone() + third.clone() + third, Exact::one());
    }
}
