//! Proved bounds for a score that grows with the grades of the ranking and falls with those of the
//! collection: it is computed of a ranking from one completion and a collection from another.

use super::search;
use super::{Completion, Range, RangeAlgorithm, RangeKind, ScoreOf};
use crate::data::{Grades, GradesRef, Hit, Hits, Judged};
use crate::measure::Score;

/// A score of a topic in which so many relevant documents were not retrieved: its hits and its
/// collection need not be of one completion.
pub type OfTopic<'a> = Box<dyn Fn(&Judged<'_>, u32) -> Score + Send + Sync + 'a>;

/// A score, at most 1, that never falls if a grade of the ranking rises and never rises if one of
/// the collection does, if the two may be of different completions.
#[derive(Default)]
pub struct Opposed<'a> {
    /// For each number of relevant open documents, the score also never falls if the m-th relevant
    /// document stands higher, or if those down to it have higher grades, for any m; nor if there
    /// are more of them, in the ranking or not retrieved, and no more in the collection. Otherwise
    /// that of a document that stays at its rank is all that is known.
    pub by_count: bool,
    /// What takes the place of the score at the low end.
    pub low: Option<OfTopic<'a>>,
    /// The same at the high end.
    pub high: Option<OfTopic<'a>>,
}

impl RangeAlgorithm for Opposed<'_> {
    fn range(&mut self, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
        range(self, all, score)
    }
}

fn range(rule: &Opposed<'_>, all: &mut Completion, score: &ScoreOf<'_>) -> Option<Range> {
    let (open, top) = (all.open(), all.max_grade());
    // The lowest grade that makes an open document relevant.
    let lowest = top.min(1.0);
    let undefined = all.judged_grades().positive.is_empty();
    let low = |hits: &[Hit], all: &Completion, grades: &Grades| {
        value(rule.low.as_ref(), score, hits, all, grades)
    };
    let high = |hits: &[Hit], all: &Completion, grades: &Grades| {
        value(rule.high.as_ref(), score, hits, all, grades)
    };
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut add = |low: Option<f64>, high: Option<f64>| {
        least = low.map_or(least, |low| least.min(low));
        most = high.map_or(most, |high| most.max(high.min(1.0)));
    };
    if rule.by_count {
        let from = search::least(0..=open, |few, most| {
            let tops = all.grades_with(most, top);
            let hits = all.suffix(few).hits().to_vec();
            low(&ascending(hits, lowest, most - few), all, &tops)
        });
        let to = search::least(0..=open, |few, most| {
            let lows = all.grades_with(few, lowest);
            let hits = all.prefix(most).hits().to_vec();
            // Of several numbers only some may have a value; none has more than 1.
            let high = high(&hits, all, &lows);
            if few < most { Some(-high.unwrap_or(1.0).min(1.0)) } else { high.map(|high| -high) }
        });
        add(from, to.map(|to| -to));
    } else {
        let hits = all.prefix(0).hits().to_vec();
        let from = low(&hits, all, &all.grades_with(open, top));
        let hits = all.prefix(open).hits().to_vec();
        // If nothing was judged relevant, one document may be all there is, and the best that
        // there can be.
        add(
            from,
            if undefined { Some(1.0) } else { high(&hits, all, &all.grades_with(0, lowest)) },
        );
    }
    Range::of_ends(least, most, RangeKind::Bound, undefined)
}

/// The relevant documents where they are, with their grades in ascending order, an open one of the
/// lowest: no completion has less down to the m-th of them. Up to so many more open ones may be
/// relevant.
fn ascending(mut hits: Vec<Hit>, lowest: f64, more: u32) -> Vec<Hit> {
    let open = |hit: &Hit| hit.doc == super::completion::UNJUDGED;
    let mut grades: Vec<f64> = hits
        .iter()
        .filter(|hit| hit.grade > 0.0)
        .map(|hit| if open(hit) { lowest } else { hit.grade })
        .chain(std::iter::repeat_n(lowest, more as usize))
        .collect();
    grades.sort_by(f64::total_cmp);
    for (hit, grade) in hits.iter_mut().filter(|hit| hit.grade > 0.0).zip(grades) {
        hit.grade = grade;
    }
    hits
}

fn value(
    own: Option<&OfTopic<'_>>,
    score: &ScoreOf<'_>,
    hits: &[Hit],
    all: &Completion,
    grades: &Grades,
) -> Option<f64> {
    let grades: GradesRef<'_> = grades.into();
    let topic = Judged { hits: Hits::new(hits), grades, ..all.view() };
    // The completion at hand is the one that the hits are of.
    let relevant = |hits: &[Hit]| hits.iter().filter(|hit| hit.grade > 0.0).count() as u32;
    let missing = all.view().grades.positive.len() as u32 - relevant(all.hits());
    own.map_or_else(|| score(&topic), |own| own(&topic, missing)).value()
}
