//! Axioms 12 and 13: what is better on the parts is better on the whole.

use std::cmp::Ordering;

use super::bench::{Case, Subject, Tally, World, all};
use super::{Restrict, concluded, number_text, set_text, told, witness};
use crate::check::Verdict;
use crate::check::shape::Random;
use crate::check::verdict::TOLERANCE;
use crate::measure::Aggregate;
use crate::score::Undefined;

/// All worlds of up to so many documents, as long as they are not too many.
const DOCS: usize = 5;
const MOST_WORLDS: usize = 400_000;
/// Then random ones of up to so many.
const RANDOM_DOCS: usize = 8;
const TRIALS: u64 = 20_000;

/// What must follow on the union; nothing where the parts disagree.
fn consequence(on_d: Ordering, on_e: Ordering) -> Option<Ordering> {
    match (on_d, on_e) {
        (Ordering::Greater, Ordering::Greater | Ordering::Equal) | (Ordering::Equal, Ordering::Greater) => Some(Ordering::Greater),
        (Ordering::Equal, Ordering::Equal) => Some(Ordering::Equal),
        _ => None,
    }
}

/// Axiom 12.
pub(super) fn documents(subject: &Subject<'_>, seed: u64) -> Verdict {
    let pointwise = subject.component().is_some_and(crate::component::Component::is_pointwise_sum);
    // Where ranks are counted anew, a document's term depends on who else is there.
    let stable = !subject.ranks() || subject.settings.restrict == Restrict::Keep;
    let rule = (pointwise && stable)
        .then_some("a sum of terms, each of its own document's alpha and sigma, over a norm that depends on alpha alone");
    let mut tally = Tally::default();
    let mut exhausted = 1;
    for n in 2..=DOCS {
        let pairs = subject.alphas(n).len() * subject.sigmas(n).len().pow(2) / if subject.ranks() { subject.sigmas(n).len() } else { 1 };
        if pairs << n > MOST_WORLDS {
            break;
        }
        exhausted = n;
        let world = World::new(subject, n);
        for a in 0..world.alphas.len() {
            for s in 0..world.firsts() {
                for t in 0..world.sigmas.len() {
                    for part in 1..all(n) {
                        let cases = |of: usize| [part, all(n) & !part, all(n)].map(|subset| world.case(a, of, subset));
                        if let Some(verdict) = split(subject, &mut tally, cases(s), cases(t)) {
                            return verdict;
                        }
                    }
                }
            }
        }
    }
    // What a rule proves needs no luck.
    let trials = if rule.is_some() { 0 } else { TRIALS };
    let mut random = Random::new(seed);
    let (alphas, sigmas) = (subject.alphas(1), subject.sigmas(1));
    for n in exhausted + 1..=RANDOM_DOCS {
        for _ in 0..trials {
            let alpha: Vec<f64> = (0..n).map(|_| alphas[random.below(alphas.len() as u64) as usize][0]).collect();
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
            let cases = |sigma| sets.map(|subset| Case { alpha: &alpha, sigma, subset, score: subject.score(&alpha, sigma, subset) });
            if let Some(verdict) = split(subject, &mut tally, cases(&first), cases(&second)) {
                return verdict;
            }
        }
    }
    match concluded(subject, &tally, exhausted, rule) {
        Verdict::Searched(bounds) => Verdict::Sampled { bounds, trials: trials * (RANDOM_DOCS - exhausted) as u64, seed },
        other => other,
    }
}

