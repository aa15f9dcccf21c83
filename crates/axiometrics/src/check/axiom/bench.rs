//! Small worlds in which axioms are tried: every judgement and every system of a few documents,
//! with the scores of all subsets.
//!
//! A document has no name but its place, so where systems are rankings the first of two compared
//! systems can be taken to rank the documents as they stand.

use std::cell::RefCell;
use std::cmp::Ordering;

use super::{Restrict, Settings, Single};
use crate::check::states::{clearly, decide};
use crate::check::verdict::{Arithmetic, TOLERANCE};
use crate::component::Component;
use crate::data::{Facets, Grades, Hit, Hits, Judged};
use crate::expression::{Docs, Measurement, Scale};
use crate::measure::{Exact, Metric, Number};

/// A metric, ready to be asked about documents that have an alpha and a sigma.
pub(super) struct Subject<'m> {
    metric: &'m Metric,
    alpha: Measurement,
    sigma: Measurement,
    alpha_values: Vec<f64>,
    sigma_values: Vec<f64>,
    pub settings: Settings,
    pub restrict: Restrict,
}

/// More judgements with systems than this are not looked at one by one, whatever was asked for.
const MOST_WORLDS: f64 = 2e7;

impl<'m> Subject<'m> {
    pub(super) fn new(metric: &'m Metric, settings: Settings, restrict: Restrict) -> Subject<'m> {
        let (alpha, sigma) = match Component::of(metric) {
            Some(file) => (file.alpha().clone(), file.sigma().clone()),
            None => (Measurement::default(), Measurement::ranking()),
        };
        let alpha_values = match (Component::of(metric), settings.grades) {
            // A built-in measure may count grades from another one on.
            (None, None) => crate::check::domain::binary(metric).gains().to_vec(),
            _ => values(&alpha, settings.grades),
        };
        let sigma_values = values(&sigma, settings.grades);
        Subject { metric, alpha, sigma, alpha_values, sigma_values, settings, restrict }
    }

    pub(super) fn component(&self) -> Option<&'m Component> {
        Component::of(self.metric)
    }

    pub(super) fn metric(&self) -> &Metric {
        self.metric
    }

    pub(super) fn ranks(&self) -> bool {
        self.sigma.scale.is_order()
    }

    /// Whether an axiom looks at some of the documents of a ranking alone.
    pub(super) fn restricts(&self, number: usize) -> bool {
        self.ranks()
            && match number {
                4..=7 => self.settings.single == Single::Singleton,
                8..=10 | 12 => true,
                _ => false,
            }
    }

    /// Both sides speak of the same values.
    pub(super) fn one_scale(&self) -> bool {
        !self.ranks()
            && self.alpha.levels == self.sigma.levels
            && self.alpha.scale.is_numeric() == self.sigma.scale.is_numeric()
    }

    /// The largest worlds to look at: as asked, or as usual, but no more than can be looked at.
    pub(super) fn largest(&self, usual: usize) -> usize {
        // Where both sides have several values, three documents make as many worlds as four do
        // elsewhere.
        let usual = if !self.ranks() && self.alpha_values.len() > 2 { usual.min(3) } else { usual };
        self.largest_within(usual, MOST_WORLDS, |judgements, systems, _| judgements * systems)
    }

    /// The same, where a world costs what a function of its judgements, systems and documents says.
    pub(super) fn largest_within(
        &self,
        usual: usize,
        most: f64,
        cost: impl Fn(f64, f64, i32) -> f64,
    ) -> usize {
        let wanted = self.settings.docs.map_or(usual, |docs| docs as usize);
        let small = |n: &usize| {
            let judgements = (self.alpha_values.len() as f64).powi(*n as i32);
            let rankings: f64 = (1..=*n).map(|i| i as f64).product();
            let systems = if self.ranks() {
                rankings
            } else {
                (self.sigma_values.len() as f64).powi(*n as i32)
            };
            cost(judgements, systems, *n as i32) <= most
        };
        (1..=wanted).take_while(small).last().unwrap_or(1)
    }

