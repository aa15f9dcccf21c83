//! Estimates from a stratified sample of the pool: some documents of each stratum were judged,
//! drawn at random, the others only pooled.
//!
//! A facet is a stratum, and each document is in one. A grade below 0 is a pooled document that was
//! not drawn.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::judgement_groups::by_facet;
use super::{Declaration, Formula, NO_RELEVANT, Number, Score, ratio};
use crate::data::{Facet, FacetRow, Facets, Judged, Needs};

pub(super) const DEFS: &[&Def] = &[&INF_NDCG, &XINF_AP];

/// Numbers of documents of one stratum.
#[derive(Debug, Clone, Copy, Default)]
struct Stratum {
    pooled: u32,
    sampled: u32,
    relevant: u32,
}

impl Stratum {
    fn add(&mut self, grade: f64) {
        self.pooled += 1;
        self.sampled += u32::from(grade >= 0.0);
        self.relevant += u32::from(grade > 0.0);
    }

    /// How many documents of the stratum one drawn document stands for.
    fn weight<N: Number>(&self) -> N {
        N::count(self.pooled) / N::count(self.sampled.max(1))
    }
}

/// The strata of a topic as wholes.
fn strata(facets: &Facets<'_>) -> Vec<Stratum> {
    let mut all = vec![Stratum::default(); facets.table_len()];
    facets.rows.iter().for_each(|row| all[row.facet as usize].add(row.grade));
    all
}

/// The pooled documents of the top k, each with its rank.
fn pooled<'a, N: Number>(
    topic: &Judged<'a, N>,
    k: u32,
) -> impl Iterator<Item = (u32, &'a FacetRow)> + use<'a, N> {
    let facets = topic.facets;
    topic.top(k).filter_map(move |hit| facets.of(hit.doc).first().map(|row| (hit.rank, row)))
}

const NEEDS: Needs = Needs { judged: true, facet: Facet::Stratum, scores: false };

struct InferredAp {
    k: u32,
}

/// Keeps the estimate of a precision defined if nothing was sampled above; the numbers are
/// sample_eval's.
const SMOOTH: (f64, f64) = (0.00001, 0.00003);

impl Formula for InferredAp {
    fn declaration(&self) -> Declaration<'_> {
        by_facet(NEEDS)
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let whole = strata(&topic.facets);
        let mut above = vec![Stratum::default(); whole.len()];
        let mut sum = N::zero();
        for (rank, row) in pooled(topic, self.k) {
            let stratum = row.facet as usize;
            if row.grade > 0.0 {
                let relevant_above =
                    above.iter().filter(|s| s.pooled > 0).fold(N::zero(), |sum, s| {
                        let share = (N::count(s.relevant) + N::decimal(SMOOTH.0))
                            / (N::count(s.sampled) + N::decimal(SMOOTH.1));
                        sum + N::count(s.pooled) * share
                    });
                sum = sum
                    + whole[stratum].weight::<N>() * (N::one() + relevant_above) / N::count(rank);
            }
            above[stratum].add(row.grade);
        }
        let relevant =
            whole.iter().fold(N::zero(), |sum, s| sum + N::count(s.relevant) * s.weight());
        ratio(sum, relevant, NO_RELEVANT)
    }
}

struct InferredNdcg {
    k: u32,
}

impl InferredNdcg {
    fn ideal<N: Number>(&self, facets: &Facets<'_>, whole: &[Stratum]) -> N {
        let mut graded: Vec<&FacetRow> = facets.rows.iter().filter(|r| r.grade > 0.0).collect();
        graded.sort_by(|a, b| b.grade.total_cmp(&a.grade));
        let (mut ideal, mut rank) = (N::zero(), 0);
        for level in graded.chunk_by(|a, b| a.grade == b.grade) {
            let estimate =
                level.iter().fold(N::zero(), |sum, r| sum + whole[r.facet as usize].weight());
            // A ranking holds whole documents.
            let last =
                (f64::from(rank) + (estimate.to_f64() + 0.5).floor()).min(f64::from(self.k)) as u32;
            for rank in rank + 1..=last {
                ideal = ideal + N::decimal(level[0].grade) / N::log2_int(rank + 1);
            }
            rank = last;
        }
        ideal
    }
}

