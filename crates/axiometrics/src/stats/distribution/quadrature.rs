//! Gauss-Legendre quadrature, and the one integral two distributions share: the mean over a scaled
//! chi variable.

use std::f64::consts::PI;
use std::sync::LazyLock;

/// Points per panel.
const POINTS: usize = 16;

/// Log-density below the peak at which the scaled chi density is cut: exp(-60) is about 1e-26.
const DEPTH: f64 = 60.0;

static RULE: LazyLock<[(f64, f64); POINTS]> = LazyLock::new(|| {
    std::array::from_fn(|i| {
        let n = POINTS as f64;
        let mut x = (PI * (i as f64 + 0.75) / (n + 0.5)).cos();
        let mut slope = 1.0;
        // Newton's steps from this start converge for every root; five reach the last digit, the
        // rest change nothing.
        for _ in 0..10 {
            let (mut below, mut here) = (1.0, x);
            for k in 2..=POINTS {
                let k = k as f64;
                (below, here) = (here, ((2.0 * k - 1.0) * x * here - (k - 1.0) * below) / k);
            }
            slope = n * (x * here - below) / (x * x - 1.0);
            x -= here / slope;
        }
        (x, 2.0 / ((1.0 - x * x) * slope * slope))
    })
});

/// Points and weights for `[from, to]` cut into `panels` equal parts.
pub(crate) fn points(from: f64, to: f64, panels: usize) -> impl Iterator<Item = (f64, f64)> {
    let half = (to - from) / (2 * panels) as f64;
    (0..panels).flat_map(move |panel| {
        let centre = from + half * (2 * panel + 1) as f64;
        RULE.iter().map(move |(x, w)| (centre + half * x, half * w))
    })
}

/// The integral of `f` over `[from, to]`, panels halved until halving moves them by less than
/// `tolerance`.
pub(crate) fn integrate(f: &impl Fn(f64) -> f64, from: f64, to: f64, tolerance: f64) -> f64 {
    fn refine(
        f: &impl Fn(f64) -> f64,
        from: f64,
        to: f64,
        whole: f64,
        tolerance: f64,
        depth: usize,
    ) -> f64 {
        let middle = from + (to - from) / 2.0;
        let (left, right) = (panel(f, from, middle), panel(f, middle, to));
        if depth == 0 || (left + right - whole).abs() <= tolerance {
            return left + right;
        }
        refine(f, from, middle, left, tolerance, depth - 1)
            + refine(f, middle, to, right, tolerance, depth - 1)
    }
    fn panel(f: &impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
        points(from, to, 1).map(|(x, w)| w * f(x)).sum()
    }
    refine(f, from, to, panel(f, from, to), tolerance, 40)
}

/// The distribution of S = chi_df / sqrt(df), the ratio of an estimated to the true standard
/// deviation, in u = ln S.
///
/// Its constant is never written down: dividing by the integral of the density itself avoids
/// logarithms of gamma functions, which cancel badly for many degrees of freedom, and it cancels
/// most of the error of the quadrature too.
pub(crate) struct ScaledChi {
    df: f64,
    low: f64,
    high: f64,
}

impl ScaledChi {
    pub(crate) fn new(df: f64) -> ScaledChi {
        let reach = DEPTH / df;
        let inside = |u: f64| drop_from_peak(u) <= reach;
        let high = super::last_where(0.0, 1.0 + reach, inside);
        let low = -super::last_where(0.0, 1.0 + reach, |u| inside(-u));
        ScaledChi { df, low, high }
    }

    /// The density in u, up to a constant: 1 at the peak.
    fn density(&self, u: f64) -> f64 {
        (-self.df * drop_from_peak(u)).exp()
    }

    /// Values of S with weights that sum to 1. Panels at most `widest` wide in u.
    pub(crate) fn weighted(&self, widest: f64) -> Vec<(f64, f64)> {
        let panels = ((self.high - self.low) / widest).ceil().max(6.0) as usize;
        let nodes: Vec<(f64, f64)> = points(self.low, self.high, panels)
            .map(|(u, w)| (u.exp(), w * self.density(u)))
            .collect();
        let total: f64 = nodes.iter().map(|(_, w)| w).sum();
        nodes.into_iter().map(|(s, w)| (s, w / total)).collect()
    }

    /// E[g(S)] for a bounded g that may change as abruptly as it likes.
    pub(crate) fn expectation(&self, g: impl Fn(f64) -> f64) -> f64 {
        let tolerance = 1e-15 * (self.high - self.low);
        let total = integrate(&|u| self.density(u), self.low, self.high, tolerance);
        integrate(&|u: f64| self.density(u) * g(u.exp()), self.low, self.high, tolerance) / total
    }
}

/// (exp(2u) - 1)/2 - u: minus the log-density of u, per degree of freedom, from its peak at 0.
fn drop_from_peak(u: f64) -> f64 {
    0.5 * (2.0 * u).exp_m1() - u
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_for_polynomials_of_degree_31() {
        for degree in 0..2 * POINTS as i32 {
            let found: f64 = points(0.0, 1.0, 1).map(|(x, w)| w * x.powi(degree)).sum();
            assert!((found - 1.0 / f64::from(degree + 1)).abs() < 1e-15, "degree {degree}");
        }
    }

    #[test]
    fn refines_around_a_step() {
        let step = |x: f64| if x < 0.3 { 1.0 } else { 0.0 };
        assert!((integrate(&step, 0.0, 1.0, 1e-15) - 0.3).abs() < 1e-11);
    }

    /// E[S^2] = 1 and E[S^4] = 1 + 2/df, whatever df.
    #[test]
    fn moments_of_the_scaled_chi() {
        for df in [1.0, 2.0, 9.0, 100.0, 12_345.0, 1e7, 1e12] {
            let chi = ScaledChi::new(df);
            assert!((chi.expectation(|s| s * s) - 1.0).abs() < 1e-13, "{df}");
            let fourth: f64 = chi.weighted(1.0).iter().map(|(s, w)| w * s.powi(4)).sum();
            assert!((fourth - 1.0 - 2.0 / df).abs() < 1e-12, "{df}: {fourth}");
        }
    }
}
