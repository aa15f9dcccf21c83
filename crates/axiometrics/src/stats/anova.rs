//! Two-way analysis of variance without replication, and Tukey's honestly significant difference on
//! it.

use rayon::prelude::*;
use serde::Serialize;

use super::distribution::f_upper;
use super::distribution::studentized_range::StudentizedRange;
use super::pairs::{PairResult, compared, pairs};
use super::sample::{ScoreMatrix, checked_open_unit, mean};
use super::test::{Note, TestResult};
use crate::{Error, Result};

/// One source of variance: the systems, or the topics.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Effect {
    /// The sum of squares.
    pub sum_of_squares: f64,
    /// Degrees of freedom.
    pub df: usize,
    /// The mean square over the mean square of the residual: infinite if no residual is left, and
    /// `None` if this effect is not there either.
    pub f: Option<f64>,
    /// The p-value of F.
    pub p: Option<f64>,
}

/// The table of a two-way analysis of variance: score = mean + system + topic + residual.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Anova {
    /// The effect of systems.
    pub systems: Effect,
    /// The effect of topics.
    pub topics: Effect,
    /// The sum of squares of what neither explains.
    pub residual_sum_of_squares: f64,
    /// (systems - 1)(topics - 1).
    pub residual_df: usize,
    resolution: f64,
}

impl Anova {
    /// The mean square of the residual; `None` if systems and topics explain every score.
    pub fn mse(&self) -> Option<f64> {
        let mse = self.residual_sum_of_squares / self.residual_df as f64;
        (mse.sqrt() > self.resolution).then_some(mse)
    }

    /// The error of a mean over the topics that Tukey's q divides by: sqrt(MSE / topics).
    fn standard_error(&self) -> Option<f64> {
        self.mse().map(|mse| (mse / (self.topics.df + 1) as f64).sqrt())
    }

    fn range_distribution(&self) -> Result<StudentizedRange> {
        StudentizedRange::new(self.systems.df + 1, self.residual_df as f64)
    }

    /// How far two means must be apart for [`tukey_hsd`] to call them different at level
    /// 1 - confidence. A difference of means plus and minus this is the simultaneous interval that
    /// inverts the test: of all pairs together, such intervals hold the true differences with this
    /// confidence.
    pub fn tukey_margin(&self, confidence: f64) -> Result<f64> {
        checked_open_unit(confidence, "confidence")?;
        let critical = self.range_distribution()?.critical(1.0 - confidence);
        Ok(critical * self.standard_error().unwrap_or(0.0))
    }

    /// What [`Anova::tukey_margin`] rests on.
    pub fn tukey_method(&self) -> String {
        format!("Tukey HSD, family-wise, {} degrees of freedom", self.residual_df)
    }
}

/// Splits the variance of the scores between systems, topics and the rest.
pub fn two_way_anova(scores: &ScoreMatrix) -> Result<Anova> {
    scores.at_least_two_systems()?;
    let (systems, topics) = (scores.systems(), scores.topics());
    if topics < 2 {
        return Err(Error::usage("an analysis of variance needs at least two topics"));
    }
    let system_means = scores.means();
    let topic_means: Vec<f64> = (0..topics)
        .map(|t| mean(&scores.rows().iter().map(|row| row[t]).collect::<Vec<_>>()))
        .collect();
    let grand = mean(&system_means);
    let squares = |means: &[f64], each: usize| {
        each as f64 * means.iter().map(|m| (m - grand).powi(2)).sum::<f64>()
    };
    let residual = |(s, row): (usize, &Vec<f64>)| -> f64 {
        row.iter()
            .zip(&topic_means)
            .map(|(score, topic)| (score - system_means[s] - topic + grand).powi(2))
            .sum()
    };
    let effect = |sum_of_squares, df| Effect { sum_of_squares, df, f: None, p: None };
    let mut anova = Anova {
        systems: effect(squares(&system_means, topics), systems - 1),
        topics: effect(squares(&topic_means, systems), topics - 1),
        residual_sum_of_squares: scores.rows().iter().enumerate().map(residual).sum(),
        residual_df: (systems - 1) * (topics - 1),
        resolution: scores.resolution(),
    };
    let (mse, resolution) = (anova.mse(), anova.resolution);
    for effect in [&mut anova.systems, &mut anova.topics] {
        let mean_square = effect.sum_of_squares / effect.df as f64;
        (effect.f, effect.p) = match mse {
            Some(mse) => {
                let f = mean_square / mse;
                (Some(f), Some(f_upper(f, effect.df as f64, anova.residual_df as f64)))
            }
            // The limit of ever smaller residuals.
            None if mean_square.sqrt() > resolution => (Some(f64::INFINITY), Some(0.0)),
            None => (None, None),
        };
    }
    Ok(anova)
}

