//! What a judgement and a run say of a document on the scales of a metric.

use std::cmp::Ordering;

use super::program::DocumentRelation;
use super::scale::Scale;
use crate::data::Judged;
use crate::number::{Exact, Number};

/// A scale with what belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// The scale.
    pub scale: Scale,
    /// The names of its categories, the lowest first.
    pub levels: Vec<String>,
    /// What each category is worth; the number of the category if nothing is said.
    pub gain: Vec<f64>,
    /// The ends of a numeric scale.
    pub range: Option<(f64, f64)>,
    /// A run's score is the number of the category, even if there are only two: a system says of
    /// each document which it is, and does not say it by retrieving it.
    pub by_score: bool,
}

impl Default for Measurement {
    /// Numbers as they are.
    fn default() -> Measurement {
        Measurement {
            scale: Scale::Ratio,
            levels: Vec::new(),
            gain: Vec::new(),
            range: None,
            by_score: false,
        }
    }
}

impl Measurement {
    /// A ranking.
    pub fn ranking() -> Measurement {
        Measurement { scale: Scale::Strict, ..Measurement::default() }
    }

    /// Whether the system's side is read from the scores of a run, not from its ranks.
    pub fn reads_scores(&self) -> bool {
        self.scale.is_numeric() || self.levels.len() > 2 || self.by_score
    }

    /// Whether documents of equal scores share a rank: that of the first of them.
    pub fn shares_ranks(&self) -> bool {
        matches!(self.scale, Scale::Weak | Scale::Partial)
    }

    /// The lowest value.
    pub(crate) fn lowest<N: Number>(&self) -> N {
        self.range.map_or(N::zero(), |(low, _)| N::decimal(low))
    }

    /// The category of a grade or of a score: grade i is level i, and what is above the top is the
    /// top.
    fn level(&self, grade: f64) -> u32 {
        (grade.max(0.0) as usize).min(self.levels.len().saturating_sub(1)) as u32
    }

    /// What an assessor's grade is on this scale; `None` if it is outside of it. On an order it is a
    /// rank, 1 for the highest grade: `above` counts the higher grades.
    pub(crate) fn of_grade<N: Number>(&self, grade: &N, above: impl Fn(&N) -> u32) -> Option<N> {
        if self.scale.has_levels() {
            return Some(N::count(self.level(grade.to_f64())));
        }
        if self.scale.is_order() {
            return Some(N::count(1 + above(grade)));
        }
        let x = grade.to_f64();
        match self.range {
            Some((low, high)) => (x >= low && x <= high).then(|| grade.clone()),
            None => Some(grade.clone().max(N::zero())),
        }
    }

    /// Whether a document that nobody judged has a value: 0, if that is on the scale.
    pub(crate) fn holds_zero(&self) -> bool {
        self.range.is_none_or(|(low, high)| low <= 0.0 && 0.0 <= high)
    }

    /// What a value of the assessor's scale is worth.
    pub(crate) fn worth<N: Number>(&self, value: &N) -> N {
        match self.gain.get(value.to_f64() as usize).filter(|_| self.scale.has_levels()) {
            Some(gain) => N::decimal(*gain),
            None => value.clone(),
        }
    }

    /// What a document at a rank is on the system's scale; `None` if its score is outside of it.
    pub(crate) fn of_rank<N: Number>(
        &self,
        rank: Option<u32>,
        pos: &N,
        scores: &[f64],
    ) -> Option<N> {
        if self.scale.is_order() {
            return Some(pos.clone());
        }
        match rank {
            _ if !self.reads_scores() => Some(N::count(u32::from(rank.is_some()))),
            Some(rank) => scores.get(rank as usize - 1).and_then(|s| self.of_score(*s)),
            None => Some(self.lowest()),
        }
    }

    /// What a run's score is on the system's scale; `None` if it is outside of it.
    fn of_score<N: Number>(&self, score: f64) -> Option<N> {
        if self.scale.has_levels() {
            let known = score >= 0.0 && (score as usize) < self.levels.len();
            return known.then(|| N::count(self.level(score)));
        }
        let inside = self.range.is_none_or(|(low, high)| score >= low && score <= high);
        inside.then(|| N::decimal(score))
    }
}

