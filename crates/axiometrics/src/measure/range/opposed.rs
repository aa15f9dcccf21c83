//! Proved bounds for a score that grows with the grades of the ranking and falls with those of the
//! collection: it is computed of a ranking from one completion and a collection from another.

use super::{Completion, Kind, Range, RangeAlgorithm, ScoreOf};
use crate::data::{Grades, GradesRef, Hit, Hits, Judged};
use crate::measure::Score;

/// A score of a topic.
type OfTopic<'a> = Box<dyn Fn(&Judged<'_>) -> Score + Send + Sync + 'a>;

/// A score, at most 1, that never falls if a grade of the ranking rises and never rises if one of
/// the collection does, where the two may be of different completions.
#[derive(Default)]
pub struct Opposed<'a> {
    /// For each number of relevant open documents, the score also never falls if the m-th relevant
    /// document stands higher, or if those down to it have higher grades, for any m. Otherwise that
    /// of a document that stays at its rank is all that is known.
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
        value(rule.low.as_deref(), score, hits, all, grades)
    };
    let high = |hits: &[Hit], all: &Completion, grades: &Grades| {
        value(rule.high.as_deref(), score, hits, all, grades)
    };
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut add = |low: Option<f64>, high: Option<f64>| {
        least = low.map_or(least, |low| least.min(low));
        most = high.map_or(most, |high| most.max(high.min(1.0)));
    };
    if rule.by_count {
        for t in 0..=open {
            let (tops, lows) = (all.grades_with(t, top), all.grades_with(t, lowest));
            let hits = all.suffix(t).hits().to_vec();
            let from = low(&ascending(hits, lowest), all, &tops);
            let hits = all.prefix(t).hits().to_vec();
            add(from, high(&hits, all, &lows));
        }
    } else {
        let hits = all.prefix(0).hits().to_vec();
        let from = low(&hits, all, &all.grades_with(open, top));
        let hits = all.prefix(open).hits().to_vec();
        // Where nothing was judged relevant, one document may be all there is, and the best that
        // there can be.
        add(
            from,
            if undefined { Some(1.0) } else { high(&hits, all, &all.grades_with(0, lowest)) },
        );
    }
    (least <= most).then_some(Range {
        low: least,
        high: most,
        tail: 0.0,
        kind: Kind::Bound,
        undefined,
    })
}

/// The relevant documents where they are, with their grades in ascending order, an open one of the
/// lowest: no completion has less down to the m-th of them.
fn ascending(mut hits: Vec<Hit>, lowest: f64) -> Vec<Hit> {
    let open = |hit: &Hit| hit.doc == super::completion::UNJUDGED;
    let mut grades: Vec<f64> = hits
        .iter()
        .filter(|hit| hit.grade > 0.0)
        .map(|hit| if open(hit) { lowest } else { hit.grade })
        .collect();
    grades.sort_by(f64::total_cmp);
    for (hit, grade) in hits.iter_mut().filter(|hit| hit.grade > 0.0).zip(grades) {
        hit.grade = grade;
    }
    hits
}

fn value(
    own: Option<&(dyn Fn(&Judged<'_>) -> Score + Send + Sync)>,
    score: &ScoreOf<'_>,
    hits: &[Hit],
    all: &Completion,
    grades: &Grades,
) -> Option<f64> {
    let grades: GradesRef<'_> = grades.into();
    let topic = Judged { hits: Hits::new(hits), grades, ..all.view() };
    own.map_or_else(|| score(&topic), |own| own(&topic)).value()
}
