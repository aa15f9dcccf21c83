//! Forms of pairs of documents, and of two rankings.

use super::Predict;
use crate::measure::structure::Side;
use crate::number::f_beta;

/// Kendall's tau-b of the ranking against the grades; what was not seen comes after it, tied, and
/// counts only with a grade.
pub(super) fn concordance() -> Predict {
    Box::new(|v, k, _| {
        let last = k as usize;
        let missed = v[last..].iter().filter(|grade| **grade > 0.0);
        let places: Vec<(usize, f64)> =
            v[..last].iter().chain(missed).enumerate().map(|(i, g)| (i.min(last), *g)).collect();
        let (mut excess, mut by_rank, mut by_grade) = (0.0, 0.0, 0.0);
        for (i, (rank, grade)) in places.iter().enumerate() {
            for (other_rank, other) in &places[i + 1..] {
                let (ranked, graded) = (rank != other_rank, grade != other);
                by_rank += f64::from(u8::from(ranked));
                by_grade += f64::from(u8::from(graded));
                if ranked && graded {
                    excess += if grade > other { 1.0 } else { -1.0 };
                }
            }
        }
        (by_rank > 0.0 && by_grade > 0.0).then(|| excess / f64::sqrt(by_rank * by_grade))
    })
}

/// The rank-biased overlap with the ideal ranking.
pub(super) fn overlap(p: f64, normalised: bool) -> Predict {
    Box::new(move |v, k, _| {
        let mut ideal: Vec<usize> = (0..v.len()).filter(|i| v[*i] > 0.0).collect();
        ideal.sort_by(|a, b| v[*b].total_cmp(&v[*a]));
        let (mut weight, mut sum, mut best, mut weights) = (1.0, 0.0, 0.0, 0.0);
        for depth in 1..=ideal.len().max(k as usize) {
            let top = &ideal[..depth.min(ideal.len())];
            let common = top.iter().filter(|i| **i < depth.min(k as usize)).count();
            sum += weight * common as f64 / depth as f64;
            best += weight * top.len() as f64 / depth as f64;
            weights += weight;
            weight *= p;
        }
        (!ideal.is_empty()).then(|| sum / if normalised { best } else { weights })
    })
}

/// A document of one side: how many are above its level and on it, and its grade.
struct DocumentLevel {
    above: f64,
    size: f64,
    grade: f64,
}

/// Reliability, Sensitivity or their F, relation by relation.
pub(super) fn relations(side: Side, c: f64) -> Predict {
    Box::new(move |v, k, _| {
        let top = &v[..k as usize];
        let reliability = || {
            let places = (0u32..).zip(top).filter(|(_, grade)| **grade > 0.0);
            let at = |(above, grade): (u32, &f64)| DocumentLevel {
                above: f64::from(above),
                size: 1.0,
                grade: *grade,
            };
            stated(&places.map(at).collect::<Vec<_>>(), c, f64::from(k))
        };
        let sensitivity = || {
            let count = |of: &dyn Fn(&f64) -> bool| v.iter().filter(|g| of(g)).count() as f64;
            let places = top.iter().filter(|grade| **grade > 0.0).map(|grade| DocumentLevel {
                above: count(&|other| other > grade),
                size: count(&|other| other == grade),
                grade: *grade,
            });
            stated(&places.collect::<Vec<_>>(), c, count(&|grade| *grade > 0.0))
        };
        Some(match side {
            Side::Reliability => reliability(),
            Side::Sensitivity => sensitivity(),
            Side::F { beta } => f_beta(reliability(), sensitivity(), beta),
        })
    })
}

/// The weight of the relations that the ranking and the grades both state, where the weights are of
/// a side with so many documents.
fn stated(places: &[DocumentLevel], c: f64, documents: f64) -> f64 {
    let weight = |p: &DocumentLevel| c / ((c + p.above) * (c + p.above + p.size));
    let others = |p: &DocumentLevel| 1.0 - p.size * weight(p);
    let tail = c / (c + documents);
    let mut sum = 0.0;
    for (i, d) in places.iter().enumerate() {
        for e in places[i + 1..].iter().filter(|e| d.grade > e.grade) {
            sum += weight(d) * weight(e) * (1.0 / others(d) + 1.0 / others(e));
        }
        sum += weight(d) * tail * (1.0 / others(d) + 1.0 / (1.0 - tail));
    }
    sum
}
