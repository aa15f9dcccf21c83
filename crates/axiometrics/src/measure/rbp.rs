//! Rank-biased precision.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, Param, ParamKind, REL};
use super::range::Additive;
use super::structure::{Combine, Divisor, Gain, Shape, Structure, Weights};
use super::ties::Linear;
use super::utility::{self, Utilities};
use super::{Declaration, Formula, Number, Score, Tail};
use crate::data::{Judged, Needs};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&RBP];

struct RankBiasedPrecision {
    k: u32,
    p: f64,
    /// Binary gains from this grade on; graded gains if absent.
    rel: Option<f64>,
    /// What each grade is worth, if the user says so.
    worth: Option<Utilities>,
}

impl RankBiasedPrecision {
    fn gain<N: Number>(&self, topic: &Judged<'_, N>, grade: &N) -> N {
        match (self.rel, &self.worth) {
            (Some(rel), _) if *grade >= N::decimal(rel) => N::one(),
            (None, None) if *grade > N::zero() => grade.clone() / topic.max_grade.clone(),
            (None, Some(worth)) => worth.of(grade),
            _ => N::zero(),
        }
    }

    fn value<N: Number>(&self, sum: N) -> Score<N> {
        Score::Value(sum * (N::one() - N::decimal(self.p)))
    }

    fn with_tail(&self, topic: &Judged<'_>, score: f64) -> f64 {
        let depth = topic.retrieved.min(self.k);
        score + self.gain(topic, topic.max_grade) * self.p.powf(f64::from(depth))
    }
}

impl Formula for RankBiasedPrecision {
    fn declaration(&self) -> Declaration<'_> {
        let shape = Shape {
            combine: Combine::Sum,
            weights: Weights::Geometric(self.p),
            gain: self.rel.map_or(Gain::Scaled, Gain::Threshold),
            divisor: Divisor::Endless,
        };
        let weights = |ranks: u32| {
            let all = std::iter::successors(Some(1.0), |weight| Some(weight * self.p));
            all.take(ranks.min(self.k) as usize).collect()
        };
        Declaration {
            structure: if self.worth.is_some() { Structure::default() } else { shape.into() },
            ranges: Box::new(Additive),
            ties: Box::new(Linear {
                gain: Box::new(|topic, grade| self.gain(topic, &grade)),
                weights: Box::new(move |_, ranks| weights(ranks)),
                value: Box::new(|_, sum| self.value(sum)),
            }),
            tail: Tail::Endless(Box::new(|topic, score| Some(self.with_tail(topic, score)))),
            ..Declaration::new(self.rel.map_or(Needs::POSITIVE, Needs::for_threshold))
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let p = N::decimal(self.p);
        let mut sum = N::zero();
        // Of neighbours the weight of the second is one step from that of the first, which spares a
        // power.
        let (mut last, mut weight) = (1, N::one());
        for hit in topic.top(self.k) {
            let gain = self.gain(topic, &hit.grade);
            if gain.is_zero() {
                continue;
            }
            weight = if hit.rank == last + 1 {
                weight * p.clone()
            } else {
                p.clone().powi(hit.rank - 1)
            };
            last = hit.rank;
            sum = sum + gain * weight.clone();
        }
        self.value(sum)
    }
}

const P: Param = Param {
    name: Cow::Borrowed("p"),
    kind: ParamKind::Open { min: 0.0, max: 1.0 },
    default: Some(Cow::Borrowed("0.8")),
    doc: "the probability of going on to the next document",
};
/// No default: graded gains unless a threshold is given.
const BINARY: Param = Param {
    default: None,
    doc: "binary gains: 1 from this grade on; graded gains if it is not given",
    ..REL
};

const RBP: Def = Def {
    name: "RBP",
    title: "Rank-biased precision",
    family: "rbp",
    aliases: &[Alias::param("rbp", "p").implying("p=0.9"), Alias::printed("RBP@{p}", "p={p}")],
    params: &[P, BINARY, utility::GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "RBP = (1-p) * sum of r_i * p^(i-1), r_i = grade / maximum grade of the collection; rel=n for binary gains, gains={1:0.1,2:1} for others. Unjudged documents count 0: the score is the lower end of its range.",
    range: Span::UNIT,
    undefined: "never",
    user_model: "reads the first document, and after each goes on with probability p: on average 1/(1-p) documents",
    examples: &[
        Example {
            measure: "RBP(p=0.8)",
            ranking: "1 0 1",
            value: 0.328,
            working: "0.2 * (1 + 0.8^2) = 0.2 * 1.64 = 0.328",
        },
        Example {
            measure: "RBP(p=0.8,gains={1:0.1,2:0.3,3:0.7,4:1})",
            ranking: "3 0 1",
            value: 0.1528,
            working: "0.2 * (0.7 + 0.1 * 0.8^2) = 0.2 * 0.764 = 0.1528",
        },
    ],
    differs: &[
        "trec_eval's rbp has p = 0.9 and reads an uninitialised minimum; ranx multiplies by the raw grade",
        "cwl_eval, which prints RBP@0.9 for p = 0.9, ends the list at rank 1000: its score is this one divided by 1 - p^1000",
    ],
    references: &["Moffat and Zobel 2008", "Moffat 2013, section 2"],
    build: |args| {
        Ok(Box::new(RankBiasedPrecision {
            k: args.depth(),
            p: args.number("p"),
            rel: args.optional("rel"),
            worth: Utilities::given(args, &["rel"])?,
        }))
    },
};
