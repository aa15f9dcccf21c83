//! Judgements as far as measures need them.

use crate::data::{Facet, Needs, Qrels};
use crate::error::{Error, Result};
use crate::io::{self, QrelsOptions, Source};
use crate::measure::Metric;
use crate::policy::Policies;
use crate::warning::{WarningKind, Warnings};

/// Reads the judgements that these measures need, and those that somebody else needs besides, under
/// the maximum grade that was asked for.
pub fn read_judgements(
    source: &Source,
    metrics: &[Metric],
    besides: Needs,
    policies: &Policies,
    warnings: &mut Warnings,
) -> Result<Qrels> {
    let needs = metrics.iter().fold(besides, |all, m| all.union(m.needs()));
    let known = [Facet::None, needs.facet];
    if let Some(other) = metrics.iter().find(|m| !known.contains(&m.needs().facet)) {
        let error = Error::usage(format!(
            "{other} needs judgements by another key than the measures before it"
        ));
        return Err(error.help(
            "subtopics and strata do not come from one file: ask for these measures in two calls",
        ));
    }
    let options = QrelsOptions {
        lenient: policies.lenient,
        facet: needs.facet,
        positive_only: !needs.judged,
        ..QrelsOptions::default()
    };
    let mut qrels = io::read_qrels(source, options, warnings)?;
    warn_of_fractions(&qrels, metrics, source.name(), warnings);
    if let Some(max_grade) = policies.max_grade {
        let found = qrels.max_grade();
        if found > max_grade {
            let error = Error::usage(format!(
                "the maximum grade {max_grade} is below the grade {found} in {}",
                source.name()
            ));
            return Err(error.help("gains are shares of the maximum grade and cannot exceed 1"));
        }
        qrels.set_max_grade(max_grade);
    }
    Ok(qrels)
}

/// A grade of 0.7 is not relevant to a measure whose threshold is 1, which few people expect.
fn warn_of_fractions(qrels: &Qrels, metrics: &[Metric], name: &str, warnings: &mut Warnings) {
    let threshold = |metric: &&Metric| metric.args().optional("rel") == Some(1.0);
    let Some(metric) = metrics.iter().find(threshold) else { return };
    if !qrels.has_grades_below(1.0) {
        return;
    }
    let below = |topic: &u32| {
        let grades = qrels.grades(*topic).positive;
        (grades.len() - grades.partition_point(|grade| *grade >= 1.0)) as u64
    };
    let fractions: u64 = qrels.topics().iter().map(below).sum();
    let example = format!("they are not relevant to {metric}, whose threshold is 1");
    warnings.add_example(WarningKind::FractionalGrade, fractions, name, &example);
}
