//! The distributions the tests refer to: closed forms here, integrals in their own files.

pub(super) mod beta;
pub(super) mod noncentral_t;
pub(super) mod quadrature;
pub(super) mod studentized_range;

use std::f64::consts::{PI, SQRT_2};

use beta::incomplete_beta;

/// P(Z <= z) of the standard normal; for the upper tail negate `z`, which loses nothing.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

pub(super) fn normal_density(z: f64) -> f64 {
    (-0.5 * z * z).exp() / (2.0 * PI).sqrt()
}

/// The z below which a share `p` of the standard normal lies.
pub(super) fn normal_quantile(p: f64) -> f64 {
    // Solved in the lower tail, where the distribution function keeps its relative precision.
    if p > 0.5 { -normal_quantile(1.0 - p) } else { last_where(-40.0, 0.0, |z| normal_cdf(z) <= p) }
}

/// P(|T| >= |t|) of Student's t.
pub(super) fn t_two_sided(t: f64, df: f64) -> f64 {
    let t2 = t * t;
    if t2.is_infinite() {
        return 0.0;
    }
    incomplete_beta(df / 2.0, 0.5, df / (df + t2), t2 / (df + t2))
}

/// The t that is exceeded in magnitude with probability `alpha`.
pub(super) fn t_critical(alpha: f64, df: f64) -> f64 {
    let mut high = 1.0;
    while t_two_sided(high, df) > alpha {
        high *= 2.0;
    }
    last_where(0.0, high, |t| t_two_sided(t, df) >= alpha)
}

/// P(F >= f) of Fisher's F with `df1` and `df2` degrees of freedom.
pub(super) fn f_upper(f: f64, df1: f64, df2: f64) -> f64 {
    if f.is_infinite() {
        return 0.0;
    }
    let total = df2 + df1 * f;
    incomplete_beta(df2 / 2.0, df1 / 2.0, df2 / total, df1 * f / total)
}

/// P(X <= k) for the number of heads among `n` fair coins.
pub(super) fn fair_coins_cdf(k: usize, n: usize) -> f64 {
    if k >= n { 1.0 } else { incomplete_beta((n - k) as f64, k as f64 + 1.0, 0.5, 0.5) }
}

/// The largest number in `[low, high]` for which `holds`, given that it holds at `low` and changes
/// once.
pub(super) fn last_where(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    if holds(high) {
        return high;
    }
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return low;
        }
        if holds(middle) { low = middle } else { high = middle }
    }
}

