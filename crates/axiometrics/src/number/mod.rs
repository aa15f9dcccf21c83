//! The numbers a formula is written over.
//!
//! A measure's formula is written once, generic over [`Number`]: `f64` when runs are scored,
//! [`Exact`] when properties are decided. [`Exact`] is a rational that turns into a float as soon
//! as a logarithm or a root enters. What floats cannot tell apart is asked again within
//! [`precisely`]: there it turns into an interval of 77 digits ([`Real`]), which is far slower and
//! never guesses.

mod dyadic;
mod exact;
mod lasting;
mod operation;
mod real;
mod sum;

pub use exact::{Exact, precisely};
pub use lasting::LastingNumber;
pub use real::Real;
pub use sum::ExactSum;

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::LazyLock;

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
    /// How many terms of a sum without end are added before it is given up.
    fn patience() -> u32;
    /// A whole number.
    fn int(n: i64) -> Self;
    /// The decimal fraction that an `f64` prints as: a parameter `0.8` is 4/5, not the nearest
    /// binary fraction.
    fn decimal(x: f64) -> Self;
    /// Larger than every number.
    fn infinity() -> Self;
    /// A value that is known in floating point, within a share of itself. It is a function of the
    /// arguments: the same arguments give the same number.
    fn estimate(value: f64, error: f64, arguments: &[Self]) -> Self;
    /// A number that is known to be at least the one and at most the other; in floating point the
    /// first.
    fn between(low: Self, high: Self) -> Self;
    /// True if the part adds nothing to the whole that the digits could show.
    fn settled(part: &Self, whole: &Self) -> bool;
    /// A number that lasts: worked out now if it is not known yet.
    fn lasting(known: &LastingNumber, work_out: impl FnOnce() -> Self) -> Self;
    /// The nearest `f64`.
    fn to_f64(&self) -> f64;
    /// The logarithm to base two of a whole number, the discount of DCG.
    fn log2_int(n: u32) -> Self;
    /// The logarithm to base two.
    fn log2(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// e to this power.
    fn exp(self) -> Self;
    /// The sum of 1 / i over the whole numbers i above one, up to another that is no less.
    fn reciprocals(above: u32, to: u32) -> Self;
    /// The trigamma function of a number above 0: the sum over n >= 0 of 1 / (x + n)^2.
    fn trigamma(self) -> Self;
    /// A whole power.
    fn powi(self, exponent: u32) -> Self;
    /// The power whose exponent is this decimal fraction.
    fn powf(self, exponent: f64) -> Self;
    /// Any power.
    fn power(self, exponent: Self) -> Self;

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

/// A sum without end and without a closed form is given up after so many terms.
pub const PATIENCE: u32 = 1_000_000;

/// Runs are rarely deeper than this; beyond it the logarithm is computed.
const LOG_TABLE: usize = 4096;
static LOG2: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..LOG_TABLE).map(|n| (n as f64).log2()).collect());

/// Apart, since compilers take a logarithm ahead of a loop that may never ask for it.
#[cold]
#[inline(never)]
fn beyond_table(n: u32) -> f64 {
    f64::from(n).log2()
}