/// Compares all pairs of systems by Tukey's honestly significant difference after a two-way
/// analysis of variance: the statistic is q = |difference of means| / sqrt(MSE / topics), with the
/// studentized range of all systems and (systems - 1)(topics - 1) degrees of freedom.
///
/// The p-values hold for the family of all pairs; correcting them again would be wrong.
pub fn tukey_hsd(scores: &ScoreMatrix) -> Result<Vec<PairResult>> {
    let anova = two_way_anova(scores)?;
    all_pairs(scores, "two-way", anova.standard_error(), anova.residual_df)
}

/// Tukey's honestly significant difference after a one-way analysis of variance, which takes the
/// topics of each system for topics of its own: what SciPy's `tukey_hsd` and ranx compute. The
/// differences between topics count as error, so that it usually finds less than
/// [`tukey_hsd`].
pub fn tukey_hsd_unpaired(scores: &ScoreMatrix) -> Result<Vec<PairResult>> {
    let anova = two_way_anova(scores)?;
    let df = scores.systems() * (scores.topics() - 1);
    let mse = (anova.topics.sum_of_squares + anova.residual_sum_of_squares) / df as f64;
    let error = (mse.sqrt() > anova.resolution).then(|| (mse / scores.topics() as f64).sqrt());
    all_pairs(scores, "one-way", error, df)
}

