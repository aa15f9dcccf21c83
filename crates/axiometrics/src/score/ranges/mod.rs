//! Score ranges: what unjudged documents could do.
//!
//! A completion gives every unjudged retrieved document a grade, a whole number from 0 to the
//! highest grade; a range holds the lowest and the highest score of all completions. A measure
//! declares which algorithm finds them ([`RangeRule`]); each algorithm is a file here. Completions
//! in which the score is undefined are left out of the range, and flagged. The tests compare every
//! measure with all completions of small topics.

mod blended;
mod completion;
mod counts;
mod difference;
mod gains;
mod goal;
mod nested;
mod opposed;
mod paired;
mod precisions;
mod reading;
mod sorted;
mod summary;
#[cfg(test)]
mod tests;
mod thresholds;

pub use difference::{SharedDocument, difference};

use crate::data::{Judged, Qrels};
use crate::measure::range::{Kind, RangeRule};
use crate::measure::{Metric, Score};
pub(crate) use completion::Completion;
pub(crate) use summary::summarise;

/// Which documents may get another grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vary {
    /// The unjudged ones that were retrieved.
    Retrieved,
    /// Those, and so many more of the collection, in each topic.
    Collection(u32),
}

impl Vary {
    fn further(self) -> u32 {
        match self {
            Vary::Retrieved => 0,
            Vary::Collection(n) => n,
        }
    }
}

/// The lowest and the highest score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The lowest.
    pub low: f64,
    /// The highest, the unseen tail included.
    pub high: f64,
    /// How much of `high` is owed to documents below the end of the ranking, for measures that look
    /// there: what no judging of it could remove.
    pub tail: f64,
    /// What is known of the ends.
    pub kind: Kind,
    /// In some completion the score is undefined.
    pub undefined: bool,
}

impl Range {
    /// The range of a score that nothing can change.
    pub fn point(x: f64) -> Range {
        Range { low: x, high: x, tail: 0.0, kind: Kind::Exact, undefined: false }
    }

    /// How much of the range is owed to unjudged documents; the rest is the tail.
    pub fn unjudged(&self) -> f64 {
        self.high - self.tail - self.low
    }

    /// The same where an undefined score counts as 0.
    #[must_use]
    pub fn or_zero(self) -> Range {
        if !self.undefined {
            return self;
        }
        Range { low: self.low.min(0.0), high: self.high.max(0.0), undefined: false, ..self }
    }

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

    pub(super) fn between(ends: Ends, kind: Kind) -> Option<Range> {
        ends.defined.map(|(low, high)| Range {
            low,
            high,
            tail: 0.0,
            kind,
            undefined: ends.undefined,
        })
    }
}

/// The ends of what was tried so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ends {
    defined: Option<(f64, f64)>,
    undefined: bool,
}

impl Ends {
    pub(super) fn add(&mut self, score: Score) {
        match score {
            Score::Undefined(_) => self.undefined = true,
            Score::Value(x) => {
                let (low, high) = self.defined.unwrap_or((x, x));
                self.defined = Some((low.min(x), high.max(x)));
            }
        }
    }
}

/// Finds the ranges of one measure, topic after topic.
pub struct Ranger<'m> {
    metric: &'m Metric,
    rule: RangeRule<'m>,
    /// Sums of discounts, kept from topic to topic.
    discounts: Vec<f64>,
    tables: precisions::Tables,
}

impl<'m> Ranger<'m> {
    /// For this measure, where grades go up to `max_grade`.
    pub fn new(metric: &'m Metric, max_grade: f64) -> Ranger<'m> {
        Ranger {
            metric,
            rule: metric.range_rule(max_grade),
            discounts: Vec::new(),
            tables: precisions::Tables::default(),
        }
    }

    /// Why there is no range, where these are the judgements.
    pub fn refusal(&self, qrels: &Qrels) -> Option<&'static str> {
        match self.rule {
            RangeRule::None(why) => Some(why),
            RangeRule::PrefixIfBinary(why) if !qrels.is_binary() => Some(why),
            _ => None,
        }
    }

