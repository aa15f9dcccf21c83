//! A real number that is known by two things: an interval of some 77 digits that holds it, and a
//! print that is the same for equal formulas.
//!
//! Intervals decide which of two numbers is larger, never that they are equal. Prints do: each
//! logarithm, root or other function value is a letter, a formula is a fraction of polynomials in
//! its letters, and its print is the value of that fraction where each letter is a random element
//! of a field. Two formulas that are the same fraction have the same print. Two that are not have
//! the same print by chance alone, about once in 2^120 (Schwartz 1980, Zippel 1979).

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::LazyLock;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};

use super::dyadic::{Dyadic, Way};

/// A number between two others.
#[derive(Debug, Clone)]
pub struct Real {
    low: Dyadic,
    high: Dyadic,
    print: Option<Print>,
}

/// The functions that make letters.
#[derive(Debug, Clone, Copy)]
enum LetterFunction {
    Ln,
    Exp,
    Power,
    Trigamma,
    Harmonic,
    Estimate,
}

impl Real {
    fn new(print: Option<Print>, end: impl Fn(Way) -> Dyadic) -> Real {
        Real { low: end(Way::Down), high: end(Way::Up), print }
    }

    pub(super) fn rational(x: &BigRational) -> Real {
        let (n, d) = (Dyadic::new(x.numer().clone(), 0), Dyadic::new(x.denom().clone(), 0));
        Real::new(Print::of(x), |way| n.div(&d, way))
    }

    /// A value that is known within a share of itself, the same wherever the arguments are.
    pub(super) fn estimate(value: f64, error: f64, arguments: &[Real]) -> Real {
        let print = arguments.iter().try_fold(Print([1; 2]), |all, x| Some(all.and(x.print?)));
        let (x, spread) = (Dyadic::from_f64(value), Dyadic::from_f64((value * error).abs()));
        Real {
            low: x.add(&spread.neg(), Way::Down),
            high: x.add(&spread, Way::Up),
            print: print.map(|p| p.letter(LetterFunction::Estimate)),
        }
    }

    /// A number at least the one and at most the other, which is no less.
    pub(super) fn between(low: &Real, high: &Real) -> Real {
        Real { low: low.low.clone(), high: high.high.clone(), print: None }
    }

    pub(super) fn add(&self, other: &Real) -> Real {
        Real {
            low: self.low.add(&other.low, Way::Down),
            high: self.high.add(&other.high, Way::Up),
            print: both(self.print, other.print, Print::add),
        }
    }

    pub(super) fn neg(&self) -> Real {
        Real {
            low: self.high.neg(),
            high: self.low.neg(),
            print: self.print.map(|p| Print([0; 2]).sub(p)),
        }
    }

    pub(super) fn mul(&self, other: &Real) -> Real {
        let print = both(self.print, other.print, Print::mul);
        if self.are_positive(other) {
            let (low, high) =
                (self.low.mul(&other.low, Way::Down), self.high.mul(&other.high, Way::Up));
            return Real { low, high, print };
        }
        Real::new(print, |way| self.extreme(other, way, Dyadic::mul))
    }

    /// The quotient, `None` if the divisor may be zero.
    pub(super) fn div(&self, other: &Real) -> Option<Real> {
        if other.sign().is_none_or(|sign| sign == Ordering::Equal) {
            return None;
        }
        let print = both(self.print, other.print.and_then(Print::inverse), Print::mul);
        if self.are_positive(other) {
            let (low, high) =
                (self.low.div(&other.high, Way::Down), self.high.div(&other.low, Way::Up));
            return Some(Real { low, high, print });
        }
        Some(Real::new(print, |way| self.extreme(other, way, Dyadic::div)))
    }

    /// Both numbers are at least zero, as nearly all are.
    fn are_positive(&self, other: &Real) -> bool {
        self.low.sign() != Ordering::Less && other.low.sign() != Ordering::Less
    }

