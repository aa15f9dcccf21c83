//! How many topics an experiment needs: the power of the two-sided paired t-test.

use serde::Serialize;

use super::distribution::noncentral_t::noncentral_t_two_sided;
use super::distribution::{first_without, normal_quantile, t_critical};
use super::sample::{checked_open_unit, standard_deviation};
use crate::{Error, Result};

/// What is expected of the differences of two systems, and the level they are tested at.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairedDesign {
    /// The true mean difference to be found.
    pub difference: f64,
    /// The standard deviation of the differences over topics.
    pub standard_deviation: f64,
    /// The level of the test.
    pub alpha: f64,
}

impl PairedDesign {
    fn checked(&self) -> Result<f64> {
        checked_open_unit(self.alpha, "alpha")?;
        let effect = self.difference.abs() / self.standard_deviation;
        if self.standard_deviation > 0.0
            && self.standard_deviation.is_finite()
            && effect.is_finite()
        {
            return Ok(effect);
        }
        Err(Error::usage(format!(
            "no power for a difference of {} with a standard deviation of {}",
            self.difference, self.standard_deviation
        ))
        .help("the difference must be a number and the standard deviation more than 0"))
    }
}

/// Power of the two-sided test with `topics` topics: the chance of p <= alpha. At least two topics.
pub fn power(design: &PairedDesign, topics: usize) -> Result<f64> {
    let effect = design.checked()?;
    if topics < 2 {
        return Err(Error::usage(format!("a t-test needs at least two topics, not {topics}")));
    }
    Ok(power_of_effect(effect, topics, design.alpha))
}

fn power_of_effect(effect: f64, topics: usize, alpha: f64) -> f64 {
    let df = (topics - 1) as f64;
    noncentral_t_two_sided(t_critical(alpha, df), df, effect * (topics as f64).sqrt()).min(1.0)
}

/// The smallest number of topics with which the test has at least this power.
pub fn topics_needed(design: &PairedDesign, target: f64) -> Result<usize> {
    /// Beyond a billion topics the question was wrong.
    const MOST: usize = 1 << 30;
    let effect = design.checked()?;
    checked_open_unit(target, "power")?;
    let too_few = |topics| power_of_effect(effect, topics, design.alpha) < target;
    let mut high = 2;
    while too_few(high) {
        high *= 2;
        if high > MOST {
            return Err(Error::usage(format!("more than {MOST} topics would be needed"))
                .help("ask for a larger difference"));
        }
    }
    Ok(first_without(2.max(high / 2), high, too_few))
}

/// How many topics would rule out a drop by `margin`, with a one-sided error of `alpha` and this
/// power, if there is no difference in truth and differences spread as these do: ((z(1 - alpha) +
/// z(power)) sd / margin)^2, rounded up. `None` without a spread or a margin.
pub fn topics_for_margin(differences: &[f64], margin: f64, alpha: f64, power: f64) -> Option<u64> {
    let sd = standard_deviation(differences);
    let z = normal_quantile(1.0 - alpha) + normal_quantile(power);
    let topics = (z * sd / margin).powi(2).ceil();
    (topics.is_finite() && topics >= 1.0 && margin > 0.0).then_some(topics as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(difference: f64, alpha: f64) -> PairedDesign {
        PairedDesign { difference, standard_deviation: 1.0, alpha }
    }

    /// `statsmodels.stats.power.TTestPower().power(d, n, alpha)`
    #[test]
    fn power_reference() {
        for (difference, topics, alpha, expected) in [
            (0.5, 20, 0.05, 0.5645044184390203),
            (0.2, 50, 0.05, 0.2835924146674735),
            (0.2, 250, 0.01, 0.7140871452337471),
            (1.0, 5, 0.05, 0.4013899173717948),
            (3.0, 2, 0.05, 0.26077071422910936),
            (0.05, 1000, 0.05, 0.3520450126456206),
            (0.8, 12, 0.001, 0.12552912889427592),
        ] {
            let found = power(&design(difference, alpha), topics).unwrap();
            assert!(
                (found - expected).abs() < 1e-12,
                "{difference} {topics} {alpha}: {found} {expected}"
            );
        }
    }

    /// `math.ceil(statsmodels.stats.power.TTestPower().solve_power(effect_size=d, alpha=alpha, power=power))`
    #[test]
    fn topics_reference() {
        for (difference, alpha, target, expected) in [
            (0.5, 0.05, 0.8, 34),
            (0.2, 0.05, 0.8, 199),
            (0.1, 0.01, 0.9, 1492),
            (1.0, 0.05, 0.95, 16),
            (0.03, 0.05, 0.8, 8723),
        ] {
            assert_eq!(
                topics_needed(&design(difference, alpha), target).unwrap(),
                expected,
                "{difference} {alpha} {target}"
            );
        }
    }

    /// Of so many topics t is normal: ((norm.ppf(.975) + norm.ppf(.8)) / d) ** 2.
    #[test]
    fn as_many_topics_as_a_billion() {
        let found = topics_needed(&design(1.1e-4, 0.05), 0.8).unwrap() as f64;
        let expected = 7.848879734349088 / 1.1e-4f64.powi(2);
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} {expected}");
    }

    /// `math.ceil(((norm.ppf(.95) + norm.ppf(.8)) * np.std(d, ddof=1) / margin) ** 2)`
    #[test]
    fn topics_for_a_margin() {
        let differences = [0.1, -0.1, 0.05, -0.02, 0.07];
        for (margin, topics) in [(0.01, 399), (0.05, 16), (1.0, 1)] {
            assert_eq!(topics_for_margin(&differences, margin, 0.05, 0.8), Some(topics));
        }
        assert_eq!(topics_for_margin(&differences, 0.0, 0.05, 0.8), None);
        assert_eq!(topics_for_margin(&[0.2, 0.2], 0.01, 0.05, 0.8), None);
    }

    #[test]
    fn only_the_ratio_and_the_size_count() {
        let one = PairedDesign { difference: -0.05, standard_deviation: 0.1, alpha: 0.05 };
        assert_eq!(power(&one, 30).unwrap(), power(&design(0.5, 0.05), 30).unwrap());
    }

    #[test]
    fn without_a_difference_power_is_the_level() {
        assert!((power(&design(0.0, 0.05), 20).unwrap() - 0.05).abs() < 1e-12);
        assert!(topics_needed(&design(0.0, 0.05), 0.8).unwrap_err().is_usage());
    }

    #[test]
    fn refuses_nonsense() {
        assert!(power(&design(0.5, 0.05), 1).unwrap_err().is_usage());
        assert!(power(&design(f64::NAN, 0.05), 9).unwrap_err().is_usage());
        assert!(power(&design(0.5, 1.0), 9).unwrap_err().is_usage());
        assert!(
            power(&PairedDesign { difference: 0.1, standard_deviation: 0.0, alpha: 0.05 }, 9)
                .unwrap_err()
                .is_usage()
        );
        for standard_deviation in [-1.0, f64::INFINITY, f64::NAN] {
            let design = PairedDesign { difference: 0.1, standard_deviation, alpha: 0.05 };
            assert!(power(&design, 9).unwrap_err().is_usage(), "{standard_deviation}");
        }
        assert!(topics_needed(&design(0.5, 0.05), 1.0).unwrap_err().is_usage());
        assert_eq!(topics_needed(&design(1e6, 0.05), 0.8).unwrap(), 2);
    }
}
