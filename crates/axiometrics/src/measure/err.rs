//! Expected reciprocal rank: the cascade, in which each document may end the search.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{Args, JUDGED_ONLY, MAX_REL, Param, ParamKind};
use super::range::{self, IfBinary, Opposed, RetrievedExtremes, Summed, Terms, Totals};
use super::structure::{Combine, Divisor, Gain, Shape, Structure, Weights};
use super::ties::Cascade;
use super::user::{self, User, Walk};
use super::utility::{self, Utilities};
use super::{Declaration, Formula, Measure, NO_RELEVANT, Number, Score, Tail, ratio};
use crate::data::{Judged, Needs};
use crate::error::Result;
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&ERR, &NERR];

struct ExpectedReciprocalRank {
    k: u32,
    max_rel: Option<f64>,
    /// The probability that a document of the highest grade satisfies; (2^m - 1) / 2^m if absent.
    stop: Option<f64>,
    /// The probability that a document of each grade satisfies, if the user says so.
    worth: Option<Utilities>,
    normalised: bool,
}

/// From here on 2^m is beyond floating point, and 2^g - 1 is 2^g to all its digits.
const LARGEST_SCALE: f64 = 1000.0;

/// So far a reader whom hardly anything satisfies is followed.
const FARTHEST: usize = 1_000_000;

/// The probability that a document of a grade above 0 satisfies. A grade above the scale that the
/// user gave counts as its top.
fn satisfies<N: Number>(grade: f64, scale: f64) -> N {
    let grade = grade.min(scale);
    if scale < LARGEST_SCALE {
        (N::int(2).powf(grade) - N::one()) / N::int(2).powf(scale)
    } else {
        N::int(2).powf(grade - scale)
    }
}

impl ExpectedReciprocalRank {
    /// The probabilities are those of the definition.
    fn is_plain(&self) -> bool {
        self.max_rel.is_none() && self.stop.is_none() && self.worth.is_none()
    }

