//! A metric as axioms see it: asked about documents that have an alpha and a sigma.

use std::cmp::Ordering;

use super::world::{AxiomTally, ScoredCase, all, members};
use super::{AxiomSettings, RankingKind, Restrict, Single};
use crate::check::states::{Probe, clearly, decide_anew};
use crate::check::verdict::TOLERANCE;
use crate::check::{domain, shape::SplitMix};
use crate::component::Component;
use crate::data::{Facets, Grades, Hit, Hits, Judged};
use crate::expression::{Docs, Measurement, Scale, SecondSystem};
use crate::measure::structure::Domain;
use crate::measure::{Aggregate, Exact, GEOMETRIC_FLOOR, Metric, Number};

/// A metric, ready to be asked about documents that have an alpha and a sigma. A built-in measure
/// is asked through the file that describes it, if there is one.
pub(super) struct AxiomSubject {
    metric: Metric,
    alpha: Measurement,
    sigma: Measurement,
    alpha_values: Vec<f64>,
    sigma_values: Vec<f64>,
    pub settings: AxiomSettings,
    pub restrict: Restrict,
}

/// More judgements with systems than this are not looked at one by one, if nobody asks for more.
const USUAL_WORLDS: f64 = 4e4;
/// Nor more than this, whatever was asked for.
const MOST_WORLDS: f64 = 2e6;
/// Pairs of systems cost less, since similarities are at hand.
const PAIRS: f64 = 30.0;

impl AxiomSubject {
    pub(super) fn new(
        metric: &Metric,
        settings: AxiomSettings,
        restrict: Restrict,
    ) -> AxiomSubject {
        let metric = crate::component::standing_for(metric).unwrap_or_else(|| metric.clone());
        let (alpha, sigma) = match Component::of(&metric) {
            Some(file) => (file.alpha().clone(), file.sigma().clone()),
            None => (Measurement::default(), Measurement::ranking()),
        };
        let grades = match settings.grades {
            None if alpha.scale.is_order() => vec![0.0, 1.0, 2.0, 3.0],
            None if !alpha.scale.has_levels() && alpha.range.is_none() => usual_grades(&metric),
            grades => values(&alpha, grades, &metric),
        };
        let sigma_values = values(&sigma, settings.grades, &metric);
        AxiomSubject {
            metric,
            alpha,
            sigma,
            alpha_values: grades,
            sigma_values,
            settings,
            restrict,
        }
    }

    pub(super) fn component(&self) -> Option<&Component> {
        Component::of(&self.metric)
    }

    pub(super) fn metric(&self) -> &Metric {
        &self.metric
    }

    pub(super) fn ranks(&self) -> bool {
        self.sigma.scale.is_order()
    }

    /// Both sides speak of the same values.
    pub(super) fn one_scale(&self) -> bool {
        !self.ranks()
            && self.alpha.levels == self.sigma.levels
            && self.alpha.scale.is_numeric() == self.sigma.scale.is_numeric()
    }

    /// The largest worlds to look at: as asked, or as usual, but no more than can be looked at.
    pub(super) fn largest(&self, usual: usize) -> usize {
        // If both sides have several values, three documents make as many worlds as four do
        // elsewhere.
        let usual = if !self.ranks() && self.alpha_values.len() > 2 { usual.min(3) } else { usual };
        self.largest_within(usual, self.most(), |judgements, systems, _| judgements * systems)
    }

    /// The largest worlds whose systems can be compared with one another.
    pub(super) fn largest_in_pairs(&self, usual: usize) -> usize {
        let most = PAIRS * self.most();
        let docs = self.largest(usual);
        self.largest_within(usual, most, |judgements, systems, n| {
            judgements * self.pairs(n, systems) * f64::from(n)
        })
        .min(docs)
    }

    /// How many worlds are looked at one by one.
    fn most(&self) -> f64 {
        if self.settings.docs.is_some() || self.settings.grades.is_some() {
            MOST_WORLDS
        } else {
            USUAL_WORLDS
        }
    }

    /// The same, if a world costs what a function of its judgements, systems and documents says.
    pub(super) fn largest_within(
        &self,
        usual: usize,
        most: f64,
        cost: impl Fn(f64, f64, i32) -> f64,
    ) -> usize {
        let wanted = self.settings.docs.map_or(usual, |docs| docs as usize);
        let small = |n: &usize| {
            let judgements = (self.alpha_values.len() as f64).powi(*n as i32);
            cost(judgements, self.systems(*n), *n as i32) <= most
        };
        (1..=wanted).take_while(small).last().unwrap_or(1)
    }