    /// All judgements of n documents.
    pub(super) fn alphas(&self, n: usize) -> Vec<Vec<f64>> {
        tuples(&self.alpha_values, n)
    }

    /// All systems on n documents.
    pub(super) fn sigmas(&self, n: usize) -> Vec<Vec<f64>> {
        if self.ranks() { permutations(n) } else { tuples(&self.sigma_values, n) }
    }

    /// How many of all systems the first of two need to be: documents have no names, so one ranking
    /// stands for all.
    pub(super) fn firsts(&self, systems: usize) -> usize {
        if self.ranks() { 1 } else { systems }
    }

    /// The highest grade that judgements can have.
    pub(super) fn top(&self) -> f64 {
        if self.alpha.range.is_some() {
            1.0
        } else {
            self.alpha_values.last().copied().unwrap_or(1.0)
        }
    }

    /// The grade that is read as this alpha.
    pub(super) fn grade(&self, alpha: f64) -> f64 {
        self.alpha.range.map_or(alpha, |(low, high)| (alpha - low) / (high - low))
    }

    /// Which values the search tries, in words.
    pub(super) fn describe(&self) -> String {
        let set = |texts: Vec<String>| format!("{{{}}}", texts.join(", "));
        let alpha = set(self.alpha_values.iter().map(|a| self.alpha_text(*a)).collect());
        if self.ranks() {
            return format!("{alpha}, all rankings");
        }
        format!(
            "{alpha}, systems {}",
            set(self.sigma_values.iter().map(|s| self.sigma_text(*s)).collect())
        )
    }

    /// An alpha as the file writes it.
    pub(super) fn alpha_text(&self, value: f64) -> String {
        self.alpha.text(value)
    }

    pub(super) fn sigma_text(&self, value: f64) -> String {
        self.sigma.text(value)
    }

