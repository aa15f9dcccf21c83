//! Arithmetic that the measures share.

/// A sum that carries its rounding error along (Neumaier 1974): millions of equal small terms would
/// add up to a visible one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sum {
    sum: f64,
    error: f64,
}

impl Sum {
    /// Adds a term.
    pub(crate) fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.error += if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.sum = sum;
    }

    /// The sum of all terms.
    pub(crate) fn total(self) -> f64 {
        self.sum + self.error
    }

    /// Adds up.
    pub(crate) fn of(terms: impl IntoIterator<Item = f64>) -> f64 {
        let mut sum = Sum::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum.total()
    }
}

/// How many sets of k there are among n.
pub(crate) fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

/// (-1)^n.
pub(crate) fn sign(n: usize) -> f64 {
    if n.is_multiple_of(2) { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_their_digits() {
        assert_eq!(Sum::of([1.0, 1e100, 1.0, -1e100]), 2.0);
        assert_eq!(Sum::of(std::iter::repeat_n(0.1, 1_000_000)), 100_000.0);
    }
}
