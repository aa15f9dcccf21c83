//! Diversity: measures of a topic with several subtopics, each served or not by a document.
//!
//! Most are one sum. A document's gain is G_i = the sum over its subtopics of (1-alpha)^(times the
//! subtopic was seen above i); the measures differ in the discount of a rank and in what the sum is
//! divided by.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::dcg::Discounted;
use super::def::{Alias, Cutoff, Def, Example, Span};
use super::judgement_groups::{AveragedFacets, MeanOverFacets, by_facet};
use super::params::{Args, JUDGED_ONLY, Param, ParamKind, REL};
use super::structure::Weights;
use super::{Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{FacetRow, Facets, Grades, Hit, Hits, Judged, Needs};
use crate::number::LastingNumber;

pub(super) const DEFS: &[&Def] = &[
    &ALPHA_NDCG,
    &ALPHA_DCG,
    &NERR_IA,
    &ERR_IA,
    &NNRBP,
    &NRBP,
    &AP_IA,
    &P_IA,
    &ST_RECALL,
    &D_SHARP_NDCG,
];

/// What each subtopic still gives to the next document that serves it.
struct Novelty<N> {
    left: Vec<N>,
    keep: N,
    rel: f64,
}

impl<N: Number> Novelty<N> {
    fn new(facets: &Facets<'_>, alpha: f64, rel: f64) -> Novelty<N> {
        Novelty {
            left: vec![N::one(); facets.table_len()],
            keep: N::one() - N::decimal(alpha),
            rel,
        }
    }

    /// The gain of a document if it came next.
    fn gain(&self, rows: &[FacetRow]) -> N {
        let served = rows.iter().filter(|r| r.grade >= self.rel);
        served.fold(N::zero(), |sum, r| sum + self.left[r.facet as usize].clone())
    }

    /// The document comes next.
    fn take(&mut self, rows: &[FacetRow]) -> N {
        let gain = self.gain(rows);
        for row in rows.iter().filter(|r| r.grade >= self.rel) {
            let left = &mut self.left[row.facet as usize];
            *left = left.clone() * self.keep.clone();
        }
        gain
    }
}

/// Documents that may come next in the ideal ranking, with the gain they had when they were last
/// looked at. All of them serve the same subtopics, so that they gain the same, and the one whose id
/// is last in byte order comes first.
struct IdealCandidate<'a, N> {
    gain: N,
    /// By id.
    documents: Vec<&'a [FacetRow]>,
}

impl<N: Number> IdealCandidate<'_, N> {
    fn id_rank(&self) -> Option<u32> {
        self.documents.last().and_then(|rows| id_rank(rows))
    }
}

fn id_rank(rows: &[FacetRow]) -> Option<u32> {
    rows.first().map(|r| r.id_rank)
}
impl<N: Number> Ord for IdealCandidate<'_, N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain
            .partial_cmp(&other.gain)
            .unwrap_or(Ordering::Equal)
            .then(self.id_rank().cmp(&other.id_rank()))
    }
}
impl<N: Number> PartialOrd for IdealCandidate<'_, N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<N: Number> PartialEq for IdealCandidate<'_, N> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl<N: Number> Eq for IdealCandidate<'_, N> {}

