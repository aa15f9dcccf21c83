//! Axiom 13: what is better on two sets of queries is better on both together.

use std::cmp::Ordering;
use std::collections::HashSet;

use super::Axiom;
use super::case::number_text;
use super::decision::{AxiomParts, Decision, Search};
use super::monotonicity::{consequence, failing};
use super::subject::AxiomSubject;
use super::world::{AxiomTally, all, random_worlds};
use crate::check::Witness;
use crate::check::states::NEAR;
use crate::check::verdict::{Arithmetic, TOLERANCE};
use crate::measure::{Aggregate, Summary};
use crate::policy::Undefined;

pub(super) struct QueryMonotonicity;

/// What a system scores on one query, and how much the query weighs for it.
type QueryScore = (Option<f64>, f64);

/// What two systems score on one query.
type QueryScores = (QueryScore, QueryScore);

/// How many different pairs of scores of a query are combined: of those that differ, of those that
/// are equal, and of those of which one is undefined.
const PAIRS: [usize; 3] = [14, 6, 4];
/// The largest queries, in documents.
const QUERY_DOCS: usize = 3;
/// Larger queries, drawn at random, are among them.
const TRIALS: u64 = 100;

impl Axiom for QueryMonotonicity {
    fn number(&self) -> usize {
        13
    }
    fn title(&self) -> &'static str {
        "Query monotonicity"
    }
    fn statement(&self) -> &'static str {
        "for disjoint Q and Q': if metric_{Q,D}(alpha,sigma) > (a), = (b), > (c) metric_{Q,D}(alpha,sigma') and metric_{Q',D}(alpha,sigma) > (a), = (b), = (c) metric_{Q',D}(alpha,sigma'), then metric_{Q+Q',D}(alpha,sigma) > (a), = (b), > (c) metric_{Q+Q',D}(alpha,sigma')"
    }
    fn meaning(&self) -> &'static str {
        "what is better on two sets of queries, or better on one and equal on the other, is better on both together"
    }
    fn decide(&self, subject: &AxiomSubject, seed: u64) -> Decision {
        let average = subject.metric().aggregate();
        let over = |scores: &[QueryScore]| match &average {
            Aggregate::Own(own) => own.of_weighted(&mut scores.iter().copied(), Undefined::Zero),
            _ => average.of(scores.iter().map(|(score, _)| *score), Undefined::Zero),
        };
        let docs = subject.largest(QUERY_DOCS);
        let queries = attained(subject, docs, seed);
        let mut sets: Vec<Vec<usize>> = (0..queries.len()).map(|i| vec![i]).collect();
        sets.extend((0..queries.len()).flat_map(|i| (i..queries.len()).map(move |j| vec![i, j])));
        let mut parts = AxiomParts::new();
        parts.tally.arithmetic = Arithmetic::Tolerance;
        // Two queries in all, then three, then four: the smallest case comes first.
        for size in 2..=4 {
            for q in &sets {
                for r in sets.iter().filter(|r| q.len() + r.len() == size) {
                    unite(&mut parts, &queries, q, r, &over);
                }
            }
        }
        let search = Search::new(subject, docs, seed).with_rule(rule(subject));
        parts.decided(&Search { note: Some("sets of up to 2 queries"), ..search })
    }
}

/// The mean of finite values, or an increasing function of it, over topics that are the same for
/// every system.
fn rule(subject: &AxiomSubject) -> Option<&'static str> {
    const ZERO: &str = "the mean of finite values, an undefined one being 0";
    const WEIGHTED: &str =
        "a weighted mean of finite values, and the weights depend on the assessor alone";
    let file = subject.component();
    match subject.metric().aggregate() {
        Aggregate::Own(own) if own.is_weighted() => {
            let file = file?;
            let skips = file.average().undefined() == Some(Undefined::Skip);
            let same = !skips || file.is_defined_by_alpha(subject.metric().args());
            let finite = file.average().is_mean_of_finite();
            (finite && same && file.is_weighted_by_alpha()).then_some(WEIGHTED)
        }
        Aggregate::Mean => Some(ZERO),
        Aggregate::GeometricMean => {
            Some("an increasing function of a mean of finite values, thanks to the floor")
        }
        Aggregate::Own(_) if file.is_some_and(|file| file.average().is_mean_of_finite()) => {
            match file.and_then(|file| file.average().undefined()) {
                None | Some(Undefined::Zero) => Some(ZERO),
                Some(Undefined::One) => Some("the mean of finite values, an undefined one being 1"),
                Some(Undefined::Error) => {
                    Some("the mean of finite values, and there is none if one is undefined")
                }
                Some(Undefined::Skip) => file
                    .is_some_and(|file| file.is_defined_by_alpha(subject.metric().args()))
                    .then_some(
                        "the mean of finite values, and which of them are defined depends on the assessor alone",
                    ),
            }
        }
        _ => None,
    }
}

