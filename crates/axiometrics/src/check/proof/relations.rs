//! The weight of the relations of one side that hold on the other: Reliability and Sensitivity.
//!
//! A level with a documents above it and m on it gives each of them the weight c/((c + a)(c + a +
//! m)); all weights, and that of the tail c/(c + n), add up to 1. A relation of two documents of the
//! weights w and v, on levels beside which all others weigh W and V, counts w v (1/W + 1/V). Over the
//! documents of all other levels v adds up to W; so all relations together weigh what all documents
//! do.
//!
//! - Bounded: a part of the weight of all relations; F lies between the two.
//! - Monotonic, Sensitivity: the weights are those of the judgements, and a document more only adds
//!   relations that the ranking states.
//! - Localized, Reliability: the weights are those of the ranks, and which of two documents that are
//!   seen is the better one does not depend on the others.

use super::{Proof, Rule, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim};
use crate::measure::structure::{Form, Side};

pub(super) struct RelationsRule;

impl Rule for RelationsRule {
    fn prove(&self, form: &Form, property: &str, _lab: &Lab) -> Option<Proof> {
        let Form::Relations { side, c } = form else { return None };
        let weight = "c / ((c + a) * (c + a + m + 1))";
        let positive = claim(*c, "a weight is above zero", weight, true);
        match (property, side) {
            ("bounded", side) => {
                let own = match side {
                    Side::F { .. } => between(),
                    _ => None,
                };
                let all = [
                    positive,
                    // Both ways: what the documents of a level weigh is what the tail loses to them.
                    claim(
                        *c,
                        "the weights of a level are at most what the tail loses",
                        &format!("c / (c + a) - c / (c + a + m + 1) - (m + 1) * {weight}"),
                        false,
                    ),
                    claim(
                        *c,
                        "and no less",
                        &format!("(m + 1) * {weight} - (c / (c + a) - c / (c + a + m + 1))"),
                        false,
                    ),
                    shares(),
                ];
                Proof::resting_on(
                    "all relations together weigh 1, and these are some of them",
                    all.into_iter().chain(own.map(Some)).collect(),
                )
            }
            ("monotonic", Side::Sensitivity) => Proof::resting_on(
                "a document more only adds relations, whose weights depend on the judgements alone",
                vec![positive],
            ),
            ("localized", Side::Reliability) => Proof::resting_on(
                "the weights are those of the ranks, and the relations those among the top k",
                vec![positive],
            ),
            ("complete", _) => Proof::resting_on(
                "no divisor is zero: without any relation the score is 0",
                vec![positive],
            ),
            _ => None,
        }
    }
}

fn claim(c: f64, says: &'static str, goal: &str, strict: bool) -> Option<Claim> {
    let goal = crate::check::prover::with(&tree(goal)?, &[("c", &c.to_string())])?;
    let letters = [("a", Bound::Count), ("m", Bound::Count)];
    Some(Claim { says, letters: letters.to_vec(), goal, strict })
}

/// The relations of a document of weight w, by its own part of what each counts: the documents of the
/// other levels weigh W together.
fn shares() -> Option<Claim> {
    let letters = [("w", Bound::Positive), ("W", Bound::Positive)];
    let goal = tree("w - w / W * W")?;
    let says = "a document's relations, by its own weight, weigh no more than it";
    Some(Claim { says, letters: letters.to_vec(), goal, strict: false })
}

/// The harmonic mean of x and y, both at most 1.
fn between() -> Option<Claim> {
    let letters = [("x", Bound::Share), ("y", Bound::Share), ("b", Bound::Positive)];
    // At x = y = 0 the mean is 0 by definition.
    let goal = tree("b * x + y - (1 + b) * x * y")?;
    let says = "the mean is at most 1";
    Some(Claim { says, letters: letters.to_vec(), goal, strict: false })
}
