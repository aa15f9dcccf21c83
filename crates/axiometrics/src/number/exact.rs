//! Numbers that know when they are equal: rationals, and what they become when a logarithm or a
//! root takes part.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::sync::LazyLock;

use num_bigint::BigInt;
use num_rational::{BigRational, Ratio, Rational64};
use num_traits::{FromPrimitive, ToPrimitive, Zero};

use super::operation::Operation;
use super::real::Real;
use super::{LastingNumber, Number};

/// A rational, or an approximation if the formula left the rationals: a float, which is fast and
/// good for all but near ties, or, within [`precisely`], an interval of some 77 digits.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Exact {
    /// Exactly this, and small enough for machine words: nearly all scores that the checker sees.
    Small(Rational64),
    /// Exactly this, not always in lowest terms.
    Ratio(Box<BigRational>),
    /// This within rounding; within [`precisely`] only what is infinite or (NaN) not known.
    Approx(f64),
    /// Somewhere in an interval.
    Real(Box<Real>),
}

/// Rationals whose fraction has more bits than this cost too much: they go on as floats, or within
/// [`precisely`] as reals, which still know equals.
const LONGEST: u64 = 1024;

fn is_long(x: &BigRational) -> bool {
    x.numer().bits() + x.denom().bits() > LONGEST
}

thread_local! {
    static PRECISE: Cell<bool> = const { Cell::new(false) };
    static DOUBT: Cell<bool> = const { Cell::new(false) };
}

/// Does something with intervals in the place of floats, some hundred times slower.
///
/// Comparisons are true or not made: two numbers that are too near to tell, and not the same
/// formula, have no order. If that happened on the way what came out means nothing, and it is
/// `None`.
pub fn precisely<T>(work: impl FnOnce() -> T) -> Option<T> {
    let before = (PRECISE.replace(true), DOUBT.replace(false));
    let value = work();
    PRECISE.set(before.0);
    (!DOUBT.replace(before.1)).then_some(value)
}

fn precise() -> bool {
    PRECISE.get()
}

fn doubt() {
    DOUBT.set(true);
}

impl Exact {
    /// A fraction of whole numbers. The denominator must not be zero.
    pub fn ratio(numerator: i64, denominator: i64) -> Exact {
        Exact::int(numerator) / Exact::int(denominator)
    }

    /// True for a rational.
    pub fn is_exact(&self) -> bool {
        matches!(self, Exact::Small(_) | Exact::Ratio(_))
    }

    /// The rational in lowest terms, if it is one.
    pub fn rational(&self) -> Option<BigRational> {
        match self.fraction()? {
            Cow::Borrowed(long) => Some(long.reduced()),
            Cow::Owned(small) => Some(small),
        }
    }

