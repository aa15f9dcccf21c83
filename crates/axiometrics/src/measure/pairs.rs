//! Pairs of a relevant and a non-relevant document, and how many of them the ranking puts in the
//! right order.

use super::counts::judged_top;
use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, REL};
use super::range::{Summed, Terms, Totals};
use super::structure::Form;
use super::ties::{OrderedWithin, PairSum};
use super::{Aggregate, Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Judged, Needs};

pub(super) const DEFS: &[&Def] = &[&BPREF, &GM_BPREF, &ACCURACY, &AUC];

/// Why a share of pairs is undefined.
const NO_PAIR: &str = "there is no pair of a relevant and another document";

/// The sum over the relevant documents of a term of how many judged non-relevant ones stand above.
fn over_relevant<N: Number>(topic: &Judged<'_, N>, rel: f64, term: impl Fn(u32) -> N) -> N {
    let rel = N::decimal(rel);
    let mut above = 0;
    let mut sum = N::zero();
    for hit in judged_top(topic, u32::MAX) {
        if hit.grade < rel {
            above += 1;
        } else {
            sum = sum + term(above);
        }
    }
    sum
}

/// The share of pairs in the right order, of all documents of the collection.
pub(super) fn area(rel: f64) -> Form {
    let [term, rest, divisor] = ["N - n", "(R - h) * (N - o) / 2", "R * N"].map(str::to_string);
    Form::Seen { rel, term, rest, divisor }
}

struct Bpref {
    rel: f64,
    aggregate: Aggregate,
}

impl Bpref {
    fn term<N: Number>(&self, topic: &Judged<'_, N>, above: u32) -> N {
        let rel = N::decimal(self.rel);
        let relevant = topic.relevant(&rel);
        let bound = topic.grades.nonrelevant(&rel).min(relevant);
        if above == 0 {
            N::one()
        } else {
            N::one() - N::count(above.min(relevant)) / N::count(bound)
        }
    }

    fn value<N: Number>(&self, topic: &Judged<'_, N>, sum: N) -> Score<N> {
        ratio(sum, N::count(topic.relevant(&N::decimal(self.rel))), NO_RELEVANT)
    }

    /// What is lost at the relevant documents: the non-relevant ones above, R at most.
    fn summed(&self) -> Summed<'_> {
        let value = |totals: &Totals| {
            let bound = (totals.judged - totals.relevant).min(totals.relevant);
            let lost = if bound == 0 { 0.0 } else { totals.sum / f64::from(bound) };
            ratio(f64::from(totals.seen) - lost, f64::from(totals.relevant), NO_RELEVANT)
        };
        Summed {
            k: u32::MAX,
            rel: self.rel,
            terms: Box::new(move |_| Terms {
                term: Box::new(|rank, above, relevant| nonrelevant(rank, above).min(relevant)),
                bend: Some(|rank, above, relevant| nonrelevant(rank, above) - relevant),
                value: Box::new(value),
            }),
        }
    }
}

/// If all is judged: the documents above a rank that are not relevant.
fn nonrelevant(rank: u32, relevant_above: f64) -> f64 {
    f64::from(rank - 1) - relevant_above
}

/// A score that follows from the pairs in the wrong order.
fn by_wrong_pairs<'a>(
    k: u32,
    rel: f64,
    value: impl Fn(&Totals) -> Score + Copy + Send + Sync + 'a,
) -> Summed<'a> {
    Summed {
        k,
        rel,
        terms: Box::new(move |_| Terms {
            term: Box::new(|rank, above, _| nonrelevant(rank, above)),
            bend: None,
            value: Box::new(value),
        }),
    }
}

impl Formula for Bpref {
    fn declaration(&self) -> Declaration<'_> {
        let term = "max(0, 1 - n / min(max(N, 1), R))";
        Declaration {
            structure: Form::seen(self.rel, term, "R").into(),
            aggregate: self.aggregate.clone(),
            ranges: Box::new(self.summed()),
            ties: Box::new(PairSum {
                rel: self.rel,
                term: Box::new(|topic, above| self.term(topic, above)),
                value: Box::new(|topic, sum| self.value(topic, sum)),
            }),
            ..Declaration::new(Needs::JUDGED)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let sum = over_relevant(topic, self.rel, |above| self.term(topic, above));
        self.value(topic, sum)
    }
}

