//! What each property demands of the scores of states: one is at least, or more than, another.
//!
//! Priority, deepness and confidence are read as their checks read them, on rankings of whole
//! collections; a metric that has them in more contexts has them here too, so a contradiction
//! stands. Deepness demands one thing more, that steps of a single relevant document shrink. That
//! compares differences, not scores, and is left out: leaving a demand out can hide a
//! contradiction but never make one, and none is hidden, since every set without a contradiction
//! has a measure (`example`).

use std::collections::HashMap;

use super::property::{Property, PropertySet};
use super::state::{Collection, Seen, Universe};
use crate::check::constraint::ThresholdContext;

/// The score of one state is at least, or more than, that of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StateRelation {
    pub below: usize,
    pub above: usize,
    /// More than, not at least.
    pub strict: bool,
    pub by: Property,
}

/// The sizes that the two threshold constraints leave open. A set of properties is contradictory if
/// it is so for each choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    /// Deepness-threshold: where n starts, for the instance as printed.
    pub from: usize,
    /// Closeness-threshold: the n for the instance as printed, if it is asked for.
    pub at: Option<usize>,
    /// Closeness-threshold: the n in the context of [`Sizes::context`], if it is asked for there.
    pub elsewhere: Option<usize>,
}

impl Sizes {
    /// A context in which every n, even 1, belongs to a collection that the printed instance meets
    /// at an n not below `from`. Closeness in this context and deepness without one then speak of
    /// the same collection.
    pub(super) fn context(self) -> ThresholdContext {
        ThresholdContext {
            missed: self.from - 1,
            appended: 2 * (self.from - 1),
            ..ThresholdContext::NONE
        }
    }
}

/// The two rankings of a threshold's instance: one relevant document on top, and n after n
/// irrelevant ones.
pub(super) fn threshold(levels: usize, n: usize, context: ThresholdContext) -> [Seen; 2] {
    let ThresholdContext { missed, appended, .. } = context;
    let on_top = [(true, 1), (false, 2 * n - 1 + appended)];
    let below = [(false, n), (true, n), (false, appended)];
    [Seen::binary(levels, &on_top, n - 1 + missed, 0), Seen::binary(levels, &below, missed, n - 1)]
}

/// The collection of a threshold's instance.
pub(super) fn threshold_collection(
    levels: usize,
    n: usize,
    context: ThresholdContext,
) -> Collection {
    Collection::binary(levels, n + context.missed, 2 * n - 1 + context.appended)
}

/// All demands on the states of a universe.
#[derive(Debug)]
pub(super) struct Demands {
    pub universe: Universe,
    relations: Vec<StateRelation>,
    /// States that look alike down to k, which a localized metric scores alike.
    alike: Vec<Vec<usize>>,
}

impl Demands {
    pub(super) fn new(universe: Universe) -> Demands {
        let mut relations = Vec::new();
        for (number, seen) in universe.states.iter().enumerate() {
            let mut add = |by: Property, strict: bool, above: Option<Seen>| {
                if let Some(above) = above.and_then(|seen| universe.number(&seen)) {
                    relations.push(StateRelation { below: number, above, strict, by });
                }
            };
            for next in seen.deeper() {
                add(Property::Monotonic, false, Some(next));
            }
            let k = seen.top.len();
            for i in 0..k {
                for level in usize::from(seen.top[i]) + 1..universe.levels {
                    add(Property::Convergent, true, seen.exchanged(i, level));
                }
                for j in (i + 1..k).filter(|j| seen.top[i] < seen.top[*j]) {
                    add(Property::TopWeighted, true, Some(seen.swapped(i, j)));
                }
            }
            if seen.docs() == k && seen.is_binary() {
                for i in 0..k - 1 {
                    if seen.top[i] < seen.top[i + 1] {
                        add(Property::Priority, true, Some(seen.swapped(i, i + 1)));
                    }
                }
                for better in outward(seen) {
                    add(Property::Deepness, true, Some(better));
                }
                add(Property::Confidence, true, shorter(seen));
            }
        }
        let mut alike: HashMap<&[u8], Vec<usize>> = HashMap::new();
        for (number, seen) in universe.states.iter().enumerate() {
            alike.entry(&seen.top).or_default().push(number);
        }
        let mut alike: Vec<Vec<usize>> =
            alike.into_values().filter(|states| states.len() > 1).collect();
        alike.sort();
        Demands { universe, relations, alike }
    }

