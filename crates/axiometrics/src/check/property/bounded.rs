//! One constant bounds all scores.

use crate::check::search::SearchTally;
use crate::check::witness::number;
use crate::check::{Bounds, Check, CheckGroup, Lab, State, Verdict, Witness};
use crate::component::Component;
use crate::measure::Span;
use crate::measure::structure::{Combine, Divisor, Shape, Weights};

pub(super) struct Bounded;

impl Check for Bounded {
    fn group(&self) -> CheckGroup {
        CheckGroup::Property
    }
    fn name(&self) -> &'static str {
        "bounded"
    }
    fn statement(&self) -> &'static str {
        "one constant bounds the absolute score for all collections and all k"
    }
    fn decide(&self, lab: &Lab) -> Verdict {
        let (bounds, largest) = extent(lab);
        let Some(largest) = largest else { return Verdict::Vacuous(bounds) };
        let case = |state: &State| Witness {
            text: format!("{} scores {}", state.ranking(), state.score_text()),
            states: vec![state.clone()],
            max_grade: lab.max_grade(),
            worlds: Vec::new(),
        };
        match lab.shape().and_then(rule) {
            Some(BoundRule::Bounded(rule, bound)) => {
                let bound_or_more = bound(lab) * (1.0 + NEAR) + NEAR;
                let exceeds = |s: &State| lab.certainly(s, |x| x.abs() > bound_or_more);
                let case = std::iter::once(largest).chain(deep(lab)).find(exceeds);
                let proved = || Verdict::Proved { rule: rule.to_string() };
                let certain = SearchTally::default();
                return lab.settle(
                    Some(rule),
                    case.map(|s| Witness {
                        text: format!(
                            "{} scores {}, beyond {}",
                            s.ranking(),
                            s.score_text(),
                            number(bound(lab))
                        ),
                        states: vec![s],
                        max_grade: lab.max_grade(),
                        worlds: Vec::new(),
                    }),
                    &certain,
                    proved,
                );
            }
            Some(BoundRule::Unbounded(rule)) => {
                return Verdict::Violated {
                    witness: family(lab, full, SHOWN),
                    rule: Some(rule.to_string()),
                };
            }
            None => {}
        }
        if let Some(rule) = lab.proof("unbounded") {
            return Verdict::Violated { witness: family(lab, full, SHOWN), rule: Some(rule) };
        }
        if largest.score.is_some_and(f64::is_infinite) {
            return Verdict::violated(case(&largest));
        }
        let by_form = || Some((lab.proof(self.name())?, declared(lab)));
        if let Some((rule, range)) = by_form().or_else(|| of_expression(lab)) {
            let outside = range.and_then(|(low, high)| {
                let inside = |x: f64| x >= low - NEAR && x <= high + NEAR;
                outlier(lab, inside).filter(|s| lab.certainly(s, |x| !inside(x)))
            });
            let proved = || Verdict::Proved { rule: rule.clone() };
            let certain = SearchTally::default();
            return lab.settle(Some(&rule), outside.as_ref().map(case), &certain, proved);
        }
        // No finite search shows that a metric has no bound, and none that it has one, unless the
        // metric says which: then every score is a case for or against what it says.
        let seen = |note: String| Bounds { note: Some(note), ..bounds.clone() };
        if let Some((low, high)) = declared(lab) {
            let inside = |x: f64| x >= low - NEAR && x <= high + NEAR;
            let range = Span::Between(low, high);
            let outside = |s: &State| s.score.is_some_and(|x| !inside(x));
            return match outlier(lab, inside).or_else(|| deep(lab).into_iter().find(outside)) {
                None => Verdict::Searched(seen(format!(
                    "every score lies in the declared range {range}"
                ))),
                Some(state) => Verdict::Undecided(seen(format!(
                    "{} scores {}, outside of the declared range {range}",
                    state.ranking(),
                    state.score_text()
                ))),
            };
        }
        let growth = [full, bottom].into_iter().find(|make| keeps_growing(lab, *make));
        Verdict::Undecided(seen(match growth {
            Some(make) => family(lab, make, SHOWN).text,
            None => format!(
                "the largest absolute score is {}, of {}",
                largest.score_text(),
                largest.ranking()
            ),
        }))
    }
}

