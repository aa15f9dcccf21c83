//! The paired tests behind one function, and what they answer.

use std::fmt;

use serde::Serialize;

use super::distribution::{fair_coins_cdf, t_two_sided};
use super::effect::WinsTiesLosses;
use super::random::Resampling;
use super::sample::Differences;
use super::{bootstrap, randomisation, wilcoxon};
use crate::Result;
use crate::choice::choices;

/// A two-sided test of whether two systems differ, on the same topics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Test {
    /// Student's paired t-test. Statistic: t.
    #[default]
    T,
    /// Wilcoxon's signed-rank test. Statistic: the smaller of the rank sums of gains and losses.
    Wilcoxon,
    /// The sign test. Statistic: the number of topics on which the first system wins.
    Sign,
    /// Fisher's randomisation test by flipping signs of differences. Statistic: the mean
    /// difference.
    Randomisation,
    /// The shifted, studentized bootstrap test (Sakai, SIGIR 2006). Statistic: t.
    Bootstrap,
}

choices! {
    Test {
        T "t" "Student's paired t-test",
        Wilcoxon "wilcoxon" "Wilcoxon's signed-rank test",
        Sign "sign" "the sign test",
        Randomisation "randomisation" "Fisher's randomisation test, exact up to 30 topics",
        Bootstrap "bootstrap" "the studentized bootstrap test",
    }
}

/// What Wilcoxon's test does with topics on which the systems do not differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ZeroMethod {
    /// Zeros are dropped before ranking.
    #[default]
    Wilcox,
    /// Zeros are ranked, and their ranks dropped.
    Pratt,
}

choices! {
    ZeroMethod {
        Wilcox "wilcox" "zeros are dropped before ranking",
        Pratt "pratt" "zeros are ranked, and their ranks dropped",
    }
}

/// What the tests need besides the scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct TestOptions {
    /// Used by the bootstrap, and by the randomisation test if the topics are too many to be
    /// exact.
    pub resampling: Resampling,
    /// Used by Wilcoxon's test.
    pub zero_method: ZeroMethod,
}

/// What a test answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestResult {
    /// The test statistic; each [`Test`] says which.
    pub statistic: f64,
    /// The two-sided p-value; `None` if the test is not defined on this sample, which the note
    /// explains.
    pub p: Option<f64>,
    /// Exactly what was done: exact or approximate, how many resamples, how zeros were treated.
    pub method: String,
    /// What a reader of the p-value has to know.
    pub note: Option<Note>,
}

/// A sample on which a test says less than its p-value seems to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Note {
    /// The systems score the same on every topic, so p = 1.
    NoDifference,
    /// The systems differ by the same amount on every topic: there is no variance, so the statistic
    /// is infinite and p is as small as the test can give, 0 for the t-test.
    ConstantDifference,
    /// One topic has no variance.
    SingleTopic,
    /// Systems and topics explain every score: no variance is left, so that the statistic of two
    /// systems with different means is infinite and p = 0.
    NoResidual,
    /// Not even the most extreme sample of this size reaches the customary 0.05.
    CannotReject {
        /// The topics on which the systems differ.
        topics: usize,
        /// The smallest p-value so many topics can give.
        smallest_p: f64,
    },
}

impl Note {
    /// The level that [`Note::CannotReject`] speaks of.
    pub const CUSTOMARY: f64 = 0.05;

    /// The smallest two-sided p-value of a test that treats each sign as a fair coin: 2/2^topics.
    pub(super) fn smallest_p(topics: usize) -> f64 {
        (2.0 * 0.5f64.powi(topics.min(1000) as i32)).min(1.0)
    }

    /// What is to be said of a test on so many signs.
    pub(super) fn on_signs(topics: usize) -> Option<Note> {
        let smallest_p = Note::smallest_p(topics);
        match (topics, smallest_p > Note::CUSTOMARY) {
            (0, _) => Some(Note::NoDifference),
            (_, true) => Some(Note::CannotReject { topics, smallest_p }),
            _ => None,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::NoDifference => f.write_str("the systems score the same on every topic"),
            Note::ConstantDifference => f.write_str(
                "the difference is the same on every topic: it has no variance, so t is infinite",
            ),
            Note::SingleTopic => f.write_str("degenerate: a single topic has no variance"),
            Note::NoResidual => f.write_str(
                "systems and topics explain every score: no variance is left, so q is infinite",
            ),
            Note::CannotReject { topics, smallest_p } => {
                write!(
                    f,
                    "{topics} differing topics cannot reach {}: the smallest possible p is {smallest_p}",
                    Note::CUSTOMARY
                )
            }
        }
    }
}

