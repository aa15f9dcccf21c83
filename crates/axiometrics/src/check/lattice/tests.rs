//! The lattice, checked: the sets that must come out, every derivation step by step by definitions
//! written a second time, larger n, grades, and the measures.

use super::demand::{Demands, Sizes, threshold_collection};
use super::order::{Conflict, conflict};
use super::state::{Collection, Universe};
use super::*;
use crate::check::constraint::ThresholdContext;
use crate::choice::Choice;
use Property::*;

fn set(properties: &[Property]) -> PropertySet {
    properties.iter().copied().collect()
}

fn contradictions(lattice: &Lattice) -> Vec<PropertySet> {
    let mut sets: Vec<PropertySet> = lattice.contradictions.iter().map(|c| c.properties).collect();
    sets.sort();
    sets
}

/// By hand, and by Z3 in `tests/python`.
fn expected() -> Vec<PropertySet> {
    let mut sets = vec![
        set(&[Monotonic, Convergent, Realizable]),
        set(&[Localized, Convergent, Realizable]),
        set(&[Monotonic, TopWeighted, Realizable]),
        set(&[Monotonic, Confidence]),
        set(&[Monotonic, Priority, Realizable]),
        set(&[Monotonic, Deepness, Realizable]),
        set(&[TopWeighted, Confidence, Realizable]),
        set(&[Priority, Confidence, Realizable]),
        set(&[Monotonic, Localized, Realizable, ClosenessThreshold]),
        set(&[TopWeighted, Localized, Realizable, ClosenessThreshold]),
        set(&[Priority, Localized, Realizable, ClosenessThreshold]),
        set(&[Monotonic, Realizable, DeepnessThreshold, ClosenessThreshold]),
    ];
    sets.sort();
    sets
}

#[test]
fn all_minimal_contradictions() {
    assert_eq!(contradictions(Lattice::get()), expected());
    let seven = Lattice::get().among(PropertySet::SEVEN);
    assert_eq!(seven.contradictions.len(), 3);
    let free = set(&[Bounded, Complete]);
    assert_eq!((seven.free(), Lattice::get().free()), (free, free));
    let and_free =
        |more: &[Property]| free.iter().chain(more.iter().copied()).collect::<PropertySet>();
    let mut largest = vec![
        and_free(&[Monotonic, Convergent, TopWeighted, Localized]),
        and_free(&[Convergent, TopWeighted, Realizable]),
        and_free(&[Monotonic, Localized, Realizable]),
        and_free(&[TopWeighted, Localized, Realizable]),
    ];
    let mut found = seven.feasible.clone();
    largest.sort();
    found.sort();
    assert_eq!(found, largest);
}

/// Every wish either contains a contradiction or is part of a set that a measure has, never both.
#[test]
fn every_wish_is_decided() {
    let lattice = Lattice::get();
    for wish in PropertySet::TWELVE.parts() {
        let impossible = lattice.smallest(wish).is_some();
        assert_ne!(impossible, FeasibleMeasure::of(wish).is_some(), "{wish:?}");
        let give_up = lattice.give_up(wish);
        assert_eq!(give_up == [PropertySet::NONE], !impossible, "{wish:?}");
        for given_up in give_up {
            assert!(
                FeasibleMeasure::of(wish.without(given_up)).is_some(),
                "{wish:?}: {given_up:?}"
            );
        }
    }
}

#[test]
fn each_largest_set_has_its_measure() {
    let mut sets: Vec<PropertySet> = EXAMPLES.iter().map(FeasibleMeasure::set).collect();
    let mut largest = Lattice::get().feasible.clone();
    sets.sort();
    largest.sort();
    assert_eq!(sets, largest);
}

#[test]
fn more_documents_and_more_grades_change_nothing() {
    for (levels, docs) in [(2, 6), (3, 4)] {
        let lattice = Lattice::new(levels, docs, PropertySet::TWELVE);
        assert_eq!(contradictions(&lattice), expected(), "{levels} levels");
        assert_eq!(lattice.feasible, Lattice::get().feasible, "{levels} levels");
    }
}

/// A ranking as text, taken apart: the top k, and the rest in descending order.
fn parts(state: &crate::check::State) -> (Vec<u32>, Vec<u32>) {
    let level = |g: &f64| (g * 2.0) as u32;
    let gains: Vec<u32> = state.gains.iter().map(level).collect();
    let (top, rest) = gains.split_at(state.k as usize);
    let mut rest = rest.to_vec();
    rest.sort_by(|a, b| b.cmp(a));
    (top.to_vec(), rest)
}

