//! Axiom 6.

use super::{Axiom, Condition, Single};
use std::cmp::Ordering;

use super::decision::Decision;
use super::single::{both_wrong, more_wrong, refusal_of_degrees, two_documents};
use super::subject::AxiomSubject;

pub(super) struct OverestimatedDocuments;

impl Axiom for OverestimatedDocuments {
    fn number(&self) -> usize {
        6
    }
    fn title(&self) -> &'static str {
        "Overestimated documents"
    }
    fn statement(&self) -> &'static str {
        "if alpha(d) > alpha(d'), sim_{q,d}(alpha,sigma) < sim_{q,d'}(alpha,sigma), and sigma overestimates d (6) and d' (8), then metric_{q,d'}(alpha,sigma) > metric_{q,d}(alpha,sigma)"
    }
    fn meaning(&self) -> &'static str {
        "of two overestimated documents, the metric is larger on the less relevant one if the system is more wrong about the other"
    }
    fn refusal(&self, subject: &AxiomSubject) -> Option<&'static str> {
        refusal_of_degrees(subject)
    }
    fn restricts(&self, subject: &AxiomSubject) -> bool {
        subject.ranks() && subject.settings.single == Single::Singleton
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        two_documents(subject, seed, |alpha, system, d, e| {
            more_wrong(alpha, system, d, e)
                && (subject.drops(Condition::Direction)
                    || both_wrong(subject, alpha, system.sigma, (d, e), Ordering::Greater))
        })
    }
}
