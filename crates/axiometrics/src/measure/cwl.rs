//! The C/W/L family: measures that are a user's probability of going on.
//!
//! C(i) is the probability of reading on after rank i. From it follow V(i) = C(1) ... C(i-1), the
//! probability that rank i is read; W(i) = V(i) / sum of V, the share of attention that rank i
//! gets; and L(i) = V(i) (1 - C(i)), the probability that it is the last. The score is the expected
//! gain per document read, the sum of W(i) r_i. A model is a [`Continuation`]; everything else is
//! here. (Rank-biased precision, whose C is constant, has a file of its own.)

mod defs;
mod expressed;
mod models;

use std::panic::{RefUnwindSafe, UnwindSafe};

use super::def::Def;
use super::params::{Args, MAX_REL, Param, ParamKind};
use super::range::{
    self, Additive, Goal, GradeScale, NoRange, Provided, RangeAlgorithm, ReadingRange,
    RetrievedExtremes, Told,
};
use super::structure::{Combine, Divisor, Form, Gain, Shape, Structure, Weights};
use super::ties::{AnyOrder, Linear, Ordered, TieAlgorithm};
use super::user::{self, User, Walk};
use super::utility::{self, Utilities};
use super::{Declaration, Formula, Number, Score, Tail};
use crate::data::{Hits, Judged, Needs};
use crate::error::{Error, Result};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = defs::DEFS;

/// A rank that is never reached: the user may go on for ever.
const FOREVER: u32 = u32::MAX;

/// A walk without a closed form ends after so many ranks, if a user who never tires would go on.
const FARTHEST: u32 = crate::number::PATIENCE;

/// A user, by the probability of going on.
trait Continuation: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// C(i), as an expression of the rank i, the gain g and the total G.
    fn formula(&self) -> String;

    /// C(i), where the document at rank i has this gain, and all down to it have this total.
    fn at<N: Number>(&self, rank: u32, gain: &N, total: &N) -> N;

    /// What can still be gained behind rank i with the gain G, at most, as an expression of both.
    fn potential(&self) -> Option<String> {
        None
    }

    /// V by rank, if it is the same whatever was seen and of a known family.
    fn weights(&self) -> Option<Weights> {
        None
    }

    /// How the user answers to what is found.
    fn response(&self) -> Response;

    /// How many documents are read in all, where the list has no end and that is known beforehand.
    fn documents<N: Number>(&self) -> Option<N> {
        None
    }

    /// How many documents are read, on average, by a user who reads the first, where all from one
    /// rank to another have the gain 1.
    fn rich_stretch<N: Number>(&self, from: u32, to: u32, total: &N) -> N {
        if matches!(self.response(), Response::Blind) {
            return self.stretch(from, to, total).read;
        }
        self.walk(from, to, &N::one(), total).read
    }

    /// The lowest and the highest C(i), where the total lies between two: at its ends, unless a
    /// model says otherwise.
    fn between(&self, rank: u32, total: [f64; 2]) -> [f64; 2] {
        ordered(total.map(|total| self.at(rank, &0.0, &total)))
    }

    /// How many documents are read at least and at most, from one rank to another, if none has a
    /// gain: the same.
    fn rest_between(&self, from: u32, to: u32, total: [f64; 2]) -> [f64; 2] {
        ordered(total.map(|total| self.stretch(from, to, &total).read))
    }

    /// C never rises from rank to rank if nothing is gained.
    fn fades(&self) -> bool {
        false
    }

    /// What happens on the documents from one rank to another that all have no gain. A model
    /// overrides this where it knows the sum; otherwise the ranks are walked one by one, until the
    /// probability of reading on no longer adds anything.
    fn stretch<N: Number>(&self, from: u32, to: u32, total: &N) -> GainlessStretch<N> {
        self.walk(from, to, &N::zero(), total)
    }

    /// What happens on the documents from one rank to another that all have the same gain, rank by
    /// rank.
    fn walk<N: Number>(&self, from: u32, to: u32, gain: &N, total: &N) -> GainlessStretch<N> {
        let (mut read, mut through, mut total) = (N::zero(), N::one(), total.clone());
        for rank in from..=to {
            if N::settled(&through, &read) || rank - from == N::patience() {
                // What is left is at most a geometric series, if C never rises from here on.
                let here = self.at(rank, gain, &total);
                let most = if self.fades() && gain.is_zero() && here < N::one() {
                    through / (N::one() - here)
                } else {
                    N::infinity()
                };
                return GainlessStretch {
                    read: N::between(read.clone(), read + most),
                    through: N::zero(),
                };
            }
            read = read + through.clone();
            total = total + gain.clone();
            through = through * self.at(rank, gain, &total);
        }
        GainlessStretch { read, through }
    }
}

