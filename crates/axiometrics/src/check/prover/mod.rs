//! A small prover of inequalities that hold for all ranks, counts and gains.
//!
//! An expression becomes a fraction of polynomials in variables that are never negative. If all
//! coefficients are at least zero, so is the polynomial: that is the whole idea. Bounds are moved
//! to zero first (a rank from 1 on is 1 + u, a number from 0 to 1 is s / (1 + s)), whole variables
//! are split into the first values one by one and the rest. Logarithms and powers are letters,
//! variables of which some things are known: they are positive, they are in the order of their
//! arguments, and the steps between logarithms of equally spaced arguments shrink.
//!
//! What it cannot prove it leaves open: a `false` says nothing. Each question is a [`Claim`], which
//! can also be written as SMT-LIB for others to check.

mod claim;
mod polynomial;
mod smt;

use std::cell::RefCell;
use std::collections::HashMap;

use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive};

use crate::expression::syntax::{Expr, Node, Op};
use crate::number::{Exact, Number};
pub(super) use claim::{Bound, Claim, ClaimLetter, mentions, number, replaced, with};
use polynomial::{Fraction, Polynomial, Variable};

/// The value of an expression for all values of its variables at once.
#[derive(Debug, Clone, PartialEq)]
struct Symbol(Fraction);

/// What is known of a variable.
#[derive(Debug, Clone)]
enum KnownVariable {
    /// At least zero; `positive`: never zero; `whole`: a whole number.
    Free { positive: bool, whole: bool },
    /// The logarithm to base two of this.
    Log(Fraction),
    /// A base above zero to a power.
    Power(Fraction, Fraction),
    /// The smaller, or the larger, of two, which is above zero.
    Either(Fraction, Fraction),
}

/// The variables of one question. All methods take and give symbols of this prover alone.
#[derive(Debug, Default)]
struct Prover {
    variables: RefCell<Vec<(String, KnownVariable)>>,
}

/// How often a whole variable is split.
const SPLITS: u32 = 3;

impl Prover {
    fn new() -> Prover {
        Prover::default()
    }

    fn make(&self, name: &str, known: KnownVariable) -> Fraction {
        let mut all = self.variables.borrow_mut();
        all.push((name.to_string(), known));
        Fraction::variable(all.len() - 1)
    }

    /// A whole number that is at least this.
    fn whole(&self, name: &str, least: i64) -> Symbol {
        let free = self.make(name, KnownVariable::Free { positive: false, whole: true });
        Symbol(free).plus(&Symbol::whole(least))
    }

    /// A number of at least zero.
    fn nonnegative(&self, name: &str) -> Symbol {
        Symbol(self.make(name, KnownVariable::Free { positive: false, whole: false }))
    }

    /// A number above zero.
    fn positive_number(&self, name: &str) -> Symbol {
        Symbol(self.make(name, KnownVariable::Free { positive: true, whole: false }))
    }

    /// A number from 0 to 1, the upper end left out: s / (1 + s).
    fn share(&self, name: &str) -> Symbol {
        let s = self.nonnegative(name);
        let above = s.plus(&Symbol::whole(1));
        Symbol(s.0.div(&above.0).unwrap_or(s.0))
    }

    /// The value of an expression whose names stand for these symbols.
    fn value(&self, node: &Node, names: &HashMap<&str, Symbol>) -> Option<Symbol> {
        self.evaluate(node, names).map(Symbol)
    }

    /// True if it is certain that a symbol is above zero.
    fn is_positive(&self, x: &Symbol) -> bool {
        self.sign(&x.0, true)
    }

    /// True if it is certain that a symbol is not below zero.
    fn is_nonnegative(&self, x: &Symbol) -> bool {
        self.sign(&x.0, false)
    }

