//! The order of two neighbours matters more at a shallower rank.

use std::cmp::Ordering;

use super::{BinaryRanking, compare, differences, endless_shape, positions, search, sizes};
use crate::check::search::SearchTally;
use crate::check::witness::{apart, numbers};
use crate::check::{Check, CheckGroup, Lab, Scope, Verdict, Witness};
use crate::measure::structure::{Combine, Shape};

pub(super) struct Deepness(pub Scope);

impl Check for Deepness {
    fn group(&self) -> CheckGroup {
        CheckGroup::Constraint
    }
    fn name(&self) -> &'static str {
        "deepness"
    }
    fn statement(&self) -> &'static str {
        "putting a relevant document before its irrelevant neighbour gains more at a shallower rank"
    }
    fn scope(&self) -> Option<Scope> {
        Some(self.0)
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let rule = endless_shape(lab).and_then(|s| rule(s, self.0));
        search(
            lab,
            self.0,
            rule,
            |tally| alone(lab, tally),
            |tally, ranking| in_context(lab, tally, ranking),
            |_| None,
        )
    }
}

/// One relevant document: the step from rank i+1 to i gains more than that from i+2 to i+1. If so
/// for all i, then for any two ranks.
fn alone(lab: &Lab, tally: &mut SearchTally) -> Option<Witness> {
    for n in sizes(lab) {
        for i in positions(n, 3) {
            let [a, b, c] = [i, i + 1, i + 2].map(|p| BinaryRanking::single(n, p));
            if let Some(Ordering::Less | Ordering::Equal) =
                differences(lab, tally, (&a, Some(&b)), (&b, Some(&c)))
            {
                let [a, b, c] = [a, b, c].map(|r| r.state(lab));
                let step = |x: Option<f64>, y: Option<f64>| Some(x? - y?);
                let steps = numbers(&[step(a.score, b.score), step(b.score, c.score)]);
                let text = format!(
                    "{} over {} gains {}, no more than {} over {} with {}{}",
                    a.ranking(),
                    b.ranking(),
                    steps[0],
                    b.ranking(),
                    c.ranking(),
                    steps[1],
                    tally.proviso()
                );
                return Some(Witness {
                    states: vec![a, b, c],
                    text,
                    max_grade: lab.binary().top(),
                    worlds: Vec::new(),
                });
            }
        }
    }
    None
}

/// Two disjoint pairs of neighbours, relevant first: spoiling the deeper pair must cost less than
/// spoiling the shallower one.
fn in_context(lab: &Lab, tally: &mut SearchTally, ranking: &BinaryRanking) -> Option<Witness> {
    let r = &ranking.relevant;
    let pairs: Vec<usize> = (0..r.len() - 1).filter(|i| r[*i] && !r[i + 1]).collect();
    for (at, &i) in pairs.iter().enumerate() {
        for &j in pairs[at + 1..].iter().filter(|j| **j > i + 1) {
            let (deep, shallow) = (ranking.swapped(j), ranking.swapped(i));
            if let Some(Ordering::Less | Ordering::Equal) = compare(lab, tally, &deep, &shallow) {
                let [whole, a, b] = [ranking, &deep, &shallow].map(|r| r.state(lab));
                let scores = apart([&a, &b]);
                let text = format!(
                    "of {}, spoiling ranks {} and {} gives {} with {}, no more than {} with {} for the shallower ranks {} and {}{}",
                    whole.ranking(),
                    j + 1,
                    j + 2,
                    a.ranking(),
                    scores[0],
                    b.ranking(),
                    scores[1],
                    i + 1,
                    i + 2,
                    tally.proviso()
                );
                return Some(Witness {
                    states: vec![a, b],
                    text,
                    max_grade: lab.binary().top(),
                    worlds: Vec::new(),
                });
            }
        }
    }
    None
}

fn rule(shape: Shape, scope: Scope) -> Option<&'static str> {
    match shape.combine {
        _ if !shape.weights.strictly_convex() => None,
        Combine::Sum => Some("a sum whose weights fall ever more slowly, and no cutoff"),
        _ if scope == Scope::Printed => Some(
            "a single relevant document counts by a weight that falls ever more slowly, and there is no cutoff",
        ),
        _ => None,
    }
}
