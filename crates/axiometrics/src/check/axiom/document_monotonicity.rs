//! Axiom 12: what is better on two sets of documents is better on both together.

use super::case::{number_text, set_text, sigmas, told, witness};
use super::decision::{AxiomParts, Decision, Search};
use super::monotonicity::{consequence, failing};
use super::subject::AxiomSubject;
use super::world::{ScoredCase, World, all, random_worlds};
use super::{Axiom, Restrict};

pub(super) struct DocumentMonotonicity;

/// All worlds of up to so many documents, as long as they are not too many.
const DOCS: usize = 5;
const MOST_SPLITS: f64 = 5e5;
/// As many as someone may ask for.
const MOST_ASKED: f64 = 2e7;
const TRIALS: u64 = 2_000;

const RULE: &str = "a sum of terms, each of its own document's alpha and sigma, over a norm that depends on alpha alone and is never negative";

impl Axiom for DocumentMonotonicity {
    fn number(&self) -> usize {
        12
    }
    fn title(&self) -> &'static str {
        "Document monotonicity"
    }
    fn statement(&self) -> &'static str {
        "for disjoint D and D': if metric_{q,D}(alpha,sigma) > (a), = (b), > (c) metric_{q,D}(alpha,sigma') (13) and metric_{q,D'}(alpha,sigma) > (a), = (b), = (c) metric_{q,D'}(alpha,sigma') (14), then metric_{q,D+D'}(alpha,sigma) > (a), = (b), > (c) metric_{q,D+D'}(alpha,sigma') (15)"
    }
    fn meaning(&self) -> &'static str {
        "what is better on two sets of documents, or better on one and equal on the other, is better on both together"
    }
    fn restricts(&self, subject: &AxiomSubject) -> bool {
        subject.ranks()
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        // If ranks are counted anew, a document's term depends on who else is there.
        let stable = !subject.ranks() || subject.restrict == Restrict::Keep;
        let args = subject.metric().args();
        let sum = subject.component().is_some_and(|file| file.is_pointwise_sum(args));
        let most = if subject.settings.docs.is_some() { MOST_ASKED } else { MOST_SPLITS };
        let docs = subject.largest_within(DOCS, most, |judgements, systems, n| {
            judgements * subject.pairs(n, systems) * 2f64.powi(n)
        });
        let mut parts = AxiomParts::new();
        for n in 2..=docs {
            exhaust(&World::new(subject, n), &mut parts);
        }
        let tried = random_worlds(subject, docs, TRIALS, seed, |alpha, first, second, random| {
            let n = alpha.len();
            let part = 1 + random.below(u64::from(all(n)) - 1) as u32;
            let sets = [part, all(n) & !part, all(n)];
            let cases = |sigma| sets.map(|subset| subject.case(alpha, sigma, subset));
            split(subject, &mut parts, cases(first), cases(second));
            !parts.all_violated()
        });
        parts.tally.trials = tried;
        let rule = (sum && stable).then_some(RULE);
        parts.decided(&Search::new(subject, docs, seed).of_rankings().with_rule(rule))
    }
}

/// All pairs of systems and all splits of a world.
fn exhaust(world: &World<'_>, parts: &mut AxiomParts) {
    for a in 0..world.alphas.len() {
        for s in 0..world.firsts() {
            for t in 0..world.sigmas.len() {
                for part in 1..all(world.n) {
                    let cases = |of: usize| {
                        [part, all(world.n) & !part, all(world.n)]
                            .map(|subset| world.case(a, of, subset))
                    };
                    split(world.subject, parts, cases(s), cases(t));
                }
            }
        }
        if parts.all_violated() {
            return;
        }
    }
}

/// Two systems on two parts and on the whole.
fn split(
    subject: &AxiomSubject,
    parts: &mut AxiomParts,
    x: [ScoredCase<'_>; 3],
    y: [ScoredCase<'_>; 3],
) {
    let mut order = |i: usize| subject.compare(&mut parts.tally, x[i], y[i]);
    let (Some(on_d), Some(on_e)) = (order(0), order(1)) else { return };
    let Some((part, wanted)) = consequence(on_d, on_e) else { return };
    let Some(found) = order(2) else { return };
    let shown = || {
        let on = |i: usize| {
            format!(
                "{} against {} on {}",
                number_text(x[i].score),
                number_text(y[i].score),
                set_text(x[i].subset)
            )
        };
        let text = format!(
            "{}; sigma' {}: {}, {}, but {}: {}",
            told(subject, x[2]),
            sigmas(subject, y[2]),
            on(0),
            on(1),
            on(2),
            failing(wanted, found)
        );
        witness(subject, &[x[0], y[0], x[1], y[1], x[2], y[2]], text)
    };
    parts.count(part, (found != wanted).then_some(shown));
}
