//! What unjudged documents could do to a gate.

use std::path::PathBuf;

use axiometrics::Result;
use axiometrics::compare::JointRanges;
use axiometrics::compare::gate::{Limit, PossibleScores, TopicScores};
use axiometrics::data::{Qrels, Run};
use axiometrics::io;
use axiometrics::measure::Metric;
use axiometrics::policy::{BelowEnd, Ties};
use axiometrics::score::ScoredRuns;
use axiometrics::warning::Warnings;

use crate::args::Policies;

/// What unjudged documents could make of the scores of some runs, which are read again if they were
/// not kept.
pub(super) struct Unjudged<'a> {
    pub(super) policies: &'a Policies,
    pub(super) qrels: &'a Qrels,
    pub(super) metrics: &'a [Metric],
    pub(super) paths: &'a [PathBuf],
    pub(super) scored: &'a ScoredRuns,
}

impl Unjudged<'_> {
    /// The ranges of these runs; `None` if one cannot be read again.
    pub(super) fn ranges(&self, runs: &[usize]) -> Option<JointRanges> {
        let mut policy = self.policies.policy();
        if matches!(policy.ties, Ties::Average | Ties::Range) {
            // One order is enough to see what unjudged documents could do.
            policy.ties = Ties::default();
        }
        let again = |number: &usize| match &self.scored.runs[*number].run {
            Some(_) => Ok(None),
            None => self.read(&self.paths[*number]).map(Some),
        };
        let again: Vec<Option<Run>> = runs.iter().map(again).collect::<Result<_>>().ok()?;
        let kept = runs.iter().map(|number| self.scored.runs[*number].run.as_ref());
        let runs: Vec<&Run> =
            again.iter().zip(kept).filter_map(|(a, b)| a.as_ref().or(b)).collect();
        let mut ranges = JointRanges::new(self.qrels, policy, &runs).ok()?;
        ranges.below = BelowEnd::None;
        Some(ranges)
    }

    fn read(&self, path: &PathBuf) -> Result<Run> {
        let source = self.policies.inputs.open(path)?;
        io::read_run(&source, self.policies.run_options()?, &mut Warnings::default())
    }

    /// The differences, or the scores if the mean is limited; `None` if the measure has no ranges.
    pub(super) fn possible(
        &self,
        ranges: &JointRanges,
        base: Option<&TopicScores>,
        measure: &str,
        limit: Limit,
    ) -> Option<PossibleScores> {
        let metric = self.metrics.iter().find(|metric| metric.to_string() == measure)?;
        let before = base.filter(|_| matches!(limit, Limit::MaxDrop(_)));
        let scores = before.and_then(|base| base.measures.get(measure));
        let topics = self.qrels.topics().iter().map(|topic| {
            let name = self.qrels.topic_name(*topic);
            let range = if before.is_some() && ranges.len() == 2 {
                ranges.difference(metric, (0, 1), *topic).ok()?
            } else {
                // Of an evaluation that was kept only the scores are known.
                let old = scores.and_then(|scores| *scores.get(&name)?).unwrap_or(0.0);
                let (low, high) = ranges.score(metric, 0, *topic).ok()?;
                (low - old, high - old)
            };
            Some((name, range))
        });
        topics.collect()
    }
}