/// Why the expressions of a file have no value beyond two constants, with these.
fn of_expression(lab: &Lab) -> Option<(String, Option<(f64, f64)>)> {
    let (low, high) = Component::of(lab.metric())?.score_bounds(lab.metric().args())?;
    let range = format!("from {} to {}", number(low), number(high));
    Some((
        format!("whatever the parts of the formula are, its value is {range}"),
        Some((low, high)),
    ))
}

/// The range that the metric declares.
fn declared(lab: &Lab) -> Option<(f64, f64)> {
    let file = Component::of(lab.metric()).and_then(Component::range);
    file.or_else(|| lab.metric().def().range.bounds())
}

/// Rounding errors are smaller.
const NEAR: f64 = 1e-9;

enum BoundRule {
    /// Why, and the bound.
    Bounded(&'static str, Box<dyn Fn(&Lab) -> f64>),
    Unbounded(&'static str),
}

fn rule(shape: Shape) -> Option<BoundRule> {
    use BoundRule::{Bounded, Unbounded};
    let top_gain = move |lab: &Lab| shape.gain.of(lab.max_grade(), lab.max_grade());
    match (shape.divisor, shape.combine, shape.weights.tail(0)) {
        (Divisor::None, Combine::Best, _) => {
            Some(Bounded("the largest of contributions that weigh at most 1", Box::new(top_gain)))
        }
        (Divisor::None, Combine::Sum, Some(sum)) => {
            Some(Bounded("the weights have a finite sum", Box::new(move |lab| sum * top_gain(lab))))
        }
        (Divisor::None, Combine::Cumulated, Some(_)) => None,
        (Divisor::None, Combine::Cascade, _) => Some(Bounded(
            "each document ends the search with the probability of its gain, and counts by a weight of at most 1: all together at most 1",
            Box::new(|_| 1.0),
        )),
        (Divisor::None, _, None) => Some(Unbounded(
            "the weights of the ranks have no finite sum, so the family grows beyond every bound",
        )),
        (Divisor::Gains, Combine::Cumulated, _) => {
            (shape.weights == Weights::Reciprocal).then(|| {
                Bounded(
                    "means of the gains down to a rank, weighted by the gains there: no more than the top gain",
                    Box::new(top_gain),
                )
            })
        }
        (Divisor::Gains, Combine::Cascade, _) => None,
        _ => Some(Bounded(
            "divided by the largest value that the dividend can have: 0 to 1",
            Box::new(|_| 1.0),
        )),
    }
}

/// The state with the largest absolute score, and what was looked at.
fn extent(lab: &Lab) -> (Bounds, Option<State>) {
    let mut tally = SearchTally::default();
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

/// The first state with a score outside of a range.
fn outlier(lab: &Lab, inside: impl Fn(f64) -> bool) -> Option<State> {
    lab.tables().iter().find_map(|t| {
        t.states().find(|id| t.score(*id).is_some_and(|s| !inside(s))).map(|id| t.state(id))
    })
}

/// States far beyond the tables.
fn deep(lab: &Lab) -> Vec<State> {
    [full, bottom].into_iter().flat_map(|make| scores(lab, make, DOUBLINGS)).collect()
}

/// The growing families: n top documents, seen all; and n useless ones seen before n top documents
/// that are not.
type GrowingFamily = fn(u32, f64) -> Vec<f64>;
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

fn scores(lab: &Lab, make: GrowingFamily, doublings: u32) -> Vec<State> {
    let top = lab.max_grade();
    let state = |n: u32| {
        let gains = make(n, top);
        let score = lab.probe().score(&gains, n, top);
        State { gains, k: n, score }
    };
    let sizes = (0..=doublings).map(|i| 1 << i);
    sizes.take_while(|n| *n <= lab.landmarks().affordable / 2).map(state).collect()
}

/// True if each doubling adds at least as much as the one before: no sign of a bound.
fn keeps_growing(lab: &Lab, make: GrowingFamily) -> bool {
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

fn family(lab: &Lab, make: GrowingFamily, shown: u32) -> Witness {
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
    Witness { states, text, max_grade: lab.max_grade(), worlds: Vec::new() }
}