    fn evaluate(&self, node: &Node, names: &HashMap<&str, Symbol>) -> Option<Fraction> {
        match &node.expr {
            Expr::Number(x) => Exact::decimal(*x).rational().map(Fraction::constant),
            Expr::Name(name) => names.get(name.as_str()).map(|symbol| symbol.0.clone()),
            Expr::Negative(inner) => Some(self.evaluate(inner, names)?.neg()),
            Expr::Binary(op, left, right) if op.compares() => {
                let holds = self.decided(*op, left, right, names)?;
                Some(Fraction::whole(i64::from(holds)))
            }
            Expr::Binary(Op::And | Op::Or, ..) | Expr::Not(_) => {
                Some(Fraction::whole(i64::from(self.truth(node, names)?)))
            }
            Expr::Binary(op, left, right) => {
                let (a, b) = (self.evaluate(left, names)?, self.evaluate(right, names)?);
                match op {
                    Op::Add => a.add(&b),
                    Op::Subtract => a.sub(&b),
                    Op::Multiply => a.mul(&b),
                    Op::Divide => {
                        // A divisor of unknown sign may be zero somewhere.
                        let certain = self.sign(&b, true) || self.sign(&b.neg(), true);
                        certain.then(|| a.div(&b)).flatten()
                    }
                    Op::Power => self.power(&a, &b),
                    _ => None,
                }
            }
            Expr::Call(name, arguments) => self.call(name, arguments, names),
            Expr::Level(_) | Expr::Over(_) => None,
        }
    }

