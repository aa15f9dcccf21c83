//! What a reader of scores must know besides: which are undefined, which rest on the order of tied
//! documents, how much of the rankings was judged.

use super::evaluate::Evaluation;
use super::scores::{MetricColumn, Scores};
use crate::error::{Error, Place, Result};
use crate::measure::{Aggregate, Score};
use crate::policy::{Ties, Undefined};
use crate::remedy::Remedy;
use crate::warning::{WarningKind, Warnings};

/// A mean that ties could change by more than this is told.
const TIES_MATTER: f64 = 0.001;
/// The metrics named with what ties could do to them, the largest effects first.
const EFFECTS_TOLD: usize = 4;

impl Evaluation<'_> {
    /// Warns of what could mislead a reader of these scores. An error if undefined scores are
    /// refused and there are some.
    pub(super) fn diagnose(&self, scores: &Scores, warnings: &mut Warnings) -> Result<()> {
        warn_of_undefined(scores, self.undefined, warnings)?;
        scores.warn_of_infinite(warnings);
        self.warn_of_ties(scores, warnings);
        warn_of_samples(scores, warnings);
        self.warn_of_coverage(scores, warnings);
        Ok(())
    }

    fn warn_of_ties(&self, scores: &Scores, warnings: &mut Warnings) {
        if matches!(self.policy.ties, Ties::Average | Ties::Range) {
            return;
        }
        let topics = scores.len() as f64;
        let means = scores.columns().iter().zip(&scores.ties);
        let mut effects: Vec<(&str, f64, f64)> = means
            .filter(|(metric, _)| metric.aggregate == Aggregate::Mean)
            .map(|(metric, (down, up))| (metric.name.as_str(), down / topics, up / topics))
            .filter(|(_, down, up)| down.max(*up) > TIES_MATTER)
            .collect();
        if effects.is_empty() {
            return;
        }
        effects.sort_by(|a, b| b.1.max(b.2).total_cmp(&a.1.max(a.2)));
        let mut told: Vec<String> = effects
            .iter()
            .take(EFFECTS_TOLD)
            .map(|(metric, down, up)| format!("{metric} by {}", effect(*down, *up)))
            .collect();
        if effects.len() > EFFECTS_TOLD {
            let more = effects.len() - EFFECTS_TOLD;
            let means = if more == 1 { "mean" } else { "means" };
            told.push(format!("and {more} other {means} by smaller amounts"));
        }
        warnings.add_example(
            WarningKind::Ties,
            effects.len() as u64,
            scores.name(),
            &told.join(", "),
        );
    }

    fn warn_of_coverage(&self, scores: &Scores, warnings: &mut Warnings) {
        let partly = |c: &super::Coverage| self.ranges.is_some() && c.judged < c.retrieved;
        let Some(coverage) = scores.coverage.filter(partly) else { return };
        let share = |judged: u64, all: u64| 100.0 * (all - judged) as f64 / all as f64;
        let example = format!(
            "{:.1}% of the top 10, {:.1}% of all",
            share(coverage.top_judged, coverage.top),
            share(coverage.judged, coverage.retrieved)
        );
        let count = coverage.retrieved - coverage.judged;
        warnings.add_example(WarningKind::UnjudgedDocument, count, scores.name(), &example);
    }
}

/// What ties could take and add, without the side that shows as nothing.
fn effect(down: f64, up: f64) -> String {
    let shows = |x: f64| x >= 0.00005;
    match (shows(down), shows(up)) {
        (false, _) => format!("as much as +{up:.4}"),
        (true, false) => format!("as much as -{down:.4}"),
        (true, true) => format!("-{down:.4} to +{up:.4}"),
    }
}

/// Warns of undefined scores; an error if they are refused.
pub(super) fn warn_of_undefined(
    scores: &Scores,
    policy: Undefined,
    warnings: &mut Warnings,
) -> Result<()> {
    for (column, metric) in scores.columns().iter().enumerate() {
        let undefined = scores.undefined(column);
        let Some(first) = undefined.first() else { continue };
        let why = match scores.score(*first, column) {
            Some(Score::Undefined(why)) => format!(": {why}"),
            _ => String::new(),
        };
        let example = format!("{} for topic {}{why}", metric.name, scores.topic(*first));
        if policy == Undefined::Error {
            let message = match undefined.len() {
                1 => format!("1 undefined score, {example}"),
                n => format!("{n} undefined scores, the first of them {example}"),
            };
            return Err(Error::input(Place::file(scores.name()), message).help(Remedy::undefined()));
        }
        let count = undefined.len() as u64;
        warnings.add_example(WarningKind::UndefinedScore, count, scores.name(), &example);
    }
    Ok(())
}

impl Scores {
    /// Warns of scores, and of sums over topics, that are beyond the largest number.
    pub fn warn_of_infinite(&self, warnings: &mut Warnings) {
        // There may be a million topics, and hardly ever is a score infinite.
        let has_some = self.has_infinite();
        for (column, MetricColumn { name, aggregate }) in self.columns().iter().enumerate() {
            if !has_some && *aggregate != Aggregate::Sum {
                continue;
            }
            let scores = self.column(column).enumerate();
            let mut infinite = scores.filter(|(_, score)| score.is_some_and(f64::is_infinite));
            let (count, example) = match infinite.next() {
                Some((row, _)) => {
                    (1 + infinite.count(), format!("{name} for topic {}", self.topic(row)))
                }
                // Other summaries of finite scores are finite.
                None if *aggregate == Aggregate::Sum
                    && self
                        .summary_value(column, Undefined::Skip)
                        .is_some_and(f64::is_infinite) =>
                {
                    (1, format!("{name} for all topics"))
                }
                None => continue,
            };
            warnings.add_example(WarningKind::InfiniteScore, count as u64, self.name(), &example);
        }
    }
}

/// A score that is a mean over some of the orders of tied documents comes with its standard error.
fn warn_of_samples(scores: &Scores, warnings: &mut Warnings) {
    for (column, metric) in scores.columns().iter().enumerate() {
        let errors =
            (0..scores.len()).filter_map(|row| Some((row, scores.standard_error(row, column)?)));
        let Some((row, worst)) = errors.max_by(|a, b| a.1.total_cmp(&b.1)) else { continue };
        let topic = scores.topic(row);
        let example = format!("{} for topic {topic}, standard error {worst:.1e}", metric.name);
        let count = scores.sampled(column) as u64;
        warnings.add_example(WarningKind::SampledOrders, count, scores.name(), &example);
    }
}
