//! An irrelevant document more is worse.

use std::cmp::Ordering;

use super::{BinaryRanking, compare, not_better, search, sizes};
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
        "appending an irrelevant document strictly lowers the score"
    }
    fn scope(&self) -> Option<Scope> {
        Some(self.0)
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let wrong = |tally: &mut SearchTally, ranking: &BinaryRanking| {
            // A ranking without any relevant document cannot become worse.
            if !ranking.relevant.contains(&true) {
                return None;
            }
            let mut relevant = ranking.relevant.clone();
            relevant.push(false);
            let short =
                BinaryRanking { relevant: relevant.clone(), retrieved: ranking.relevant.len() };
            let long = BinaryRanking::of(relevant);
            (compare(lab, tally, &short, &long)? != Ordering::Greater)
                .then(|| not_better(lab, tally, &short, &long))
        };
        // The printed ranking is any; the plainest has its one relevant document on top.
        let printed = |tally: &mut _| {
            sizes(lab).into_iter().find_map(|n| wrong(tally, &BinaryRanking::single(n - 1, 0)))
        };
        search(lab, self.0, None, printed, wrong, |_| None)
    }
}
