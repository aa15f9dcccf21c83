//! Axiom 7.

use super::{Axiom, Condition, Single};
use std::cmp::Ordering;

use super::decision::Decision;
use super::single::{both_wrong, more_wrong, refusal_of_degrees, two_documents};
use super::subject::AxiomSubject;

pub(super) struct UnderestimatedDocuments;

impl Axiom for UnderestimatedDocuments {
    fn number(&self) -> usize {
        7
    }
    fn title(&self) -> &'static str {
        "Underestimated documents"
    }
    fn statement(&self) -> &'static str {
        "if alpha(d) > alpha(d'), sigma(d) > sigma(d') (10), sim_{q,d}(alpha,sigma) < sim_{q,d'}(alpha,sigma), and sigma underestimates d (7) and d' (9), then metric_{q,d'}(alpha,sigma) > metric_{q,d}(alpha,sigma)"
    }
    fn meaning(&self) -> &'static str {
        "of two underestimated documents that the system has in the right order, the metric is larger on the one that it is less wrong about"
    }
    fn refusal(&self, subject: &AxiomSubject) -> Option<&'static str> {
        refusal_of_degrees(subject)
    }
    fn restricts(&self, subject: &AxiomSubject) -> bool {
        subject.ranks() && subject.settings.single == Single::Singleton
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        two_documents(subject, seed, |alpha, system, d, e| {
            let swapped = subject.better(system.sigma, d, e) != Ordering::Greater;
            more_wrong(alpha, system, d, e)
                && (subject.drops(Condition::Ten) || !swapped)
                && (subject.drops(Condition::Direction)
                    || both_wrong(subject, alpha, system.sigma, (d, e), Ordering::Less))
        })
    }
}
