//! The scores of one run.

use super::cells::Coverage;
use super::ranges::{self, Range};
use crate::measure::{Metric, Score};
use crate::policy::Undefined;

/// The scores of one run: a row per topic, a column per measure.
#[derive(Debug, Clone)]
pub struct RunScores {
    /// The topics, as numbers in the judgements, sorted by name.
    pub topics: Vec<u32>,
    /// Row by row; NaN stands for an undefined score, which no defined score can be.
    values: Vec<f64>,
    layout: Layout,
    /// How many judged topics the run lacks.
    pub missing: usize,
    /// How many topics of the run have no judgements.
    pub unjudged: usize,
    /// How much of the rankings was judged, where all judgements were read.
    pub coverage: Option<Coverage>,
    /// How much ties could take from the scores of each measure, and add to them, summed over
    /// topics; empty where there are none.
    pub ties: Vec<(f64, f64)>,
}

/// What a row holds: the scores, then their ranges, then the standard errors of those that were
/// sampled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) columns: usize,
    pub(super) ranged: bool,
    pub(super) averaged: bool,
}

impl Layout {
    /// How many numbers a row has.
    pub(super) fn width(self) -> usize {
        self.errors() + if self.averaged { self.columns } else { 0 }
    }

    /// Where the standard errors begin.
    fn errors(self) -> usize {
        self.columns * if self.ranged { 1 + Range::CELLS } else { 1 }
    }
}

impl RunScores {
    pub(super) fn new(
        topics: Vec<u32>,
        values: Vec<f64>,
        layout: Layout,
        missing: usize,
        unjudged: usize,
    ) -> RunScores {
        RunScores { topics, values, layout, missing, unjudged, coverage: None, ties: Vec::new() }
    }

    /// A score; `None` where it is undefined.
    pub fn get(&self, row: usize, column: usize) -> Option<f64> {
        self.cell(row, column)
    }

    fn cell(&self, row: usize, at: usize) -> Option<f64> {
        let x = self.values[row * self.layout.width() + at];
        (!x.is_nan()).then_some(x)
    }

    /// The standard error of an expected score over the orders of tied documents, where orders were
    /// sampled.
    pub fn standard_error(&self, row: usize, column: usize) -> Option<f64> {
        if self.layout.averaged { self.cell(row, self.layout.errors() + column) } else { None }
    }

    /// In how many topics the score is a mean over a sample of the orders of tied documents.
    pub fn sampled(&self, column: usize) -> usize {
        (0..self.topics.len()).filter(|row| self.standard_error(*row, column).is_some()).count()
    }

    /// The standard error of the mean of such scores, over the topics that it is made of; `None`
    /// where none was sampled.
    pub fn mean_standard_error(&self, column: usize, undefined: Undefined) -> Option<f64> {
        let squares: Vec<f64> = (0..self.topics.len())
            .filter_map(|row| self.standard_error(row, column))
            .map(|e| e * e)
            .collect();
        let kept = if undefined == Undefined::Skip {
            self.column(column).flatten().count()
        } else {
            self.topics.len()
        };
        (!squares.is_empty()).then(|| squares.iter().sum::<f64>().sqrt() / kept as f64)
    }

    /// True where ranges were asked for.
    pub fn has_ranges(&self) -> bool {
        self.layout.ranged
    }

    /// The range of a score; `None` where the measure has none, or where the score is undefined
    /// whatever the judgements.
    pub fn range(&self, row: usize, column: usize) -> Option<Range> {
        let at = row * self.layout.width() + self.layout.columns + column * Range::CELLS;
        self.values
            .get(at..at + Range::CELLS)
            .filter(|_| self.has_ranges())
            .and_then(Range::from_cells)
    }

    /// The range of the measure's own summary; `None` where the measure has none.
    pub fn summary_range(
        &self,
        metric: &Metric,
        column: usize,
        undefined: Undefined,
    ) -> Option<Range> {
        let ranges: Vec<Option<Range>> =
            (0..self.topics.len()).map(|row| self.range(row, column)).collect();
        // A topic with a score and without a range: the measure has none.
        if ranges
            .iter()
            .enumerate()
            .any(|(row, range)| range.is_none() && self.get(row, column).is_some())
        {
            return None;
        }
        ranges::summarise(&metric.aggregate(), &ranges, undefined)
    }

    /// The scores of one measure, in the order of topics.
    pub fn column(&self, column: usize) -> impl Iterator<Item = Option<f64>> + '_ {
        (0..self.topics.len()).map(move |row| self.get(row, column))
    }

    /// The rows in which a measure is undefined.
    pub fn undefined(&self, column: usize) -> Vec<usize> {
        (0..self.topics.len()).filter(|row| self.get(*row, column).is_none()).collect()
    }

    /// The measure's own summary; `None` where no score is left to summarise.
    pub fn summary(&self, metric: &Metric, column: usize, undefined: Undefined) -> Option<f64> {
        metric.aggregate().of(self.column(column), undefined)
    }
}

/// How a score is kept in the table.
pub(super) fn cell(score: &Score) -> f64 {
    match score {
        Score::Value(x) => *x,
        Score::Undefined(_) => f64::NAN,
    }
}