    /// How many systems there are on n documents.
    fn systems(&self, n: usize) -> f64 {
        if !self.ranks() {
            return (self.sigma_values.len() as f64).powi(n as i32);
        }
        // Of documents that can be left out, and tied if the scale has ties.
        let mut orders = vec![1.0];
        for m in 1..=n {
            let of_top = |first: usize| choose(m, first) * orders[m - first];
            orders.push(if self.ties() { (1..=m).map(of_top).sum() } else { of_top(1) });
        }
        let least = if self.leaves_out() { 0 } else { n };
        (least..=n).map(|m| choose(n, m) * orders[m]).sum()
    }

    /// How many pairs of systems are looked at on n documents, by what [`AxiomSubject::firsts`]
    /// allows.
    pub(super) fn pairs(&self, n: i32, systems: f64) -> f64 {
        match (self.ranks(), self.ties(), self.leaves_out()) {
            (false, ..) => systems * systems,
            (true, false, true) => systems * f64::from(n + 1),
            (true, false, false) => systems,
            (true, true, true) => systems * 2f64.powi(n),
            (true, true, false) => systems * 2f64.powi(n - 1),
        }
    }

    fn ties(&self) -> bool {
        self.sigma.scale != Scale::Strict
    }

    /// Whether a condition of the paper is left out.
    pub(super) fn drops(&self, condition: super::Condition) -> bool {
        self.settings.drop == Some(condition)
    }

    fn leaves_out(&self) -> bool {
        self.settings.rankings != Some(RankingKind::Full)
    }

    /// All judgements of n documents.
    pub(super) fn alphas(&self, n: usize) -> Vec<Vec<f64>> {
        let mut all = tuples(&self.alpha_values, n);
        all.retain(|alpha| self.is_judgement(alpha));
        all
    }

    /// A strict order has no ties, but among documents that are not relevant.
    fn is_judgement(&self, alpha: &[f64]) -> bool {
        let tied = |i: usize| alpha[i] > 0.0 && alpha[..i].contains(&alpha[i]);
        self.alpha.scale != Scale::Strict || !(0..alpha.len()).any(tied)
    }

    /// All systems on n documents. A document that was left out of a ranking has an infinite rank.
    pub(super) fn sigmas(&self, n: usize) -> Vec<Vec<f64>> {
        if !self.ranks() {
            return tuples(&self.sigma_values, n);
        }
        let mut all = rankings(n, self.ties());
        all.retain(|s| self.leaves_out() || s.iter().all(|r| r.is_finite()));
        all
    }

    /// How many of all systems the first of two need to be: documents have no names, so rankings
    /// that have the documents as they stand are enough, and these come first.
    pub(super) fn firsts(&self, systems: &[Vec<f64>]) -> usize {
        if self.ranks() {
            systems.iter().take_while(|s| s.is_sorted()).count()
        } else {
            systems.len()
        }
    }

    /// A random judgement of n documents.
    pub(super) fn random_alpha(&self, n: usize, random: &mut SplitMix) -> Vec<f64> {
        let mut alpha: Vec<f64> = (0..n).map(|_| one_of(&self.alpha_values, random)).collect();
        if self.alpha.scale == Scale::Strict {
            for i in 0..n {
                if alpha[..i].contains(&alpha[i]) {
                    alpha[i] = 0.0;
                }
            }
        }
        alpha
    }

    /// A random system on n documents; half of the rankings leave some out.
    pub(super) fn random_sigma(&self, n: usize, random: &mut SplitMix) -> Vec<f64> {
        if !self.ranks() {
            return (0..n).map(|_| one_of(&self.sigma_values, random)).collect();
        }
        let mut ranks: Vec<f64> = (1..=n).map(|r| r as f64).collect();
        let all = !self.leaves_out() || random.below(2) == 0;
        let left = if all { n } else { random.below(n as u64 + 1) as usize };
        ranks[left..].fill(f64::INFINITY);
        if self.ties() {
            for r in 1..left {
                if random.below(3) == 0 {
                    ranks[r] = ranks[r - 1];
                }
            }
        }
        (1..n).rev().for_each(|i| ranks.swap(i, random.below(i as u64 + 1) as usize));
        ranks
    }

