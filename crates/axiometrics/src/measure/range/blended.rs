//! Proved bounds for the Q-measure with more than two grades.
//!
//! Let t open documents be relevant, and compare the m-th relevant document of the ranking with the
//! m-th where the t stand as high, or as low, as they can.
//! - Highest: none stands higher than there, none has more gain at and above it than where the t
//!   have the top grade, and no ideal ranking has less gain than where the t have the lowest
//!   relevant grade; a term never exceeds 1. That holds if a document has a gain if and only if it
//!   is relevant. Otherwise documents that are not relevant may bring any gain up to that of the
//!   whole ranking; the ideal has no less than what was gained, and a term is highest if both are
//!   as large as they can be.
//! - Lowest: none stands lower than there, none has less gain at and above it than the m smallest
//!   relevant gains, and no ideal ranking has more than where the t have the top grade and the
//!   others the highest one that is not relevant.

use super::search::least;
use super::{
    Completion, Extremes, Prefix, Range, RangeAlgorithm, RangeKind, ScoreOf, Summed, Terms, Totals,
};
use crate::data::{Grades, Hit};
use crate::measure::{NO_RELEVANT, Score};

/// The sum over the relevant documents of a term, over their number.
pub struct Blended<'a> {
    /// The cutoff.
    pub k: u32,
    /// The lowest relevant grade.
    pub rel: f64,
    /// The term: relevant so far, gain so far, rank, ideal gain down to the rank.
    pub term: Box<dyn Fn(u32, f64, u32, f64) -> f64 + Send + Sync + 'a>,
    /// What the sum is divided by, of the number of relevant documents.
    pub divisor: Box<dyn Fn(u32) -> u32 + Send + Sync + 'a>,
    /// What a grade is worth, no less than any lower grade.
    pub gain: Box<dyn Fn(f64) -> f64 + Send + Sync + 'a>,
    /// Gains play no part.
    pub gainless: bool,
}

impl RangeAlgorithm for Blended<'_> {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        if self.gainless || all.scale().binary && self.rel > 0.0 && self.rel <= all.max_grade() {
            return self.summed().range(all, score);
        }
        if all.scale().binary && self.rel > all.max_grade() {
            // Nothing can be relevant.
            return Extremes(RangeKind::Exact).range(all, score);
        }
        if all.scale().binary {
            return Prefix.range(all, score);
        }
        range(self, all)
    }
}

impl Blended<'_> {
    /// Where each relevant document has a gain of 1, or gains play no part: relevant documents so
    /// far are the gain so far.
    fn summed(&self) -> Summed<'_> {
        let term = |rank: u32, above: f64, relevant: f64| {
            (above + 1.0) * (self.term)(1, 1.0, rank, relevant.min(f64::from(rank)))
        };
        let terms = move |_| Terms {
            term: Box::new(term),
            bend: Some(|rank, _, relevant| relevant - f64::from(rank)),
            value: Box::new(|totals: &Totals| match (self.divisor)(totals.relevant) {
                0 => Score::Undefined(NO_RELEVANT),
                divisor => Score::Value(totals.sum / f64::from(divisor)),
            }),
        };
        Summed { k: self.k, rel: self.rel, terms: Box::new(terms) }
    }
}

fn range(rule: &Blended<'_>, all: &mut Completion) -> Option<Range> {
    let grades = OpenRelevance::new(rule, all);
    let relevant = all.judged_grades().relevant(&rule.rel);
    let divisor = |t: u32| f64::from((rule.divisor)(relevant + t));
    let high = least(grades.possible.clone(), |few, most| {
        let high = highest(rule, &grades, all, few, most) / divisor(few);
        // The scores of several numbers are bounded by 1, and so are those of one.
        if few == most { Some(-high).filter(|_| divisor(few) > 0.0) } else { Some(-high.min(1.0)) }
    });
    let low = least(grades.possible.clone(), |few, most| {
        let low = lowest(rule, &grades, all, few, most) / divisor(most);
        Some(low).filter(|_| divisor(most) > 0.0)
    });
    let fewest = relevant + grades.possible.start();
    let (low, high) = low.zip(high).map_or((f64::INFINITY, 0.0), |(low, high)| (low, -high));
    Range::of_ends(low, high, RangeKind::Bound, (rule.divisor)(fewest) == 0)
}