impl Formula for InferredNdcg {
    fn declaration(&self) -> Declaration<'_> {
        by_facet(NEEDS)
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let whole = strata(&topic.facets);
        let mut seen = vec![(Stratum::default(), N::zero()); whole.len()];
        for (rank, row) in pooled(topic, self.k) {
            let (stratum, gain) = &mut seen[row.facet as usize];
            stratum.add(row.grade);
            if row.grade > 0.0 {
                *gain = gain.clone() + N::decimal(row.grade) / N::log2_int(rank + 1);
            }
        }
        let dcg =
            seen.into_iter().fold(N::zero(), |sum, (stratum, gain)| sum + gain * stratum.weight());
        ratio(dcg, self.ideal(&topic.facets, &whole), NO_RELEVANT)
    }
}

const DEPTH: &str = "sample_eval.pl cuts the run and the ideal at rank 1000: write @1000";

const INF_NDCG: Def = Def {
    name: "infNDCG",
    title: "Inferred nDCG from a stratified sample",
    family: "stratified",
    aliases: &[Alias::plain("infnDCG"), Alias::plain("inf_nDCG")],
    params: &[],
    cutoff: Cutoff::Optional,
    definition: "DCG is estimated stratum by stratum: the sum of grade/log2(i+1) over the sampled documents of the top k, times pooled/sampled documents of the stratum in the top k. It is divided by the DCG of an ideal ranking that holds as many documents of each grade as the whole sample suggests: the sum over strata of sampled documents of the grade times pooled/sampled of the stratum, rounded.",
    range: Span::Words("0 upwards; about 0 to 1, as both parts are estimates"),
    undefined: "no sampled document has a grade above 0",
    user_model: "that of nDCG, whose value over the fully judged pool is estimated",
    examples: &[
        Example {
            measure: "infNDCG",
            ranking: "{s:1} {s:-1} {s:0} | {s:-1}",
            value: 0.9197,
            working: "top three: gain 1, 3 pooled of 2 sampled: 1.5; ideal: 1 * 4/2 = 2 documents: 1 + .6309 = 1.6309; 0.9197",
        },
        Example {
            measure: "infNDCG@2",
            ranking: "{a:1} {b:2} {b:-1} | {b:0}",
            value: 0.6934,
            working: "a: 1; b: 2*.6309 = 1.2619, nothing unsampled in the top two; 2.2619; ideal: 1 * 3/2 rounded, 2 documents of grade 2: 2 + 1.2619 = 3.2619; 0.6934",
        },
    ],
    differs: &[
        DEPTH,
        "sample_eval.pl adds one document of each further grade beyond its cut to the ideal; here the cut holds",
        "a grade is its own gain; sample_eval.pl can map grades to gains",
    ],
    references: &[
        "Yilmaz, Kanoulas and Aslam 2008, A simple and efficient sampling method for estimating AP and NDCG",
        "sample_eval.pl of the TREC tracks",
    ],
    build: |args| Ok(Box::new(InferredNdcg { k: args.depth() })),
};

const XINF_AP: Def = Def {
    name: "xinfAP",
    title: "Extended inferred average precision from a stratified sample",
    family: "stratified",
    aliases: &[Alias::plain("xinfap")],
    params: &[],
    cutoff: Cutoff::Optional,
    definition: "The sum over retrieved relevant documents of w * (1 + E)/i, divided by the sum of w over all sampled relevant ones; w = pooled/sampled documents of the document's stratum, i its rank, E the estimated number of relevant documents above: the sum over strata of pooled documents above * (relevant above + e)/(sampled above + 3e), e = 0.00001.",
    range: Span::Words("0 to 1, but for the estimate's error"),
    undefined: "no sampled document is relevant",
    user_model: "that of AP, whose value over the fully judged pool is estimated",
    examples: &[Example {
        measure: "xinfAP",
        ranking: "{a:1} {b:-1} {b:1} | {b:0}",
        value: 0.8667,
        working: "w: a 1, b 3/2. Rank 1: 1. Rank 3: E = 1 (a) + 1/3 (b: nothing sampled above): 1.5 * (1 + 4/3)/3 = 1.1667. (1 + 1.1667)/(1 + 1.5) = 0.8667",
    }],
    differs: &[
        DEPTH,
        "the smoothing is that of sample_eval.pl, e/3e if nothing above was sampled; infAP of trec_eval has e/2e, and which of the two the paper means is not settled here",
        "any grade above 0 is relevant, as in sample_eval.pl",
    ],
    references: &["Yilmaz, Kanoulas and Aslam 2008", "sample_eval.pl of the TREC tracks"],
    build: |args| Ok(Box::new(InferredAp { k: args.depth() })),
};
