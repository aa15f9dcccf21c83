//! Counts of relevant documents in the top of the ranking: precision, recall and their kin.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, Param, ParamKind, REL};
use super::range::{self, Additive, Counts, First, MovingCutoff, RetrievedExtremes};
use super::structure::{Combine, CountingDepth, Divisor, Form, Gain, Shape, Structure, Weights};
use super::ties::{Linear, Ordered};
use super::utility::{self, Utilities};
use super::{Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Judged, Needs};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] =
    &[&PRECISION, &RECALL, &F, &R_PRECISION, &R_PRECISION_MULTIPLE, &RELATIVE, &SUCCESS, &HIT];

/// Relevant documents down to a rank, under ties: a function of their number, in which it is
/// linear.
fn counted<'a>(
    rel: f64,
    depth: impl Fn(&Judged<'_>) -> u32 + Send + Sync + 'a,
    value: impl Fn(&Judged<'_>, f64) -> Score + Send + Sync + 'a,
) -> Box<Linear<'a>> {
    Box::new(Linear {
        gain: Box::new(move |_, grade| f64::from(u8::from(grade >= rel))),
        weights: Box::new(move |topic, ranks| vec![1.0; ranks.min(depth(topic)) as usize]),
        value: Box::new(value),
    })
}

/// How many relevant documents stand in the top k.
pub(super) fn relevant_seen<N: Number>(topic: &Judged<'_, N>, k: u32, rel: f64) -> N {
    N::count(topic.relevant_top(k, &N::decimal(rel)).count() as u32)
}

struct Precision {
    k: u32,
    rel: f64,
}

impl Precision {
    fn value<N: Number>(&self, seen: N) -> Score<N> {
        Score::Value(seen / N::count(self.k))
    }
}

impl Formula for Precision {
    fn declaration(&self) -> Declaration<'_> {
        let shape = Shape {
            combine: Combine::Sum,
            weights: Weights::Constant,
            gain: Gain::Threshold(self.rel),
            divisor: Divisor::Cutoff,
        };
        Declaration {
            structure: shape.into(),
            ranges: Box::new(Additive),
            ties: counted(self.rel, |_| self.k, |_, seen| self.value(seen)),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        self.value(relevant_seen(topic, self.k, self.rel))
    }
}

const PRECISION: Def = Def {
    name: "P",
    title: "Precision",
    family: "precision",
    aliases: &[
        Alias::cut("P"),
        Alias::cut("Prec"),
        Alias::cut("Precision"),
        Alias::cut("precision"),
    ],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "P@k = (1/k) * sum over i <= k of b_i, b_i = 1 where the document at rank i has at least the grade rel. Always divided by k, also where fewer documents were retrieved.",
    range: Span::UNIT,
    undefined: "never",
    user_model: "reads exactly k documents and cares for how many of them are relevant, not for where they stand",
    examples: &[Example {
        measure: "P@6",
        ranking: "1 1 1 1 1 0 | 1",
        value: 5.0 / 6.0,
        working: "five of six are relevant: 5/6 = 0.83",
    }],
    differs: &["ranx also takes precision without a cutoff, which is SetP here"],
    references: &["Moffat 2013, section 2"],
    build: |args| Ok(Box::new(Precision { k: args.depth(), rel: args.number("rel") })),
};

struct Recall {
    k: u32,
    rel: f64,
}

impl Recall {
    fn value<N: Number>(&self, seen: N, relevant: u32) -> Score<N> {
        ratio(seen, N::count(relevant), NO_RELEVANT)
    }

    fn counts(&self) -> Counts<'_> {
        let value = Box::new(|seen, _, relevant| self.value(f64::from(seen), relevant));
        Counts { k: self.k, rel: self.rel, value, linear: true }
    }
}

