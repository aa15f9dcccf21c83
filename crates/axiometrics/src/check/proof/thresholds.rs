//! Values of binary relevance, added up over all lines that can be drawn between relevant and not.
//!
//! A swap of two documents of different gains is a swap of a relevant document and another one for
//! the lines between the two, and none at all for the others: what holds strictly for binary
//! relevance holds strictly for the sum. The sum of R over all lines is the sum of all gains.

use super::{Proof, Rule, of_form};
use crate::check::Lab;
use crate::measure::structure::Form;

pub(super) struct ThresholdsRule;

impl Rule for ThresholdsRule {
    fn prove(&self, form: &Form, property: &str, lab: &Lab) -> Option<Proof> {
        let Form::Thresholds { gain, term } = form else { return None };
        lab.grows(*gain).then_some(())?;
        let undivided = match property {
            "monotonic" | "convergent" | "top-weighted" => true,
            "bounded" => false,
            _ => return None,
        };
        let inner = Form::seen(0.0, term, if undivided { "1" } else { "R" });
        let proof = of_form(&inner, property, lab)?;
        Some(Proof {
            rule: format!("for every line between relevant and not: {}", proof.rule),
            ..proof
        })
    }
}
