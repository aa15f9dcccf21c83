//! The order of two neighbours matters more at a shallower rank.

use std::cmp::Ordering;

use super::{
    BinaryRanking, compare, differences, endless_shape, general_worlds, positions, search, sizes,
};
use crate::check::search::SearchTally;
use crate::check::witness::{apart, numbers};
use crate::check::{Check, CheckGroup, Lab, Scope, State, Verdict, Witness};
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
    fn worlds(&self) -> String {
        format!(
            "every two pairs of retrieved neighbours, and every three neighbours through which a document moves: {}",
            general_worlds()
        )
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let rule = endless_shape(lab).and_then(|s| rule(s, self.0));
        search(
            lab,
            self.0,
            rule,
            |tally| alone(lab, tally),
            |tally, ranking| {
                through(lab, tally, ranking).or_else(|| in_context(lab, tally, ranking))
            },
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
            if let Some(witness) = steps(lab, tally, (&a, &b), (&b, &c)) {
                return Some(witness);
            }
        }
    }
    None
}

/// The step from the second ranking of a pair to the first must gain more at the shallower rank.
fn steps(
    lab: &Lab,
    tally: &mut SearchTally,
    shallow: (&BinaryRanking, &BinaryRanking),
    deep: (&BinaryRanking, &BinaryRanking),
) -> Option<Witness> {
    let order = differences(lab, tally, (shallow.0, Some(shallow.1)), (deep.0, Some(deep.1)))?;
    if order == Ordering::Greater {
        return None;
    }
    let gained = [shallow, deep].map(|(good, bad)| [good.state(lab), bad.state(lab)]);
    let step = |[good, bad]: &[State; 2]| Some(good.score? - bad.score?);
    // A tie is one number, whatever rounding left of the second difference.
    let shallow = step(&gained[0]);
    let deep = if order == Ordering::Equal { shallow } else { step(&gained[1]) };
    let gains = numbers(&[shallow, deep]);
    let [[a, b], [c, d]] = gained;
    let text = format!(
        "{} over {} gains {}, no more than {} over {} with {}{}",
        a.ranking(),
        b.ranking(),
        gains[0],
        c.ranking(),
        d.ranking(),
        gains[1],
        tally.proviso()
    );
    // The two steps share a ranking.
    let mut states = vec![a, b];
    states.extend([c, d].into_iter().filter(|s| !states.contains(s)).collect::<Vec<_>>());
    Some(Witness { states, text, max_grade: lab.binary().top(), worlds: Vec::new() })
}

/// Three neighbours through which a relevant document moves up past two irrelevant ones, or an
/// irrelevant one down past two relevant ones: of the two steps the shallower must gain more.
fn through(lab: &Lab, tally: &mut SearchTally, ranking: &BinaryRanking) -> Option<Witness> {
    let neighbours = ranking.ranked().windows(3).enumerate();
    neighbours.filter(|(_, r)| r[0] && !r[2]).find_map(|(i, r)| {
        let (first, second) = if r[1] { (i + 1, i) } else { (i, i + 1) };
        let middle = ranking.swapped(first);
        let last = middle.swapped(second);
        let (upper, lower) = ((ranking, &middle), (&middle, &last));
        if r[1] { steps(lab, tally, lower, upper) } else { steps(lab, tally, upper, lower) }
    })
}

/// Two disjoint pairs of neighbours, relevant first: spoiling the deeper pair must cost less than
/// spoiling the shallower one.
fn in_context(lab: &Lab, tally: &mut SearchTally, ranking: &BinaryRanking) -> Option<Witness> {
    let r = ranking.ranked();
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