/// The documents of a topic as a component metric sees them, column by column.
#[derive(Debug, Clone)]
pub(crate) struct Docs<N> {
    pub alpha: Vec<N>,
    pub sigma: Vec<N>,
    /// Infinite if the document was not retrieved.
    pub pos: Vec<N>,
    /// The ranks of retrieved documents, if they share positions; empty otherwise.
    pub ranks: Vec<Option<u32>>,
    pub gain: Vec<N>,
    /// Empty until it is asked for.
    pub ideal: Vec<N>,
    /// 1 if somebody judged the document, 0 if not.
    pub judged: Vec<N>,
    pub top_grade: N,
    /// Alphas are ranks: the smaller, the better.
    pub alpha_is_rank: bool,
    /// Which documents the assessor prefers to which, row by row, if that is more than alphas tell.
    pub above: Vec<bool>,
    /// Which documents the system has above which, row by row, if that is more than positions tell.
    pub ranked_above: Vec<bool>,
    /// The clusters of each document by the assessor and by the system; none if nothing is
    /// clustered.
    pub clusters: Option<[Vec<Vec<u32>>; 2]>,
    /// What a second system says; empty if there is none.
    pub second: SecondSystem<N>,
}

/// A second system on the same documents, and how similar each is to the assessor.
#[derive(Debug, Clone)]
pub(crate) struct SecondSystem<N> {
    pub sigma: Vec<N>,
    pub pos: Vec<N>,
    /// Of the first system and of this one.
    pub sims: [Vec<N>; 2],
}

impl<N> Default for SecondSystem<N> {
    fn default() -> Self {
        SecondSystem { sigma: Vec::new(), pos: Vec::new(), sims: [Vec::new(), Vec::new()] }
    }
}

/// The decimal fraction that a number prints as.
pub(crate) fn exactly<N: Number>(x: &N) -> Exact {
    let x = x.to_f64();
    if x.is_infinite() { Exact::infinity() } else { Exact::decimal(x) }
}

impl<N: Number> Docs<N> {
    /// The same documents in numbers that do not round.
    pub(crate) fn exactly(&self) -> Docs<Exact> {
        let all = |column: &[N]| column.iter().map(exactly).collect();
        Docs {
            alpha: all(&self.alpha),
            sigma: all(&self.sigma),
            pos: all(&self.pos),
            ranks: self.ranks.clone(),
            gain: all(&self.gain),
            ideal: all(&self.ideal),
            judged: all(&self.judged),
            top_grade: exactly(&self.top_grade),
            alpha_is_rank: self.alpha_is_rank,
            above: self.above.clone(),
            ranked_above: self.ranked_above.clone(),
            clusters: self.clusters.clone(),
            second: SecondSystem {
                sigma: all(&self.second.sigma),
                pos: all(&self.second.pos),
                sims: [all(&self.second.sims[0]), all(&self.second.sims[1])],
            },
        }
    }