    /// The rational as it stands, if it is one.
    fn fraction(&self) -> Option<Cow<'_, BigRational>> {
        match self {
            Exact::Small(a) => {
                let (numerator, denominator) = (*a.numer(), *a.denom());
                Some(Cow::Owned(BigRational::new_raw(numerator.into(), denominator.into())))
            }
            Exact::Ratio(a) => Some(Cow::Borrowed(a)),
            Exact::Real(_) | Exact::Approx(_) => None,
        }
    }

    /// The same, as machine words if they hold it.
    fn in_lowest_terms(self) -> Exact {
        match self {
            Exact::Ratio(a) => Exact::from_rational(a.reduced()),
            other => other,
        }
    }

    fn real(&self) -> Option<Cow<'_, Real>> {
        match self {
            Exact::Real(real) => Some(Cow::Borrowed(real)),
            Exact::Approx(_) => None,
            rational => rational.rational().map(|x| Cow::Owned(Real::rational(&x))),
        }
    }

    /// A fraction in lowest terms, or a short one.
    fn from_rational(x: BigRational) -> Exact {
        match (x.numer().to_i64(), x.denom().to_i64()) {
            (Some(a), Some(b)) if a != i64::MIN => Exact::Small(Rational64::new(a, b)),
            _ if is_long(&x) => {
                Exact::outside(|| Some(Real::rational(&x)), || x.to_f64().unwrap_or(f64::NAN))
            }
            _ => Exact::Ratio(Box::new(x)),
        }
    }

    /// An interval within [`precisely`], or else the float.
    fn outside(real: impl FnOnce() -> Option<Real>, float: impl FnOnce() -> f64) -> Exact {
        if precise() { Exact::or_unknown(real()) } else { Exact::Approx(finite(float())) }
    }

    /// What floats made of a number beyond the rationals. Within [`precisely`] only infinities are
    /// known as floats, so a finite result would be a guess.
    fn float(x: f64) -> Exact {
        if precise() && x.is_finite() { Exact::or_unknown(None) } else { Exact::Approx(x) }
    }

    /// Whether this is an infinity.
    fn is_infinite(&self) -> bool {
        matches!(self, Exact::Approx(x) if x.is_infinite())
    }

    /// Whether this number to an infinite power is nothing, or an infinity to this power.
    fn vanishes(&self, exponent: &Exact) -> bool {
        if self.is_infinite() {
            return exponent.sign() == Some(Ordering::Less);
        }
        if !exponent.is_infinite() {
            return false;
        }
        let size = if self.sign() == Some(Ordering::Less) { -self.clone() } else { self.clone() };
        let wanted = match exponent.sign() {
            Some(Ordering::Less) => Ordering::Greater,
            _ => Ordering::Less,
        };
        size.partial_cmp(&Exact::one()) == Some(wanted)
    }

    fn or_unknown(real: Option<Real>) -> Exact {
        real.map_or_else(
            || {
                doubt();
                Exact::Approx(f64::NAN)
            },
            Exact::from,
        )
    }

    /// The fraction of 128 bits that this is, if it is one.
    fn wide(&self) -> Option<Ratio<i128>> {
        match self {
            Exact::Small(a) => Some(Ratio::new_raw(i128::from(*a.numer()), i128::from(*a.denom()))),
            Exact::Ratio(a) => Some(Ratio::new_raw(a.numer().to_i128()?, a.denom().to_i128()?)),
            Exact::Real(_) | Exact::Approx(_) => None,
        }
    }

    fn combine(self, other: Exact, operation: Operation) -> Exact {
        if let (Exact::Small(a), Exact::Small(b)) = (&self, &other)
            && let Some(c) = operation.small(a, b)
        {
            return Exact::Small(c);
        }
        if matches!(self, Exact::Approx(_)) || matches!(other, Exact::Approx(_)) {
            return Exact::float(operation.float(self.to_f64(), other.to_f64()));
        }
        // Divisors in common are found many times faster in machine words.
        if let (Some(a), Some(b)) = (self.wide(), other.wide())
            && let Some(c) = operation.checked(&a, &b).filter(|c| *c.numer() != i128::MIN)
        {
            let (numerator, denominator) = c.into();
            return Exact::from_rational(BigRational::new_raw(
                numerator.into(),
                denominator.into(),
            ));
        }
        if let (Some(a), Some(b)) = (self.fraction(), other.fraction()) {
            let x = operation.rational(&a, &b);
            return Exact::from_rational(if is_long(&x) { x.reduced() } else { x });
        }
        if precise()
            && let (Some(a), Some(b)) = (self.real(), other.real())
        {
            return Exact::or_unknown(operation.real(&a, &b));
        }
        Exact::Approx(operation.float(self.to_f64(), other.to_f64()))
    }

    fn sign(&self) -> Option<Ordering> {
        match self {
            Exact::Small(a) => Some(a.numer().cmp(&0)),
            Exact::Ratio(a) => Some((**a).cmp(&BigRational::zero())),
            Exact::Real(a) => a.sign(),
            Exact::Approx(a) => a.partial_cmp(&0.0),
        }
    }
}

impl From<Real> for Exact {
    fn from(real: Real) -> Exact {
        Exact::Real(Box::new(real))
    }
}

impl Add for Exact {
    type Output = Exact;
    fn add(self, other: Exact) -> Exact {
        self.combine(other, Operation::Add)
    }
}
impl Sub for Exact {
    type Output = Exact;
    fn sub(self, other: Exact) -> Exact {
        self.combine(other, Operation::Sub)
    }
}
impl Mul for Exact {
    type Output = Exact;
    fn mul(self, other: Exact) -> Exact {
        self.combine(other, Operation::Mul)
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
        if other.is_infinite() && self.to_f64().is_finite() {
            return Exact::zero();
        }
        self.combine(other, Operation::Div)
    }
}
impl Neg for Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        match self {
            Exact::Small(a) => Exact::Small(-a),
            Exact::Ratio(a) => Exact::Ratio(Box::new(-*a)),
            Exact::Real(a) => a.neg().into(),
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
            // Machine words of twice the length hold every product.
            let product = |x: &i64, y: &i64| i128::from(*x) * i128::from(*y);
            return Some(product(a.numer(), b.denom()).cmp(&product(b.numer(), a.denom())));
        }
        if self.is_exact() && other.is_exact() {
            return Some(self.fraction()?.cmp(&other.fraction()?));
        }
        let reals = if precise() { self.real().zip(other.real()) } else { None };
        let order = match reals {
            Some((a, b)) => a.order(&b),
            None if precise() && !self.is_infinite() && !other.is_infinite() => None,
            None => self.to_f64().partial_cmp(&other.to_f64()),
        };
        if order.is_none() {
            doubt();
        }
        order
    }
}