impl Number for f64 {
    fn patience() -> u32 {
        PATIENCE
    }
    fn int(n: i64) -> f64 {
        n as f64
    }
    fn decimal(x: f64) -> f64 {
        x
    }
    fn infinity() -> f64 {
        f64::INFINITY
    }
    fn estimate(value: f64, _error: f64, _arguments: &[f64]) -> f64 {
        value
    }
    fn between(low: f64, _high: f64) -> f64 {
        low
    }
    fn settled(part: &f64, whole: &f64) -> bool {
        whole + part == *whole
    }
    fn lasting(known: &LastingNumber, work_out: impl FnOnce() -> f64) -> f64 {
        *known.float.get_or_init(work_out)
    }
    fn to_f64(&self) -> f64 {
        *self
    }
    #[inline]
    fn log2_int(n: u32) -> f64 {
        LOG2.get(n as usize).copied().unwrap_or_else(|| beyond_table(n))
    }
    fn log2(self) -> f64 {
        if self >= 1.0 && self.fract() == 0.0 && self < LOG_TABLE as f64 {
            LOG2[self as usize]
        } else {
            f64::log2(self)
        }
    }
    fn ln(self) -> f64 {
        f64::ln(self)
    }
    fn exp(self) -> f64 {
        f64::exp(self)
    }
    /// The first terms are added one by one; the rest is a difference of two values of the asymptotic
    /// series, whose next term is below 1e-17 (Abramowitz and Stegun 6.3.18).
    fn reciprocals(above: u32, to: u32) -> f64 {
        const COUNTED: u32 = 64;
        let counted = to.min(above.max(COUNTED));
        let sum = (above + 1..=counted).rev().map(|i| 1.0 / f64::from(i)).sum();
        if counted == to {
            return sum;
        }
        let (low, high) = (f64::from(counted), f64::from(to));
        let beside_logarithm = |x: f64| {
            let square = 1.0 / (x * x);
            0.5 / x - square * (1.0 / 12.0 - square * (1.0 / 120.0 - square / 252.0))
        };
        sum + ((high - low) / low).ln_1p() + (beside_logarithm(high) - beside_logarithm(low))
    }
    /// Ten terms are taken one by one, the rest by the asymptotic series (Abramowitz and Stegun
    /// 6.4.12).
    fn trigamma(self) -> f64 {
        const BERNOULLI: [f64; 7] = [
            1.0 / 6.0,
            -1.0 / 30.0,
            1.0 / 42.0,
            -1.0 / 30.0,
            5.0 / 66.0,
            -691.0 / 2730.0,
            7.0 / 6.0,
        ];
        let head: f64 = (0..10).rev().map(|n| 1.0 / (self + f64::from(n)).powi(2)).sum();
        let inverse = 1.0 / (self + 10.0);
        let square = inverse * inverse;
        let series = BERNOULLI.iter().rev().fold(0.0, |sum, b| (sum + b) * square);
        inverse * (series + 1.0 + inverse / 2.0) + head
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
    fn power(self, exponent: f64) -> f64 {
        if exponent.fract() == 0.0 && exponent.abs() <= 1024.0 {
            let whole = f64::powi(self, exponent.abs() as i32);
            return if exponent < 0.0 && self != 0.0 { 1.0 / whole } else { whole };
        }
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
#[cfg(test)]
mod tests {
    use super::*;

    /// Sums far and near, short and long, against the sum one by one; those of a few hundred terms
    /// are rationals.
    #[test]
    fn sums_of_reciprocals() {
        for (above, to) in [
            (0, 0),
            (0, 1),
            (0, 63),
            (3, 300),
            (64, 70),
            (99, 2000),
            (0, 20_000),
            (999_990, 1_000_000),
            (4_294_967_290, u32::MAX),
        ] {
            let one_by_one: f64 = (above..to).rev().map(|i| 1.0 / (f64::from(i) + 1.0)).sum();
            let exact = Exact::reciprocals(above, to);
            let precise = precisely(|| Exact::reciprocals(above, to).to_f64()).unwrap();
            for found in [f64::reciprocals(above, to), exact.to_f64(), precise] {
                assert!(
                    (found - one_by_one).abs() <= 4e-15 * one_by_one,
                    "{above} {to}: {found} {one_by_one}"
                );
            }
            assert_eq!(exact.is_exact(), to <= 300 || to - above <= 10, "{above} {to}");
        }
        // Euler's constant is what H(n) is beside ln n + 1 / (2 n).
        let n = f64::from(u32::MAX);
        let gamma = f64::reciprocals(0, u32::MAX) - n.ln() - 0.5 / n;
        assert!((gamma - 0.577_215_664_901_532_9).abs() < 1e-14, "{gamma}");
    }

    /// To all digits, and equal formulas are known to be equal.
    #[test]
    fn precise_sums_of_reciprocals() {
        precisely(|| {
            for (from, middle, to) in [(0, 400, 1000), (10, 20_000, 30_000), (70, 5000, u32::MAX)] {
                let parts = Exact::reciprocals(from, middle) + Exact::reciprocals(middle, to);
                assert_eq!(parts, Exact::reciprocals(from, to));
            }
            let one_by_one = (1..=1000).fold(Exact::zero(), |sum, i| sum + Exact::ratio(1, i));
            assert_eq!(one_by_one, Exact::reciprocals(0, 1000));
            let apart = (one_by_one - Exact::reciprocals(1, 1000) - Exact::one()).to_f64();
            assert!(apart.abs() < 1e-70, "{apart}");
        })
        .unwrap();
    }

    #[test]
    fn trigamma_at_known_points() {
        let pi2 = std::f64::consts::PI.powi(2);
        for (x, value) in [
            (1.0, pi2 / 6.0),
            (0.5, pi2 / 2.0),
            (2.0, pi2 / 6.0 - 1.0),
            (3.0, pi2 / 6.0 - 1.25),
            (1.5, pi2 / 2.0 - 4.0),
        ] {
            let (float, exact) =
                (x.trigamma(), precisely(|| Exact::decimal(x).trigamma().to_f64()).unwrap());
            assert!((float - value).abs() < 2e-15 * value, "{x}: {float} {value}");
            assert!((exact - value).abs() < 2e-15 * value, "{x}: {exact} {value}");
        }
        // psi1(x) - psi1(x + 1) = 1/x^2
        for x in [1e-3f64, 0.1, 7.3, 250.0, 1e6] {
            let difference = x.trigamma() - (x + 1.0).trigamma();
            assert!((difference * x * x - 1.0).abs() < 1e-14 * (1.0 + x * 10.0), "{x}");
            let apart = precisely(|| {
                let x = Exact::decimal(x);
                let step = Exact::one() / x.clone().powi(2);
                let next = (x.clone() + Exact::one()).trigamma();
                (x.trigamma() - step - next).to_f64().abs()
            });
            assert!(apart.is_some_and(|apart| apart < 1e-70), "{x}");
        }
    }
}