fn same_collection(a: &crate::check::State, b: &crate::check::State) -> bool {
    let sorted = |s: &crate::check::State| {
        let mut gains = s.gains.clone();
        gains.sort_by(f64::total_cmp);
        gains
    };
    sorted(a) == sorted(b)
}

/// Whether a property demands a step, by its definition.
fn is_demanded(step: &Step) -> bool {
    let ((low, low_rest), (high, high_rest)) = (parts(&step.from), parts(&step.to));
    let relevant = |v: &[u32]| v.iter().filter(|g| **g > 0).count();
    let moved: Vec<usize> =
        (0..low.len().min(high.len())).filter(|i| low[*i] != high[*i]).collect();
    let one = same_collection(&step.from, &step.to);
    let whole = low_rest.is_empty() && high_rest.is_empty() && low.len() == high.len();
    match step.by {
        Monotonic => !step.strict && one && high.len() == low.len() + 1 && high[..low.len()] == low,
        Localized => !step.strict && low == high,
        Convergent => {
            step.strict
                && one
                && low.len() == high.len()
                && moved.len() == 1
                && low[moved[0]] < high[moved[0]]
        }
        TopWeighted | Priority => {
            let (i, j) = match moved.as_slice() {
                [i, j] => (*i, *j),
                _ => return false,
            };
            let neighbours = step.by == TopWeighted || (j == i + 1 && whole);
            step.strict
                && low_rest == high_rest
                && neighbours
                && low[i] < low[j]
                && (low[i], low[j]) == (high[j], high[i])
        }
        Deepness => {
            // Both come from one ranking with relevant documents before irrelevant neighbours at
            // i and at j: the worse one by spoiling the pair at i, the better one that at j.
            let n = low.len();
            let mut found = false;
            for i in 0..n.saturating_sub(1) {
                for j in i + 2..n.saturating_sub(1) {
                    let (mut worse, mut better) = (low.clone(), high.clone());
                    worse.swap(i, i + 1);
                    better.swap(j, j + 1);
                    let intact = |v: &[u32], at: usize| v[at] > 0 && v[at + 1] == 0;
                    found |= worse == better && intact(&worse, i) && intact(&worse, j);
                }
            }
            step.strict && whole && found
        }
        Confidence => {
            // Here the better one is the shorter one.
            step.strict
                && one
                && low.len() == high.len() + 1
                && low[..high.len()] == high
                && low[high.len()] == 0
                && high_rest == [0]
                && relevant(&high) > 0
        }
        DeepnessThreshold | ClosenessThreshold => {
            let (top, (deep, deep_rest)) = if step.by == DeepnessThreshold {
                (&high, (&low, &low_rest))
            } else {
                (&low, (&high, &high_rest))
            };
            let n = deep.iter().take_while(|g| **g == 0).count();
            let run = deep[n..].iter().take_while(|g| **g > 0).count();
            step.strict
                && one
                && low.len() == high.len()
                && n > 0
                && n == run
                && relevant(deep) == n
                && relevant(top) == 1
                && top[0] > 0
                && deep_rest.iter().filter(|g| **g == 0).count() == n - 1
                && (step.by == ClosenessThreshold
                    || deep.len() == 2 * n && relevant(deep_rest) == 0)
        }
        Bounded | Complete | Realizable => false,
    }
}

fn is_chain(steps: &[Step]) -> bool {
    let linked = |w: &[Step]| parts(&w[0].to) == parts(&w[1].from);
    !steps.is_empty()
        && steps.windows(2).all(linked)
        && steps.iter().any(|s| s.strict)
        && steps.iter().all(is_demanded)
}

/// All rankings of a collection that differ down to k, by trying every order.
fn rankings(collection: &[f64], k: usize) -> Vec<Vec<u32>> {
    let mut tops: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..k {
        let mut longer = Vec::new();
        for top in tops {
            for level in 0..=2 {
                let has = collection.iter().filter(|g| (**g * 2.0) as u32 == level).count();
                if top.iter().filter(|g| **g == level).count() < has {
                    longer.push([top.clone(), vec![level]].concat());
                }
            }
        }
        tops = longer;
    }
    tops.sort();
    tops
}