/// The first number in `low..high` for which it no longer `holds`, or `high`, given that it changes
/// at most once.
pub(super) fn first_without(
    mut low: usize,
    mut high: usize,
    holds: impl Fn(usize) -> bool,
) -> usize {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, relative: f64) {
        assert!(
            (found - expected).abs() <= relative * expected.abs(),
            "found {found:e}, expected {expected:e}"
        );
    }

    /// `[2 * scipy.stats.t.sf(t, df) for t, df in ...]`
    #[test]
    fn student_t_agrees_in_the_tails() {
        close(t_two_sided(0.5, 1.0), 0.7048327646991335, 1e-12);
        close(t_two_sided(12.7, 1.0), 0.050024327689344165, 1e-12);
        close(t_two_sided(1000000.0, 1.0), 6.366197723673691e-07, 1e-12);
        close(t_two_sided(2.0, 4.0), 0.11611652351681556, 1e-12);
        close(t_two_sided(40.0, 4.0), 2.3340163226012678e-06, 1e-12);
        close(t_two_sided(2.0, 49.0), 0.05105914825741809, 1e-12);
        close(t_two_sided(9.0, 49.0), 5.89568833583773e-12, 1e-12);
        close(t_two_sided(25.0, 49.0), 1.5065641664269426e-29, 1e-12);
        close(t_two_sided(1.96, 10000.0), 0.05002352023183303, 1e-12);
        close(t_two_sided(6.0, 10000.0), 2.0416184729226213e-09, 1e-12);
        close(t_two_sided(1e-07, 12.0), 0.999999921854739, 1e-12);
        close(t_two_sided(3.0, 10000000.0), 0.0026998027110371635, 1e-12);
    }

    /// `scipy.stats.f.sf(f, a, b)`
    #[test]
    fn fisher_f_agrees() {
        close(f_upper(1.0, 3.0, 10.0), 0.4323372030216972, 1e-12);
        close(f_upper(5.5, 3.0, 10.0), 0.01713818439146669, 1e-12);
        close(f_upper(2.1, 49.0, 12201.0), 1.134003887331554e-05, 1e-12);
        close(f_upper(40.0, 5.0, 60.0), 7.068285549476826e-18, 1e-12);
        close(f_upper(0.02, 62.0, 3224.0), 1.0, 1e-12);
    }

    /// `scipy.stats.binom.cdf(k, n, 0.5)`
    #[test]
    fn coins_agree() {
        close(fair_coins_cdf(2, 7), 0.2265625, 1e-12);
        close(fair_coins_cdf(10, 50), 1.1930665838377763e-05, 1e-12);
        close(fair_coins_cdf(480, 1000), 0.10872414660207075, 1e-12);
        close(fair_coins_cdf(300, 1000), 8.832839003974784e-38, 1e-12);
        close(fair_coins_cdf(49000, 100000), 1.2943580191734472e-10, 1e-12);
        assert_eq!(fair_coins_cdf(3, 3), 1.0);
        assert_eq!(fair_coins_cdf(0, 0), 1.0);
        close(fair_coins_cdf(0, 5), 1.0 / 32.0, 1e-14);
    }

    /// `scipy.stats.norm.cdf(z)`, `scipy.stats.norm.ppf(p)` and `scipy.stats.t.isf(alpha / 2, df)`
    #[test]
    fn normal_and_quantiles_agree() {
        close(normal_cdf(-30.0), 4.906713927147908e-198, 1e-12);
        close(normal_cdf(-8.0), 6.22096057427174e-16, 1e-12);
        close(normal_cdf(-1.5), 0.06680720126885807, 1e-12);
        close(normal_cdf(0.3), 0.6179114221889526, 1e-12);
        close(normal_cdf(3.0), 0.9986501019683699, 1e-12);
        close(normal_quantile(1e-12), -7.034483825301131, 1e-12);
        close(normal_quantile(0.025), -1.9599639845400545, 1e-12);
        close(normal_quantile(0.3), -0.5244005127080409, 1e-12);
        close(normal_quantile(0.7), 0.5244005127080407, 1e-12);
        close(normal_quantile(0.975), 1.959963984540054, 1e-12);
        close(normal_quantile(0.9999), 3.719016485455709, 1e-12);
        close(t_critical(0.05, 1.0), 12.706204736174705, 1e-12);
        close(t_critical(0.05, 9.0), 2.2621571627982053, 1e-12);
        close(t_critical(0.01, 52.0), 2.6737336306472197, 1e-12);
        close(t_critical(1e-09, 3.0), 1301.6371672916928, 1e-12);
        close(t_critical(0.9, 30.0), 0.12672961313207354, 1e-12);
        close(t_critical(0.05, 1000000.0), 1.9599663568141072, 1e-12);
        assert_eq!(normal_quantile(0.5), 0.0);
    }

    #[test]
    fn bisection_ends_at_neighbouring_numbers() {
        let root = last_where(0.0, 4.0, |x| x * x <= 3.0);
        assert!(root * root <= 3.0 && root.next_up().powi(2) > 3.0);
        assert_eq!(last_where(0.0, 1.0, |_| true), 1.0);
        for edge in 0..10 {
            assert_eq!(first_without(0, 9, |k| k < edge), edge.min(9));
        }
    }
}
