//! Axiom 9.

use super::{Axiom, Condition};
use std::cmp::Ordering;

use super::decision::Decision;
use super::effect;
use super::single::no_order;
use super::subject::AxiomSubject;

pub(super) struct UserRelevance;

impl Axiom for UserRelevance {
    fn number(&self) -> usize {
        9
    }
    fn title(&self) -> &'static str {
        "User relevance"
    }
    fn statement(&self) -> &'static str {
        "if sim_{q,d}(alpha,sigma) = sim_{q,d'}(alpha,sigma), alpha(d) > alpha(d') and sigma(d) >= sigma(d') (12), then d affects metric(alpha,sigma) more than d'"
    }
    fn meaning(&self) -> &'static str {
        "of two documents of equal similarity, the more relevant one affects the metric more"
    }
    fn refusal(&self, subject: &AxiomSubject) -> Option<&'static str> {
        no_order(subject)
    }
    fn restricts(&self, subject: &AxiomSubject) -> bool {
        subject.ranks()
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        effect::decide(subject, seed, None, Ordering::Greater, |system, assessor| {
            assessor == Ordering::Greater
                && (subject.drops(Condition::Twelve) || system != Ordering::Less)
        })
    }
}
