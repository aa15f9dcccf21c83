//! Means of DCG over ideal DCG, at ranks that the collection decides.
//!
//! - Bounded: with weights that fall no ranking has more, down to any rank, than the ideal one.
//! - Top-weighted: a swap of ranks a < b raises DCG at every point from a on, and none falls. Of the
//!   points at levels, the last is R, or from R + 2 on the end of the ranking: one is at a or below.
//! - Monotonic, at the relevant documents: with one more of them, what it has at its own rank k + 1
//!   is divided by no more than what those that are not seen have at the end, whose DCG rises.

use super::{Proof, Rule, tree, weighted};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim};
use crate::measure::structure::{Form, Points};

pub(super) struct AveragedRule;

impl Rule for AveragedRule {
    fn prove(&self, form: &Form, property: &str, lab: &Lab) -> Option<Proof> {
        let Form::Averaged { shape, points } = form else { return None };
        let of_weights = |property| weighted::claims(shape, property).into_iter().map(Some);
        let falls = of_weights("top-weighted").collect();
        match (property, points) {
            ("bounded", _) => Proof::resting_on(
                "a mean of shares: with weights that fall no ranking has more than the ideal one",
                falls,
            ),
            ("top-weighted", Points::Levels)
                if lab.grows(shape.gain) && shape.weights.strictly_decreasing() =>
            {
                Proof::resting_on(
                    "a swap raises DCG at every point from its higher rank on, and there is one: R, or the end of the ranking",
                    falls,
                )
            }
            ("monotonic", Points::Relevant) => Proof::resting_on(
                "one more relevant document adds what it has at its rank, no less than what the others have at the end, and that rises too",
                of_weights("monotonic").chain([rises()]).collect(),
            ),
            _ => None,
        }
    }
}

/// Of t + 1 documents that were not seen, one is seen: DCG rises from x to x + d, the ideal is I + e at
/// the end and I at its rank.
fn rises() -> Option<Claim> {
    let letters = [
        ("x", Bound::Nonnegative),
        ("d", Bound::Nonnegative),
        ("I", Bound::Positive),
        ("e", Bound::Nonnegative),
        ("t", Bound::Count),
    ];
    let goal = tree("(x + d) / I + t * (x + d) / (I + e) - (t + 1) * x / (I + e)")?;
    let says = "a relevant document that is seen lowers nothing";
    Some(Claim { says, letters: letters.to_vec(), goal, strict: false })
}
