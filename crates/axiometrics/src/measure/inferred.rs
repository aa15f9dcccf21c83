//! Measures estimated from a sample of the pool.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, REL};
use super::range::{Summed, Terms};
use super::structure::Form;
use super::ties::OrderedWithin;
use super::{Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Judged, Needs};

pub(super) const DEFS: &[&Def] = &[&INF_AP];

struct InferredAveragePrecision {
    rel: f64,
}

/// Keeps the estimated precision above a relevant document defined if nothing above it was
/// judged.
const EPSILON: f64 = 1e-5;

impl Formula for InferredAveragePrecision {
    fn declaration(&self) -> Declaration<'_> {
        let term = format!("(1 + (i - 1) * (r + {EPSILON}) / (i - 1 + 2 * {EPSILON})) / i");
        Declaration {
            structure: Form::seen(self.rel, &term, "R").into(),
            // If all is judged, what is pooled above a rank is all that stands there.
            ranges: Box::new(Summed {
                k: u32::MAX,
                rel: self.rel,
                terms: Box::new(|_| Terms {
                    term: Box::new(|rank, above, _| {
                        let pooled = f64::from(rank - 1);
                        let estimate = (above + EPSILON) / (pooled + 2.0 * EPSILON);
                        (1.0 + pooled * estimate) / f64::from(rank)
                    }),
                    bend: None,
                    value: Box::new(|totals| {
                        ratio(totals.sum, f64::from(totals.relevant), NO_RELEVANT)
                    }),
                }),
            }),
            ties: Box::new(OrderedWithin(u32::MAX)),
            ..Declaration::new(Needs::JUDGED)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let rel = N::decimal(self.rel);
        let epsilon = N::decimal(EPSILON);
        let (mut relevant, mut nonrelevant, mut unassessed) = (0, 0, 0);
        let mut sum = N::zero();
        for hit in topic.hits.iter() {
            if hit.grade < N::zero() {
                unassessed += 1;
                continue;
            }
            if hit.grade < rel {
                nonrelevant += 1;
                continue;
            }
            let rank = N::count(hit.rank);
            let pooled = N::count(relevant + nonrelevant + unassessed);
            let estimate = (N::count(relevant) + epsilon.clone())
                / (N::count(relevant + nonrelevant) + epsilon.clone() + epsilon.clone());
            // At rank 1 nothing is above, the second term is 0 and the whole is 1.
            sum = sum + (N::one() + pooled * estimate) / rank;
            relevant += 1;
        }
        ratio(sum, N::count(topic.relevant(&rel)), NO_RELEVANT)
    }
}

const INF_AP: Def = Def {
    name: "infAP",
    title: "Inferred average precision",
    family: "inferred",
    aliases: &[Alias::plain("infap")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "infAP = (1/R) * sum over retrieved relevant documents, at rank k, of 1/k + (d/k) * (r + e) / (r + n + 2e): above it stand r relevant and n judged non-relevant documents and d pooled ones, those with a grade below 0 included; e = 0.00001.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "that of AP, when only a sample of the pool was judged: a pooled document without judgement is relevant as often as the judged ones above",
    examples: &[Example {
        measure: "infAP",
        ranking: "1 0 -1 - 1",
        value: 0.75,
        working: "rank 1: 1. Rank 5: d = 3, r = 1, n = 1: 1/5 + 3/5 * 1/2 = 0.5. (1 + 0.5) / 2 = 0.75",
    }],
    differs: &["trec_eval: the same, and 0 if the topic has no relevant document"],
    references: &["Yilmaz and Aslam 2006"],
    build: |args| Ok(Box::new(InferredAveragePrecision { rel: args.number("rel") })),
};
