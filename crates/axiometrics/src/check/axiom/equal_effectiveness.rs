//! Axiom 4.

use super::{Axiom, Single};
use std::cmp::Ordering;

use super::decision::Decision;
use super::single::{refusal, two_systems};
use super::subject::AxiomSubject;

pub(super) struct EqualEffectiveness;

impl Axiom for EqualEffectiveness {
    fn number(&self) -> usize {
        4
    }
    fn title(&self) -> &'static str {
        "Systems with equal effectiveness"
    }
    fn statement(&self) -> &'static str {
        "if sigma(q,d) = sigma'(q,d), then metric_{q,d}(alpha,sigma) = metric_{q,d}(alpha,sigma')"
    }
    fn meaning(&self) -> &'static str {
        "two systems that measure a document alike have the same metric on it"
    }
    fn refusal(&self, subject: &AxiomSubject) -> Option<&'static str> {
        refusal(subject)
    }
    fn restricts(&self, subject: &AxiomSubject) -> bool {
        subject.ranks() && subject.settings.single == Single::Singleton
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        two_systems(subject, seed, Ordering::Equal, |_, first, second, d| {
            first.sigma[d] == second.sigma[d] && first.sigma != second.sigma
        })
    }
}