/// Two systems on two parts and on the whole.
fn split(subject: &Subject<'_>, tally: &mut Tally, x: [Case<'_>; 3], y: [Case<'_>; 3]) -> Option<Verdict> {
    let wanted = consequence(subject.compare(tally, x[0], y[0])?, subject.compare(tally, x[1], y[1])?)?;
    let found = subject.compare(tally, x[2], y[2])?;
    tally.premises += 1;
    if found == wanted {
        return None;
    }
    let on = |i: usize| format!("{} against {} on {}", number_text(x[i].score), number_text(y[i].score), set_text(x[i].subset));
    let word = if found == Ordering::Equal { "a tie" } else { "reversed or no longer equal" };
    let text = format!(
        "{}; sigma' {}: {}, {}, but {}: {word}",
        told(subject, x[2]),
        told(subject, y[2]).split(" sigma ").last().unwrap_or(""),
        on(0),
        on(1),
        on(2)
    );
    Some(Verdict::violated(witness(subject, &[x[0], y[0], x[1], y[1], x[2], y[2]], text)))
}

/// What two systems score on one query.
type Pair = (Option<f64>, Option<f64>);

/// How many different pairs of scores of a query are combined.
const PAIRS: usize = 14;

/// Axiom 13.
pub(super) fn queries(subject: &Subject<'_>) -> Verdict {
    let average = subject.metric().aggregate();
    let rule = match average {
        Aggregate::Mean => Some("the mean of finite values, an undefined one being 0"),
        Aggregate::Custom(average) if average.is_quasi_linear() => match average.undefined() {
            None | Some(Undefined::Zero) => Some("the mean of finite values, an undefined one being 0"),
            Some(Undefined::Error) => Some("the mean of finite values, and there is none where one is undefined"),
            Some(Undefined::Skip) if subject.component().is_some_and(crate::component::Component::is_defined_by_alpha) => {
                Some("the mean of finite values, and which of them are defined depends on the assessor alone")
            }
            Some(Undefined::Skip) => None,
        },
        _ => None,
    };
    let over = |scores: &[Option<f64>]| match average {
        Aggregate::Custom(average) => average.of(scores.iter().copied(), Undefined::Zero),
        other => crate::score::summarise(other, scores.iter().map(|x| x.unwrap_or(0.0))),
    };
    let queries = attained(subject);
    let mut sets: Vec<Vec<usize>> = (0..queries.len()).map(|i| vec![i]).collect();
    sets.extend((0..queries.len()).flat_map(|i| (i..queries.len()).map(move |j| vec![i, j])));
    let mut tally = Tally::default();
    for q in &sets {
        for r in &sets {
            let order = |of: &[usize], tally: &mut Tally| {
                let side = |which: fn(&Pair) -> Option<f64>| over(&of.iter().map(|i| which(&queries[*i])).collect::<Vec<_>>());
                match (side(|p| p.0), side(|p| p.1)) {
                    (Some(x), Some(y)) if (x - y).abs() <= TOLERANCE => Some((Ordering::Equal, x, y)),
                    (Some(x), Some(y)) => x.partial_cmp(&y).map(|order| (order, x, y)),
                    _ => {
                        tally.skipped += 1;
                        None
                    }
                }
            };
            let both: Vec<usize> = q.iter().chain(r).copied().collect();
            let (Some(x), Some(y), Some(z)) = (order(q, &mut tally), order(r, &mut tally), order(&both, &mut tally)) else { continue };
            let Some(wanted) = consequence(x.0, y.0) else { continue };
            tally.premises += 1;
            if z.0 != wanted {
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
                let word = if z.0 == Ordering::Equal { "a tie" } else { "reversed or no longer equal" };
                let text = format!("scores of queries: {}; {}; but together {}: {word}", side(q, x), side(r, y), side(&both, z));
                return Verdict::violated(witness(subject, &[], text));
            }
        }
    }
    concluded(subject, &tally, 3, rule)
}

/// Different pairs of scores that two systems can have on one query, evenly chosen among them.
fn attained(subject: &Subject<'_>) -> Vec<Pair> {
    let mut all_pairs: Vec<Pair> = Vec::new();
    for n in 1..=3 {
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
    let step = all_pairs.len().div_ceil(PAIRS).max(1);
    all_pairs.into_iter().step_by(step).collect()
}
