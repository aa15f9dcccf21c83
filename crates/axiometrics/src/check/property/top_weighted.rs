//! Moving a better document up within the top k increases the score.

use super::swap_without_increase;
use crate::check::{Check, Group, Lab, Verdict};
use crate::measure::structure::{Combine, Shape};

pub(super) struct TopWeighted;

impl Check for TopWeighted {
    fn group(&self) -> Group {
        Group::Property
    }
    fn name(&self) -> &'static str {
        "top-weighted"
    }
    fn statement(&self) -> &'static str {
        "swapping a document of the top k with a better one further down in the top k strictly increases the score"
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let rule = lab.growing_shape().and_then(rule);
        lab.search(rule, |table, tally| {
            swap_without_increase(table, tally, |id| 0..id.k, |id, i| i + 1..id.k)
        })
    }
}

fn rule(shape: Shape) -> Option<&'static str> {
    let sum = matches!(shape.combine, Combine::Sum | Combine::Cumulated);
    (sum && shape.weights.strictly_decreasing())
        .then_some("a sum with strictly decreasing positive weights, over a divisor that no swap within the top k changes")
}
