//! Axiom 2.

use super::Axiom;
use super::decision::Decision;
use super::similarity::{self, Among};
use super::subject::AxiomSubject;

pub(super) struct SimilarityOfQueries;

impl Axiom for SimilarityOfQueries {
    fn number(&self) -> usize {
        2
    }
    fn title(&self) -> &'static str {
        "Similarity of queries"
    }
    fn statement(&self) -> &'static str {
        "if alpha(q,d) = alpha(q',d) and sigma(q,d) = sigma(q',d), then sim_{q,d}(alpha,sigma) = sim_{q',d}(alpha,sigma)"
    }
    fn meaning(&self) -> &'static str {
        "a document that is measured alike for two queries is equally similar for both"
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        similarity::decide(subject, Among::Queries, seed)
    }
}
