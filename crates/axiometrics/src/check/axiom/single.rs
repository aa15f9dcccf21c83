//! Axioms 4 to 7: the metric on one document.

use std::cmp::Ordering;

use super::bench::{Case, Subject, Tally, all};
use super::{Decision, Reading, Single, failure, number_text, told, witness};
use crate::check::Witness;
use crate::check::verdict::TOLERANCE;

const DOCS: usize = 4;

pub(super) fn decide(subject: &Subject<'_>, number: usize) -> Decision {
    if subject.settings.reading == Reading::Literal && number > 4 && !subject.one_scale() {
        return Decision::not_applicable(
            "the paper's inequalities compare an alpha with another document's sigma, which needs one scale",
        );
    }
    let docs = subject.largest(DOCS);
    let mut tally = Tally::default();
    for n in 1..=docs {
        let (alphas, sigmas) = (subject.alphas(n), subject.sigmas(n));
        for alpha in &alphas {
            let sims: Vec<Vec<f64>> = sigmas.iter().map(|s| subject.sims(alpha, s)).collect();
            for s in 0..subject.firsts(sigmas.len()) {
                let found = if number <= 5 {
                    (0..sigmas.len()).find_map(|t| {
                        systems(
                            subject,
                            number,
                            alpha,
                            (&sigmas[s], &sims[s]),
                            (&sigmas[t], &sims[t]),
                            &mut tally,
                        )
                    })
                } else {
                    documents(subject, number, alpha, (&sigmas[s], &sims[s]), &mut tally)
                };
                if let Some(witness) = found {
                    return Decision::violated(&tally, witness);
                }
            }
        }
    }
    Decision::concluded(subject, &tally, docs, None)
}

type System<'w> = (&'w Vec<f64>, &'w Vec<f64>);

/// Axioms 4 and 5: two systems, one document.
fn systems(
    subject: &Subject<'_>,
    number: usize,
    alpha: &[f64],
    (sigma, sims): System<'_>,
    (other, others): System<'_>,
    tally: &mut Tally,
) -> Option<Witness> {
    let n = alpha.len();
    for d in 0..n {
        let premise = match number {
            4 => sigma[d] == other[d] && sigma != other,
            _ => {
                let less_wrong = sims[d] > others[d] + TOLERANCE;
                less_wrong
                    && match subject.settings.reading {
                        Reading::Order => {
                            let direction = subject.direction(alpha, sigma, d);
                            direction != Ordering::Equal
                                && direction == subject.direction(alpha, other, d)
                        }
                        Reading::Literal => {
                            pair(subject, sigma[d], other[d])
                                > pair(subject, alpha[d], other[d]) + TOLERANCE
                        }
                    }
            }
        };
        // With everything in view, nothing but the document may change.
        let paribus = subject.settings.single != Single::CeterisParibus
            || only_moves(subject, sigma, other, d);
        if !premise || !paribus {
            continue;
        }
        let (x, y) = (subject.on_document(alpha, sigma, d), subject.on_document(alpha, other, d));
        let subset = if subject.settings.single == Single::Singleton { 1 << d } else { all(n) };
        let case = |sigma, score| Case { alpha, sigma, subset, score };
        let (a, b) = (case(sigma, x), case(other, y));
        let Some(order) = ordered(subject, tally, a, b) else { continue };
        tally.premises += 1;
        let wanted = if number == 4 { Ordering::Equal } else { Ordering::Greater };
        if order != wanted {
            let word = if number == 4 { "not equal" } else { failure(order) };
            let text = format!(
                "document {}: {} has {}, {} has {}: {word}",
                d + 1,
                told(subject, a),
                number_text(x),
                told(subject, b),
                number_text(y)
            );
            return Some(witness(subject, &[a, b], text));
        }
    }
    None
}

/// Axioms 6 and 7: one system, two documents.
fn documents(
    subject: &Subject<'_>,
    number: usize,
    alpha: &[f64],
    (sigma, sims): System<'_>,
    tally: &mut Tally,
) -> Option<Witness> {
    let n = alpha.len();
    let wrong = if number == 6 { Ordering::Greater } else { Ordering::Less };
    for d in 0..n {
        for e in 0..n {
            let more_wrong = alpha[d] > alpha[e] && sims[d] + TOLERANCE < sims[e];
            if !more_wrong || (number == 7 && subject.better(sigma, d, e) != Ordering::Greater) {
                continue;
            }
            let both = match subject.settings.reading {
                Reading::Order => {
                    subject.direction(alpha, sigma, d) == wrong
                        && subject.direction(alpha, sigma, e) == wrong
                }
                Reading::Literal => {
                    let between = pair(subject, alpha[d], alpha[e]);
                    let (first, second) = (
                        pair(subject, alpha[e], sigma[d]) - between,
                        pair(subject, alpha[d], sigma[e]) - between,
                    );
                    if number == 6 {
                        first < -TOLERANCE && second > TOLERANCE
                    } else {
                        first > TOLERANCE && second < -TOLERANCE
                    }
                }
            };
            if !both {
                continue;
            }
            let (x, y) =
                (subject.on_document(alpha, sigma, e), subject.on_document(alpha, sigma, d));
            let on = |d: usize| {
                if subject.settings.single == Single::Singleton { 1 << d } else { all(n) }
            };
            let case = |subset, score| Case { alpha, sigma, subset, score };
            let (a, b) = (case(on(e), x), case(on(d), y));
            let Some(order) = ordered(subject, tally, a, b) else { continue };
            tally.premises += 1;
            if order != Ordering::Greater {
                let word = failure(order);
                let text = format!(
                    "{}: document {} has {}, document {} has {}: {word}",
                    told(subject, a),
                    e + 1,
                    number_text(x),
                    d + 1,
                    number_text(y)
                );
                return Some(witness(subject, &[a, b], text));
            }
        }
    }
    None
}

fn ordered(subject: &Subject<'_>, tally: &mut Tally, a: Case<'_>, b: Case<'_>) -> Option<Ordering> {
    if subject.settings.single != Single::Contribution {
        return subject.compare(tally, a, b);
    }
    // A summand is no score of a set: it is compared as it is.
    match (a.score, b.score) {
        (Some(x), Some(y)) if (x - y).abs() <= TOLERANCE => Some(Ordering::Equal),
        (Some(x), Some(y)) => x.partial_cmp(&y),
        _ => {
            tally.skipped += 1;
            None
        }
    }
}

/// The similarity of two values of one scale.
fn pair(subject: &Subject<'_>, alpha: f64, sigma: f64) -> f64 {
    subject.sims(&[alpha], &[sigma])[0]
}

/// Whether two systems agree on all documents but d: on a ranking, on their order.
fn only_moves(subject: &Subject<'_>, sigma: &[f64], other: &[f64], d: usize) -> bool {
    let rest = || (0..sigma.len()).filter(move |i| *i != d);
    if !subject.ranks() {
        return rest().all(|i| sigma[i] == other[i]);
    }
    rest().all(|i| rest().all(|j| (sigma[i] < sigma[j]) == (other[i] < other[j])))
}
