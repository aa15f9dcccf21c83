//! Small worlds in which axioms are tried: every judgement and every system of a few documents, with the scores of all subsets.
//!
//! A document has no name but its place, so where systems are rankings the first of two compared systems can be taken to rank the documents as they stand.

use std::cell::RefCell;
use std::cmp::Ordering;

use super::{Restrict, Settings, Single};
use crate::check::states::{clearly, decide};
use crate::check::verdict::Arithmetic;
use crate::component::{Component, Docs, Measurement, Scale};
use crate::data::{Facets, Grades, Hit, Judged};
use crate::measure::{Exact, Metric, Number};

/// A metric, ready to be asked about documents that have an alpha and a sigma.
pub(super) struct Subject<'m> {
    metric: &'m Metric,
    alpha: Measurement,
    sigma: Measurement,
    pub settings: Settings,
}

impl<'m> Subject<'m> {
    pub(super) fn new(metric: &'m Metric, settings: Settings) -> Subject<'m> {
        let (alpha, sigma) = match metric.component() {
            Some(file) => (file.alpha().clone(), file.sigma().clone()),
            None => (Measurement::default(), Measurement::ranking()),
        };
        Subject { metric, alpha, sigma, settings }
    }

    pub(super) fn component(&self) -> Option<&'static Component> {
        self.metric.component()
    }

    pub(super) fn metric(&self) -> &Metric {
        self.metric
    }

    pub(super) fn ranks(&self) -> bool {
        self.sigma.scale.is_order()
    }

    /// Both sides speak of the same values.
    pub(super) fn one_scale(&self) -> bool {
        !self.ranks() && self.alpha.levels == self.sigma.levels && self.alpha.scale.is_numeric() == self.sigma.scale.is_numeric()
    }

    fn values(measurement: &Measurement) -> Vec<f64> {
        match measurement.range {
            _ if measurement.scale.has_levels() => (0..measurement.levels.len().min(3)).map(|l| l as f64).collect(),
            Some((low, high)) => vec![low, (low + high) / 2.0, high],
            None => vec![0.0, 1.0],
        }
    }

    /// All judgements of n documents.
    pub(super) fn alphas(&self, n: usize) -> Vec<Vec<f64>> {
        tuples(&Subject::values(&self.alpha), n)
    }

    /// All systems on n documents.
    pub(super) fn sigmas(&self, n: usize) -> Vec<Vec<f64>> {
        if self.ranks() { permutations(n) } else { tuples(&Subject::values(&self.sigma), n) }
    }

    /// Which system values the search tries, in words.
    pub(super) fn describe(&self) -> String {
        let set =
            |values: Vec<f64>| format!("{{{}}}", values.iter().map(|v| crate::check::witness::gain(*v)).collect::<Vec<_>>().join(", "));
        let alpha = set(Subject::values(&self.alpha));
        if self.ranks() { format!("{alpha}, all rankings") } else { format!("{alpha}, systems {}", set(Subject::values(&self.sigma))) }
    }

    /// An alpha as the file writes it.
    pub(super) fn alpha_text(&self, value: f64) -> String {
        text(&self.alpha, value)
    }

    pub(super) fn sigma_text(&self, value: f64) -> String {
        text(&self.sigma, value)
    }

