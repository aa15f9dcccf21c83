//! Polynomials in several variables over the rationals, and their fractions.

use std::collections::BTreeMap;

use num_rational::BigRational;
use num_traits::{One, Zero};

/// The number of a variable.
pub(super) type Variable = usize;

/// Variables with their powers, by number; none for the constant.
type Monomial = Vec<(Variable, u32)>;

/// A sum of monomials, none of them with a coefficient of zero.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Polynomial {
    terms: BTreeMap<Monomial, BigRational>,
}

/// Larger polynomials are not multiplied out.
const MOST_TERMS: usize = 20_000;

impl Polynomial {
    pub(super) fn constant(c: BigRational) -> Polynomial {
        Polynomial::of(Vec::new(), c)
    }

    pub(super) fn variable(v: Variable) -> Polynomial {
        Polynomial::of(vec![(v, 1)], BigRational::one())
    }

    fn of(monomial: Monomial, c: BigRational) -> Polynomial {
        let mut all = Polynomial::default();
        all.put(monomial, c);
        all
    }

    fn put(&mut self, monomial: Monomial, c: BigRational) {
        let sum = self.terms.remove(&monomial).map_or(c.clone(), |old| old + c);
        if !sum.is_zero() {
            self.terms.insert(monomial, sum);
        }
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (&Monomial, &BigRational)> {
        self.terms.iter()
    }

    pub(super) fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value, if it has no variable.
    pub(super) fn as_constant(&self) -> Option<BigRational> {
        match self.terms.len() {
            0 => Some(BigRational::zero()),
            1 => self.terms.get(&Vec::new()).cloned(),
            _ => None,
        }
    }

    /// The part without variables.
    pub(super) fn constant_part(&self) -> BigRational {
        self.terms.get(&Vec::new()).cloned().unwrap_or_else(BigRational::zero)
    }

    pub(super) fn add(&self, other: &Polynomial) -> Polynomial {
        let mut sum = self.clone();
        other.terms.iter().for_each(|(m, c)| sum.put(m.clone(), c.clone()));
        sum
    }

    pub(super) fn scale(&self, by: &BigRational) -> Polynomial {
        let terms = self.terms.iter().filter(|_| !by.is_zero());
        Polynomial { terms: terms.map(|(m, c)| (m.clone(), c * by)).collect() }
    }

    pub(super) fn sub(&self, other: &Polynomial) -> Polynomial {
        self.add(&other.scale(&-BigRational::one()))
    }

    /// The product, `None` if it is too large to be written out.
    pub(super) fn mul(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.terms.len() * other.terms.len() > MOST_TERMS {
            return None;
        }
        let mut product = Polynomial::default();
        for (m, a) in &self.terms {
            for (n, b) in &other.terms {
                product.put(joined(m, n), a * b);
            }
        }
        Some(product)
    }

    pub(super) fn pow(&self, exponent: u32) -> Option<Polynomial> {
        (0..exponent).try_fold(Polynomial::constant(BigRational::one()), |power, _| power.mul(self))
    }

    pub(super) fn variables(&self) -> Vec<Variable> {
        let mut all: Vec<Variable> =
            self.terms.keys().flatten().map(|(variable, _)| *variable).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn degree(&self, v: Variable) -> u32 {
        self.terms.keys().map(|m| power(m, v)).max().unwrap_or(0)
    }

    /// The fraction with another in the place of a variable.
    pub(super) fn with(&self, v: Variable, value: &Fraction) -> Option<Fraction> {
        let degree = self.degree(v);
        if degree == 0 {
            return Some(Fraction::from(self.clone()));
        }
        let (mut tops, mut bottoms) = (Vec::new(), Vec::new());
        for e in 0..=degree {
            tops.push(value.top.pow(e)?);
            bottoms.push(value.bottom.pow(e)?);
        }
        let mut top = Polynomial::default();
        for (m, c) in &self.terms {
            let e = power(m, v);
            let rest: Monomial = m.iter().filter(|(w, _)| *w != v).copied().collect();
            let part = Polynomial::of(rest, c.clone())
                .mul(&tops[e as usize])?
                .mul(&bottoms[(degree - e) as usize])?;
            top = top.add(&part);
        }
        let bottom = bottoms.pop().unwrap_or_default();
        Some(Fraction { top, bottom })
    }
}

fn power(m: &Monomial, v: Variable) -> u32 {
    m.iter().find(|(w, _)| *w == v).map_or(0, |(_, e)| *e)
}

fn joined(a: &Monomial, b: &Monomial) -> Monomial {
    let mut all: BTreeMap<Variable, u32> = a.iter().copied().collect();
    b.iter().for_each(|(v, e)| *all.entry(*v).or_default() += e);
    all.into_iter().collect()
}

/// One polynomial over another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fraction {
    pub top: Polynomial,
    pub bottom: Polynomial,
}

impl From<Polynomial> for Fraction {
    fn from(top: Polynomial) -> Fraction {
        Fraction { top, bottom: Polynomial::constant(BigRational::one()) }
    }
}

impl Fraction {
    pub(super) fn constant(c: BigRational) -> Fraction {
        Polynomial::constant(c).into()
    }

