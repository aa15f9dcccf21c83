//! The states whose scores are the unknowns: what a metric sees of a ranking, and of its collection.

use std::collections::HashMap;

use crate::check::State;

/// A collection: how many of its documents have each level of gain, the lowest first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Collection(pub Vec<u8>);

impl Collection {
    /// Relevant and irrelevant documents, if gains have this many levels.
    pub(super) fn binary(levels: usize, relevant: usize, irrelevant: usize) -> Collection {
        let mut counts = vec![0; levels];
        counts[levels - 1] = relevant as u8;
        counts[0] = irrelevant as u8;
        Collection(counts)
    }

    /// All collections of up to so many documents.
    pub(super) fn up_to(levels: usize, docs: usize) -> Vec<Collection> {
        let mut all = Vec::new();
        for size in 1..=docs {
            spread(levels, size, &mut Vec::new(), &mut all);
        }
        all
    }

    /// How many documents it has.
    pub(super) fn docs(&self) -> usize {
        self.0.iter().map(|n| usize::from(*n)).sum()
    }

    /// Whether a document has the top gain.
    pub(super) fn has_top(&self) -> bool {
        self.0.last().is_some_and(|n| *n > 0)
    }

    /// What a metric can see of it at depth k.
    fn states(&self, k: usize) -> Vec<Seen> {
        let mut states = vec![Seen { top: Vec::new(), rest: self.0.clone() }];
        for _ in 0..k {
            states = states.iter().flat_map(Seen::deeper).collect();
        }
        states
    }
}

/// All ways to give so many documents one of the levels that are left.
fn spread(levels: usize, size: usize, counts: &mut Vec<u8>, all: &mut Vec<Collection>) {
    if counts.len() + 1 == levels {
        let mut full = counts.clone();
        full.push(size as u8);
        return all.push(Collection(full));
    }
    for n in 0..=size {
        counts.push(n as u8);
        spread(levels, size - n, counts, all);
        counts.pop();
    }
}

/// What a metric sees of a ranking: the gains of the top k in order, by level, and how many of the
/// other documents have each level. The order below k is not seen.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Seen {
    pub top: Vec<u8>,
    pub rest: Vec<u8>,
}

impl Seen {
    /// A state of relevant and irrelevant documents: runs of the top k, then the rest.
    pub(super) fn binary(
        levels: usize,
        top: &[(bool, usize)],
        relevant: usize,
        irrelevant: usize,
    ) -> Seen {
        let level = |r: bool| if r { levels as u8 - 1 } else { 0 };
        Seen {
            top: top.iter().flat_map(|(r, n)| std::iter::repeat_n(level(*r), *n)).collect(),
            rest: Collection::binary(levels, relevant, irrelevant).0,
        }
    }

    /// Whether every document is relevant or irrelevant, with nothing between.
    pub(super) fn is_binary(&self) -> bool {
        let last = self.rest.len() - 1;
        self.top.iter().all(|g| *g == 0 || usize::from(*g) == last)
            && self.rest[1..last].iter().all(|n| *n == 0)
    }

    /// How many documents the collection has.
    pub(super) fn docs(&self) -> usize {
        self.top.len() + self.rest.iter().map(|n| usize::from(*n)).sum::<usize>()
    }

    /// Whether nothing in the collection is of any use.
    pub(super) fn is_barren(&self) -> bool {
        self.top.iter().all(|g| *g == 0) && self.rest[1..].iter().all(|n| *n == 0)
    }

    /// The same ranking, seen one document deeper: one state for each level that may come next, the
    /// best first.
    pub(super) fn deeper(&self) -> Vec<Seen> {
        (0..self.rest.len()).rev().filter_map(|level| self.followed_by(level)).collect()
    }

    /// The same ranking, seen one document deeper, if the next has this level.
    pub(super) fn followed_by(&self, level: usize) -> Option<Seen> {
        let mut next = self.clone();
        next.rest[level] = next.rest[level].checked_sub(1)?;
        next.top.push(level as u8);
        Some(next)
    }

    /// Two documents of the top k in each other's place.
    pub(super) fn swapped(&self, i: usize, j: usize) -> Seen {
        let mut other = self.clone();
        other.top.swap(i, j);
        other
    }