    /// The least or the largest of what the four pairs of ends give.
    fn extreme(&self, other: &Real, way: Way, of: fn(&Dyadic, &Dyadic, Way) -> Dyadic) -> Dyadic {
        let mut best = of(&self.low, &other.low, way);
        for (a, b) in
            [(&self.low, &other.high), (&self.high, &other.low), (&self.high, &other.high)]
        {
            let found = of(a, b, way);
            let wanted = if way == Way::Down { Ordering::Less } else { Ordering::Greater };
            if found.cmp(&best) == wanted {
                best = found;
            }
        }
        best
    }

    pub(super) fn powi(&self, exponent: u32) -> Real {
        let mut square = self.clone();
        let mut power: Option<Real> = None;
        let mut left = exponent;
        while left > 0 {
            if left & 1 == 1 {
                power = Some(power.map_or_else(|| square.clone(), |p| p.mul(&square)));
            }
            left >>= 1;
            if left > 0 {
                square = square.mul(&square);
            }
        }
        power.unwrap_or_else(|| Real::rational(&BigRational::one()))
    }

    /// The sign if it is certain.
    pub(super) fn sign(&self) -> Option<Ordering> {
        match (self.low.sign(), self.high.sign()) {
            (Ordering::Greater, _) => Some(Ordering::Greater),
            (_, Ordering::Less) => Some(Ordering::Less),
            _ if self.print == Some(Print([0; 2])) => Some(Ordering::Equal),
            (Ordering::Equal, Ordering::Equal) => Some(Ordering::Equal),
            _ => None,
        }
    }

    /// The order if it is certain.
    pub(super) fn order(&self, other: &Real) -> Option<Ordering> {
        if self.low.cmp(&other.high) == Ordering::Greater {
            return Some(Ordering::Greater);
        }
        if self.high.cmp(&other.low) == Ordering::Less {
            return Some(Ordering::Less);
        }
        (self.print.is_some() && self.print == other.print).then_some(Ordering::Equal)
    }

    /// The natural logarithm, `None` if the number may not be above zero.
    pub(super) fn ln(&self) -> Option<Real> {
        if self.sign() != Some(Ordering::Greater) {
            return None;
        }
        let print = self.print.map(|p| p.letter(LetterFunction::Ln));
        Some(Real { low: self.low.ln(Way::Down)?, high: self.high.ln(Way::Up)?, print })
    }

    /// The natural logarithm of a rational above zero: that of its prime factors, so that ln 6 is
    /// ln 2 + ln 3 to its print too.
    pub(super) fn ln_rational(x: &BigRational) -> Option<Real> {
        remembered(LetterFunction::Ln, &[x], || {
            let real = Real::rational(x).ln()?;
            let print = Print::ln(x.numer()).sub(Print::ln(x.denom()));
            Some(Real { print: Some(print), ..real })
        })
    }

    /// e to this power, `None` if that is beyond all bounds.
    pub(super) fn exp(&self) -> Option<Real> {
        let print = self.print.map(|p| p.letter(LetterFunction::Exp));
        Some(Real { low: self.low.exp(Way::Down)?, high: self.high.exp(Way::Up)?, print })
    }

    /// The same of a rational.
    pub(super) fn exp_rational(x: &BigRational) -> Option<Real> {
        remembered(LetterFunction::Exp, &[x], || Real::rational(x).exp())
    }

    /// A rational above zero to the power of another.
    pub(super) fn power_rational(x: &BigRational, exponent: &BigRational) -> Option<Real> {
        let anew = || Real::rational(x).power(&Real::rational(exponent));
        remembered(LetterFunction::Power, &[x, exponent], anew)
    }

    /// This number, which is above zero, to another as its power.
    pub(super) fn power(&self, exponent: &Real) -> Option<Real> {
        let print = both(self.print, exponent.print, |a, b| a.and(b).letter(LetterFunction::Power));
        Some(Real { print, ..self.ln()?.mul(exponent).exp()? })
    }

