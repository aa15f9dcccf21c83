//! Axiom 1.

use super::Axiom;
use super::decision::Decision;
use super::similarity::{self, Among};
use super::subject::AxiomSubject;

pub(super) struct SimilarityOfDocuments;

impl Axiom for SimilarityOfDocuments {
    fn number(&self) -> usize {
        1
    }
    fn title(&self) -> &'static str {
        "Similarity of documents"
    }
    fn statement(&self) -> &'static str {
        "if alpha(q,d) = alpha(q,d') and sigma(q,d) = sigma(q,d'), then sim_{q,d}(alpha,sigma) = sim_{q,d'}(alpha,sigma)"
    }
    fn meaning(&self) -> &'static str {
        "documents that the assessor measures alike and the system measures alike are equally similar"
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        similarity::decide(subject, Among::One, seed)
    }
}