impl Formula for Recall {
    fn declaration(&self) -> Declaration<'_> {
        let shape = Shape {
            combine: Combine::Sum,
            weights: Weights::Constant,
            gain: Gain::Threshold(self.rel),
            divisor: Divisor::Whole,
        };
        Declaration {
            structure: shape.into(),
            ranges: Box::new(self.counts()),
            ties: Box::new(self.counts()),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        self.value(relevant_seen(topic, self.k, self.rel), topic.relevant(&N::decimal(self.rel)))
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
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "reads k documents and cares for what share of all relevant ones is among them",
    examples: &[Example {
        measure: "R@2",
        ranking: "1 0 1 | 1",
        value: 1.0 / 3.0,
        working: "one of three relevant documents: 1/3",
    }],
    differs: &["trec_eval gives 0 if the topic has no relevant document"],
    references: &["Moffat 2013, section 2"],
    build: |args| Ok(Box::new(Recall { k: args.depth(), rel: args.number("rel") })),
};

/// F of `seen` relevant documents among `retrieved`, of `relevant` in all: (1 + beta^2) P R /
/// (beta^2 P + R) without its 0/0 if nothing relevant is seen.
pub(super) fn f_measure<N: Number>(seen: N, retrieved: u32, relevant: u32, beta: f64) -> Score<N> {
    if relevant == 0 {
        return Score::Undefined(NO_RELEVANT);
    }
    let weight = N::decimal(beta).powi(2);
    let weighted = weight.clone() * N::count(relevant) + N::count(retrieved);
    ratio((N::one() + weight) * seen, weighted, "beta is 0 and nothing was retrieved")
}

/// The same in words, for h relevant documents among k, of R in all.
pub(super) fn f_formula(beta: f64) -> String {
    let weight = beta * beta;
    format!("(1 + {weight}) * h / ({weight} * R + k)")
}

/// How much more recall counts than precision.
pub(super) const BETA: Param = Param {
    name: Cow::Borrowed("beta"),
    kind: ParamKind::Number { min: 0.0, max: 1e9 },
    default: Some(Cow::Borrowed("1")),
    doc: "how many times as important recall is as precision",
};

struct FMeasure {
    k: u32,
    beta: f64,
    rel: f64,
}

impl FMeasure {
    fn value<N: Number>(&self, seen: N, relevant: u32) -> Score<N> {
        f_measure(seen, self.k, relevant, self.beta)
    }

    fn counts(&self) -> Counts<'_> {
        let value = Box::new(|seen, _, relevant| self.value(f64::from(seen), relevant));
        Counts { k: self.k, rel: self.rel, value, linear: true }
    }
}

impl Formula for FMeasure {
    fn declaration(&self) -> Declaration<'_> {
        let form = Form::Count { rel: self.rel, value: f_formula(self.beta), needs_relevant: true };
        Declaration {
            structure: form.into(),
            ranges: Box::new(self.counts()),
            ties: Box::new(self.counts()),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        self.value(relevant_seen(topic, self.k, self.rel), topic.relevant(&N::decimal(self.rel)))
    }
}

const F: Def = Def {
    name: "F",
    title: "F measure of precision and recall",
    family: "precision",
    aliases: &[Alias::cut("F1"), Alias::cut("f1")],
    params: &[BETA, REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "F@k = (1 + beta^2) P R / (beta^2 P + R), P = P@k and R = R@k; 0 if nothing relevant is in the top k.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "reads k documents, and finds recall beta times as important as precision",
    examples: &[
        Example {
            measure: "F@4",
            ranking: "1 0 0 1 | 1",
            value: 4.0 / 7.0,
            working: "P = 2/4, R = 2/3: 2 * (1/3) / (7/6) = 4/7 = 0.5714",
        },
        Example {
            measure: "F(beta=2)@2",
            ranking: "1 0 1 | 1",
            value: 5.0 / 14.0,
            working: "P = 1/2, R = 1/3: 5 * (1/6) / (2 + 1/3) = 5/14",
        },
    ],
    differs: &[
        "trec_eval's set_F.x has x = beta^2, and no cutoff",
        "ranx gives 0 if the topic has no relevant document",
    ],
    references: &["van Rijsbergen 1979, Information Retrieval, chapter 7"],
    build: |args| {
        Ok(Box::new(FMeasure {
            k: args.depth(),
            beta: args.number("beta"),
            rel: args.number("rel"),
        }))
    },
};

struct RelativePrecision {
    k: u32,
    rel: f64,
}

impl RelativePrecision {
    fn value<N: Number>(&self, seen: N, relevant: u32) -> Score<N> {
        ratio(seen, N::count(relevant.min(self.k)), NO_RELEVANT)
    }

    fn counts(&self) -> Counts<'_> {
        let value = Box::new(|seen, _, relevant| self.value(f64::from(seen), relevant));
        Counts { k: self.k, rel: self.rel, value, linear: true }
    }
}

impl Formula for RelativePrecision {
    fn declaration(&self) -> Declaration<'_> {
        let shape = Shape {
            combine: Combine::Sum,
            weights: Weights::Constant,
            gain: Gain::Threshold(self.rel),
            divisor: Divisor::Ideal,
        };
        Declaration {
            structure: shape.into(),
            ranges: Box::new(self.counts()),
            ties: Box::new(self.counts()),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        self.value(relevant_seen(topic, self.k, self.rel), topic.relevant(&N::decimal(self.rel)))
    }
}

