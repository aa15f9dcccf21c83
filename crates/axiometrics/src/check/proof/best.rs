//! What the collection's best ranking has, and the best precision.

use super::{Proof, Rule, tree, weighted};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim};
use crate::measure::structure::{Combine, Form};

pub(super) struct BestRule;

impl Rule for BestRule {
    fn prove(&self, form: &Form, property: &str, _lab: &Lab) -> Option<Proof> {
        match (form, property) {
            (Form::Best(shape), "monotonic") => Proof::resting_on(
                "a sum of what the best ranking has down to k, none of it negative",
                weighted::claims(shape, property).into_iter().map(Some).collect(),
            ),
            (Form::Best(shape), "unbounded")
                if shape.combine == Combine::Sum && shape.weights.tail(0).is_none() =>
            {
                Proof::resting_on(
                    "the weights of the ranks have no finite sum, so that of n top documents grows beyond every bound",
                    weighted::claims(shape, "bounded").into_iter().map(Some).collect(),
                )
            }
            (Form::Best(_), "complete") => {
                Some(Proof { rule: "there is no divisor".to_string(), claims: Vec::new() })
            }
            (Form::Interpolated { .. }, "monotonic") => Some(Proof {
                rule: "a document more only adds to what the highest precision is taken of"
                    .to_string(),
                claims: Vec::new(),
            }),
            (Form::Interpolated { .. }, "bounded") => {
                let claim = Claim {
                    says: "a precision is at most 1",
                    letters: vec![("r", Bound::Count), ("n", Bound::Count)],
                    goal: tree("1 - (r + 1) / (r + n + 1)")?,
                    strict: false,
                };
                Proof::resting_on("a mean of precisions", vec![Some(claim)])
            }
            _ => None,
        }
    }
}
