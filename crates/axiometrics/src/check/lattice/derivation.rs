//! A contradiction, told so that a person can follow it: states, and the property over each step.

use std::fmt::Write as _;

use super::demand::{Demands, Sizes};
use super::order::{Conflict, Up};
use super::property::{Property, PropertySet};
use super::state::Seen;
use crate::check::State;
use crate::check::constraint::ThresholdContext;
use crate::check::witness::gain;
use crate::choice::Choice;

/// Why no metric has all of some properties.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivation {
    /// The properties that it uses.
    pub properties: PropertySet,
    /// The reasoning.
    pub argument: Argument,
    /// The n for which the instances of the thresholds are shown, and why others are no different.
    pub sizes: Option<String>,
}

/// The two ways in which demands can contradict each other.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Argument {
    /// These steps lead from a state up to itself, and one of them is strict.
    Cycle(Vec<Step>),
    /// A realizable metric gives the maximum to a ranking of this collection at depth k, but each
    /// of them scores less: a chain with a strict step leads up from it.
    Below {
        /// The gains of the collection, the best first.
        collection: Vec<f64>,
        /// The depth.
        k: u32,
        /// One chain for each ranking.
        chains: Vec<Vec<Step>>,
    },
}

/// One state scores as much as, no more than, or less than another.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The state that does not score more.
    pub from: State,
    /// The state that does not score less.
    pub to: State,
    /// Less, not just no more.
    pub strict: bool,
    /// The property that demands it.
    pub by: Property,
}

impl Derivation {
    pub(super) fn new(
        demands: &Demands,
        set: PropertySet,
        sizes: Sizes,
        conflict: &Conflict,
    ) -> Self {
        let chain = |steps: &Vec<Up>| told(&demands.universe.states, steps);
        let argument = match conflict {
            Conflict::Cycle(steps) => Argument::Cycle(chain(steps)),
            Conflict::Below(number, chains) => {
                let choice = &demands.universe.choices[*number];
                let all = Seen { top: Vec::new(), rest: choice.collection.0.clone() };
                Argument::Below {
                    collection: all.state(&[]).gains,
                    k: choice.k as u32,
                    chains: chains.iter().map(chain).collect(),
                }
            }
        };
        Derivation { properties: set, argument, sizes: note(set, sizes) }
    }

    /// The derivation, a few lines.
    pub fn text(&self) -> String {
        let mut text = String::new();
        match &self.argument {
            Argument::Cycle(steps) => {
                let _ = writeln!(text, "{}: more than itself.", line(steps));
            }
            Argument::Below { collection, k, chains } => {
                let rankings: Vec<String> = chains.iter().map(|c| start(c)).collect();
                let gains: Vec<String> = collection.iter().map(|g| gain(*g)).collect();
                let _ = writeln!(
                    text,
                    "Of the collection {{{}}} at k = {k}, {} scores M, the maximum (realizable). But:",
                    gains.join(", "),
                    list(&rankings)
                );
                for chain in chains {
                    let _ = writeln!(text, "  {} ≤ M", line(chain));
                }
            }
        }
        if let Some(sizes) = &self.sizes {
            let _ = writeln!(text, "{sizes}");
        }
        text
    }

    /// How many lines it takes.
    pub fn lines(&self) -> usize {
        self.text().lines().count()
    }
}

/// Alternatives in words.
fn list(rankings: &[String]) -> String {
    match rankings {
        [only] => format!("the only ranking, {only},"),
        [a, b] => format!("{a} or {b}"),
        [all @ .., last] => format!("one of {} and {last}", all.join(", ")),
        [] => String::new(),
    }
}

fn start(chain: &[Step]) -> String {
    chain.first().map(|step| step.from.ranking()).unwrap_or_default()
}

/// A chain on one line; steps of one property that follow one another are told as one.
fn line(chain: &[Step]) -> String {
    let mut text = start(chain);
    for steps in chain.chunk_by(|a, b| a.by == b.by && a.strict == b.strict) {
        let (first, last) = (&steps[0], &steps[steps.len() - 1]);
        let sign = match (first.strict, first.by) {
            (true, _) => "<",
            (false, Property::Localized) => "=",
            (false, _) => "≤",
        };
        let times =
            if steps.len() > 1 { format!(", {} times", steps.len()) } else { String::new() };
        let _ = write!(text, " {sign} {} ({}{times})", last.to.ranking(), first.by.name());
    }
    text
}

/// Steps between numbered states as steps between states. Where the order of what was not seen is
/// free, it is that in which the next steps take documents from there.
fn told(states: &[Seen], steps: &[Up]) -> Vec<Step> {
    let taken: Vec<Vec<u8>> = (0..=steps.len()).map(|i| coming(states, &steps[i..])).collect();
    let step = |(i, up): (usize, &Up)| Step {
        from: states[up.from].state(&taken[i]),
        to: states[up.to].state(&taken[i + 1]),
        strict: up.strict,
        by: up.by,
    };
    steps.iter().enumerate().map(step).collect()
}

/// The levels of the documents that the coming steps take from below the top k.
fn coming(states: &[Seen], steps: &[Up]) -> Vec<u8> {
    let mut levels = Vec::new();
    for up in steps {
        let (from, to) = (&states[up.from], &states[up.to]);
        match up.by {
            Property::Monotonic => levels.extend(to.top.last().copied()),
            Property::Convergent => {
                levels.extend(
                    (0..from.top.len()).find(|i| from.top[*i] != to.top[*i]).map(|i| to.top[i]),
                );
                break;
            }
            _ => break,
        }
    }
    levels
}

/// What is said of the n of the thresholds, which a metric may meet at any n.
fn note(set: PropertySet, sizes: Sizes) -> Option<String> {
    let ThresholdContext { missed, appended, .. } = sizes.context();
    match (set.contains(Property::ClosenessThreshold), sizes.at, sizes.elsewhere) {
        (true, Some(n), None) => Some(format!(
            "Closeness-threshold holds for some n, here {n}; for any other the rankings are longer or shorter, and the steps the same."
        )),
        (true, _, Some(n)) => Some(format!(
            "Deepness-threshold holds from some n on, here {}, and closeness-threshold for some n in every context, here {n} among {missed} relevant \
             that neither ranking retrieves and {appended} irrelevant that both append; for any other n there is such a context, and the steps are the same.",
            sizes.from
        )),
        _ => None,
    }
}
