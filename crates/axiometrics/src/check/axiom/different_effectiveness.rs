//! Axiom 5.

use super::{Axiom, Condition, EstimateReading, Single};
use std::cmp::Ordering;

use super::decision::Decision;
use super::single::{RelatedSystem, pair, refusal_of_degrees, two_systems};
use super::subject::AxiomSubject;
use crate::check::verdict::TOLERANCE;

pub(super) struct DifferentEffectiveness;

impl Axiom for DifferentEffectiveness {
    fn number(&self) -> usize {
        5
    }
    fn title(&self) -> &'static str {
        "Systems with different effectiveness"
    }
    fn statement(&self) -> &'static str {
        "if sim_{q,d}(alpha,sigma) > sim_{q,d}(alpha,sigma') (4) and sim_{q,d}(sigma,sigma') > sim_{q,d}(alpha,sigma') (5), then metric_{q,d}(alpha,sigma) > metric_{q,d}(alpha,sigma')"
    }
    fn meaning(&self) -> &'static str {
        "of two systems that are wrong about a document in the same direction, the less wrong one has the larger metric on it"
    }
    fn refusal(&self, subject: &AxiomSubject) -> Option<&'static str> {
        refusal_of_degrees(subject)
    }
    fn restricts(&self, subject: &AxiomSubject) -> bool {
        subject.ranks() && subject.settings.single == Single::Singleton
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        two_systems(subject, seed, Ordering::Greater, |alpha, first, second, d| {
            first.sims[d] > second.sims[d] + TOLERANCE
                && (subject.drops(Condition::Five)
                    || same_direction(subject, alpha, first, second, d))
        })
    }
}

/// The first system is between the assessor and the second one.
fn same_direction(
    subject: &AxiomSubject,
    alpha: &[f64],
    first: RelatedSystem<'_>,
    second: RelatedSystem<'_>,
    d: usize,
) -> bool {
    match subject.settings.reading {
        EstimateReading::Order => {
            let direction = subject.direction(alpha, first.sigma, d);
            direction != Ordering::Equal && direction == subject.direction(alpha, second.sigma, d)
        }
        EstimateReading::Literal => {
            pair(subject, first.sigma[d], second.sigma[d])
                > pair(subject, alpha[d], second.sigma[d]) + TOLERANCE
        }
    }
}
