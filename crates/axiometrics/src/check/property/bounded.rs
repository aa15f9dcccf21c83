//! One constant bounds all scores.

use crate::check::search::Tally;
use crate::check::witness::number;
use crate::check::{Bounds, Check, Group, Lab, State, Verdict, Witness};
use crate::measure::Span;
use crate::measure::structure::{Combine, Divisor, Shape};

pub(super) struct Bounded;

impl Check for Bounded {
    fn group(&self) -> Group {
        Group::Property
    }
    fn name(&self) -> &'static str {
        "bounded"
    }
    fn statement(&self) -> &'static str {
        "one constant bounds the absolute score for all collections and all k"
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        match lab.shape().and_then(rule) {
            Some(Rule::Bounded(rule)) => return Verdict::Proved { rule: rule.to_string() },
            Some(Rule::Unbounded(rule)) => {
                return Verdict::Violated {
                    witness: family(lab, full, SHOWN),
                    rule: Some(rule.to_string()),
                };
            }
            None => {}
        }
        let (bounds, largest) = extent(lab);
        let Some(largest) = largest else { return Verdict::Vacuous(bounds) };
        if largest.score.is_some_and(f64::is_infinite) {
            let text = format!("{} scores {}", largest.ranking(), largest.score_text());
            return Verdict::violated(Witness {
                states: vec![largest],
                text,
                max_grade: lab.max_grade(),
            });
        }
        let within =
            |note: String| Verdict::Searched(Bounds { note: Some(note), ..bounds.clone() });
        if let Some((low, high)) = lab.metric().def().range.bounds()
            && lowest_to_highest(lab).is_some_and(|(a, b)| a >= low - 1e-9 && b <= high + 1e-9)
        {
            return within(format!(
                "every score lies in the declared range {}",
                Span::Between(low, high)
            ));
        }
        for make in [full, bottom] {
            if keeps_growing(lab, make) {
                return Verdict::violated(family(lab, make, SHOWN));
            }
        }
        within(format!(
            "the largest absolute score is {}, of {}",
            largest.score_text(),
            largest.ranking()
        ))
    }
}

enum Rule {
    Bounded(&'static str),
    Unbounded(&'static str),
}

fn rule(shape: Shape) -> Option<Rule> {
    use Rule::{Bounded, Unbounded};
    match (shape.divisor, shape.combine) {
        (Divisor::None, Combine::Best) => {
            Some(Bounded("the largest of contributions that weigh at most 1"))
        }
        (Divisor::None, Combine::Sum) if shape.weights.tail(0).is_some() => {
            Some(Bounded("the weights have a finite sum"))
        }
        (Divisor::None, Combine::Cumulated) if shape.weights.tail(0).is_some() => None,
        (Divisor::None, _) => Some(Unbounded(
            "the weights of the ranks have no finite sum, so the family grows beyond every bound",
        )),
        _ => Some(Bounded("divided by the largest value that the dividend can have: 0 to 1")),
    }
}

/// The state with the largest absolute score, and what was looked at.
fn extent(lab: &Lab) -> (Bounds, Option<State>) {
    let mut tally = Tally::default();
    let mut largest: Option<State> = None;
    for table in lab.tables() {
        for id in table.states() {
            let Some(score) = table.score(id) else {
                tally.skipped += 1;
                continue;
            };
            tally.cases += 1;
            if largest.as_ref().and_then(|s| s.score).is_none_or(|s| score.abs() > s.abs()) {
                largest = Some(table.state(id));
            }
        }
    }
    (lab.bounds(&tally), largest)
}

fn lowest_to_highest(lab: &Lab) -> Option<(f64, f64)> {
    let scores = lab.tables().iter().flat_map(|t| t.states().filter_map(|id| t.score(id)));
    scores.fold(None, |range, s| {
        Some(range.map_or((s, s), |(low, high): (f64, f64)| (low.min(s), high.max(s))))
    })
}

/// The growing families: n top documents, seen all; and n useless ones seen before n top documents
/// that are not.
type Family = fn(u32, f64) -> Vec<f64>;
fn full(n: u32, top: f64) -> Vec<f64> {
    vec![top; n as usize]
}
fn bottom(n: u32, top: f64) -> Vec<f64> {
    let mut v = vec![0.0; n as usize];
    v.extend(full(n, top));
    v
}

/// How far a family is followed, by doubling, and how many of its members a witness shows.
const DOUBLINGS: u32 = 10;
const SHOWN: u32 = 5;

fn scores(lab: &Lab, make: Family, doublings: u32) -> Vec<State> {
    let top = lab.max_grade();
    let state = |n: u32| {
        let gains = make(n, top);
        let score = lab.probe().score(&gains, n, top);
        State { gains, k: n, score }
    };
    (0..=doublings).map(|i| state(1 << i)).collect()
}

/// True where each doubling adds at least as much as the one before: no sign of a bound.
fn keeps_growing(lab: &Lab, make: Family) -> bool {
    let Some(sizes) = scores(lab, make, DOUBLINGS)
        .iter()
        .map(|s| s.score.map(f64::abs))
        .collect::<Option<Vec<f64>>>()
    else {
        return false;
    };
    let steps: Vec<f64> = sizes.windows(2).map(|w| w[1] - w[0]).collect();
    steps.iter().all(|step| *step > 1e-9) && steps.windows(2).all(|w| w[1] >= w[0] - 1e-9)
}

fn family(lab: &Lab, make: Family, shown: u32) -> Witness {
    let mut states = scores(lab, make, DOUBLINGS);
    let last =
        states.last().map(|s| format!("{} at k = {}", s.score_text(), s.k)).unwrap_or_default();
    states.truncate(shown as usize);
    let grow: Vec<String> =
        states.iter().map(|s| s.score.map_or_else(String::new, number)).collect();
    let text = format!(
        "{} and its doublings score {}, ..., {last}: each step adds no less than the one before",
        states[0].ranking(),
        grow.join(", ")
    );
    Witness { states, text, max_grade: lab.max_grade() }
}
