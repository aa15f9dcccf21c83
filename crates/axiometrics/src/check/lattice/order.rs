//! Whether scores can be in the order that some demands ask for, and the shortest reason why not.
//!
//! A state is a node, "at most" and "less than" are edges upwards, and every state is at most the
//! maximum. A realizable metric must give the maximum to one ranking of each collection at each
//! depth. No choice has to be tried for that. Give the maximum to *every* state that no chain
//! upwards forces below it: if x is at most y and x is not forced below, y is not either, so this
//! breaks no demand. So there are two kinds of contradiction only: a cycle with a strict step, and
//! a collection all of whose rankings are forced below the maximum.

use std::collections::VecDeque;

use super::demand::{Demands, Sizes, StateRelation};
use super::property::{Property, PropertySet};

/// One step upwards, from a state to one that scores at least as much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Up {
    pub from: usize,
    pub to: usize,
    pub strict: bool,
    pub by: Property,
}

/// Why no scores meet some demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Conflict {
    /// A state would score more than itself.
    Cycle(Vec<Up>),
    /// Every ranking of a collection would score less than the maximum: the number of the choice,
    /// and for each of its states a chain with a strict step to some state, which is at most the
    /// maximum.
    Below(usize, Vec<Vec<Up>>),
}

impl Conflict {
    /// How many different steps it takes.
    pub(super) fn steps(&self) -> usize {
        let chains = match self {
            Conflict::Cycle(steps) => std::slice::from_ref(steps),
            Conflict::Below(_, chains) => chains,
        };
        let mut steps: Vec<(usize, usize)> =
            chains.iter().flatten().map(|up| (up.from, up.to)).collect();
        steps.sort_unstable();
        steps.dedup();
        steps.len()
    }
}

/// The demands as a graph. States that a localized metric scores alike hang on a node of their own.
struct Graph {
    nodes: usize,
    states: usize,
    up: Vec<Vec<(usize, StateRelation)>>,
    down: Vec<Vec<(usize, StateRelation)>>,
}

impl Graph {
    fn new(demands: &Demands, set: PropertySet, sizes: Sizes) -> Graph {
        let states = demands.universe.states.len();
        let alike = demands.alike(set);
        let nodes = states + alike.len();
        let mut graph =
            Graph { nodes, states, up: vec![Vec::new(); nodes], down: vec![Vec::new(); nodes] };
        for relation in demands.of(set, sizes) {
            graph.add(relation);
        }
        for (hub, class) in (states..).zip(alike) {
            for &state in class {
                let by = Property::Localized;
                graph.add(StateRelation { below: state, above: hub, strict: false, by });
                graph.add(StateRelation { below: hub, above: state, strict: false, by });
            }
        }
        graph
    }

    fn add(&mut self, relation: StateRelation) {
        self.up[relation.below].push((relation.above, relation));
        self.down[relation.above].push((relation.below, relation));
    }

    /// What a step costs: leaving a hub is free, so that an equation is one step.
    fn cost(&self, relation: &StateRelation) -> usize {
        usize::from(relation.below < self.states)
    }

    /// For each node the shortest chain upwards to some state that has a strict step in it: its
    /// length, and its first step.
    fn forced_below(&self) -> Vec<Option<(usize, StateRelation)>> {
        // Two layers: chains without a strict step, which have length 0 since every state is at
        // most the maximum, and chains with one.
        let mut best: Vec<Option<(usize, StateRelation)>> = vec![None; self.nodes];
        let mut queue: VecDeque<(usize, usize)> = VecDeque::new();
        for (node, (up, best)) in self.up.iter().zip(&mut best).enumerate() {
            if let Some((_, relation)) = up.iter().find(|(_, r)| r.strict) {
                *best = Some((1, *relation));
                queue.push_back((1, node));
            }
        }
        while let Some((length, node)) = queue.pop_front() {
            if best[node].is_none_or(|(known, _)| known < length) {
                continue;
            }
            for (below, relation) in &self.down[node] {
                let longer = length + self.cost(relation);
                if best[*below].is_none_or(|(known, _)| known > longer) {
                    best[*below] = Some((longer, *relation));
                    if longer == length {
                        queue.push_front((longer, *below));
                    } else {
                        queue.push_back((longer, *below));
                    }
                }
            }
        }
        best
    }

    /// The chain that starts at a state, up to and with its first strict step.
    fn chain(&self, best: &[Option<(usize, StateRelation)>], state: usize) -> Vec<Up> {
        let mut relations = Vec::new();
        let mut at = state;
        while let Some((_, relation)) = best[at] {
            relations.push(relation);
            at = relation.above;
            if relation.strict {
                break;
            }
        }
        self.steps(&relations)
    }

