//! Any measure, scored for each judgement group alone and averaged: several judges, each with a
//! view of relevance of their own.
//!
//! A group is a facet. The intent-aware measures of [`super::diversity`] are averages of the same
//! kind.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, Param, ParamKind, REL};
use super::precision::MULTIPLE;
use super::range::{BY_FACET, NoRange};
use super::{Declaration, Exact, Measure, Metric, NO_RELEVANT, Number, Score};
use crate::data::{Facets, Grades, Hit, Hits, Judged, Needs};
use crate::error::{Error, Result};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&AVG_JG, &P_AVGJG, &RPREC_MULT_AVGJG];

/// Which facets of a topic enter the average.
pub(super) enum AveragedFacets {
    /// All; one for which the measure has no value counts as 0.
    Any,
    /// Those with a document of at least this grade.
    WithRelevant(f64),
}

/// The mean of a measure over the facets of a topic, each seen as a topic of its own.
pub(super) struct MeanOverFacets {
    measure: Metric,
    over: AveragedFacets,
}

impl MeanOverFacets {
    pub(super) fn new(measure: &str, over: AveragedFacets) -> Result<Box<MeanOverFacets>> {
        let measure: Metric = measure.parse()?;
        if measure.needs().facet != crate::data::Facet::None {
            return Err(Error::usage(format!("{measure} looks at several groups itself"))
                .help("name a measure of one ranking, such as AP"));
        }
        Ok(Box::new(MeanOverFacets { measure, over }))
    }

    fn mean<N: Number>(
        &self,
        topic: &Judged<'_, N>,
        score: impl Fn(&Judged<'_, N>) -> Score<N>,
    ) -> Score<N> {
        let mut parts: Vec<(Vec<Hit<N>>, Vec<N>)> =
            vec![Default::default(); topic.facets.table_len()];
        for row in topic.facets.rows {
            parts[row.facet as usize].1.push(N::decimal(row.grade));
        }
        for hit in topic.hits.iter() {
            for row in topic.facets.of(hit.doc) {
                parts[row.facet as usize].0.push(Hit { grade: N::decimal(row.grade), ..*hit });
            }
        }
        let (mut sum, mut with_relevant, mut defined) = (N::zero(), 0, false);
        for (hits, grades) in parts.into_iter().filter(|part| !part.1.is_empty()) {
            let grades = Grades::new(grades);
            let part = Judged {
                hits: Hits::new(&hits),
                grades: (&grades).into(),
                facets: Facets::default(),
                ..*topic
            };
            if let AveragedFacets::WithRelevant(rel) = self.over {
                if part.relevant(&N::decimal(rel)) == 0 {
                    continue;
                }
                with_relevant += 1;
            }
            if let Score::Value(x) = score(&part) {
                sum = sum + x;
                defined = true;
            }
        }
        let count = match self.over {
            AveragedFacets::Any => topic.facets.count,
            AveragedFacets::WithRelevant(_) => with_relevant,
        };
        if defined { Score::Value(sum / N::count(count)) } else { Score::Undefined(NO_RELEVANT) }
    }
}

// Not a `Formula`: the measure inside is any one that the user names, known by its object-safe face
// only.
impl Measure for MeanOverFacets {
    fn declaration(&self) -> Declaration<'_> {
        Declaration {
            aggregate: self.measure.aggregate(),
            ..by_facet(self.measure.needs().union(Needs::FACETS))
        }
    }
    fn score(&self, topic: &Judged<'_, f64>) -> Score<f64> {
        self.mean(topic, |part| self.measure.score(part))
    }
    fn score_exact(&self, topic: &Judged<'_, Exact>) -> Score<Exact> {
        self.mean(topic, |part| self.measure.score_exact(part))
    }
}

/// What measures by facet declare.
pub(super) fn by_facet(needs: Needs) -> Declaration<'static> {
    Declaration { ranges: Box::new(NoRange(BY_FACET)), ..Declaration::new(needs) }
}