/// Tests whether systems with scores `a` and `b`, given topic by topic, differ.
pub fn paired_test(test: Test, a: &[f64], b: &[f64], options: &TestOptions) -> Result<TestResult> {
    let differences = Differences::new(a, b)?;
    match test {
        Test::T => Ok(t_test(&differences)),
        Test::Wilcoxon => Ok(wilcoxon::test(&differences, options.zero_method)),
        Test::Sign => Ok(sign_test(&differences)),
        Test::Randomisation => Ok(randomisation::test(&differences, options.resampling.checked()?)),
        Test::Bootstrap => Ok(bootstrap::test(&differences, options.resampling.checked()?)),
    }
}

fn t_test(differences: &Differences) -> TestResult {
    let df = differences.len() - 1;
    studentized(differences, format!("paired, {df} degrees of freedom"), |t| {
        t_two_sided(t, df as f64)
    })
}

/// A test of the mean over its standard error, with what is common to such tests if there is no
/// error to divide by.
pub(super) fn studentized(
    differences: &Differences,
    method: String,
    p_of_t: impl Fn(f64) -> f64,
) -> TestResult {
    let infinite = differences.mean().signum() * f64::INFINITY;
    let (statistic, p, note) = match differences.constant() {
        Some(0.0) => (0.0, Some(1.0), Some(Note::NoDifference)),
        Some(_) if differences.len() == 1 => (infinite, None, Some(Note::SingleTopic)),
        // The limit of differences that vary ever less.
        Some(_) => (infinite, Some(p_of_t(infinite)), Some(Note::ConstantDifference)),
        None => {
            let t = differences.mean() / differences.standard_error();
            (t, Some(p_of_t(t)), None)
        }
    };
    TestResult { statistic, p, method, note }
}

