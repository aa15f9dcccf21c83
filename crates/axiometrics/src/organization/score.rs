//! What a measure says of one topic.

/// A number, or the reason why there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Score {
    /// The value.
    Value(f64),
    /// No value, because of this.
    Undefined(&'static str),
}

impl Score {
    /// The value, if there is one.
    pub fn value(self) -> Option<f64> {
        match self {
            Score::Value(value) => Some(value),
            Score::Undefined(_) => None,
        }
    }

    /// A quotient, undefined for a reason where the denominator is 0.
    pub(crate) fn ratio(numerator: f64, denominator: f64, otherwise: &'static str) -> Score {
        if denominator == 0.0 { Score::Undefined(otherwise) } else { Score::Value(numerator / denominator) }
    }
}

/// The harmonic mean of two numbers that are not negative, 0 where both are 0.
pub fn harmonic(a: f64, b: f64) -> f64 {
    if a + b == 0.0 { 0.0 } else { 2.0 * a * b / (a + b) }
}