fn ordered(ends: [f64; 2]) -> [f64; 2] {
    [ends[0].min(ends[1]), ends[0].max(ends[1])]
}

/// How a user answers to what is found, which decides how a range is found.
enum Response {
    /// Not at all: C depends on the rank alone.
    Blind,
    /// Stops with the probability of the gain, or else as a blind user would.
    Satisfied,
    /// Tires the sooner or the later, by all that was gained.
    Adaptive,
    /// Stops where a goal is reached.
    Goal,
    /// In a way of its own, that lies between its answers to the least and to the most that can
    /// have been gained.
    Other,
    /// In any way: an expression of somebody else's.
    Unknown,
}

/// A stretch of documents without gain, for a user who reads the first of them.
struct GainlessStretch<N> {
    /// How many of them are read, on average: the sum of V over V at the first.
    read: N,
    /// The probability of going on behind the last.
    through: N,
}

/// A measure of the family.
struct Cwl<C> {
    model: C,
    /// Gains below this rank do not count, though the user may read on.
    k: u32,
    /// The last rank that the user may read.
    end: u32,
    /// That rank is the cutoff, whatever it is.
    ends: bool,
    scale: GainScale,
    value: WalkValue,
    /// What reading one document costs.
    cost: f64,
}

/// Why there is no gain.
const NOT_ABOVE: &str = "the highest grade is not above min_rel";

/// How a grade becomes a gain from 0 to 1.
struct GainScale {
    min: f64,
    /// `None`: the highest grade of all judgements.
    max: Option<f64>,
    /// What each grade is worth, if the user says so.
    worth: Option<Utilities>,
}

/// What is reported of the walk.
enum WalkValue {
    /// Gain per document read.
    Rate,
    /// Gain in all.
    Total,
    /// Documents read.
    Depth,
}

impl<C: Continuation> Formula for Cwl<C> {
    fn declaration(&self) -> Declaration<'_> {
        let end = Some(self.end).filter(|end| *end < FOREVER);
        Declaration {
            structure: self.structure(),
            ranges: self.ranges(),
            ties: self.ties(),
            tail: self.tail(),
            user: Some(User {
                continuation: user::down_to(end, self.model.formula()),
                weight: None,
                adaptive: !matches!(self.model.response(), Response::Blind),
                cost: self.cost,
                walk: Box::new(|topic, ranks| self.rank_by_rank(topic, ranks)),
            }),
            ..Declaration::new(Needs::POSITIVE)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        self.value_of(self.walk(topic, false))
    }
}

impl<C: Continuation> Cwl<C> {
    fn structure(&self) -> Structure {
        let plain = matches!(self.value, WalkValue::Rate)
            && self.scale.min == 0.0
            && self.scale.worth.is_none()
            && self.scale.max.is_none();
        if !plain {
            return Structure::default();
        }
        if let Some(weights) = self.model.weights().filter(|_| !self.ends && self.end == FOREVER) {
            let divisor = Divisor::Endless;
            return Shape { combine: Combine::Sum, weights, gain: Gain::Scaled, divisor }.into();
        }
        let last = Some(self.end).filter(|end| !self.ends && *end != FOREVER);
        let continuation = user::down_to(last, self.model.formula());
        let potential = self.model.potential();
        Form::Reader { continuation, ends: self.ends, potential }.into()
    }

