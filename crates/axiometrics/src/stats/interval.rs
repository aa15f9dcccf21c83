//! Confidence intervals of a mean score and of a difference.

use serde::Serialize;

use super::distribution::{fair_coins_cdf, first_without, t_critical};
use super::random::Resampling;
use super::sample::{Differences, checked, checked_open_unit, mean, resolution};
use super::test::{Test, TestOptions};
use super::{bootstrap, randomisation, wilcoxon};
use crate::Result;
use crate::choice::choices;

/// An interval with the confidence it was made for. Its ends are infinite if the sample bounds
/// nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Interval {
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// The probability with which such intervals hold the true value.
    pub confidence: f64,
    /// Exactly what was done.
    pub method: String,
}

impl Interval {
    /// The part of it that is possible: a mean of scores lies between the bounds of the scores, so
    /// that leaving out what lies beyond them changes nothing about how often such intervals hold
    /// the true value. Infinite ends stay.
    #[must_use]
    pub fn within(self, bounds: Option<(f64, f64)>) -> Interval {
        let Some((low, high)) = bounds.filter(|_| self.lower.is_finite() && self.upper.is_finite())
        else {
            return self;
        };
        Interval { lower: self.lower.max(low), upper: self.upper.min(high), ..self }
    }
}

/// How an interval of a mean is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum MeanInterval {
    /// Student's t.
    #[default]
    T,
    /// Percentiles of the bootstrapped means.
    Percentile,
    /// Bias-corrected and accelerated percentiles of the bootstrapped means.
    Bca,
}

choices! {
    MeanInterval {
        T "t" "Student's t",
        Percentile "percentile" "percentiles of bootstrapped means",
        Bca "bca" "the same, bias-corrected and accelerated",
    }
}

/// The interval of the mean of `values`. A single value bounds nothing.
pub fn mean_interval(
    kind: MeanInterval,
    values: &[f64],
    confidence: f64,
    resampling: Resampling,
) -> Result<Interval> {
    checked(values)?;
    interval_of(
        kind,
        &Differences { values: values.to_vec(), resolution: resolution(values.iter()) },
        confidence,
        resampling,
    )
}

/// The interval of the mean difference of `a` less `b`, topic by topic.
pub fn difference_interval(
    kind: MeanInterval,
    a: &[f64],
    b: &[f64],
    confidence: f64,
    resampling: Resampling,
) -> Result<Interval> {
    interval_of(kind, &Differences::new(a, b)?, confidence, resampling)
}

fn interval_of(
    kind: MeanInterval,
    sample: &Differences,
    confidence: f64,
    resampling: Resampling,
) -> Result<Interval> {
    checked_open_unit(confidence, "confidence")?;
    let resampling = resampling.checked()?;
    let alpha = 1.0 - confidence;
    let ((lower, upper), method) = match kind {
        MeanInterval::T => (t_interval(sample, alpha), t_method(sample.len())),
        _ if sample.len() == 1 => (EVERYTHING, "a single topic".to_string()),
        MeanInterval::Percentile => (
            bootstrap::percentile_interval(&sample.values, resampling, alpha),
            format!("bootstrap percentile, {}", resampling.describe()),
        ),
        MeanInterval::Bca => (
            bootstrap::bca_interval(&sample.values, resampling, alpha),
            format!("bootstrap BCa, {}", resampling.describe()),
        ),
    };
    Ok(Interval { lower, upper, confidence, method })
}

/// The interval of the difference of `a` less `b` that inverts a test: the shifts of `b` that it
/// would not reject at level 1 - confidence. For the t, randomisation and bootstrap tests the
/// difference is the mean's, for Wilcoxon's the pseudomedian's, for the sign test the median's.
pub fn test_interval(
    test: Test,
    a: &[f64],
    b: &[f64],
    confidence: f64,
    options: &TestOptions,
) -> Result<Interval> {
    checked_open_unit(confidence, "confidence")?;
    let resampling = options.resampling.checked()?;
    let differences = Differences::new(a, b)?;
    let (alpha, n) = (1.0 - confidence, differences.len());
    let ((lower, upper), method) = match test {
        Test::T => (t_interval(&differences, alpha), t_method(n)),
        Test::Wilcoxon => {
            (wilcoxon::interval(&differences, alpha), wilcoxon::interval_method(n).to_string())
        }
        Test::Sign => {
            (sign_interval(&differences, alpha), "order statistics, exact binomial".to_string())
        }
        Test::Randomisation => (
            randomisation::interval(&differences, resampling, alpha),
            randomisation::interval_method(n, resampling),
        ),
        Test::Bootstrap if n == 1 => (EVERYTHING, bootstrap::method(resampling)),
        Test::Bootstrap => {
            (bootstrap::interval(&differences, resampling, alpha), bootstrap::method(resampling))
        }
    };
    Ok(Interval { lower, upper, confidence, method })
}

