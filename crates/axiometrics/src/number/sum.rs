//! Sums of floating-point numbers without rounding.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// The bits of a limb that hold digits; the rest of its 64 bits holds carries.
const DIGIT: u32 = 32;
/// Enough limbs for every sum of finite numbers, from the smallest (2^-1074) to the largest
/// (2^1024), and two more for carries.
const LIMBS: usize = (1074 + 1024) / DIGIT as usize + 3;
/// A limb, and the sum of usual numbers, takes so many before carries must be passed on.
const BEFORE_CARRY: u32 = 1 << 16;
/// The exponents of usual numbers, as their bits hold them: 2^-30 to 2^27, as nearly all scores are
/// that are not 0. Their sum fits into 128 bits, and begins where a limb begins.
const USUAL: std::ops::RangeInclusive<u32> = LIMB_OF_USUAL as u32 * DIGIT + 1..=1049;
const LIMB_OF_USUAL: usize = 31;

/// The exact sum of any number of `f64`, as one long fixed-point number.
///
/// A sum that rounds at each step depends on the order of its terms. This one does not round until
/// the end: [`ExactSum::total`] and [`ExactSum::mean`] are the nearest `f64` to the true value,
/// whatever the order, and sums of parts add up to the sum of the whole.
///
/// ```
/// use axiometrics::number::ExactSum;
/// let sum: ExactSum = [1e100, 1.0, -1e100].into_iter().collect();
/// assert_eq!(sum.total(), 1.0);
/// assert_eq!([0.1; 10].into_iter().collect::<ExactSum>().mean(), Some(0.1));
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Digits", into = "Digits")]
pub struct ExactSum {
    /// The number is the sum of `limbs[i] * 2^(32 i - 1074)`.
    limbs: Box<[i64; LIMBS]>,
    /// The usual numbers since carries were passed on, to be added at their limb.
    usual: i128,
    /// How many numbers were added since carries were passed on.
    pending: u32,
    count: u64,
    /// What infinite terms add up to, 0 if there were none.
    infinite: f64,
}

/// An exact sum as it is sent from one machine to another: whole numbers alone, which no format
/// rounds.
#[derive(Serialize, Deserialize)]
struct Digits {
    /// The limb that the first digit is of; limbs outside of the digits are 0.
    start: usize,
    digits: Vec<i64>,
    count: u64,
    /// The bits of what infinite terms add up to.
    infinite: u64,
}

impl From<ExactSum> for Digits {
    fn from(mut sum: ExactSum) -> Digits {
        sum.carry();
        let start = sum.limbs.iter().position(|limb| *limb != 0).unwrap_or(LIMBS);
        let end = sum.limbs.iter().rposition(|limb| *limb != 0).map_or(start, |last| last + 1);
        let digits = sum.limbs[start..end].to_vec();
        Digits { start, digits, count: sum.count, infinite: sum.infinite.to_bits() }
    }
}

impl TryFrom<Digits> for ExactSum {
    type Error = &'static str;

    fn try_from(stored: Digits) -> Result<ExactSum, &'static str> {
        let mut sum = ExactSum::default();
        let end = stored.start.checked_add(stored.digits.len());
        let places = end.and_then(|end| sum.limbs.get_mut(stored.start..end));
        places.ok_or("a sum has more digits than any")?.copy_from_slice(&stored.digits);
        sum.pending = 1;
        sum.count = stored.count;
        sum.infinite = f64::from_bits(stored.infinite);
        Ok(sum)
    }
}

impl Default for ExactSum {
    fn default() -> ExactSum {
        ExactSum { limbs: Box::new([0; LIMBS]), usual: 0, pending: 0, count: 0, infinite: 0.0 }
    }
}

impl AddAssign<f64> for ExactSum {
    #[inline]
    fn add_assign(&mut self, x: f64) {
        self.count += 1;
        // Many scores are 0, and nothing comes of them.
        if x == 0.0 {
            return;
        }
        let bits = x.to_bits();
        let biased = (bits >> 52 & 0x7ff) as u32;
        let fraction = bits & ((1 << 52) - 1);
        if USUAL.contains(&biased) {
            let term = i128::from(fraction | 1 << 52) << (biased - USUAL.start());
            self.usual += if x < 0.0 { -term } else { term };
        } else {
            self.add_unusual(x, biased, fraction);
        }
        self.pending += 1;
        if self.pending == BEFORE_CARRY {
            self.carry();
        }
    }
}

