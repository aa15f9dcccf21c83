//! Theorems that are told by name: Moffat's, shown on a metric, and what the axioms exclude.
//!
//! Monotonic and convergent exclude realizable (Moffat 2013, section 4): no metric has all seven
//! properties. Three states of one collection, two relevant documents and one irrelevant, show it
//! for every metric. Let M be the maximum. A realizable metric reaches M at k = 1, with a relevant
//! document on top: `1|01`. A monotonic one gives `10|1` no less, so M. A convergent one gives
//! `11|0` more than `10|1`, which is more than the maximum. All contradictions of this kind are in
//! the [`lattice`](super::lattice).

use std::cmp::Ordering;

use super::choose::Impossible;
use super::lattice::Property;
use super::states::{Probe, clearly, decide};
use super::{State, domain};
use crate::measure::Metric;

/// The properties that no metric has together.
pub const EXCLUDED: [Property; 3] =
    [Property::Monotonic, Property::Convergent, Property::Realizable];

/// The theorem in words, with the example that proves it.
pub const STATEMENT: &str = "no metric is monotonic, convergent and realizable: of a collection with two relevant documents and one irrelevant, \
1|01 would score the maximum (realizable), 10|1 no less (monotonic), and 11|0 more than 10|1 (convergent), which is more than the maximum";

/// Axioms that no metric has together, and why: 8 and 9 in their strict form exclude 11.
pub fn axioms_apart<'a>(wishes: impl IntoIterator<Item = &'a str>) -> Option<Impossible> {
    let wishes: Vec<&str> = wishes.into_iter().collect();
    let kinds = [("axiom-8", "that the system ranks higher"), ("axiom-9", "that is more relevant")];
    let (name, which) = kinds.into_iter().find(|(name, _)| wishes.contains(name))?;
    wishes.contains(&"axiom-11").then(|| Impossible {
        names: vec![name, "axiom-11"],
        why: format!(
            "Let the system measure every document as the assessor does. Then it is ideal on every set of documents, and scores 1 on each (axiom-11). So adding \
             a document changes nothing, and none affects the score more than another. But the one {which} must ({name}).\n"
        ),
    })
}

/// What the theorem's three states are for one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Demonstration {
    /// `1|01`, `10|1` and `11|0`, with their scores.
    pub states: [State; 3],
    /// Which step fails: the property that the metric gives up here.
    pub gives_up: Property,
    /// The same in words.
    pub text: String,
}

/// The theorem shown on a metric; `None` if one of the three scores is undefined or no check
/// applies.
pub fn demonstrate(metric: &Metric) -> Option<Demonstration> {
    let probe = Probe::new(metric).ok()?;
    let top = domain::binary(metric).top();
    let state = |gains: [f64; 3], k| State {
        score: probe.score(&gains.map(|g| g * top), k, top),
        gains: gains.map(|g| g * top).to_vec(),
        k,
    };
    let states = [state([1.0, 0.0, 1.0], 1), state([1.0, 0.0, 1.0], 2), state([1.0, 1.0, 0.0], 2)];
    let order = |a: &State, b: &State| {
        let exact = |s: &State| probe.exact(&s.gains, s.k, top);
        clearly(a.score?, b.score?).or_else(|| Some(decide(&exact(a)?, &exact(b)?).0))
    };
    let [one, deeper, swapped] = &states;
    let gives_up = if order(deeper, one)? == Ordering::Less {
        Property::Monotonic
    } else if order(swapped, deeper)? != Ordering::Greater {
        Property::Convergent
    } else {
        Property::Realizable
    };
    let shown: Vec<String> =
        states.iter().map(|s| format!("{} scores {}", s.ranking(), s.score_text())).collect();
    let why = match gives_up {
        Property::Monotonic => "the second is below the first: not monotonic",
        Property::Convergent => "the third is not above the second: not convergent",
        _ => "the third is above the first, which is the best at k = 1: not realizable",
    };
    let text = format!("{}; {why}", shown.join(", "));
    Some(Demonstration { gives_up, text, states })
}
