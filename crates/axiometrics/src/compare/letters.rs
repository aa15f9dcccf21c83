//! Compact letter displays: systems that share a letter cannot be told apart.

use super::decisions::Decisions;

/// Groups of systems, each with its letter: two systems are in a common group if and only if they
/// do not differ significantly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letters {
    /// The members of each group, in the order of the systems; the first group has the letter a.
    pub groups: Vec<Vec<usize>>,
}

/// Finds the letters by insert and absorb (Piepho 2004): from one group of all systems, each pair
/// that differs splits the groups that hold both, and a group within another is dropped. Then
/// groups are dropped that the others make superfluous.
///
/// `order` lists the systems from the best to the worst; groups get their letters in that order.
/// Systems that it leaves out come last.
pub fn letters(decisions: &Decisions, order: &[usize]) -> Letters {
    let systems = decisions.systems();
    let mut place = vec![usize::MAX; systems];
    let mut ordered: Vec<usize> = Vec::with_capacity(systems);
    for &system in order.iter().chain(&(0..systems).collect::<Vec<_>>()) {
        if place.get(system) == Some(&usize::MAX) {
            place[system] = ordered.len();
            ordered.push(system);
        }
    }
    // From here on, systems go by their place in the order.
    let mut groups = vec![NumberSet::all(systems)];
    // The groups can grow in number exponentially, though not for tests that go by distance; those
    // that are needed cannot.
    let mut bound = 4 * systems;
    for a in 0..systems {
        for b in a + 1..systems {
            if !decisions.differ(ordered[a], ordered[b]) {
                continue;
            }
            insert(&mut groups, a, b);
            if groups.len() > bound {
                drop_superfluous(&mut groups, systems);
                bound = bound.max(2 * groups.len());
            }
        }
    }
    drop_superfluous(&mut groups, systems);
    let mut places: Vec<Vec<usize>> = groups.iter().map(NumberSet::members).collect();
    places.sort();
    let members = |group: Vec<usize>| {
        let mut members: Vec<usize> = group.into_iter().map(|at| ordered[at]).collect();
        members.sort_unstable();
        members
    };
    Letters { groups: places.into_iter().filter(|g| !g.is_empty()).map(members).collect() }
}

impl Letters {
    /// The letters of a system, in order: a to z, then A to Z; of more groups than that, numbers
    /// with commas between them.
    pub fn of(&self, system: usize) -> String {
        let own = (0..self.groups.len()).filter(|g| self.groups[*g].contains(&system));
        match self.groups.len() <= ALPHABET.len() {
            true => own.map(|group| char::from(ALPHABET[group])).collect(),
            false => own.map(|group| (group + 1).to_string()).collect::<Vec<_>>().join(","),
        }
    }
}

const ALPHABET: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Parts two systems that differ.
fn insert(groups: &mut Vec<NumberSet>, a: usize, b: usize) {
    let (split, mut kept): (Vec<NumberSet>, Vec<NumberSet>) =
        groups.drain(..).partition(|group| group.has(a) && group.has(b));
    for part in split.iter().flat_map(|group| [group.without(a), group.without(b)]) {
        // No group that was there before can lie within a part of another.
        if !kept.iter().any(|group| part.is_within(group)) {
            kept.push(part);
        }
    }
    *groups = kept;
}

/// Drops groups every two of whose members (or only member) are together in another group. The last
/// go first.
fn drop_superfluous(groups: &mut Vec<NumberSet>, systems: usize) {
    let mut together = vec![0u32; systems * systems];
    let pairs = |group: &NumberSet| {
        let members = group.members();
        let all = (0..members.len()).flat_map(|i| (i..members.len()).map(move |j| (i, j)));
        all.map(|(i, j)| members[i] * systems + members[j]).collect::<Vec<_>>()
    };
    groups.iter().for_each(|group| pairs(group).into_iter().for_each(|pair| together[pair] += 1));
    for at in (0..groups.len()).rev() {
        let own = pairs(&groups[at]);
        if own.iter().all(|pair| together[*pair] > 1) {
            own.into_iter().for_each(|pair| together[pair] -= 1);
            groups.remove(at);
        }
    }
}

/// A set of small numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NumberSet(Vec<u64>);

impl NumberSet {
    fn all(size: usize) -> NumberSet {
        let word = |w: usize| match size - 64 * w {
            64.. => u64::MAX,
            rest => (1 << rest) - 1,
        };
        NumberSet((0..size.div_ceil(64)).map(word).collect())
    }

