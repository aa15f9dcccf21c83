//! The studentized range: the spread of k normal means over an independent estimate of their
//! standard deviation.

use std::sync::OnceLock;

use super::quadrature::{ScaledChi, points};
use super::{last_where, normal_cdf, normal_density};
use crate::{Error, Result};

/// The distribution of the studentized range for `k` groups and `df` degrees of freedom.
///
/// It is the mean of the normal range over the scaled chi variable, taken with Gauss-Legendre
/// panels over fixed points. What it tabulates is kept, so that looking up the thousands of pairs of
/// many systems costs little more than looking up one.
#[derive(Debug, Clone)]
pub struct StudentizedRange {
    /// Values of the scaled chi variable, with weights.
    scales: Vec<(f64, f64)>,
    range: NormalRange,
}

/// Weights below this change nothing.
const NEGLIGIBLE: f64 = 1e-22;

impl StudentizedRange {
    /// The distribution for `k` groups, at least 2, and `df` degrees of freedom, at least 1.
    pub fn new(k: usize, df: f64) -> Result<StudentizedRange> {
        if k < 2 || !(df >= 1.0 && df.is_finite()) {
            return Err(Error::usage(format!(
                "no studentized range of {k} groups with {df} degrees of freedom"
            ))
            .help("it takes 2 groups and 1 degree of freedom or more"));
        }
        let mut scales = ScaledChi::new(df).weighted(0.4);
        scales.retain(|(_, weight)| *weight > NEGLIGIBLE);
        Ok(StudentizedRange { scales, range: NormalRange::new(k) })
    }

    /// P(Q >= q).
    pub fn upper(&self, q: f64) -> f64 {
        if q <= 0.0 {
            return 1.0;
        }
        let p: f64 = self.scales.iter().map(|(s, weight)| weight * self.range.upper(q * s)).sum();
        p.clamp(0.0, 1.0)
    }

    /// The q that is exceeded with probability `alpha`.
    pub fn critical(&self, alpha: f64) -> f64 {
        let mut high = 1.0;
        while self.upper(high) > alpha && high < f64::MAX / 2.0 {
            high *= 2.0;
        }
        last_where(0.0, high, |q| self.upper(q) >= alpha)
    }
}

/// The range of k standard normal variables.
#[derive(Debug, Clone)]
struct NormalRange {
    highest: Vec<Highest>,
    others: f64,
    /// P(range >= w) on `[i WIDTH, (i + 1) WIDTH)`, as coefficients of Chebyshev polynomials. A
    /// panel is filled when it is first asked for.
    panels: Vec<OnceLock<[f64; TERMS]>>,
}

/// The largest of the k normal variables is at `z`: its weight in the integral and P(another is
/// below).
#[derive(Debug, Clone)]
struct Highest {
    z: f64,
    weight: f64,
    below: f64,
}

/// With these panels the interpolation is as exact as the integral: a test holds the difference
/// below 1e-14, and below 1e-9 of the probability however small that is.
const TERMS: usize = 16;
const WIDTH: f64 = 0.25;
const PANELS: usize = 120;

impl NormalRange {
    fn new(k: usize) -> NormalRange {
        // Outside, the normal density is below 1e-19.
        const FARTHEST: f64 = 9.0;
        let k = k as f64;
        let highest = points(-FARTHEST, FARTHEST, 18)
            .map(|(z, w)| {
                let below = normal_cdf(z);
                Highest { z, weight: w * k * normal_density(z) * below.powf(k - 1.0), below }
            })
            .filter(|node| node.weight > NEGLIGIBLE)
            .collect();
        NormalRange { highest, others: k - 1.0, panels: vec![OnceLock::new(); PANELS] }
    }

