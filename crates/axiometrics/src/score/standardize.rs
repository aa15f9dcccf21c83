//! Score standardisation: a score as its distance from what reference runs get on the same topic.
//!
//! Topics differ in difficulty far more than runs differ in quality; a standardised score is free
//! of the topic's own mean and spread (Webber, Moffat and Zobel 2008, Score standardization for
//! inter-collection comparison of retrieval systems).

use serde::Serialize;

use super::common::{System, zeroed_columns};
use crate::choice::choices;
pub use crate::data::{Reference, References};
use crate::error::{Error, Result};
use crate::measure::Aggregate;
use crate::policy::Undefined;
use crate::stats::distribution::normal_cdf;

/// What a score becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum StandardForm {
    /// Standard deviations from the mean.
    #[default]
    Z,
    /// The share of a normal distribution below it.
    Normal,
}

choices! {
    StandardForm {
        Z "z" "standard deviations from the mean of the runs",
        Normal "normal" "the share of a normal distribution below it, from 0 to 1",
    }
}

/// Runs whose scores were standardised by what all of them get on each topic.
#[derive(Debug, Clone, PartialEq)]
pub struct Standardized {
    /// What a score became.
    pub form: StandardForm,
    /// The measures.
    pub measures: Vec<String>,
    /// The runs.
    pub runs: Vec<StandardizedRun>,
    /// The references of the topics, measure by measure, topics in the order of the scores.
    pub references: Vec<Vec<Reference>>,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandardizedRun {
    /// Its name.
    pub run: String,
    /// Its mean by each measure; `None` if no topic has a standardised score.
    pub means: Vec<Option<f64>>,
}

/// Standardises the scores of two systems or more, which are each other's references. All have
/// scores for the same topics; undefined ones count as 0.
pub fn standardize(systems: &[System<'_>], form: StandardForm) -> Result<Standardized> {
    let run = |system: &System<'_>| StandardizedRun { run: system.name.into(), means: Vec::new() };
    let columns = systems.first().map_or(&[][..], |system| system.scores.columns());
    let mut all = Standardized {
        form,
        measures: columns.iter().map(|column| column.name.clone()).collect(),
        runs: systems.iter().map(run).collect(),
        references: Vec::new(),
    };
    for column in 0..columns.len() {
        let scores = zeroed_columns(systems, column)?;
        let references = references(&scores.iter().map(Vec::as_slice).collect::<Vec<_>>())?;
        for (run, scores) in all.runs.iter_mut().zip(&scores) {
            let standard = scores.iter().zip(&references).map(|(x, of)| match form {
                StandardForm::Z => of.z(*x),
                StandardForm::Normal => of.normal(*x),
            });
            run.means.push(Aggregate::Mean.of(standard, Undefined::Skip));
        }
        all.references.push(references);
    }
    Ok(all)
}

impl Reference {
    /// The mean and standard deviation of scores; `None` for fewer than two, which have no spread.
    pub fn of(scores: &[f64]) -> Option<Reference> {
        if scores.len() < 2 {
            return None;
        }
        let n = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / n;
        // The mean of equal scores may be off by a rounding, which would make a spread of nothing.
        if scores.iter().all(|x| *x == scores[0]) {
            return Some(Reference { mean: scores[0], sd: 0.0 });
        }
        let squares: f64 = scores.iter().map(|x| (x - mean).powi(2)).sum();
        Some(Reference { mean, sd: (squares / (n - 1.0)).sqrt() })
    }

    /// z = (x - mean) / sd. If all references agree, sd = 0: 0 for their own score, no value for
    /// any other, as trec_eval.
    pub fn z(&self, x: f64) -> Option<f64> {
        if self.sd != 0.0 {
            return Some((x - self.mean) / self.sd);
        }
        (x == self.mean).then_some(0.0)
    }

    /// z through the normal distribution: between 0 and 1, and 0.5 for the mean.
    pub fn normal(&self, x: f64) -> Option<f64> {
        self.z(x).map(normal_cdf)
    }
}

/// What trec_eval prints for a score that has no z.
pub const TREC_EVAL_MISSING: f64 = -1_000_000.0;

/// References for each topic of a table of scores: one row a run, one column a topic.
pub fn references(runs: &[&[f64]]) -> Result<Vec<Reference>> {
    let topics = runs.first().map_or(0, |r| r.len());
    if runs.iter().any(|r| r.len() != topics) {
        return Err(Error::usage("the runs have scores for different numbers of topics"));
    }
    let column = |topic: usize| Reference::of(&runs.iter().map(|r| r[topic]).collect::<Vec<f64>>());
    let all: Option<Vec<Reference>> = (0..topics).map(column).collect();
    all.ok_or_else(|| {
        Error::usage("standardisation needs two runs at least").help("name more runs as references")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Mean 0.4, squares .04 + 0 + .04, divided by 2: sd 0.2.
        let r = Reference::of(&[0.2, 0.4, 0.6]).unwrap();
        assert!((r.mean - 0.4).abs() < 1e-15 && (r.sd - 0.2).abs() < 1e-15);
        assert!((r.z(0.7).unwrap() - 1.5).abs() < 1e-12);
        assert!((r.normal(0.7).unwrap() - 0.9331927987311419).abs() < 1e-12);
        // Two are enough: squares 1 + 1, divided by 1.
        let two = Reference::of(&[1.0, 3.0]).unwrap();
        assert_eq!((two.mean, two.sd), (2.0, 2f64.sqrt()));
    }

    #[test]
    fn without_spread_only_the_mean_has_a_value() {
        let r = Reference::of(&[0.1, 0.1, 0.1]).unwrap();
        assert_eq!((r.z(0.1), r.z(0.2), r.normal(0.1)), (Some(0.0), None, Some(0.5)));
        assert_eq!(Reference::of(&[0.5]), None);
    }

    #[test]
    fn a_table_by_topic() {
        let r = references(&[&[0.2, 1.0], &[0.4, 1.0], &[0.6, 1.0]]).unwrap();
        assert_eq!((r.len(), r[1]), (2, Reference { mean: 1.0, sd: 0.0 }));
        assert!(references(&[&[0.2], &[0.4, 1.0]]).unwrap_err().is_usage());
        assert!(references(&[&[0.2]]).unwrap_err().is_usage());
    }

    #[test]
    fn a_standardised_column_has_mean_0_and_deviation_1() {
        let scores = [0.31, 0.2, 0.77, 0.05, 0.4];
        let r = Reference::of(&scores).unwrap();
        let z = Reference::of(&scores.map(|x| r.z(x).unwrap())).unwrap();
        assert!(z.mean.abs() < 1e-12 && (z.sd - 1.0).abs() < 1e-12);
    }
}