    /// The highest grade that judgements can have.
    pub(super) fn top(&self) -> f64 {
        self.alpha_values.last().copied().unwrap_or(1.0)
    }

    /// The lowest alpha.
    pub(super) fn bottom(&self) -> f64 {
        self.alpha_values.first().copied().unwrap_or(0.0)
    }

    /// Which values the search tries, in words.
    pub(super) fn describe(&self) -> String {
        let set = |texts: Vec<String>| format!("{{{}}}", texts.join(", "));
        let alpha = set(self.alpha_values.iter().map(|a| self.alpha_text(*a)).collect());
        if self.ranks() {
            let which = if self.leaves_out() { " of some or all" } else { "" };
            return format!("{alpha}, all rankings{which}");
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

    /// The score of a document in a run that says what this system says; `None` if it is not
    /// retrieved.
    pub(super) fn run_score(&self, sigma: &[f64], d: usize) -> Option<f64> {
        if self.ranks() {
            return Some(sigma.len() as f64 + 1.0 - sigma[d]).filter(|score| score.is_finite());
        }
        if self.sigma.reads_scores() {
            return Some(sigma[d]);
        }
        // Two categories: retrieved or not.
        (sigma[d] > self.sigma_values[0]).then_some(1.0)
    }

    pub(super) fn sigma_text(&self, value: f64) -> String {
        if value == f64::INFINITY { "-".to_string() } else { self.sigma.text(value) }
    }

    /// The documents of a subset, by the reading of ranks that is in force.
    fn docs<N: Number>(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Docs<N> {
        let mut docs = Docs::new(N::decimal(self.top()));
        docs.alpha_is_rank = self.alpha.scale.is_order();
        for i in members(subset) {
            let a = self.alpha_value(alpha, subset, i);
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
            let worth = if self.alpha.scale.is_order() {
                N::decimal(alpha[i])
            } else {
                self.alpha.worth(&a)
            };
            docs.push(a, worth, s, pos);
        }
        docs
    }

    /// All documents as two systems have them.
    pub(super) fn two_systems(&self, alpha: &[f64], systems: [&[f64]; 2]) -> Docs<f64> {
        let [mut docs, second] = systems.map(|sigma| self.docs(alpha, sigma, all(alpha.len())));
        docs.second = SecondSystem {
            sigma: second.sigma,
            pos: second.pos,
            sims: systems.map(|sigma| self.sims(alpha, sigma)),
        };
        docs
    }

    /// What an expression sees of an alpha: itself, or the rank that it gives.
    fn alpha_value<N: Number>(&self, alpha: &[f64], subset: u32, d: usize) -> N {
        if !self.alpha.scale.is_order() {
            return N::decimal(alpha[d]);
        }
        let among = match self.restrict {
            Restrict::Renumber => subset,
            Restrict::Keep => all(alpha.len()),
        };
        N::count(1 + members(among).filter(|i| alpha[*i] > alpha[d]).count() as u32)
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
            &self.metric,
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

    /// The score of a topic, before it is averaged over queries; `None` if it is undefined.
    pub(super) fn of_topic(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Option<f64> {
        self.value(alpha, sigma, subset, |m, t| m.score(t).value()).filter(|x| !x.is_nan())
    }

    /// How much a topic weighs in the average over queries; 0 if it has no weight.
    pub(super) fn weight(&self, alpha: &[f64], sigma: &[f64]) -> f64 {
        let Some(file) = self.component() else { return 1.0 };
        let mut docs = self.docs::<f64>(alpha, sigma, all(alpha.len()));
        file.measure(self.metric.args()).weight(&mut docs).unwrap_or(0.0)
    }

    /// The metric on a subset, `None` if it is undefined: the average over one query.
    pub(super) fn score(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Option<f64> {
        self.of_topic(alpha, sigma, subset).map(|x| self.of_one(x)).filter(|x| !x.is_nan())
    }

    fn of_one<N: Number>(&self, x: N) -> N {
        match (self.component(), self.metric.aggregate()) {
            (Some(file), _) => file.average().of_one(x),
            (None, Aggregate::GeometricMean) => x.max(N::decimal(GEOMETRIC_FLOOR)),
            _ => x,
        }
    }

    /// A subset with its score.
    pub(super) fn case<'w>(
        &self,
        alpha: &'w [f64],
        sigma: &'w [f64],
        subset: u32,
    ) -> ScoredCase<'w> {
        ScoredCase { alpha, sigma, subset, score: self.score(alpha, sigma, subset) }
    }

    pub(super) fn exact(&self, alpha: &[f64], sigma: &[f64], subset: u32) -> Option<Exact> {
        let score = self.value(alpha, sigma, subset, |m, t| m.score_exact(t).value());
        score.map(|x| self.of_one(x))
    }

    /// The similarity of each document: the metric's own; for a built-in measure without a file
    /// that of the paper for rankings; for a file that has none, how far a value is from the right
    /// one.
    pub(super) fn sims(&self, alpha: &[f64], sigma: &[f64]) -> Vec<f64> {
        let mut docs = self.docs::<f64>(alpha, sigma, all(alpha.len()));
        let own = self
            .component()
            .and_then(|file| file.measure(self.metric.args()).similarities(&mut docs));
        own.unwrap_or_else(|| {
            (0..alpha.len())
                .map(|d| {
                    if !self.ranks() {
                        return -(alpha[d] - sigma[d]).abs();
                    }
                    if self.component().is_none() {
                        let misplaced =
                            |x: usize| alpha[x] > alpha[d] && self.better(sigma, d, x).is_gt();
                        return f64::from(u8::from(!(0..alpha.len()).any(misplaced)));
                    }
                    let ((low, high), (first, last)) = (ideal(alpha, d), held(sigma, d));
                    -(low - last).max(first - high).max(0.0)
                })
                .collect()
        })
    }

    /// Over-estimated (greater), under-estimated (less) or right.
    pub(super) fn direction(&self, alpha: &[f64], sigma: &[f64], d: usize) -> Ordering {
        if !self.ranks() {
            return sigma[d].partial_cmp(&alpha[d]).unwrap_or(Ordering::Equal);
        }
        let ((low, high), (first, last)) = (ideal(alpha, d), held(sigma, d));
        if last < low {
            Ordering::Greater
        } else if first > high {
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

    /// The metric on one document; `None` if it is undefined.
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

    /// The order of two scores, exact if they are near.
    pub(super) fn compare(
        &self,
        tally: &mut AxiomTally,
        a: ScoredCase<'_>,
        b: ScoredCase<'_>,
    ) -> Option<Ordering> {
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
        let exact = |case: ScoredCase<'_>| self.exact(case.alpha, case.sigma, case.subset);
        let Some((order, arithmetic)) = decide_anew(x == y, || (exact(a), exact(b))) else {
            return Some(Ordering::Equal);
        };
        tally.arithmetic = tally.arithmetic.max(arithmetic);
        Some(order)
    }

    /// All that a metric can see of a case: documents have no names.
    fn profile(&self, case: ScoredCase<'_>) -> Vec<(u64, u64)> {
        let docs = self.docs::<f64>(case.alpha, case.sigma, case.subset);
        let mut pairs: Vec<(u64, u64)> =
            docs.sigma.iter().zip(&docs.alpha).map(|(s, a)| (s.to_bits(), a.to_bits())).collect();
        pairs.sort_unstable();
        pairs
    }

    /// Whether a scale has more values than those that are tried if nobody says how many.
    pub(super) fn has_finer_grids(&self) -> bool {
        let more = |m: &Measurement, tried: &[f64]| match m.scale.has_levels() {
            true => m.levels.len() > tried.len(),
            // Two numbers are a binary scale, which has no others.
            false => m.range.is_some() || tried.len() > 2,
        };
        more(&self.alpha, &self.alpha_values) || more(&self.sigma, &self.sigma_values)
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

/// The ranks that an ideal ranking gives to the documents of this one's alpha.
fn ideal(alpha: &[f64], d: usize) -> (f64, f64) {
    let above = alpha.iter().filter(|a| **a > alpha[d]).count() as f64;
    let same = alpha.iter().filter(|a| **a == alpha[d]).count() as f64;
    (above + 1.0, above + same)
}

/// The first and the last rank that a document can be said to hold: tied documents share theirs,
/// and those that were left out share the ranks below the ranking.
fn held(sigma: &[f64], d: usize) -> (f64, f64) {
    let same = sigma.iter().filter(|s| **s == sigma[d]).count() as f64;
    let first = if sigma[d].is_finite() {
        sigma[d]
    } else {
        1.0 + sigma.iter().filter(|s| s.is_finite()).count() as f64
    };
    (first, first + same - 1.0)
}

/// The values of a scale that are tried: of levels the lowest ones and the top, of a range its ends
/// and fractions that floating point holds exactly, but first the numbers that the metric speaks of.
fn values(measurement: &Measurement, grades: Option<u32>, metric: &Metric) -> Vec<f64> {
    let (levels, several) = (measurement.levels.len(), grades.map_or(4, |g| g as usize).max(2));
    match measurement.range {
        _ if measurement.scale.has_levels() => (0..levels.min(several))
            .map(|l| if l + 1 == several { levels - 1 } else { l } as f64)
            .collect(),
        Some((low, high)) => {
            let step = (high - low) / (several as f64 - 1.0).log2().ceil().exp2();
            let fractions = (1..several - 1).map(|i| low + step * i as f64);
            let spoken_of = Component::of(metric).into_iter().flat_map(Component::numbers);
            let mut within: Vec<f64> = Vec::new();
            for x in spoken_of.filter(|x| low < *x && *x < high).chain(fractions) {
                if within.len() + 2 < several && !within.contains(&x) {
                    within.push(x);
                }
            }
            within.sort_by(f64::total_cmp);
            [low].into_iter().chain(within).chain([high]).collect()
        }
        None => (0..grades.unwrap_or(2).max(2)).map(f64::from).collect(),
    }
}

/// The grades that are tried if nobody names them: those that the metric tells apart.
fn usual_grades(metric: &Metric) -> Vec<f64> {
    let binary = || domain::binary(metric).gains().to_vec();
    match Probe::new(metric) {
        Ok(probe) if domain::of(metric, &probe) != Domain::Binary => vec![0.0, 1.0, 2.0, 3.0],
        _ => binary(),
    }
}

fn one_of(values: &[f64], random: &mut SplitMix) -> f64 {
    values[random.below(values.len() as u64) as usize]
}

fn choose(n: usize, k: usize) -> f64 {
    (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>().round()
}

fn tuples(values: &[f64], n: usize) -> Vec<Vec<f64>> {
    (0..n).fold(vec![Vec::new()], |all, _| {
        let longer = |t: &Vec<f64>| {
            values.iter().map(|v| [t.as_slice(), &[*v]].concat()).collect::<Vec<_>>()
        };
        all.iter().flat_map(longer).collect()
    })
}

/// All rankings of some or all of n documents, with ties or without: first those that have the
/// documents as they stand, the full ones before those that leave documents out.
fn rankings(n: usize, ties: bool) -> Vec<Vec<f64>> {
    let mut ranks: Vec<f64> = (1..=n).map(|r| r as f64).collect();
    ranks.push(f64::INFINITY);
    let possible = |sigma: &Vec<f64>| {
        sigma.iter().filter(|s| s.is_finite()).all(|s| {
            let above = sigma.iter().filter(|o| *o < s).count() as f64;
            let same = sigma.iter().filter(|o| *o == s).count();
            *s == above + 1.0 && (ties || same == 1)
        })
    };
    let mut all: Vec<Vec<f64>> = tuples(&ranks, n).into_iter().filter(possible).collect();
    let left_out = |s: &Vec<f64>| s.iter().filter(|r| r.is_infinite()).count();
    all.sort_by_key(|s| (!s.is_sorted(), left_out(s)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rankings_are_all_there_once_and_counted_right() {
        for (scale, counts) in [
            (Scale::Strict, [2, 5, 16, 65, 326]),
            // Weak orders of all subsets: 1 + 1, 1 + 2 + 3, 1 + 3 + 3*3 + 13, ...
            (Scale::Weak, [2, 6, 26, 150, 1082]),
        ] {
            let mut subject =
                AxiomSubject::new(&"RR".parse().unwrap(), AxiomSettings::default(), Restrict::Keep);
            subject.sigma.scale = scale;
            for (n, count) in (1..).zip(counts) {
                let mut all = subject.sigmas(n);
                assert_eq!(all.len(), count, "{scale:?} {n}");
                assert_eq!(subject.systems(n), count as f64, "{scale:?} {n}");
                let firsts = subject.firsts(&all) as f64;
                assert_eq!(
                    subject.pairs(n as i32, 1.0),
                    firsts,
                    "{scale:?} {n}: those that have the documents as they stand"
                );
                all.dedup();
                assert_eq!(all.len(), count);
            }
        }
    }
}
