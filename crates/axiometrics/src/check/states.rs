//! Scoring rankings that exist only for a check.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::Mutex;

use super::verdict::{Arithmetic, TOLERANCE};
use super::witness::State;
use crate::data::{Facet, Facets, GradesRef, Hit, Hits, Judged};
use crate::measure::{Exact, Metric, Number, Score};
use crate::number::precisely;

/// Scores nearer than this are compared in exact arithmetic.
pub(super) const NEAR: f64 = 1e-9;

/// The parts of a judged topic, kept between states so that a search allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Buffer<N> {
    hits: Vec<Hit<N>>,
    positive: Vec<N>,
    zero: u32,
}

impl<N: Number> Buffer<N> {
    pub(super) fn new() -> Buffer<N> {
        Buffer { hits: Vec::new(), positive: Vec::new(), zero: 0 }
    }

    /// Takes the collection whose documents have these gains, in rank order. As from a file,
    /// documents without gain are only seen by metrics that need them.
    pub(super) fn fill(&mut self, gains: impl Iterator<Item = N>, judged: bool) {
        self.hits.clear();
        self.positive.clear();
        self.zero = 0;
        for (doc, grade) in (0u32..).zip(gains) {
            let positive = grade > N::zero();
            if positive {
                self.positive.push(grade.clone());
            } else {
                self.zero += 1;
            }
            if positive || judged {
                self.hits.push(Hit { rank: doc + 1, doc, grade });
            }
        }
        self.positive.sort_by(|a, b| b.partial_cmp(a).unwrap_or(Ordering::Equal));
    }

    /// The ranking down to rank k. What lies below was not retrieved, so its order cannot matter.
    pub(super) fn view<'a>(&'a self, k: u32, max_grade: &'a N) -> Judged<'a, N> {
        let seen = self.hits.partition_point(|h| h.rank <= k);
        Judged {
            hits: Hits::new(&self.hits[..seen]),
            retrieved: k,
            grades: GradesRef { positive: &self.positive, zero: self.zero, negative: 0 },
            max_grade,
            facets: Facets::default(),
            scores: &[],
        }
    }
}

/// A metric at every depth, and as it was typed.
#[derive(Debug)]
pub(super) struct Probe {
    typed: Metric,
    judged: bool,
    at: Vec<Metric>,
    /// The first ranking whose score was NaN.
    nan: Mutex<Option<String>>,
}

/// Deeper cutoffs are made when they are asked for.
const CACHED: u32 = 8;

impl Probe {
    /// Refuses, with the reason, a metric whose scores are not those of one ranking.
    pub(super) fn new(metric: &Metric) -> Result<Probe, String> {
        if let Some(why) = metric.structure().exempt {
            return Err(why.to_string());
        }
        if metric.needs().facet != Facet::None {
            return Err("it reads judgements by subtopic, group or stratum, which a ranking of gains does not have".to_string());
        }
        if metric.aggregate() == crate::measure::Aggregate::Sum {
            return Err(
                "it counts documents, to be summed over topics, and does not score a ranking"
                    .to_string(),
            );
        }
        let at = (1..=CACHED)
            .map(|k| metric.at(k))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|e| e.to_string())?;
        Ok(Probe {
            judged: metric.needs().judged,
            typed: metric.clone(),
            at,
            nan: Mutex::new(None),
        })
    }

    fn float(&self, metric: &Metric, v: &[f64], k: u32, max_grade: f64) -> Option<f64> {
        let mut buffer = Buffer::new();
        buffer.fill(v.iter().copied(), metric.needs().judged);
        self.defined(metric.score(&buffer.view(k, &max_grade)), k, || v.to_vec())
    }

    /// NaN is no score, whatever a formula says; the first one is kept in mind.
    pub(super) fn defined(
        &self,
        score: Score,
        k: u32,
        gains: impl FnOnce() -> Vec<f64>,
    ) -> Option<f64> {
        let value = score.value()?;
        if !value.is_nan() {
            return Some(value);
        }
        if let Ok(mut nan) = self.nan.lock()
            && nan.is_none()
        {
            *nan = Some(State { gains: gains(), k, score: None }.ranking());
        }
        None
    }

    /// Why nothing can be said, if a score was NaN.
    pub(super) fn nan(&self) -> Option<String> {
        let ranking = self.nan.lock().ok()?.clone()?;
        Some(format!("its score of {ranking} is NaN, which is not a number: it was stopped there"))
    }

    /// The metric at a cutoff.
    pub(super) fn at(&self, k: u32) -> Option<Cow<'_, Metric>> {
        match self.at.get(k as usize - 1) {
            Some(metric) => Some(Cow::Borrowed(metric)),
            None => self.typed.at(k).ok().map(Cow::Owned),
        }
    }

    /// The metric as typed.
    pub(super) fn typed(&self) -> &Metric {
        &self.typed
    }

    /// Whether documents without gain must be shown.
    pub(super) fn judged(&self) -> bool {
        self.judged
    }

    /// The score of the state (v, k); `None` if it is undefined.
    pub(super) fn score(&self, v: &[f64], k: u32, max_grade: f64) -> Option<f64> {
        self.float(self.at(k)?.as_ref(), v, k, max_grade)
    }

    /// The same, exactly where the formula is rational.
    pub(super) fn exact(&self, v: &[f64], k: u32, max_grade: f64) -> Option<Exact> {
        exact(self.at(k)?.as_ref(), v, k, max_grade)
    }

    /// The score, by the metric as typed, of a ranking of the first n documents of v.
    pub(super) fn typed_score(&self, v: &[f64], n: u32, max_grade: f64) -> Option<f64> {
        self.float(&self.typed, v, n, max_grade)
    }

    /// The same, exactly where the formula is rational.
    pub(super) fn typed_exact(&self, v: &[f64], n: u32, max_grade: f64) -> Option<Exact> {
        exact(&self.typed, v, n, max_grade)
    }
}

