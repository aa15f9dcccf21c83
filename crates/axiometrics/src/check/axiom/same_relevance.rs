//! Axiom 10.

use super::Axiom;
use std::cmp::Ordering;

use super::decision::Decision;
use super::effect;
use super::subject::AxiomSubject;
use crate::component::Component;

pub(super) struct SameRelevance;

impl Axiom for SameRelevance {
    fn number(&self) -> usize {
        10
    }
    fn title(&self) -> &'static str {
        "Same relevance"
    }
    fn statement(&self) -> &'static str {
        "if sim_{q,d}(alpha,sigma) = sim_{q,d'}(alpha,sigma), sigma(d) = sigma(d') and alpha(d) = alpha(d'), then d and d' affect metric(alpha,sigma) equally"
    }
    fn meaning(&self) -> &'static str {
        "two documents that are alike affect the metric alike"
    }
    fn restricts(&self, subject: &AxiomSubject) -> bool {
        subject.ranks()
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        // An ideal ranking has documents of equal gain in some order, and so tells them apart.
        let anonymous = !subject.component().is_some_and(Component::reads_ideal);
        let rule = anonymous.then_some(
            "documents have no name: the score depends on how often each pair of alpha and sigma occurs",
        );
        effect::decide(subject, seed, rule, Ordering::Equal, |system, assessor| {
            system == Ordering::Equal && assessor == Ordering::Equal
        })
    }
}
