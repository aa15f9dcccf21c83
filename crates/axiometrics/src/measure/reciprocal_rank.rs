//! The rank of the first relevant document.

use super::def::{Alias, Cutoff, Def, Example};
use super::params::{JUDGED_ONLY, REL};
use super::range::{self, RangeRule, TieRule};
use super::structure::{Combine, Divisor, Gain, Shape, Structure, Weights};
use super::user::{self, User, Walk};
use super::{Formula, Number, Score};
use crate::data::{Judged, Needs};

pub(super) const DEFS: &[&Def] = &[&RECIPROCAL_RANK];

struct ReciprocalRank {
    k: u32,
    rel: f64,
}

impl Formula for ReciprocalRank {
    fn needs(&self) -> Needs {
        Needs::for_threshold(self.rel)
    }
    fn user(&self) -> Option<User<'_>> {
        let walk = |topic: &Judged<'_>, ranks: u32| {
            let gains =
                user::gains(topic, ranks, self.k, |grade| f64::from(u8::from(grade >= self.rel)));
            Some(Walk::by_continuation(gains, self.k.min(topic.retrieved), |_, gain| 1.0 - gain))
        };
        let end = Some(self.k).filter(|k| *k < u32::MAX);
        let continuation = user::down_to(end, "g == 0".to_string());
        Some(User { continuation, weight: None, adaptive: true, cost: 1.0, walk: Box::new(walk) })
    }

    fn tie_rule(&self) -> TieRule<'_> {
        TieRule::First { k: self.k, rel: self.rel }
    }
    fn range_rule(&self, _max_grade: f64) -> RangeRule<'_> {
        RangeRule::Extremes(range::Kind::Exact)
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let first = topic.relevant_top(self.k, &N::decimal(self.rel)).next();
        Score::Value(first.map_or(N::zero(), |h| N::one() / N::count(h.rank)))
    }
    fn structure(&self) -> Structure {
        Shape {
            combine: Combine::Best,
            weights: Weights::Reciprocal,
            gain: Gain::Threshold(self.rel),
            divisor: Divisor::None,
        }
        .into()
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
    range: "0 to 1",
    undefined: "never: 0 where nothing relevant is seen is part of the definition",
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