    /// Relations as steps between states: up to a hub and down from it is one equation.
    fn steps(&self, relations: &[StateRelation]) -> Vec<Up> {
        let mut steps: Vec<Up> = Vec::new();
        let mut into_hub = None;
        for relation in relations {
            let StateRelation { below, above, strict, by } = *relation;
            if above >= self.states {
                into_hub = Some(below);
            } else {
                let from = into_hub.take().unwrap_or(below);
                steps.push(Up { from, to: above, strict, by });
            }
        }
        steps
    }

    /// Groups of nodes that reach one another, by number: the components of Tarjan (1972), without
    /// recursion.
    fn groups(&self) -> Vec<usize> {
        const NEW: usize = usize::MAX;
        let (mut index, mut low) = (vec![NEW; self.nodes], vec![0; self.nodes]);
        let mut group = vec![NEW; self.nodes];
        let (mut stack, mut next, mut groups) = (Vec::new(), 0, 0);
        for root in 0..self.nodes {
            let mut calls: Vec<(usize, usize)> = Vec::new();
            if index[root] == NEW {
                calls.push((root, 0));
            }
            while let Some((node, edge)) = calls.pop() {
                if edge == 0 {
                    index[node] = next;
                    low[node] = next;
                    next += 1;
                    stack.push(node);
                }
                if let Some((above, _)) = self.up[node].get(edge) {
                    calls.push((node, edge + 1));
                    if index[*above] == NEW {
                        calls.push((*above, 0));
                    } else if group[*above] == NEW {
                        low[node] = low[node].min(index[*above]);
                    }
                    continue;
                }
                if low[node] == index[node] {
                    while let Some(member) = stack.pop() {
                        group[member] = groups;
                        if member == node {
                            break;
                        }
                    }
                    groups += 1;
                }
                if let Some((caller, _)) = calls.last() {
                    low[*caller] = low[*caller].min(low[node]);
                }
            }
        }
        group
    }

    /// The shortest cycle with a strict step.
    fn cycle(&self) -> Option<Vec<Up>> {
        let group = self.groups();
        let strict = self.up.iter().flatten().map(|(_, r)| r);
        let inside: Vec<&StateRelation> =
            strict.filter(|r| r.strict && group[r.below] == group[r.above]).collect();
        let cycles = inside.iter().filter_map(|r| {
            let mut relations = vec![**r];
            relations.extend(self.path(r.above, r.below)?);
            Some(self.steps(&relations))
        });
        cycles.min_by_key(Vec::len)
    }

    /// The shortest way upwards from one node to another.
    fn path(&self, from: usize, to: usize) -> Option<Vec<StateRelation>> {
        let mut came: Vec<Option<StateRelation>> = vec![None; self.nodes];
        let mut length = vec![usize::MAX; self.nodes];
        length[from] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for (above, relation) in &self.up[node] {
                let longer = length[node] + self.cost(relation);
                if longer < length[*above] {
                    length[*above] = longer;
                    came[*above] = Some(*relation);
                    queue.push_back(*above);
                }
            }
        }
        let mut relations = Vec::new();
        let mut at = to;
        while at != from {
            let relation = came[at]?;
            relations.push(relation);
            at = relation.below;
        }
        relations.reverse();
        Some(relations)
    }
}

/// Whether no scores meet the demands of a set.
pub(super) fn contradicts(demands: &Demands, set: PropertySet, sizes: Sizes) -> bool {
    let graph = Graph::new(demands, set, sizes);
    let group = graph.groups();
    let cyclic = |r: &StateRelation| r.strict && group[r.below] == group[r.above];
    if graph.up.iter().flatten().any(|(_, r)| cyclic(r)) {
        return true;
    }
    let best = graph.forced_below();
    let below = |state: &usize| best[*state].is_some();
    set.contains(Property::Realizable)
        && demands.universe.choices.iter().any(|choice| choice.states.iter().all(below))
}

/// Why no scores meet the demands of a set, in the fewest steps; `None` if some do.
pub(super) fn conflict(demands: &Demands, set: PropertySet, sizes: Sizes) -> Option<Conflict> {
    let graph = Graph::new(demands, set, sizes);
    if let Some(steps) = graph.cycle() {
        return Some(Conflict::Cycle(steps));
    }
    if !set.contains(Property::Realizable) {
        return None;
    }
    let best = graph.forced_below();
    let choices = demands.universe.choices.iter().enumerate();
    let conflicts = choices.filter(|(_, choice)| choice.states.iter().all(|s| best[*s].is_some()));
    let conflicts = conflicts.map(|(number, choice)| {
        let chains = choice.states.iter().map(|state| graph.chain(&best, *state)).collect();
        (choice, Conflict::Below(number, chains))
    });
    conflicts
        .min_by_key(|(choice, conflict)| (conflict.steps(), choice.collection.docs(), choice.k))
        .map(|(_, conflict)| conflict)
}
