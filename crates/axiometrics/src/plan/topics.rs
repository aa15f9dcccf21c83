//! How many topics an experiment needs.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::stats::{self, PairedDesign, ScoreMatrix};

/// A number of topics and what it buys.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TopicPlan {
    /// What is expected of the differences.
    pub design: PairedDesign,
    /// The chance of finding the difference that was asked for.
    pub target: f64,
    /// So many topics are needed.
    pub topics: usize,
    /// The chance that they give.
    pub power: f64,
}

/// The least number of topics with which a two-sided paired t-test finds the difference with the
/// chance `target`.
pub fn topics(design: PairedDesign, target: f64) -> Result<TopicPlan> {
    let topics = stats::topics_needed(&design, target)?;
    Ok(TopicPlan { design, target, topics, power: stats::power(&design, topics)? })
}

/// The standard deviation over topics of the difference of two systems, as several systems show it:
/// twice the residual variance of a two-way analysis. For two systems that is the standard
/// deviation of their differences.
pub fn difference_deviation(scores: &ScoreMatrix) -> Result<f64> {
    let anova = stats::two_way_anova(scores)?;
    let mse = anova.mse().ok_or_else(|| {
        Error::usage("the runs differ by the same amount on every topic: no variance to plan with")
    })?;
    Ok((2.0 * mse).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_systems_show_the_deviation_of_their_differences() {
        let scores =
            ScoreMatrix::new(vec![vec![0.4, 0.9, 0.3, 0.6], vec![0.1, 0.7, 0.4, 0.2]]).unwrap();
        // Differences 0.3, 0.2, -0.1, 0.4: mean 0.2, squares 0.01 + 0 + 0.09 + 0.04.
        assert!((difference_deviation(&scores).unwrap() - (0.14f64 / 3.0).sqrt()).abs() < 1e-12);
        let parallel = ScoreMatrix::new(vec![vec![0.4, 0.9], vec![0.3, 0.8]]).unwrap();
        assert!(difference_deviation(&parallel).unwrap_err().is_usage());
    }

    #[test]
    fn one_topic_fewer_would_not_do() {
        let design = PairedDesign { difference: 0.02, standard_deviation: 0.1, alpha: 0.05 };
        let plan = topics(design, 0.8).unwrap();
        assert!(plan.power >= 0.8 && stats::power(&design, plan.topics - 1).unwrap() < 0.8);
    }
}
