//! Rising functions of another form's value.
//!
//! A function that rises strictly keeps the order of scores of one collection, and so inherits
//! monotonic, convergent and top-weighted. One that is held between two values keeps only
//! monotonic, and is bounded.

use super::{Proof, Rule, of_form, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim, number, with};
use crate::measure::structure::{Form, Rise};

pub(super) struct Rising;

impl Rule for Rising {
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
                let Form::Seen { term, divisor, .. } = &**of else { return None };
                // z is at most R: R terms of at most 1 each, undivided.
                (divisor == "1").then_some(())?;
                let whole = Form::seen(0.0, term, "R");
                let at_most = of_form(&whole, "bounded", lab)?;
                let inside = tree(inside)?;
                let letters =
                    [("z", Bound::Nonnegative), ("e", Bound::Positive), ("w", Bound::Nonnegative)];
                let more = with(&inside, &[("z", "z + e"), ("R", "z + e + w")])?;
                let less = with(&inside, &[("R", "z + e + w")])?;
                let rises = Claim::order("the function rises", &letters, more, less.clone(), true);
                let positive =
                    Claim::order("its logarithm is taken", &letters, less, number(0.0), true);
                let rule =
                    format!("a strictly rising function, of a value of which: {}", inner.rule);
                Some(
                    Proof::resting_on(&rule, vec![Some(rises), Some(positive)])?
                        .and(inner)
                        .and(at_most),
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