    /// ERR of documents that satisfy with (2^grade - 1) / 2^scale, where each is seen only if none
    /// above satisfied.
    fn cascade<'a, N: Number>(&self, ranked: impl Iterator<Item = (u32, &'a N)>, scale: f64) -> N {
        let mut reaches = N::one();
        let mut sum = N::zero();
        for (rank, grade) in ranked.take_while(|(rank, _)| *rank <= self.k) {
            if *grade <= N::zero() {
                continue;
            }
            let satisfies: N = self.probability(grade, scale);
            sum = sum + reaches.clone() * satisfies.clone() / N::count(rank);
            reaches = reaches * (N::one() - satisfies);
        }
        sum
    }

    /// The probability that a document of a grade above 0 satisfies.
    fn probability<N: Number>(&self, grade: &N, scale: f64) -> N {
        match (&self.worth, self.stop) {
            (Some(worth), _) => worth.of(grade),
            (None, None) => satisfies(grade.to_f64(), scale),
            (None, Some(stop)) => {
                let top: N = satisfies(scale, scale);
                N::decimal(stop) * satisfies::<N>(grade.to_f64(), scale) / top
            }
        }
    }

    /// The score if every document below the end of a list without a cutoff had the highest grade.
    fn with_tail(&self, topic: &Judged<'_>, score: f64) -> Option<f64> {
        let top = self.satisfies(topic, *topic.max_grade);
        let mut reaches: f64 =
            topic.hits.iter().map(|hit| 1.0 - self.satisfies(topic, hit.grade)).product();
        if top <= 0.0 {
            return None;
        }
        let mut sum = score;
        for rank in (topic.retrieved.saturating_add(1)..).take(FARTHEST) {
            let next = sum + reaches * top / f64::from(rank);
            if next == sum {
                return Some(sum);
            }
            sum = next;
            reaches *= 1.0 - top;
        }
        // Whoever is still reading finds something at the next rank at best.
        Some(sum + reaches / FARTHEST as f64)
    }

    fn scale<N: Number>(&self, topic: &Judged<'_, N>) -> f64 {
        self.max_rel.unwrap_or_else(|| topic.max_grade.to_f64())
    }

    fn of_ranking<N: Number>(&self, topic: &Judged<'_, N>) -> N {
        self.cascade(topic.hits.iter().map(|h| (h.rank, &h.grade)), self.scale(topic))
    }

    /// The probability that a document of this grade satisfies.
    fn satisfies(&self, topic: &Judged<'_>, grade: f64) -> f64 {
        if grade > 0.0 { self.probability(&grade, self.scale(topic)) } else { 0.0 }
    }

    fn user(&self) -> User<'_> {
        let walk = |topic: &Judged<'_>, ranks: u32| {
            Some(Walk::by_continuation(
                user::gains(topic, ranks, self.k, |grade| self.satisfies(topic, grade)),
                self.k.min(topic.retrieved),
                |_, gain| 1.0 - gain,
            ))
        };
        let end = Some(self.k).filter(|k| *k < u32::MAX);
        let continuation = user::down_to(end, "1 - g".to_string());
        User { continuation, weight: None, adaptive: true, cost: 1.0, walk: Box::new(walk) }
    }

    /// What ERR becomes.
    fn value<N: Number>(&self, topic: &Judged<'_, N>, err: N) -> Score<N> {
        if self.normalised { ratio(err, self.ideal(topic), NO_RELEVANT) } else { Score::Value(err) }
    }

    /// If all have grade 1, a document satisfies with one probability, and the ideal depends on
    /// how many there are.
    fn summed(&self) -> Summed<'_> {
        let satisfies: f64 = satisfies(1.0, self.max_rel.unwrap_or(1.0));
        let term = move |rank: u32, above: f64| {
            satisfies * (1.0 - satisfies).powf(above) / f64::from(rank)
        };
        let terms = move |most: u32| {
            let mut ideal = vec![0.0];
            for rank in 1..=most.min(self.k) {
                ideal.push(ideal[ideal.len() - 1] + term(rank, f64::from(rank - 1)));
            }
            Terms {
                term: Box::new(move |rank, above, _| term(rank, above)),
                bend: None,
                value: Box::new(move |totals: &Totals| {
                    let best = ideal[(totals.relevant as usize).min(ideal.len() - 1)];
                    ratio(totals.sum, best, NO_RELEVANT)
                }),
            }
        };
        Summed { k: self.k, rel: 1.0, terms: Box::new(terms) }
    }

    fn ideal<N: Number>(&self, topic: &Judged<'_, N>) -> N {
        self.cascade((1u32..).zip(topic.grades.positive), self.scale(topic))
    }
}

impl Formula for ExpectedReciprocalRank {
    fn declaration(&self) -> Declaration<'_> {
        let shape = Shape {
            combine: Combine::Cascade,
            weights: Weights::Reciprocal,
            gain: Gain::Satisfaction,
            divisor: if self.normalised { Divisor::Ideal } else { Divisor::None },
        };
        Declaration {
            // A scale of the user's own may lie below the grades, which then tie.
            structure: if self.is_plain() { shape.into() } else { Structure::default() },
            ranges: if self.normalised {
                Box::new(IfBinary { binary: self.summed(), graded: Opposed::default() })
            } else {
                Box::new(RetrievedExtremes(range::RangeKind::Exact))
            },
            ties: Box::new(Cascade {
                k: self.k,
                satisfies: Box::new(|topic, grade| self.satisfies(topic, grade)),
                value: Box::new(|topic, err| self.value(topic, err)),
            }),
            tail: if self.normalised || self.k < u32::MAX {
                Tail::None
            } else {
                Tail::Endless(Box::new(|topic, score| self.with_tail(topic, score)))
            },
            user: Some(self.user()),
            ..Declaration::new(Needs::POSITIVE)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        self.value(topic, self.of_ranking(topic))
    }
}

