//! Proved bounds for the Q-measure with more than two grades.
//!
//! Let t open documents be relevant, and compare the m-th relevant document of the ranking with the
//! m-th where the t stand as high, or as low, as they can.
//! - Highest: none stands higher than there, none has more gain at and above it than where the t
//!   have the top grade, and no ideal ranking has less gain than where the t have the lowest
//!   relevant grade; a term never exceeds 1.
//! - Lowest: none stands lower than there, none has less gain at and above it than the m smallest
//!   gains, and no ideal ranking has more than where the t have the top grade.

use super::{Completion, Kind, Prefix, Range, RangeAlgorithm, ScoreOf};

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
    /// Gains play no part.
    pub gainless: bool,
}

impl RangeAlgorithm for Blended<'_> {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        if self.gainless || all.scale().binary {
            return Prefix.range(all, score);
        }
        range(self, all)
    }
}

fn range(rule: &Blended<'_>, all: &mut Completion) -> Option<Range> {
    // The argument asks that a document has a gain if and only if it is relevant.
    let judged = all.judged_grades();
    if !(rule.rel > 0.0 && rule.rel <= 1.0)
        || judged.positive.iter().any(|grade| *grade < rule.rel)
        || rule.rel > all.max_grade()
    {
        return None;
    }
    let relevant = judged.positive.len() as u32;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for t in 0..=all.open() {
        let divisor = (rule.divisor)(relevant + t);
        if divisor == 0 {
            continue;
        }
        high = high.max(highest(rule, all, t) / f64::from(divisor));
        low = low.min(lowest(rule, all, t) / f64::from(divisor));
    }
    low.is_finite().then_some(Range {
        low,
        high,
        tail: 0.0,
        kind: Kind::Bound,
        undefined: (rule.divisor)(relevant) == 0,
    })
}

/// The ranks of the relevant documents of the top k with their grades.
fn relevant<'t>(
    rule: &Blended<'_>,
    topic: &crate::data::Judged<'t>,
) -> impl Iterator<Item = (u32, f64)> + use<'t> {
    let rel = rule.rel;
    topic.top(rule.k).filter(move |hit| hit.grade >= rel).map(|hit| (hit.rank, hit.grade))
}

fn highest(rule: &Blended<'_>, all: &mut Completion, t: u32) -> f64 {
    let mut ideal = Ideal::new(all.grades_with(t, 1.0).positive);
    let topic = all.prefix(t).view();
    let mut gain = 0.0;
    let terms = (1..).zip(relevant(rule, &topic)).map(|(seen, (rank, grade))| {
        gain += grade;
        (rule.term)(seen, gain, rank, ideal.down_to(rank)).min(1.0)
    });
    terms.sum()
}

fn lowest(rule: &Blended<'_>, all: &mut Completion, t: u32) -> f64 {
    let mut ideal = Ideal::new(all.grades_with(t, all.max_grade()).positive);
    let judged = all
        .documents()
        .filter(|(hit, open)| !open && hit.grade >= rule.rel)
        .map(|(hit, _)| hit.grade);
    let mut gains: Vec<f64> = judged.chain(std::iter::repeat_n(1.0, t as usize)).collect();
    gains.sort_by(f64::total_cmp);
    let topic = all.suffix(t).view();
    let mut gain = 0.0;
    let terms =
        (1..).zip(relevant(rule, &topic)).zip(gains).map(|((seen, (rank, _)), smallest)| {
            gain += smallest;
            (rule.term)(seen, gain, rank, ideal.down_to(rank))
        });
    terms.sum()
}

/// The gain of an ideal ranking, read downwards.
struct Ideal {
    grades: std::vec::IntoIter<f64>,
    rank: u32,
    gain: f64,
}

impl Ideal {
    fn new(grades: Vec<f64>) -> Ideal {
        Ideal { grades: grades.into_iter(), rank: 0, gain: 0.0 }
    }

    fn down_to(&mut self, rank: u32) -> f64 {
        self.gain += self.grades.by_ref().take((rank - self.rank) as usize).sum::<f64>();
        self.rank = rank;
        self.gain
    }
}