impl ExactSum {
    fn add_unusual(&mut self, x: f64, biased: u32, fraction: u64) {
        if !x.is_finite() {
            self.infinite += x;
            return;
        }
        // A subnormal number has the exponent of the smallest normal one, without its leading bit.
        let (significand, shift) =
            if biased == 0 { (fraction, 0) } else { (fraction | 1 << 52, biased - 1) };
        let spread = u128::from(significand) << (shift % DIGIT);
        self.spread((shift / DIGIT) as usize, spread, x.is_sign_negative());
    }

    /// Adds a whole number of units of a limb, or takes it away.
    fn spread(&mut self, limb: usize, units: u128, negative: bool) {
        let sign = if negative { -1 } else { 1 };
        for (i, limb) in self.limbs[limb..].iter_mut().take(4).enumerate() {
            *limb += sign * i64::from((units >> (DIGIT * i as u32)) as u32);
        }
    }
}

impl AddAssign<&ExactSum> for ExactSum {
    fn add_assign(&mut self, other: &ExactSum) {
        let mut other = other.clone();
        other.carry();
        self.carry();
        for (mine, theirs) in self.limbs.iter_mut().zip(other.limbs.iter()) {
            *mine += theirs;
        }
        self.pending = 1;
        self.count += other.count;
        self.infinite += other.infinite;
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> ExactSum {
        let mut sum = ExactSum::default();
        terms.into_iter().for_each(|x| sum += x);
        sum
    }
}

impl ExactSum {
    /// How many numbers were added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum, rounded once.
    pub fn total(&self) -> f64 {
        self.over(1)
    }

    /// The mean of all that was added, rounded once; `None` if there was nothing.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.over(self.count))
    }

    /// The sum divided by a number above 0, rounded once: half to even, as the hardware does.
    pub fn over(&self, divisor: u64) -> f64 {
        if self.infinite != 0.0 {
            return self.infinite;
        }
        let mut exact = self.clone();
        exact.carry();
        let negative = exact.limbs[LIMBS - 1] < 0;
        if negative {
            exact.limbs.iter_mut().for_each(|limb| *limb = -*limb);
            exact.carry();
        }
        // Long division, from the highest limb down: every limb is now a digit.
        let mut quotient = [0u32; LIMBS + 3];
        let mut rest: u128 = 0;
        for i in (0..LIMBS + 3).rev() {
            // Three more digits below the last limb keep the bits that decide the rounding.
            let digit = i.checked_sub(3).map_or(0, |i| exact.limbs[i] as u128);
            let dividend = rest << DIGIT | digit;
            quotient[i] = (dividend / u128::from(divisor)) as u32;
            rest = dividend % u128::from(divisor);
        }
        let magnitude = nearest(&quotient, rest != 0);
        if negative { -magnitude } else { magnitude }
    }

    /// Passes carries on, so that every limb but the last is a digit.
    fn carry(&mut self) {
        let usual = std::mem::take(&mut self.usual);
        self.spread(LIMB_OF_USUAL, usual.unsigned_abs(), usual < 0);
        let mut carry = 0;
        let (last, lower) = self.limbs.split_last_mut().unwrap_or((&mut carry, &mut []));
        let mut over = 0;
        for limb in lower {
            let all = *limb + over;
            *limb = all & i64::from(u32::MAX);
            over = all >> DIGIT;
        }
        *last += over;
        self.pending = 0;
    }
}

