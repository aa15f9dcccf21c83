//! Risk against a baseline: what a run loses on the topics on which it does worse.
//!
//! These see all topics at once, so they are functions over the scores of one measure and no
//! measures of a topic.

use serde::Serialize;

use super::common::{System, zeroed_columns};
use super::measured::{Measured, NamedMeasure};
use crate::error::{Error, Result};
use crate::measure::Score;
use crate::stats::distribution::normal_cdf;

/// The risks of a run by one measure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRisk {
    /// The run.
    pub run: String,
    /// The measure.
    pub measure: String,
    /// Its risk-sensitive utility.
    pub urisk: Option<f64>,
    /// The same over its standard error.
    pub trisk: Option<f64>,
    /// Effectiveness and risk over all runs; `None` also for a measure with negative values, or of
    /// which a small one is good.
    pub georisk: Option<f64>,
    /// The topics on which it is better than the baseline.
    pub wins: usize,
    /// Those on which it is worse.
    pub losses: usize,
}

/// The risks of all systems but the first, which is the baseline, by each measure. All have scores
/// for the same topics; undefined ones count as 0.
pub fn risks(systems: &[System<'_>], alpha: f64) -> Result<Vec<RunRisk>> {
    let Some((baseline, others)) = systems.split_first() else { return Ok(Vec::new()) };
    let mut all = Vec::new();
    for (column, metric) in baseline.scores.columns().iter().enumerate() {
        let mut columns = zeroed_columns(systems, column)?;
        // A loss is a loss, whichever end of the scale is the good one.
        if NamedMeasure::new(metric.name.as_str()).lower_is_better() {
            columns.iter_mut().flatten().for_each(|score| *score = -*score);
        }
        let scores: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        for (at, system) in (1..).zip(others) {
            let differences = || scores[at].iter().zip(scores[0]).map(|(x, b)| x - b);
            all.push(RunRisk {
                run: system.name.to_string(),
                measure: metric.name.clone(),
                urisk: urisk(scores[at], scores[0], alpha)?.value(),
                trisk: trisk(scores[at], scores[0], alpha)?.value(),
                georisk: georisk(&scores, at, alpha).ok().and_then(|score| score.value()),
                wins: differences().filter(|d| *d > 0.0).count(),
                losses: differences().filter(|d| *d < 0.0).count(),
            });
        }
    }
    Ok(all)
}

/// What a risk measure says about itself.
#[derive(Debug)]
pub struct RiskDef {
    /// The name.
    pub name: &'static str,
    /// What the name stands for.
    pub title: &'static str,
    /// What is computed.
    pub definition: &'static str,
    /// The values it can take.
    pub range: &'static str,
    /// When it has no value.
    pub undefined: &'static str,
    /// Where it was published.
    pub references: &'static [&'static str],
}

/// All of them. Each takes alpha >= 0, the additional weight of a loss.
pub const RISKS: &[RiskDef] = &[
    RiskDef {
        name: "URisk",
        title: "Risk-sensitive utility",
        definition: "URisk(alpha) = (1/c) * (sum of the wins + (1 + alpha) * sum of the losses) over c topics; a win or loss is the run's score minus the baseline's. alpha = 0 is the difference of the means.",
        range: "-(1 + alpha) to 1 for scores from 0 to 1",
        undefined: "there is no topic",
        references: &[
            "Wang, Bennett and Collins-Thompson 2012, Robust ranking models via risk-sensitive optimization",
            "the TREC web track 2013",
        ],
    },
    RiskDef {
        name: "TRisk",
        title: "Studentised risk-sensitive utility",
        definition: "TRisk(alpha) = URisk(alpha) / SE, SE the standard error of its mean: the sample standard deviation of the weighted differences over the square root of c. Below -2 the risk is significant, above 2 the gain is.",
        range: "unbounded",
        undefined: "there are fewer than two topics, or all weighted differences are equal",
        references: &[
            "Dinçer, Macdonald and Ounis 2014, Hypothesis testing for the risk-sensitive evaluation of retrieval systems",
        ],
    },
    RiskDef {
        name: "GeoRisk",
        title: "Geometric mean of effectiveness and risk",
        definition: "GeoRisk(alpha) = sqrt(mean score * Phi(ZRisk/c)). ZRisk = sum of z_q over topics, those below 0 times 1 + alpha; z_q = (x_q - e_q)/sqrt(e_q), e_q = S T_q/N: what the run would get on the topic if it differed from the other runs in its total S only (T_q the topic's total over all runs, N the total of all).",
        range: "0 to 1 for scores from 0 to 1",
        undefined: "there is no topic, or all scores are 0",
        references: &[
            "Dinçer, Macdonald and Ounis 2016, Risk-sensitive evaluation and learning to rank using multiple baselines",
        ],
    },
];

