//! Score ranges: what unjudged documents could do.
//!
//! A completion gives every unjudged retrieved document a grade, a whole number from 0 to the
//! highest grade ([`Completion`]); a range holds the lowest and the highest score of all
//! completions. A measure declares the algorithm that finds them ([`RangeAlgorithm`]). Each
//! algorithm is a file here and knows no measure: what it needs of a formula it is given, so no
//! formula is written twice.

mod averaged;
mod blended;
mod candidates;
mod completion;
mod counts;
mod extremes;
mod first;
mod gains;
mod goal;
mod joint;
mod nested;
mod opposed;
mod paired;
mod peaks;
mod precisions;
mod prefix;
mod reading;
mod search;
mod smooth;
mod sorted;
mod summed;
mod thresholds;

use super::{Score, Tail};
use crate::choice::choices;
use crate::data::Judged;
use crate::policy::BelowEnd;
pub use averaged::Averaged;
pub use blended::Blended;
pub use completion::{Completion, GradeScale};
pub use counts::{Counts, MovingCutoff};
pub use extremes::{Additive, Corners, Extremes, RetrievedExtremes};
pub use first::First;
pub use gains::Gains;
pub use goal::Goal;
pub use joint::{JointTopic, Jointly, SharedDocument};
pub use opposed::{OfTopic, Opposed};
pub use peaks::Peaks;
pub use precisions::{Precisions, Tables};
pub use prefix::{IfBinary, Prefix, Provided};
pub use reading::{ReadingRange, Told};
pub use sorted::Sorted;
pub use summed::{Summed, Terms, Totals};
pub use thresholds::ThresholdsRange;

/// The score of a topic by the measure at hand.
pub type ScoreOf<'a> = dyn Fn(&Judged<'_>) -> Score + 'a;

/// Finds the lowest and the highest score of a measure over all completions of a topic.
///
/// It may keep what it works out from topic to topic, but no topic may change what it says of
/// another.
pub trait RangeAlgorithm: Send {
    /// Why there is no range for judgements with such grades. Nothing else is asked then.
    fn refusal(&self, _scale: GradeScale) -> Option<&'static str> {
        None
    }

    /// The range. `None` if the score is undefined in every completion. It is asked only if a
    /// document is open, or if the measure [reads on](RangeAlgorithm::reads_on).
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range>;

    /// A reader who may go on for ever meets what nobody retrieved, even if all is judged: there is
    /// a range then too.
    fn reads_on(&self) -> bool {
        false
    }

    /// The range of the first run's score less the second's, over what both share. An algorithm
    /// that knows nothing of it leaves it to the ranges of both.
    fn difference(
        &mut self,
        _joint: &mut JointTopic<'_>,
        _score: &ScoreOf<'_>,
        _tail: &Tail<'_>,
    ) -> Jointly {
        Jointly::Apart
    }
}

/// No algorithm, and why.
#[derive(Debug, Clone, Copy)]
pub struct NoRange(pub &'static str);

impl RangeAlgorithm for NoRange {
    fn refusal(&self, _scale: GradeScale) -> Option<&'static str> {
        Some(self.0)
    }

    fn range(&mut self, _all: &mut Completion, _score: &ScoreOf<'_>) -> Option<Range> {
        None
    }
}

/// Why a score has no range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Absent {
    /// The measure has none for such judgements, and why.
    Refused(&'static str),
    /// The score is undefined, whatever the judgements.
    Undefined,
}

impl Absent {
    /// The same in words.
    pub fn reason(self) -> &'static str {
        match self {
            Absent::Refused(why) => why,
            Absent::Undefined => "the score is undefined, whatever the judgements",
        }
    }
}

/// What is known of the ends of a range: the less, the later in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RangeKind {
    /// Some judgement has the score at each end, and none lies outside.
    Exact,
    /// None lies outside, and enough relevant documents below the end of the ranking come as near
    /// to the high end as one likes.
    Limit,
    /// No judgement that a long search tried lies outside.
    Searched,
    /// None lies outside (proved), but the ends may lie too far apart.
    Bound,
}

choices! {
    RangeKind {
        Exact "exact" "exact",
        Limit "limit" "a limit: scores come as near to its high end as one likes",
        Searched "searched" "what a long search found",
        Bound "bound" "a bound: no score lies outside, and none may reach its ends",
    }
}

/// Which documents may get another grade: the unjudged ones that were retrieved, and these besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Vary {
    /// So many more of the collection, in each topic.
    pub further: u32,
    /// What stands below the end of the ranking.
    pub below: BelowEnd,
}

impl Vary {
    /// Also so many documents of the collection that were not retrieved, in each topic.
    pub fn collection(further: u32) -> Vary {
        Vary { further, ..Vary::default() }
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
    pub kind: RangeKind,
    /// In some completion the score is undefined.
    pub undefined: bool,
}

impl Range {
    /// The range of a score that nothing can change.
    pub fn point(x: f64) -> Range {
        Range { low: x, high: x, tail: 0.0, kind: RangeKind::Exact, undefined: false }
    }

    /// A range of which the ends were found apart, so that rounding may have put the one that is
    /// meant to be lower above the other. `None` if there is no end.
    pub(crate) fn of_ends(low: f64, high: f64, kind: RangeKind, undefined: bool) -> Option<Range> {
        let (low, high) = (low.min(high), high.max(low));
        (low.is_finite() && high.is_finite()).then_some(Range {
            low,
            high,
            tail: 0.0,
            kind,
            undefined,
        })
    }

    /// How much of the range is owed to unjudged documents; the rest is the tail.
    pub fn unjudged(&self) -> f64 {
        self.high - self.tail - self.low
    }

    /// The same if an undefined score counts as 0.
    #[must_use]
    pub fn or_zero(self) -> Range {
        if !self.undefined {
            return self;
        }
        Range { low: self.low.min(0.0), high: self.high.max(0.0), undefined: false, ..self }
    }

    /// The range of what was tried; `None` if every score was undefined.
    pub(crate) fn between(ends: Ends, kind: RangeKind) -> Option<Range> {
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
pub(crate) struct Ends {
    /// The lowest and the highest score.
    pub(crate) defined: Option<(f64, f64)>,
    /// Some score was undefined.
    pub(crate) undefined: bool,
}

impl Ends {
    /// One more score.
    pub(crate) fn add(&mut self, score: Score) {
        match score {
            Score::Undefined(_) => self.undefined = true,
            Score::Value(x) => {
                let (low, high) = self.defined.unwrap_or((x, x));
                self.defined = Some((low.min(x), high.max(x)));
            }
        }
    }
}

/// The reason of the measures that nobody has found an algorithm for.
pub(crate) const NO_ALGORITHM: &str = "no algorithm is known that finds its ends";
/// The reason of the measures by facet.
pub(super) const BY_FACET: &str =
    "an unjudged document may belong to any of the subtopics, groups or strata";
/// The reason of the gain measures if the gains are not in order.
pub(super) const NOT_GROWING: &str = "the gains do not grow with the grade";
/// The reason of counts that no judgement changes.
pub(super) const NOT_JUDGED: &str = "it does not depend on the judgements";
/// The reason if the ranks below the end of a ranking are more than can be looked at.
pub(crate) const TOO_DEEP: &str =
    "the cutoff lies more than a million ranks below the end of a ranking";
/// The reason of what is told of the judgements themselves.
pub(super) const OF_JUDGEMENTS: &str = "it says how much was judged, which no grade changes";
