//! Axiom 8.

use super::{Axiom, Condition};
use std::cmp::Ordering;

use super::decision::Decision;
use super::effect;
use super::single::no_order;
use super::subject::AxiomSubject;

pub(super) struct SystemRelevance;

impl Axiom for SystemRelevance {
    fn number(&self) -> usize {
        8
    }
    fn title(&self) -> &'static str {
        "System relevance"
    }
    fn statement(&self) -> &'static str {
        "if sim_{q,d}(alpha,sigma) = sim_{q,d'}(alpha,sigma), sigma(d) > sigma(d') and alpha(d) >= alpha(d') (11), then d affects metric(alpha,sigma) more than d'"
    }
    fn meaning(&self) -> &'static str {
        "of two documents of equal similarity, the one that the system prefers affects the metric more; on ranks, early ones matter more"
    }
    fn refusal(&self, subject: &AxiomSubject) -> Option<&'static str> {
        no_order(subject)
    }
    fn restricts(&self, subject: &AxiomSubject) -> bool {
        subject.ranks()
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        effect::decide(subject, seed, None, Ordering::Greater, |system, assessor| {
            system == Ordering::Greater
                && (subject.drops(Condition::Eleven) || assessor != Ordering::Less)
        })
    }
}