    fn has(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    fn without(&self, member: usize) -> NumberSet {
        let mut less = self.clone();
        less.0[member / 64] &= !(1 << (member % 64));
        less
    }

    fn is_within(&self, other: &NumberSet) -> bool {
        self.0.iter().zip(&other.0).all(|(own, other)| own & !other == 0)
    }

    fn members(&self) -> Vec<usize> {
        (0..64 * self.0.len()).filter(|member| self.has(*member)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use proptest::prelude::*;

    use super::*;
    use crate::stats::random::Random;

    /// The relation that the letters show.
    fn share(letters: &Letters, a: usize, b: usize) -> bool {
        letters.groups.iter().any(|group| group.contains(&a) && group.contains(&b))
    }

    fn check(decisions: &Decisions, letters: &Letters) {
        let systems = decisions.systems();
        for a in 0..systems {
            assert!(share(letters, a, a), "{a} has no letter");
            for b in 0..a {
                assert_eq!(share(letters, a, b), !decisions.differ(a, b), "{a} {b}");
            }
        }
        // None could be left out.
        for out in 0..letters.groups.len() {
            let mut fewer = letters.clone();
            fewer.groups.remove(out);
            let lost = |a: usize, b: usize| share(letters, a, b) && !share(&fewer, a, b);
            assert!((0..systems).any(|a| (0..=a).any(|b| lost(a, b))), "{out} is superfluous");
        }
    }

    fn by_distance(means: &[f64], margin: f64) -> Decisions {
        Decisions::new(means.len(), |a, b| match means[a] - means[b] {
            d if d.abs() <= margin => Ordering::Equal,
            d => d.total_cmp(&0.0),
        })
    }

    fn order(means: &[f64]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..means.len()).collect();
        order.sort_by(|a, b| means[*b].total_cmp(&means[*a]));
        order
    }

    /// By hand: 0.50 | 0.30, 0.25 | 0.10, 0.05, and with a wider margin 0.50, 0.30 | 0.30, 0.25,
    /// 0.10 | 0.25, 0.10, 0.05.
    #[test]
    fn a_chain_of_means() {
        let means = [0.30, 0.10, 0.25, 0.50, 0.05];
        let decisions = by_distance(&means, 0.12);
        let found = letters(&decisions, &order(&means));
        check(&decisions, &found);
        let text: Vec<String> = (0..5).map(|system| found.of(system)).collect();
        assert_eq!(text, ["b", "c", "b", "a", "c"]);
        let decisions = by_distance(&means, 0.2);
        let found = letters(&decisions, &order(&means));
        check(&decisions, &found);
        let text: Vec<String> = (0..5).map(|system| found.of(system)).collect();
        assert_eq!(text, ["ab", "bc", "bc", "a", "c"]);
    }

    /// Not a matter of distance: 0 differs from 2 only, 1 from 3 only. Four pairs need four letters.
    #[test]
    fn a_square() {
        let decisions = Decisions::new(4, |a, b| match (a, b) {
            (0, 2) | (1, 3) => Ordering::Greater,
            _ => Ordering::Equal,
        });
        let found = letters(&decisions, &[0, 1, 2, 3]);
        check(&decisions, &found);
        assert_eq!(found.groups, [[0, 1], [0, 3], [1, 2], [2, 3]]);
    }

    #[test]
    fn none_one_and_many() {
        let none = Decisions::new(0, |_, _| Ordering::Equal);
        assert!(letters(&none, &[]).groups.is_empty());
        let one = Decisions::new(1, |_, _| Ordering::Equal);
        assert_eq!(letters(&one, &[0]).of(0), "a");
        // All differ: more groups than letters.
        let means: Vec<f64> = (0..130).map(f64::from).collect();
        let decisions = by_distance(&means, 0.5);
        let found = letters(&decisions, &order(&means));
        check(&decisions, &found);
        assert_eq!((found.of(129), found.of(0)), ("1".to_string(), "130".to_string()));
        // An order that names no system, twice, or one that is not there, is no harm.
        assert_eq!(letters(&one, &[7, 0, 0]).of(0), "a");
        assert_eq!(letters(&one, &[]).of(0), "a");
    }

    /// Thirty pairs of which each differs within itself alone have 2^30 largest groups, but few are
    /// needed.
    #[test]
    fn the_number_of_groups_stays_small() {
        let decisions = Decisions::new(60, |a, b| match b - a {
            1 if a % 2 == 0 => Ordering::Less,
            _ => Ordering::Equal,
        });
        let found = letters(&decisions, &(0..60).collect::<Vec<_>>());
        assert!(found.groups.len() <= 1740, "{}", found.groups.len());
        check(&decisions, &found);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn letters_tell_the_relation(systems in 1usize..13, seed: u64, share in 1u64..10) {
            let mut random = Random::new(seed, 0);
            let decisions = Decisions::new(systems, |_, _| {
                if random.below(10u64) < share { Ordering::Greater } else { Ordering::Equal }
            });
            let order: Vec<usize> = (0..systems).rev().collect();
            check(&decisions, &letters(&decisions, &order));
        }

        /// Where differing goes by distance, a letter is a stretch of means, and there are no more
        /// than systems.
        #[test]
        fn letters_of_distances_are_stretches(means in prop::collection::vec(0.0f64..1.0, 1..70), margin in 0.0f64..0.6) {
            let decisions = by_distance(&means, margin);
            let order = order(&means);
            let found = letters(&decisions, &order);
            check(&decisions, &found);
            prop_assert!(found.groups.len() <= means.len());
            let mut last = 0;
            for group in &found.groups {
                let mut places: Vec<usize> = group.iter().map(|s| order.iter().position(|o| o == s).unwrap()).collect();
                places.sort_unstable();
                prop_assert!(places.windows(2).all(|w| w[1] == w[0] + 1));
                prop_assert!(places[0] >= last);
                last = places[0];
            }
        }
    }
}