    pub(crate) fn new(top_grade: N) -> Docs<N> {
        Docs {
            alpha: Vec::new(),
            sigma: Vec::new(),
            pos: Vec::new(),
            ranks: Vec::new(),
            gain: Vec::new(),
            ideal: Vec::new(),
            judged: Vec::new(),
            second: SecondSystem::default(),
            alpha_is_rank: false,
            above: Vec::new(),
            ranked_above: Vec::new(),
            clusters: None,
            top_grade,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.alpha.len()
    }

    /// Adds a document that somebody judged.
    pub(crate) fn push(&mut self, alpha: N, gain: N, sigma: N, pos: N) {
        self.judged.push(N::one());
        self.alpha.push(alpha);
        self.gain.push(gain);
        self.sigma.push(sigma);
        self.pos.push(pos);
    }

    /// Whether a document stands so to another.
    pub(crate) fn stand(&self, relation: DocumentRelation, one: usize, other: usize) -> bool {
        let at = one * self.len() + other;
        match relation {
            DocumentRelation::Prefers if !self.above.is_empty() => self.above[at],
            DocumentRelation::Prefers if self.alpha_is_rank => self.alpha[one] < self.alpha[other],
            DocumentRelation::Prefers => self.alpha[one] > self.alpha[other],
            DocumentRelation::Ranks if !self.ranked_above.is_empty() => self.ranked_above[at],
            DocumentRelation::Ranks => self.pos[one] < self.pos[other],
            DocumentRelation::Related => self.share_a_cluster(0, one, other),
            DocumentRelation::Together => self.share_a_cluster(1, one, other),
        }
    }

    /// A document that is in no cluster is one of its own.
    fn share_a_cluster(&self, side: usize, one: usize, other: usize) -> bool {
        match &self.clusters {
            _ if one == other => true,
            None => false,
            Some(sides) => {
                let (one, other) = (&sides[side][one], &sides[side][other]);
                one.iter().any(|cluster| other.contains(cluster))
            }
        }
    }

    /// The documents of a topic that several judges graded, as a partial order: a document is above
    /// another if a judge graded it higher and none lower; a judge who did not grade one gives it 0.
    /// Its alpha is 1 more than the number of documents above it. What nobody judged is left out.
    fn of_judges(topic: &Judged<'_, N>, sigma: &Measurement) -> Result<Docs<N>, &'static str> {
        let mut docs = Docs::new(topic.max_grade.clone());
        docs.alpha_is_rank = true;
        let rows = topic.facets.rows;
        let judges = topic.facets.table_len();
        let graded: Vec<(u32, Vec<f64>)> = rows
            .chunk_by(|a, b| a.doc == b.doc)
            .map(|own| {
                let mut grades = vec![0.0; judges];
                own.iter().for_each(|row| grades[row.facet as usize] = row.grade.max(0.0));
                (own[0].doc, grades)
            })
            .collect();
        let above = |x: &[f64], y: &[f64]| {
            let pairs = || x.iter().zip(y);
            pairs().all(|(x, y)| x >= y) && pairs().any(|(x, y)| x > y)
        };
        for (_, x) in &graded {
            docs.above.extend(graded.iter().map(|(_, y)| above(x, y)));
        }
        let n = graded.len();
        let shared = if sigma.shares_ranks() { first_ranks(topic.scores) } else { Vec::new() };
        for (place, (doc, grades)) in graded.iter().enumerate() {
            let higher = (0..n).filter(|other| docs.above[other * n + place]).count() as u32;
            let gain = grades.iter().copied().fold(0.0, f64::max);
            let rank = topic.hits.iter().find(|hit| hit.doc == *doc).map(|hit| hit.rank);
            let pos = rank.map(|rank| shared.get(rank as usize - 1).copied().unwrap_or(rank));
            let pos = pos.map_or_else(N::infinity, N::count);
            let s = sigma.of_rank(rank, &pos, topic.scores);
            let s = s.ok_or("a score of the run is not on the metric's scale for systems")?;
            docs.ranks.extend((!shared.is_empty()).then_some(rank));
            docs.push(N::count(1 + higher), N::decimal(gain), s, pos);
        }
        Ok(docs)
    }

    /// Puts a partial order in the place of a ranking of so many documents, whose ranks are the
    /// positions so far: a position comes after all documents above.
    pub(crate) fn reorder(&mut self, retrieved: u32, above: impl Fn(u32, u32) -> bool) {
        let rank = |pos: &N| (pos.to_f64() <= f64::from(retrieved)).then(|| pos.to_f64() as u32);
        let ranks: Vec<Option<u32>> = self.pos.iter().map(rank).collect();
        self.ranked_above.clear();
        for one in &ranks {
            self.ranked_above.extend(ranks.iter().map(|other| match (one, other) {
                (Some(one), Some(other)) => above(*one, *other),
                (one, other) => one.is_some() && other.is_none(),
            }));
        }
        for (doc, rank) in ranks.iter().enumerate() {
            if let Some(rank) = rank {
                let higher = (1..=retrieved).filter(|other| above(*other, *rank)).count() as u32;
                self.pos[doc] = N::count(1 + higher);
                self.sigma[doc] = self.pos[doc].clone();
            }
        }
    }

    /// How many documents are worth something.
    pub(crate) fn relevant(&self) -> u32 {
        self.gain.iter().filter(|g| **g > N::zero()).count() as u32
    }

    /// The documents of a judged topic. `dense`: all that were judged or retrieved; otherwise those
    /// with a grade above zero, which are all that matter. Fails, with the reason, if a grade or a
    /// score is not on its scale. Documents that nobody judged are left out if 0 is not a value.
    pub(crate) fn of_topic(
        topic: &Judged<'_, N>,
        alpha: &Measurement,
        sigma: &Measurement,
        dense: bool,
    ) -> Result<Docs<N>, &'static str> {
        if alpha.scale == Scale::Partial {
            return Docs::of_judges(topic, sigma);
        }
        let mut docs = Docs::new(topic.max_grade.clone());
        docs.alpha_is_rank = alpha.scale.is_order();
        let most = topic.grades.positive.len()
            + if dense { (topic.retrieved + topic.grades.zero) as usize } else { 0 };
        for column in [&mut docs.alpha, &mut docs.gain, &mut docs.sigma, &mut docs.pos] {
            column.reserve(most);
        }
        let zero = N::zero();
        let higher = topic.grades.positive;
        if alpha.scale == Scale::Strict && higher.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(
                "the assessor gives one grade to several documents, and the metric's scale for assessors is strict",
            );
        }
        // The grades above zero are in descending order.
        let above = |grade: &N| higher.partition_point(|g| g > grade) as u32;
        let shared = if sigma.shares_ranks() { first_ranks(topic.scores) } else { Vec::new() };
        // Most documents have the grade of the one before.
        let mut last: Option<(N, N, N)> = None;
        let mut add = |grade: &N, rank: Option<u32>| {
            let (_, a, worth) = match last.take().filter(|(before, ..)| before == grade) {
                Some(same) => last.insert(same),
                None => {
                    let a = alpha.of_grade(grade, above).ok_or(
                        "a grade of the judgements is not on the metric's scale for assessors",
                    )?;
                    let worth =
                        if alpha.scale.is_order() { grade.clone() } else { alpha.worth(&a) };
                    last.insert((grade.clone(), a, worth))
                }
            };
            let pos = rank.map(|rank| shared.get(rank as usize - 1).copied().unwrap_or(rank));
            let pos = pos.map_or_else(N::infinity, N::count);
            let s = sigma.of_rank(rank, &pos, topic.scores);
            docs.ranks.extend((!shared.is_empty()).then_some(rank));
            docs.push(
                a.clone(),
                worth.clone(),
                s.ok_or("a score of the run is not on the metric's scale for systems")?,
                pos,
            );
            Ok::<(), &'static str>(())
        };
        let positive = topic.hits.iter().filter(|h| h.grade > zero);
        // The places of the documents that nobody judged.
        let mut unjudged = Vec::new();
        if dense {
            let mut known = topic.hits.iter().filter(|h| h.grade >= zero).peekable();
            let mut place = 0;
            for rank in 1..=topic.retrieved {
                match known.next_if(|h| h.rank == rank) {
                    Some(hit) if hit.grade > zero => add(&hit.grade, Some(rank))?,
                    _ if !alpha.holds_zero() => continue,
                    hit => {
                        unjudged.extend(hit.is_none().then_some(place));
                        add(&zero, Some(rank))?;
                    }
                }
                place += 1;
            }
        } else {
            positive.clone().try_for_each(|h| add(&h.grade, Some(h.rank)))?;
        }
        let mut seen: Vec<&N> = positive.map(|h| &h.grade).collect();
        seen.sort_by(|a, b| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        let mut seen = seen.into_iter().peekable();
        for grade in topic.grades.positive {
            if seen.next_if(|g| *g == grade).is_none() {
                add(grade, None)?;
            }
        }
        if dense && alpha.holds_zero() {
            let retrieved = topic.hits.iter().filter(|h| h.grade.is_zero()).count() as u32;
            (0..topic.grades.zero.saturating_sub(retrieved)).try_for_each(|_| add(&zero, None))?;
        }
        unjudged.into_iter().for_each(|place: usize| docs.judged[place] = N::zero());
        Ok(docs)
    }

    /// Fills in the positions of the ideal ranking: by gain, and among equals as they stand.
    pub(crate) fn rank_ideally(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by(|a, b| self.gain[*b].partial_cmp(&self.gain[*a]).unwrap_or(Ordering::Equal));
        self.ideal = vec![N::zero(); self.len()];
        for (rank, doc) in (1..).zip(order) {
            self.ideal[doc] = N::count(rank);
        }
    }
}

/// For each rank the first one of the same score.
fn first_ranks(scores: &[f64]) -> Vec<u32> {
    let mut first = 1;
    let ranks = 1..=scores.len() as u32;
    ranks
        .map(|rank| {
            let at = rank as usize - 1;
            if at > 0 && scores[at] != scores[at - 1] {
                first = rank;
            }
            first
        })
        .collect()
}

impl Measurement {
    /// A value of this scale as a person writes it.
    pub(crate) fn text(&self, value: f64) -> String {
        match self.levels.get(value as usize).filter(|_| self.scale.has_levels()) {
            Some(level) => level.clone(),
            None => crate::number::fraction(value),
        }
    }
}
