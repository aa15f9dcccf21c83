//! Counts of topics and documents, and how much of a ranking was judged.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{Args, JUDGED_ONLY, Param, REL};
use super::precision::relevant_seen;
use super::range::{self, Extremes, NoRange};
use super::ties::{AnyOrder, Ordered};
use super::{Aggregate, Declaration, Formula, Number, Score, Structure, ratio};
use crate::data::{Judged, Needs};

pub(super) const DEFS: &[&Def] = &[&NUM_Q, &NUM_RET, &NUM_REL, &NUM_NONREL, &JUDGED, &UNJUDGED];

enum CountKind {
    Topics,
    Retrieved,
    RelevantRetrieved,
    Relevant,
    NonrelevantRetrieved,
}

struct CountMeasure {
    k: u32,
    rel: f64,
    what: CountKind,
}

impl Formula for CountMeasure {
    fn declaration(&self) -> Declaration<'_> {
        let needs = match self.what {
            CountKind::Topics | CountKind::Retrieved => Needs::POSITIVE,
            CountKind::Relevant | CountKind::RelevantRetrieved => Needs::for_threshold(self.rel),
            CountKind::NonrelevantRetrieved => Needs::JUDGED,
        };
        Declaration {
            aggregate: Aggregate::Sum,
            ranges: match self.what {
                CountKind::Topics | CountKind::Retrieved => Box::new(NoRange(range::NOT_JUDGED)),
                _ => Box::new(Extremes(range::RangeKind::Exact)),
            },
            ties: match self.what {
                CountKind::Relevant | CountKind::RelevantRetrieved => Box::new(Ordered),
                _ => Box::new(AnyOrder),
            },
            ..Declaration::new(needs)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let rel = N::decimal(self.rel);
        Score::Value(match self.what {
            CountKind::Topics => N::one(),
            CountKind::Retrieved => N::count(topic.retrieved.min(self.k)),
            CountKind::RelevantRetrieved => relevant_seen(topic, self.k, self.rel),
            CountKind::Relevant => N::count(topic.relevant(&rel)),
            CountKind::NonrelevantRetrieved => {
                N::count(judged_top(topic, self.k).filter(|h| h.grade < rel).count() as u32)
            }
        })
    }
}

/// The assessed documents of the top k: a grade below zero means pooled, but not assessed.
pub(super) fn judged_top<'a, N: Number>(
    topic: &Judged<'a, N>,
    k: u32,
) -> impl Iterator<Item = &'a crate::data::Hit<N>> + use<'a, N> {
    topic.top(k).filter(|h| h.grade >= N::zero())
}

fn count(args: &Args, what: CountKind) -> Box<CountMeasure> {
    Box::new(CountMeasure { k: args.depth(), rel: args.number("rel"), what })
}

const NUM_Q: Def = Def {
    name: "NumQ",
    title: "Number of topics",
    family: "counts",
    aliases: &[Alias::plain("num_q")],
    params: &[],
    cutoff: Cutoff::Never,
    definition: "1 for each topic; the summary is their sum.",
    range: Span::Words("1 per topic"),
    undefined: "never",
    user_model: "none: a count",
    examples: &[Example { measure: "NumQ", ranking: "0 1", value: 1.0, working: "one topic" }],
    differs: &[],
    references: &["trec_eval's num_q"],
    build: |args| Ok(count(args, CountKind::Topics)),
};

const NUM_RET: Def = Def {
    name: "NumRet",
    title: "Number of retrieved documents",
    family: "counts",
    aliases: &[
        Alias::plain("num_ret"),
        Alias::plain("NumRelRet").implying("rel=1"),
        Alias::plain("num_rel_ret").implying("rel=1"),
        Alias::plain("hits").implying("rel=1"),
    ],
    params: &[
        Param {
            default: None,
            doc: "count only the documents of at least this grade; all if it is not given",
            ..REL
        },
        JUDGED_ONLY,
    ],
    cutoff: Cutoff::Optional,
    definition: "How many documents were retrieved, in the top k if there is a cutoff; with rel, how many of them have at least this grade. The summary is the sum over topics.",
    range: Span::Words("0 upwards"),
    undefined: "never",
    user_model: "none: a count",
    examples: &[
        Example { measure: "NumRet", ranking: "1 - 0 1", value: 4.0, working: "four documents" },
        Example {
            measure: "NumRet(rel=1)@3",
            ranking: "1 - 0 1",
            value: 1.0,
            working: "one of the first three is relevant",
        },
    ],
    differs: &["ranx's hits@k is NumRet(rel=1)@k, and its summary is the mean"],
    references: &["trec_eval's num_ret and num_rel_ret"],
    build: |args| {
        let what = if args.optional("rel").is_some() {
            CountKind::RelevantRetrieved
        } else {
            CountKind::Retrieved
        };
        Ok(count(args, what))
    },
};