impl Number for Exact {
    fn patience() -> u32 {
        if precise() { 4096 } else { f64::patience() }
    }
    fn int(n: i64) -> Exact {
        if n == i64::MIN {
            Exact::Ratio(Box::new(BigRational::from_integer(BigInt::from(n))))
        } else {
            Exact::Small(Rational64::from_integer(n))
        }
    }
    fn decimal(x: f64) -> Exact {
        // Whole numbers, which nearly all are, need not be printed and read.
        if x.fract() == 0.0 && x.abs() < 1e15 {
            return Exact::int(x as i64);
        }
        // Parameters of measures, which are asked for again and again.
        thread_local! {
            static KNOWN: RefCell<HashMap<u64, Rational64>> = RefCell::default();
        }
        if let Some(known) = KNOWN.with_borrow(|known| known.get(&x.to_bits()).copied()) {
            return Exact::Small(known);
        }
        let decimal = shortest_decimal(x).map_or(Exact::Approx(x), Exact::from_rational);
        if let Exact::Small(small) = decimal {
            KNOWN.with_borrow_mut(|known| {
                if known.len() >= MANY {
                    known.clear();
                }
                known.insert(x.to_bits(), small);
            });
        }
        decimal
    }
    fn infinity() -> Exact {
        Exact::Approx(f64::INFINITY)
    }
    fn estimate(value: f64, error: f64, arguments: &[Exact]) -> Exact {
        if !precise() || !value.is_finite() {
            return Exact::Approx(value);
        }
        let real = |x: &Exact| x.real().map(Cow::into_owned);
        match arguments.iter().map(real).collect::<Option<Vec<Real>>>() {
            Some(arguments) => Real::estimate(value, error, &arguments).into(),
            None => Exact::or_unknown(None),
        }
    }
    fn between(low: Exact, high: Exact) -> Exact {
        if !precise() {
            return low;
        }
        Exact::or_unknown(low.real().zip(high.real()).map(|(a, b)| Real::between(&a, &b)))
    }
    fn lasting(known: &LastingNumber, work_out: impl FnOnce() -> Exact) -> Exact {
        let known = if precise() { &known.precise } else { &known.exact };
        known.get_or_init(work_out).clone()
    }
    fn settled(part: &Exact, whole: &Exact) -> bool {
        if !precise() {
            return f64::settled(&part.to_f64(), &whole.to_f64());
        }
        part.to_f64().abs() <= whole.to_f64().abs() * 2f64.powi(-280)
    }
    fn to_f64(&self) -> f64 {
        match self {
            Exact::Small(a) => *a.numer() as f64 / *a.denom() as f64,
            Exact::Ratio(a) => a.to_f64().unwrap_or(f64::NAN),
            Exact::Real(a) => a.to_f64(),
            Exact::Approx(a) => *a,
        }
    }
    fn log2_int(n: u32) -> Exact {
        if n.is_power_of_two() {
            Exact::int(i64::from(n.trailing_zeros()))
        } else if n == 0 {
            Exact::Approx(f64::NEG_INFINITY)
        } else {
            Exact::outside(|| Real::log2(n), || f64::log2_int(n))
        }
    }
    fn log2(self) -> Exact {
        let number = self.in_lowest_terms();
        match &number {
            Exact::Small(a) if *a.denom() == 1 && u32::try_from(*a.numer()).is_ok() => {
                Exact::log2_int(*a.numer() as u32)
            }
            _ if !precise() => Exact::Approx(number.to_f64().log2()),
            _ => number.ln() / Exact::int(2).ln(),
        }
    }
    fn ln(self) -> Exact {
        match self.sign() {
            Some(Ordering::Greater) => {}
            Some(Ordering::Equal) => return Exact::Approx(f64::NEG_INFINITY),
            Some(Ordering::Less) => return Exact::Approx(f64::NAN),
            None => return Exact::or_unknown(None),
        }
        let number = self.in_lowest_terms();
        match &number {
            Exact::Small(a) if *a == Rational64::from_integer(1) => Exact::zero(),
            Exact::Approx(a) => Exact::Approx(a.ln()),
            Exact::Real(a) => Exact::or_unknown(a.ln()),
            _ => Exact::outside(
                || number.rational().and_then(|x| Real::ln_rational(&x)),
                || number.to_f64().ln(),
            ),
        }
    }
    fn exp(self) -> Exact {
        match &self {
            Exact::Approx(f64::NEG_INFINITY) => Exact::zero(),
            Exact::Approx(a) => Exact::float(a.exp()),
            _ if self.is_zero() => Exact::one(),
            _ => {
                let real = || match self.rational() {
                    Some(x) => Real::exp_rational(&x),
                    None => self.real().and_then(|x| x.exp()),
                };
                Exact::outside(real, || self.to_f64().exp())
            }
        }
    }
    fn reciprocals(above: u32, to: u32) -> Exact {
        // Few terms are rational wherever they stand, and many from the first on.
        if to - above <= FEW {
            return (above..to).fold(Exact::zero(), |sum, i| {
                sum + Exact::one() / (Exact::count(i) + Exact::one())
            });
        }
        match (HARMONIC.get(above as usize), HARMONIC.get(to as usize)) {
            (Some(a), Some(b)) => Exact::from_rational(b - a),
            _ => Exact::outside(
                || Some(Real::harmonic(to)?.add(&Real::harmonic(above)?.neg())),
                || f64::reciprocals(above, to),
            ),
        }
    }
    fn trigamma(self) -> Exact {
        let real = || match self.rational() {
            Some(x) => Real::trigamma_rational(&x),
            None => self.real().and_then(|x| x.trigamma()),
        };
        Exact::outside(real, || self.to_f64().trigamma())
    }
    fn powi(self, exponent: u32) -> Exact {
        if let Exact::Small(a) = &self
            && let Some(power) =
                num_traits::checked_pow(*a, exponent as usize).filter(|p| *p.numer() != i64::MIN)
        {
            return Exact::Small(power);
        }
        let long = |x: &BigRational| {
            precise()
                && x.numer().bits().max(x.denom().bits()).saturating_mul(u64::from(exponent))
                    > LONGEST
        };
        match (self.rational().filter(|x| !long(x)), i32::try_from(exponent)) {
            (Some(a), Ok(e)) => Exact::from_rational(a.pow(e)),
            _ if exponent == 0 => Exact::one(),
            _ if matches!(self, Exact::Approx(_)) => {
                let power = Number::powi(self.to_f64(), exponent);
                Exact::float(if self.is_infinite() { power } else { finite(power) })
            }
            _ => Exact::outside(
                || Some(self.real()?.powi(exponent)),
                || Number::powi(self.to_f64(), exponent),
            ),
        }
    }
    fn powf(self, exponent: f64) -> Exact {
        self.power(Exact::decimal(exponent))
    }
    fn power(self, exponent: Exact) -> Exact {
        if self.vanishes(&exponent) {
            return Exact::zero();
        }
        let whole = exponent.rational().filter(|e| e.is_integer()).and_then(|e| e.to_i64());
        if let Some(e) = whole.filter(|e| e.unsigned_abs() <= LARGEST_POWER) {
            let power = self.clone().powi(e.unsigned_abs() as u32);
            return if e < 0 && !self.is_zero() { Exact::one() / power } else { power };
        }
        // Nothing to a power above zero and one to any power are themselves, which no logarithm says
        // exactly.
        if self.is_exact()
            && (self == Exact::one()
                || (self.is_zero() && exponent.sign() == Some(Ordering::Greater)))
        {
            return self;
        }
        if matches!(self, Exact::Approx(_)) || matches!(exponent, Exact::Approx(_)) {
            return Exact::float(self.to_f64().powf(exponent.to_f64()));
        }
        let real = || match (self.rational(), exponent.rational()) {
            (Some(x), Some(e)) => Real::power_rational(&x, &e),
            _ => self.real()?.power(exponent.real()?.as_ref()),
        };
        Exact::outside(real, || self.to_f64().powf(exponent.to_f64()))
    }
    fn is_zero(&self) -> bool {
        let sign = self.sign();
        if sign.is_none() {
            doubt();
        }
        sign == Some(Ordering::Equal)
    }
}

