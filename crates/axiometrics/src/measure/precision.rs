//! Counts of relevant documents in the top of the ranking: precision, recall and their kin.

use super::def::{Alias, Cutoff, Def, Example};
use super::params::{JUDGED_ONLY, REL};
use super::structure::{Combine, Divisor, Gain, Shape, Structure, Weights};
use super::{Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Judged, Needs};

pub(super) const DEFS: &[&Def] = &[&PRECISION, &RECALL, &R_PRECISION, &SUCCESS, &HIT];

/// How many relevant documents stand in the top k.
pub(super) fn relevant_seen<N: Number>(topic: &Judged<'_, N>, k: u32, rel: f64) -> N {
    N::count(topic.relevant_top(k, &N::decimal(rel)).count() as u32)
}

struct Precision {
    k: u32,
    rel: f64,
}

impl Formula for Precision {
    fn needs(&self) -> Needs {
        Needs::for_threshold(self.rel)
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        Score::Value(relevant_seen(topic, self.k, self.rel) / N::count(self.k))
    }
    fn structure(&self) -> Structure {
        Shape { combine: Combine::Sum, weights: Weights::Constant, gain: Gain::Threshold(self.rel), divisor: Divisor::Cutoff }.into()
    }
}

const PRECISION: Def = Def {
    name: "P",
    title: "Precision",
    family: "precision",
    aliases: &[Alias::cut("P"), Alias::cut("Prec"), Alias::cut("Precision"), Alias::cut("precision")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "P@k = (1/k) * sum over i <= k of b_i, b_i = 1 where the document at rank i has at least the grade rel. Always divided by k, also where fewer documents were retrieved.",
    range: "0 to 1",
    undefined: "never",
    user_model: "reads exactly k documents and cares for how many of them are relevant, not for where they stand",
    examples: &[Example { measure: "P@6", ranking: "1 1 1 1 1 0 | 1", value: 5.0 / 6.0, working: "five of six are relevant: 5/6 = 0.83" }],
    differs: &["ranx divides by the number retrieved where that is below k"],
    references: &["Moffat 2013, section 2"],
    build: |args| Ok(Box::new(Precision { k: args.depth(), rel: args.number("rel") })),
};

struct Recall {
    k: u32,
    rel: f64,
}

impl Formula for Recall {
    fn needs(&self) -> Needs {
        Needs::for_threshold(self.rel)
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let relevant = N::count(topic.relevant(&N::decimal(self.rel)));
        ratio(relevant_seen(topic, self.k, self.rel), relevant, NO_RELEVANT)
    }
    fn structure(&self) -> Structure {
        Shape { combine: Combine::Sum, weights: Weights::Constant, gain: Gain::Threshold(self.rel), divisor: Divisor::Whole }.into()
    }
}

const RECALL: Def = Def {
    name: "R",
    title: "Recall",
    family: "precision",
    aliases: &[Alias::cut("recall"), Alias::cut("Recall")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "R@k = (1/R) * sum over i <= k of b_i, R the number of relevant documents of the topic.",
    range: "0 to 1",
    undefined: "the topic has no relevant document",
    user_model: "reads k documents and cares for what share of all relevant ones is among them",
    examples: &[Example { measure: "R@2", ranking: "1 0 1 | 1", value: 1.0 / 3.0, working: "one of three relevant documents: 1/3" }],
    differs: &["trec_eval gives 0 where the topic has no relevant document"],
    references: &["Moffat 2013, section 2"],
    build: |args| Ok(Box::new(Recall { k: args.depth(), rel: args.number("rel") })),
};

struct RPrecision {
    k: u32,
    rel: f64,
}

impl Formula for RPrecision {
    fn needs(&self) -> Needs {
        Needs::for_threshold(self.rel)
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let depth = topic.relevant(&N::decimal(self.rel)).min(self.k);
        ratio(relevant_seen(topic, depth, self.rel), N::count(depth), NO_RELEVANT)
    }
}

const R_PRECISION: Def = Def {
    name: "RPrec",
    title: "R-precision",
    family: "precision",
    aliases: &[Alias::plain("Rprec"), Alias::plain("r_precision"), Alias::plain("RPrecision")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "RPrec = P@R, R the number of relevant documents of the topic; RPrec@k = P@k where k <= R and P@R above.",
    range: "0 to 1",
    undefined: "the topic has no relevant document",
    user_model: "reads as many documents as there are relevant ones",
    examples: &[Example {
        measure: "RPrec",
        ranking: "1 0 1 1",
        value: 2.0 / 3.0,
        working: "R = 3, two of the first three are relevant: 2/3",
    }],
    differs: &["trec_eval gives 0 where the topic has no relevant document"],
    references: &["Moffat 2013, section 2"],
    build: |args| Ok(Box::new(RPrecision { k: args.depth(), rel: args.number("rel") })),
};

struct Success {
    k: u32,
    rel: f64,
}

impl Formula for Success {
    fn needs(&self) -> Needs {
        Needs::for_threshold(self.rel)
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let found = topic.relevant_top(self.k, &N::decimal(self.rel)).next().is_some();
        Score::Value(if found { N::one() } else { N::zero() })
    }
    fn structure(&self) -> Structure {
        Shape { combine: Combine::Best, weights: Weights::Constant, gain: Gain::Threshold(self.rel), divisor: Divisor::None }.into()
    }
}

const SUCCESS: Def = Def {
    name: "Success",
    title: "Success, or hit rate",
    family: "precision",
    aliases: &[Alias::cut("success"), Alias::cut("hit_rate"), Alias::cut("Hit"), Alias::cut("HitRate")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "Success@k = 1 where the top k holds a relevant document, else 0.",
    range: "0 or 1",
    undefined: "never",
    user_model: "needs one relevant document and gives up after k",
    examples: &[Example { measure: "Success@2", ranking: "0 1 0", value: 1.0, working: "the second document is relevant: 1" }],
    differs: &["ranx's `hits@k` is the number of relevant documents, not this"],
    references: &["the TREC web track; trec_eval's success"],
    build: |args| Ok(Box::new(Success { k: args.depth(), rel: args.number("rel") })),
};

struct MaximumGain {
    k: u32,
}

impl Formula for MaximumGain {
    fn needs(&self) -> Needs {
        Needs::POSITIVE
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let best = topic.top(self.k).fold(N::zero(), |best, h| best.max(h.grade.clone()));
        Score::Value(best / topic.max_grade.clone())
    }
    fn structure(&self) -> Structure {
        Shape { combine: Combine::Best, weights: Weights::Constant, gain: Gain::Scaled, divisor: Divisor::None }.into()
    }
}

const HIT: Def = Def {
    name: "HIT",
    title: "Maximum gain in the top k",
    family: "precision",
    aliases: &[],
    params: &[JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "HIT@k = the largest grade in the top k, divided by the maximum grade of the collection.",
    range: "0 to 1",
    undefined: "never",
    user_model: "reads k documents and keeps the best one",
    examples: &[Example { measure: "HIT@2", ranking: "1 0 2", value: 0.5, working: "the best grade in the top two is 1 of 2: 0.5" }],
    differs: &["not the hit rate of recommender tools: that is Success"],
    references: &["Moffat 2013, Table 1"],
    build: |args| Ok(Box::new(MaximumGain { k: args.depth() })),
};