    /// P(range >= w), from the table if it reaches.
    fn upper(&self, w: f64) -> f64 {
        let at = w / WIDTH;
        let Some(panel) = self.panels.get(at as usize) else { return self.integral(w) };
        let coefficients = panel.get_or_init(|| self.interpolated(at.floor() * WIDTH));
        // Clenshaw's recurrence at x in [-1, 1).
        let x = 2.0 * (at - at.floor()) - 1.0;
        let (mut later, mut next) = (0.0, 0.0);
        for c in coefficients[1..].iter().rev() {
            (later, next) = (next, c + 2.0 * x * next - later);
        }
        coefficients[0] + x * next - later
    }

    /// The coefficients for the panel that begins here.
    fn interpolated(&self, from: f64) -> [f64; TERMS] {
        let angle = |i: usize| std::f64::consts::PI * (i as f64 + 0.5) / TERMS as f64;
        let values: [f64; TERMS] =
            std::array::from_fn(|i| self.integral(from + WIDTH * (angle(i).cos() + 1.0) / 2.0));
        std::array::from_fn(|n| {
            let share = if n == 0 { 1.0 } else { 2.0 } / TERMS as f64;
            let term = |i: usize| values[i] * (n as f64 * angle(i)).cos();
            share * (0..TERMS).map(term).sum::<f64>()
        })
    }