    /// The demands of some properties.
    pub(super) fn of(&self, set: PropertySet, sizes: Sizes) -> Vec<StateRelation> {
        let mut relations: Vec<StateRelation> =
            self.relations.iter().copied().filter(|r| set.contains(r.by)).collect();
        let mut add = |by: Property, n: usize, context: ThresholdContext| {
            let [on_top, below] =
                threshold(self.universe.levels, n, context).map(|seen| self.universe.number(&seen));
            let (lower, higher) =
                if by == Property::DeepnessThreshold { (below, on_top) } else { (on_top, below) };
            if let (Some(below), Some(above)) = (lower, higher) {
                relations.push(StateRelation { below, above, strict: true, by });
            }
        };
        if set.contains(Property::DeepnessThreshold) {
            let largest = self.universe.states.iter().map(Seen::docs).max().unwrap_or(0);
            (sizes.from..=largest)
                .for_each(|n| add(Property::DeepnessThreshold, n, ThresholdContext::NONE));
        }
        if set.contains(Property::ClosenessThreshold) {
            let by = Property::ClosenessThreshold;
            sizes.at.into_iter().for_each(|n| add(by, n, ThresholdContext::NONE));
            sizes.elsewhere.into_iter().for_each(|n| add(by, n, sizes.context()));
        }
        // Without completeness there is no score if nothing is relevant; a localized metric that
        // scores other collections has one.
        let barren = |number: usize| self.universe.states[number].is_barren();
        if !set.contains(Property::Complete) && !set.contains(Property::Localized) {
            relations.retain(|r| !barren(r.below) && !barren(r.above));
        }
        relations
    }

    /// States with equal scores, if the metric is localized.
    pub(super) fn alike(&self, set: PropertySet) -> &[Vec<usize>] {
        if set.contains(Property::Localized) { &self.alike } else { &[] }
    }
}

/// Deepness among other documents. With a relevant document before an irrelevant neighbour at two
/// places, spoiling the deeper pair is better than spoiling the shallower one. So a relevant
/// document moved up by one rank, and another below it moved down by one, is an improvement.
fn outward(seen: &Seen) -> Vec<Seen> {
    let top = &seen.top;
    let spoilt: Vec<usize> = (1..top.len()).filter(|i| top[i - 1] < top[*i]).collect();
    let intact: Vec<usize> = (1..top.len()).filter(|i| top[i - 1] > top[*i]).collect();
    let pairs = spoilt.iter().flat_map(|i| intact.iter().map(move |j| (*i, *j)));
    pairs
        .filter(|(i, j)| j > &(i + 1))
        .map(|(i, j)| seen.swapped(i - 1, i).swapped(j - 1, j))
        .collect()
}

/// The same ranking without the irrelevant document at its end, which was then not retrieved. A
/// ranking without any relevant document cannot become worse.
fn shorter(seen: &Seen) -> Option<Seen> {
    let mut other = seen.clone();
    let last = other.top.pop().filter(|g| *g == 0)?;
    other.rest[usize::from(last)] += 1;
    other.top.iter().any(|g| *g > 0).then_some(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(seen: &Seen) -> String {
        seen.state(&[]).ranking()
    }

    #[test]
    fn thresholds_have_one_collection_on_both_sides() {
        let none = ThresholdContext::NONE;
        for context in [none, ThresholdContext { missed: 1, appended: 2, ..none }] {
            for n in 1..4 {
                let sides = threshold(2, n, context);
                let universe = Universe::new(2, &[threshold_collection(2, n, context)]);
                assert!(sides.iter().all(|seen| universe.number(seen).is_some()), "{n}");
            }
        }
        assert_eq!(threshold(2, 2, ThresholdContext::NONE).map(|s| text(&s)), ["1000|1", "0011|0"]);
        let sizes = Sizes { from: 2, at: None, elsewhere: None };
        assert_eq!(threshold(2, 1, sizes.context()).map(|s| text(&s)), ["1000|1", "0100|1"]);
    }

    #[test]
    fn deepness_moves_relevant_documents_apart() {
        let seen = Seen::binary(2, &[(false, 1), (true, 2), (false, 1)], 0, 0);
        assert_eq!(outward(&seen).iter().map(text).collect::<Vec<_>>(), ["1001|"]);
    }

    #[test]
    fn confidence_is_about_rankings_with_something_relevant() {
        let end = |top: &[(bool, usize)]| shorter(&Seen::binary(2, top, 0, 0)).map(|s| text(&s));
        assert_eq!(end(&[(true, 1), (false, 1)]).as_deref(), Some("1|0"));
        assert_eq!((end(&[(false, 2)]), end(&[(false, 1), (true, 1)])), (None, None));
    }
}
