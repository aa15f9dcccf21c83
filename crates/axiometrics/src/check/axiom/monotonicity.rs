//! Axioms 12 and 13: what is better on the parts is better on the whole.

use std::cmp::Ordering;

use super::bench::{Case, Subject, Tally, World, all};
use super::decision::Parts;
use super::{Decision, Restrict, failure, number_text, set_text, told, witness};
use crate::check::shape::Random;
use crate::check::verdict::{Arithmetic, TOLERANCE};
use crate::check::{Verdict, Witness};
use crate::measure::Aggregate;
use crate::measure::Summary;
use crate::policy::Undefined;

/// All worlds of up to so many documents, as long as they are not too many.
const DOCS: usize = 5;
const MOST_SPLITS: f64 = 4e5;
/// As many as someone may ask for.
const MOST_ASKED: f64 = 1e10;
/// Then random ones of up to so many, or of two more than a cutoff lets through.
const RANDOM_DOCS: usize = 8;
const MOST_RANDOM: usize = 20;
const TRIALS: u64 = 10_000;

/// Which part of the axiom speaks of this, and what must follow on the union; nothing where the
/// parts disagree.
fn consequence(on_d: Ordering, on_e: Ordering) -> Option<(usize, Ordering)> {
    match (on_d, on_e) {
        (Ordering::Greater, Ordering::Greater) => Some((0, Ordering::Greater)),
        (Ordering::Equal, Ordering::Equal) => Some((1, Ordering::Equal)),
        (Ordering::Greater, Ordering::Equal) | (Ordering::Equal, Ordering::Greater) => {
            Some((2, Ordering::Greater))
        }
        _ => None,
    }
}

/// How the union fails what must follow.
fn failing(wanted: Ordering, found: Ordering) -> &'static str {
    if wanted == Ordering::Equal { "no longer equal" } else { failure(found) }
}

/// Axiom 12.
pub(super) fn documents(subject: &Subject<'_>, seed: u64) -> Decision {
    let pointwise = subject.component().is_some_and(crate::component::Component::is_pointwise_sum);
    // Where ranks are counted anew, a document's term depends on who else is there.
    let stable = !subject.ranks() || subject.restrict == Restrict::Keep;
    let rule = (pointwise && stable)
        .then_some("a sum of terms, each of its own document's alpha and sigma, over a norm that depends on alpha alone");
    let most = if subject.settings.docs.is_some() { MOST_ASKED } else { MOST_SPLITS };
    let pairs = |systems: f64| if subject.ranks() { systems } else { systems * systems };
    let docs = subject.largest_within(DOCS, most, |judgements, systems, n| {
        judgements * pairs(systems) * 2f64.powi(n)
    });
    let mut parts = Parts::new();
    for n in 2..=docs {
        exhaust(&World::new(subject, n), &mut parts);
    }
    let cutoff = subject.metric().depth().map_or(0, |k| k as usize + 2);
    let largest = RANDOM_DOCS.max(docs + 1).max(cutoff.min(MOST_RANDOM));
    let (mut random, mut trials) = (Random::new(seed), 0);
    for n in docs + 1..=largest {
        // What a rule proves needs no luck, and what was found needs no larger case.
        if rule.is_some() || parts.any_violated() {
            break;
        }
        (0..TRIALS).for_each(|_| chance(subject, &mut parts, n, &mut random));
        trials += TRIALS;
    }
    parts.decided(|tally| match Decision::concluded(subject, tally, docs, rule).verdict {
        Verdict::Searched(bounds) if trials > 0 => Verdict::Sampled { bounds, trials, seed },
        other => other,
    })
}

/// All pairs of systems and all splits of a world.
fn exhaust(world: &World<'_>, parts: &mut Parts) {
    for a in 0..world.alphas.len() {
        for s in 0..world.firsts() {
            for t in 0..world.sigmas.len() {
                for part in 1..all(world.n) {
                    let cases = |of: usize| {
                        [part, all(world.n) & !part, all(world.n)]
                            .map(|subset| world.case(a, of, subset))
                    };
                    split(world.subject, parts, cases(s), cases(t));
                }
            }
        }
        if parts.all_violated() {
            return;
        }
    }
}

/// A random judgement of n documents, two systems and a split.
fn chance(subject: &Subject<'_>, parts: &mut Parts, n: usize, random: &mut Random) {
    let (alphas, sigmas) = (subject.alphas(1), subject.sigmas(1));
    let alpha: Vec<f64> =
        (0..n).map(|_| alphas[random.below(alphas.len() as u64) as usize][0]).collect();
    let mut system = || -> Vec<f64> {
        if !subject.ranks() {
            return (0..n).map(|_| sigmas[random.below(sigmas.len() as u64) as usize][0]).collect();
        }
        let mut ranks: Vec<f64> = (1..=n).map(|r| r as f64).collect();
        (1..n).rev().for_each(|i| ranks.swap(i, random.below(i as u64 + 1) as usize));
        ranks
    };
    let (first, second) = (system(), system());
    let part = 1 + random.below(u64::from(all(n)) - 1) as u32;
    let sets = [part, all(n) & !part, all(n)];
    let cases = |sigma| {
        sets.map(|subset| Case {
            alpha: &alpha,
            sigma,
            subset,
            score: subject.score(&alpha, sigma, subset),
        })
    };
    split(subject, parts, cases(&first), cases(&second));
}