    /// The documents of a subset, by the reading of ranks that is in force.
    fn docs<N: Number>(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Docs<N> {
        let mut docs = Docs::new(N::one());
        for i in members(subset) {
            let a = N::decimal(alpha[i]);
            let rank = match self.settings.restrict {
                Restrict::Renumber => 1 + members(subset).filter(|j| sigma[*j] < sigma[i]).count() as u32,
                Restrict::Keep => sigma[i] as u32,
            };
            let pos = if self.ranks() && sigma[i].is_finite() { N::count(rank) } else { N::approx(f64::INFINITY) };
            let s = if self.ranks() { pos.clone() } else { N::decimal(sigma[i]) };
            let pos = if !self.ranks() && sigma[i] > Subject::values(&self.sigma)[0] { N::one() } else { pos };
            docs.push(a.clone(), self.alpha.worth(&a), s, pos);
        }
        docs
    }

    fn value<N: Number>(&self, alpha: &[f64], sigma: &[f64], subset: u32, of: fn(&Metric, &Judged<'_, N>) -> Option<N>) -> Option<N> {
        let mut docs = self.docs::<N>(alpha, sigma, subset);
        if let Some(file) = self.component() {
            return file.measure(self.metric.args()).score_docs(&mut docs).value();
        }
        let mut hits: Vec<Hit<N>> = Vec::new();
        for i in 0..docs.len() {
            let rank = docs.pos[i].to_f64();
            if rank.is_finite() && (docs.alpha[i] > N::zero() || self.metric.needs().judged) {
                hits.push(Hit { rank: rank as u32, doc: i as u32, grade: docs.alpha[i].clone() });
            }
        }
        hits.sort_by_key(|h| h.rank);
        let retrieved = docs.pos.iter().map(Number::to_f64).filter(|p| p.is_finite()).fold(0.0, f64::max) as u32;
        let grades = Grades::new(docs.alpha.iter().cloned());
        let one = N::one();
        of(
            self.metric,
            &Judged { hits: &hits, retrieved, grades: (&grades).into(), max_grade: &one, facets: Facets::default(), scores: &[] },
        )
    }

    /// The score of a subset, `None` where it is undefined.
    pub(super) fn score(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Option<f64> {
        self.value(alpha, sigma, subset, |m, t| m.score(t).value()).filter(|x| !x.is_nan())
    }

    pub(super) fn exact(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Option<Exact> {
        self.value(alpha, sigma, subset, |m, t| m.score_exact(t).value())
    }

    /// The similarity of each document: the metric's own, or how far a rank is outside of its block.
    pub(super) fn sims(&self, alpha: &[f64], sigma: &[f64]) -> Vec<f64> {
        let mut docs = self.docs::<f64>(alpha, sigma, all(alpha.len()));
        let own = self.component().and_then(|file| file.measure(self.metric.args()).similarities(&mut docs));
        own.unwrap_or_else(|| {
            (0..alpha.len())
                .map(|d| match self.block(alpha, d) {
                    _ if !self.ranks() => -(alpha[d] - sigma[d]).abs(),
                    (low, high) => -(low - sigma[d]).max(sigma[d] - high).max(0.0),
                })
                .collect()
        })
    }

    /// The ranks that an ideal ranking gives to the documents of this one's alpha.
    fn block(&self, alpha: &[f64], d: usize) -> (f64, f64) {
        let above = alpha.iter().filter(|a| **a > alpha[d]).count() as f64;
        let same = alpha.iter().filter(|a| **a == alpha[d]).count() as f64;
        (above + 1.0, above + same)
    }

    /// Over-estimated (greater), under-estimated (less) or right.
    pub(super) fn direction(&self, alpha: &[f64], sigma: &[f64], d: usize) -> Ordering {
        if !self.ranks() {
            return sigma[d].partial_cmp(&alpha[d]).unwrap_or(Ordering::Equal);
        }
        let (low, high) = self.block(alpha, d);
        if sigma[d] < low {
            Ordering::Greater
        } else if sigma[d] > high {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }

    /// The order of two documents by the system: greater is better, and a smaller rank is.
    pub(super) fn better(&self, sigma: &[f64], d: usize, other: usize) -> Ordering {
        let order = sigma[d].partial_cmp(&sigma[other]).unwrap_or(Ordering::Equal);
        if self.ranks() { order.reverse() } else { order }
    }

    /// The metric on one document; `None` where it is undefined.
    pub(super) fn on_document(&self, alpha: &[f64], sigma: &[f64], d: usize) -> Option<f64> {
        match self.settings.single {
            Single::Singleton => self.score(alpha, sigma, 1 << d),
            Single::CeterisParibus => self.score(alpha, sigma, all(alpha.len())),
            Single::Contribution => {
                let mut docs = self.docs::<f64>(alpha, sigma, all(alpha.len()));
                let all = self.component()?.measure(self.metric.args()).contributions(&mut docs)?;
                all.get(d).copied().filter(|x| !x.is_nan())
            }
        }
    }

    /// The order of two scores, exact where they are near.
    pub(super) fn compare(&self, tally: &mut Tally, a: Case<'_>, b: Case<'_>) -> Option<Ordering> {
        let (Some(x), Some(y)) = (a.score, b.score) else {
            tally.skipped += 1;
            return None;
        };
        if let Some(order) = clearly(x, y) {
            return Some(order);
        }
        match (self.exact(a.alpha, a.sigma, a.subset), self.exact(b.alpha, b.sigma, b.subset)) {
            (Some(x), Some(y)) => {
                let (order, arithmetic) = decide(&x, &y);
                if arithmetic == Arithmetic::Tolerance {
                    tally.arithmetic = arithmetic;
                }
                Some(order)
            }
            _ => Some(Ordering::Equal),
        }
    }

    /// Whether the categories have an order at all.
    pub(super) fn has_order(&self) -> bool {
        let ordered = |m: &Measurement| !matches!(m.scale, Scale::NominalAcross | Scale::NominalWithin | Scale::NominalUnrelated);
        ordered(&self.alpha) && ordered(&self.sigma)
    }
}

/// A score, and what it is the score of.
#[derive(Clone, Copy)]
pub(super) struct Case<'w> {
    pub alpha: &'w [f64],
    pub sigma: &'w [f64],
    pub subset: u32,
    pub score: Option<f64>,
}

/// What a search has met.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Instances that meet the premises.
    pub premises: u64,
    pub skipped: u64,
    pub ties: u64,
    pub arithmetic: Arithmetic,
}

/// All judgements and systems of n documents, with the scores that were asked for.
pub(super) struct World<'s> {
    pub subject: &'s Subject<'s>,
    pub n: usize,
    pub alphas: Vec<Vec<f64>>,
    pub sigmas: Vec<Vec<f64>>,
    scores: RefCell<Vec<Option<Option<f64>>>>,
}

impl<'s> World<'s> {
    pub(super) fn new(subject: &'s Subject<'s>, n: usize) -> World<'s> {
        let (alphas, sigmas) = (subject.alphas(n), subject.sigmas(n));
        let scores = RefCell::new(vec![None; (alphas.len() * sigmas.len()) << n]);
        World { subject, n, alphas, sigmas, scores }
    }

    /// The systems that the first of two need to be: one ranking stands for all.
    pub(super) fn firsts(&self) -> usize {
        if self.subject.ranks() { 1 } else { self.sigmas.len() }
    }

    pub(super) fn case(&self, a: usize, s: usize, subset: u32) -> Case<'_> {
        let (alpha, sigma) = (&self.alphas[a], &self.sigmas[s]);
        let at = ((a * self.sigmas.len() + s) << self.n) + subset as usize;
        let known = self.scores.borrow()[at];
        let score = known.unwrap_or_else(|| {
            let score = self.subject.score(alpha, sigma, subset);
            self.scores.borrow_mut()[at] = Some(score);
            score
        });
        Case { alpha, sigma, subset, score }
    }
}

/// All documents of n.
pub(super) fn all(n: usize) -> u32 {
    (1 << n) - 1
}

/// The documents of a subset.
pub(super) fn members(subset: u32) -> impl Iterator<Item = usize> {
    (0..32).filter(move |i| subset >> i & 1 == 1)
}

fn text(measurement: &Measurement, value: f64) -> String {
    match measurement.levels.get(value as usize).filter(|_| measurement.scale.has_levels()) {
        Some(level) => level.clone(),
        None => crate::check::witness::gain(value),
    }
}

fn tuples(values: &[f64], n: usize) -> Vec<Vec<f64>> {
    (0..n).fold(vec![Vec::new()], |all, _| {
        let longer = |t: &Vec<f64>| values.iter().map(|v| [t.as_slice(), &[*v]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(longer).collect()
    })
}

/// All rankings, the documents as they stand first.
fn permutations(n: usize) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer =
            |p: &Vec<f64>| (1..=n).map(|r| r as f64).filter(|r| !p.contains(r)).map(|r| [p.as_slice(), &[r]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all
}