    /// The range of one topic; `None` where there is none, or where the score is undefined in every
    /// completion. The topic must hold all judged hits ([`crate::data::Needs::JUDGED`]).
    pub fn range(&mut self, topic: &Judged<'_>, vary: Vary) -> Option<Range> {
        self.of_completions(&mut Completion::new(topic, vary))
    }

    /// The same, where the completions are at hand: several measures share them.
    pub(crate) fn of_completions(&mut self, all: &mut Completion) -> Option<Range> {
        if let RangeRule::None(_) = self.rule {
            return None;
        }
        // A reader who may go on for ever meets what nobody retrieved, even where all is judged.
        let endless = matches!(&self.rule, RangeRule::Reading(rule) if rule.endless);
        let mut range = if all.open() == 0 && !endless { self.only(all) } else { self.vary(all) }?;
        if self.metric.score_with_tail(&all.view(), range.high).is_none() {
            return Some(range);
        }
        // The measures that look below the end have their highest score where all open documents
        // have the top grade.
        all.prefix(all.open());
        if let Some(high) = self.metric.score_with_tail(&all.view(), range.high) {
            range.tail = (high - range.high).max(0.0);
            range.high = range.high.max(high);
        }
        Some(range)
    }

    fn only(&self, all: &Completion) -> Option<Range> {
        self.metric.score_complete(&all.view()).value().map(Range::point)
    }

    fn vary(&mut self, all: &mut Completion) -> Option<Range> {
        let mut ends = Ends::default();
        let (open, retrieved) = (all.open(), all.open_retrieved());
        match &self.rule {
            RangeRule::None(_) => return None,
            RangeRule::Additive | RangeRule::Falling => {
                self.prefixes(all.extremes(), all, &mut ends)
            }
            RangeRule::Extremes(kind) => {
                self.prefixes(all.extremes(), all, &mut ends);
                return Range::between(ends, *kind);
            }
            RangeRule::Corners => {
                self.prefixes([0, retrieved, open], all, &mut ends);
                self.suffixes([open - retrieved], all, &mut ends);
            }
            RangeRule::PrefixIfBinary(_) if !all.is_binary() => return None,
            RangeRule::Blended(rule) if !rule.binary && !all.is_binary() => {
                return blended::range(rule, all);
            }
            RangeRule::Opposed(rule) if !all.is_binary() => {
                return opposed::range(self.metric, rule, all);
            }
            RangeRule::Prefix
            | RangeRule::PrefixIfBinary(_)
            | RangeRule::Blended(_)
            | RangeRule::Opposed(_) => {
                self.prefixes(0..=open, all, &mut ends);
                self.suffixes(0..=open, all, &mut ends);
            }
            RangeRule::Counts(rule) => ends = counts::ends(rule, all),
            RangeRule::MovingCutoff(rule) => ends = counts::moving(rule, all),
            RangeRule::Precisions(rule) => ends = precisions::ends(rule, all, &mut self.tables),
            RangeRule::Gains(rule) => return gains::range(rule, all, &mut self.discounts),
            RangeRule::Thresholds { k } => return thresholds::range(*k, all),
            RangeRule::Goal(rule) => ends = goal::ends(rule, all),
            RangeRule::Sorted => return sorted::range(self.metric, all),
            RangeRule::Reading(rule) => return reading::range(rule, all),
        }
        Range::between(ends, Kind::Exact)
    }

    fn prefixes(
        &self,
        counts: impl IntoIterator<Item = u32>,
        all: &mut Completion,
        ends: &mut Ends,
    ) {
        counts
            .into_iter()
            .for_each(|t| ends.add(self.metric.score_complete(&all.prefix(t).view())));
    }

    fn suffixes(
        &self,
        counts: impl IntoIterator<Item = u32>,
        all: &mut Completion,
        ends: &mut Ends,
    ) {
        counts
            .into_iter()
            .for_each(|t| ends.add(self.metric.score_complete(&all.suffix(t).view())));
    }
}