    /// P(range >= w) by its definition: not all the others lie within w below the highest. Summing
    /// this complement instead of subtracting the distribution function from 1 keeps small
    /// probabilities exact.
    fn integral(&self, w: f64) -> f64 {
        let some_other_is_farther = |node: &Highest| {
            let farther = (normal_cdf(node.z - w) / node.below).min(1.0);
            -(self.others * (-farther).ln_1p()).exp_m1()
        };
        self.highest.iter().map(|node| node.weight * some_other_is_farther(node)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::distribution::t_two_sided;

    /// With two groups Q = |T| sqrt(2), a closed form this integral knows nothing of.
    #[test]
    fn two_groups_are_students_t() {
        for df in [1.0, 2.0, 5.0, 30.0, 400.0, 1e5, 1e9] {
            let distribution = StudentizedRange::new(2, df).unwrap();
            for q in [0.01, 0.5, 2.0, 4.0, 8.0, 30.0] {
                let expected = t_two_sided(q / 2f64.sqrt(), df);
                let found = distribution.upper(q);
                assert!((found - expected).abs() < 1e-13, "q {q} df {df}: {found} {expected}");
            }
        }
    }

    /// The table against the integral it was made from, everywhere and at the edges of panels.
    #[test]
    fn the_table_is_as_exact_as_the_integral() {
        let mut worst: f64 = 0.0;
        for k in [2, 3, 10, 63, 200, 1000, 20_000] {
            let range = NormalRange::new(k);
            for i in 0..1600 {
                let w = 30.0 * (f64::from(i) + if i % 5 == 0 { 0.0 } else { 0.437 }) / 1600.0;
                let (found, expected) = (range.upper(w), range.integral(w));
                let error = (found - expected).abs();
                assert!(error <= 1e-14 && error <= 1e-9 * expected, "{k} {w}: {found} {expected}");
                worst = worst.max(error);
            }
            // Beyond the table.
            assert_eq!(range.upper(30.0), range.integral(30.0));
            assert_eq!(range.upper(1e300), 0.0);
        }
        assert!(worst > 0.0);
    }

    /// Up to 1000 degrees of freedom `scipy.stats.studentized_range.sf(q, k, df)`. Beyond, scipy's
    /// own error grows (with two groups, where the truth is Student's t, it is 5e-11 at 60000); the
    /// values for these, and for 1000 groups, are trapezoid sums of the double integral, as
    /// `range_by_trapezoids` in tests/python/test_stats.py.
    #[test]
    fn agrees_on_a_grid() {
        for (q, k, df, expected) in [
            (0.5, 2, 1.0, 0.7836531040612145),
            (5.0, 2, 1.0, 0.1754796560918218),
            (40.0, 2, 1.0, 0.022498536636414657),
            (0.5, 2, 4.0, 0.7415210563082063),
            (3.0, 2, 4.0, 0.1011915072182954),
            (5.5, 2, 4.0, 0.017704298600124013),
            (9.0, 2, 4.0, 0.0031255892524456597),
            (0.5, 2, 20.0, 0.7273731979563337),
            (3.0, 2, 20.0, 0.04658379774023691),
            (5.5, 2, 20.0, 0.0009117210602512804),
            (9.0, 2, 20.0, 3.285477724768171e-06),
            (0.5, 2, 120.0, 0.7242939910332363),
            (3.0, 2, 120.0, 0.03595231986497727),
            (5.5, 2, 120.0, 0.00016556451969984565),
            (9.0, 2, 120.0, 3.7397607233202734e-09),
            (0.5, 2, 1000.0, 0.72374813177236),
            (3.0, 2, 1000.0, 0.034140343855695754),
            (5.5, 2, 1000.0, 0.00010726858379805915),
            (9.0, 2, 1000.0, 2.9909230647717777e-10),
            (0.5, 3, 1.0, 0.9375168567351901),
            (5.0, 3, 1.0, 0.26070785021665466),
            (40.0, 3, 1.0, 0.033742535838934606),
            (0.5, 3, 4.0, 0.934512850469725),
            (3.0, 3, 4.0, 0.20055806785685382),
            (5.5, 3, 4.0, 0.03795020388085957),
            (9.0, 3, 4.0, 0.006881070842946091),
            (0.5, 3, 20.0, 0.9336440562015071),
            (3.0, 3, 20.0, 0.11075679785306414),
            (5.5, 3, 20.0, 0.002510573201994104),
            (9.0, 3, 20.0, 9.47845525944846e-06),
            (0.5, 3, 120.0, 0.9334591035087014),
            (3.0, 3, 120.0, 0.08979871989269872),
            (5.5, 3, 120.0, 0.0004831899680554086),
            (9.0, 3, 120.0, 1.1202940908283665e-08),
            (0.5, 3, 1000.0, 0.9334264071090077),
            (3.0, 3, 1000.0, 0.08605419152113314),
            (5.5, 3, 1000.0, 0.000315631444095299),
            (9.0, 3, 1000.0, 8.970768572424959e-10),
            (0.5, 10, 1.0, 0.9998179001663257),
            (5.0, 10, 1.0, 0.4565947250260639),
            (40.0, 10, 1.0, 0.06131428176486542),
            (0.5, 10, 4.0, 0.999985836647536),
            (3.0, 10, 4.0, 0.5864363816506845),
            (5.5, 10, 4.0, 0.1522741536315999),
            (9.0, 10, 4.0, 0.03083417894989715),
            (0.5, 10, 20.0, 0.9999972922519943),
            (3.0, 10, 20.0, 0.534254584871119),
            (5.5, 10, 20.0, 0.024313226173847458),
            (9.0, 10, 20.0, 0.00011553044940026957),
            (0.5, 10, 120.0, 0.9999984061347007),
            (3.0, 10, 120.0, 0.5164378073124836),
            (5.5, 10, 120.0, 0.006180159330164248),
            (9.0, 10, 120.0, 1.6644379174923785e-07),
            (0.5, 10, 1000.0, 0.9999985656644904),
            (3.0, 10, 1000.0, 0.5127103608867506),
            (5.5, 10, 1000.0, 0.004218229729141876),
            (9.0, 10, 1000.0, 1.3426283862472133e-08),
            (0.5, 50, 1.0, 0.9999999998370855),
            (5.0, 50, 1.0, 0.6276331717096487),
            (40.0, 50, 1.0, 0.08952421072098571),
            (0.5, 50, 4.0, 1.0),
            (3.0, 50, 4.0, 0.9125483367094446),
            (5.5, 50, 4.0, 0.3886953824845104),
            (9.0, 50, 4.0, 0.09626816601290156),
            (0.5, 50, 20.0, 1.0),
            (3.0, 50, 20.0, 0.977300033334565),
            (5.5, 50, 20.0, 0.19304538178590847),
            (9.0, 50, 20.0, 0.0016975359683188973),
            (0.5, 50, 120.0, 1.0),
            (3.0, 50, 120.0, 0.9942958088409849),
            (5.5, 50, 120.0, 0.09528178089534411),
            (9.0, 50, 120.0, 4.339253484531014e-06),
            (0.5, 50, 1000.0, 1.0),
            (3.0, 50, 1000.0, 0.9965796255173114),
            (5.5, 50, 1000.0, 0.07447385221441893),
            (9.0, 50, 1000.0, 3.623181572542933e-07),
            (0.5, 200, 1.0, 1.0),
            (5.0, 200, 1.0, 0.7249359535573205),
            (40.0, 200, 1.0, 0.10919696122567424),
            (0.5, 200, 4.0, 1.0),
            (3.0, 200, 4.0, 0.9844508733154792),
            (5.5, 200, 4.0, 0.5866099771434343),
            (9.0, 200, 4.0, 0.1755399673563106),
            (0.5, 200, 20.0, 1.0),
            (3.0, 200, 20.0, 0.9998795001402636),
            (5.5, 200, 20.0, 0.5245875371972014),
            (9.0, 200, 20.0, 0.01050798375384776),
            (0.5, 200, 120.0, 1.0),
            (3.0, 200, 120.0, 0.9999999857110723),
            (5.5, 200, 120.0, 0.4827490730960624),
            (9.0, 200, 120.0, 6.340589916076222e-05),
            (0.5, 200, 1000.0, 1.0),
            (3.0, 200, 1000.0, 0.9999999999851459),
            (5.5, 200, 1000.0, 0.4643394213630412),
            (9.0, 200, 1000.0, 5.736893247010322e-06),
            (3.0, 2, 12201.0, 0.03391495924397157),
            (3.0, 10, 12201.0, 0.512227379783437),
            (4.5, 50, 12201.0, 0.4695477164519287),
            (7.0, 50, 12201.0, 0.0008229802111935996),
            (3.0, 10, 60000.0, 0.5121928826976825),
            (5.5, 50, 60000.0, 0.07167004128183521),
            (4.0, 10, 1000000.0, 0.12685360596681458),
            (6.0, 200, 1000000.0, 0.1775075335989194),
            (6.0, 1000, 10.0, 0.6799735759030532),
            (7.0, 1000, 60000.0, 0.14669203209988507),
        ] {
            let found = StudentizedRange::new(k, df).unwrap().upper(q);
            assert!(
                (found - expected).abs() < 1e-12,
                "q {q} k {k} df {df}: found {found}, expected {expected}"
            );
        }
    }

    #[test]
    fn critical_values_invert() {
        for (k, df) in [(3, 10.0), (50, 12_201.0), (10, 1.0)] {
            let distribution = StudentizedRange::new(k, df).unwrap();
            for alpha in [0.5, 0.05, 0.001] {
                assert!((distribution.upper(distribution.critical(alpha)) - alpha).abs() < 1e-13);
            }
        }
    }

    #[test]
    fn ends_and_odd_arguments() {
        let distribution = StudentizedRange::new(5, 20.0).unwrap();
        assert_eq!(distribution.upper(0.0), 1.0);
        assert_eq!(distribution.upper(-1.0), 1.0);
        assert!(distribution.upper(1e300) < 1e-12);
        for (k, df) in [(1, 10.0), (2, 0.0), (2, f64::NAN), (2, f64::INFINITY)] {
            assert!(StudentizedRange::new(k, df).unwrap_err().is_usage());
        }
        assert!(StudentizedRange::new(1000, 50.0).unwrap().upper(5.0) > 0.9);
    }
}
