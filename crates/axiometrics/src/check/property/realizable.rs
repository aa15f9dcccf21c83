//! Every collection has a ranking with the highest score there is.

use std::cmp::Ordering;

use crate::check::domain::Levels;
use crate::check::search::{Id, SearchTally, StateTable};
use crate::check::states::clearly;
use crate::check::witness::apart;
use crate::check::{Check, CheckGroup, Lab, State, Verdict, Witness};
use crate::measure::structure::{Combine, Divisor, Shape};

pub(super) struct Realizable;

impl Check for Realizable {
    fn group(&self) -> CheckGroup {
        CheckGroup::Property
    }
    fn name(&self) -> &'static str {
        "realizable"
    }
    fn statement(&self) -> &'static str {
        "for every collection with a document of the top gain, and every k, the best ranking reaches the metric's overall maximum"
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        // The best of the smallest collections, by their gains: if all is well, of every one.
        let mut best_of_all: Vec<(Levels, State)> = Vec::new();
        let proof = lab.proof(self.name());
        lab.search(lab.shape().and_then(rule).or(proof.as_deref()), |table, tally| {
            let highest = maximum(table, tally, table.states())?;
            if table.is_deep() {
                let (_, low) = best_of_all.iter().find(|(levels, _)| *levels == table.levels)?;
                let high = table.state(highest);
                let reached = low.score?;
                let higher =
                    lab.certainly(&high, |x| clearly(x, reached) == Some(Ordering::Greater));
                return higher.then(|| below(low.clone(), Some(high), table.levels.top()));
            }
            best_of_all.push((table.levels, table.state(highest)));
            for d in 1..=table.docs {
                for k in 1..=d {
                    let mut rankings: Vec<Vec<usize>> = vec![Vec::new(); table.rankings(d)];
                    for code in table.codes(d) {
                        rankings[table.collection(Id { d, k, code })].push(code);
                    }
                    let top = table.levels.gains().len() - 1;
                    for codes in rankings {
                        // The last is the descending one: it begins with the best document, and of
                        // equal rankings it is the one to show.
                        let Some(&last) = codes.last() else { continue };
                        if table.level(Id { d, k, code: last }, 0) < top {
                            continue;
                        }
                        let Some(best) = maximum(
                            table,
                            tally,
                            codes.iter().rev().map(|&code| Id { d, k, code }),
                        ) else {
                            tally.skipped += 1;
                            continue;
                        };
                        if tally.ask(table, best, highest, Ordering::is_ge) == Some(Ordering::Less)
                        {
                            return Some(witness(table, best));
                        }
                    }
                }
            }
            None
        })
    }
}

/// The first of the states that no other surpasses. Only near scores need exact arithmetic, and
/// these comparisons are not cases.
fn maximum(
    table: &StateTable,
    tally: &mut SearchTally,
    ids: impl Iterator<Item = Id>,
) -> Option<Id> {
    let cases = tally.cases;
    let mut best: Option<(Id, f64)> = None;
    for id in ids {
        let Some(score) = table.score(id) else { continue };
        match best {
            // A clearly lower score is the common case; it must not cost a comparison.
            Some((_, high)) if score < high - 1e-6 * high.abs().max(1.0) => {}
            Some((known, _)) if tally.compare(table, id, known) != Some(Ordering::Greater) => {}
            _ => best = Some((id, score)),
        }
    }
    tally.cases = cases;
    best.map(|(id, _)| id)
}

fn witness(table: &StateTable, best: Id) -> Witness {
    let mut scratch = SearchTally::default();
    let higher =
        table.states().find(|id| scratch.compare(table, *id, best) == Some(Ordering::Greater));
    below(table.state(best), higher.map(|id| table.state(id)), table.levels.top())
}

/// The best ranking of a collection, and one of another that scores more.
fn below(best: State, higher: Option<State>, max_grade: f64) -> Witness {
    let scores = apart(std::iter::once(&best).chain(&higher));
    let mut text = format!(
        "the best ranking of its collection at k = {}, {}, scores {}",
        best.k,
        best.ranking(),
        scores[0]
    );
    if let Some(higher) = &higher {
        text += &format!(", below the {} of {}", scores[1], higher.ranking());
    }
    Witness {
        states: std::iter::once(best).chain(higher).collect(),
        text,
        max_grade,
        worlds: Vec::new(),
    }
}

fn rule(shape: Shape) -> Option<&'static str> {
    match (shape.combine, shape.divisor) {
        (Combine::Cascade, Divisor::Own) => None,
        (_, Divisor::Ideal) => Some(
            "divided by the score of the collection's best ranking at k, which itself scores 1, and no ranking more",
        ),
        (_, Divisor::Own) => Some(
            "divided by the score of the best order of the top k, which itself scores 1, and no ranking more",
        ),
        (Combine::Best, Divisor::None) => Some(
            "the largest contribution is that of a top document at rank 1, which every such collection can have",
        ),
        _ => None,
    }
}