    /// A document of the top k in exchange for one of this level from below.
    pub(super) fn exchanged(&self, i: usize, level: usize) -> Option<Seen> {
        let mut other = self.clone();
        other.rest[level] = other.rest[level].checked_sub(1)?;
        other.rest[usize::from(other.top[i])] += 1;
        other.top[i] = level as u8;
        Some(other)
    }

    /// For people: all gains in rank order. The order of the rest is free: documents of these levels
    /// come first, as long as there are some; then the better ones.
    pub(super) fn state(&self, first: &[u8]) -> State {
        let last = (self.rest.len() - 1) as f64;
        let mut rest = self.rest.clone();
        let mut levels = self.top.clone();
        for level in first {
            if let Some(left) = rest[usize::from(*level)].checked_sub(1) {
                rest[usize::from(*level)] = left;
                levels.push(*level);
            }
        }
        for (level, n) in rest.iter().enumerate().rev() {
            levels.extend(std::iter::repeat_n(level as u8, usize::from(*n)));
        }
        State {
            gains: levels.iter().map(|level| f64::from(*level) / last).collect(),
            k: self.top.len() as u32,
            score: None,
        }
    }
}

/// The rankings of one collection at one depth: if the metric is realizable, one of them has the
/// maximum.
#[derive(Debug, Clone)]
pub(super) struct CollectionRankings {
    pub collection: Collection,
    pub k: usize,
    pub states: Vec<usize>,
}

/// All states of some collections, numbered.
#[derive(Debug)]
pub(super) struct Universe {
    pub levels: usize,
    pub states: Vec<Seen>,
    numbers: HashMap<Seen, usize>,
    /// One for each collection with a document of the top gain, and each depth.
    pub choices: Vec<CollectionRankings>,
}

impl Universe {
    pub(super) fn new(levels: usize, collections: &[Collection]) -> Universe {
        let mut universe =
            Universe { levels, states: Vec::new(), numbers: HashMap::new(), choices: Vec::new() };
        for collection in collections {
            for k in 1..=collection.docs() {
                let states: Vec<usize> =
                    collection.states(k).into_iter().map(|seen| universe.add(seen)).collect();
                if collection.has_top() {
                    universe.choices.push(CollectionRankings {
                        collection: collection.clone(),
                        k,
                        states,
                    });
                }
            }
        }
        universe
    }

    fn add(&mut self, seen: Seen) -> usize {
        let next = self.states.len();
        *self.numbers.entry(seen).or_insert_with_key(|seen| {
            self.states.push(seen.clone());
            next
        })
    }

    /// The number of a state, if its collection is in the universe.
    pub(super) fn number(&self, seen: &Seen) -> Option<usize> {
        self.numbers.get(seen).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_counted_by_hand() {
        // Of {1, 0}: 1|0 and 0|1, then 10| and 01|.
        let universe = Universe::new(2, &[Collection::binary(2, 1, 1)]);
        let texts: Vec<String> = universe.states.iter().map(|s| s.state(&[]).ranking()).collect();
        assert_eq!(texts, ["1|0", "0|1", "10|", "01|"]);
        assert_eq!(universe.choices.len(), 2);
        // Two levels: d + 1 collections of d documents; three levels: (d + 1)(d + 2) / 2.
        assert_eq!(Collection::up_to(2, 4).len(), 2 + 3 + 4 + 5);
        assert_eq!(Collection::up_to(3, 3).len(), 3 + 6 + 10);
    }

    #[test]
    fn moves_keep_the_collection() {
        let seen = Seen::binary(2, &[(true, 1), (false, 1)], 1, 0);
        assert_eq!(seen.state(&[]).ranking(), "10|1");
        assert_eq!(seen.exchanged(1, 1).unwrap().state(&[]).ranking(), "11|0");
        assert_eq!(seen.swapped(0, 1).state(&[]).ranking(), "01|1");
        assert_eq!(seen.followed_by(1).unwrap().state(&[]).ranking(), "101|");
        assert_eq!((seen.exchanged(0, 0), seen.followed_by(0)), (None, None));
        let graded = Seen { top: vec![2, 1], rest: vec![1, 0, 1] };
        assert_eq!(graded.state(&[0]).ranking(), "1 1/2 | 0 1");
        assert!(!graded.is_binary() && seen.is_binary());
    }
}
