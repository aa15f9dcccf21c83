//! Score ranges: what unjudged documents could do.
//!
//! What a range is, and how its ends are found, is in [`crate::measure::range`]. Here each topic of
//! a run gets its range, and so does the summary of all topics. The tests compare every measure
//! with all completions of small topics.

mod summary;
#[cfg(test)]
pub(super) mod tests;

use crate::data::{Hit, Hits, Judged, Qrels};
pub use crate::measure::range::{Absent, Range, SharedDocument, Vary};
use crate::measure::range::{Completion, GradeScale, JointTopic, Jointly, RangeKind, TOO_DEEP};
use crate::measure::{Declaration, Metric, Score, Tail};
use crate::policy::BelowEnd;
pub(crate) use summary::summarise;
pub use summary::{End, RangeEnd};

/// By their numbers in a table.
const KINDS: [RangeKind; 4] =
    [RangeKind::Exact, RangeKind::Limit, RangeKind::Searched, RangeKind::Bound];

/// The grade of a hit that is in no judgement, not even as pooled and unassessed.
pub(crate) const OUTSIDE_POOL: f64 = f64::NEG_INFINITY;

/// A ranking is continued by no more documents than this.
const MOST_BELOW: u32 = 1_000_000;

impl Range {
    /// The same with an end that differs from this score by rounding alone set to the score: both
    /// were summed in another order.
    pub(super) fn snapped(self, score: Option<f64>) -> Range {
        let Some(score) = score else { return self };
        let near = |end: f64| {
            let same = (end - score).abs() <= 1e-14 * score.abs().max(1e-300);
            if same { score } else { end }
        };
        Range { low: near(self.low), high: near(self.high), ..self }
    }

    /// The range and this score.
    fn including(self, score: Score) -> Range {
        match score {
            Score::Undefined(_) => Range { undefined: true, ..self },
            Score::Value(x) => Range { low: self.low.min(x), high: self.high.max(x), ..self },
        }
    }

    /// How many numbers [`Range::cells`] gives.
    pub(super) const CELLS: usize = 4;

    /// As numbers of a table.
    pub(super) fn cells(range: Option<Range>) -> [f64; Range::CELLS] {
        range.map_or([f64::NAN; Range::CELLS], |r| {
            let kind = KINDS.iter().position(|kind| *kind == r.kind).unwrap_or(0);
            [r.low, r.high, r.tail, kind as f64 + if r.undefined { 4.0 } else { 0.0 }]
        })
    }

    /// Back from these numbers.
    pub(super) fn from_cells(cells: &[f64]) -> Option<Range> {
        let [low, high, tail, code] = *cells else { return None };
        let kind = KINDS[usize::from(code as u8 & 3)];
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

    /// Why a topic has no range though the measure has some: its ranking may end too far above the
    /// last rank that counts.
    pub fn refusal_of_short_rankings(&self, below: BelowEnd) -> Option<&'static str> {
        self.end(below).filter(|end| *end > MOST_BELOW).map(|_| TOO_DEEP)
    }

    /// The last rank below the end of a ranking that the measure looks at, if there is one.
    fn end(&self, below: BelowEnd) -> Option<u32> {
        match (below, &self.declared.tail) {
            (BelowEnd::None, _) | (_, Tail::Endless(_)) => None,
            (_, Tail::Until(rank)) => Some(*rank),
            (_, Tail::None) => self.metric.depth(),
        }
    }

    /// The range of one topic, which must hold all judged hits ([`crate::data::Needs::JUDGED`]). It
    /// holds the topic's score as well: some measures (infAP, Bpref, condensed lists) treat an
    /// unjudged document in another way than a judged one, so that their score need not lie among
    /// those of the completions.
    pub fn range(&mut self, topic: &Judged<'_>, vary: Vary) -> Result<Range, Absent> {
        self.range_sharing(topic, vary, &mut None)
    }

    /// The same, by completions that are made once for all measures that do not look below the end
    /// of the ranking.
    pub(crate) fn range_sharing(
        &mut self,
        topic: &Judged<'_>,
        vary: Vary,
        shared: &mut Option<Completion>,
    ) -> Result<Range, Absent> {
        let range = self.completed(topic, vary, shared)?;
        Ok(range.including(self.as_judged(topic)))
    }

    /// The score of the judgements as they are. Documents outside the pool may be among the hits,
    /// so that two rankings can share them; no measure knows of them.
    fn as_judged(&self, topic: &Judged<'_>) -> Score {
        let in_pool = |hit: &&Hit| hit.grade != OUTSIDE_POOL;
        if topic.hits.iter().all(|hit| in_pool(&hit)) {
            return self.metric.score(topic);
        }
        let hits: Vec<Hit> = topic.hits.iter().filter(in_pool).copied().collect();
        self.metric.score(&Judged { hits: Hits::new(&hits), ..*topic })
    }