const EVERYTHING: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

fn t_method(topics: usize) -> String {
    format!("Student's t, {} degrees of freedom", topics - 1)
}

fn t_interval(sample: &Differences, alpha: f64) -> (f64, f64) {
    if sample.len() == 1 {
        return EVERYTHING;
    }
    if let Some(value) = sample.constant() {
        return (value, value);
    }
    let centre = mean(&sample.values);
    let margin = t_critical(alpha, (sample.len() - 1) as f64) * sample.standard_error();
    (centre - margin, centre + margin)
}

fn sign_interval(differences: &Differences, alpha: f64) -> (f64, f64) {
    let n = differences.len();
    // The test rejects a shift that fewer than so many differences lie below, or above.
    let rejected = first_without(0, n / 2, |losses| 2.0 * fair_coins_cdf(losses, n) <= alpha);
    match rejected {
        0 => EVERYTHING,
        k => {
            let mut sorted = differences.values.clone();
            sorted.sort_by(f64::total_cmp);
            (sorted[k - 1], sorted[n - k])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;
    use crate::stats::paired_test;
    use proptest::prelude::*;

    /// `scipy.stats.t.interval(0.95, n - 1, np.mean(x), scipy.stats.sem(x))`
    #[test]
    fn t_reference() {
        let x = [0.134, 0.662, 0.831, 0.377, 0.372, 0.54, 0.215, 0.247, 0.33];
        let found = mean_interval(MeanInterval::T, &x, 0.95, Resampling::default()).unwrap();
        assert!(
            (found.lower - 0.23855673668174862).abs() < 1e-13
                && (found.upper - 0.5854432633182515).abs() < 1e-13,
            "{found:?}"
        );
        let difference =
            difference_interval(MeanInterval::T, &x, &[0.0; 9], 0.95, Resampling::default())
                .unwrap();
        assert_eq!(difference, found);
        assert_eq!(found.method, "Student's t, 8 degrees of freedom");
    }

    #[test]
    fn one_topic_bounds_nothing() {
        for &test in Test::ALL {
            let interval =
                test_interval(test, &[0.4], &[0.1], 0.95, &TestOptions::default()).unwrap();
            assert_eq!((interval.lower, interval.upper), EVERYTHING, "{test:?}");
        }
        let mut meanings: Vec<&str> = Vec::new();
        for &kind in MeanInterval::ALL {
            assert!(!meanings.contains(&kind.meaning()));
            meanings.push(kind.meaning());
            let interval = mean_interval(kind, &[0.4], 0.95, Resampling::default()).unwrap();
            assert_eq!((interval.lower, interval.upper), EVERYTHING, "{kind:?}");
            assert_eq!(MeanInterval::from_name(kind.name()).unwrap(), kind);
        }
    }

    #[test]
    fn an_interval_of_the_bootstrap_is_that_of_its_resamples() {
        let (a, b) = ([0.4, 0.2, 0.9, 0.5, 0.7, 0.6, 0.8], [0.1, 0.3, 0.4, 0.4, 0.5, 0.2, 0.6]);
        let options = TestOptions::default();
        let found = test_interval(Test::Bootstrap, &a, &b, 0.9, &options).unwrap();
        let differences = Differences::new(&a, &b).unwrap();
        let expected = bootstrap::interval(&differences, options.resampling, 1.0 - 0.9);
        assert!(expected.0.is_finite());
        assert_eq!((found.lower, found.upper), expected);
        let Resampling { trials, seed } = options.resampling;
        assert_eq!(found.method, format!("studentized, {trials} resamples, seed {seed}"));
    }

    #[test]
    fn bootstrapped_means_have_the_intervals_of_their_kinds() {
        let x = [0.02, 0.05, 0.08, 0.1, 0.11, 0.15, 0.21, 0.3, 0.44, 0.9];
        let resampling = Resampling { trials: 500, seed: 3 };
        let alpha = 1.0 - 0.9;
        for (kind, expected, name) in [
            (
                MeanInterval::Percentile,
                bootstrap::percentile_interval(&x, resampling, alpha),
                "bootstrap percentile, 500 resamples, seed 3",
            ),
            (
                MeanInterval::Bca,
                bootstrap::bca_interval(&x, resampling, alpha),
                "bootstrap BCa, 500 resamples, seed 3",
            ),
        ] {
            let found = mean_interval(kind, &x, 0.9, resampling).unwrap();
            assert_eq!((found.lower, found.upper), expected);
            assert_eq!(found.method, name);
        }
    }

    #[test]
    fn an_interval_that_is_open_on_one_side_stays() {
        let (lower, confidence, method) = (f64::NEG_INFINITY, 0.95, String::new());
        let open = Interval { lower, upper: 1.5, confidence, method };
        assert_eq!(open.clone().within(Some((0.0, 1.0))), open);
    }

    #[test]
    fn a_mean_stays_within_its_bounds() {
        let interval =
            mean_interval(MeanInterval::T, &[1.0, 1.0, 0.5], 0.95, Resampling::default()).unwrap();
        assert!(interval.upper > 1.0 && interval.lower > 0.0);
        let cut = interval.clone().within(Some((0.0, 1.0)));
        assert_eq!((cut.lower, cut.upper), (interval.lower, 1.0));
        let cut = interval.clone().within(Some((0.75, 1.0)));
        assert!(interval.lower < 0.75);
        assert_eq!((cut.lower, cut.upper), (0.75, 1.0));
        assert_eq!(interval.clone().within(None), interval);
        let open = mean_interval(MeanInterval::T, &[1.0], 0.95, Resampling::default()).unwrap();
        assert_eq!(open.clone().within(Some((0.0, 1.0))), open);
    }

    #[test]
    fn refuses_bad_confidence_and_scores() {
        for confidence in [0.0, 1.0, f64::NAN, 95.0] {
            assert!(
                mean_interval(MeanInterval::T, &[0.1, 0.2], confidence, Resampling::default())
                    .unwrap_err()
                    .is_usage()
            );
            assert!(
                test_interval(Test::T, &[0.1], &[0.2], confidence, &TestOptions::default())
                    .unwrap_err()
                    .is_usage()
            );
        }
        assert!(
            mean_interval(MeanInterval::T, &[], 0.9, Resampling::default()).unwrap_err().is_usage()
        );
        assert!(
            mean_interval(MeanInterval::Bca, &[f64::NAN], 0.9, Resampling::default())
                .unwrap_err()
                .is_usage()
        );
    }

    #[test]
    fn an_interval_of_equal_differences_is_a_point() {
        let interval =
            test_interval(Test::T, &[0.5; 9], &[0.25; 9], 0.95, &TestOptions::default()).unwrap();
        assert_eq!((interval.lower, interval.upper), (0.25, 0.25));
    }

    proptest! {
        /// Just inside, the test accepts; just outside, it rejects. (Wilcoxon, randomisation and
        /// bootstrap do it in their files.)
        #[test]
        fn intervals_invert_their_tests(values in prop::collection::vec(-1.0f64..1.0, 6..60), confidence in 0.7f64..0.95) {
            for test in [Test::T, Test::Sign] {
                let zeros = vec![0.0; values.len()];
                let found = test_interval(test, &values, &zeros, confidence, &TestOptions::default()).unwrap();
                let p = |shift: f64| paired_test(test, &values, &vec![shift; values.len()], &TestOptions::default()).unwrap().p.unwrap();
                if found.lower.is_infinite() || found.upper.is_infinite() {
                    prop_assert!(p(100.0) > 1.0 - confidence && p(-100.0) > 1.0 - confidence);
                    continue;
                }
                for (inside, outside) in [(found.lower + 1e-9, found.lower - 1e-9), (found.upper - 1e-9, found.upper + 1e-9)] {
                    let alpha = 1.0 - confidence;
                    prop_assert!(p(inside) > alpha && p(outside) <= alpha, "{:?} {} {} {}", test, alpha, p(inside), p(outside));
                }
            }
        }
    }
}
