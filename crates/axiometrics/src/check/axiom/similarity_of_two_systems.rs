//! Axiom 3.

use super::Axiom;
use super::decision::Decision;
use super::similarity::{self, Among};
use super::subject::AxiomSubject;

pub(super) struct SimilarityOfTwoSystems;

impl Axiom for SimilarityOfTwoSystems {
    fn number(&self) -> usize {
        3
    }
    fn title(&self) -> &'static str {
        "Similarity of two systems"
    }
    fn statement(&self) -> &'static str {
        "if sigma(q,d) = sigma'(q,d) (2), then sim_{q,d}(alpha,sigma) = sim_{q,d}(alpha,sigma') (3)"
    }
    fn meaning(&self) -> &'static str {
        "two systems that measure a document alike are equally similar to the assessor on it; (3) does not entail (2)"
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        similarity::decide(subject, Among::Systems, seed)
    }
}