/// The gains of the ideal ranking by rank. The best one is hard to find (set cover), so it is built
/// greedily, as the measures' authors do: always the document of the highest gain, among equals the
/// one whose id is last in byte order, as ndeval.
///
/// A gain never grows while the ranking does, so a document whose gain is still the one it had on
/// the heap beats all others unseen. Documents that serve the same subtopics are looked at together:
/// each that is taken lowers the gain of all of them.
fn greedy_ideal<N: Number>(
    facets: Facets<'_>,
    alpha: f64,
    rel: f64,
    k: u32,
) -> impl Iterator<Item = (u32, N)> {
    let mut novelty = Novelty::new(&facets, alpha, rel);
    let mut documents: Vec<&[FacetRow]> = facets
        .rows
        .chunk_by(|a, b| a.doc == b.doc)
        .filter(|rows| rows.iter().any(|r| r.grade >= rel))
        .collect();
    let served = |rows: &[FacetRow]| -> Vec<u32> {
        rows.iter().filter(|r| r.grade >= rel).map(|r| r.facet).collect()
    };
    documents.sort_by_cached_key(|rows| (served(rows), id_rank(rows)));
    let mut heap: BinaryHeap<IdealCandidate<'_, N>> = documents
        .chunk_by(|a, b| served(a) == served(b))
        .map(|alike| IdealCandidate { gain: novelty.gain(alike[0]), documents: alike.to_vec() })
        .collect();
    (1..=k).map_while(move |rank| {
        loop {
            let mut best = heap.pop()?;
            // Those of which all documents were taken are not put back.
            let next = *best.documents.last()?;
            let gain = novelty.gain(next);
            if gain >= best.gain {
                best.documents.pop();
                if !best.documents.is_empty() {
                    heap.push(best);
                }
                return Some((rank, novelty.take(next)));
            }
            best.gain = gain;
            heap.push(best);
        }
    })
}

/// M: how many subtopics have a relevant document.
fn subtopics(facets: &Facets<'_>, rel: f64) -> u32 {
    seen_subtopics(facets, facets.rows.iter(), rel)
}

fn seen_subtopics<'a>(
    facets: &Facets<'_>,
    rows: impl Iterator<Item = &'a FacetRow>,
    rel: f64,
) -> u32 {
    let mut seen = vec![false; facets.table_len()];
    for row in rows.filter(|r| r.grade >= rel) {
        seen[row.facet as usize] = true;
    }
    seen.into_iter().filter(|s| *s).count() as u32
}

fn needs(rel: f64) -> Needs {
    Needs::for_threshold(rel).union(Needs::FACETS)
}

/// What the gain at a rank is worth.
enum Discount {
    /// 1/log2(i+1)
    Log,
    /// 1/i
    Rank,
    /// beta^(i-1)
    Patience(f64),
}

enum DiversityDivisor {
    /// The same sum over a ranking in which every document serves every subtopic.
    Unreachable,
    /// The sum over the greedy ideal ranking.
    Ideal,
}

struct NoveltySum {
    k: u32,
    alpha: f64,
    rel: f64,
    discount: Discount,
    divisor: DiversityDivisor,
    /// What a subtopic adds to the divisor that no ranking reaches.
    of_each_subtopic: LastingNumber,
}

impl NoveltySum {
    fn discounted<N: Number>(&self, rank: u32, gain: N) -> N {
        match self.discount {
            Discount::Log => gain / N::log2_int(rank + 1),
            Discount::Rank => gain / N::count(rank),
            Discount::Patience(beta) => gain * N::decimal(beta).powi(rank - 1),
        }
    }

    fn sum<N: Number>(&self, gains: impl Iterator<Item = (u32, N)>) -> N {
        gains.fold(N::zero(), |sum, (rank, gain)| sum + self.discounted(rank, gain))
    }

    fn unreachable<N: Number>(&self, subtopics: u32) -> N {
        let keep = N::one() - N::decimal(self.alpha);
        let down_to_cutoff = |weights: Weights| {
            let mut gain = N::one();
            weights.fading(self.alpha, self.k, |rank| {
                let next = gain.clone() * keep.clone();
                self.discounted(rank, std::mem::replace(&mut gain, next))
            })
        };
        let of_each = N::lasting(&self.of_each_subtopic, || match self.discount {
            // The ranking has no end, so this is the geometric series.
            Discount::Patience(beta) => N::one() / (N::one() - keep.clone() * N::decimal(beta)),
            Discount::Log => down_to_cutoff(Weights::Logarithmic),
            Discount::Rank => down_to_cutoff(Weights::Reciprocal),
        });
        of_each * N::count(subtopics)
    }
}