fn build(args: &Args, normalised: bool) -> Result<Box<dyn Measure>> {
    Ok(Box::new(ExpectedReciprocalRank {
        k: args.depth(),
        max_rel: args.optional("max_rel"),
        stop: args.optional("stop"),
        worth: Utilities::given(args, &["max_rel", "stop"])?,
        normalised,
    }))
}

const STOP: Param = Param {
    name: Cow::Borrowed("stop"),
    kind: ParamKind::Number { min: 0.0, max: 1.0 },
    default: None,
    doc: "the probability that a document of the highest grade satisfies, (2^m - 1) / 2^m if it is not given; those of lower grades shrink along",
};
/// As what each grade is worth: a gain is a probability here.
const GAINS: Param = Param {
    doc: "the probability that a document of each grade satisfies: {1:0.1,2:0.3,3:0.7,4:1}; a grade that is not listed does as the next lower one",
    ..utility::GAINS
};

const ERR: Def = Def {
    name: "ERR",
    title: "Expected reciprocal rank",
    family: "err",
    aliases: &[Alias::cut("err")],
    params: &[MAX_REL, STOP, GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "ERR@k = sum over i <= k of (1/i) * p_i * product over j < i of (1 - p_j), p = (2^g - 1) / 2^m, m the maximum grade. stop=x makes p of the maximum grade x; gains={1:0.1,2:0.5} gives p by grade.",
    range: Span::BetweenWith(0.0, 1.0, ", 1 excluded"),
    undefined: "never",
    user_model: "reads down the list and stops at the document that satisfies, which one of grade g does with probability p",
    examples: &[
        Example {
            measure: "ERR@3",
            ranking: "0 2 1",
            value: 0.3958,
            working: "m = 2: p = 0, 3/4, 1/4; 1/2 * 3/4 + 1/3 * 1/4 * 1/4 = 0.3750 + 0.0208 = 0.3958",
        },
        Example {
            measure: "ERR(stop=0.4)@3",
            ranking: "1 0 1",
            value: 0.48,
            working: "a relevant document satisfies with 0.4: 0.4 + 1/3 * 0.6 * 0.4 = 0.4800",
        },
        Example {
            measure: "ERR(gains={1:0.2,2:0.9})@3",
            ranking: "0 2 1",
            value: 0.4567,
            working: "p = 0, 0.9, 0.2: 1/2 * 0.9 + 1/3 * 0.1 * 0.2 = 0.4500 + 0.0067 = 0.4567",
        },
    ],
    differs: &[
        "gdeval, and ir_measures through it, takes 4 as the maximum grade whatever the judgements hold: max_rel=4",
        "the largest value is below 1, as even the best document satisfies with (2^m - 1) / 2^m only",
    ],
    references: &["Chapelle, Metzler, Zhang and Grinspan 2009"],
    build: |args| build(args, false),
};

const NERR: Def = Def {
    name: "nERR",
    title: "Normalised expected reciprocal rank",
    family: "err",
    aliases: &[Alias::cut("nerr")],
    params: &[MAX_REL, STOP, GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "nERR@k = ERR@k / ERR@k of the ideal ranking of all judged documents.",
    range: Span::UNIT,
    undefined: "the topic has no document of a grade above 0",
    user_model: "that of ERR, compared with the best possible list",
    examples: &[Example {
        measure: "nERR@3",
        ranking: "0 2 1",
        value: 0.5067,
        working: "ERR = 0.3958 as above; ideal 2 1: 3/4 + 1/2 * 1/4 * 1/4 = 0.78125; 0.3958 / 0.78125 = 0.5067",
    }],
    differs: &["not NERR8 to NERR11, which are Not (but Nearly) ERR"],
    references: &["Chapelle, Metzler, Zhang and Grinspan 2009", "the TREC web track"],
    build: |args| build(args, true),
};