    fn ranges(&self) -> Box<dyn RangeAlgorithm + '_> {
        match (self.model.response(), &self.value) {
            (Response::Blind, WalkValue::Depth) => {
                Box::new(NoRange("what is read does not depend on the judgements"))
            }
            (Response::Blind, _) => Box::new(Additive),
            // Whatever is found makes it less likely to go on.
            (Response::Satisfied, _) | (Response::Adaptive, WalkValue::Depth) => {
                Box::new(RetrievedExtremes(range::RangeKind::Exact))
            }
            (Response::Adaptive, WalkValue::Rate) => {
                Box::new(RetrievedExtremes(range::RangeKind::Searched))
            }
            (Response::Goal, _) => self.goal(),
            (Response::Adaptive | Response::Other, _) => self.reading(),
            (Response::Unknown, _) => {
                Box::new(NoRange("the expression may answer to what is found in any way"))
            }
        }
    }

    fn ties(&self) -> Box<dyn TieAlgorithm + '_> {
        match (self.model.response(), &self.value) {
            (Response::Blind, WalkValue::Rate | WalkValue::Total) => Box::new(Linear {
                gain: Box::new(|topic, grade| self.gain(grade, *topic.max_grade)),
                weights: Box::new(|_, ranks| {
                    let ranks = 1..=ranks.min(self.k).min(self.end);
                    let reach = ranks.scan(1.0, |reach, rank| {
                        let here = *reach;
                        *reach *= self.model.at(rank, &0.0, &0.0);
                        Some(here)
                    });
                    reach.collect()
                }),
                value: Box::new(|topic, gained| {
                    let nothing = Judged { hits: Hits::new(&[]), ..*topic };
                    self.value_of(
                        self.walk(&nothing, false).map(|walked| Walked { gained, ..walked }),
                    )
                }),
            }),
            (Response::Satisfied, _) | (Response::Adaptive, WalkValue::Depth) => Box::new(Ordered),
            _ => Box::new(AnyOrder),
        }
    }

    fn tail(&self) -> Tail<'_> {
        let grows = match self.model.response() {
            Response::Adaptive => matches!(self.value, WalkValue::Rate),
            _ => !matches!(self.value, WalkValue::Depth),
        };
        match self.end {
            FOREVER if grows => {
                Tail::Endless(Box::new(|topic, _| self.value_of(self.walk(topic, true)).value()))
            }
            FOREVER => Tail::None,
            end => Tail::Until(end.min(self.k)),
        }
    }

    /// The gain of a grade, from 0 to 1.
    fn gain(&self, grade: f64, max_grade: f64) -> f64 {
        if let Some(worth) = &self.scale.worth {
            return worth.of(&grade);
        }
        let (min, max) = self.scale(max_grade);
        ((grade.min(max) - min) / (max - min)).max(0.0)
    }

    /// The grades whose gains are 0 and 1, or these gains themselves.
    fn scale(&self, max_grade: f64) -> (f64, f64) {
        match self.scale.worth {
            Some(_) => (0.0, 1.0),
            None => (self.scale.min, self.scale.max.unwrap_or(max_grade)),
        }
    }

    fn goal(&self) -> Box<dyn RangeAlgorithm + '_> {
        let whole = |scale: GradeScale| {
            if self.scale.worth.is_some() {
                return Some("gains of one's own are not whole numbers");
            }
            let (min, max) = self.scale(scale.max_grade);
            let fractions = [min, max, scale.max_grade].iter().any(|grade| grade.fract() != 0.0);
            (fractions || max <= min).then_some(
                "min_rel, max_rel and the highest grade are not whole numbers, in this order",
            )
        };
        let unit = |max_grade: f64| {
            let (min, max) = self.scale(max_grade);
            max - min
        };
        let goal = Goal {
            k: self.k,
            worth: Box::new(|grade, max_grade| {
                let (min, max) = self.scale(max_grade);
                (grade.min(max) - min).max(0.0)
            }),
            reached: Box::new(move |collected, max_grade| {
                self.model.at(1, &0.0, &(collected / unit(max_grade))) == 0.0
            }),
            value: Box::new(move |collected, read, max_grade| match self.value {
                WalkValue::Rate => collected / unit(max_grade) / f64::from(read),
                WalkValue::Total => collected / unit(max_grade),
                WalkValue::Depth => f64::from(read),
            }),
        };
        Box::new(Provided::new(whole, goal))
    }

    fn reading(&self) -> Box<dyn RangeAlgorithm + '_> {
        let above = |scale: GradeScale| {
            let (min, max) = self.scale(scale.max_grade);
            (max <= min).then_some(NOT_ABOVE)
        };
        let reading =
            ReadingRange {
                last: self.k.min(self.end),
                gain: Box::new(|grade, max_grade| self.gain(grade, max_grade)),
                on: Box::new(|rank, total| {
                    if rank == self.end { [0.0; 2] } else { self.model.between(rank, total) }
                }),
                rest: Box::new(|from, total| {
                    if from > self.end {
                        [0.0; 2]
                    } else {
                        self.model.rest_between(from, self.end, total)
                    }
                }),
                told: match self.value {
                    WalkValue::Rate => Told::Rate,
                    WalkValue::Total => Told::Total,
                    WalkValue::Depth => Told::Depth,
                },
                endless: self.end == FOREVER,
            };
        Box::new(Provided::new(above, reading))
    }

    /// The user's walk down the ranking. Behind its end, or the cutoff, there is nothing of use, or
    /// all is of the highest grade.
    fn walk<N: Number>(&self, topic: &Judged<'_, N>, rich_tail: bool) -> Option<Walked<N>> {
        let (min, max) = self.ends(topic)?;
        let span = max.clone() - min.clone();
        // Gains are added up as grades and divided once, so that ten tenths are one.
        let mut collected = N::zero();
        let (mut reach, mut read, mut gained) = (N::one(), N::zero(), N::zero());
        let mut next = 1;
        let least = if self.scale.worth.is_some() { N::zero() } else { min.clone() };
        for hit in topic.top(self.k.min(self.end)).filter(|h| h.grade > least) {
            if hit.rank > next {
                let stretch =
                    self.model.stretch(next, hit.rank - 1, &(collected.clone() / span.clone()));
                read = read + reach.clone() * stretch.read;
                reach = reach * stretch.through;
            }
            let worth = match &self.scale.worth {
                Some(worth) => worth.of(&hit.grade),
                None => hit.grade.clone().min(max.clone()) - min.clone(),
            };
            collected = collected + worth.clone();
            let gain = worth / span.clone();
            read = read + reach.clone();
            gained = gained + reach.clone() * gain.clone();
            reach = reach * self.model.at(hit.rank, &gain, &(collected.clone() / span.clone()));
            next = hit.rank + 1;
            if reach.is_zero() {
                break;
            }
        }
        let last = topic.retrieved.min(self.k).min(self.end);
        if rich_tail && !reach.is_zero() && last < self.end {
            if next <= last {
                let stretch = self.model.stretch(next, last, &(collected.clone() / span.clone()));
                read = read + reach.clone() * stretch.read;
                reach = reach * stretch.through;
            }
            let top = match &self.scale.worth {
                Some(worth) => worth.of(topic.max_grade),
                None => N::one(),
            };
            let total = collected / span;
            let rich = if top == N::one() || matches!(self.model.response(), Response::Blind) {
                self.model.rich_stretch(last + 1, self.end, &total)
            } else {
                self.model.walk(last + 1, self.end, &top, &total).read
            };
            let rich = reach * rich;
            read = read + rich.clone();
            gained = gained + rich * top;
        } else if let Some(all) =
            self.model.documents().filter(|_| self.end == FOREVER && !reach.is_zero())
        {
            read = all;
        } else if !reach.is_zero() && next <= self.end {
            read = read + reach * self.model.stretch(next, self.end, &(collected / span)).read;
        }
        Some(Walked { gained, read })
    }

    /// The grades whose gains are 0 and 1, if the second is higher.
    fn ends<N: Number>(&self, topic: &Judged<'_, N>) -> Option<(N, N)> {
        if self.scale.worth.is_some() {
            return Some((N::zero(), N::one()));
        }
        let min = N::decimal(self.scale.min);
        let max = self.scale.max.map_or_else(|| topic.max_grade.clone(), N::decimal);
        (max > min).then_some((min, max))
    }

    fn value_of<N: Number>(&self, walked: Option<Walked<N>>) -> Score<N> {
        let Some(Walked { gained, read }) = walked else {
            return Score::Undefined(NOT_ABOVE);
        };
        match self.value {
            WalkValue::Total => Score::Value(gained),
            _ if read.to_f64().is_infinite() => {
                Score::Undefined("the user reads on for ever: give a last rank, as in depth=1000")
            }
            WalkValue::Rate => Score::Value(gained / read),
            WalkValue::Depth => Score::Value(read),
        }
    }

    /// The same walk, seen rank by rank.
    fn rank_by_rank(&self, topic: &Judged<'_>, ranks: u32) -> Option<Walk> {
        self.ends(topic)?;
        let gains = user::gains(topic, ranks, self.k.min(self.end), |grade| {
            self.gain(grade, *topic.max_grade)
        });
        let (mut reach, mut total) = (vec![1.0], 0.0);
        for (rank, gain) in (1..).zip(&gains) {
            total += gain;
            let c = if rank < self.end { self.model.at(rank, gain, &total) } else { 0.0 };
            reach.push(reach[reach.len() - 1] * c);
        }
        let documents = self.walk(topic, false)?.read;
        documents.is_finite().then(|| Walk::new(reach, gains, documents))
    }
}

