//! The top k alone decides the score.

use std::cmp::Ordering;

use crate::check::search::Id;
use crate::check::witness::apart;
use crate::check::{Check, CheckGroup, Lab, Verdict, Witness};
use crate::measure::Metric;
use crate::measure::structure::{Divisor, Shape};

pub(super) struct Localized;

impl Check for Localized {
    fn group(&self) -> CheckGroup {
        CheckGroup::Property
    }
    fn name(&self) -> &'static str {
        "localized"
    }
    fn statement(&self) -> &'static str {
        "two collections that agree on the first k gains have equal scores, whatever follows; undefined equals only undefined"
    }
    fn condition(&self, metric: &Metric) -> Option<&'static str> {
        metric.scales_by_max_grade().then_some(
            "for a fixed maximum grade, by which the score scales: if nobody sets it, it is the highest grade judged, anywhere",
        )
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let proof = lab.proof(self.name());
        lab.search(lab.shape().and_then(rule).or(proof.as_deref()), |table, tally| {
            let mut first: Vec<Vec<Option<Id>>> =
                (0..=table.docs).map(|k| vec![None; table.rankings(k)]).collect();
            // Two numbers convince more than a number and an undefined score; so the latter only
            // if there is nothing else.
            let mut undefined = None;
            for id in table.states() {
                let seen = &mut first[id.k as usize][table.prefix(id)];
                let Some(known) = *seen else {
                    *seen = Some(id);
                    continue;
                };
                let differs = match (table.score(known), table.score(id)) {
                    (Some(_), Some(_)) => {
                        tally.ask(table, known, id, Ordering::is_eq).is_some_and(Ordering::is_ne)
                    }
                    (a, b) => {
                        tally.cases += 1;
                        a.is_some() != b.is_some()
                            && table.is_defined(known) != table.is_defined(id)
                    }
                };
                if !differs {
                    continue;
                }
                let (a, b) = (table.state(known), table.state(id));
                let scores = apart([&a, &b]);
                let text = format!(
                    "{} scores {} and {} scores {}: the same top {}, another score",
                    a.ranking(),
                    scores[0],
                    b.ranking(),
                    scores[1],
                    table.depth(id)
                );
                let both = a.score.is_some() && b.score.is_some();
                let witness = Witness {
                    states: vec![a, b],
                    text,
                    max_grade: table.levels.top(),
                    worlds: Vec::new(),
                };
                if both {
                    return Some(witness);
                }
                undefined.get_or_insert(witness);
                // From here on compare with a state that has a score.
                if table.score(known).is_none() {
                    first[id.k as usize][table.prefix(id)] = Some(id);
                }
            }
            undefined
        })
    }
}

fn rule(shape: Shape) -> Option<&'static str> {
    match shape.divisor {
        Divisor::None | Divisor::Endless | Divisor::Cutoff | Divisor::Own => {
            Some("neither the dividend nor the divisor looks below rank k")
        }
        Divisor::Ideal | Divisor::Whole | Divisor::Gains => None,
    }
}