    /// The sum over n >= 0 of 1 / (x + n)^2, for x above zero.
    ///
    /// The first terms are added one by one, until x + n is at least [`SHIFTED`]; the rest is the
    /// asymptotic series (Abramowitz and Stegun 6.4.12), whose error is smaller than the first term
    /// that is left out and has its sign.
    pub(super) fn trigamma(&self) -> Option<Real> {
        if self.sign() != Some(Ordering::Greater) {
            return None;
        }
        let one = Real::rational(&BigRational::one());
        let (mut x, mut sum) = (self.clone(), Real::rational(&BigRational::zero()));
        while x.to_f64() < SHIFTED {
            sum = sum.add(&one.div(&x.mul(&x))?);
            x = x.add(&one);
        }
        let inverse = one.div(&x)?;
        let square = inverse.mul(&inverse);
        let half = Real::rational(&BigRational::new(1.into(), 2.into()));
        sum = sum.add(&inverse).add(&square.mul(&half));
        let terms = BERNOULLI.iter().scan(inverse, |power, bernoulli| {
            *power = power.mul(&square);
            Some(bernoulli.mul(power))
        });
        let print = self.print.map(|p| p.letter(LetterFunction::Trigamma));
        Some(Real { print, ..sum.asymptotic(terms)? })
    }

    /// This number and the terms of an asymptotic series, whose error is smaller than the first term
    /// that is left out and has its sign.
    fn asymptotic(self, terms: impl Iterator<Item = Real>) -> Option<Real> {
        let (mut sum, mut last) = (self, None);
        for term in terms {
            if let Some(term) = last.replace(term) {
                sum = sum.add(&term);
            }
        }
        let (with, without) = (sum.add(&last?), sum);
        let (low, high) = if with.low.cmp(&without.low) == Ordering::Less {
            (with.low, without.high)
        } else {
            (without.low, with.high)
        };
        Some(Real { low, high, print: None })
    }

    /// The sum of 1 / i for i up to n: of the first terms, and then a difference of two values of the
    /// asymptotic series (Abramowitz and Stegun 6.3.18).
    pub(super) fn harmonic(n: u32) -> Option<Real> {
        remembered(LetterFunction::Harmonic, &[&BigRational::from_integer(n.into())], || {
            Real::harmonic_anew(n)
        })
    }

    fn harmonic_anew(n: u32) -> Option<Real> {
        let whole = |n: u32| BigRational::from_integer(n.into());
        let first = n.min(SHIFTED as u32);
        let head: BigRational = (1..=first).map(|i| whole(i).recip()).sum();
        let mut sum = Real::rational(&head);
        if n > first {
            sum = sum.add(&Real::beside_gamma(n)?).add(&Real::beside_gamma(first)?.neg());
        }
        // To its print the sum is a rational, or, where that would take long, a letter of its own.
        let print = if n <= LONGEST_STEPS {
            (1..=n)
                .try_fold(Print([0; 2]), |sum, i| Some(sum.add(Print::of(&whole(i))?.inverse()?)))
        } else {
            Print::of(&whole(n)).map(|n| n.letter(LetterFunction::Harmonic))
        };
        Some(Real { print, ..sum })
    }

    /// What the sum of 1 / i for i up to n is beside Euler's constant.
    fn beside_gamma(n: u32) -> Option<Real> {
        let n = BigRational::from_integer(n.into());
        let inverse = Real::rational(&n.recip());
        let square = inverse.mul(&inverse);
        let half = Real::rational(&BigRational::new(1.into(), 2.into()));
        let one = Real::rational(&BigRational::one());
        let terms = BERNOULLI.iter().zip((2u32..).step_by(2)).scan(one, |power, (b, m)| {
            let share = Real::rational(&BigRational::new((-1).into(), m.into()));
            *power = power.mul(&square);
            Some(b.mul(power).mul(&share))
        });
        Real::ln_rational(&n)?.add(&inverse.mul(&half)).asymptotic(terms)
    }