impl Formula for NoveltySum {
    fn declaration(&self) -> Declaration<'_> {
        by_facet(needs(self.rel))
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let mut novelty = Novelty::new(&topic.facets, self.alpha, self.rel);
        let sum = self
            .sum(topic.top(self.k).map(|hit| (hit.rank, novelty.take(topic.facets.of(hit.doc)))));
        let divisor = match self.divisor {
            DiversityDivisor::Unreachable => self.unreachable(subtopics(&topic.facets, self.rel)),
            DiversityDivisor::Ideal => {
                self.sum(greedy_ideal(topic.facets, self.alpha, self.rel, self.k))
            }
        };
        ratio(sum, divisor, NO_RELEVANT)
    }
}

fn build(args: &Args, discount: Discount, divisor: DiversityDivisor) -> Box<NoveltySum> {
    Box::new(NoveltySum {
        k: args.depth(),
        alpha: args.number("alpha"),
        rel: args.number("rel"),
        discount,
        divisor,
        of_each_subtopic: LastingNumber::default(),
    })
}

/// S-recall: the share of the subtopics that the top k serves.
fn subtopic_recall<N: Number>(topic: &Judged<'_, N>, k: u32, rel: f64) -> Score<N> {
    let rows = topic.top(k).flat_map(|hit| topic.facets.of(hit.doc));
    let seen = seen_subtopics(&topic.facets, rows, rel);
    ratio(N::count(seen), N::count(subtopics(&topic.facets, rel)), NO_RELEVANT)
}

struct SubtopicRecall {
    k: u32,
    rel: f64,
}

impl Formula for SubtopicRecall {
    fn declaration(&self) -> Declaration<'_> {
        by_facet(needs(self.rel))
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        subtopic_recall(topic, self.k, self.rel)
    }
}

/// gamma * I-rec + (1 - gamma) * D-nDCG.
struct DSharp {
    k: u32,
    gamma: f64,
    dcg: Discounted,
}

impl Formula for DSharp {
    fn declaration(&self) -> Declaration<'_> {
        by_facet(Needs::FACETS)
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let global_gain = |rows: &[FacetRow]| {
            let served = rows.iter().filter(|r| r.grade > 0.0);
            served.fold(N::zero(), |sum, r| {
                sum + N::decimal(topic.facets.weight(r.facet)) * N::decimal(r.grade)
            })
        };
        let hits: Vec<Hit<N>> = topic
            .hits
            .iter()
            .map(|h| Hit { grade: global_gain(topic.facets.of(h.doc)), ..*h })
            .collect();
        let grades =
            Grades::new(topic.facets.rows.chunk_by(|a, b| a.doc == b.doc).map(global_gain));
        let global = Judged { hits: Hits::new(&hits), grades: (&grades).into(), ..*topic };
        let gamma = N::decimal(self.gamma);
        // Any grade above 0 serves the intent.
        match (
            subtopic_recall(topic, self.k, f64::MIN_POSITIVE),
            ratio(self.dcg.of_ranking(&global), self.dcg.ideal(&global), NO_RELEVANT),
        ) {
            (Score::Value(recall), Score::Value(ndcg)) => {
                Score::Value(gamma.clone() * recall + (N::one() - gamma) * ndcg)
            }
            _ => Score::Undefined(NO_RELEVANT),
        }
    }
}

const ALPHA: Param = Param {
    name: Cow::Borrowed("alpha"),
    kind: ParamKind::Number { min: 0.0, max: 1.0 },
    default: Some(Cow::Borrowed("0.5")),
    doc: "the intolerance of redundancy: what a subtopic gives falls by the factor 1-alpha each time it is served",
};
const BETA: Param = Param {
    name: Cow::Borrowed("beta"),
    kind: ParamKind::Open { min: 0.0, max: 1.0 },
    default: Some(Cow::Borrowed("0.5")),
    doc: "the patience: the probability of going on to the next document",
};
const GAMMA: Param = Param {
    name: Cow::Borrowed("gamma"),
    kind: ParamKind::Number { min: 0.0, max: 1.0 },
    default: Some(Cow::Borrowed("0.5")),
    doc: "the share of intent recall in the mean",
};

const GREEDY: &str = "ndeval and ir_measures: the same greedy ideal; where two documents gain the same, the one with the last id comes first";
const NO_SUBTOPIC: &str = "no subtopic has a relevant document";
const ZERO: &str =
    "ndeval and ir_measures give 0, or leave the topic out, if no subtopic has a relevant document";
