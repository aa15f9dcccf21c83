//! What a ranking has in common with the ideal one, by depth, over what the ideal one has with itself
//! or over all weights.

use super::{Proof, Rule, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim};
use crate::measure::structure::Form;

pub(super) struct OverlapRule;

impl Rule for OverlapRule {
    fn prove(&self, form: &Form, property: &str, _lab: &Lab) -> Option<Proof> {
        let Form::Overlap { .. } = form else { return None };
        (property == "bounded").then_some(())?;
        // Down to depth c + x + y the ideal ranking has c + x documents, c of them in common.
        let letters =
            [("w", Bound::Positive), ("c", Bound::Count), ("x", Bound::Count), ("y", Bound::Count)];
        let goal = tree("w * (c + x + 1) / (c + x + y + 1) - w * c / (c + x + y + 1)")?;
        let least = tree("w - w * (c + x + 1) / (c + x + y + 1)")?;
        let claim =
            |says, goal| Some(Claim { says, letters: letters.to_vec(), goal, strict: false });
        Proof::resting_on(
            "down to each depth no ranking has more in common with the ideal one than that has itself",
            vec![
                claim("what is in common is part of the ideal ranking", goal),
                claim("the ideal ranking has no more than the depth", least),
            ],
        )
    }
}
