//! Interpolated precision: the points of the recall-precision graph.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{Args, JUDGED_ONLY, Param, ParamKind, REL};
use super::range::Peaks;
use super::structure::Form;
use super::ties::OrderedWithin;
use super::{Declaration, Formula, NO_RELEVANT, Number, Score};
use crate::data::{Judged, Needs};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&IPREC, &IPREC11];

/// How many of the relevant documents make a level of recall. trec_eval 10 rounds to the nearest
/// count; `f64::round` takes halves away from zero, as C's lround.
fn needed(recall: f64, relevant: u32) -> usize {
    (recall * f64::from(relevant)).round() as usize
}

struct InterpolatedPrecision {
    rel: f64,
    /// Precision is averaged over these recall levels, in ascending order.
    recalls: Vec<f64>,
}

impl Formula for InterpolatedPrecision {
    fn declaration(&self) -> Declaration<'_> {
        let form = Form::Interpolated { rel: self.rel, recalls: self.recalls.clone() };
        Declaration {
            structure: form.into(),
            ranges: Box::new(Peaks {
                rel: self.rel,
                needed: Box::new(|relevant| {
                    self.recalls.iter().map(|recall| needed(*recall, relevant)).collect()
                }),
            }),
            ties: Box::new(OrderedWithin(u32::MAX)),
            ..Declaration::new(Needs::for_threshold(self.rel))
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        mean(topic, self.rel, &self.recalls, needed)
    }
}

/// The mean of interpolated precisions at levels of recall in ascending order, of which `needed`
/// says how many relevant documents make them.
pub(crate) fn mean<N: Number>(
    topic: &Judged<'_, N>,
    rel: f64,
    recalls: &[f64],
    needed: impl Fn(f64, u32) -> usize,
) -> Score<N> {
    let rel = N::decimal(rel);
    let relevant = topic.relevant(&rel);
    if relevant == 0 {
        return Score::Undefined(NO_RELEVANT);
    }
    let ranks: Vec<u32> = topic.relevant_top(u32::MAX, &rel).map(|h| h.rank).collect();
    // Best precision at the n-th relevant document or any later one: walk from the last.
    let mut n = ranks.len();
    let mut best = N::zero();
    let mut sum = N::zero();
    for recall in recalls.iter().rev() {
        let needed = needed(*recall, relevant);
        while n > 0 && n >= needed {
            best = best.max(N::count(n as u32) / N::count(ranks[n - 1]));
            n -= 1;
        }
        if needed <= ranks.len() {
            sum = sum + best.clone();
        }
    }
    Score::Value(sum / N::count(recalls.len() as u32))
}

fn build(args: &Args, recalls: Vec<f64>) -> Box<InterpolatedPrecision> {
    Box::new(InterpolatedPrecision { rel: args.number("rel"), recalls })
}

const RECALL: Param = Param {
    name: Cow::Borrowed("recall"),
    kind: ParamKind::Number { min: 0.0, max: 1.0 },
    default: None,
    doc: "the recall to be reached, written after the @",
};

const IPREC: Def = Def {
    name: "IPrec",
    title: "Interpolated precision at a recall level",
    family: "interpolated",
    aliases: &[Alias::param("iprec_at_recall", "recall"), Alias::plain("IPrecision")],
    params: &[RECALL, REL, JUDGED_ONLY],
    cutoff: Cutoff::Param("recall"),
    definition: "IPrec@r = the highest precision at any rank where at least n relevant documents have been seen, n = r * R rounded to the nearest whole number (halves up); 0 where n are never seen.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "reads on until a share r of the relevant documents has been seen, and further if precision then rises",
    examples: &[
        Example {
            measure: "IPrec@0.5",
            ranking: "1 0 1 0 0 | 1 1",
            value: 2.0 / 3.0,
            working: "n = 0.5 * 4 = 2; the second relevant document is at rank 3: 2/3",
        },
        Example {
            measure: "IPrec@0",
            ranking: "0 1 1",
            value: 2.0 / 3.0,
            working: "the highest precision anywhere: 2/3 at rank 3",
        },
    ],
    differs: &[
        "trec_eval 9 and pytrec_eval round r * R + 0.9 down; trec_eval 10 rounds to the nearest, as here",
    ],
    references: &["Buckley and Voorhees 2005", "trec_eval's iprec_at_recall"],
    build: |args| Ok(build(args, vec![args.number("recall")])),
};

const IPREC11: Def = Def {
    name: "IPrec11",
    title: "Eleven-point interpolated average precision",
    family: "interpolated",
    aliases: &[Alias::plain("11pt_avg"), Alias::plain("11-pt_avg")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "The mean of IPrec@r over r = 0, 0.1, ..., 1.",
    range: Span::UNIT,
    undefined: "the topic has no relevant document",
    user_model: "that of IPrec, averaged over how much recall is wanted",
    examples: &[Example {
        measure: "IPrec11",
        ranking: "1 0 1",
        value: 10.0 / 11.0,
        working: "R = 2: r = 0 to 0.2 need no document, 0.3 to 0.7 one, 0.8 to 1 two; 8 levels of 1 (rank 1) and 3 of 2/3: 10/11 = 0.9091",
    }],
    differs: &["trec_eval 9 and pytrec_eval round r * R + 0.9 down"],
    references: &["Salton and McGill 1983", "trec_eval's 11pt_avg"],
    build: |args| Ok(build(args, (0..=10).map(|tenth| f64::from(tenth) / 10.0).collect())),
};