/// The `f64` nearest to a row of digits of which the first is worth 2^(-1074 - 96), and which goes
/// on below it if `more`.
fn nearest(digits: &[u32; LIMBS + 3], more: bool) -> f64 {
    let bit = |at: i64| {
        at >= 0 && digits[(at / i64::from(DIGIT)) as usize] >> (at % i64::from(DIGIT)) & 1 == 1
    };
    let Some(top) = digits.iter().rposition(|digit| *digit != 0) else { return 0.0 };
    let top = top as i64 * i64::from(DIGIT) + i64::from(31 - digits[top].leading_zeros());
    // The lowest bit that is kept: 53 bits in all, none below 2^-1074.
    let last = (top - 52).max(96);
    let mut significand: u64 = 0;
    for at in (last..=top.max(last)).rev() {
        significand = significand << 1 | u64::from(bit(at));
    }
    let half = bit(last - 1);
    let below = more || (0..last - 1).any(bit);
    if half && (below || significand & 1 == 1) {
        significand += 1;
    }
    // Two steps, each exact: the significand has at most 54 bits and the result fits, or it is
    // infinite.
    let exponent = (last - 96) as i32 - 1074;
    let (a, b) = (exponent / 2, exponent - exponent / 2);
    significand as f64 * 2f64.powi(a) * 2f64.powi(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use num_traits::Zero;
    use proptest::prelude::*;

    /// The nearest `f64` to a fraction, by trying its neighbours.
    fn nearest_to(exact: &BigRational, guess: f64) -> bool {
        let distance = |x: f64| {
            let x = BigRational::from_float(x).unwrap();
            if x > *exact { x - exact } else { exact - x }
        };
        let own = distance(guess);
        let (up, down) = (distance(guess.next_up()), distance(guess.next_down()));
        let even = guess.to_bits() & 1 == 0;
        (own < up || own == up && even) && (own < down || own == down && even)
    }

    fn exact(terms: &[f64]) -> BigRational {
        terms.iter().fold(BigRational::zero(), |sum, x| sum + BigRational::from_float(*x).unwrap())
    }

    proptest! {
        #[test]
        fn rounds_once(
            terms in proptest::collection::vec(
                prop_oneof![
                    -1.0..1.0f64,
                    -1e300..1e300f64,
                    (any::<i32>(), -1074..900i32).prop_map(|(m, e)| f64::from(m) * 2f64.powi(e / 2) * 2f64.powi(e - e / 2)),
                ],
                1..40,
            ),
        ) {
            let sum: ExactSum = terms.iter().copied().collect();
            let all = exact(&terms);
            prop_assert!(nearest_to(&all, sum.total()), "{}", sum.total());
            let mean = sum.mean().unwrap();
            prop_assert!(nearest_to(&(all / BigInt::from(terms.len())), mean), "{}", mean);
            let mut backwards: ExactSum = terms.iter().rev().copied().collect();
            prop_assert_eq!(backwards.mean().unwrap().to_bits(), mean.to_bits());
            // Parts add up to the whole.
            let (left, right) = terms.split_at(terms.len() / 2);
            backwards = right.iter().copied().collect();
            backwards += &left.iter().copied().collect();
            prop_assert_eq!(backwards.mean().unwrap().to_bits(), mean.to_bits());
            // A sum that was sent elsewhere is the same sum.
            let sent = serde_json::to_string(&backwards).unwrap();
            let received: ExactSum = serde_json::from_str(&sent).unwrap();
            prop_assert_eq!(received.mean().unwrap().to_bits(), mean.to_bits());
            prop_assert_eq!(received.total().to_bits(), sum.total().to_bits());
        }
    }

    #[test]
    fn sums_keep_their_digits() {
        let of = |terms: &[f64]| terms.iter().copied().collect::<ExactSum>();
        assert_eq!(of(&[1.0, 1e100, 1.0, -1e100]).total(), 2.0);
        assert_eq!(of(&[0.1; 10]).mean(), Some(0.1));
        assert_eq!(of(&[f64::MAX, f64::MAX]).total(), f64::INFINITY);
        assert_eq!(of(&[f64::MAX, f64::MAX]).mean(), Some(f64::MAX));
        assert_eq!(of(&[f64::MIN_POSITIVE / 4.0]).total(), f64::MIN_POSITIVE / 4.0);
        assert_eq!(of(&[5e-324, 5e-324, 0.0]).mean(), Some(5e-324));
        assert_eq!(of(&[f64::INFINITY, 1.0]).mean(), Some(f64::INFINITY));
        assert!(of(&[f64::INFINITY, f64::NEG_INFINITY]).total().is_nan());
        assert_eq!(of(&[]).mean(), None);
        assert_eq!(of(&[-1.5, 0.5]).total(), -1.0);
        // So many that carries are passed on: 2^18 times a number is that number, but for its exponent.
        for x in [0.1, -0.1, 134_217_727.9, 134_217_728.1, 1e-9, -9e-10, 1e-300] {
            assert_eq!(of(&vec![x; 1 << 18]).mean(), Some(x));
            assert_eq!(of(&vec![x; 1 << 18]).total(), x * f64::from(1 << 18));
        }
    }
}
