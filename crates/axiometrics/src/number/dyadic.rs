//! Binary fractions of bounded length, rounded down or up as asked.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// The length of a mantissa in bits: some 77 decimal digits.
pub(super) const PRECISION: u64 = 256;
/// Logarithms and exponentials are computed in fixed point with so many bits behind the point.
const FIXED: u64 = PRECISION + 64;
/// The error of what is computed in fixed point, in units of its last place. Each of the some
/// hundred steps is off by one unit at most; the multiple of ln 2 and the repeated squares enlarge
/// that, by less than 2^22 for the exponents that are let in.
const ERROR: u64 = 24;
/// Exponents beyond this are refused.
const LARGEST: i64 = 1 << 20;

/// m * 2^e
#[derive(Debug, Clone)]
pub(super) struct Dyadic {
    m: BigInt,
    e: i64,
}

/// Where to round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Down,
    Up,
}

impl Dyadic {
    pub(super) fn new(m: BigInt, e: i64) -> Dyadic {
        Dyadic { m, e }
    }

    /// The number that a finite float is.
    pub(super) fn from_f64(x: f64) -> Dyadic {
        let bits = x.abs().to_bits();
        let (exponent, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
        let (m, e) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let m = BigInt::from(m);
        Dyadic::new(if x < 0.0 { -m } else { m }, e)
    }

    fn rounded(self, way: Way) -> Dyadic {
        let bits = self.m.bits();
        if bits <= PRECISION {
            return self;
        }
        let shift = bits - PRECISION;
        let exact = self.m.trailing_zeros().is_none_or(|zeros| zeros >= shift);
        // A shift of a negative number rounds down too.
        let mut m = self.m >> shift;
        if way == Way::Up && !exact {
            m += 1;
        }
        Dyadic::new(m, self.e + shift as i64)
    }

    /// The place of the highest bit, for a number that is not zero.
    fn top(&self) -> i64 {
        self.e + self.m.bits() as i64
    }

    pub(super) fn sign(&self) -> Ordering {
        match self.m.sign() {
            Sign::Minus => Ordering::Less,
            Sign::NoSign => Ordering::Equal,
            Sign::Plus => Ordering::Greater,
        }
    }

    pub(super) fn add(&self, other: &Dyadic, way: Way) -> Dyadic {
        if self.m.is_zero() {
            return other.clone();
        }
        if other.m.is_zero() {
            return self.clone();
        }
        let (large, small) = if self.top() >= other.top() { (self, other) } else { (other, self) };
        let apart = (2 * PRECISION) as i64;
        if large.e - small.top() > apart {
            // Far too small to be seen: it only says on which side of the other the sum lies.
            let spread = Dyadic::new(&large.m << apart, large.e - apart);
            return Dyadic::new(spread.m + small.m.signum(), spread.e).rounded(way);
        }
        let e = large.e.min(small.e);
        let at = |x: &Dyadic| &x.m << (x.e - e) as u64;
        Dyadic::new(at(large) + at(small), e).rounded(way)
    }

    pub(super) fn mul(&self, other: &Dyadic, way: Way) -> Dyadic {
        Dyadic::new(&self.m * &other.m, self.e + other.e).rounded(way)
    }

    /// The quotient; the divisor is not zero.
    pub(super) fn div(&self, other: &Dyadic, way: Way) -> Dyadic {
        if self.m.is_zero() || (other.e == 0 && other.m.is_one()) {
            return self.clone().rounded(way);
        }
        let shift = (PRECISION + 2 + other.m.bits()).saturating_sub(self.m.bits());
        let dividend = &self.m << shift;
        let (mut quotient, remainder) = dividend.div_rem(&other.m);
        if !remainder.is_zero() {
            let negative = dividend.is_negative() != other.m.is_negative();
            match (way, negative) {
                (Way::Down, true) => quotient -= 1,
                (Way::Up, false) => quotient += 1,
                _ => {}
            }
        }
        Dyadic::new(quotient, self.e - other.e - shift as i64).rounded(way)
    }

    pub(super) fn neg(&self) -> Dyadic {
        Dyadic::new(-&self.m, self.e)
    }

    pub(super) fn cmp(&self, other: &Dyadic) -> Ordering {
        let signs = self.sign().cmp(&other.sign());
        if signs != Ordering::Equal || self.m.is_zero() {
            return signs;
        }
        let tops = self.top().cmp(&other.top());
        if tops != Ordering::Equal {
            return if self.m.is_negative() { tops.reverse() } else { tops };
        }
        let e = self.e.min(other.e);
        (&self.m << (self.e - e) as u64).cmp(&(&other.m << (other.e - e) as u64))
    }

    pub(super) fn to_f64(&self) -> f64 {
        let bits = self.m.bits();
        let shift = bits.saturating_sub(64);
        let (m, e) = (&self.m >> shift, self.e + shift as i64);
        let Some(head) = m.to_f64() else { return f64::NAN };
        // In two steps, since 2^e may be beyond what a float holds if the product is not.
        let half = e.clamp(-2200, 2200) as i32 / 2;
        head * 2f64.powi(half) * 2f64.powi(e.clamp(-2200, 2200) as i32 - half)
    }

    /// The natural logarithm of a number above zero.
    pub(super) fn ln(&self, way: Way) -> Option<Dyadic> {
        let bits = self.m.bits() as i64;
        // The number is y * 2^q, y from 3/4 to 3/2.
        let mut q = bits - 1 + self.e;
        let mut y = shifted(&self.m, FIXED as i64 - (bits - 1));
        let one = BigInt::one() << FIXED;
        if &y + &y > &one + &one + &one {
            y >>= 1;
            q += 1;
        }
        if q.abs() > LARGEST {
            return None;
        }
        let value = BigInt::from(q) * ln_2() + double_atanh(&(y.clone() - &one), &(y + &one));
        Some(widened(value, -(FIXED as i64), way))
    }

    /// e to this power.
    pub(super) fn exp(&self, way: Way) -> Option<Dyadic> {
        if !self.m.is_zero() && self.top() > 20 {
            return None;
        }
        let x = shifted(&self.m, self.e + FIXED as i64);
        let n = (&x / ln_2()).to_i64()?;
        let rest: BigInt = x - BigInt::from(n) * ln_2();
        // The series for a 256th of the rest, then eight squares.
        let part = rest >> 8;
        let one = BigInt::one() << FIXED;
        let (mut sum, mut term, mut i) = (one.clone(), one, 1);
        while !term.is_zero() && i < 200 {
            term = ((term * &part) >> FIXED) / i;
            sum += &term;
            i += 1;
        }
        for _ in 0..8 {
            sum = (&sum * &sum) >> FIXED;
        }
        Some(widened(sum, n - FIXED as i64, way))
    }
}

/// m * 2^by, rounded down.
fn shifted(m: &BigInt, by: i64) -> BigInt {
    if by >= 0 { m << by as u64 } else { m >> by.unsigned_abs() }
}

/// What is at least, or at most, the number whose fixed-point value this is.
fn widened(value: BigInt, e: i64, way: Way) -> Dyadic {
    let error = BigInt::one() << ERROR;
    let value = if way == Way::Up { value + error } else { value - error };
    Dyadic::new(value, e).rounded(way)
}

/// ln(1 + z) - ln(1 - z) for z = a / b, both in fixed point, |z| at most 1/5.
fn double_atanh(a: &BigInt, b: &BigInt) -> BigInt {
    let z = (a << FIXED) / b;
    let square = (&z * &z) >> FIXED;
    let (mut sum, mut power, mut n) = (BigInt::zero(), z, 1);
    while !power.is_zero() && n < 1000 {
        sum += &power / n;
        power = (power * &square) / (BigInt::one() << FIXED);
        n += 2;
    }
    sum << 1
}

/// ln 2 = 2 atanh(1/3), in fixed point.
fn ln_2() -> &'static BigInt {
    static LN_2: std::sync::LazyLock<BigInt> =
        std::sync::LazyLock::new(|| double_atanh(&BigInt::one(), &BigInt::from(3)));
    &LN_2
}
