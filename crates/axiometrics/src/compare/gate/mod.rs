//! Whether a change may pass: paired, with a margin, and honest about what the topics can tell.
//!
//! Owns: which topics count, the bounds of a difference, the verdict and its reasons. Does not own:
//! files, exit codes, and how a report looks.
//!
//! A drop is ruled out, or shown, by one-sided bounds L and U of the mean difference, new less
//! baseline, each with the error alpha: no drop beyond the margin if L > -margin, a drop if
//! U < -margin, and else the topics do not tell. A margin of 0 asks instead whether the new run is
//! significantly worse: U < 0.
//!
//! A verdict against a side whose documents are judged less often than those of the other stands only
//! if no grades of the unjudged documents could turn it.

mod check;
mod scores;
mod stored;
mod unjudged;

pub use check::{DroppedTopic, Limit, LimitCheck, LimitVerdict, Reason};
pub use scores::TopicScores;
pub use stored::StoredEvaluation;
pub use unjudged::{FindPossible, JudgedShares, PossibleScores};

use std::collections::BTreeSet;

use serde::Serialize;

use crate::error::{Error, Result};
use crate::stats::{Test, TestOptions};

/// Fewer topics than this decide nothing.
const FEWEST: usize = 5;
/// Nor do topics of which more than this share has changed.
const MOST_CHANGED: f64 = 0.05;
/// The power that a number of topics is told for.
const POWER: f64 = 0.8;

/// How a gate decides.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateSettings {
    /// The error of each bound: of calling a run good that is not, and bad that is not.
    pub alpha: f64,
    /// The test whose interval gives the bounds.
    pub test: Test,
    /// What the test takes.
    pub options: TestOptions,
    /// Whether more than 5% of the topics may differ between the two sides.
    pub allow_changes: bool,
    /// Whether unjudged documents count as not relevant even if they could decide.
    pub allow_unjudged: bool,
}

impl Default for GateSettings {
    fn default() -> GateSettings {
        GateSettings {
            alpha: 0.05,
            test: Test::default(),
            options: TestOptions::default(),
            allow_changes: false,
            allow_unjudged: false,
        }
    }
}

/// A run at the gate.
#[derive(Debug, Clone, Serialize)]
pub struct Gate {
    /// The run.
    pub run: String,
    /// What it is compared with, unless only means are limited.
    pub baseline: Option<String>,
    /// Fail if any check fails, else undecided if any is, else pass.
    pub verdict: LimitVerdict,
    /// One per limit.
    pub checks: Vec<LimitCheck>,
    /// What the two sides do not share.
    pub changes: TopicChanges,
    /// How much of the top of both sides is judged.
    pub judged: JudgedShares,
    /// Every score of the run is that of the baseline: they may be one run.
    pub same_scores: bool,
    /// How it was decided.
    pub settings: GateSettings,
}

/// The topics that are not the same on both sides. They are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TopicChanges {
    /// How many topics either side has.
    pub topics: usize,
    /// Those that only the run has.
    pub appeared: Vec<String>,
    /// Those that only the baseline has.
    pub vanished: Vec<String>,
    /// Those whose judgements are no longer the same.
    pub judged_anew: Vec<String>,
    /// Whether the judgements could be compared: a baseline without their fingerprints can hide
    /// changes.
    pub judgements_known: bool,
}

impl TopicChanges {
    fn new(baseline: &TopicScores, run: &TopicScores) -> TopicChanges {
        let (before, now) = (baseline.topics(), run.topics());
        let only = |a: &BTreeSet<&str>, b: &BTreeSet<&str>| -> Vec<String> {
            a.difference(b).map(|topic| topic.to_string()).collect()
        };
        let known = baseline.judgements.as_ref().zip(run.judgements.as_ref());
        let judged_anew = known.map_or(Vec::new(), |(then, today)| {
            let changed = |topic: &&&str| then.get(**topic) != today.get(**topic);
            before.intersection(&now).filter(changed).map(|topic| topic.to_string()).collect()
        });
        TopicChanges {
            topics: before.union(&now).count(),
            appeared: only(&now, &before),
            vanished: only(&before, &now),
            judged_anew,
            judgements_known: known.is_some(),
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.appeared.len() + self.vanished.len() + self.judged_anew.len()
    }
}

/// Holds a run against a baseline: each limit names a measure that both were scored by. A baseline
/// is needed only if a drop is limited.
pub fn gate(
    baseline: Option<&TopicScores>,
    run: &TopicScores,
    limits: &[(String, Limit)],
    settings: &GateSettings,
    possible: FindPossible<'_>,
) -> Result<Gate> {
    if limits.is_empty() {
        return Err(Error::usage("a gate without a limit lets everything pass")
            .help("name a measure and the largest drop, or the least score"));
    }
    if !(settings.alpha > 0.0 && settings.alpha < 0.5) {
        return Err(Error::usage(format!(
            "alpha is {}, expected more than 0 and less than 0.5",
            settings.alpha
        )));
    }
    let changes = match baseline {
        Some(baseline) => TopicChanges::new(baseline, run),
        None => TopicChanges { judgements_known: true, ..TopicChanges::default() },
    };
    let judged = JudgedShares::new(baseline, run);
    let sides = check::GatedSides { baseline, run, changes: &changes, judged, possible };
    let checks: Vec<LimitCheck> = limits
        .iter()
        .map(|(measure, limit)| check::check(&sides, measure, *limit, settings))
        .collect::<Result<_>>()?;
    let same = |(measure, _): &(String, Limit)| {
        baseline.is_some_and(|old| old.measures.get(measure) == run.measures.get(measure))
    };
    Ok(Gate {
        run: run.name.clone(),
        baseline: baseline.map(|side| side.name.clone()),
        same_scores: limits.iter().all(same),
        judged,
        verdict: LimitVerdict::of_all(checks.iter().map(|check| check.verdict)),
        checks,
        changes,
        settings: settings.clone(),
    })
}

impl Gate {
    /// The run, and what it is held against.
    pub fn title(&self) -> String {
        match &self.baseline {
            Some(baseline) => format!("{} against {baseline}", self.run),
            None => self.run.clone(),
        }
    }

    /// How errors add up over the checks.
    pub fn family(&self) -> String {
        let (count, alpha) = (self.checks.len(), self.settings.alpha);
        match count {
            1 => format!("1 check; a wrong verdict has a chance of at most {alpha} each way"),
            count => format!(
                "{count} checks, all of which must pass: a run that drops too far passes with a \
                 chance of at most {alpha}; a good one fails with a chance of at most {} (the \
                 family of {count} checks, not corrected)",
                ((count as f64 * alpha * 1e6).round() / 1e6).min(1.0)
            ),
        }
    }
}

#[cfg(test)]
mod tests;