fn sign_test(differences: &Differences) -> TestResult {
    let counts = WinsTiesLosses::of(differences);
    let coins = counts.wins + counts.losses;
    let p = (2.0 * fair_coins_cdf(counts.wins.min(counts.losses), coins)).min(1.0);
    let method = format!("exact binomial, {} ties dropped", counts.ties);
    TestResult { statistic: counts.wins as f64, p: Some(p), method, note: Note::on_signs(coins) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choice::Choice;
    use proptest::prelude::*;

    fn run(test: Test, a: &[f64], b: &[f64]) -> TestResult {
        paired_test(test, a, b, &TestOptions::default()).unwrap()
    }

    #[test]
    fn names_round_trip() {
        for &test in Test::ALL {
            assert_eq!(Test::from_name(test.name()).unwrap(), test);
        }
        assert_eq!(ZeroMethod::from_name("pratt").unwrap(), ZeroMethod::Pratt);
        let error = crate::Error::from(Test::from_name("tt").unwrap_err());
        assert!(error.is_usage());
        assert!(
            error
                .to_string()
                .contains("expected one of t, wilcoxon, sign, randomisation, bootstrap"),
            "{error}"
        );
    }

    #[test]
    fn equal_systems_give_one() {
        for &test in Test::ALL {
            for n in [1, 2, 40] {
                let result = run(test, &vec![0.3; n], &vec![0.3; n]);
                assert_eq!(
                    (result.p, result.note),
                    (Some(1.0), Some(Note::NoDifference)),
                    "{test:?} {n}"
                );
            }
        }
    }

    #[test]
    fn rounding_noise_is_no_difference() {
        // 0.1 + 0.2 and 0.3 differ in the last bit.
        for &test in Test::ALL {
            assert_eq!(
                run(test, &[0.1 + 0.2, 0.5], &[0.3, 0.5]).note,
                Some(Note::NoDifference),
                "{test:?}"
            );
        }
    }

    /// Differences of 0.1 with the noise of subtraction, and exact ones. `scipy.stats.ttest_rel`
    /// gives t = inf and p = 0 for the exact ones, and for ten topics `wilcoxon`, `binomtest(10,
    /// 10)` and `permutation_test(permutation_type="samples")` 0.001953125.
    #[test]
    fn a_constant_difference_is_significant_by_every_test() {
        for (n, shift) in [(10, 0.1), (10, 0.7185), (10, 0.25), (30, 0.1), (40, 0.25)] {
            let b: Vec<f64> = (0..n).map(|i| f64::from(i) / 40.0).collect();
            let a: Vec<f64> = b.iter().map(|x| x + shift).collect();
            let signs = 2.0 * 0.5f64.powi(n);
            for (test, p) in [
                (Test::T, 0.0),
                (Test::Bootstrap, 1.0 / 10_001.0),
                (Test::Sign, signs),
                (Test::Wilcoxon, signs),
                (Test::Randomisation, if n > 30 { 1.0 / 10_001.0 } else { signs }),
            ] {
                let result = run(test, &a, &b);
                assert_eq!(run(test, &b, &a).p, result.p);
                // Wilcoxon's ranks are tied, and its normal approximation has no such tail.
                match test {
                    Test::Wilcoxon => assert!((p..0.01).contains(&result.p.unwrap()), "{result:?}"),
                    _ => {
                        assert!((result.p.unwrap() - p).abs() <= 1e-15, "{test:?} {n}: {result:?}")
                    }
                }
                let interval =
                    super::super::test_interval(test, &a, &b, 0.95, &TestOptions::default());
                let interval = interval.unwrap();
                let ends = [interval.lower, interval.upper];
                assert!(
                    ends.iter().all(|end| (end - shift).abs() < 1e-9),
                    "{test:?} {n}: {ends:?}"
                );
                if matches!(test, Test::T | Test::Bootstrap) {
                    assert_eq!(result.note, Some(Note::ConstantDifference), "{test:?}");
                    assert_eq!(result.statistic, f64::INFINITY);
                    assert_eq!(run(test, &b, &a).statistic, f64::NEG_INFINITY);
                }
            }
        }
        assert_eq!(run(Test::T, &[1.0, 0.5], &[0.75, 0.25]).p, Some(0.0));
    }

    #[test]
    fn one_topic_is_not_enough() {
        for test in [Test::T, Test::Bootstrap] {
            assert_eq!(run(test, &[0.2], &[0.1]).note, Some(Note::SingleTopic));
        }
        for test in [Test::Wilcoxon, Test::Sign, Test::Randomisation] {
            let result = run(test, &[0.2], &[0.1]);
            assert_eq!(
                (result.p, result.note),
                (Some(1.0), Some(Note::CannotReject { topics: 1, smallest_p: 1.0 }))
            );
        }
    }

    #[test]
    fn five_topics_cannot_reach_the_customary_level_and_six_can() {
        let a = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
        let b = [0.4, 0.45, 0.5, 0.55, 0.6, 0.65];
        for test in [Test::Wilcoxon, Test::Sign, Test::Randomisation] {
            let five = run(test, &a[..5], &b[..5]);
            assert!((five.p.unwrap() - 0.0625).abs() < 1e-15, "{test:?}");
            assert_eq!(five.note, Some(Note::CannotReject { topics: 5, smallest_p: 0.0625 }));
            assert!(five.note.unwrap().to_string().contains("cannot reach 0.05"));
            let six = run(test, &a, &b);
            assert!((six.p.unwrap() - 0.03125).abs() < 1e-15 && six.note.is_none(), "{test:?}");
        }
    }

    #[test]
    fn refuses_what_is_not_paired_numbers() {
        for &test in Test::ALL {
            for (a, b) in
                [(&[][..], &[][..]), (&[1.0][..], &[1.0, 2.0][..]), (&[f64::NAN][..], &[1.0][..])]
            {
                assert!(paired_test(test, a, b, &TestOptions::default()).unwrap_err().is_usage());
            }
        }
    }

    /// `scipy.stats.ttest_rel(a, b)`; `scipy.stats.binomtest(wins, wins + losses).pvalue`
    #[test]
    fn reference_values() {
        let a = [0.625, 0.897, 0.776, 0.225, 0.3, 0.874, 0.005, 0.821, 0.797, 0.468, 0.303, 0.278];
        let b =
            [0.576, 0.744, 0.713, 0.225, 0.106, 0.768, -0.245, 0.632, 0.553, 0.384, 0.116, 0.245];
        let t = run(Test::T, &a, &b);
        assert!((t.statistic - 5.293507265670633).abs() < 1e-12, "{t:?}");
        assert!((t.p.unwrap() - 0.0002549387091751082).abs() < 1e-13, "{t:?}");
        let sign = run(Test::Sign, &a, &b);
        assert_eq!(
            (sign.statistic, sign.method.as_str()),
            (11.0, "exact binomial, 1 ties dropped")
        );
        assert!((sign.p.unwrap() - 0.0009765625).abs() < 1e-13, "{sign:?}");
    }

    proptest! {
        #[test]
        fn p_is_a_probability_and_swapping_changes_nothing(pairs in prop::collection::vec((0u8..12, 0u8..12), 1..40), which in 0usize..5) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().map(|&(a, b)| (f64::from(a) / 11.0, f64::from(b) / 11.0)).unzip();
            let options = TestOptions { resampling: Resampling { trials: 200, seed: 5 }, zero_method: ZeroMethod::Wilcox };
            let one = paired_test(Test::ALL[which], &a, &b, &options).unwrap();
            let two = paired_test(Test::ALL[which], &b, &a, &options).unwrap();
            prop_assert_eq!(one.p, two.p);
            prop_assert_eq!(one.note, two.note);
            match one.p {
                Some(p) => prop_assert!((0.0..=1.0).contains(&p)),
                None => prop_assert!(one.note.is_some()),
            }
        }
    }
}
