//! The share of relevant documents among the first so many.

use super::{Proof, Rule, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim};
use crate::measure::structure::{CountingDepth, Form};

pub(super) struct ShareRule;

impl Rule for ShareRule {
    fn prove(&self, form: &Form, property: &str, _lab: &Lab) -> Option<Proof> {
        let Form::Share { depth, .. } = form else { return None };
        let rule = match (property, depth) {
            ("bounded", _) => "at most as many relevant documents as are looked at",
            ("monotonic", CountingDepth::Multiple(_)) => {
                "how many documents are looked at does not depend on k, and a document more only adds"
            }
            ("realizable", CountingDepth::CutoffOrRelevant) => {
                "with the relevant documents first all that are looked at are relevant: 1, and no ranking has more"
            }
            _ => return None,
        };
        let letters = [("h", Bound::Count), ("o", Bound::Count)];
        let goal = tree("1 - h / (h + o + 1)")?;
        let claim =
            Claim { says: "a share is at most 1", letters: letters.to_vec(), goal, strict: false };
        Proof::resting_on(rule, vec![Some(claim)])
    }
}
