//! Rank-biased precision.

use super::def::{Alias, Cutoff, Def, Example};
use super::params::{JUDGED_ONLY, Kind, Param, REL};
use super::range::RangeRule;
use super::structure::{Combine, Divisor, Gain, Shape, Structure, Weights};
use super::{Formula, Number, Score};
use crate::data::{Judged, Needs};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&RBP];

struct RankBiasedPrecision {
    k: u32,
    p: f64,
    /// Binary gains from this grade on; graded gains where absent.
    rel: Option<f64>,
}

impl Formula for RankBiasedPrecision {
    fn needs(&self) -> Needs {
        self.rel.map_or(Needs::POSITIVE, Needs::for_threshold)
    }

    fn range_rule(&self, _max_grade: f64) -> RangeRule<'_> {
        RangeRule::Additive
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let p = N::decimal(self.p);
        let mut sum = N::zero();
        // Of neighbours the weight of the second is one step from that of the first, which spares a
        // power.
        let (mut last, mut weight) = (1, N::one());
        for hit in topic.top(self.k) {
            let gain = match self.rel {
                Some(rel) if hit.grade >= N::decimal(rel) => N::one(),
                None if hit.grade > N::zero() => hit.grade.clone() / topic.max_grade.clone(),
                _ => continue,
            };
            weight = if hit.rank == last + 1 {
                weight * p.clone()
            } else {
                p.clone().powi(hit.rank - 1)
            };
            last = hit.rank;
            sum = sum + gain * weight.clone();
        }
        Score::Value(sum * (N::one() - p))
    }

    fn with_tail(&self, topic: &Judged<'_>, score: f64) -> Option<f64> {
        let top = self.rel.is_none_or(|rel| *topic.max_grade >= rel);
        let depth = topic.retrieved.min(self.k);
        Some(score + if top { self.p.powf(f64::from(depth)) } else { 0.0 })
    }

    fn structure(&self) -> Structure {
        let gain = self.rel.map_or(Gain::Scaled, Gain::Threshold);
        Shape {
            combine: Combine::Sum,
            weights: Weights::Geometric(self.p),
            gain,
            divisor: Divisor::Endless,
        }
        .into()
    }
}

const P: Param = Param {
    name: Cow::Borrowed("p"),
    kind: Kind::Open { min: 0.0, max: 1.0 },
    default: Some(Cow::Borrowed("0.8")),
    doc: "the probability of going on to the next document",
};
/// No default: graded gains unless a threshold is given.
const BINARY: Param = Param {
    default: None,
    doc: "binary gains: 1 from this grade on; graded gains where it is not given",
    ..REL
};

const RBP: Def = Def {
    name: "RBP",
    title: "Rank-biased precision",
    family: "rbp",
    aliases: &[Alias::param("rbp", "p").implying("p=0.9")],
    params: &[P, BINARY, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "RBP = (1-p) * sum of r_i * p^(i-1), r_i = grade / maximum grade of the collection; rel=n for binary gains. Unjudged documents count 0: the score is the lower end of its range.",
    range: "0 to 1",
    undefined: "never",
    user_model: "reads the first document, and after each goes on with probability p: on average 1/(1-p) documents",
    examples: &[Example {
        measure: "RBP(p=0.8)",
        ranking: "1 0 1",
        value: 0.328,
        working: "0.2 * (1 + 0.8^2) = 0.2 * 1.64 = 0.328",
    }],
    differs: &[
        "trec_eval's rbp has p = 0.9 and reads an uninitialised minimum; ranx multiplies by the raw grade",
    ],
    references: &["Moffat and Zobel 2008", "Moffat 2013, section 2"],
    build: |args| {
        Ok(Box::new(RankBiasedPrecision {
            k: args.depth(),
            p: args.number("p"),
            rel: args.optional("rel"),
        }))
    },
};
