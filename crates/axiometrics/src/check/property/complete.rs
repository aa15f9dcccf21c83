//! There is a score even if nothing is relevant.

use crate::check::{Check, CheckGroup, Lab, Verdict, Witness};
use crate::measure::structure::{Divisor, Shape};

pub(super) struct Complete;

impl Check for Complete {
    fn group(&self) -> CheckGroup {
        CheckGroup::Property
    }
    fn name(&self) -> &'static str {
        "complete"
    }
    fn statement(&self) -> &'static str {
        "the formula has a value on a collection without any relevant document, at every k"
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let proof = lab.proof(self.name());
        lab.search(lab.shape().and_then(rule).or(proof.as_deref()), |table, tally| {
            for id in table.states().filter(|id| table.is_useless(*id)) {
                tally.cases += 1;
                if table.score(id).is_none() && !table.is_defined(id) {
                    let state = table.state(id);
                    let text = format!(
                        "{} has no score: nothing in the collection is relevant",
                        state.ranking()
                    );
                    return Some(Witness {
                        states: vec![state],
                        text,
                        max_grade: table.levels.top(),
                        worlds: Vec::new(),
                    });
                }
            }
            None
        })
    }
}

fn rule(shape: Shape) -> Option<&'static str> {
    match shape.divisor {
        Divisor::None => Some("there is no divisor"),
        Divisor::Endless | Divisor::Cutoff => {
            Some("the divisor does not depend on what is relevant and is never zero")
        }
        Divisor::Ideal | Divisor::Whole | Divisor::Own | Divisor::Gains => None,
    }
}
