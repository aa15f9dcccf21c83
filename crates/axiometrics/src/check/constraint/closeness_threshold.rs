//! Near the top, a few relevant documents are better than one at the very top.

use std::cmp::Ordering;

use super::threshold::{ALL, Sure, bounds, contexts, outcomes, sure, witness, worlds};
use crate::check::search::SearchTally;
use crate::check::{Check, CheckGroup, Lab, Scope, Verdict};

pub(super) struct ClosenessThreshold(pub Scope);

impl Check for ClosenessThreshold {
    fn group(&self) -> CheckGroup {
        CheckGroup::Constraint
    }
    fn name(&self) -> &'static str {
        "closeness-threshold"
    }
    fn statement(&self) -> &'static str {
        "for some n, n relevant documents after n irrelevant ones are better than one relevant document on top"
    }
    fn scope(&self) -> Option<Scope> {
        Some(self.0)
    }
    fn worlds(&self) -> String {
        worlds()
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let mut tally = SearchTally::default();
        let mut found = Vec::new();
        for context in contexts(self.0) {
            let tried = outcomes(lab, &mut tally, context);
            let Some(&(largest, _)) = tried.last() else { continue };
            match tried.iter().find(|t| t.1 == Ordering::Less) {
                Some((n, _)) => found.push(witness(lab, *n, context, str::to_string).text),
                None => {
                    let say = |scores: &str| {
                        format!(
                            "{scores}; for no n that was tried up to {largest} it is the other way round"
                        )
                    };
                    let witness = witness(lab, 2, context, say);
                    // All n up to ALL were tried; those beyond need a reason.
                    let never = |s: &Sure| s.better && s.from.is_some_and(|n| n <= ALL as u64);
                    return match sure(lab).filter(never) {
                        Some(sure) => Verdict::Violated { witness, rule: Some(sure.why) },
                        None => Verdict::Undecided(bounds(lab, &tally, witness.text)),
                    };
                }
            }
        }
        match found.as_slice() {
            [] => Verdict::Vacuous(bounds(lab, &tally, "every score is undefined".to_string())),
            [only] => Verdict::Proved { rule: only.clone() },
            [first, ..] => Verdict::Searched(bounds(
                lab,
                &tally,
                format!("in each of {} contexts for some n; the first: {first}", found.len()),
            )),
        }
    }
}
