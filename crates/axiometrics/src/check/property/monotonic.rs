//! Seeing one document more never lowers the score.

use std::cmp::Ordering;

use crate::check::search::Id;
use crate::check::witness::apart;
use crate::check::{Check, CheckGroup, Lab, Verdict, Witness};
use crate::measure::structure::{Divisor, Shape};

pub(super) struct Monotonic;

impl Check for Monotonic {
    fn group(&self) -> CheckGroup {
        CheckGroup::Property
    }
    fn name(&self) -> &'static str {
        "monotonic"
    }
    fn statement(&self) -> &'static str {
        "seeing one document more of the same ranking never lowers the score: s(v, k+1) >= s(v, k)"
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let proof = lab.proof(self.name());
        lab.search(lab.shape().and_then(rule).or(proof.as_deref()), |table, tally| {
            for id in table.states().filter(|id| id.k < id.d) {
                let deeper = Id { k: id.k + 1, ..id };
                if tally.ask(table, deeper, id, Ordering::is_ge) == Some(Ordering::Less) {
                    let (before, after) = (table.state(id), table.state(deeper));
                    let scores = apart([&before, &after]);
                    let text = format!(
                        "{} scores {}, and one rank deeper {} scores {}: a decrease",
                        before.ranking(),
                        scores[0],
                        after.ranking(),
                        scores[1]
                    );
                    return Some(Witness {
                        states: vec![before, after],
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
        Divisor::None | Divisor::Endless => {
            Some("contributions are never negative and the divisor, if any, is a constant")
        }
        Divisor::Whole | Divisor::Gains => Some(
            "contributions are never negative and the divisor depends on the collection alone, not on k",
        ),
        Divisor::Cutoff | Divisor::Ideal | Divisor::Own => None,
    }
}