/// Whether a derivation is one.
fn is_sound(derivation: &Derivation) -> bool {
    match &derivation.argument {
        Argument::Cycle(steps) => {
            is_chain(steps) && parts(&steps[0].from) == parts(&steps[steps.len() - 1].to)
        }
        Argument::Below { chains, .. } if chains.iter().any(Vec::is_empty) => false,
        Argument::Below { collection, k, chains } => {
            let mut starts: Vec<Vec<u32>> = chains.iter().map(|c| parts(&c[0].from).0).collect();
            starts.sort();
            let whole = |c: &Vec<Step>| {
                let mut gains = c[0].from.gains.clone();
                gains.sort_by(|a, b| b.total_cmp(a));
                gains == *collection && c[0].from.k == *k
            };
            derivation.properties.contains(Realizable)
                && collection.contains(&1.0)
                && starts == rankings(collection, *k as usize)
                && chains.iter().all(|c| is_chain(c) && whole(c))
        }
    }
}

fn used(derivation: &Derivation) -> PropertySet {
    let chains = match &derivation.argument {
        Argument::Cycle(steps) => std::slice::from_ref(steps),
        Argument::Below { chains, .. } => chains,
    };
    let below = matches!(derivation.argument, Argument::Below { .. });
    chains.iter().flatten().map(|s| s.by).chain(below.then_some(Realizable)).collect()
}

#[test]
fn every_derivation_follows_from_the_definitions() {
    for (levels, docs) in [(2, 5), (3, 4)] {
        for c in &Lattice::new(levels, docs, PropertySet::TWELVE).contradictions {
            assert!(is_sound(&c.derivation), "{:?}\n{}", c.properties, c.derivation.text());
            assert_eq!(used(&c.derivation), c.properties, "{}", c.derivation.text());
            assert!(c.derivation.lines() <= 6, "{}", c.derivation.text());
        }
    }
}

/// The checker must be able to fail: no step survives if it is turned round, if it is given to
/// another property, or if a chain is missing.
#[test]
fn wrong_derivations_are_refused() {
    for c in &Lattice::get().contradictions {
        let mut derivation = c.derivation.clone();
        let steps = match &mut derivation.argument {
            Argument::Cycle(steps) => steps,
            Argument::Below { chains, .. } => &mut chains[0],
        };
        let step = steps[0].clone();
        let mut turned = step.clone();
        std::mem::swap(&mut turned.from, &mut turned.to);
        assert!(step.by == Localized || !is_demanded(&turned), "{:?}", c.properties);
        let others = Property::ALL.iter().copied().filter(|p| *p != step.by);
        let claimed = others.filter(|by| is_demanded(&Step { by: *by, ..step.clone() }));
        // Swapping neighbours of a whole ranking is demanded by both.
        assert!(claimed.clone().all(|by| [TopWeighted, Priority].contains(&by)));
        steps.pop();
        assert!(!is_sound(&derivation), "{}", derivation.text());
        if let Argument::Below { chains, .. } = &mut derivation.argument {
            chains.remove(0);
            assert!(!is_sound(&derivation));
        }
    }
}

/// The thresholds may be met at any n: the same steps then lead to the contradiction.
#[test]
fn larger_sizes_take_the_same_steps() {
    let kinds = |conflict: &Conflict| {
        let Conflict::Below(_, chains) = conflict else { panic!("a cycle") };
        let mut kinds: Vec<Vec<Property>> = chains
            .iter()
            .map(|c| c.chunk_by(|a, b| a.by == b.by).map(|part| part[0].by).collect())
            .collect();
        kinds.sort();
        kinds.dedup();
        kinds
    };
    let sound = |demands: &Demands, set: PropertySet, sizes: Sizes| {
        let conflict = conflict(demands, set, sizes).unwrap();
        assert!(is_sound(&Derivation::new(demands, set, sizes, &conflict)), "{set:?} {sizes:?}");
        kinds(&conflict)
    };
    for more in [Monotonic, TopWeighted, Priority] {
        let set = set(&[more, Localized, Realizable, ClosenessThreshold]);
        let steps = |n: usize| {
            let sizes = Sizes { from: 2, at: Some(n), elsewhere: None };
            let collections = [
                Collection::binary(2, 1, 0),
                Collection::binary(2, 1, 2 * n - 1),
                threshold_collection(2, n, ThresholdContext::NONE),
            ];
            sound(&Demands::new(Universe::new(2, &collections)), set, sizes)
        };
        assert!((3..=5).all(|n| steps(n) == steps(2)), "{set:?}");
    }
    let set = set(&[Monotonic, Realizable, DeepnessThreshold, ClosenessThreshold]);
    let steps = |from: usize, n: usize| {
        let sizes = Sizes { from, at: None, elsewhere: Some(n) };
        let collections = [threshold_collection(2, n, sizes.context())];
        sound(&Demands::new(Universe::new(2, &collections)), set, sizes)
    };
    for from in 2..=3 {
        assert!((1..=2).all(|n| steps(from, n) == steps(2, 1)), "{from}");
    }
}