const RANK_ONE: &str =
    "ndeval and ir_measures do not normalise at cutoff 1: their value there is M times as high";

const ALPHA_NDCG: Def = Def {
    name: "alpha_nDCG",
    title: "Novelty-biased normalised discounted cumulative gain",
    family: "diversity",
    aliases: &[Alias::plain("alpha-nDCG"), Alias::plain("α-nDCG")],
    params: &[ALPHA, REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "alpha_nDCG@k = sum over i <= k of G_i/log2(i+1), divided by the same sum over the greedy ideal ranking of all judged documents. G_i = sum over the subtopics of the document at rank i of (1-alpha)^(times the subtopic was seen above i).",
    range: Span::Words("0 to 1; above 1 if a ranking beats the greedy ideal"),
    undefined: NO_SUBTOPIC,
    user_model: "wants to see every subtopic, is bored a little more each time one comes again, and reads with fading interest",
    examples: &[Example {
        measure: "alpha_nDCG@3",
        ranking: "{a:1} {a:1} {a:1,b:1}",
        value: 0.7951,
        working: "G = 1, 1/2, 1/4 + 1: 1 + .5*.6309 + 1.25*.5 = 1.9405; ideal {a,b} {a} {a}: 2 + .5*.6309 + .25*.5 = 2.4405; 0.7951",
    }],
    differs: &[GREEDY, ZERO],
    references: &[
        "Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon 2008, Novelty and diversity in information retrieval evaluation",
    ],
    build: |args| Ok(build(args, Discount::Log, DiversityDivisor::Ideal)),
};

const ALPHA_DCG: Def = Def {
    name: "alpha_DCG",
    title: "Novelty-biased discounted cumulative gain",
    family: "diversity",
    aliases: &[Alias::plain("alpha-DCG"), Alias::plain("α-DCG")],
    params: &[ALPHA, REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "alpha_DCG@k = sum over i <= k of G_i/log2(i+1), divided by the same sum with M(1-alpha)^(i-1) for G_i, M the number of subtopics that have a relevant document: by what a ranking would get whose every document serves all subtopics.",
    range: Span::UNIT,
    undefined: NO_SUBTOPIC,
    user_model: "that of alpha_nDCG, compared with a ranking that may not exist",
    examples: &[Example {
        measure: "alpha_DCG@2",
        ranking: "{a:1} {a:1,b:1}",
        value: 0.7398,
        working: "G = 1, 1/2 + 1: 1 + 1.5*.6309 = 1.9464; M = 2: 2 + 1*.6309 = 2.6309; 0.7398",
    }],
    differs: &[RANK_ONE, ZERO],
    references: &[
        "Clarke et al. 2008",
        "Clarke, Craswell, Soboroff and Ashkan 2011, A comparative analysis of cascade measures for novelty and diversity",
    ],
    build: |args| Ok(build(args, Discount::Log, DiversityDivisor::Unreachable)),
};

const NERR_IA: Def = Def {
    name: "nERR_IA",
    title: "Normalised intent-aware expected reciprocal rank",
    family: "diversity",
    aliases: &[Alias::plain("nERR-IA")],
    params: &[ALPHA, REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "nERR_IA@k = sum over i <= k of G_i/i, divided by the same sum over the greedy ideal ranking of all judged documents; G_i as in alpha_nDCG.",
    range: Span::Words("0 to 1; above 1 if a ranking beats the greedy ideal"),
    undefined: NO_SUBTOPIC,
    user_model: "wants one subtopic, reads down and stops at a document that serves it with probability alpha",
    examples: &[Example {
        measure: "nERR_IA@2",
        ranking: "{a:1} {a:1,b:1}",
        value: 0.7778,
        working: "1 + 1.5/2 = 1.75; ideal {a,b} {a}: 2 + .5/2 = 2.25; 0.7778",
    }],
    differs: &[GREEDY, ZERO],
    references: &[
        "Chapelle, Metzler, Zhang and Grinspan 2009, Expected reciprocal rank for graded relevance",
        "Clarke et al. 2011",
    ],
    build: |args| Ok(build(args, Discount::Rank, DiversityDivisor::Ideal)),
};

const ERR_IA: Def = Def {
    name: "ERR_IA",
    title: "Intent-aware expected reciprocal rank",
    family: "diversity",
    aliases: &[Alias::plain("ERR-IA")],
    params: &[ALPHA, REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "ERR_IA@k = sum over i <= k of G_i/i, divided by the same sum with M(1-alpha)^(i-1) for G_i; G_i and M as in alpha_DCG.",
    range: Span::UNIT,
    undefined: NO_SUBTOPIC,
    user_model: "that of nERR_IA, compared with a ranking that may not exist",
    examples: &[Example {
        measure: "ERR_IA@2",
        ranking: "{a:1} {a:1,b:1}",
        value: 0.7,
        working: "1 + 1.5/2 = 1.75; M = 2: 2 + 1/2 = 2.5; 0.7",
    }],
    differs: &[RANK_ONE, ZERO],
    references: &["Chapelle et al. 2009", "Clarke et al. 2011"],
    build: |args| Ok(build(args, Discount::Rank, DiversityDivisor::Unreachable)),
};

const NNRBP: Def = Def {
    name: "nNRBP",
    title: "Normalised novelty- and rank-biased precision",
    family: "diversity",
    aliases: &[],
    params: &[ALPHA, BETA, REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "nNRBP = sum of beta^(i-1) G_i, divided by the same sum over the greedy ideal ranking of all judged documents; G_i as in alpha_nDCG.",
    range: Span::Words("0 to 1; above 1 if a ranking beats the greedy ideal"),
    undefined: NO_SUBTOPIC,
    user_model: "that of NRBP, compared with the best that the judged documents allow",
    examples: &[Example {
        measure: "nNRBP",
        ranking: "{a:1} {a:1,b:1}",
        value: 0.7778,
        working: "1 + .5*1.5 = 1.75; ideal {a,b} {a}: 2 + .5*.5 = 2.25; 0.7778",
    }],
    differs: &[GREEDY, ZERO],
    references: &[
        "Clarke, Kolla and Vechtomova 2009, An effectiveness measure for ambiguous and underspecified queries",
    ],
    build: |args| Ok(build(args, Discount::Patience(args.number("beta")), DiversityDivisor::Ideal)),
};

const NRBP: Def = Def {
    name: "NRBP",
    title: "Novelty- and rank-biased precision",
    family: "diversity",
    aliases: &[],
    params: &[ALPHA, BETA, REL, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "NRBP = (1-(1-alpha)beta)/M * sum of beta^(i-1) G_i; G_i and M as in alpha_DCG.",
    range: Span::UNIT,
    undefined: NO_SUBTOPIC,
    user_model: "wants one subtopic, and after each document goes on with probability beta unless a document has served the need",
    examples: &[Example {
        measure: "NRBP",
        ranking: "{a:1} {a:1,b:1}",
        value: 0.65625,
        working: "1 + .5*1.5 = 1.75; (1 - .5*.5)/2 = 0.375; 0.65625",
    }],
    differs: &[ZERO],
    references: &["Clarke, Kolla and Vechtomova 2009"],
    build: |args| {
        Ok(build(args, Discount::Patience(args.number("beta")), DiversityDivisor::Unreachable))
    },
};

const AP_IA: Def = Def {
    name: "AP_IA",
    title: "Intent-aware average precision",
    family: "diversity",
    aliases: &[Alias::plain("MAP-IA"), Alias::plain("AP-IA")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Optional,
    definition: "AP_IA = the mean of AP over the subtopics that have a relevant document, each with its own relevant documents.",
    range: Span::UNIT,
    undefined: NO_SUBTOPIC,
    user_model: "wants one subtopic, each equally likely, with the user model of AP",
    examples: &[Example {
        measure: "AP_IA",
        ranking: "{a:1} {b:1} {a:1,b:1}",
        value: 0.7083,
        working: "a: (1 + 2/3)/2 = 0.8333; b: (1/2 + 2/3)/2 = 0.5833; 0.7083",
    }],
    differs: &[ZERO],
    references: &["Agrawal, Gollapudi, Halverson and Ieong 2009, Diversifying search results"],
    build: |args| {
        let rel = args.number("rel");
        let cutoff = args.cutoff().map_or(String::new(), |k| format!("@{k}"));
        Ok(MeanOverFacets::new(
            &format!("AP(rel={rel}){cutoff}"),
            AveragedFacets::WithRelevant(rel),
        )?)
    },
};

const P_IA: Def = Def {
    name: "P_IA",
    title: "Intent-aware precision",
    family: "diversity",
    aliases: &[Alias::plain("P-IA")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "P_IA@k = the mean of P@k over the subtopics that have a relevant document.",
    range: Span::UNIT,
    undefined: NO_SUBTOPIC,
    user_model: "wants one subtopic, each equally likely, and reads exactly k documents",
    examples: &[Example {
        measure: "P_IA@2",
        ranking: "{a:1,b:1} {a:1}",
        value: 0.75,
        working: "a: 2/2; b: 1/2; 0.75",
    }],
    differs: &[ZERO],
    references: &["Agrawal et al. 2009"],
    build: |args| {
        let rel = args.number("rel");
        Ok(MeanOverFacets::new(
            &format!("P(rel={rel})@{}", args.depth()),
            AveragedFacets::WithRelevant(rel),
        )?)
    },
};

const ST_RECALL: Def = Def {
    name: "StRecall",
    title: "Subtopic recall",
    family: "diversity",
    aliases: &[Alias::plain("strec"), Alias::plain("S-recall"), Alias::plain("I-rec")],
    params: &[REL, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "StRecall@k = the number of subtopics with a relevant document in the top k, divided by M, the number of subtopics that have a relevant document.",
    range: Span::UNIT,
    undefined: NO_SUBTOPIC,
    user_model: "reads k documents and cares for how many of the subtopics are among them",
    examples: &[Example {
        measure: "StRecall@2",
        ranking: "{a:1} {a:1,b:0} {b:1} | {c:1}",
        value: 1.0 / 3.0,
        working: "only a of a, b, c in the top two: 1/3",
    }],
    differs: &[ZERO],
    references: &["Zhai, Cohen and Lafferty 2003, Beyond independent relevance"],
    build: |args| Ok(Box::new(SubtopicRecall { k: args.depth(), rel: args.number("rel") })),
};

const D_SHARP_NDCG: Def = Def {
    name: "DSharp_nDCG",
    title: "D#-nDCG: intent recall and nDCG of the global gain",
    family: "diversity",
    aliases: &[Alias::plain("D#-nDCG"), Alias::plain("DSharp-nDCG")],
    params: &[GAMMA, JUDGED_ONLY],
    cutoff: Cutoff::Required,
    definition: "gamma * I-rec@k + (1-gamma) * D-nDCG@k. I-rec is StRecall. D-nDCG is nDCG with the global gain of a document: the sum over intents of the intent's probability times the document's grade for it. Intents are equally likely unless the data gives their probabilities.",
    range: Span::UNIT,
    undefined: "no intent has a document with a grade above 0",
    user_model: "one of many users with different intents, of known probability, who read with fading interest",
    examples: &[Example {
        measure: "DSharp_nDCG@2",
        ranking: "{a:1} {} | {a:1,b:2}",
        value: 0.3877,
        working: "I-rec = 1/2; gains 1 and 3 (probabilities cancel): 1/(3 + 1*.6309) = 0.2754; (0.5 + 0.2754)/2 = 0.3877",
    }],
    differs: &[
        "NTCIREVAL takes the gain of each grade from its options: here the grade is the gain",
    ],
    references: &[
        "Sakai and Song 2011, Evaluating diversified search results using per-intent graded relevance",
    ],
    build: |args| {
        Ok(Box::new(DSharp {
            k: args.depth(),
            gamma: args.number("gamma"),
            dcg: Discounted::new(args),
        }))
    },
};