const BPREF: Def = Def {
    name: "Bpref",
    title: "Binary preference",
    family: "pairs",
    aliases: &[Alias::plain("bpref"), Alias::plain("BPref")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "Bpref = (1/R) * sum over retrieved relevant documents of 1 - min(n, R) / min(N, R), n the judged non-relevant documents above it (the term is 1 where n = 0), N all judged non-relevant documents of the topic. Unjudged documents play no part.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "prefers each relevant document to each of the first R judged non-relevant ones",
    examples: &[
        Example {
            measure: "Bpref",
            ranking: "1 0 - 1 0 1",
            value: 0.5,
            working: "R = 3, N = 2: 1 + (1 - 1/2) + (1 - 2/2) = 1.5; 1.5 / 3 = 0.5",
        },
        Example {
            measure: "Bpref",
            ranking: "- 1 | 1 0 0",
            value: 0.5,
            working: "nothing judged non-relevant above: 1; 1/2",
        },
    ],
    differs: &[
        "trec_eval: the same, and 0 if the topic has no relevant document",
        "the paper's first form divides by R in place of min(N, R)",
        "ranx counts grades below 0 as non-relevant, and divides by zero if nothing was judged non-relevant",
    ],
    references: &["Buckley and Voorhees 2004", "trec_eval's bpref (the divisor min(N, R))"],
    build: |args| Ok(Box::new(Bpref { rel: args.number("rel"), aggregate: Aggregate::Mean })),
};

const GM_BPREF: Def = Def {
    name: "GMBpref",
    title: "Geometric mean of binary preference",
    family: "pairs",
    aliases: &[Alias::plain("gm_bpref")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "Bpref per topic; the summary is the geometric mean, with values below 0.00001 raised to 0.00001.",
    range: Span::BetweenWith(0.0, 1.0, " per topic; the summary is at least 0.00001"),
    undefined: "the topic has no relevant document",
    user_model: "that of Bpref, with the emphasis on the topics that do badly",
    examples: &[Example {
        measure: "GMBpref",
        ranking: "1 0 - 1 0 1",
        value: 0.5,
        working: "one topic: its Bpref, 0.5",
    }],
    differs: &[
        "trec_eval's gm_bpref prints the logarithm of the floored value per topic, and counts an undefined one as 0.00001",
    ],
    references: &["trec_eval's gm_bpref"],
    build: |args| {
        Ok(Box::new(Bpref { rel: args.number("rel"), aggregate: Aggregate::GeometricMean }))
    },
};

struct Accuracy {
    k: u32,
    rel: f64,
}

impl Formula for Accuracy {
    fn declaration(&self) -> Declaration<'_> {
        Declaration {
            structure: Form::seen(self.rel, "o - n", "h * o").into(),
            ranges: Box::new(by_wrong_pairs(self.k, self.rel, |totals: &Totals| {
                let other = totals.retrieved.min(self.k) - totals.seen;
                let pairs = f64::from(totals.seen) * f64::from(other);
                ratio(pairs - totals.sum, pairs, NO_PAIR)
            })),
            ties: Box::new(OrderedWithin(self.k)),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let (mut seen, mut right, mut wrong) = (0, N::zero(), N::zero());
        let hits: Vec<u32> =
            topic.relevant_top(self.k, &N::decimal(self.rel)).map(|h| h.rank).collect();
        let other = topic.retrieved.min(self.k) - hits.len() as u32;
        for rank in hits {
            let above = rank - 1 - seen;
            wrong = wrong + N::count(above);
            right = right + N::count(other - above);
            seen += 1;
        }
        if seen == 0 {
            return Score::Undefined("no relevant document was retrieved");
        }
        ratio(right.clone(), right + wrong, "no other than relevant documents were retrieved")
    }
}

const ACCURACY: Def = Def {
    name: "Accuracy",
    title: "Pairwise accuracy of the retrieved documents",
    family: "pairs",
    aliases: &[],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "Accuracy@k = among the top k, the share of pairs of a relevant and another document in which the relevant one stands above. Unjudged documents are not relevant; documents that were not retrieved play no part.",
    range: Span::UNIT,
    undefined: "no relevant document was retrieved, or no other",
    user_model: "picks one relevant and one other document of the ranking at random and asks which is above",
    examples: &[Example {
        measure: "Accuracy",
        ranking: "1 0 - 1",
        value: 0.5,
        working: "two others: the first relevant document is above both, the last above none: 2 of 4 pairs",
    }],
    differs: &[
        "ir_measures leaves undefined topics out, and divides by zero where all retrieved documents are relevant",
    ],
    references: &["ir_measures' Accuracy"],
    build: |args| Ok(Box::new(Accuracy { k: args.depth(), rel: args.number("rel") })),
};

struct AreaUnderCurve {
    rel: f64,
}

impl AreaUnderCurve {
    /// The pairs that a relevant document below so many non-relevant ones has right.
    fn term<N: Number>(&self, topic: &Judged<'_, N>, above: u32) -> N {
        N::count(topic.grades.nonrelevant(&N::decimal(self.rel)) - above)
    }

    fn value<N: Number>(&self, topic: &Judged<'_, N>, right: N) -> Score<N> {
        let rel = N::decimal(self.rel);
        let (relevant, nonrelevant) = (topic.relevant(&rel), topic.grades.nonrelevant(&rel));
        if relevant == 0 {
            return Score::Undefined(NO_RELEVANT);
        }
        let retrieved = judged_top(topic, u32::MAX).count() as u32;
        let seen = judged_top(topic, u32::MAX).filter(|h| h.grade >= rel).count() as u32;
        // What was not retrieved is tied at the end: half of these pairs are right.
        let tied =
            N::count(relevant - seen) * N::count(nonrelevant - (retrieved - seen)) / N::int(2);
        ratio(
            right + tied,
            N::count(relevant) * N::count(nonrelevant),
            "the topic has no judged non-relevant document",
        )
    }
}

impl Formula for AreaUnderCurve {
    fn declaration(&self) -> Declaration<'_> {
        Declaration {
            structure: area(self.rel).into(),
            ranges: Box::new(by_wrong_pairs(u32::MAX, self.rel, |totals: &Totals| {
                let Totals { sum, seen, relevant, judged, retrieved } = *totals;
                let right = f64::from(seen) * f64::from(judged - relevant) - sum;
                let missed = judged - relevant - (retrieved - seen);
                let tied = f64::from(relevant - seen) * f64::from(missed) / 2.0;
                let pairs = f64::from(relevant) * f64::from(judged - relevant);
                ratio(right + tied, pairs, NO_PAIR)
            })),
            ties: Box::new(PairSum {
                rel: self.rel,
                term: Box::new(|topic, above| self.term(topic, above)),
                value: Box::new(|topic, sum| self.value(topic, sum)),
            }),
            ..Declaration::new(Needs::JUDGED)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        self.value(topic, over_relevant(topic, self.rel, |above| self.term(topic, above)))
    }
}

const AUC: Def = Def {
    name: "AUC",
    title: "Area under the ROC curve",
    family: "pairs",
    aliases: &[Alias::plain("ROC-AUC"), Alias::plain("auc")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "The share of pairs of a relevant and a judged non-relevant document of the topic in which the relevant one stands above. Documents that were not retrieved stand below all others and tie with each other; a tie counts one half.",
    range: Span::BetweenWith(0.0, 1.0, "; 0.5 is chance"),
    undefined: "the topic has no relevant document, or no judged non-relevant one",
    user_model: "picks one relevant and one non-relevant judged document at random and asks which is above",
    examples: &[Example {
        measure: "AUC",
        ranking: "1 0 - | 1 0",
        value: 0.625,
        working: "four pairs: the first relevant document is above both, 2; the other is below the retrieved one, 0, and ties with the last, 1/2: 2.5/4",
    }],
    differs: &[
        "scikit-learn's roc_auc_score over all judged documents, with one score below all others for those not retrieved: the same",
    ],
    references: &["Hanley and McNeil 1982"],
    build: |args| Ok(Box::new(AreaUnderCurve { rel: args.number("rel") })),
};