    /// The documents of a subset, by the reading of ranks that is in force.
    fn docs<N: Number>(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Docs<N> {
        let mut docs = Docs::new(N::decimal(self.top()));
        for i in members(subset) {
            let a = N::decimal(alpha[i]);
            let rank = match self.restrict {
                Restrict::Renumber => {
                    1 + members(subset).filter(|j| sigma[*j] < sigma[i]).count() as u32
                }
                Restrict::Keep => sigma[i] as u32,
            };
            let pos =
                if self.ranks() && sigma[i].is_finite() { N::count(rank) } else { N::infinity() };
            let s = if self.ranks() { pos.clone() } else { N::decimal(sigma[i]) };
            let pos = if !self.ranks() && sigma[i] > self.sigma_values[0] { N::one() } else { pos };
            docs.push(a.clone(), self.alpha.worth(&a), s, pos);
        }
        docs
    }

    fn value<N: Number>(
        &self,
        alpha: &[f64],
        sigma: &[f64],
        subset: u32,
        of: fn(&Metric, &Judged<'_, N>) -> Option<N>,
    ) -> Option<N> {
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
        let retrieved =
            docs.pos.iter().map(Number::to_f64).filter(|p| p.is_finite()).fold(0.0, f64::max)
                as u32;
        let grades = Grades::new(docs.alpha.iter().cloned());
        let max_grade = &docs.top_grade;
        of(
            self.metric,
            &Judged {
                hits: Hits::new(&hits),
                retrieved,
                grades: (&grades).into(),
                max_grade,
                facets: Facets::default(),
                scores: &[],
            },
        )
    }

    /// The score of a subset, `None` where it is undefined.
    pub(super) fn score(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Option<f64> {
        self.value(alpha, sigma, subset, |m, t| m.score(t).value()).filter(|x| !x.is_nan())
    }

    pub(super) fn exact(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Option<Exact> {
        self.value(alpha, sigma, subset, |m, t| m.score_exact(t).value())
    }

    /// The similarity of each document: the metric's own, or how far a rank is outside of its
    /// block.
    pub(super) fn sims(&self, alpha: &[f64], sigma: &[f64]) -> Vec<f64> {
        let mut docs = self.docs::<f64>(alpha, sigma, all(alpha.len()));
        let own = self
            .component()
            .and_then(|file| file.measure(self.metric.args()).similarities(&mut docs));
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
        // Rounding aside, what holds the same documents scores the same.
        if (x - y).abs() <= TOLERANCE && self.profile(a) == self.profile(b) {
            return Some(Ordering::Equal);
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

    /// All that a metric can see of a case: documents have no names.
    fn profile(&self, case: Case<'_>) -> Vec<(u64, u64)> {
        let mut pairs: Vec<(u64, u64)> = members(case.subset)
            .map(|i| (case.sigma[i].to_bits(), case.alpha[i].to_bits()))
            .collect();
        pairs.sort_unstable();
        if self.ranks() && self.restrict == Restrict::Renumber {
            pairs.iter_mut().for_each(|(rank, _)| *rank = 0);
        }
        pairs
    }

    /// Whether the categories have an order at all.
    pub(super) fn has_order(&self) -> bool {
        let ordered = |m: &Measurement| {
            !matches!(
                m.scale,
                Scale::NominalAcross | Scale::NominalWithin | Scale::NominalUnrelated
            )
        };
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

/// All judgements and systems of n documents, with the scores of one judgement that were asked for.
pub(super) struct World<'s> {
    pub subject: &'s Subject<'s>,
    pub n: usize,
    pub alphas: Vec<Vec<f64>>,
    pub sigmas: Vec<Vec<f64>>,
    known: RefCell<Known>,
}

/// The scores of all systems and subsets under one judgement: the next one takes their place.
#[derive(Default)]
struct Known {
    alpha: Option<usize>,
    scores: Vec<Option<Option<f64>>>,
}

impl<'s> World<'s> {
    pub(super) fn new(subject: &'s Subject<'s>, n: usize) -> World<'s> {
        World {
            subject,
            n,
            alphas: subject.alphas(n),
            sigmas: subject.sigmas(n),
            known: RefCell::default(),
        }
    }

    pub(super) fn firsts(&self) -> usize {
        self.subject.firsts(self.sigmas.len())
    }

    pub(super) fn case(&self, a: usize, s: usize, subset: u32) -> Case<'_> {
        let (alpha, sigma) = (&self.alphas[a], &self.sigmas[s]);
        let known = &mut *self.known.borrow_mut();
        if known.alpha != Some(a) {
            known.alpha = Some(a);
            known.scores.clear();
            known.scores.resize(self.sigmas.len() << self.n, None);
        }
        let place = &mut known.scores[(s << self.n) + subset as usize];
        let score = *place.get_or_insert_with(|| self.subject.score(alpha, sigma, subset));
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

/// The values of a scale that are tried: of levels the lowest ones and the top, of a range its ends
/// and fractions that floating point holds exactly.
fn values(measurement: &Measurement, grades: Option<u32>) -> Vec<f64> {
    let (levels, several) = (measurement.levels.len(), grades.map_or(4, |g| g as usize).max(2));
    match measurement.range {
        _ if measurement.scale.has_levels() => (0..levels.min(several))
            .map(|l| if l + 1 == several { levels - 1 } else { l } as f64)
            .collect(),
        Some((low, high)) => {
            let step = (high - low) / (several as f64 - 1.0).log2().ceil().exp2();
            (0..several - 1).map(|i| low + step * i as f64).chain([high]).collect()
        }
        None => (0..grades.unwrap_or(2).max(2)).map(f64::from).collect(),
    }
}

fn tuples(values: &[f64], n: usize) -> Vec<Vec<f64>> {
    (0..n).fold(vec![Vec::new()], |all, _| {
        let longer = |t: &Vec<f64>| {
            values.iter().map(|v| [t.as_slice(), &[*v]].concat()).collect::<Vec<_>>()
        };
        all.iter().flat_map(longer).collect()
    })
}

/// All rankings, the documents as they stand first.
fn permutations(n: usize) -> Vec<Vec<f64>> {
    let mut all = vec![Vec::new()];
    for _ in 0..n {
        let longer = |p: &Vec<f64>| {
            (1..=n)
                .map(|r| r as f64)
                .filter(|r| !p.contains(r))
                .map(|r| [p.as_slice(), &[r]].concat())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
