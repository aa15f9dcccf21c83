//! The means that the page shows, and the order of the runs by them.

use super::Study;
use crate::compare::{self, MeasureMeans, SystemMean};
use crate::score::{Measured, System};

/// The means of the runs with their intervals, by each measure that is averaged. A measure by which
/// no topic has a score of all runs has none.
pub(super) struct Means(Vec<MeasureMeans>);

impl Means {
    pub(super) fn new(study: &Study<'_>) -> Means {
        // The scores with ranges are the same scores.
        let runs = study.runs.iter().map(|run| (run.name, run.ranged.unwrap_or(run.scores)));
        let systems: Vec<System<'_>> = runs.map(|(name, scores)| System { name, scores }).collect();
        let of = |(column, metric)| {
            compare::means(study.qrels, metric, column, &systems, &study.settings).ok()
        };
        Means(study.averaged().filter_map(of).collect())
    }

    pub(super) fn of(&self, column: usize) -> Option<&MeasureMeans> {
        self.0.iter().find(|means| means.column == column)
    }

    /// The mean of a run with its interval.
    pub(super) fn system(&self, run: usize, column: usize) -> Option<&SystemMean> {
        self.of(column)?.systems.get(run)
    }

    /// The number by which the page shows a run: this mean, or for measures that have none the
    /// summary of an evaluation.
    pub(super) fn shown(&self, study: &Study<'_>, run: usize, column: usize) -> Option<f64> {
        match self.system(run, column) {
            Some(system) => Some(system.mean),
            None => study.runs[run].scores.summary_value(column, study.undefined),
        }
    }

    /// The scores of a run, topic by topic: those that its mean is of.
    pub(super) fn scores(&self, study: &Study<'_>, run: usize, column: usize) -> Vec<f64> {
        match self.of(column) {
            Some(means) => means.scores.rows()[run].clone(),
            None => study.runs[run].scores.column(column).flatten().collect(),
        }
    }

    /// The runs by one measure, best first; equal ones in the order they were named.
    pub(super) fn order(&self, study: &Study<'_>, column: usize) -> Vec<usize> {
        let shown = |run: &usize| self.shown(study, *run, column).unwrap_or(f64::NEG_INFINITY);
        let mut order: Vec<usize> = (0..study.runs.len()).collect();
        order.sort_by(|a, b| shown(b).total_cmp(&shown(a)));
        if Measured::lower_is_better(&study.metrics[column]) {
            order.reverse();
        }
        order
    }
}
