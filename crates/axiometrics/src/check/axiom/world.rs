//! Small worlds in which axioms are tried: every judgement and every system of a few documents,
//! with the scores of all subsets; then random larger ones.

use std::cell::RefCell;

use super::subject::AxiomSubject;
use crate::check::shape::SplitMix;
use crate::check::verdict::Arithmetic;

/// A score, and what it is the score of.
#[derive(Clone, Copy)]
pub(super) struct ScoredCase<'w> {
    pub alpha: &'w [f64],
    pub sigma: &'w [f64],
    pub subset: u32,
    pub score: Option<f64>,
}

/// What a search has met.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AxiomTally {
    /// Instances that meet the premises.
    pub premises: u64,
    pub skipped: u64,
    pub ties: u64,
    /// Random worlds, beyond those that were all looked at.
    pub trials: u64,
    pub arithmetic: Arithmetic,
}

/// All judgements and systems of n documents, with the scores of one judgement that were asked for.
pub(super) struct World<'s> {
    pub subject: &'s AxiomSubject,
    pub n: usize,
    pub alphas: Vec<Vec<f64>>,
    pub sigmas: Vec<Vec<f64>>,
    known: RefCell<KnownScores>,
}

/// The scores of all systems and subsets under one judgement: the next one takes their place.
#[derive(Default)]
struct KnownScores {
    alpha: Option<usize>,
    scores: Vec<Option<Option<f64>>>,
}

impl<'s> World<'s> {
    pub(super) fn new(subject: &'s AxiomSubject, n: usize) -> World<'s> {
        World {
            subject,
            n,
            alphas: subject.alphas(n),
            sigmas: subject.sigmas(n),
            known: RefCell::default(),
        }
    }

    pub(super) fn firsts(&self) -> usize {
        self.subject.firsts(&self.sigmas)
    }

    pub(super) fn case(&self, a: usize, s: usize, subset: u32) -> ScoredCase<'_> {
        let (alpha, sigma) = (&self.alphas[a], &self.sigmas[s]);
        let known = &mut *self.known.borrow_mut();
        if known.alpha != Some(a) {
            known.alpha = Some(a);
            known.scores.clear();
            known.scores.resize(self.sigmas.len() << self.n, None);
        }
        let place = &mut known.scores[(s << self.n) + subset as usize];
        let score = *place.get_or_insert_with(|| self.subject.score(alpha, sigma, subset));
        ScoredCase { alpha, sigma, subset, score }
    }
}

/// Random worlds of up to so many documents, or of two more than a cutoff lets through.
const RANDOM_DOCS: usize = 8;
pub(super) const MOST_RANDOM: usize = 20;

/// Random judgements with two systems each, of sizes beyond those that were all looked at; `visit`
/// says whether to go on.
pub(super) fn random_worlds(
    subject: &AxiomSubject,
    searched: usize,
    trials: u64,
    seed: u64,
    mut visit: impl FnMut(&[f64], &[f64], &[f64], &mut SplitMix) -> bool,
) -> u64 {
    let cutoff = subject.metric().depth().map_or(0, |k| (k as usize).saturating_add(2));
    let largest = RANDOM_DOCS.max(searched + 1).max(cutoff.min(MOST_RANDOM));
    let (mut random, mut tried) = (SplitMix::new(seed), 0);
    for n in searched + 1..=largest {
        for _ in 0..subject.settings.trials.unwrap_or(trials) {
            let alpha = subject.random_alpha(n, &mut random);
            let first = subject.random_sigma(n, &mut random);
            let second = subject.random_sigma(n, &mut random);
            tried += 1;
            if !visit(&alpha, &first, &second, &mut random) {
                return tried;
            }
        }
    }
    tried
}

/// All documents of n.
pub(super) fn all(n: usize) -> u32 {
    (1 << n) - 1
}

/// The documents of a subset.
pub(super) fn members(subset: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |i| subset >> i & 1 == 1)
}
