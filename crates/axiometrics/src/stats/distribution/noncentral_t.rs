//! Tails of Student's t when the mean is not zero, for power.

use super::normal_cdf;
use super::quadrature::ScaledChi;

/// P(|T| > critical) for T = (Z + shift) / S, with S the scaled chi variable of `df` degrees of
/// freedom.
pub(crate) fn noncentral_t_two_sided(critical: f64, df: f64, shift: f64) -> f64 {
    ScaledChi::new(df)
        .expectation(|s| normal_cdf(shift - critical * s) + normal_cdf(-shift - critical * s))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::distribution::t_two_sided;

    #[test]
    fn without_shift_it_is_students_t() {
        for df in [1.0, 2.0, 5.0, 30.0, 1000.0] {
            for t in [0.0, 0.3, 2.0, 5.0] {
                assert!(
                    (noncentral_t_two_sided(t, df, 0.0) - t_two_sided(t, df)).abs() < 1e-13,
                    "{t} {df}"
                );
            }
        }
    }

    /// `scipy.stats.nct.sf(c, df, d) + scipy.stats.nct.cdf(-c, df, d)`, the second term left out
    /// if it is nan and negligible
    #[test]
    fn agrees_with_the_noncentral_t() {
        for (critical, df, shift, expected) in [
            (2.0, 9.0, 1.5, 0.3449329042907802),
            (2.0, 49.0, 3.0, 0.838980505324868),
            (12.706, 1.0, 3.0, 0.1861349877293725),
            (2.776, 4.0, 0.5, 0.0678847975748708),
            (1.97, 300.0, 2.8, 0.7964396541959109),
            (3.0, 20.0, 12.0, 0.9999999999999996),
            (636.6, 1.0, 300.0, 0.3625398917462676),
            (1.96, 100000.0, 1.0, 0.17006952223537558),
        ] {
            let found = noncentral_t_two_sided(critical, df, shift);
            assert!(
                (found - expected).abs() < 1e-11,
                "{critical} {df} {shift}: {found} {expected}"
            );
        }
    }
}