const NUM_REL: Def = Def {
    name: "NumRel",
    title: "Number of relevant documents",
    family: "counts",
    aliases: &[Alias::plain("num_rel")],
    params: &[REL],
    cutoff: Cutoff::Never,
    definition: "R: how many judged documents of the topic have at least the grade rel, retrieved or not. The summary is the sum over topics.",
    range: Span::Words("0 upwards"),
    undefined: "never",
    user_model: "none: a count",
    examples: &[Example {
        measure: "NumRel",
        ranking: "1 0 | 2 0",
        value: 2.0,
        working: "one retrieved and one not",
    }],
    differs: &[],
    references: &["trec_eval's num_rel"],
    build: |args| Ok(count(args, CountKind::Relevant)),
};

const NUM_NONREL: Def = Def {
    name: "NumNonrelRet",
    title: "Number of retrieved documents that were judged non-relevant",
    family: "counts",
    aliases: &[Alias::plain("num_nonrel_judged_ret")],
    params: &[REL],
    cutoff: Cutoff::Optional,
    definition: "How many retrieved documents were judged, with a grade below rel; in the top k if there is a cutoff. The summary is the sum over topics.",
    range: Span::Words("0 upwards"),
    undefined: "never",
    user_model: "none: a count",
    examples: &[Example {
        measure: "NumNonrelRet",
        ranking: "1 0 - 0 | 0",
        value: 2.0,
        working: "two documents of grade 0; - is unjudged",
    }],
    differs: &[],
    references: &["trec_eval's num_nonrel_judged_ret"],
    build: |args| Ok(count(args, CountKind::NonrelevantRetrieved)),
};

/// Why these have no numeric properties.
const OF_THE_JUDGEMENTS: &str =
    "it measures how far the judgements cover a ranking, not the ranking";

fn of_the_judgements() -> Declaration<'static> {
    Declaration {
        structure: Structure { exempt: Some(OF_THE_JUDGEMENTS), ..Structure::default() },
        ranges: Box::new(NoRange(range::OF_JUDGEMENTS)),
        ..Declaration::new(Needs::JUDGED)
    }
}

struct JudgedShare {
    k: u32,
}

impl Formula for JudgedShare {
    fn declaration(&self) -> Declaration<'_> {
        of_the_judgements()
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let judged = N::count(judged_top(topic, self.k).count() as u32);
        ratio(judged, N::count(topic.retrieved.min(self.k)), "nothing was retrieved")
    }
}

const JUDGED: Def = Def {
    name: "Judged",
    title: "Share of judged documents",
    family: "counts",
    aliases: &[Alias::cut("judged")],
    params: &[],
    cutoff: Cutoff::Optional,
    definition: "Judged@k = judged documents in the top k / min(k, retrieved); Judged without a cutoff goes through the whole ranking.",
    range: Span::UNIT,
    undefined: "nothing was retrieved",
    user_model: "none: it says how far the judgements cover the ranking",
    examples: &[Example {
        measure: "Judged@3",
        ranking: "1 - 0 -",
        value: 2.0 / 3.0,
        working: "two of the first three were judged: 2/3",
    }],
    differs: &["ir_measures counts grades below 0 as judged; here, as in trec_eval, they are not"],
    references: &["ir_measures' Judged"],
    build: |args| Ok(Box::new(JudgedShare { k: args.depth() })),
};

struct UnjudgedShare {
    k: u32,
}

impl Formula for UnjudgedShare {
    fn declaration(&self) -> Declaration<'_> {
        of_the_judgements()
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let judged = judged_top(topic, self.k).count() as u32;
        Score::Value(N::count(topic.retrieved.min(self.k) - judged) / N::count(self.k))
    }
}

const UNJUDGED: Def = Def {
    name: "Unjudged",
    title: "Share of unjudged documents",
    family: "counts",
    aliases: &[Alias::cut("unj"), Alias::cut("unjudged")],
    params: &[],
    cutoff: Cutoff::Required,
    definition: "Unjudged@k = unjudged documents in the top k / k. Ranks that were not filled are not unjudged, so Judged@k + Unjudged@k = 1 only where k documents were retrieved.",
    range: Span::UNIT,
    undefined: "never",
    user_model: "none: a high value at a low cutoff warns that the judgements do not cover the ranking",
    examples: &[Example {
        measure: "Unjudged@4",
        ranking: "1 - 0",
        value: 0.25,
        working: "one unjudged document, divided by 4",
    }],
    differs: &[],
    references: &["trec_eval's unj"],
    build: |args| Ok(Box::new(UnjudgedShare { k: args.depth() })),
};