    fn completed(
        &mut self,
        topic: &Judged<'_>,
        vary: Vary,
        shared: &mut Option<Completion>,
    ) -> Result<Range, Absent> {
        let longer = self.continued(topic, vary.below)?;
        let ended = shared.get_or_insert_with(|| Completion::new(topic, vary));
        if longer.retrieved == topic.retrieved {
            return self.of_completions(ended, vary.below);
        }
        let range = self.of_completions(&mut Completion::new(&longer, vary), vary.below)?;
        // What the ranking itself cannot reach is owed to what stands below its end.
        let ended = self.of_completions(ended, BelowEnd::None);
        let high = ended.map_or(range.low, |ended| ended.high.max(range.low));
        Ok(Range { tail: (range.high - high).max(0.0), ..range })
    }

    /// The ranking with what stands below its end, as far as the measure looks there: a rank
    /// without a hit is that of a document that nobody judged.
    fn continued<'t>(&self, topic: &Judged<'t>, below: BelowEnd) -> Result<Judged<'t>, Absent> {
        let retrieved = self.end(below).unwrap_or(0).max(topic.retrieved);
        if retrieved - topic.retrieved > MOST_BELOW {
            return Err(Absent::Refused(TOO_DEEP));
        }
        Ok(Judged { retrieved, ..*topic })
    }

    fn of_completions(&mut self, all: &mut Completion, below: BelowEnd) -> Result<Range, Absent> {
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
        if below == BelowEnd::None {
            range.high -= range.tail;
            range.tail = 0.0;
            return Ok(range);
        }
        let with_tail =
            |all: &Completion| tail.with(&all.view().narrowed(metric.needs()), range.high);
        if with_tail(all).is_none() {
            return Ok(range);
        }
        // The measures that look below the end have their highest score when all open documents
        // have the top grade.
        all.prefix(all.open_retrieved());
        if let Some(high) = with_tail(all) {
            range.tail = (high - range.high).max(0.0);
            range.high = range.high.max(high);
            if range.tail > 0.0 {
                // What stands between a cutoff and the end of the ranking is known, and yet counts
                // as unknown: the measure does not look there.
                let cut = metric.depth().is_some_and(|k| k < all.retrieved());
                range.kind = range.kind.max(if cut { RangeKind::Bound } else { RangeKind::Limit });
            }
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
        let [longer_a, longer_b] = [a, b].map(|topic| self.continued(topic, vary.below));
        let (longer_a, longer_b) = (longer_a?, longer_b?);
        // What stands below the end of one ranking may stand anywhere in the other.
        let below = [(&longer_a, a), (&longer_b, b)].map(|(x, y)| x.retrieved - y.retrieved);
        let further = vary.further.saturating_add(below[0] + below[1]);
        let mut joint = JointTopic::new(&longer_a, &longer_b, unjudged, Vary { further, ..vary });
        let as_judged = match [a, b].map(|topic| self.as_judged(topic)) {
            [Score::Undefined(why), Score::Undefined(_)] => Score::Undefined(why),
            [a, b] => Score::Value(a.value().unwrap_or(0.0) - b.value().unwrap_or(0.0)),
        };
        let Ranger { metric, declared: Declaration { ranges, tail, .. } } = self;
        if let Some(why) = ranges.refusal(joint.a.scale()) {
            return Err(Absent::Refused(why));
        }
        let score = |topic: &Judged<'_>| metric.score_complete(topic);
        let tail = if vary.below == BelowEnd::None { &Tail::None } else { &*tail };
        let known = if below == [0, 0] {
            ranges.difference(&mut joint, &score, tail)
        } else {
            Jointly::Apart
        };
        let range = match known {
            Jointly::Range(range) => Ok(range),
            Jointly::Undefined => Err(Absent::Undefined),
            Jointly::Apart => {
                let [a, b] =
                    [&mut joint.a, &mut joint.b].map(|all| self.of_completions(all, vary.below));
                match (a, b) {
                    (Ok(a), Ok(b)) => Ok(a.less(b)),
                    (Err(Absent::Undefined), Ok(b)) => Ok(Range::point(0.0).less(b)),
                    (Ok(a), Err(Absent::Undefined)) => Ok(a.less(Range::point(0.0))),
                    (Err(why), _) | (_, Err(why)) => Err(why),
                }
            }
        }?;
        Ok(range.including(as_judged))
    }
}
