//! Axioms 8 to 10: which document affects the metric more.

use std::cmp::Ordering;

use super::bench::{Case, Subject, Tally, World, all};
use super::{Decision, failure, set_text, told, witness};
use crate::check::Witness;
use crate::check::states::{clearly, decide as decide_exactly};
use crate::check::verdict::{Arithmetic, TOLERANCE};
use crate::measure::Number;

const DOCS: usize = 4;

pub(super) fn decide(subject: &Subject<'_>, number: usize) -> Decision {
    let docs = subject.largest(DOCS);
    let anonymous = !subject.component().is_some_and(crate::component::Component::reads_ideal);
    let rule = (number == 10 && !subject.ranks() && anonymous)
        .then_some("documents have no name: the score depends on how often each pair of alpha and sigma occurs");
    let mut tally = Tally::default();
    let mut tied: Option<Witness> = None;
    for n in 2..=docs {
        let world = World::new(subject, n);
        for a in 0..world.alphas.len() {
            for s in 0..world.firsts() {
                let sims = subject.sims(&world.alphas[a], &world.sigmas[s]);
                for d in 0..n {
                    for e in (0..n).filter(|e| *e != d) {
                        if (sims[d] - sims[e]).abs() > TOLERANCE
                            || !premise(subject, number, &world.alphas[a], &world.sigmas[s], d, e)
                        {
                            continue;
                        }
                        for set in (0..=all(n)).filter(|set| set & (1 << d | 1 << e) == 0) {
                            let Some(order) = effects(&world, &mut tally, (a, s), set, d, e) else {
                                continue;
                            };
                            tally.premises += 1;
                            let wanted =
                                if number == 10 { Ordering::Equal } else { Ordering::Greater };
                            if order == wanted {
                                continue;
                            }
                            let word = if number == 10 { "not equal" } else { failure(order) };
                            let shown = || shown(&world, (a, s), set, d, e, word);
                            if order == Ordering::Equal {
                                tally.ties += 1;
                                tied.get_or_insert_with(shown);
                            } else {
                                return Decision::violated(&tally, shown());
                            }
                        }
                    }
                }
            }
        }
    }
    match tied {
        Some(witness) => Decision::weak(&tally, witness),
        None => Decision::concluded(subject, &tally, docs, rule),
    }
}

fn premise(
    subject: &Subject<'_>,
    number: usize,
    alpha: &[f64],
    sigma: &[f64],
    d: usize,
    e: usize,
) -> bool {
    let (system, assessor) =
        (subject.better(sigma, d, e), alpha[d].partial_cmp(&alpha[e]).unwrap_or(Ordering::Equal));
    match number {
        8 => system == Ordering::Greater && assessor != Ordering::Less,
        9 => assessor == Ordering::Greater && system != Ordering::Less,
        _ => system == Ordering::Equal && assessor == Ordering::Equal,
    }
}

/// The order of the changes that adding d and adding e to a set make.
fn effects(
    world: &World<'_>,
    tally: &mut Tally,
    (a, s): (usize, usize),
    set: u32,
    d: usize,
    e: usize,
) -> Option<Ordering> {
    let cases = [set, set | 1 << d, set | 1 << e].map(|subset| world.case(a, s, subset));
    let [Some(before), Some(with_d), Some(with_e)] = cases.map(|c| c.score) else {
        tally.skipped += 1;
        return None;
    };
    if let Some(order) = clearly((with_d - before).abs(), (with_e - before).abs()) {
        return Some(order);
    }
    let exact = |case: Case<'_>| world.subject.exact(case.alpha, case.sigma, case.subset);
    let (before, with_d, with_e) = (exact(cases[0])?, exact(cases[1])?, exact(cases[2])?);
    let change = |with: crate::measure::Exact| {
        let change = with - before.clone();
        if change < Number::zero() { -change } else { change }
    };
    let (order, arithmetic) = decide_exactly(&change(with_d), &change(with_e));
    if arithmetic == Arithmetic::Tolerance {
        tally.arithmetic = arithmetic;
    }
    Some(order)
}

fn shown(
    world: &World<'_>,
    (a, s): (usize, usize),
    set: u32,
    d: usize,
    e: usize,
    word: &str,
) -> Witness {
    let cases = [set, set | 1 << d, set | 1 << e].map(|subset| world.case(a, s, subset));
    let score = |case: Case<'_>| super::number_text(case.score);
    let text = format!(
        "{}: {} scores {}, with document {} {}, with document {} {}: {word}",
        told(world.subject, cases[0]),
        set_text(set),
        score(cases[0]),
        d + 1,
        score(cases[1]),
        e + 1,
        score(cases[2])
    );
    witness(world.subject, &cases, text)
}
