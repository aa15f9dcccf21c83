//! The regularised incomplete beta function, on which t, F and binomial tails rest.

use std::f64::consts::PI;

/// I_x(a, b), where `y` is 1 - x. Both are passed because near 1 either alone has lost its digits.
///
/// The continued fraction BFRAC of DiDonato and Morris (1992, ACM TOMS 18), on the side of the mean
/// where it converges fast. It is written in a - (a + b) x, which stays exact if a is large and
/// x near the mean.
pub(crate) fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if y <= 0.0 {
        1.0
    } else if x <= (a + 1.0) / (a + b + 2.0) {
        lower_side(a, b, x, y)
    } else {
        1.0 - lower_side(b, a, y, x)
    }
}

fn lower_side(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let below_mean = if a > b { (a + b) * y - b } else { a - (a + b) * x };
    ln_front(a, b, x, y, below_mean).exp() * continued_fraction(a, b, x, y, below_mean)
}

/// 1 / (beta_1 + alpha_2 / (beta_2 + ...)), evaluated by Lentz's method.
fn continued_fraction(a: f64, b: f64, x: f64, y: f64, below_mean: f64) -> f64 {
    // It takes about sqrt(max(a, b)) terms; the bound is for arguments far beyond any number of
    // topics.
    const MOST_TERMS: usize = 100_000;
    const TINY: f64 = 1e-300;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut value = away_from_zero(a * (below_mean + 1.0) / (a + 1.0));
    let (mut c, mut d) = (value, 0.0);
    for n in 1..MOST_TERMS {
        let n = n as f64;
        let before = a + 2.0 * n - 1.0;
        let alpha = (a + n - 1.0) / before * (a + b + n - 1.0) / before * n * (b - n) * x * x;
        let beta = n
            + n * (b - n) * x / before
            + (a + n) / (before + 2.0) * (below_mean + 1.0 + n * (1.0 + y));
        d = 1.0 / away_from_zero(beta + alpha * d);
        c = away_from_zero(beta + alpha / c);
        let factor = c * d;
        value *= factor;
        if (factor - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    1.0 / value
}

/// ln of x^a y^b / B(a, b). Three logarithms of gamma functions cancel when an argument is large;
/// there Stirling's formula is subtracted by hand and only its small remainders are left to cancel.
fn ln_front(a: f64, b: f64, x: f64, y: f64, below_mean: f64) -> f64 {
    let (small, large, sum) = (a.min(b), a.max(b), a + b);
    if small >= STIRLING_FROM {
        let remainders = stirling_remainder(sum) - stirling_remainder(a) - stirling_remainder(b);
        let powers = a * (-below_mean / a).ln_1p() + b * (below_mean / b).ln_1p();
        return remainders + powers + 0.5 * (a / sum * b / (2.0 * PI)).ln();
    }
    let log_of = |v: f64, rest: f64| if v < 0.5 { v.ln() } else { (-rest).ln_1p() };
    let powers = a * log_of(x, y) + b * log_of(y, x);
    let ln_gamma_ratio = if large < STIRLING_FROM {
        libm::lgamma(sum) - libm::lgamma(large)
    } else {
        stirling_remainder(sum) - stirling_remainder(large)
            + (large - 0.5) * (small / large).ln_1p()
            + small * sum.ln()
            - small
    };
    powers + ln_gamma_ratio - libm::lgamma(small)
}

const STIRLING_FROM: f64 = 16.0;

/// ln Gamma(x) minus (x - 1/2) ln x - x + ln(2 pi)/2, by its asymptotic series (Abramowitz and
/// Stegun 6.1.41).
fn stirling_remainder(x: f64) -> f64 {
    let z = 1.0 / (x * x);
    (1.0 / 12.0
        - z * (1.0 / 360.0
            - z * (1.0 / 1260.0 - z * (1.0 / 1680.0 - z * (1.0 / 1188.0 - z * 691.0 / 360_360.0)))))
        / x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_ways_to_the_front_factor_meet() {
        for a in [0.5, 3.0, 15.9, 16.0, 40.0] {
            for b in [0.5, 2.5, 15.9, 16.1, 300.0] {
                let (x, y) = (0.25, 0.75);
                let direct = a * f64::ln(x) + b * f64::ln(y) + libm::lgamma(a + b)
                    - libm::lgamma(a)
                    - libm::lgamma(b);
                let found = ln_front(a, b, x, y, a - (a + b) * x);
                assert!(
                    (found - direct).abs() < 1e-13 * (1.0 + libm::lgamma(a + b)),
                    "{a} {b}: {found} {direct}"
                );
            }
        }
    }

    /// The logarithm of (x - 1)! less (x - 1/2) ln x - x + ln(2 pi)/2, in decimals of 60 digits.
    #[test]
    fn the_remainder_of_stirling_is_exact_from_where_it_is_used() {
        for (x, expected) in [
            (STIRLING_FROM, 0.005_207_655_919_609_64),
            (20.0, 0.004166319691996922),
            (40.0, 0.0020832899383024217),
        ] {
            let found = stirling_remainder(x);
            assert!((found / expected - 1.0).abs() < 4e-15, "{x}: {found:e}");
        }
    }

    #[test]
    fn ends_and_symmetry() {
        assert_eq!(incomplete_beta(2.0, 3.0, 0.0, 1.0), 0.0);
        assert_eq!(incomplete_beta(2.0, 3.0, 1.0, 0.0), 1.0);
        for x in [0.01, 0.3, 0.5, 0.9] {
            let total =
                incomplete_beta(2.5, 7.0, x, 1.0 - x) + incomplete_beta(7.0, 2.5, 1.0 - x, x);
            assert!((total - 1.0).abs() < 1e-14);
        }
    }

    /// I_x(1, b) = 1 - (1-x)^b and I_x(a, 1) = x^a.
    #[test]
    fn closed_cases() {
        for x in [1e-6, 0.2, 0.7, 0.999] {
            for n in [1.0, 4.0, 30.0] {
                assert!(
                    (incomplete_beta(1.0, n, x, 1.0 - x) - (1.0 - (1.0 - x).powf(n))).abs() < 1e-14
                );
                assert!((incomplete_beta(n, 1.0, x, 1.0 - x) - x.powf(n)).abs() < 1e-14);
            }
        }
    }
}