const NO_TOPIC: &str = "there is no topic";

/// The differences, losses weighted.
fn weighted(run: &[f64], baseline: &[f64], alpha: f64) -> Result<Vec<f64>> {
    same_topics(&[run, baseline])?;
    check(alpha)?;
    Ok(run.iter().zip(baseline).map(|(x, b)| weigh(x - b, alpha)).collect())
}

fn weigh(difference: f64, alpha: f64) -> f64 {
    if difference < 0.0 { (1.0 + alpha) * difference } else { difference }
}

fn check(alpha: f64) -> Result<()> {
    if alpha >= 0.0 && alpha.is_finite() {
        Ok(())
    } else {
        Err(Error::usage(format!("alpha is {alpha}, expected a number of at least 0")))
    }
}

fn same_topics(runs: &[&[f64]]) -> Result<()> {
    if runs.windows(2).any(|w| w[0].len() != w[1].len()) {
        return Err(Error::usage("the runs have scores for different numbers of topics"));
    }
    Ok(())
}

/// URisk of a run against a baseline: scores by topic, in the same order.
pub fn urisk(run: &[f64], baseline: &[f64], alpha: f64) -> Result<Score> {
    let differences = weighted(run, baseline, alpha)?;
    Ok(if differences.is_empty() {
        Score::Undefined(NO_TOPIC)
    } else {
        Score::Value(mean(&differences))
    })
}

/// TRisk of a run against a baseline: scores by topic, in the same order.
pub fn trisk(run: &[f64], baseline: &[f64], alpha: f64) -> Result<Score> {
    let differences = weighted(run, baseline, alpha)?;
    let (c, utility) = (differences.len() as f64, mean(&differences));
    if differences.len() < 2 {
        return Ok(Score::Undefined("there are fewer than two topics"));
    }
    if differences.iter().all(|d| *d == differences[0]) {
        return Ok(Score::Undefined("all weighted differences are equal"));
    }
    let variance = differences.iter().map(|d| (d - utility).powi(2)).sum::<f64>() / (c - 1.0);
    Ok(Score::Value(utility / (variance / c).sqrt()))
}

/// GeoRisk of one of several runs, `run` being its index: scores by topic, in the same order and
/// not below 0. With two runs the other is the baseline.
pub fn georisk(runs: &[&[f64]], run: usize, alpha: f64) -> Result<Score> {
    same_topics(runs)?;
    check(alpha)?;
    let Some(scores) = runs.get(run) else {
        return Err(Error::usage(format!("there are {} runs, none with index {run}", runs.len())));
    };
    if runs.iter().any(|r| r.iter().any(|x| x.is_nan() || *x < 0.0)) {
        return Err(Error::usage("GeoRisk needs scores of at least 0")
            .help("take a measure whose values start at 0, such as AP"));
    }
    if scores.is_empty() {
        return Ok(Score::Undefined(NO_TOPIC));
    }
    let c = scores.len() as f64;
    let total: f64 = runs.iter().flat_map(|r| r.iter()).sum();
    if total == 0.0 {
        return Ok(Score::Undefined("all scores are 0"));
    }
    let own: f64 = scores.iter().sum();
    let z = |topic: usize| {
        let expected = own * runs.iter().map(|r| r[topic]).sum::<f64>() / total;
        // A topic on which nobody scores says nothing of anybody.
        if expected == 0.0 {
            0.0
        } else {
            weigh((scores[topic] - expected) / expected.sqrt(), alpha)
        }
    };
    let risk: f64 = (0..scores.len()).map(z).sum();
    Ok(Score::Value((own / c * normal_cdf(risk / c)).sqrt()))
}

fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &[f64] = &[0.5, 0.2, 0.9, 0.4];
    const BASELINE: &[f64] = &[0.4, 0.4, 0.6, 0.4];

    fn close(score: Result<Score>, expected: f64) {
        let value = score.unwrap().value().unwrap();
        assert!((value - expected).abs() < 1e-12, "{value}, not {expected}");
    }

    #[test]
    fn by_hand() {
        // Differences .1, -.2, .3, 0; with alpha = 2 the loss weighs -.6.
        close(urisk(RUN, BASELINE, 0.0), 0.05);
        close(urisk(RUN, BASELINE, 2.0), -0.05);
        // Squares .0225 + .3025 + .1225 + .0025 = .45, over 3 = .15; the standard error is
        // sqrt(.15/4).
        close(trisk(RUN, BASELINE, 2.0), -0.05 / (0.15f64 / 4.0).sqrt());
        // Two topics are enough: .1 and .3 have the mean .2 and the variance .02.
        close(trisk(&[0.5, 0.9], &[0.4, 0.6], 0.0), 2.0);
    }

    #[test]
    fn georisk_of_three_runs() {
        // From the definition, with scipy's normal distribution.
        let runs: &[&[f64]] = &[RUN, BASELINE, &[0.1, 0.3, 0.0, 0.8]];
        let expected = [
            (0.49893896690045614, 0.43955988398869517),
            (0.4766980656780295, 0.45437687995916554),
            (0.3859937340219455, 0.312672741379857),
        ];
        for (run, (plain, careful)) in expected.into_iter().enumerate() {
            close(georisk(runs, run, 0.0), plain);
            close(georisk(runs, run, 2.0), careful);
        }
    }

    #[test]
    fn a_run_against_itself_is_without_risk() {
        close(urisk(RUN, RUN, 5.0), 0.0);
        // ZRisk = 0, Phi = 1/2.
        close(georisk(&[RUN, RUN], 0, 5.0), (0.5f64 * 0.5).sqrt());
    }

    /// Differences 1/2 and 0: the mean 1/4, its standard error 1/4.
    #[test]
    fn two_topics_are_enough() {
        assert_eq!(trisk(&[1.0, 0.5], &[0.5, 0.5], 0.0).unwrap(), Score::Value(1.0));
        let one = trisk(&[1.0], &[0.5], 0.0).unwrap();
        assert_eq!(one, Score::Undefined("there are fewer than two topics"));
        assert!(matches!(trisk(&[], &[], 0.0).unwrap(), Score::Undefined(_)));
    }

    #[test]
    fn degenerate_samples() {
        assert_eq!(urisk(&[], &[], 1.0).unwrap(), Score::Undefined(NO_TOPIC));
        let one = trisk(&[0.5], &[0.1], 1.0).unwrap();
        assert_eq!(one, Score::Undefined("there are fewer than two topics"));
        assert!(matches!(trisk(&[0.5, 0.5], &[0.25, 0.25], 1.0).unwrap(), Score::Undefined(_)));
        assert!(matches!(georisk(&[&[0.0], &[0.0]], 0, 1.0).unwrap(), Score::Undefined(_)));
        close(georisk(&[&[0.0, 0.5], &[0.0, 0.5]], 0, 1.0), (0.25f64 * 0.5).sqrt());
        for wrong in [
            urisk(RUN, &[0.1], 1.0),
            urisk(RUN, BASELINE, -1.0),
            georisk(&[RUN], 1, 1.0),
            georisk(&[&[-0.1]], 0, 1.0),
        ] {
            assert!(wrong.unwrap_err().is_usage());
        }
    }
}