/// What a walk comes to.
struct Walked<N> {
    /// The expected gain in all.
    gained: N,
    /// The expected number of documents read.
    read: N,
}

impl<C: Continuation + 'static> Cwl<C> {
    /// A user who may read for ever, or down to the parameter `depth`; a cutoff takes the gains
    /// below it away.
    fn endless(model: C, args: &Args) -> Result<Box<dyn super::Measure>> {
        let end = args.optional("depth").map_or(FOREVER, |depth| depth as u32);
        Cwl::build(model, args, end, false)
    }

    /// A user who reads nothing below the cutoff.
    fn down_to_cutoff(model: C, args: &Args) -> Result<Box<dyn super::Measure>> {
        Cwl::build(model, args, args.depth(), true)
    }

    fn build(model: C, args: &Args, end: u32, ends: bool) -> Result<Box<dyn super::Measure>> {
        let worth = Utilities::given(args, &["max_rel"])?;
        if worth.is_some() && args.number("min_rel") != 0.0 {
            return Err(Error::usage("both gains and min_rel say what a grade is worth")
                .help("leave gains or min_rel out"));
        }
        let scale = GainScale { min: args.number("min_rel"), max: args.optional("max_rel"), worth };
        if scale.max.is_some_and(|max| max <= scale.min) {
            return Err(Error::usage("max_rel must be above min_rel"));
        }
        let value = match args.text("value").as_str() {
            "total" => WalkValue::Total,
            "depth" => WalkValue::Depth,
            _ => WalkValue::Rate,
        };
        Ok(Box::new(Cwl {
            model,
            k: args.depth(),
            end,
            ends,
            scale,
            value,
            cost: args.optional("cost").unwrap_or(1.0),
        }))
    }
}

