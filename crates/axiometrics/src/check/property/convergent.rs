//! Bringing a better document into the top k increases the score.

use super::swap_without_increase;
use crate::check::{Check, CheckGroup, Lab, Verdict};
use crate::measure::structure::{Combine, Divisor, Shape};

pub(super) struct Convergent;

impl Check for Convergent {
    fn group(&self) -> CheckGroup {
        CheckGroup::Property
    }
    fn name(&self) -> &'static str {
        "convergent"
    }
    fn statement(&self) -> &'static str {
        "swapping a document of the top k with a better one from below strictly increases the score"
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let proof = lab.proof(self.name());
        let rule = lab.growing_shape().and_then(rule).or(proof.as_deref());
        lab.search(rule, |table, tally| {
            swap_without_increase(table, tally, |id| 0..id.k, |id, _| id.k..id.d)
        })
    }
}

fn rule(shape: Shape) -> Option<&'static str> {
    match (shape.combine, shape.divisor) {
        (Combine::Best, _) | (_, Divisor::Own) => None,
        (Combine::Cascade, _) => shape.weights.strictly_decreasing().then_some(
            "a cascade with strictly decreasing weights: what all documents below a rank can add once it is reached is less than its weight",
        ),
        (_, Divisor::Ideal | Divisor::Whole | Divisor::Gains) => Some(
            "a sum with positive weights, over a divisor that depends on the collection alone and so is the same after the swap",
        ),
        _ => Some("a sum with positive weights, over a divisor that no swap changes"),
    }
}