const RELATIVE: Def = Def {
    name: "RelP",
    title: "Relative precision",
    family: "precision",
    aliases: &[Alias::cut("relative_P")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "RelP@k = P@k / the highest P@k that any ranking could have = relevant documents in the top k / min(k, R): precision up to R, recall from there.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "reads k documents and compares them with the best k there could be",
    examples: &[
        Example {
            measure: "RelP@2",
            ranking: "1 0 1 | 1",
            value: 0.5,
            working: "k = 2 is below R = 3: 1/2",
        },
        Example {
            measure: "RelP@4",
            ranking: "1 0 1 0 | 1",
            value: 2.0 / 3.0,
            working: "R = 3 is below k = 4: 2/3",
        },
    ],
    differs: &[
        "trec_eval gives 0 if the topic has no relevant document",
        "RPrec@k does not look below rank R; this does",
    ],
    references: &["trec_eval's relative_P"],
    build: |args| Ok(Box::new(RelativePrecision { k: args.depth(), rel: args.number("rel") })),
};

struct RPrecision {
    k: u32,
    rel: f64,
}

impl RPrecision {
    fn depth(&self, relevant: u32) -> u32 {
        relevant.min(self.k)
    }

    fn value<N: Number>(&self, seen: N, relevant: u32) -> Score<N> {
        ratio(seen, N::count(self.depth(relevant)), NO_RELEVANT)
    }
}

impl Formula for RPrecision {
    fn declaration(&self) -> Declaration<'_> {
        let depth = |topic: &Judged<'_>| self.depth(topic.relevant(&self.rel));
        let value = |topic: &Judged<'_>, seen| self.value(seen, topic.relevant(&self.rel));
        Declaration {
            structure: Form::Share { rel: self.rel, depth: CountingDepth::CutoffOrRelevant }.into(),
            ranges: Box::new(MovingCutoff {
                rel: self.rel,
                depth: Box::new(|relevant| self.depth(relevant)),
                value: Box::new(|seen, relevant| self.value(f64::from(seen), relevant)),
            }),
            ties: counted(self.rel, depth, value),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let relevant = topic.relevant(&N::decimal(self.rel));
        self.value(relevant_seen(topic, self.depth(relevant), self.rel), relevant)
    }
}

const R_PRECISION: Def = Def {
    name: "RPrec",
    title: "R-precision",
    family: "precision",
    aliases: &[
        Alias::plain("Rprec"),
        Alias::plain("r_precision"),
        Alias::plain("r-precision"),
        Alias::plain("RPrecision"),
    ],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "RPrec = P@R, R the number of relevant documents of the topic; RPrec@k = P@k where k <= R and P@R above.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "reads as many documents as there are relevant ones",
    examples: &[Example {
        measure: "RPrec",
        ranking: "1 0 1 1",
        value: 2.0 / 3.0,
        working: "R = 3, two of the first three are relevant: 2/3",
    }],
    differs: &["trec_eval gives 0 if the topic has no relevant document"],
    references: &["Moffat 2013, section 3"],
    build: |args| Ok(Box::new(RPrecision { k: args.depth(), rel: args.number("rel") })),
};

struct MultipleOfR {
    multiple: f64,
    rel: f64,
}

impl MultipleOfR {
    fn depth(&self, relevant: u32) -> u32 {
        // trec_eval's rounding: 0.9 is added and the fraction cut off.
        (self.multiple * f64::from(relevant) + 0.9) as u32
    }

    fn value<N: Number>(&self, seen: N, relevant: u32) -> Score<N> {
        if relevant == 0 {
            return Score::Undefined(NO_RELEVANT);
        }
        ratio(seen, N::count(self.depth(relevant)), "the multiple of R comes to no document")
    }
}

impl Formula for MultipleOfR {
    fn declaration(&self) -> Declaration<'_> {
        let depth = |topic: &Judged<'_>| self.depth(topic.relevant(&self.rel));
        let value = |topic: &Judged<'_>, seen| self.value(seen, topic.relevant(&self.rel));
        Declaration {
            structure: Form::Share { rel: self.rel, depth: CountingDepth::Multiple(self.multiple) }
                .into(),
            ranges: Box::new(MovingCutoff {
                rel: self.rel,
                depth: Box::new(|relevant| self.depth(relevant)),
                value: Box::new(|seen, relevant| self.value(f64::from(seen), relevant)),
            }),
            ties: counted(self.rel, depth, value),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let relevant = topic.relevant(&N::decimal(self.rel));
        self.value(relevant_seen(topic, self.depth(relevant), self.rel), relevant)
    }
}

pub(super) const MULTIPLE: Param = Param {
    name: Cow::Borrowed("m"),
    kind: ParamKind::Open { min: 0.0, max: f64::INFINITY },
    default: Some(Cow::Borrowed("1")),
    doc: "how many times R documents are read",
};

const R_PRECISION_MULTIPLE: Def = Def {
    name: "RPrecMult",
    title: "Precision at a multiple of R",
    family: "precision",
    aliases: &[Alias::param("Rprec_mult", "m")],
    params: &[MULTIPLE, REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "RPrecMult(m) = P@n, n = m * R + 0.9 without its fraction, R the number of relevant documents of the topic.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document, or m * R is below 0.1",
    user_model: "reads m times as many documents as there are relevant ones",
    examples: &[Example {
        measure: "RPrecMult(m=1.5)",
        ranking: "1 0 1 1",
        value: 0.6,
        working: "R = 3: n = floor(4.5 + 0.9) = 5; 3/5",
    }],
    differs: &["trec_eval gives 0 if this is undefined"],
    references: &["trec_eval's Rprec_mult"],
    build: |args| Ok(Box::new(MultipleOfR { multiple: args.number("m"), rel: args.number("rel") })),
};

struct Success {
    k: u32,
    rel: f64,
}

impl Formula for Success {
    fn declaration(&self) -> Declaration<'_> {
        let shape = Shape {
            combine: Combine::Best,
            weights: Weights::Constant,
            gain: Gain::Threshold(self.rel),
            divisor: Divisor::None,
        };
        let first = First { k: self.k, rel: self.rel };
        Declaration {
            structure: shape.into(),
            ranges: Box::new(first),
            ties: Box::new(first),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let found = topic.relevant_top(self.k, &N::decimal(self.rel)).next().is_some();
        Score::Value(if found { N::one() } else { N::zero() })
    }
}

const SUCCESS: Def = Def {
    name: "Success",
    title: "Success, or hit rate",
    family: "precision",
    aliases: &[
        Alias::cut("success"),
        Alias::cut("hit_rate"),
        Alias::cut("Hit"),
        Alias::cut("HitRate"),
        Alias::cut("HR"),
    ],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "Success@k = 1 where the top k holds a relevant document, else 0.",
    range: Span::Either(0.0, 1.0),
    undefined: "never",
    user_model: "needs one relevant document and gives up after k",
    examples: &[Example {
        measure: "Success@2",
        ranking: "0 1 0",
        value: 1.0,
        working: "the second document is relevant: 1",
    }],
    differs: &["ranx's `hits@k` is the number of relevant documents, not this"],
    references: &["the TREC web track; trec_eval's success"],
    build: |args| Ok(Box::new(Success { k: args.depth(), rel: args.number("rel") })),
};

struct MaximumGain {
    k: u32,
    /// What each grade is worth, if the user says so.
    worth: Option<Utilities>,
}

impl Formula for MaximumGain {
    fn declaration(&self) -> Declaration<'_> {
        let shape = Shape {
            combine: Combine::Best,
            weights: Weights::Constant,
            gain: Gain::Scaled,
            divisor: Divisor::None,
        };
        Declaration {
            structure: if self.worth.is_some() { Structure::default() } else { shape.into() },
            ranges: Box::new(RetrievedExtremes(range::RangeKind::Exact)),
            ties: Box::new(Ordered),
            ..Declaration::new(Needs::POSITIVE)
        }
    }
    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let best = topic.top(self.k).fold(N::zero(), |best, h| best.max(h.grade.clone()));
        Score::Value(match &self.worth {
            Some(worth) => worth.of(&best),
            None => best / topic.max_grade.clone(),
        })
    }
}

const HIT: Def = Def {
    name: "HIT",
    title: "Maximum gain in the top k",
    family: "precision",
    aliases: &[],
    params: &[utility::GAINS, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "HIT@k = the largest grade in the top k, divided by the maximum grade of the collection.",
    range: Span::UNIT,
    undefined: "never",
    user_model: "reads k documents and keeps the best one",
    examples: &[Example {
        measure: "HIT@2",
        ranking: "1 0 2",
        value: 0.5,
        working: "the best grade in the top two is 1 of 2: 0.5",
    }],
    differs: &["not the hit rate of recommender tools: that is Success"],
    references: &["Moffat 2013, section 2"],
    build: |args| {
        Ok(Box::new(MaximumGain { k: args.depth(), worth: Utilities::given(args, &[])? }))
    },
};