/// The score of the first k documents of v; `None` if it is undefined.
pub(super) fn score(metric: &Metric, v: &[f64], k: u32, max_grade: f64) -> Option<f64> {
    let mut buffer = Buffer::new();
    buffer.fill(v.iter().copied(), metric.needs().judged);
    metric.score(&buffer.view(k, &max_grade)).value().filter(|x| !x.is_nan())
}

fn exact(metric: &Metric, v: &[f64], k: u32, max_grade: f64) -> Option<Exact> {
    let mut buffer = Buffer::new();
    buffer.fill(v.iter().map(|g| Exact::decimal(*g)), metric.needs().judged);
    metric
        .score_exact(&buffer.view(k, &Exact::decimal(max_grade)))
        .value()
        .filter(|x| !x.to_f64().is_nan())
}

/// The order of two floating-point scores if they are far enough apart to trust it.
pub(super) fn clearly(a: f64, b: f64) -> Option<Ordering> {
    let far =
        (a - b).abs() > NEAR * a.abs().max(b.abs()).max(1.0) || a.is_infinite() || b.is_infinite();
    if far { a.partial_cmp(&b) } else { None }
}

/// The order of two scores that floats do not tell apart: in rationals, or in intervals if the floats
/// differ, or with the tolerance if neither decides. `None` if one is undefined.
pub(super) fn decide_anew(
    same_float: bool,
    scores: impl Fn() -> (Option<Exact>, Option<Exact>),
) -> Option<(Ordering, Arithmetic)> {
    let (a, b) = scores();
    let guess = decide(&a?, &b?);
    if guess.1 == Arithmetic::Exact || same_float {
        return Some(guess);
    }
    Some(without_rounding(scores).unwrap_or(guess))
}

/// The order of two scores in rationals or intervals, if these tell.
pub(super) fn without_rounding(
    scores: impl FnOnce() -> (Option<Exact>, Option<Exact>),
) -> Option<(Ordering, Arithmetic)> {
    precisely(|| {
        let (a, b) = scores();
        let (a, b) = (a?, b?);
        let exact = a.is_exact() && b.is_exact();
        let arithmetic = if exact { Arithmetic::Exact } else { Arithmetic::Digits };
        Some((a.partial_cmp(&b)?, arithmetic))
    })?
}

/// The order of two exact scores, with the tolerance if one is not exact.
pub(super) fn decide(a: &Exact, b: &Exact) -> (Ordering, Arithmetic) {
    if a.is_exact() && b.is_exact() {
        return (a.partial_cmp(b).unwrap_or(Ordering::Equal), Arithmetic::Exact);
    }
    let (x, y) = (a.to_f64(), b.to_f64());
    let tie = (x - y).abs() <= TOLERANCE * x.abs().max(y.abs()).max(1.0);
    (
        if tie { Ordering::Equal } else { x.partial_cmp(&y).unwrap_or(Ordering::Equal) },
        Arithmetic::Tolerance,
    )
}
