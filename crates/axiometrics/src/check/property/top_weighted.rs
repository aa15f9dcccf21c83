//! Moving a better document up within the top k increases the score.

use super::swap_without_increase;
use crate::check::{Check, CheckGroup, Lab, Verdict};
use crate::measure::structure::{Combine, Shape};

pub(super) struct TopWeighted;

impl Check for TopWeighted {
    fn group(&self) -> CheckGroup {
        CheckGroup::Property
    }
    fn name(&self) -> &'static str {
        "top-weighted"
    }
    fn statement(&self) -> &'static str {
        "swapping a document of the top k with a better one further down in the top k strictly increases the score"
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let proof = lab.proof(self.name());
        let rule = lab.growing_shape().and_then(rule).or(proof.as_deref());
        lab.search(rule, |table, tally| {
            swap_without_increase(table, tally, |id| 0..id.k, |id, i| i + 1..id.k)
        })
    }
}

/// Let F be what the documents below rank i can still add once it is reached, at most the next
/// weight. Swapping gains p < q of ranks i < j, with P = the product of (1 - g) between them and X
/// what those between add, changes the score by (q - p)(w_i - X - P w_j) times the probability of
/// reaching rank i, and X is at most w_(i+1) (1 - P).
pub(super) const CASCADE: &str = "a cascade with strictly decreasing weights: what lies between two documents and the deeper one itself together weigh less than the higher rank";

fn rule(shape: Shape) -> Option<&'static str> {
    if shape.combine == Combine::Cascade {
        return shape.weights.strictly_decreasing().then_some(CASCADE);
    }
    let sum = matches!(shape.combine, Combine::Sum | Combine::Cumulated);
    (sum && shape.weights.strictly_decreasing())
        .then_some("a sum with strictly decreasing positive weights, over a divisor that no swap within the top k changes")
}
