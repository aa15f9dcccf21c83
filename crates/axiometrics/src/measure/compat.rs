//! Compatibility: how much a ranking resembles the ideal one, by rank-biased overlap.

use super::def::{Alias, Cutoff, Def, Example, Span};
use super::params::{JUDGED_ONLY, Param, ParamKind};
use super::range::{IfBinary, Opposed, Summed, Terms, Totals};
use super::structure::Form;
use super::{Declaration, Formula, NO_RELEVANT, Number, Score};
use crate::data::{Judged, Needs};
use std::borrow::Cow;

pub(super) const DEFS: &[&Def] = &[&COMPAT];

struct Compatibility {
    p: f64,
    normalise: bool,
}

impl Compatibility {
    /// For each retrieved document of the ideal ranking, the depth from which on both rankings hold
    /// it, in ascending order.
    fn meeting_depths<N: Number>(topic: &Judged<'_, N>) -> Vec<u32> {
        // Documents of one grade stand in the ideal ranking in run order, below all of a higher
        // grade.
        let mut next: Vec<(N, u32)> = Vec::new();
        let mut depths = Vec::new();
        for hit in topic.hits.iter().filter(|h| h.grade > N::zero()) {
            let known = next.iter().position(|(grade, _)| *grade == hit.grade);
            let i = known.unwrap_or_else(|| {
                let higher = topic.grades.positive.partition_point(|g| *g > hit.grade) as u32;
                next.push((hit.grade.clone(), higher));
                next.len() - 1
            });
            next[i].1 += 1;
            depths.push(hit.rank.max(next[i].1));
        }
        depths.sort_unstable();
        depths
    }

    /// The overlap, where the two rankings have so many documents in common down to each depth.
    fn compare<N: Number>(
        &self,
        topic: &Judged<'_, N>,
        mut common: impl FnMut(u32) -> u32,
    ) -> Score<N> {
        let ideal = topic.grades.positive.len() as u32;
        if ideal == 0 {
            return Score::Undefined(NO_RELEVANT);
        }
        let p = N::decimal(self.p);
        let (mut weight, mut weights, mut overlap, mut best) =
            (N::one(), N::zero(), N::zero(), N::zero());
        for depth in 1..=topic.retrieved.max(ideal) {
            let share = |common: u32| weight.clone() * N::count(common) / N::count(depth);
            overlap = overlap + share(common(depth));
            best = best + share(depth.min(ideal));
            let sum = weights.clone() + weight.clone();
            // In floating point the weights soon add nothing; exact numbers go all the way.
            if sum == weights {
                break;
            }
            weights = sum;
            weight = weight * p.clone();
        }
        Score::Value(overlap / if self.normalise { best } else { weights })
    }
}

impl Compatibility {
    /// Whatever the order of the ideal ranking, down to a depth both have no more in common than
    /// the ranking has relevant documents there, and no fewer than do not fit elsewhere. If all
    /// have one grade the first holds with equality.
    fn opposed(&self) -> Opposed<'_> {
        let relevant = |topic: &Judged<'_>| {
            topic.hits.iter().filter(|h| h.grade > 0.0).map(|h| h.rank).collect::<Vec<u32>>()
        };
        let seen = |ranks: &[u32], depth: u32| ranks.partition_point(|rank| *rank <= depth) as u32;
        Opposed {
            by_count: true,
            low: Some(Box::new(move |topic, _| {
                let (ranks, ideal) = (relevant(topic), topic.grades.positive.len() as u32);
                self.compare(topic, |depth| {
                    (seen(&ranks, depth) + depth.min(ideal)).saturating_sub(ideal)
                })
            })),
            high: Some(Box::new(move |topic, _| {
                let ranks = relevant(topic);
                self.compare(topic, |depth| seen(&ranks, depth))
            })),
        }
    }
}

