//! Axioms 1 to 3: what similarity may depend on.

use std::collections::HashMap;

use super::bench::{Case, Subject, Tally, all};
use super::{Decision, told, witness};
use crate::check::verdict::TOLERANCE;

const DOCS: usize = 4;

pub(super) fn decide(subject: &Subject<'_>, number: usize) -> Decision {
    let rule =
        subject.component().is_some_and(crate::component::Component::similarity_is_pointwise);
    let rule =
        rule.then_some("the similarity is an expression of the document's own alpha and sigma");
    let docs = subject.largest(DOCS);
    let mut tally = Tally::default();
    for n in 1..=docs {
        let (alphas, sigmas) = (subject.alphas(n), subject.sigmas(n));
        // Where similarity was first met under the values that it may depend on: in one world, over
        // all, or under one judgement.
        let mut met: HashMap<[u64; 2], (usize, usize, usize, f64)> = HashMap::new();
        for (a, alpha) in alphas.iter().enumerate() {
            for (s, sigma) in sigmas.iter().enumerate() {
                if number == 1 || (number == 3 && s == 0) {
                    met.clear();
                }
                for (d, sim) in subject.sims(alpha, sigma).into_iter().enumerate() {
                    let key = if number == 3 {
                        [d as u64, sigma[d].to_bits()]
                    } else {
                        [alpha[d].to_bits(), sigma[d].to_bits()]
                    };
                    let (a0, s0, d0, first) = *met.entry(key).or_insert((a, s, d, sim));
                    if (a0, s0, d0) == (a, s, d) {
                        continue;
                    }
                    tally.premises += 1;
                    if (sim - first).abs() > TOLERANCE {
                        let case = |a: usize, s: usize| Case {
                            alpha: &alphas[a],
                            sigma: &sigmas[s],
                            subset: all(n),
                            score: None,
                        };
                        let (x, y) = (case(a0, s0), case(a, s));
                        let text = format!(
                            "the similarity of document {} is {first} for {}, and of document {} it is {sim} for {}",
                            d0 + 1,
                            told(subject, x),
                            d + 1,
                            told(subject, y)
                        );
                        return Decision::violated(&tally, witness(subject, &[], text));
                    }
                }
            }
        }
    }
    Decision::concluded(subject, &tally, docs, rule)
}
