//! Sums over the relevant documents that are seen, of binary relevance.
//!
//! A document at rank i has r relevant and n other ones above it, i = r + n + 1; m more relevant
//! and q more other documents are in the collection.
//!
//! - Monotonic: a document more adds a term, which is not negative.
//! - Convergent: the document that comes in adds its term; those below it have one relevant
//!   document more above them and another one less, at the same rank.
//! - Top-weighted: the swap of ranks a < b takes the relevant ranks from a to b, the last of which
//!   is b, to a and all of them but b. In order, each has as many relevant documents above it as
//!   before and stands no lower, at least one higher.
//! - Bounded: at most R terms of at most 1, over at least R.

use super::{Proof, Rule, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim, Letter, mentions, number, with};
use crate::expression::syntax::Node;
use crate::measure::structure::Form;

pub(super) struct Seen;

const LETTERS: [Letter; 4] =
    [("r", Bound::Count), ("n", Bound::Count), ("m", Bound::Count), ("q", Bound::Count)];

/// Where a document stands.
const HERE: [(&str, &str); 3] = [("i", "r + n + 1"), ("R", "r + 1 + m"), ("N", "n + q")];

impl Rule for Seen {
    fn prove(&self, form: &Form, property: &str, _lab: &Lab) -> Option<Proof> {
        let Form::Seen { term, divisor, .. } = form else { return None };
        let (term, divisor) = (tree(term)?, tree(divisor)?);
        let order = |says, larger: Node, smaller: Node, strict| {
            Some(Claim::order(says, &LETTERS, larger, smaller, strict))
        };
        let at = |by: &[(&str, &str)]| with(&term, by);
        let of_collection = with(&divisor, &[("R", "1 + m"), ("N", "q")])?;
        let divides =
            || order("the divisor is above zero", of_collection.clone(), number(0.0), true);
        let adds = |strict| order("a term is not negative", at(&HERE)?, number(0.0), strict);
        match property {
            "monotonic" => Proof::resting_on(
                "each document seen adds a term that is not negative, over a divisor of the collection alone",
                vec![adds(false), divides()],
            ),
            "bounded" => Proof::resting_on(
                "at most R terms from 0 to 1, over a divisor of at least R",
                vec![
                    adds(false),
                    order("a term is at most 1", number(1.0), at(&HERE)?, false),
                    order(
                        "the divisor is at least R",
                        of_collection.clone(),
                        tree("1 + m")?,
                        false,
                    ),
                ],
            ),
            "convergent" => {
                let collection = [("i", "r + n + 2"), ("R", "r + 2 + m"), ("N", "n + 1 + q")];
                let more = [&collection[..], &[("r", "r + 1")]].concat();
                let less = [&collection[..], &[("n", "n + 1")]].concat();
                Proof::resting_on(
                    "a relevant document more adds a term above zero and lowers no other term, over a divisor of the collection alone",
                    vec![
                        adds(true),
                        order(
                            "terms do not fall with more relevant above",
                            at(&more)?,
                            at(&less)?,
                            false,
                        ),
                        divides(),
                    ],
                )
            }
            "top-weighted" => {
                let collection = [("R", "r + 1 + m"), ("N", "n + 1 + q")];
                let here = [&collection[..], &[("i", "r + n + 1")]].concat();
                let lower = [&collection[..], &[("i", "r + n + 2"), ("n", "n + 1")]].concat();
                Proof::resting_on(
                    "with as many relevant documents above, a term is larger at a higher rank; the divisor is of the collection alone",
                    vec![
                        order("terms fall with the rank", at(&here)?, at(&lower)?, true),
                        divides(),
                    ],
                )
            }
            "localized"
                if !["R", "N"].iter().any(|x| mentions(&term, x) || mentions(&divisor, x)) =>
            {
                Proof::resting_on(
                    "neither the terms nor the divisor look below rank k",
                    vec![divides()],
                )
            }
            "complete" => {
                let nothing = with(&divisor, &[("R", "0"), ("N", "1 + q")])?;
                Proof::resting_on(
                    "the divisor is above zero where nothing is relevant",
                    vec![order("the divisor is above zero", nothing, number(0.0), true)],
                )
            }
            _ => None,
        }
    }
}