impl Compatibility {
    /// If all have one grade, a relevant document is in common from its rank on: a sum of what
    /// the depths from there on weigh, each for one document.
    fn summed(&self) -> Summed<'_> {
        let terms = move |most: u32| {
            // Down to each depth: the sum of the weights, and that of the weights by the depth.
            let (mut weight, mut sums) = (1.0, vec![(0.0, 0.0)]);
            for depth in (1..=most).map(f64::from) {
                let (weights, shares) = sums[sums.len() - 1];
                if weights + weight == weights {
                    break;
                }
                sums.push((weights + weight, shares + weight / depth));
                weight *= self.p;
            }
            let sums = std::rc::Rc::new(sums);
            let at = |sums: &[(f64, f64)], depth: u32| sums[(depth as usize).min(sums.len() - 1)];
            let above = sums.clone();
            Terms {
                term: Box::new(move |rank, _, _| at(&above, rank - 1).1),
                bend: None,
                value: Box::new(move |totals: &Totals| {
                    let Totals { sum, seen, relevant, retrieved, .. } = *totals;
                    let (weights, shares) = at(&sums, relevant.max(retrieved));
                    let (first, first_shares) = at(&sums, relevant);
                    let overlap = f64::from(seen) * shares - sum;
                    let best = first + f64::from(relevant) * (shares - first_shares);
                    match relevant {
                        0 => Score::Undefined(NO_RELEVANT),
                        _ => Score::Value(overlap / if self.normalise { best } else { weights }),
                    }
                }),
            }
        };
        Summed { k: u32::MAX, rel: 1.0, terms: Box::new(terms) }
    }
}

impl Formula for Compatibility {
    fn declaration(&self) -> Declaration<'_> {
        Declaration {
            ranges: Box::new(IfBinary { binary: self.summed(), graded: self.opposed() }),
            structure: Form::Overlap { p: self.p, normalised: self.normalise }.into(),
            ..Declaration::new(Needs::POSITIVE)
        }
    }

    fn score<N: Number>(&self, topic: &Judged<'_, N>) -> Score<N> {
        let depths = Compatibility::meeting_depths(topic);
        let mut met = 0;
        self.compare(topic, |depth| {
            met += depths[met..].iter().take_while(|d| **d <= depth).count();
            met as u32
        })
    }
}

const PERSISTENCE: Param = Param {
    name: Cow::Borrowed("p"),
    kind: ParamKind::Open { min: 0.0, max: 1.0 },
    default: Some(Cow::Borrowed("0.95")),
    doc: "the probability of comparing one rank more",
};
const NORMALISE: Param = Param {
    name: Cow::Borrowed("normalize"),
    kind: ParamKind::Flag,
    default: Some(Cow::Borrowed("true")),
    doc: "divide by what the ideal ranking itself would have, as it is finite",
};

const COMPAT: Def = Def {
    name: "Compat",
    title: "Compatibility with the ideal ranking",
    family: "compat",
    aliases: &[Alias::plain("compat"), Alias::plain("compatibility")],
    params: &[PERSISTENCE, NORMALISE, JUDGED_ONLY],
    cutoff: Cutoff::Never,
    definition: "The rank-biased overlap sum of p^(i-1) * |run's top i and ideal's top i in common| / i, down to the longer of both, divided by that of the ideal ranking with itself. The ideal ranking is by grade above 0, within a grade in the order of the run, documents not retrieved last.",
    range: Span::UNIT,
    undefined: "the topic has no document of a grade above 0",
    user_model: "compares the tops of the two lists, going one rank further with probability p each time",
    examples: &[Example {
        measure: "Compat(p=0.5)",
        ranking: "0 2 1",
        value: 0.25,
        working: "ideal 2 1; common at depths 1 to 3: 0, 1, 2: 0 + 0.5 * 1/2 + 0.25 * 2/3 = 0.4167; ideal 1 + 0.5 + 0.25 * 2/3 = 1.6667; 0.25",
    }],
    differs: &[
        "ir_measures puts documents that were not retrieved where a score of 0 would be, which differs if scores are negative, and breaks tied scores by ascending document id",
    ],
    references: &[
        "Clarke, Vtyurina and Smucker 2021",
        "Webber, Moffat and Zobel 2010 (rank-biased overlap)",
    ],
    build: |args| {
        Ok(Box::new(Compatibility { p: args.number("p"), normalise: args.flag("normalize") }))
    },
};
