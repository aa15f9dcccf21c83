//! Pairs in the right order less those in the wrong one, over the root of the product of two numbers
//! of pairs.
//!
//! - Bounded: of c pairs in the right order and d in the wrong one, all are tied neither in rank nor
//!   in grade; the two numbers below are c + d and those that are tied in one of the two.
//! - Top-weighted: a swap within the top k sets the pair itself right, from -1 to 1. A document
//!   between the two stood below the worse one and above the better one: no pair with it becomes
//!   worse. What is tied stays so.

use super::{Proof, Rule, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim};
use crate::measure::structure::Form;

pub(super) struct ConcordanceRule;

impl Rule for ConcordanceRule {
    fn prove(&self, form: &Form, property: &str, _lab: &Lab) -> Option<Proof> {
        (*form == Form::Concordance).then_some(())?;
        let counts = ["c", "d", "s", "t"].map(|name| (name, Bound::Count));
        let claim = |says, goal: &str, strict| {
            Some(Claim { says, letters: counts.to_vec(), goal: tree(goal)?, strict })
        };
        match property {
            "bounded" => Proof::resting_on(
                "the difference of two parts is at most their sum, which is at most either number of pairs",
                vec![claim(
                    "its square is at most the product",
                    "(c + d + s) * (c + d + t) - (c - d)^2",
                    false,
                )],
            ),
            "top-weighted" => Proof::resting_on(
                "a swap sets its own pair right and no other one wrong, and no swap within the top k changes the divisor",
                vec![claim(
                    "one pair more is right and one fewer is wrong",
                    "(c + 1 + t - d) - (c - (d + 1))",
                    true,
                )],
            ),
            _ => None,
        }
    }
}