/// Two systems on two parts and on the whole.
fn split(subject: &Subject<'_>, parts: &mut Parts, x: [Case<'_>; 3], y: [Case<'_>; 3]) {
    let mut order = |i: usize| subject.compare(&mut parts.tally, x[i], y[i]);
    let (Some(on_d), Some(on_e)) = (order(0), order(1)) else { return };
    let Some((part, wanted)) = consequence(on_d, on_e) else { return };
    let Some(found) = order(2) else { return };
    let shown = || {
        let on = |i: usize| {
            format!(
                "{} against {} on {}",
                number_text(x[i].score),
                number_text(y[i].score),
                set_text(x[i].subset)
            )
        };
        let text = format!(
            "{}; sigma' {}: {}, {}, but {}: {}",
            told(subject, x[2]),
            told(subject, y[2]).split(" sigma ").last().unwrap_or(""),
            on(0),
            on(1),
            on(2),
            failing(wanted, found)
        );
        witness(subject, &[x[0], y[0], x[1], y[1], x[2], y[2]], text)
    };
    parts.count(part, (found != wanted).then_some(shown));
}

/// What two systems score on one query.
type Pair = (Option<f64>, Option<f64>);

/// How many different pairs of scores of a query are combined: enough for what a rule proves, and
/// for what none does.
const PAIRS: (usize, usize) = (12, 24);
/// The largest queries, in documents.
const QUERY_DOCS: usize = 3;

/// Axiom 13.
pub(super) fn queries(subject: &Subject<'_>) -> Decision {
    let average = subject.metric().aggregate();
    let own_rule = subject.component().and_then(|file| file.average().undefined());
    let rule = match average {
        Aggregate::Mean => Some("the mean of finite values, an undefined one being 0"),
        Aggregate::Own(_)
            if subject.component().is_some_and(|c| c.average().is_mean_of_finite()) =>
        {
            match own_rule {
                None | Some(Undefined::Zero) => {
                    Some("the mean of finite values, an undefined one being 0")
                }
                Some(Undefined::One) => Some("the mean of finite values, an undefined one being 1"),
                Some(Undefined::Error) => {
                    Some("the mean of finite values, and there is none where one is undefined")
                }
                Some(Undefined::Skip)
                    if subject
                        .component()
                        .is_some_and(crate::component::Component::is_defined_by_alpha) =>
                {
                    Some(
                        "the mean of finite values, and which of them are defined depends on the assessor alone",
                    )
                }
                Some(Undefined::Skip) => None,
            }
        }
        _ => None,
    };
    let over = |scores: &[Option<f64>]| average.of(scores.iter().copied(), Undefined::Zero);
    let docs = subject.largest(QUERY_DOCS);
    let queries = attained(subject, docs, if rule.is_some() { PAIRS.0 } else { PAIRS.1 });
    let mut sets: Vec<Vec<usize>> = (0..queries.len()).map(|i| vec![i]).collect();
    sets.extend((0..queries.len()).flat_map(|i| (i..queries.len()).map(move |j| vec![i, j])));
    let mut parts = Parts::new();
    parts.tally.arithmetic = Arithmetic::Tolerance;
    // Two queries in all, then three, then four: the smallest case comes first.
    for size in 2..=4 {
        for q in &sets {
            for r in sets.iter().filter(|r| q.len() + r.len() == size) {
                unite(&mut parts, &queries, q, r, &over);
            }
        }
    }
    parts.decided(|tally| {
        let mut verdict = Decision::concluded(subject, tally, docs, rule).verdict;
        if let Verdict::Searched(bounds) = &mut verdict {
            bounds.note = Some("sets of up to 2 queries".to_string());
        }
        verdict
    })
}

/// Two sets of queries and their union.
fn unite(
    parts: &mut Parts,
    queries: &[Pair],
    q: &[usize],
    r: &[usize],
    over: &impl Fn(&[Option<f64>]) -> Option<f64>,
) {
    let order = |of: &[usize], tally: &mut Tally| {
        let side = |which: fn(&Pair) -> Option<f64>| {
            over(&of.iter().map(|i| which(&queries[*i])).collect::<Vec<_>>())
        };
        match (side(|p| p.0), side(|p| p.1)) {
            (Some(x), Some(y)) if x == y || (x - y).abs() <= TOLERANCE => {
                Some((Ordering::Equal, x, y))
            }
            (Some(x), Some(y)) => x.partial_cmp(&y).map(|order| (order, x, y)),
            _ => {
                tally.skipped += 1;
                None
            }
        }
    };
    let both: Vec<usize> = q.iter().chain(r).copied().collect();
    let tally = &mut parts.tally;
    let (Some(x), Some(y), Some(z)) = (order(q, tally), order(r, tally), order(&both, tally))
    else {
        return;
    };
    let Some((part, wanted)) = consequence(x.0, y.0) else { return };
    let shown = || {
        let scores = |of: &[usize], second: bool| {
            let one = |i: &usize| number_text(if second { queries[*i].1 } else { queries[*i].0 });
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
        Witness { states: Vec::new(), text, max_grade: 1.0 }
    };
    parts.count(part, (z.0 != wanted).then_some(shown));
}

/// Different pairs of scores that two systems can have on one query, evenly chosen among them.
fn attained(subject: &Subject<'_>, docs: usize, most: usize) -> Vec<Pair> {
    let mut all_pairs: Vec<Pair> = Vec::new();
    for n in 1..=docs {
        let sigmas = subject.sigmas(n);
        for alpha in subject.alphas(n) {
            let mut scores: Vec<Option<f64>> = Vec::new();
            for sigma in &sigmas {
                let score = subject.score(&alpha, sigma, all(n));
                if !scores.contains(&score) {
                    scores.push(score);
                }
            }
            for x in &scores {
                for y in &scores {
                    if !all_pairs.contains(&(*x, *y)) {
                        all_pairs.push((*x, *y));
                    }
                }
            }
        }
    }
    let step = all_pairs.len().div_ceil(most).max(1);
    all_pairs.into_iter().step_by(step).collect()
}
