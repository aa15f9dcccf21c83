//! From some depth on, one relevant document on top is better than any number below.

use std::cmp::Ordering;

use super::threshold::{Sure, bounds, contexts, outcomes, sure, witness, worlds};
use crate::check::search::SearchTally;
use crate::check::{Check, CheckGroup, Lab, Scope, Verdict};

pub(super) struct DeepnessThreshold(pub Scope);

impl Check for DeepnessThreshold {
    fn group(&self) -> CheckGroup {
        CheckGroup::Constraint
    }
    fn name(&self) -> &'static str {
        "deepness-threshold"
    }
    fn statement(&self) -> &'static str {
        "from some n on, one relevant document on top is better than n relevant ones after n irrelevant ones"
    }
    fn scope(&self) -> Option<Scope> {
        Some(self.0)
    }
    fn worlds(&self) -> String {
        worlds()
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let mut tally = SearchTally::default();
        let sure = sure(lab);
        let mut from = 1;
        let mut failing = None;
        for context in contexts(self.0) {
            let tried = outcomes(lab, &mut tally, context);
            let Some(&(largest, last)) = tried.last() else { continue };
            // Where the run of failures begins that never ends within the bounds.
            let first = tried
                .iter()
                .rev()
                .take_while(|t| t.1 != Ordering::Greater)
                .last()
                .map_or(largest, |t| t.0);
            let say = |scores: &str| {
                format!("{scores}; so for every n that was tried from {first} to {largest}")
            };
            if let Some(sure) = sure.as_ref().filter(|sure| sure.contradicts(&tried)) {
                return lab.settle(
                    Some(&sure.why),
                    Some(witness(lab, first, context, say)),
                    &tally,
                    || Verdict::Proved { rule: sure.why.clone() },
                );
            }
            if last != Ordering::Greater {
                failing.get_or_insert_with(|| witness(lab, first, context, say));
            }
            from = from
                .max(tried.iter().rev().find(|t| t.1 != Ordering::Greater).map_or(1, |t| t.0 + 1));
        }
        if tally.cases == 0 {
            return Verdict::Vacuous(bounds(lab, &tally, "every score is undefined".to_string()));
        }
        match (sure, failing) {
            (Some(Sure { better: true, why, .. }), _) => Verdict::Proved { rule: why },
            (Some(Sure { better: false, why, .. }), Some(witness)) => {
                Verdict::Violated { witness, rule: Some(why) }
            }
            // No n that was tried says what comes after it.
            (_, Some(witness)) => Verdict::Undecided(bounds(lab, &tally, witness.text)),
            (_, None) => Verdict::Searched(bounds(
                lab,
                &tally,
                format!("better for every n that was tried from {from} on"),
            )),
        }
    }
}