/// The float of a number that is not infinite, though it may be too large for a float.
fn finite(x: f64) -> f64 {
    x.clamp(-f64::MAX, f64::MAX)
}

/// Sums of so few reciprocals are added one by one.
const FEW: u32 = 32;

/// The sums of the first reciprocals, as far as they are short.
static HARMONIC: LazyLock<Vec<BigRational>> = LazyLock::new(|| {
    let mut terms = (1..).map(|n| BigRational::new(1.into(), n.into()));
    let next = |sum: &BigRational| terms.next().map(|term| sum + term).filter(|sum| !is_long(sum));
    std::iter::successors(Some(BigRational::zero()), next).collect()
});

/// So many decimals are kept.
const MANY: usize = 1000;
/// Larger whole powers than this are not multiplied out.
const LARGEST_POWER: u64 = 1024;

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
    use num_traits::Signed;

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

    /// A long fraction may have common divisors. Nothing that is asked of it tells.
    #[test]
    fn fractions_are_as_good_in_lowest_terms() {
        let fifth = |power: u32| Exact::ratio(1, 5).powi(power);
        let sum = (1..=60).map(fifth).fold(Exact::zero(), |sum, x| sum + x);
        assert_eq!(sum, (Exact::one() - fifth(60)) / Exact::int(4));
        let eight = (sum.clone() + Exact::int(8)) - sum.clone();
        assert_eq!(eight, Exact::int(8));
        assert_eq!(eight.rational(), Exact::int(8).rational());
        assert_eq!(eight.clone().log2().rational(), Exact::int(3).rational());
        assert!((sum.clone() / sum.clone()).ln().is_zero());
        let negative = sum.clone() / -sum.clone();
        assert_eq!(negative, Exact::int(-1));
        assert!(-sum.clone() < sum && negative < Exact::zero());
        // Common divisors do not make a number too long to be exact.
        let one = (0..200).fold(fifth(60), |x, _| x * Exact::ratio(7, 3) * Exact::ratio(3, 7));
        assert!(one.is_exact() && one == fifth(60));
    }

    #[test]
    fn a_rational_sum_is_exact() {
        let third = Exact::ratio(1, 3);
        assert_eq!(third.clone() + third.clone() + third, Exact::one());
    }

    /// Identities between logarithms hold, whichever way a formula takes; near misses do not.
    #[test]
    fn equal_formulas_are_equal() {
        precisely(|| {
            let log = Exact::log2_int;
            assert_eq!(log(6), log(3) + Exact::one());
            assert_eq!(log(9), Exact::int(2) * log(3));
            assert_eq!(log(15) - log(5), log(3));
            assert_eq!(Exact::ratio(9, 8).ln() / Exact::int(2).ln(), log(9) - Exact::int(3));
            let dcg = || Exact::one() + Exact::one() / log(3) + Exact::one() / log(5);
            assert_eq!(dcg() / dcg(), Exact::one());
            assert!((dcg() - dcg()).is_zero());
            let near = log(3) + Exact::ratio(1, 1_000_000_000).powi(8);
            assert!(near > log(3) && log(3) < near);
            assert_eq!(Exact::int(2).powf(0.3).powi(3), Exact::int(2).powf(0.3).powi(3));
        })
        .expect("no doubt");
    }

    #[test]
    fn what_cannot_be_told_is_in_doubt() {
        // Equal, but not by the rules that prints know.
        let root = || (Exact::int(2).powf(0.25).powi(2), Exact::int(2).powf(0.5));
        assert_eq!(precisely(|| root().0.partial_cmp(&root().1)), None);
        assert_eq!(precisely(|| Exact::log2_int(3) > Exact::log2_int(5)), Some(false));
        let same = || Exact::estimate(0.5, 1e-9, &[Exact::one()]);
        let other = || Exact::estimate(0.5, 1e-9, &[Exact::int(2)]);
        assert_eq!(precisely(|| same() == same()), Some(true));
        assert_eq!(precisely(|| same().partial_cmp(&other())), None);
        assert_eq!(same(), other(), "floats guess");
    }

    #[test]
    fn infinities() {
        let infinite = Exact::infinity();
        assert!(infinite > Exact::int(i64::MAX) && -infinite.clone() < Exact::log2_int(3));
        assert_eq!((Exact::one() / infinite).to_f64(), 0.0);
        assert_eq!(Exact::zero().ln().to_f64(), f64::NEG_INFINITY);
        assert!((Exact::one() / Exact::zero()).to_f64().is_infinite());
    }

    /// A document that was not retrieved has an infinite rank: its weight is exactly 0, however the
    /// formula writes it, and the sum with it stays a rational.
    #[test]
    fn what_vanishes_at_infinity_is_exactly_zero() {
        let vanishing = || {
            let (infinite, two) = (Exact::infinity(), Exact::int(2));
            [
                Exact::int(7) / infinite.clone(),
                Exact::int(7) / -infinite.clone(),
                two.clone().power(-infinite.clone()),
                Exact::int(10).power(-infinite.clone()),
                Exact::ratio(1, 2).power(infinite.clone()),
                Exact::ratio(-1, 2).power(infinite.clone()),
                infinite.clone().power(-two),
                infinite.clone().power(Exact::ratio(-1, 2)),
                (-infinite).exp(),
            ]
        };
        let exact = || vanishing().iter().all(|x| x.is_exact() && x.is_zero());
        assert!(exact());
        assert_eq!(precisely(exact), Some(true));
        assert!(Exact::one().power(-Exact::infinity()).is_exact());
        assert_eq!(
            precisely(|| Exact::log2_int(3).power(-Exact::infinity()).is_exact()),
            Some(true)
        );
    }

    /// Within intervals a float would be a guess, and no guess is compared.
    #[test]
    fn intervals_never_compare_floats() {
        assert_eq!(precisely(|| Exact::Approx(0.5) + Exact::one() > Exact::zero()), None);
        assert_eq!(precisely(|| Exact::Approx(0.5) < Exact::one()), None);
        assert_eq!(precisely(|| Exact::infinity() > Exact::log2_int(3)), Some(true));
    }

    /// Digits from Python's `decimal`, and pi^2/6 - 1.
    #[test]
    fn intervals_hold_the_true_digits() {
        let known = || {
            [
                (
                    Exact::int(10).ln(),
                    "2.3025850929940456840179914546843642076011014886287729760333279009675726",
                ),
                (
                    Exact::decimal(1e-9).ln(),
                    "-20.723265836946411156161923092159277868409913397658956784299951108708153",
                ),
                (
                    Exact::one().exp(),
                    "2.7182818284590452353602874713526624977572470936999595749669676277240766",
                ),
                (
                    Exact::decimal(-30.7).exp() * Exact::int(10).powi(14),
                    "4.6468580447469695173153271043126768700387234559523905021016097887583314",
                ),
                (
                    Exact::int(2).powf(0.3),
                    "1.2311444133449162844993930691677431098761377611008177943370655382461007",
                ),
                (
                    (Exact::one() + Exact::one() / Exact::int(10).powi(20)).ln(),
                    "0.0000000000000000000099999999999999999999500000000000000000003333333333",
                ),
                (
                    Exact::int(2).trigamma(),
                    "0.6449340668482264364724151666460251892189499012067984377355582293700074",
                ),
            ]
        };
        let holds = |(value, digits): (Exact, &str)| {
            let (whole, fraction) = digits.split_once('.').unwrap();
            let scale = num_traits::pow(BigInt::from(10), fraction.len());
            let number: BigInt = format!("{whole}{fraction}").parse().unwrap();
            let away = if number.is_negative() { -1 } else { 1 };
            let at = |n: BigInt| Exact::from_rational(BigRational::new(n, scale.clone()));
            // The digits were cut, not rounded.
            let (a, b) = (at(number.clone()), at(number + away));
            let (low, high) = if away > 0 { (a, b) } else { (b, a) };
            assert!(low < value && value < high, "{digits}: {value:?}");
        };
        precisely(|| known().into_iter().for_each(holds)).expect("no doubt");
    }

    /// Long rationals go on as reals and still know their equals.
    #[test]
    fn long_rationals() {
        precisely(|| {
            let p = Exact::decimal(0.8).powi(5000);
            assert!(!p.is_exact());
            assert_eq!(p, Exact::decimal(0.8).powi(2500) * Exact::decimal(0.8).powi(2500));
            assert!(p < Exact::decimal(0.8).powi(4999));
        })
        .expect("no doubt");
        // Outside they go on as floats.
        assert!(Exact::decimal(0.8).powi(100).is_exact());
        assert!(!Exact::decimal(0.8).powi(5000).is_exact());
    }
}
