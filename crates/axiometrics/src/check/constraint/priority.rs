//! A relevant document before its irrelevant neighbour is better than after it.

use std::cmp::Ordering;

use super::{Ranking, compare, endless_shape, not_better, positions, search, sizes};
use crate::check::search::Tally;
use crate::check::{Check, Group, Lab, Scope, Verdict};
use crate::measure::structure::{Combine, Shape};

pub(super) struct Priority(pub Scope);

impl Check for Priority {
    fn group(&self) -> Group {
        Group::Constraint
    }
    fn name(&self) -> &'static str {
        "priority"
    }
    fn statement(&self) -> &'static str {
        "swapping neighbours so that the relevant one comes first increases the score"
    }
    fn scope(&self) -> Option<Scope> {
        Some(self.0)
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let wrong = |tally: &mut Tally, good: &Ranking, i: usize| {
            let bad = good.swapped(i);
            (compare(lab, tally, good, &bad)? != Ordering::Greater)
                .then(|| not_better(lab, tally, good, &bad))
        };
        let rule = endless_shape(lab).and_then(|s| rule(s, self.0));
        let printed = |tally: &mut _| {
            sizes(lab)
                .into_iter()
                .find_map(|n| positions(n, 2).find_map(|i| wrong(tally, &Ranking::single(n, i), i)))
        };
        search(lab, self.0, rule, printed, |tally, ranking| {
            let r = &ranking.relevant;
            (0..r.len() - 1).filter(|i| r[*i] && !r[i + 1]).find_map(|i| wrong(tally, ranking, i))
        })
    }
}

fn rule(shape: Shape, scope: Scope) -> Option<&'static str> {
    match shape.combine {
        _ if !shape.weights.strictly_decreasing() => None,
        Combine::Sum | Combine::Cumulated => {
            Some("a sum with strictly decreasing positive weights, and no cutoff")
        }
        Combine::Cascade => Some("a cascade with strictly decreasing weights, and no cutoff"),
        Combine::Best if scope == Scope::Printed => Some(
            "a single relevant document counts by a strictly decreasing weight, and there is no cutoff",
        ),
        Combine::Best => None,
    }
}