/// Two sets of queries and their union.
fn unite(
    parts: &mut AxiomParts,
    queries: &[QueryScores],
    q: &[usize],
    r: &[usize],
    over: &impl Fn(&[QueryScore]) -> Option<f64>,
) {
    let both: Vec<usize> = q.iter().chain(r).copied().collect();
    let scores = both.iter().flat_map(|i| [queries[*i].0.0, queries[*i].1.0]).flatten();
    let largest = scores.filter(|x| x.is_finite()).fold(0.0, |most: f64, x| most.max(x.abs()));
    // Equal within rounding, which is a share of the scores; the premises also need differences
    // that stay above it in the union.
    let order = |of: &[usize], least: f64, tally: &mut AxiomTally| {
        let side = |which: fn(&QueryScores) -> QueryScore| {
            over(&of.iter().map(|i| which(&queries[*i])).collect::<Vec<_>>())
        };
        match (side(|p| p.0), side(|p| p.1)) {
            (Some(x), Some(y)) if x == y || (x - y).abs() <= TOLERANCE * largest => {
                Some((Ordering::Equal, x, y))
            }
            (Some(x), Some(y)) if (x - y).abs() >= least * largest => {
                x.partial_cmp(&y).map(|order| (order, x, y))
            }
            _ => {
                tally.skipped += 1;
                None
            }
        }
    };
    let tally = &mut parts.tally;
    let (Some(x), Some(y)) = (order(q, NEAR, tally), order(r, NEAR, tally)) else { return };
    let Some(z) = order(&both, 0.0, tally) else { return };
    let Some((part, wanted)) = consequence(x.0, y.0) else { return };
    let shown = || {
        let scores = |of: &[usize], second: bool| {
            let one = |i: &usize| {
                let (score, weight) = if second { queries[*i].1 } else { queries[*i].0 };
                let score = number_text(score);
                if weight == 1.0 { score } else { format!("{score} by {weight}") }
            };
            of.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        let side = |of: &[usize], (_, a, b): (Ordering, f64, f64)| {
            format!(
                "({}) against ({}) gives {} and {}",
                scores(of, false),
                scores(of, true),
                number_text(Some(a)),
                number_text(Some(b))
            )
        };
        let text = format!(
            "scores of queries: {}; {}; but together {}: {}",
            side(q, x),
            side(r, y),
            side(&both, z),
            failing(wanted, z.0)
        );
        Witness { states: Vec::new(), text, max_grade: 1.0, worlds: Vec::new() }
    };
    parts.count(part, (z.0 != wanted).then_some(shown));
}

fn scored(subject: &AxiomSubject, alpha: &[f64], sigma: &[f64]) -> QueryScore {
    let all = all(alpha.len());
    (subject.of_topic(alpha, sigma, all), subject.weight(alpha, sigma))
}

/// Different pairs of scores that two systems can have on one query. Equal ones, and those of which
/// one is undefined, are chosen apart, since they are few.
fn attained(subject: &AxiomSubject, docs: usize, seed: u64) -> Vec<QueryScores> {
    let mut known = HashSet::new();
    let mut kinds: [Vec<QueryScores>; 3] = Default::default();
    let mut add = |x: QueryScore, y: QueryScore| {
        if known.insert([x, y].map(|(score, weight)| (score.map(f64::to_bits), weight.to_bits()))) {
            let kind = match (x.0, y.0) {
                (Some(_), None) | (None, Some(_)) => 2,
                _ if x.0 == y.0 => 1,
                _ => 0,
            };
            kinds[kind].push((x, y));
        }
    };
    for n in 1..=docs {
        let sigmas = subject.sigmas(n);
        for alpha in subject.alphas(n) {
            let mut scores: Vec<QueryScore> = Vec::new();
            for sigma in &sigmas {
                let score = scored(subject, &alpha, sigma);
                if !scores.contains(&score) {
                    scores.push(score);
                }
            }
            scores.iter().for_each(|x| scores.iter().for_each(|y| add(*x, *y)));
        }
    }
    random_worlds(subject, docs, TRIALS, seed, |alpha, first, second, _| {
        add(scored(subject, alpha, first), scored(subject, alpha, second));
        true
    });
    // Those of the smallest queries, which have simple scores, and as many others.
    let some = |(pairs, most): (Vec<QueryScores>, usize)| {
        let (first, rest) = pairs.split_at((most / 2).min(pairs.len()));
        let mut rest = rest.to_vec();
        rest.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        let (chosen, last) = ((most - most / 2).min(rest.len()), rest.len().saturating_sub(1));
        let others = (0..chosen).map(|i| rest[last * (i + 1) / chosen]);
        first.iter().copied().chain(others).collect::<Vec<_>>()
    };
    kinds.into_iter().zip(PAIRS).flat_map(some).collect()
}
