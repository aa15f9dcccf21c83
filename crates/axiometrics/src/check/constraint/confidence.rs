//! An irrelevant document more is worse.

use std::cmp::Ordering;

use super::{BinaryRanking, compare, context, general_worlds, not_better, search, sizes, worlds};
use crate::check::search::SearchTally;
use crate::check::{Check, CheckGroup, Lab, Scope, Verdict};

pub(super) struct Confidence(pub Scope);

impl Check for Confidence {
    fn group(&self) -> CheckGroup {
        CheckGroup::Constraint
    }
    fn name(&self) -> &'static str {
        "confidence"
    }
    fn statement(&self) -> &'static str {
        "appending an irrelevant document strictly lowers the score of a ranking with a relevant one, and never raises that of a ranking without any"
    }
    fn scope(&self) -> Option<Scope> {
        Some(self.0)
    }
    fn worlds(&self) -> String {
        format!("an irrelevant document after the last retrieved one: {}", general_worlds())
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let wrong = |tally: &mut SearchTally, ranking: &BinaryRanking| {
            let end = ranking.retrieved;
            let mut short = ranking.clone();
            short.relevant.insert(end, false);
            let long = BinaryRanking { retrieved: end + 1, ..short.clone() };
            let order = compare(lab, tally, &short, &long)?;
            // Without a relevant document the score may be the lowest there is: it can tie, but an
            // irrelevant document must not raise it.
            let fails = match ranking.ranked().contains(&true) {
                true => order != Ordering::Greater,
                false => order == Ordering::Less,
            };
            fails.then(|| not_better(lab, tally, &short, &long))
        };
        let far = |tally: &mut SearchTally, ranking: fn(usize) -> BinaryRanking| {
            sizes(lab).into_iter().find_map(|n| wrong(tally, &ranking(n - 1)))
        };
        // As printed, any ranking is extended, of a collection that has nothing else.
        let printed = |tally: &mut SearchTally| {
            let whole = |r: &BinaryRanking| r.retrieved == r.relevant.len();
            worlds(context(lab), false)
                .filter(whole)
                .find_map(|ranking| wrong(tally, &ranking))
                .or_else(|| far(tally, |n| BinaryRanking::single(n, 0)))
        };
        search(lab, self.0, None, printed, wrong, |tally| {
            far(tally, |n| BinaryRanking::of(vec![false; n]).missing(1, 0))
        })
    }
}
