//! The normal distribution.

/// The probability that a standard normal variable is at most z.
pub(super) fn normal_cdf(z: f64) -> f64 {
    if z.is_nan() {
        return f64::NAN;
    }
    if z.abs() < 3.0 {
        // Phi(z) = 1/2 + phi(z) (z + z^3/3 + z^5/(3*5) + ...): Abramowitz and Stegun 26.2.11.
        let (mut term, mut sum, mut i) = (z, z, 1.0);
        while term.abs() > 1e-18 {
            i += 2.0;
            term *= z * z / i;
            sum += term;
        }
        return 0.5 + density(z) * sum;
    }
    // Q(x) = phi(x) / (x + 1/(x + 2/(x + 3/(x + ...)))): 26.2.14.
    let x = z.abs();
    let tail = density(x) / (1..=100).rev().fold(x, |rest, i| x + f64::from(i) / rest);
    if z > 0.0 { 1.0 - tail } else { tail }
}

fn density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_scipy() {
        for (z, p) in [
            (-9.0, 1.1285884059538324e-19),
            (-5.0, 2.866515718791933e-7),
            (-3.2, 0.0006871379379158471),
            (-1.0, 0.15865525393145707),
            (-0.3, 0.3820885778110474),
            (0.0, 0.5),
            (0.7, 0.758036347776927),
            (2.9, 0.998134186699616),
            (3.1, 0.9990323967867817),
            (6.0, 0.9999999990134123),
        ] {
            assert!((normal_cdf(z) / p - 1.0).abs() < 1e-13, "{z}: {}, not {p}", normal_cdf(z));
        }
        assert_eq!((normal_cdf(f64::INFINITY), normal_cdf(f64::NEG_INFINITY)), (1.0, 0.0));
    }
}