    /// The same of a rational. The print is by the argument's part behind the point, so that
    /// trigamma(x) is 1 / x^2 + trigamma(x + 1) to it too.
    pub(super) fn trigamma_rational(x: &BigRational) -> Option<Real> {
        remembered(LetterFunction::Trigamma, &[x], || Real::trigamma_anew(x))
    }

    fn trigamma_anew(x: &BigRational) -> Option<Real> {
        let real = Real::rational(x).trigamma()?;
        let steps = (x.ceil().to_integer() - 1u32).to_u32().filter(|n| *n <= LONGEST_STEPS);
        let Some(steps) = steps else { return Some(real) };
        let print = || {
            let first = x - BigRational::from_integer(steps.into());
            let mut print = Print::of(&first)?.letter(LetterFunction::Trigamma);
            for n in 0..steps {
                let term = Print::of(&(&first + BigRational::from_integer(n.into())))?.inverse()?;
                print = print.sub(term.mul(term));
            }
            Some(print)
        };
        Some(Real { print: print(), ..real })
    }

    pub(super) fn to_f64(&self) -> f64 {
        let (low, high) = (self.low.to_f64(), self.high.to_f64());
        low + (high - low) / 2.0
    }

    /// The logarithm to base two of a whole number above zero.
    pub(super) fn log2(n: u32) -> Option<Real> {
        thread_local! {
            static KNOWN: RefCell<HashMap<u32, Real>> = RefCell::default();
        }
        if let Some(known) = KNOWN.with_borrow(|known| known.get(&n).cloned()) {
            return Some(known);
        }
        let ln = |n: u32| Real::ln_rational(&BigRational::from_integer(n.into()));
        let log = ln(n)?.div(&ln(2)?)?;
        KNOWN.with_borrow_mut(|known| known.insert(n, log.clone()));
        Some(log)
    }
}

/// A function of rationals, looked up if it was computed before: a metric asks for a few values
/// again and again.
fn remembered(
    function: LetterFunction,
    arguments: &[&BigRational],
    anew: impl FnOnce() -> Option<Real>,
) -> Option<Real> {
    thread_local! {
        static KNOWN: RefCell<HashMap<(u8, Vec<BigRational>), Real>> = RefCell::default();
    }
    let key = (function as u8, arguments.iter().copied().cloned().collect());
    if let Some(known) = KNOWN.with_borrow(|known| known.get(&key).cloned()) {
        return Some(known);
    }
    let value = anew()?;
    KNOWN.with_borrow_mut(|known| {
        if known.len() >= MANY {
            known.clear();
        }
        known.insert(key, value.clone());
    });
    Some(value)
}

/// So many values are kept.
const MANY: usize = 1000;

/// A trigamma further up than this is a letter of its own.
const LONGEST_STEPS: u32 = 10_000;

/// From here on the series of the trigamma function is good for all digits.
const SHIFTED: f64 = 64.0;

/// The Bernoulli numbers B2, B4, ..., B82: with x at least 64 the last term is below 2^-290.
static BERNOULLI: LazyLock<Vec<Real>> = LazyLock::new(|| {
    // The sum over j <= m of (m + 1 choose j) B_j is 0 for m > 0.
    let mut all: Vec<BigRational> = vec![BigRational::one()];
    for m in 1..=82u32 {
        let (mut sum, mut choose) = (BigRational::zero(), BigRational::one());
        for (j, b) in (0u32..).zip(&all) {
            sum += &choose * b;
            choose *= BigRational::new((m + 1 - j).into(), (j + 1).into());
        }
        all.push(-sum / BigRational::from_integer((m + 1).into()));
    }
    all.iter().skip(2).step_by(2).map(Real::rational).collect()
});

