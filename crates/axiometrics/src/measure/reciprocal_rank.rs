//! The rank of the first relevant document.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, REL};
use super::range::First;
use super::structure::{Combine, Divisor, Gain, Shape, Weights};
use super::user::{self, User, Walk};
use super::{Declaration, Formula, Number, Score, Tail};
use crate::data::{Judged, Needs};

pub(super) const DEFS: &[&Def] = &[&RECIPROCAL_RANK];

struct ReciprocalRank {
    k: u32,
    rel: f64,
}

impl ReciprocalRank {
    /// The user who reads down to the first relevant document.
    fn user(&self) -> User<'_> {
        let walk = |topic: &Judged<'_>, ranks: u32| {
            let gains =
                user::gains(topic, ranks, self.k, |grade| f64::from(u8::from(grade >= self.rel)));
            Some(Walk::by_continuation(gains, self.k.min(topic.retrieved), |_, gain| 1.0 - gain))
        };
        let end = Some(self.k).filter(|k| *k < u32::MAX);
        let continuation = user::down_to(end, "g == 0".to_string());
        User { continuation, weight: None, adaptive: true, cost: 1.0, walk: Box::new(walk) }
    }
}

impl Formula for ReciprocalRank {
    fn declaration(&self) -> Declaration<'_> {
        let shape = Shape {
            combine: Combine::Best,
            weights: Weights::Reciprocal,
            gain: Gain::Threshold(self.rel),
            divisor: Divisor::None,
        };
        let first = First { k: self.k, rel: self.rel };
        Declaration {
            structure: shape.into(),
            ranges: Box::new(first),
            ties: Box::new(first),
            tail: if self.k < u32::MAX {
                Tail::None
            } else {
                Tail::Endless(Box::new(|topic, score| {
                    let next = 1.0 / f64::from(topic.retrieved + 1);
                    (score == 0.0 && *topic.max_grade >= self.rel).then_some(next)
                }))
            },
            user: Some(self.user()),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let first = topic.relevant_top(self.k, &N::decimal(self.rel)).next();
        Score::Value(first.map_or(N::zero(), |h| N::one() / N::count(h.rank)))
    }
}

const RECIPROCAL_RANK: Def = Def {
    name: "RR",
    title: "Reciprocal rank",
    family: "reciprocal_rank",
    aliases: &[Alias::plain("MRR"), Alias::plain("mrr"), Alias::plain("recip_rank")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "RR@k = 1 / the rank of the first relevant document in the top k, 0 if there is none.",
    range: Span::UNIT,
    undefined: "never: 0 if nothing relevant is seen is part of the definition",
    user_model: "reads down to the first relevant document and stops",
    examples: &[Example {
        measure: "RR",
        ranking: "0 0 1 1",
        value: 1.0 / 3.0,
        working: "the first relevant document has rank 3: 1/3",
    }],
    differs: &[
        "ir_measures takes RR from trec_eval and RR@k from another tool, which break ties differently; here both are one measure",
    ],
    references: &["Voorhees 1999, the TREC-8 question answering track", "Moffat 2013, section 2"],
    build: |args| Ok(Box::new(ReciprocalRank { k: args.depth(), rel: args.number("rel") })),
};
