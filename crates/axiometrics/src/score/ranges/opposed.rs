//! Proved bounds for a score that grows with the grades of the ranking and falls with those of the
//! collection: it is computed of a ranking from one completion and a collection from another.

use super::{Completion, Range};
use crate::data::{Grades, GradesRef, Hit, Judged};
use crate::measure::range::{Kind, Opposed};
use crate::measure::{Metric, Score};

pub(super) fn range(metric: &Metric, rule: &Opposed<'_>, all: &mut Completion) -> Option<Range> {
    let (open, top) = (all.open(), all.max_grade());
    // The lowest grade that makes an open document relevant.
    let lowest = top.min(1.0);
    let undefined = all.judged_grades().positive.is_empty();
    let low = |hits: &[Hit], all: &Completion, grades: &Grades| {
        score(rule.low.as_deref(), metric, hits, all, grades)
    };
    let high = |hits: &[Hit], all: &Completion, grades: &Grades| {
        score(rule.high.as_deref(), metric, hits, all, grades)
    };
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut add = |low: Option<f64>, high: Option<f64>| {
        least = low.map_or(least, |low| least.min(low));
        most = high.map_or(most, |high| most.max(high.min(1.0)));
    };
    if rule.by_count {
        for t in 0..=open {
            let (tops, lows) = (all.grades_with(t, top), all.grades_with(t, lowest));
            let hits = all.suffix(t).view().hits.to_vec();
            let from = low(&ascending(hits, lowest), all, &tops);
            let hits = all.prefix(t).view().hits.to_vec();
            add(from, high(&hits, all, &lows));
        }
    } else {
        let hits = all.prefix(0).view().hits.to_vec();
        let from = low(&hits, all, &all.grades_with(open, top));
        let hits = all.prefix(open).view().hits.to_vec();
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

fn score(
    own: Option<&(dyn Fn(&Judged<'_>) -> Score + Send + Sync)>,
    metric: &Metric,
    hits: &[Hit],
    all: &Completion,
    grades: &Grades,
) -> Option<f64> {
    let grades: GradesRef<'_> = grades.into();
    let topic = Judged { hits, grades, ..all.view() };
    own.map_or_else(|| metric.score_complete(&topic), |own| own(&topic)).value()
}