const GAINS: Param = utility::GAINS;
const MIN_REL: Param = Param {
    name: Cow::Borrowed("min_rel"),
    kind: ParamKind::Number { min: 0.0, max: f64::INFINITY },
    default: Some(Cow::Borrowed("0")),
    doc: "the grade whose gain is 0; the gain is (grade - min_rel) / (max_rel - min_rel), from 0 to 1",
};
const DEPTH: Param = Param {
    name: Cow::Borrowed("depth"),
    kind: ParamKind::Integer { min: 1 },
    default: None,
    doc: "the user stops here at the latest (cwl_eval: 1000); if it is not given, the list goes on for ever",
};
const VALUE: Param = Param {
    name: Cow::Borrowed("value"),
    kind: ParamKind::Word(&["rate", "total", "depth"]),
    default: Some(Cow::Borrowed("rate")),
    doc: "rate: the expected gain per document read; total: the expected gain in all; depth: the expected number of documents read",
};

#[cfg(test)]
mod tests {
    use super::super::Metric;
    use super::super::tests::topic;

    /// The last-document probabilities L give the same total gain as the reading probabilities V: a
    /// check of the walk by another route.
    #[test]
    fn total_gain_by_stopping_probabilities() {
        let ranking = "1 0 2 0 0 1";
        let gains = [0.5, 0.0, 1.0, 0.0, 0.0, 0.5];
        let continuation = |i: usize, total: f64| {
            let (rank, goal) = (i as f64 + 1.0, 2.0);
            ((rank - 1.0 + 2.0 * goal - total) / (rank + 2.0 * goal - total)).powi(2)
        };
        let (mut reach, mut total, mut expected) = (1.0, 0.0, 0.0);
        for i in 0..2_000_000 {
            total += gains.get(i).copied().unwrap_or(0.0);
            let c = continuation(i, total);
            expected += reach * (1.0 - c) * total;
            reach *= c;
        }
        let score = "INST(T=2,value=total)"
            .parse::<Metric>()
            .unwrap()
            .score(&topic(ranking).view())
            .value()
            .unwrap();
        assert!((score - expected).abs() < 1e-9, "{score} {expected}");
    }
}
