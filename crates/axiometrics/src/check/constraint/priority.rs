//! A relevant document before its irrelevant neighbour is better than after it.

use std::cmp::Ordering;

use super::{
    BinaryRanking, compare, endless_shape, general_worlds, not_better, positions, search, sizes,
};
use crate::check::property::swap_without_increase;
use crate::check::search::{Id, SearchTally};
use crate::check::{Check, CheckGroup, Lab, Scope, State, Verdict, Witness};
use crate::measure::structure::{Combine, Shape};

pub(super) struct Priority(pub Scope);

impl Check for Priority {
    fn group(&self) -> CheckGroup {
        CheckGroup::Constraint
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
    fn worlds(&self) -> String {
        format!("every swap of two retrieved neighbours: {}", general_worlds())
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let wrong = |tally: &mut SearchTally, good: &BinaryRanking, i: usize| {
            let bad = good.swapped(i);
            (compare(lab, tally, good, &bad)? != Ordering::Greater)
                .then(|| not_better(lab, tally, good, &bad))
        };
        let rule = endless_shape(lab).and_then(|s| rule(s, self.0));
        let printed = |tally: &mut _| {
            sizes(lab).into_iter().find_map(|n| {
                positions(n, 2).find_map(|i| wrong(tally, &BinaryRanking::single(n, i), i))
            })
        };
        let general = |tally: &mut SearchTally, ranking: &BinaryRanking| {
            let r = ranking.ranked();
            (0..r.len() - 1).filter(|i| r[*i] && !r[i + 1]).find_map(|i| wrong(tally, ranking, i))
        };
        search(lab, self.0, rule, printed, general, |tally| in_long_rankings(lab, tally))
    }
}

/// The same in the long rankings on which top-weightedness is searched, of which priority is the
/// part about relevant or not, neighbours, and no cutoff.
fn in_long_rankings(lab: &Lab, tally: &mut SearchTally) -> Option<Witness> {
    if lab.metric().args().cutoff().is_some() {
        return None;
    }
    lab.search_deep(tally, &mut |table, tally| {
        if table.levels != lab.binary() {
            return None;
        }
        let next = |id: Id, i: u32| i + 1..(i + 2).min(id.k);
        let witness = swap_without_increase(table, tally, |id| 0..id.k, next)?;
        // A measure at a depth can be another than the measure on a ranking of that length.
        let typed =
            |s: &State| lab.probe().typed_score(&s.gains, s.k, witness.max_grade) == s.score;
        witness.states.iter().all(typed).then_some(witness)
    })
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
