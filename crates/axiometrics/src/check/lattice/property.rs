//! The twelve properties that the lattice speaks of, and sets of them.

use crate::choice::{Choice, choices};

/// A property or a ranking constraint that a metric may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Property {
    /// One constant bounds all scores.
    Bounded,
    /// Seeing one document more never lowers the score.
    Monotonic,
    /// A better document from below the top k, swapped into it, increases the score.
    Convergent,
    /// A better document, swapped up within the top k, increases the score.
    TopWeighted,
    /// The top k alone decides the score.
    Localized,
    /// A collection without a relevant document has a score.
    Complete,
    /// Every collection reaches the maximum at every depth.
    Realizable,
    /// A relevant document before its irrelevant neighbour is better than after it.
    Priority,
    /// The order of neighbours matters more at a shallower rank.
    Deepness,
    /// From some n on, one relevant document on top is better than n after n irrelevant ones.
    DeepnessThreshold,
    /// For some n it is the other way round.
    ClosenessThreshold,
    /// An irrelevant document more is worse.
    Confidence,
}

choices! {
    Property {
        Bounded "bounded" "one constant bounds all scores",
        Monotonic "monotonic" "a document more never lowers the score",
        Convergent "convergent" "a better document, brought into the top k, raises it",
        TopWeighted "top-weighted" "a better document, moved up within the top k, raises it",
        Localized "localized" "what is not in the top k does not matter",
        Complete "complete" "there is a score even if nothing is relevant",
        Realizable "realizable" "the best ranking of any collection has the highest score",
        Priority "priority" "a relevant document is better before its neighbour",
        Deepness "deepness" "the order of neighbours matters more on top",
        DeepnessThreshold "deepness-threshold" "one on top is better than many far below",
        ClosenessThreshold "closeness-threshold" "a few a little below are better than one on top",
        Confidence "confidence" "an irrelevant document more lowers the score",
    }
}

/// A set of properties.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PropertySet(u16);

impl PropertySet {
    /// No property.
    pub const NONE: PropertySet = PropertySet(0);
    /// The seven numeric properties.
    pub const SEVEN: PropertySet = PropertySet((1 << 7) - 1);
    /// The seven properties and the five ranking constraints.
    pub const TWELVE: PropertySet = PropertySet((1 << 12) - 1);

    /// The properties, in the order of [`Property::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.iter().copied().filter(move |p| self.contains(*p))
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// True if there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a property is among them.
    pub fn contains(self, property: Property) -> bool {
        self.0 & (1 << property as u16) != 0
    }

    /// Whether all of these are among those.
    pub fn is_part_of(self, other: PropertySet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Those that both sets have.
    #[must_use]
    pub fn common(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 & other.0)
    }

    /// Those that the other set does not have.
    #[must_use]
    pub fn without(self, other: PropertySet) -> PropertySet {
        PropertySet(self.0 & !other.0)
    }

    /// All parts of this set, the larger ones first.
    pub fn parts(self) -> Vec<PropertySet> {
        let mut parts: Vec<PropertySet> = (0..=PropertySet::TWELVE.0)
            .map(PropertySet)
            .filter(|part| part.is_part_of(self))
            .collect();
        parts.sort_by_key(|part| (std::cmp::Reverse(part.len()), part.0));
        parts
    }

    /// The names, joined by commas.
    pub fn names(self) -> String {
        self.iter().map(Choice::name).collect::<Vec<_>>().join(", ")
    }
}

impl FromIterator<Property> for PropertySet {
    fn from_iter<I: IntoIterator<Item = Property>>(all: I) -> PropertySet {
        PropertySet(all.into_iter().fold(0, |set, p| set | (1 << p as u16)))
    }
}

impl std::fmt::Debug for PropertySet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{{{}}}", self.names())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckGroup, checks};

    #[test]
    fn names_are_those_of_the_checks() {
        let mut names: Vec<&str> =
            checks(&[CheckGroup::Property, CheckGroup::Constraint]).map(|c| c.name()).collect();
        names.dedup();
        assert!(names.into_iter().eq(Property::ALL.iter().map(|p| p.name())));
        assert!(Property::ALL.iter().copied().all(|p| Property::from_name(p.name()) == Ok(p)));
    }

    #[test]
    fn sets_are_sets() {
        let set: PropertySet = [Property::Realizable, Property::Monotonic].into_iter().collect();
        assert_eq!((set.names().as_str(), set.len()), ("monotonic, realizable", 2));
        assert!(set.is_part_of(PropertySet::SEVEN) && !PropertySet::SEVEN.is_part_of(set));
        assert_eq!(PropertySet::SEVEN.parts().len(), 128);
        assert_eq!(PropertySet::SEVEN.parts()[0], PropertySet::SEVEN);
        assert_eq!(PropertySet::TWELVE.without(PropertySet::SEVEN).len(), 5);
        assert_eq!(set.common(PropertySet::SEVEN), set);
        assert!(PropertySet::NONE.is_empty());
    }
}
