//! Runs whose documents are unjudged more often than those of others, so that their scores cannot be
//! compared.
//!
//! Judgements come from a pool: the top documents of some runs. Another run finds other documents,
//! which count as not relevant because nobody judged them. How many those are shows in Judged@10,
//! the share of judged documents among the first ten of each topic. Judgements that hold hardly any
//! document but the relevant ones do not say what was judged, so nothing is concluded from them.

use super::common::System;
use super::scores::Scores;
use crate::data::Qrels;
use crate::warning::{WarningKind, Warnings};

/// Runs can be compared if their Judged@10 do not differ by more than this: one document of ten.
pub const JUDGED_APART: f64 = 0.1;

/// A run by itself has enough judgements from this Judged@10 on.
pub const JUDGED_ENOUGH: f64 = 0.5;

/// Shares that differ by less than this are the same.
const ROUNDING: f64 = 1e-9;

/// In a pool, at least this share of the judged documents is not relevant.
const NOT_RELEVANT: f64 = 0.25;

/// Judged@10 of a run; `None` if the judgements are no pool, or were not read completely.
pub fn judged_at_10(qrels: &Qrels, scores: &Scores) -> Option<f64> {
    let coverage = scores.coverage.filter(|_| is_pool(qrels))?;
    (coverage.top > 0).then(|| coverage.top_judged as f64 / coverage.top as f64)
}

/// Whether one Judged@10 is so much less than another that unjudged documents favour the other run.
pub fn is_less_judged(share: f64, other: f64) -> bool {
    other - share > JUDGED_APART + ROUNDING
}

/// Whether the judgements tell documents that were judged and are not relevant from those that
/// were not judged.
fn is_pool(qrels: &Qrels) -> bool {
    let (mut relevant, mut not_relevant) = (0usize, 0usize);
    for topic in qrels.topics() {
        let grades = qrels.grades(*topic);
        relevant += grades.positive.len();
        not_relevant += grades.zero as usize;
    }
    not_relevant > 0 && not_relevant as f64 >= NOT_RELEVANT * (relevant + not_relevant) as f64
}

/// Warns of the runs whose scores unjudged documents could change so much that they should not be
/// compared: those judged less than the best judged run, or less than half.
pub fn warn_of_unjudged(qrels: &Qrels, systems: &[System<'_>], warnings: &mut Warnings) {
    let mut shares: Vec<(f64, &System<'_>)> = systems
        .iter()
        .filter_map(|system| Some((judged_at_10(qrels, system.scores)?, system)))
        .collect();
    shares.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some((most, best)) = shares.last() else { return };
    for (share, system) in &shares {
        let differs = is_less_judged(*share, *most);
        if !differs && *share >= JUDGED_ENOUGH {
            break;
        }
        let other = if differs { format!(", of {} {most:.2}", best.name) } else { String::new() };
        let example = format!("Judged@10 of {} is {share:.2}{other}", system.name);
        let unjudged = system.scores.coverage.map_or(0, |c| c.top - c.top_judged);
        warnings.add_example(WarningKind::UnjudgedTop, unjudged, system.name, &example);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Run;
    use crate::measure::Metric;
    use crate::score::Evaluation;

    /// Judgements of ten documents per topic, of which `relevant` are relevant; runs that retrieve so
    /// many of them, and unjudged ones.
    fn told(relevant: u32, retrieved: &[u32]) -> Vec<String> {
        let mut qrels = Qrels::builder();
        for topic in 0..4 {
            for doc in 0..10 {
                let grade = if doc < relevant { 1.0 } else { 0.0 };
                qrels.push(topic.to_string(), format!("d{doc}"), grade);
            }
        }
        let qrels = qrels.build().unwrap();
        let metrics: Vec<Metric> = vec!["Judged@10".parse().unwrap()];
        let evaluation = Evaluation::new(&qrels, &metrics);
        let scores: Vec<Scores> = retrieved
            .iter()
            .map(|judged| {
                let mut run = Run::builder();
                for topic in 0..4 {
                    for rank in 0..10 {
                        let kind = if rank < *judged { "d" } else { "x" };
                        run.push(topic.to_string(), format!("{kind}{rank}"), -f64::from(rank));
                    }
                }
                evaluation.score(&run.build().unwrap(), &mut Warnings::default()).unwrap()
            })
            .collect();
        for (scores, judged) in scores.iter().zip(retrieved) {
            let share = judged_at_10(&qrels, scores).unwrap_or(f64::from(*judged) / 10.0);
            assert!((share - f64::from(*judged) / 10.0).abs() < 1e-12);
        }
        let names: Vec<String> = (0..scores.len()).map(|run| format!("run{run}")).collect();
        let systems: Vec<System<'_>> =
            names.iter().zip(&scores).map(|(name, scores)| System { name, scores }).collect();
        let mut warnings = Warnings::default();
        warn_of_unjudged(&qrels, &systems, &mut warnings);
        warnings.entries().map(|entry| entry.1.to_string()).collect()
    }

    #[test]
    fn runs_that_are_judged_less_than_others_are_named() {
        let none: [String; 0] = [];
        assert_eq!(told(3, &[10, 10]), none);
        assert_eq!(told(3, &[10, 9]), none);
        assert_eq!(told(3, &[10, 2, 7, 9]), ["run1", "run2"]);
        // All alike, and little of it judged: what the scores are worth cannot be known.
        assert_eq!(told(3, &[5, 5]), none);
        assert_eq!(told(3, &[4, 4]), ["run0", "run1"]);
        assert_eq!(told(3, &[4]), ["run0"]);
        // Only relevant documents are in the judgements: how many of a run are judged is its score.
        assert_eq!(told(10, &[10, 2]), none);
        assert_eq!(told(8, &[10, 2]), none);
        assert_eq!(told(7, &[10, 2]), ["run1"]);
    }
}