const TREC_EVAL: &[&str] = &[
    "trec_eval: the same; a group without relevant documents counts as 0",
    "trec_eval -J removes for each group what that group has not judged: AvgJG(measure='AP(judged_only=true)')",
];
const REFERENCES: &[&str] = &["Buckley, trec_eval's qrels_jg format and its *_avgjg measures"];

const AVG_JG: Def = Def {
    name: "AvgJG",
    title: "Any measure, averaged over judgement groups",
    family: "judgement_groups",
    aliases: &[Alias::plain("map_avgjg").implying("measure=AP")],
    params: &[Param {
        name: Cow::Borrowed("measure"),
        kind: ParamKind::Text,
        default: Some(Cow::Borrowed("AP")),
        doc: "the measure, with its parameters and cutoff: AvgJG(measure='nDCG@10')",
    }],
    cutoff: Cutoff::Never,
    definition: "The measure is computed once for each judgement group (the second column of the judgements) as if its judgements were all there are; the score is the mean over the topic's groups, where a group without a value counts as 0.",
    range: Span::Words("that of the measure"),
    undefined: "the measure has no value for any group",
    user_model: "one of several judges, each as likely as the next, with the user model of the measure",
    examples: &[
        Example {
            measure: "AvgJG",
            ranking: "{a:1,b:0} {a:0,b:1} | {b:1}",
            value: 0.625,
            working: "AP is 1 for a, and (1/2)/2 = 0.25 for b: (1 + 0.25)/2 = 0.625",
        },
        Example {
            measure: "AvgJG(measure=P@2)",
            ranking: "{a:1,b:1} {b:1}",
            value: 0.75,
            working: "P@2 is 1/2 for a, 1 for b: 0.75",
        },
    ],
    differs: TREC_EVAL,
    references: REFERENCES,
    build: |args| Ok(MeanOverFacets::new(&args.text("measure"), AveragedFacets::Any)?),
};

const P_AVGJG: Def = Def {
    name: "P_avgjg",
    title: "Precision, averaged over judgement groups",
    family: "judgement_groups",
    aliases: &[Alias::cut("P_avgjg")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "P_avgjg@k = the mean over the topic's judgement groups of P@k: AvgJG(measure=P@k).",
    range: Span::UNIT,
    undefined: "the topic has no judgement",
    user_model: "one of several judges, each as likely as the next, who reads exactly k documents",
    examples: &[Example {
        measure: "P_avgjg@2",
        ranking: "{a:1,b:1} {b:1}",
        value: 0.75,
        working: "P@2 is 1/2 for a, 1 for b: 0.75",
    }],
    differs: TREC_EVAL,
    references: REFERENCES,
    build: |args| {
        Ok(MeanOverFacets::new(
            &format!("P(rel={})@{}", args.number("rel"), args.depth()),
            AveragedFacets::Any,
        )?)
    },
};

const RPREC_MULT_AVGJG: Def = Def {
    name: "Rprec_mult_avgjg",
    title: "Precision at a multiple of R, averaged over judgement groups",
    family: "judgement_groups",
    aliases: &[Alias::param("Rprec_mult_avgjg", "m")],
    params: &[MULTIPLE, REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "The mean over the topic's judgement groups of RPrecMult, R the number of relevant documents of the group.",
    range: Span::UNIT,
    undefined: "no group has a relevant document",
    user_model: "one of several judges, who reads a fixed multiple of as many documents as they find relevant in all",
    examples: &[Example {
        measure: "Rprec_mult_avgjg(m=1)",
        ranking: "{a:1} {b:1} | {b:1}",
        value: 0.75,
        working: "a: R = 1, P@1 = 1; b: R = 2, P@2 = 1/2; (1 + 1/2)/2 = 0.75",
    }],
    differs: TREC_EVAL,
    references: REFERENCES,
    build: |args| {
        let measure = format!("RPrecMult(m={},rel={})", args.number("m"), args.number("rel"));
        Ok(MeanOverFacets::new(&measure, AveragedFacets::Any)?)
    },
};
