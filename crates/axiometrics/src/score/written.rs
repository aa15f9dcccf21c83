//! Rankings that are written down, as judgements and a run that measures can score.

use crate::data::{Facet, Qrels, Run, Vector};
use crate::error::{Error, Result};
use crate::measure::Metric;

/// The judgements and the run of written rankings, for these measures: each ranking is a topic. The
/// highest grade is the one given, or the highest in the rankings and at least 1.
pub fn written(
    rankings: &[Vector],
    metrics: &[Metric],
    max_grade: Option<f64>,
) -> Result<(Qrels, Run)> {
    if let Some(metric) = metrics.iter().find(|metric| metric.needs().facet != Facet::None) {
        let error = format!("{metric} needs subtopics, groups or strata, which no grade tells");
        return Err(Error::usage(error).help("write judgements and a run to files for axio eval"));
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