fn both(a: Option<Print>, b: Option<Print>, of: fn(Print, Print) -> Print) -> Option<Print> {
    Some(of(a?, b?))
}

/// Residues modulo two primes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Print([u64; 2]);

/// 2^61 - 1 and 2^62 - 57.
const PRIMES: [u64; 2] = [(1 << 61) - 1, (1 << 62) - 57];

/// The product modulo a prime 2^n - c: since 2^n is c, the part above n bits counts c times. Twice
/// folded, what is left is below 2 p.
fn times(a: u64, b: u64, p: u64) -> u64 {
    let bits = u64::BITS - p.leading_zeros();
    let (c, mask) = ((1 << bits) - p, (1u128 << bits) - 1);
    let product = u128::from(a) * u128::from(b);
    let once = (product >> bits) * u128::from(c) + (product & mask);
    let twice = ((once >> bits) * u128::from(c) + (once & mask)) as u64;
    if twice >= p { twice - p } else { twice }
}

impl Print {
    fn each(self, other: Print, of: impl Fn(u64, u64, u64) -> u64) -> Print {
        Print([0, 1].map(|i| of(self.0[i], other.0[i], PRIMES[i])))
    }

    fn add(self, other: Print) -> Print {
        self.each(other, |a, b, p| (a + b) % p)
    }

    fn sub(self, other: Print) -> Print {
        self.each(other, |a, b, p| (a + p - b) % p)
    }

    fn mul(self, other: Print) -> Print {
        self.each(other, times)
    }

    /// By Fermat: x^(p-2). `None` for a zero.
    fn inverse(self) -> Option<Print> {
        if self.0.contains(&0) {
            return None;
        }
        let invert = |x: u64, p: u64| {
            let (mut result, mut base, mut e) = (1, x, p - 2);
            while e > 0 {
                if e & 1 == 1 {
                    result = times(result, base, p);
                }
                base = times(base, base, p);
                e >>= 1;
            }
            result
        };
        Some(Print([0, 1].map(|i| if self.0[i] == 1 { 1 } else { invert(self.0[i], PRIMES[i]) })))
    }

    fn whole(n: &BigInt) -> Print {
        let residue = |p: u64| {
            let p = BigInt::from(p);
            ((n % &p + &p) % &p).to_u64().unwrap_or(0)
        };
        Print(PRIMES.map(residue))
    }

    fn of(x: &BigRational) -> Option<Print> {
        Some(Print::whole(x.numer()).mul(Print::whole(x.denom()).inverse()?))
    }

    /// The logarithm of a whole number above zero. What is left after the small primes counts as
    /// one.
    fn ln(n: &BigInt) -> Print {
        let mut left = n.clone();
        let mut sum = Print([0; 2]);
        let mut divide = |left: &mut BigInt, p: u32| {
            while !left.is_one() && (&*left % p).is_zero() {
                *left /= p;
                sum = sum.add(Print::whole(&p.into()).letter(LetterFunction::Ln));
            }
        };
        divide(&mut left, 2);
        let mut p = 3;
        while p < SMALL_PRIMES && !left.is_one() {
            divide(&mut left, p);
            p += 2;
        }
        if left.is_one() { sum } else { sum.add(Print::whole(&left).letter(LetterFunction::Ln)) }
    }

    /// A print of both.
    fn and(self, other: Print) -> Print {
        self.each(other, |a, b, p| mixed(mixed(a) ^ b) % p)
    }

    /// The letter that a function of this makes.
    fn letter(self, letter: LetterFunction) -> Print {
        self.each(Print(PRIMES.map(|p| mixed(letter as u64 ^ p))), |x, salt, p| {
            mixed(mixed(x) ^ salt) % p
        })
    }
}

const SMALL_PRIMES: u32 = 1000;

/// The finaliser of SplitMix64 (Steele, Lea and Flood 2014).
fn mixed(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