    pub(super) fn whole(n: i64) -> Fraction {
        Fraction::constant(BigRational::from_integer(n.into()))
    }

    pub(super) fn variable(v: Variable) -> Fraction {
        Polynomial::variable(v).into()
    }

    /// The value, if it has no variable.
    pub(super) fn as_constant(&self) -> Option<BigRational> {
        let bottom = self.bottom.as_constant().filter(|c| !c.is_zero())?;
        Some(self.top.as_constant()? / bottom)
    }

    /// The polynomial, if the divisor is a constant.
    pub(super) fn as_polynomial(&self) -> Option<Polynomial> {
        let bottom = self.bottom.as_constant().filter(|c| !c.is_zero())?;
        Some(self.top.scale(&(BigRational::one() / bottom)))
    }

    pub(super) fn add(&self, other: &Fraction) -> Option<Fraction> {
        if self.bottom == other.bottom {
            return Some(Fraction { top: self.top.add(&other.top), bottom: self.bottom.clone() });
        }
        Some(Fraction {
            top: self.top.mul(&other.bottom)?.add(&other.top.mul(&self.bottom)?),
            bottom: self.bottom.mul(&other.bottom)?,
        })
    }

    pub(super) fn neg(&self) -> Fraction {
        Fraction { top: self.top.scale(&-BigRational::one()), bottom: self.bottom.clone() }
    }

    pub(super) fn sub(&self, other: &Fraction) -> Option<Fraction> {
        self.add(&other.neg())
    }

    pub(super) fn mul(&self, other: &Fraction) -> Option<Fraction> {
        Some(Fraction { top: self.top.mul(&other.top)?, bottom: self.bottom.mul(&other.bottom)? })
    }

    pub(super) fn div(&self, other: &Fraction) -> Option<Fraction> {
        if other.top.is_zero() {
            return None;
        }
        Some(Fraction { top: self.top.mul(&other.bottom)?, bottom: self.bottom.mul(&other.top)? })
    }

    /// A whole power, which may be negative.
    pub(super) fn powi(&self, exponent: i64) -> Option<Fraction> {
        let e = u32::try_from(exponent.unsigned_abs()).ok().filter(|e| *e <= 64)?;
        let power = Fraction { top: self.top.pow(e)?, bottom: self.bottom.pow(e)? };
        if exponent >= 0 { Some(power) } else { Fraction::whole(1).div(&power) }
    }

    pub(super) fn with(&self, v: Variable, value: &Fraction) -> Option<Fraction> {
        self.top.with(v, value)?.div(&self.bottom.with(v, value)?)
    }

    pub(super) fn variables(&self) -> Vec<Variable> {
        let mut all = self.top.variables();
        all.extend(self.bottom.variables());
        all.sort_unstable();
        all.dedup();
        all
    }
}
