//! Values of the number of relevant documents seen, of binary relevance.
//!
//! Of the k documents seen h are relevant and o are not; m more relevant and q more other ones are
//! in the collection. A ranking of at least one document has h > 0 or o > 0, and one of a
//! collection with a relevant document has h > 0 or m > 0: each claim is made for all such cases.

use super::{Proof, Rule, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim, ClaimLetter, mentions, number, replaced, with};
use crate::expression::syntax::Node;
use crate::measure::structure::Form;

pub(super) struct CountRule;

const LETTERS: [ClaimLetter; 4] =
    [("h", Bound::Count), ("o", Bound::Count), ("m", Bound::Count), ("q", Bound::Count)];

impl Rule for CountRule {
    fn prove(&self, form: &Form, property: &str, _lab: &Lab) -> Option<Proof> {
        let Form::Count { value, needs_relevant, .. } = form else { return None };
        let value = tree(value)?;
        let order = |says, larger: Node, smaller: Node, strict| {
            Some(Claim::order(says, &LETTERS, larger, smaller, strict))
        };
        // With at least one document, of a collection that has a value.
        let cases: &[[(&str, &str); 4]] = if *needs_relevant {
            &[
                [("h", "h + 1"), ("o", "o"), ("m", "m"), ("q", "q")],
                [("h", "h"), ("o", "o + 1"), ("m", "m + 1"), ("q", "q")],
            ]
        } else {
            &[
                [("h", "h + 1"), ("o", "o"), ("m", "m"), ("q", "q")],
                [("h", "h"), ("o", "o + 1"), ("m", "m"), ("q", "q")],
            ]
        };
        // A claim in terms of h, o, m and q, in each of the cases.
        let in_each = |says, larger: Node, smaller: Node, strict| {
            cases
                .iter()
                .map(move |case| order(says, with(&larger, case)?, with(&smaller, case)?, strict))
                .collect::<Vec<Option<Claim>>>()
        };
        let collection = [("R", "h + m"), ("N", "o + q")];
        let here = with(&value, &[&collection[..], &[("k", "h + o")]].concat())?;
        match property {
            "bounded" => Proof::resting_on(
                "the value lies between 0 and 1",
                [
                    in_each("the value is not negative", here.clone(), number(0.0), false),
                    in_each("the value is at most 1", number(1.0), here, false),
                ]
                .concat(),
            ),
            "unbounded" => {
                let all = |n: &str| with(&value, &[("h", n), ("k", n), ("R", n), ("N", "0")]);
                let (here, next) = (all("h + 1")?, all("h + 2")?);
                ["1", "0.1", "0.001", "0.00001"].iter().find_map(|least| {
                    let more = replaced(&tree(&format!("x + {least}"))?, &[("x", &here)]);
                    Proof::resting_on(
                        &format!("if all are relevant, each document more adds at least {least}"),
                        vec![order("one more adds so much", next.clone(), more, false)],
                    )
                })
            }
            "monotonic" => {
                let relevant = [("R", "h + m + 1"), ("N", "o + q"), ("k", "h + o")];
                let other = [("R", "h + m"), ("N", "o + q + 1"), ("k", "h + o")];
                let deeper = |by: &[(&str, &str)], h: &'static str| {
                    let by: Vec<(&str, &str)> = by
                        .iter()
                        .map(|(name, text)| (*name, if *name == "k" { "h + o + 1" } else { *text }))
                        .chain([("h", h)])
                        .collect();
                    with(&value, &by)
                };
                Proof::resting_on(
                    "neither a relevant nor another document more lowers the value",
                    [
                        in_each(
                            "a relevant document more lowers nothing",
                            deeper(&relevant, "h + 1")?,
                            with(&value, &relevant)?,
                            false,
                        ),
                        in_each(
                            "another document more lowers nothing",
                            deeper(&other, "h")?,
                            with(&value, &other)?,
                            false,
                        ),
                    ]
                    .concat(),
                )
            }
            "convergent" => {
                let both = [("R", "h + 1 + m"), ("N", "o + 1 + q"), ("k", "h + 1 + o")];
                let more = [&both[..], &[("h", "h + 1")]].concat();
                Proof::resting_on(
                    "one relevant document in the place of another raises the value",
                    vec![order(
                        "one relevant document more among k raises the value",
                        with(&value, &more)?,
                        with(&value, &both)?,
                        true,
                    )],
                )
            }
            "localized" if !needs_relevant && !["R", "N"].iter().any(|x| mentions(&value, x)) => {
                Some(Proof {
                    rule: "the value is of the top k alone".to_string(),
                    claims: Vec::new(),
                })
            }
            "complete" if !needs_relevant => {
                let none =
                    with(&value, &[("h", "0"), ("R", "0"), ("N", "o + 1 + q"), ("k", "o + 1")])?;
                let square = replaced(&tree("x^2")?, &[("x", &none)]);
                Proof::resting_on(
                    "the value has no divisor that could be zero if nothing is relevant",
                    vec![order("the value is a number", square, number(0.0), false)],
                )
            }
            _ => None,
        }
    }
}
