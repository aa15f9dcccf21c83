//! Score ranges: what unjudged documents could do.
//!
//! What a range is, and how its ends are found, is in [`crate::measure::range`]. Here each topic of
//! a run gets its range, and so does the summary of all topics. The tests compare every measure
//! with all completions of small topics.

mod summary;
#[cfg(test)]
mod tests;

use crate::data::{Judged, Qrels};
pub use crate::measure::range::{Absent, Range, SharedDocument, Vary};
use crate::measure::range::{Completion, GradeScale, Joint, Jointly, Kind};
use crate::measure::{Declaration, Metric};
pub(crate) use summary::summarise;

impl Range {
    /// How many numbers [`Range::cells`] gives.
    pub(super) const CELLS: usize = 4;

    /// As numbers of a table.
    pub(super) fn cells(range: Option<Range>) -> [f64; Range::CELLS] {
        range.map_or([f64::NAN; Range::CELLS], |r| {
            let kind = [Kind::Exact, Kind::Searched, Kind::Bound]
                .iter()
                .position(|k| *k == r.kind)
                .unwrap_or(0);
            [r.low, r.high, r.tail, kind as f64 + if r.undefined { 4.0 } else { 0.0 }]
        })
    }

    /// Back from these numbers.
    pub(super) fn from_cells(cells: &[f64]) -> Option<Range> {
        let [low, high, tail, code] = *cells else { return None };
        let kind = match code as u8 & 3 {
            0 => Kind::Exact,
            1 => Kind::Searched,
            _ => Kind::Bound,
        };
        (!low.is_nan()).then_some(Range { low, high, tail, kind, undefined: code >= 4.0 })
    }
}

/// Finds the ranges of one measure, topic after topic.
pub struct Ranger<'m> {
    metric: &'m Metric,
    declared: Declaration<'m>,
}

impl<'m> Ranger<'m> {
    /// For this measure.
    pub fn new(metric: &'m Metric) -> Ranger<'m> {
        Ranger { metric, declared: metric.declaration() }
    }

    /// Why there is no range for these judgements.
    pub fn refusal(&self, qrels: &Qrels) -> Option<&'static str> {
        self.declared.ranges.refusal(GradeScale::of(qrels))
    }

    /// The range of one topic, which must hold all judged hits ([`crate::data::Needs::JUDGED`]).
    pub fn range(&mut self, topic: &Judged<'_>, vary: Vary) -> Result<Range, Absent> {
        self.of_completions(&mut Completion::new(topic, vary))
    }

    /// The same of completions that are at hand: several measures share them.
    pub(crate) fn of_completions(&mut self, all: &mut Completion) -> Result<Range, Absent> {
        let Ranger { metric, declared: Declaration { ranges, tail, .. } } = self;
        if let Some(why) = ranges.refusal(all.scale()) {
            return Err(Absent::Refused(why));
        }
        let score = |topic: &Judged<'_>| metric.score_complete(topic);
        let mut range = if all.open() == 0 && !ranges.reads_on() {
            score(&all.view()).value().map(Range::point)
        } else {
            ranges.range(all, &score)
        }
        .ok_or(Absent::Undefined)?;
        let with_tail =
            |all: &Completion| tail.with(&all.view().narrowed(metric.needs()), range.high);
        if with_tail(all).is_none() {
            return Ok(range);
        }
        // The measures that look below the end have their highest score when all open documents
        // have the top grade.
        all.prefix(all.open());
        if let Some(high) = with_tail(all) {
            range.tail = (high - range.high).max(0.0);
            range.high = range.high.max(high);
        }
        Ok(range)
    }

    /// The lowest and the highest that the score of `a` less that of `b` can be, for one topic.
    /// `unjudged` holds every unjudged document that either retrieved.
    ///
    /// It is exact for additive measures of finite depth, nDCG, recall, F and their kin, RR and
    /// Success; for AP a bound over what both share, for all others the bound that follows from the
    /// two ranges apart. A score that is undefined counts as 0 if the other is defined.
    pub fn difference(
        &mut self,
        a: &Judged<'_>,
        b: &Judged<'_>,
        unjudged: &[SharedDocument],
        vary: Vary,
    ) -> Result<Range, Absent> {
        let mut joint = Joint::new(a, b, unjudged, vary);
        let Ranger { metric, declared: Declaration { ranges, tail, .. } } = self;
        if let Some(why) = ranges.refusal(joint.a.scale()) {
            return Err(Absent::Refused(why));
        }
        let score = |topic: &Judged<'_>| metric.score_complete(topic);
        match ranges.difference(&mut joint, &score, tail) {
            Jointly::Range(range) => Ok(range),
            Jointly::Undefined => Err(Absent::Undefined),
            Jointly::Apart => {
                let [a, b] = [&mut joint.a, &mut joint.b].map(|all| self.of_completions(all));
                match (a, b) {
                    (Ok(a), Ok(b)) => Ok(a.less(b)),
                    (Err(Absent::Undefined), Ok(b)) => Ok(Range::point(0.0).less(b)),
                    (Ok(a), Err(Absent::Undefined)) => Ok(a.less(Range::point(0.0))),
                    (Err(why), _) | (_, Err(why)) => Err(why),
                }
            }
        }
    }
}
