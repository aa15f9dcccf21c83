//! Rankings that are written down, as judgements and a run that measures can score.

use crate::data::{Facet, Qrels, Run, Vector};
use crate::error::{Error, Result};
use crate::measure::Metric;
use crate::remedy::Remedy;

/// The judgements and the run of written rankings, for these measures: each ranking is a topic. The
/// highest grade is the one given, or the highest in the rankings and at least 1.
pub fn written(
    rankings: &[Vector],
    metrics: &[Metric],
    max_grade: Option<f64>,
) -> Result<(Qrels, Run)> {
    if let Some(metric) = metrics.iter().find(|metric| metric.needs().facet != Facet::None) {
        let error = format!("{metric} needs subtopics, groups or strata, which no grade tells");
        let remedy = Remedy::from("write judgements and a run, and score them by ").call("eval");
        return Err(Error::usage(error).help(remedy));
    }
    let (mut qrels, run) = Vector::collection(rankings)?;
    if let Some(max_grade) = max_grade {
        if qrels.max_grade() > max_grade {
            let found = qrels.max_grade();
            let error = format!("the maximum grade {max_grade} is below the grade {found}");
            return Err(Error::usage(error)
                .help("gains are shares of the maximum grade and cannot exceed 1"));
        }
        qrels.set_max_grade(max_grade);
    } else if qrels.max_grade() < 1.0 {
        qrels.set_max_grade(1.0);
    }
    Ok((qrels, run))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Evaluation;
    use crate::stats::random::Random;
    use crate::warning::{WarningKind, Warnings};

    /// Utilities from 0 to 1, as in Moffat's r = (r_1, r_2, ...): whatever they are, they are scored,
    /// and nobody is asked whether they are a run.
    #[test]
    fn grades_of_written_rankings_are_never_taken_for_scores() {
        let metrics = ["DCG".parse::<Metric>().unwrap()];
        let mut random = Random::new(1, 0);
        for ranking in 0..200 {
            let grades: Vec<f64> = (0..1 + ranking % 12)
                .map(|_| random.below(1u64 << 30) as f64 / f64::from(1 << 30))
                .collect();
            let text: Vec<String> = grades.iter().map(f64::to_string).collect();
            let vector: Vector = text.join(" ").parse().unwrap();
            let (qrels, run) = written(&[vector], &metrics, None).unwrap();
            let mut warnings = Warnings::default();
            let scores = Evaluation::new(&qrels, &metrics).score(&run, &mut warnings).unwrap();
            let discounted = (2..).zip(&grades).map(|(rank, gain)| gain / f64::from(rank).log2());
            let dcg: f64 = discounted.sum();
            assert!((scores.value(0, 0).unwrap() - dcg).abs() < 1e-12, "{text:?}");
            assert_eq!(warnings.example_of(WarningKind::ScoresAsGrades), None, "{text:?}");
        }
    }

    #[test]
    fn the_highest_grade_is_the_one_given_or_at_least_1() {
        let highest = |text: &str, max_grade| {
            let rankings = [text.parse::<Vector>().unwrap()];
            written(&rankings, &[], max_grade).map(|(qrels, _)| qrels.max_grade())
        };
        assert_eq!(highest("021", None).unwrap(), 2.0);
        assert_eq!(highest("00", None).unwrap(), 1.0);
        assert_eq!(highest("0 0.5", None).unwrap(), 1.0);
        assert_eq!(highest("021", Some(2.0)).unwrap(), 2.0);
        assert_eq!(highest("021", Some(3.0)).unwrap(), 3.0);
        let error = highest("021", Some(1.0)).unwrap_err().to_string();
        assert!(error.contains("the maximum grade 1 is below the grade 2"), "{error}");
    }
}
