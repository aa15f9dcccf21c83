//! What axioms 1 to 3 share: documents that are measured alike must be equally similar.

use std::collections::HashMap;

use super::case::{told, witness};
use super::decision::{Decision, Search};
use super::subject::AxiomSubject;
use super::world::{AxiomTally, ScoredCase, all, random_worlds};
use crate::check::Witness;
use crate::check::verdict::TOLERANCE;

const DOCS: usize = 4;
const TRIALS: u64 = 100;

/// Among which documents an axiom compares similarities.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    /// The documents of one query, under one system.
    One,
    /// The documents of all queries.
    Queries,
    /// One document under all systems.
    Systems,
}

impl Among {
    /// What must be equal for similarities to be equal.
    fn key(self, alpha: &[f64], sigma: &[f64], d: usize) -> [u64; 2] {
        if self == Among::Systems {
            [d as u64, sigma[d].to_bits()]
        } else {
            [alpha[d].to_bits(), sigma[d].to_bits()]
        }
    }
}

/// Where a similarity was first met: judgement, system, document.
type Met = HashMap<[u64; 2], (Vec<f64>, Vec<f64>, usize, f64)>;

pub(super) fn decide(subject: &AxiomSubject, among: Among, seed: u64) -> Decision {
    let pointwise =
        subject.component().is_some_and(crate::component::Component::similarity_is_pointwise);
    let rule = pointwise
        .then_some("the similarity is an expression of the document's own alpha and sigma");
    let docs = subject.largest(DOCS);
    let mut tally = AxiomTally::default();
    let search = Search::new(subject, docs, seed).with_rule(rule);
    for n in 1..=docs {
        let (alphas, sigmas) = (subject.alphas(n), subject.sigmas(n));
        let mut met = Met::new();
        for alpha in &alphas {
            if among == Among::Systems {
                met.clear();
            }
            for sigma in &sigmas {
                if among == Among::One {
                    met.clear();
                }
                if let Some(found) = meet(subject, among, &mut met, alpha, sigma, &mut tally) {
                    return search.decision(&tally, Some(found));
                }
            }
        }
    }
    let mut against = None;
    let tried = random_worlds(subject, docs, TRIALS, seed, |alpha, first, second, _| {
        let mut met = Met::new();
        for sigma in [first, second] {
            if among == Among::One {
                met.clear();
            }
            against = against.take().or(meet(subject, among, &mut met, alpha, sigma, &mut tally));
        }
        against.is_none()
    });
    tally.trials = tried;
    search.decision(&tally, against)
}

/// Compares the similarities of one system with those met before.
fn meet(
    subject: &AxiomSubject,
    among: Among,
    met: &mut Met,
    alpha: &[f64],
    sigma: &[f64],
    tally: &mut AxiomTally,
) -> Option<Witness> {
    for (d, sim) in subject.sims(alpha, sigma).into_iter().enumerate() {
        let key = among.key(alpha, sigma, d);
        let Some((alpha0, sigma0, d0, first)) = met.get(&key) else {
            met.insert(key, (alpha.to_vec(), sigma.to_vec(), d, sim));
            continue;
        };
        tally.premises += 1;
        if (sim - first).abs() > TOLERANCE {
            let case = |alpha, sigma: &'_ [f64], n| {
                told(subject, ScoredCase { alpha, sigma, subset: all(n), score: None })
            };
            let text = format!(
                "the similarity of document {} is {first} for {}, and of document {} it is {sim} for {}",
                d0 + 1,
                case(alpha0, sigma0, alpha0.len()),
                d + 1,
                case(alpha, sigma, alpha.len())
            );
            return Some(witness(subject, &[], text));
        }
    }
    None
}
