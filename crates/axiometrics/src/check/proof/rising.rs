//! Rising functions of another form's value.
//!
//! A function that rises strictly keeps the order of scores of one collection, and so inherits
//! monotonic, convergent and top-weighted; a straight line inherits bounded too. One that is held
//! between two values keeps only monotonic, and is bounded. The logarithm of what is at least R, in
//! the best ranking, has no bound.

use super::{Proof, Rule, of_form, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim, number, with};
use crate::measure::structure::{Form, Rise};

pub(super) struct RisingRule;

impl Rule for RisingRule {
    fn prove(&self, form: &Form, property: &str, lab: &Lab) -> Option<Proof> {
        let Form::Rising { of, rise } = form else { return None };
        match (rise, property) {
            (Rise::ClippedLogit(_), "bounded") => Some(Proof {
                rule: "the value is held between two constants before its logit is taken"
                    .to_string(),
                claims: Vec::new(),
            }),
            (Rise::ClippedLogit(_), "monotonic") => {
                let inner = of_form(of, property, lab)?;
                Some(Proof {
                    rule: format!("a rising function, of a value of which: {}", inner.rule),
                    ..inner
                })
            }
            (Rise::Ln(inside), "monotonic" | "convergent" | "top-weighted") => {
                let inner = of_form(of, property, lab)?;
                let kept = keeps_order(of, inside, lab)?;
                let rule =
                    format!("a strictly rising function, of a value of which: {}", inner.rule);
                Some(Proof { rule, ..kept.and(inner) })
            }
            (Rise::Line { times, .. }, "bounded" | "monotonic" | "convergent" | "top-weighted") => {
                (*times > 0.0).then_some(())?;
                let inner = of_form(of, property, lab)?;
                Some(Proof {
                    rule: format!(
                        "a straight line that rises, of a value of which: {}",
                        inner.rule
                    ),
                    ..inner
                })
            }
            (Rise::Ln(inside), "unbounded") => {
                let Form::Seen { term, rest, divisor, .. } = &**of else { return None };
                (divisor == "1" && rest == "0").then_some(())?;
                let letters = [("r", Bound::Count), ("m", Bound::Count)];
                // The document behind r relevant ones, of r + 1 + m.
                let first =
                    [("i", "r + 1"), ("n", "0"), ("R", "r + 1 + m"), ("N", "0"), ("o", "0")];
                let first = with(&tree(term)?, &first)?;
                let all = with(&tree(inside)?, &[("z", "m + 1"), ("R", "m + 1")])?;
                let order = |says, larger, smaller, strict| {
                    Some(Claim::order(says, &letters, larger, smaller, strict))
                };
                Proof::resting_on(
                    "with all relevant documents first the value is R, and the logarithm that of at least R",
                    vec![
                        order(
                            "a term is 1 if none but relevant ones are above",
                            first.clone(),
                            number(1.0),
                            false,
                        ),
                        order("and no more", number(1.0), first, false),
                        order("the logarithm is that of at least R", all, tree("m + 1")?, false),
                    ],
                )
            }
            (Rise::Ln(inside), "complete") => {
                of_form(of, property, lab)?;
                let nothing = with(&tree(inside)?, &[("z", "0"), ("R", "0")])?;
                let positive =
                    Claim::order("its logarithm is taken", &[], nothing, number(0.0), true);
                Proof::resting_on(
                    "its logarithm is that of a positive number if nothing is relevant",
                    vec![Some(positive)],
                )
            }
            _ => None,
        }
    }
}

/// The proof that a logarithm rises strictly with another form's value, which is at most R: R terms
/// of at most 1 each, undivided.
pub(super) fn keeps_order(of: &Form, inside: &str, lab: &Lab) -> Option<Proof> {
    let Form::Seen { term, divisor, .. } = of else { return None };
    (divisor == "1").then_some(())?;
    let at_most = of_form(&Form::seen(0.0, term, "R"), "bounded", lab)?;
    let inside = tree(inside)?;
    let letters = [("z", Bound::Nonnegative), ("e", Bound::Positive), ("w", Bound::Nonnegative)];
    let more = with(&inside, &[("z", "z + e"), ("R", "z + e + w")])?;
    let less = with(&inside, &[("R", "z + e + w")])?;
    let rises = Claim::order("the function rises", &letters, more, less.clone(), true);
    let positive = Claim::order("its logarithm is taken", &letters, less, number(0.0), true);
    let rule = "the function rises strictly";
    Some(Proof::resting_on(rule, vec![Some(rises), Some(positive)])?.and(at_most))
}
