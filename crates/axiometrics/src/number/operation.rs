//! The four operations on numbers of every kind that an exact number may be.

use num_integer::Integer;
use num_rational::{BigRational, Ratio};
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};

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

    pub(super) fn rational(self, a: BigRational, b: BigRational) -> BigRational {
        match self {
            Operation::Add => a + b,
            Operation::Sub => a - b,
            Operation::Mul => a * b,
            Operation::Div => a / b,
        }
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