    fn truth(&self, node: &Node, names: &HashMap<&str, Symbol>) -> Option<bool> {
        match &node.expr {
            Expr::Binary(Op::And, a, b) => match (self.truth(a, names), self.truth(b, names)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Expr::Binary(Op::Or, a, b) => match (self.truth(a, names), self.truth(b, names)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            Expr::Not(inner) => self.truth(inner, names).map(|holds| !holds),
            Expr::Binary(op, a, b) if op.compares() => self.decided(*op, a, b, names),
            _ => None,
        }
    }

    /// Whether a comparison holds for all values, or for none.
    fn decided(
        &self,
        op: Op,
        left: &Node,
        right: &Node,
        names: &HashMap<&str, Symbol>,
    ) -> Option<bool> {
        let difference = self.evaluate(left, names)?.sub(&self.evaluate(right, names)?)?;
        let back = difference.neg();
        let (above, below) = (self.sign(&difference, true), self.sign(&back, true));
        let (not_below, not_above) = (self.sign(&difference, false), self.sign(&back, false));
        let either = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
        match op {
            Op::Less => either(below, not_below),
            Op::LessEqual => either(not_above, above),
            Op::Greater => either(above, not_above),
            Op::GreaterEqual => either(not_below, below),
            Op::Equal => either(not_above && not_below, above || below),
            Op::NotEqual => either(above || below, not_above && not_below),
            _ => None,
        }
    }

    fn call(
        &self,
        name: &str,
        arguments: &[Node],
        names: &HashMap<&str, Symbol>,
    ) -> Option<Fraction> {
        if name == "if" {
            let [condition, yes, no] = arguments else { return None };
            let chosen = if self.truth(condition, names)? { yes } else { no };
            return self.evaluate(chosen, names);
        }
        let values: Vec<Fraction> =
            arguments.iter().map(|a| self.evaluate(a, names)).collect::<Option<_>>()?;
        match (name, values.as_slice()) {
            ("log2", [x]) => self.log(x),
            ("ln", [x]) => self.log(x)?.mul(&self.ln_2()),
            ("abs", [x]) if self.sign(x, false) => Some(x.clone()),
            ("abs", [x]) if self.sign(&x.neg(), false) => Some(x.neg()),
            ("min" | "max", [first, rest @ ..]) => {
                rest.iter().try_fold(first.clone(), |best, x| {
                    let difference = best.sub(x)?;
                    let larger = self.sign(&difference, false);
                    if larger || self.sign(&difference.neg(), false) {
                        return Some(if larger == (name == "max") { best } else { x.clone() });
                    }
                    // Which of the two is not known, only that it is above zero.
                    let (a, b) = (self.sign(&best, true), self.sign(x, true));
                    let positive = if name == "max" { a || b } else { a && b };
                    positive.then(|| self.letter(name, KnownVariable::Either(best, x.clone())))
                })
            }
            _ => None,
        }
    }

    /// The letter of a function's value, the same for the same arguments.
    fn letter(&self, name: &str, known: KnownVariable) -> Fraction {
        let found =
            self.variables.borrow().iter().position(|(other_name, other)| match (&known, other) {
                (KnownVariable::Log(a), KnownVariable::Log(b)) => same(a, b),
                (KnownVariable::Power(p, a), KnownVariable::Power(q, b)) => {
                    same(p, q) && same(a, b)
                }
                (KnownVariable::Either(p, a), KnownVariable::Either(q, b)) => {
                    other_name == name && same(p, q) && same(a, b)
                }
                _ => false,
            });
        found.map_or_else(|| self.make(name, known), Fraction::variable)
    }

    fn ln_2(&self) -> Fraction {
        let known = self.variables.borrow().iter().position(|(name, _)| name == "ln2");
        let free = KnownVariable::Free { positive: true, whole: false };
        known.map_or_else(|| self.make("ln2", free), Fraction::variable)
    }

    fn log(&self, x: &Fraction) -> Option<Fraction> {
        if let Some(c) = x.as_constant()
            && c.is_integer()
            && let Some(n) = c.to_integer().to_u64().filter(|n| n.is_power_of_two())
        {
            return Some(Fraction::whole(i64::from(n.trailing_zeros())));
        }
        // Only logarithms that are not negative are understood.
        let above = x.sub(&Fraction::whole(1))?;
        self.sign(&above, false).then(|| self.letter("log2", KnownVariable::Log(x.clone())))
    }

    fn power(&self, base: &Fraction, exponent: &Fraction) -> Option<Fraction> {
        if let Some(e) = exponent.as_constant().filter(BigRational::is_integer) {
            return base.powi(e.to_integer().to_i64()?);
        }
        if !self.sign(base, true) {
            return None;
        }
        let Some(polynomial) = exponent.as_polynomial() else {
            return Some(
                self.letter("power", KnownVariable::Power(base.clone(), exponent.clone())),
            );
        };
        // The constant part of an exponent is taken out, so that p^(i+1) is p * p^i.
        let whole = polynomial.constant_part().floor();
        let rest: Fraction = polynomial.sub(&Polynomial::constant(whole.clone())).into();
        let letter = self.letter("power", KnownVariable::Power(base.clone(), rest));
        letter.mul(&base.powi(whole.to_integer().to_i64()?)?)
    }

    /// Whether a fraction is certainly above zero, or not below it.
    fn sign(&self, x: &Fraction, strict: bool) -> bool {
        if let Some(c) = x.as_constant() {
            return if strict { c.is_positive() } else { !c.is_negative() };
        }
        let Some(Fraction { top, bottom }) = self.ordered(x) else { return false };
        let minus = |p: &Polynomial| p.scale(&-BigRational::one());
        (self.holds(&bottom, true, SPLITS) && self.holds(&top, strict, SPLITS))
            || (self.holds(&minus(&bottom), true, SPLITS)
                && self.holds(&minus(&top), strict, SPLITS))
    }

    /// Whether a polynomial is above zero, or not below it: by its coefficients, or else by those
    /// of its two cases for a whole variable, that it is 0 or at least 1.
    fn holds(&self, p: &Polynomial, strict: bool, splits: u32) -> bool {
        let positive = |v: Variable| match self.variables.borrow()[v].1 {
            KnownVariable::Free { positive, .. } => positive,
            // Logarithms are at least zero, see `log`.
            KnownVariable::Log(_) => false,
            KnownVariable::Power(..) | KnownVariable::Either(..) => true,
        };
        if p.terms().all(|(_, c)| c.is_positive())
            && (!strict || p.terms().any(|(m, _)| m.iter().all(|(v, _)| positive(*v))))
        {
            return true;
        }
        let whole = |v: &Variable| {
            matches!(self.variables.borrow()[*v].1, KnownVariable::Free { whole: true, .. })
        };
        splits > 0
            && p.variables().into_iter().filter(whole).any(|v| {
                let zero = p.with(v, &Fraction::whole(0));
                let above = Fraction::variable(v).add(&Fraction::whole(1));
                let rest = above.and_then(|above| p.with(v, &above));
                let shown = |part: Option<Fraction>, splits: u32| {
                    part.is_some_and(|f| {
                        f.top.is_zero() && !strict || self.holds(&f.top, strict, splits)
                    })
                };
                shown(zero, splits - 1) && shown(rest, splits - 1)
            })
    }

    /// The fraction in variables that are free of each other: logarithms of growing arguments are
    /// sums of steps, and the steps between equally spaced ones shrink.
    fn ordered(&self, x: &Fraction) -> Option<Fraction> {
        let log = |v: Variable| match &self.variables.borrow()[v].1 {
            KnownVariable::Log(of) => Some((v, of.clone())),
            _ => None,
        };
        let mut logs: Vec<(Variable, Fraction)> =
            x.variables().into_iter().filter_map(log).collect();
        if logs.is_empty() {
            return Some(x.clone());
        }
        // Sorted by insertion; arguments that cannot be compared leave all as it is.
        let mut sorted: Vec<(Variable, Fraction)> = Vec::new();
        for (v, of) in logs.drain(..) {
            let above = |other: &Fraction| other.sub(&of).is_some_and(|d| self.sign(&d, true));
            let below = |other: &Fraction| of.sub(other).is_some_and(|d| self.sign(&d, true));
            let at = sorted.iter().position(|(_, other)| above(other)).unwrap_or(sorted.len());
            if !sorted[..at].iter().all(|(_, other)| below(other)) {
                return Some(x.clone());
            }
            sorted.insert(at, (v, of));
        }
        let gaps: Vec<Fraction> =
            sorted.windows(2).map(|w| w[1].1.sub(&w[0].1)).collect::<Option<_>>()?;
        // Steps from the last to the first: each is the next one and something more, if the gap is
        // no smaller.
        let fresh = || self.make("step", KnownVariable::Free { positive: true, whole: false });
        let mut steps: Vec<Fraction> = Vec::new();
        for i in (0..gaps.len()).rev() {
            let step = match (steps.last(), gaps.get(i + 1)) {
                (Some(next), Some(gap))
                    if gaps[i].sub(gap).is_some_and(|d| self.sign(&d, false)) =>
                {
                    next.add(&fresh())?
                }
                _ => fresh(),
            };
            steps.push(step);
        }
        steps.reverse();
        let (first, of) = sorted.first()?;
        // The logarithm of a number from 2 on is 1 and something more.
        let is_above =
            |n, strict| of.sub(&Fraction::whole(n)).is_some_and(|d| self.sign(&d, strict));
        let least = i64::from(is_above(2, false));
        let positive = is_above(least + 1, true);
        let more = self.make("log2", KnownVariable::Free { positive, whole: false });
        let mut value = more.add(&Fraction::whole(least))?;
        let mut result = x.with(*first, &value)?;
        for ((v, _), step) in sorted[1..].iter().zip(&steps) {
            value = value.add(step)?;
            result = result.with(*v, &value)?;
        }
        Some(result)
    }
}

fn same(a: &Fraction, b: &Fraction) -> bool {
    a.sub(b).is_some_and(|difference| difference.top.is_zero())
}

impl Symbol {
    fn whole(n: i64) -> Symbol {
        Symbol(Fraction::whole(n))
    }

    fn plus(&self, other: &Symbol) -> Symbol {
        // What is too large to be written out is of no known sign.
        Symbol(
            self.0
                .add(&other.0)
                .unwrap_or(Fraction { top: Polynomial::default(), bottom: Polynomial::default() }),
        )
    }
}
