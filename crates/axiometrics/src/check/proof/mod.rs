//! Rules that prove a property of a metric for all sizes, from the form that it declares.
//!
//! A rule says which inequalities ([`Claim`]) between the parts of a form make a property true. It
//! believes none of them: each is proved by the [`prover`](super::prover), and can be written out
//! for an outsider to check. That the form is the measure's own is compared on small and on deep
//! rankings ([`super::form`]), and the search runs all the same.

mod averaged;
mod best;
mod cells;
mod concordance;
mod count;
mod deep;
mod discounted;
mod gathered;
mod overlap;
mod reader;
mod relations;
mod rising;
mod seen;
mod share;
mod thresholds;
mod weighted;

use super::Lab;
use super::prover::Claim;
use crate::expression::syntax::{Node, parse};
use crate::measure::structure::{Domain, Form};
pub(super) use deep::many_deep;

/// Why a metric has a property.
#[derive(Debug, Clone)]
pub(super) struct Proof {
    /// In a sentence.
    pub rule: String,
    /// What it rests on.
    pub claims: Vec<Claim>,
}

impl Proof {
    /// A proof if all that it rests on is certain.
    fn resting_on(rule: &str, claims: Vec<Option<Claim>>) -> Option<Proof> {
        let claims: Vec<Claim> = claims.into_iter().collect::<Option<_>>()?;
        claims.iter().all(Claim::holds).then(|| Proof { rule: rule.to_string(), claims })
    }

    /// A proof that rests on what others rest on too.
    fn and(mut self, other: Proof) -> Proof {
        self.claims.extend(other.claims);
        self
    }
}

/// A way to prove properties of one form. `None` says nothing.
trait Rule: Sync {
    /// The proof that a metric of this form has a property.
    fn prove(&self, form: &Form, property: &str, lab: &Lab) -> Option<Proof>;
}

/// Each is asked in turn.
const RULES: &[&dyn Rule] = &[
    &seen::SeenRule,
    &discounted::DiscountedRule,
    &count::CountRule,
    &share::ShareRule,
    &best::BestRule,
    &reader::ReaderRule,
    &rising::RisingRule,
    &gathered::GatheredRule,
    &thresholds::ThresholdsRule,
    &averaged::AveragedRule,
    &concordance::ConcordanceRule,
    &overlap::OverlapRule,
    &relations::RelationsRule,
];

/// The proof that a metric has a property, if its form has one.
pub(super) fn prove(lab: &Lab, property: &str) -> Option<Proof> {
    let form = lab.form()?;
    understood(&form, lab).then(|| of_form(&form, property, lab)).flatten()
}

/// Whether the gains of the checks are those that a form is about.
fn understood(form: &Form, lab: &Lab) -> bool {
    let of_relevance = matches!(
        form,
        Form::Seen { .. }
            | Form::Count { .. }
            | Form::Share { .. }
            | Form::Interpolated { .. }
            | Form::Rising { .. }
    );
    !of_relevance || lab.domain() == Domain::Binary
}

/// What the proof of a property rests on, whether by a form or by a shape.
pub(super) fn claims(lab: &Lab, property: &str) -> Vec<Claim> {
    match lab.shape() {
        Some(shape) => weighted::claims(&shape, property),
        None => prove(lab, property).map_or_else(Vec::new, |proof| proof.claims),
    }
}

fn of_form(form: &Form, property: &str, lab: &Lab) -> Option<Proof> {
    RULES.iter().find_map(|rule| rule.prove(form, property, lab))
}

fn tree(text: &str) -> Option<Node> {
    parse(text).ok()
}