/// All pairs by the studentized range, given the error of a mean and its degrees of freedom.
fn all_pairs(
    scores: &ScoreMatrix,
    kind: &str,
    error: Option<f64>,
    df: usize,
) -> Result<Vec<PairResult>> {
    let distribution = StudentizedRange::new(scores.systems(), df as f64)?;
    let (means, resolution) = (scores.means(), scores.resolution());
    let method = format!(
        "{kind} ANOVA, studentized range of {} systems, {df} degrees of freedom, family-wise",
        scores.systems(),
    );
    let test = |(a, b): (usize, usize)| {
        let difference = (means[a] - means[b]).abs();
        let (statistic, p, note) = match error {
            _ if difference <= resolution => (0.0, Some(1.0), None),
            Some(error) => (difference / error, Some(distribution.upper(difference / error)), None),
            // The limit of ever smaller residuals.
            None => (f64::INFINITY, Some(0.0), Some(Note::NoResidual)),
        };
        TestResult { statistic, p, method: method.clone(), note }
    };
    let all: Vec<(usize, usize)> = pairs(scores.systems()).collect();
    Ok(compared(scores, all.into_par_iter().map(test).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Test, TestOptions, paired_test};

    fn close(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() <= 1e-11 * expected.abs().max(1e-3),
            "found {found:e}, expected {expected:e}"
        );
    }

    fn matrix(rows: &[&[f64]]) -> ScoreMatrix {
        ScoreMatrix::new(rows.iter().map(|r| r.to_vec()).collect()).unwrap()
    }

    /// `statsmodels.stats.anova.anova_lm(ols("x ~ C(system) + C(topic)", data).fit())` and
    /// `scipy.stats.studentized_range.sf(abs(d) / sqrt(MSE / 6), 4, 15)`
    #[test]
    fn reference_values() {
        let scores = matrix(&[
            &[0.57, 0.64, 0.61, 0.1, 0.66, 0.63],
            &[1.02, 1.0, 0.53, 0.92, 1.07, 1.09],
            &[0.56, 0.43, 1.05, 0.61, 0.96, 1.34],
            &[0.98, 0.85, 1.06, 1.26, 0.7, 0.98],
        ]);
        let anova = two_way_anova(&scores).unwrap();
        close(anova.systems.f.unwrap(), 3.5037619980572554);
        close(anova.systems.p.unwrap(), 0.04181281958198022);
        close(anova.systems.sum_of_squares, 0.7093833333333324);
        close(anova.topics.f.unwrap(), 0.6624903274667011);
        close(anova.topics.p.unwrap(), 0.6574129820334971);
        close(anova.topics.sum_of_squares, 0.22354999999999986);
        close(anova.mse().unwrap(), 0.0674877777777778);
        assert_eq!(anova.residual_df, 15);
        assert_eq!(anova.tukey_method(), "Tukey HSD, family-wise, 15 degrees of freedom");
        for (pair, p) in tukey_hsd(&scores).unwrap().iter().zip([
            0.07151792165195325,
            0.25604815510534396,
            0.0473266402840925,
            0.8728738966562025,
            0.9959545571378385,
            0.7638653807269772,
        ]) {
            close(pair.result.p.unwrap(), p);
        }
    }

    /// `scipy.stats.tukey_hsd(*rows).pvalue`
    #[test]
    fn unpaired_reference_values() {
        let scores = matrix(&[
            &[0.57, 0.64, 0.61, 0.1, 0.66, 0.63],
            &[1.02, 1.0, 0.53, 0.92, 1.07, 1.09],
            &[0.56, 0.43, 1.05, 0.61, 0.96, 1.34],
            &[0.98, 0.85, 1.06, 1.26, 0.7, 0.98],
        ]);
        for (pair, p) in tukey_hsd_unpaired(&scores).unwrap().iter().zip([
            0.048850481245803046,
            0.21379254886889032,
            0.030097459721863395,
            0.8582674170711035,
            0.9954405939224302,
            0.7387743352429565,
        ]) {
            close(pair.result.p.unwrap(), p);
        }
        let same = matrix(&[&[0.1, 0.1], &[0.1, 0.1], &[0.2, 0.2]]);
        let pairs = tukey_hsd_unpaired(&same).unwrap();
        assert_eq!((pairs[0].result.p, pairs[1].result.p), (Some(1.0), Some(0.0)));
    }

    /// For two systems q = |t| sqrt(2) with n - 1 degrees of freedom, so Tukey's p is the paired
    /// t-test's.
    #[test]
    fn two_systems_are_the_t_test() {
        let (a, b) = ([0.4, 0.6, 0.1, 0.9, 0.5], [0.3, 0.4, 0.2, 0.5, 0.45]);
        let t = paired_test(Test::T, &a, &b, &TestOptions::default()).unwrap();
        let pair = &tukey_hsd(&matrix(&[&a, &b])).unwrap()[0];
        assert!((pair.result.statistic - t.statistic.abs() * 2f64.sqrt()).abs() < 1e-12);
        assert!((pair.result.p.unwrap() - t.p.unwrap()).abs() < 1e-13);
    }

    #[test]
    fn the_margin_inverts_the_test() {
        let scores = matrix(&[&[0.4, 0.6, 0.1, 0.9], &[0.3, 0.4, 0.2, 0.5], &[0.8, 0.1, 0.6, 0.3]]);
        let anova = two_way_anova(&scores).unwrap();
        for pair in tukey_hsd(&scores).unwrap() {
            let margin = anova.tukey_margin(1.0 - pair.result.p.unwrap()).unwrap();
            assert!((margin - pair.difference.abs()).abs() < 1e-12, "{margin} {pair:?}");
        }
    }

    #[test]
    fn degenerate_matrices() {
        // Additive scores leave no residual.
        let scores = matrix(&[&[0.1, 0.2, 0.3], &[0.3, 0.4, 0.5], &[0.1, 0.2, 0.3]]);
        let anova = two_way_anova(&scores).unwrap();
        assert_eq!(anova.mse(), None);
        assert_eq!((anova.systems.f, anova.topics.p), (Some(f64::INFINITY), Some(0.0)));
        let flat = two_way_anova(&matrix(&[&[0.1, 0.1], &[0.3, 0.3]])).unwrap();
        assert_eq!((flat.systems.p, flat.topics.f, flat.topics.p), (Some(0.0), None, None));
        let pairs = tukey_hsd(&scores).unwrap();
        assert_eq!((pairs[0].result.p, pairs[0].result.note), (Some(0.0), Some(Note::NoResidual)));
        assert_eq!(pairs[0].result.statistic, f64::INFINITY);
        assert_eq!(pairs[1].result.p, Some(1.0));
        assert!(two_way_anova(&matrix(&[&[0.1], &[0.2]])).unwrap_err().is_usage());
        assert!(two_way_anova(&matrix(&[&[0.1, 0.2]])).unwrap_err().is_usage());
        assert!(anova.tukey_margin(1.0).unwrap_err().is_usage());
    }
}