/// What makes an open document relevant.
struct OpenRelevance {
    /// The lowest whole grade that does.
    least: f64,
    /// The highest that does not.
    below: f64,
    /// How many open documents can be relevant.
    possible: std::ops::RangeInclusive<u32>,
    /// The most that the top k can gain, if what is not relevant may have a gain too.
    loose: Option<f64>,
}

impl OpenRelevance {
    fn new(rule: &Blended<'_>, all: &Completion) -> OpenRelevance {
        let least = rule.rel.ceil().max(0.0);
        let below = (least - 1.0).clamp(0.0, all.max_grade().max(0.0));
        let possible = if rule.rel <= 0.0 {
            all.open()..=all.open()
        } else if least > all.max_grade() {
            0..=0
        } else {
            0..=all.open()
        };
        let judged = all.judged_grades().positive;
        let tight = least == 1.0 && judged.iter().all(|grade| *grade >= rule.rel);
        let top = all.documents().take_while(|(hit, _)| hit.rank <= rule.k);
        let gain =
            |(hit, open): (&Hit, bool)| (rule.gain)(if open { all.max_grade() } else { hit.grade });
        OpenRelevance { least, below, possible, loose: (!tight).then(|| top.map(gain).sum()) }
    }
}

/// The ranks of the relevant documents of the top k with their grades.
fn relevant<'t>(
    rule: &Blended<'_>,
    topic: &crate::data::Judged<'t>,
) -> impl Iterator<Item = (u32, f64)> + use<'t> {
    let rel = rule.rel;
    topic.top(rule.k).filter(move |hit| hit.grade >= rel).map(|hit| (hit.rank, hit.grade))
}

/// A sum that none exceeds if between so few and so many open documents are relevant.
fn highest(
    rule: &Blended<'_>,
    grades: &OpenRelevance,
    all: &mut Completion,
    few: u32,
    most: u32,
) -> f64 {
    let mut ideal = Ideal::new(rule, all.grades_with(few, grades.least).positive);
    let topic = all.prefix(most).view();
    let mut gain = 0.0;
    let terms = (1..).zip(relevant(rule, &topic)).map(|(seen, (rank, grade))| {
        gain += (rule.gain)(grade);
        let term = match grades.loose {
            Some(most) => (rule.term)(seen, most, rank, most),
            None => (rule.term)(seen, gain, rank, ideal.down_to(rank)),
        };
        term.min(1.0)
    });
    terms.sum()
}

/// A sum that none falls below there.
fn lowest(
    rule: &Blended<'_>,
    grades: &OpenRelevance,
    all: &mut Completion,
    few: u32,
    most: u32,
) -> f64 {
    let others = std::iter::repeat_n(grades.below, (all.open() - few) as usize);
    let tops = std::iter::repeat_n(all.max_grade(), most as usize);
    let judged = all.judged_grades().positive.iter().copied();
    let mut ideal = Ideal::new(rule, Grades::new(judged.chain(tops).chain(others)).positive);
    let judged = all
        .documents()
        .filter(|(hit, open)| !open && hit.grade >= rule.rel)
        .map(|(hit, _)| hit.grade);
    let lowest = std::iter::repeat_n(grades.least, most as usize);
    let mut gains: Vec<f64> = judged.chain(lowest).collect();
    gains.sort_by(f64::total_cmp);
    let topic = all.suffix(few).view();
    let mut gain = 0.0;
    let terms =
        (1..).zip(relevant(rule, &topic)).zip(gains).map(|((seen, (rank, _)), smallest)| {
            gain += (rule.gain)(smallest);
            (rule.term)(seen, gain, rank, ideal.down_to(rank))
        });
    terms.sum()
}

/// The gain of an ideal ranking, read downwards.
struct Ideal {
    gains: std::vec::IntoIter<f64>,
    rank: u32,
    gain: f64,
}

impl Ideal {
    fn new(rule: &Blended<'_>, grades: Vec<f64>) -> Ideal {
        let gains: Vec<f64> = grades.into_iter().map(|grade| (rule.gain)(grade)).collect();
        Ideal { gains: gains.into_iter(), rank: 0, gain: 0.0 }
    }

    fn down_to(&mut self, rank: u32) -> f64 {
        self.gain += self.gains.by_ref().take((rank - self.rank) as usize).sum::<f64>();
        self.rank = rank;
        self.gain
    }
}
