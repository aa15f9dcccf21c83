//! What follows from axioms alone, whatever the metric: which exclude each other, and which are
//! owed to others.
//!
//! The frame is that of one query and one ordered scale for both sides, on which a document is the
//! more similar the nearer the system's value is to the assessor's. Documents have no names, so a
//! metric is an unknown number for each collection of pairs (what the assessor says, what the system
//! says). An axiom is a set of rules that put these numbers in order. Forward from the rules, every
//! order that follows is written down with its reason; a number that is below itself is a
//! contradiction, and the reasons are its proof. That there is none is shown by a metric: a sum of
//! values, one for each pair, chosen so that all rules hold.
//!
//! Axioms 1 to 4 and 10 hold in this frame by themselves; 13 speaks of several queries, and (c) of
//! axiom 11 of a worst system that need not be the same twice: these are not used.

use std::collections::BTreeMap;

/// A document: what the assessor says of it, and what the system says.
type AssessedDocument = (u8, u8);

/// Documents in ascending order.
type SortedDocuments = Vec<AssessedDocument>;

/// The axioms that are reasoned about, by number.
const REASONED: [usize; 7] = [5, 6, 7, 8, 9, 11, 12];

/// As many documents are looked at together.
const DOCS: usize = 3;

/// A strict order that an axiom asks for between two documents on their own.
type StrictOrder = (AssessedDocument, AssessedDocument);

/// What axioms say on a scale of so many levels.
#[derive(Debug, Clone)]
pub struct AxiomLogic {
    levels: u8,
    pairs: Vec<AssessedDocument>,
}

/// Axioms that no metric has together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AxiomContradiction {
    /// Their numbers.
    pub axioms: Vec<usize>,
    /// The proof, step by step.
    pub steps: Vec<String>,
}

/// What becomes of an axiom if others are given.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Consequence {
    /// No two documents of the scale meet its premises.
    Vacuous,
    /// It follows.
    Follows,
    /// Neither: no sum of values has the others and fails it, and nothing shows that no other metric
    /// does.
    Open,
    /// It does not: here is a sum of values that has the others, and where it fails.
    Independent {
        /// The value of each pair (what the assessor says, what the system says).
        values: Vec<(AssessedDocument, u32)>,
        /// The two documents that the axiom would have in the other order: the first above the
        /// second.
        fails: StrictOrder,
    },
}

fn error((a, s): AssessedDocument) -> u8 {
    a.abs_diff(s)
}

impl AxiomLogic {
    /// On a scale of this many levels, at least two.
    pub fn new(levels: u8) -> AxiomLogic {
        let values = || 0..levels.max(2);
        let pairs = values().flat_map(|a| values().map(move |s| (a, s))).collect();
        AxiomLogic { levels: levels.max(2), pairs }
    }

    /// How many levels the scale has.
    pub fn levels(&self) -> u8 {
        self.levels
    }

    /// The orders of two documents that an axiom admits. Of axioms 5 to 7 the first must have the
    /// larger metric on its own, of 8 and 9 it must affect the metric more.
    fn orders(&self, axiom: usize) -> Vec<StrictOrder> {
        let two = |x: AssessedDocument, y: AssessedDocument| {
            let ((a, s), (b, t)) = (x, y);
            let over = |(a, s): AssessedDocument| s > a;
            let under = |(a, s): AssessedDocument| s < a;
            match axiom {
                // One document by two systems, wrong in the same direction.
                5 => a == b && error(x) < error(y) && s.abs_diff(t) < error(y),
                // y is more relevant and more wrong.
                6 => b > a && error(y) > error(x) && over(x) && over(y),
                7 => b > a && t > s && error(y) > error(x) && under(x) && under(y),
                8 => error(x) == error(y) && s > t && a >= b,
                9 => error(x) == error(y) && a > b && s >= t,
                _ => false,
            }
        };
        let all = self.pairs.iter().flat_map(|x| self.pairs.iter().map(move |y| (*x, *y)));
        all.filter(|(x, y)| two(*x, *y)).collect()
    }

    /// How many pairs of documents meet the premises of an axiom that puts two in order.
    pub fn instances(&self, axiom: usize) -> usize {
        self.orders(axiom).len()
    }

    /// The smallest sets of axioms that no metric has together.
    pub fn contradictions(&self) -> Vec<AxiomContradiction> {
        let mut found: Vec<AxiomContradiction> = Vec::new();
        let mut sets: Vec<Vec<usize>> = (0u32..1 << REASONED.len())
            .map(|set| {
                (0..REASONED.len()).filter(|i| set >> i & 1 == 1).map(|i| REASONED[i]).collect()
            })
            .collect();
        sets.sort_by_key(Vec::len);
        for axioms in sets {
            let known = |c: &AxiomContradiction| c.axioms.iter().all(|a| axioms.contains(a));
            if found.iter().any(known) {
                continue;
            }
            if let Some(steps) = Facts::new(self, &axioms).saturated() {
                found.push(AxiomContradiction { axioms, steps });
            }
        }
        found
    }

    /// Whether an axiom of 5 to 9 follows from others of them.
    pub fn consequence(&self, axiom: usize, given: &[usize]) -> Consequence {
        let wanted = self.orders(axiom);
        if wanted.is_empty() {
            return Consequence::Vacuous;
        }
        let orders = |given: &[usize]| -> Vec<StrictOrder> {
            given.iter().flat_map(|axiom| self.orders(*axiom)).collect()
        };
        let asked = orders(given);
        for (x, y) in &wanted {
            // A metric that has the second document at least as high as the first.
            if let Some(values) = self.sum_of_values(&asked, (*y, *x)) {
                return Consequence::Independent { values, fails: (*x, *y) };
            }
        }
        // Axioms 5 to 7 order single documents, 8 and 9 what documents change: only a sum has one
        // order for both.
        let alike = |other: &&usize| (**other >= 8) == (axiom >= 8);
        let alike: Vec<usize> = given.iter().filter(alike).copied().collect();
        let asked = orders(&alike);
        let owed = |(x, y): &StrictOrder| self.sum_of_values(&asked, (*y, *x)).is_none();
        if wanted.iter().all(owed) { Consequence::Follows } else { Consequence::Open }
    }

    /// Values of pairs such that the first of each order is above the second, and the first of `at
    /// least` is not below its second; `None` if the orders run in a circle. A sum of these has
    /// axioms 10 and 12 whatever they are, and as they are above 0, the larger value affects a sum
    /// more.
    fn sum_of_values(
        &self,
        above: &[StrictOrder],
        at_least: StrictOrder,
    ) -> Option<Vec<(AssessedDocument, u32)>> {
        let mut values: BTreeMap<AssessedDocument, u32> =
            self.pairs.iter().map(|pair| (*pair, 1)).collect();
        let rounds = self.pairs.len() as u32 + 2;
        // Raise what is too low; in a circle there is no end to it.
        for _ in 0..rounds * rounds {
            let mut changed = false;
            let steps = above.iter().map(|order| (*order, 1)).chain([(at_least, 0)]);
            for ((high, low), more) in steps {
                let needed = values[&low] + more;
                if values[&high] < needed {
                    values.insert(high, needed);
                    changed = true;
                }
            }
            if !changed {
                return Some(values.into_iter().collect());
            }
        }
        None
    }

    /// A sum of values that has all these axioms of 5 to 9, and 10 and 12 with them.
    pub fn model(&self, axioms: &[usize]) -> Option<Vec<(AssessedDocument, u32)>> {
        let asked: Vec<StrictOrder> = axioms.iter().flat_map(|axiom| self.orders(*axiom)).collect();
        let nothing = (self.pairs[0], self.pairs[0]);
        self.sum_of_values(&asked, nothing)
    }

    fn collections(&self) -> Vec<SortedDocuments> {
        let mut all: Vec<SortedDocuments> = Vec::new();
        let mut longest: Vec<SortedDocuments> = vec![Vec::new()];
        for _ in 0..DOCS {
            let longer = |c: &SortedDocuments| -> Vec<SortedDocuments> {
                let from =
                    self.pairs.iter().filter(|pair| c.last().is_none_or(|last| *pair >= last));
                from.map(|pair| c.iter().copied().chain([*pair]).collect()).collect()
            };
            longest = longest.iter().flat_map(longer).collect();
            all.extend(longest.iter().cloned());
        }
        all
    }
}

/// A collection in words: `a1s0 a1s1`.
fn text(collection: &[AssessedDocument]) -> String {
    let one = |(a, s): &AssessedDocument| format!("a{a}s{s}");
    format!("{{{}}}", collection.iter().map(one).collect::<Vec<_>>().join(" "))
}

fn together(x: &[AssessedDocument], y: &[AssessedDocument]) -> SortedDocuments {
    let mut all = [x, y].concat();
    all.sort_unstable();
    all
}

/// What is known of the order of two unknowns: not above, or below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct KnownOrder {
    strict: bool,
    why: Why,
}

/// Where it is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// A rule said so, by its place among the reasons.
    Rule(usize),
    /// The order of the first and this one, and of this one and the second.
    Between(usize),
}

/// All that is known so far.
struct Facts<'l> {
    logic: &'l AxiomLogic,
    axioms: Vec<usize>,
    collections: Vec<SortedDocuments>,
    place: BTreeMap<SortedDocuments, usize>,
    known: Vec<Vec<Option<KnownOrder>>>,
    reasons: Vec<String>,
    contradiction: Option<Vec<String>>,
}

impl<'l> Facts<'l> {
    fn new(logic: &'l AxiomLogic, axioms: &[usize]) -> Facts<'l> {
        let collections = logic.collections();
        let place = collections.iter().cloned().zip(0..).collect();
        // Behind the collections stands the number 1, the maximum.
        let size = collections.len() + 1;
        Facts {
            logic,
            axioms: axioms.to_vec(),
            collections,
            place,
            known: vec![vec![None; size]; size],
            reasons: Vec::new(),
            contradiction: None,
        }
    }

    fn one(&self) -> usize {
        self.collections.len()
    }

    fn name(&self, at: usize) -> String {
        self.collections.get(at).map_or_else(|| "1".to_string(), |c| text(c))
    }

    /// Writes down that the first is not above the second, or below it.
    fn note(&mut self, low: usize, high: usize, strict: bool, why: String) -> bool {
        let better = |known: Option<KnownOrder>| known.is_none_or(|k| strict && !k.strict);
        if self.contradiction.is_some() || !better(self.known[low][high]) {
            return false;
        }
        self.reasons.push(why);
        let why = Why::Rule(self.reasons.len() - 1);
        self.known[low][high] = Some(KnownOrder { strict, why });
        if low == high && strict {
            self.contradiction = Some(self.steps(low, high));
        }
        true
    }

    /// What follows by going from one unknown to the next.
    fn close(&mut self) {
        let size = self.known.len();
        for via in 0..size {
            for low in 0..size {
                let Some(first) = self.known[low][via] else { continue };
                for high in 0..size {
                    let Some(second) = self.known[via][high] else { continue };
                    let strict = first.strict || second.strict;
                    let worse = self.known[low][high].is_some_and(|k| k.strict || !strict);
                    if worse || (low == high && !strict) || via == low || via == high {
                        continue;
                    }
                    self.known[low][high] = Some(KnownOrder { strict, why: Why::Between(via) });
                    if low == high {
                        self.contradiction = Some(self.steps(low, high));
                        return;
                    }
                }
            }
        }
    }

    /// The rules that an order rests on, in their order.
    fn steps(&self, low: usize, high: usize) -> Vec<String> {
        let mut steps = Vec::new();
        let mut open = vec![(low, high)];
        while let Some((low, high)) = open.pop() {
            let Some(KnownOrder { strict, why }) = self.known[low][high] else { continue };
            match why {
                Why::Between(via) => open.extend([(via, high), (low, via)]),
                Why::Rule(at) => {
                    let sign = if strict { "<" } else { "<=" };
                    steps.push(format!(
                        "{} {sign} {}: {}",
                        self.name(low),
                        self.name(high),
                        self.reasons[at]
                    ));
                }
            }
            if steps.len() > LONGEST {
                break;
            }
        }
        steps
    }

    fn is(&self, low: usize, high: usize) -> Option<bool> {
        if low == high { Some(false) } else { self.known[low][high].map(|k| k.strict) }
    }

    fn equal(&self, x: usize, y: usize) -> bool {
        x == y || (self.is(x, y) == Some(false) && self.is(y, x) == Some(false))
    }

    /// All that follows; the steps of a contradiction if there is one.
    fn saturated(mut self) -> Option<Vec<String>> {
        self.given();
        loop {
            self.close();
            let changed = self.contradiction.is_none() && (self.effects() | self.unions());
            if self.contradiction.is_some() || !changed {
                return self.contradiction;
            }
        }
    }

    /// What axioms say without premises about the metric.
    fn given(&mut self) {
        for axiom in [5, 6, 7].into_iter().filter(|a| self.axioms.contains(a)).collect::<Vec<_>>() {
            for (high, low) in self.logic.orders(axiom) {
                let (low, high) = (self.place[&vec![low]], self.place[&vec![high]]);
                self.note(low, high, true, format!("axiom {axiom}"));
            }
        }
        if self.axioms.contains(&11) {
            let one = self.one();
            for at in 0..one {
                self.note(at, one, false, "axiom 11: 1 is the maximum".to_string());
                if self.collections[at].iter().all(|pair| error(*pair) == 0) {
                    let why = "axiom 11: the system says what the assessor says".to_string();
                    self.note(one, at, false, why);
                }
            }
        }
    }

    /// Axioms 8 and 9: one document changes the metric of a collection more than another does.
    fn effects(&mut self) -> bool {
        let mut changed = false;
        for axiom in [8, 9].into_iter().filter(|a| self.axioms.contains(a)).collect::<Vec<_>>() {
            for (more, less) in self.logic.orders(axiom) {
                for at in 0..self.collections.len() {
                    if self.collections[at].len() >= DOCS {
                        continue;
                    }
                    let with = |pair| self.place[&together(&self.collections[at], &[pair])];
                    let (p, q) = (with(more), with(less));
                    let why = || {
                        let (x, y, to) =
                            (text(&[more]), text(&[less]), text(&self.collections[at]));
                        format!("axiom {axiom}: {x} added to {to} changes more than {y}")
                    };
                    if self.equal(p, at) {
                        // No change is more than no change.
                        let why = why();
                        changed |= self.note(at, p, true, why);
                    } else if self.is(p, at).is_some() && self.is(q, at).is_some() {
                        let why = why();
                        changed |= self.note(p, q, true, why);
                    } else if self.is(at, p).is_some() && self.is(at, q).is_some() {
                        let why = why();
                        changed |= self.note(q, p, true, why);
                    }
                }
            }
        }
        changed
    }

    /// Axiom 12: two systems on two disjoint sets, and on both together.
    fn unions(&mut self) -> bool {
        if !self.axioms.contains(&12) {
            return false;
        }
        let alphas = |c: &SortedDocuments| c.iter().map(|(a, _)| *a).collect::<Vec<u8>>();
        let mut alike: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        for (at, collection) in self.collections.iter().enumerate() {
            alike.entry(alphas(collection)).or_default().push(at);
        }
        let mut ordered: Vec<(usize, usize, bool)> = Vec::new();
        for group in alike.values() {
            for (x, y) in group.iter().flat_map(|x| group.iter().map(move |y| (*x, *y))) {
                if self.is(x, y) == Some(true) {
                    ordered.push((x, y, true));
                } else if x != y && self.equal(x, y) {
                    ordered.push((x, y, false));
                }
            }
            ordered.extend(group.iter().map(|x| (*x, *x, false)));
        }
        let mut changed = false;
        for (x, y, strict) in ordered.iter().copied() {
            for (v, w, also) in ordered.iter().copied() {
                if self.collections[x].len() + self.collections[v].len() > DOCS {
                    continue;
                }
                let of = |a: usize, b: usize| {
                    self.place[&together(&self.collections[a], &self.collections[b])]
                };
                let (low, high) = (of(x, v), of(y, w));
                let why = format!(
                    "axiom 12, of {} against {} and {} against {}",
                    self.name(x),
                    self.name(y),
                    self.name(v),
                    self.name(w)
                );
                if low != high || strict || also {
                    changed |= self.note(low, high, strict || also, why);
                }
            }
        }
        changed
    }
}

/// A proof longer than this tells nobody anything.
const LONGEST: usize = 40;

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(levels: u8) -> Vec<Vec<usize>> {
        AxiomLogic::new(levels).contradictions().into_iter().map(|c| c.axioms).collect()
    }

    #[test]
    fn eight_and_nine_exclude_eleven() {
        for levels in [2, 3] {
            let found = sets(levels);
            assert!(found.contains(&vec![8, 11]), "{found:?}");
            assert!(found.contains(&vec![9, 11]), "{found:?}");
        }
    }

    /// A proof ends where it began, with a strict step in between.
    #[test]
    fn proofs_run_in_a_circle() {
        for contradiction in AxiomLogic::new(2).contradictions() {
            let ends = |step: &String| {
                let (left, rest) = step.split_once(" <").unwrap();
                let (right, _) = rest.trim_start_matches('=').split_once(": ").unwrap();
                (left.trim().to_string(), right.trim().to_string())
            };
            let steps: Vec<(String, String)> = contradiction.steps.iter().map(ends).collect();
            assert!(contradiction.steps.iter().any(|step| !step.contains(" <= ")));
            for (i, (_, right)) in steps.iter().enumerate() {
                assert_eq!(*right, steps[(i + 1) % steps.len()].0, "{:?}", contradiction.steps);
            }
        }
    }

    #[test]
    fn on_two_levels_eight_and_nine_are_one() {
        let binary = AxiomLogic::new(2);
        assert_eq!(binary.consequence(8, &[9]), Consequence::Follows);
        assert_eq!(binary.consequence(9, &[8]), Consequence::Follows);
        assert!(matches!(binary.consequence(8, &[5]), Consequence::Independent { .. }));
    }

    #[test]
    fn degrees_need_three_levels() {
        let binary = AxiomLogic::new(2);
        for axiom in [5, 6, 7] {
            assert_eq!(binary.consequence(axiom, &[8, 9]), Consequence::Vacuous, "{axiom}");
        }
        assert!(AxiomLogic::new(3).instances(5) > 0);
        // Two errors of different size, both too high: four levels.
        assert_eq!(AxiomLogic::new(3).instances(6), 0);
        assert!(AxiomLogic::new(4).instances(6) > 0);
    }

    /// A model has what it was made for, and lacks what it was made to lack: the orders are read
    /// again from the paper's words, not from the rules.
    #[test]
    fn models_do_what_they_claim() {
        let logic = AxiomLogic::new(4);
        let value = |values: &[(AssessedDocument, u32)], pair: AssessedDocument| {
            values.iter().find(|(known, _)| *known == pair).unwrap().1
        };
        let distance = |x: u8, y: u8| (i32::from(x) - i32::from(y)).abs();
        let Consequence::Independent { values, fails: (x, y) } = logic.consequence(5, &[8, 9])
        else {
            panic!("5 does not follow from 8 and 9")
        };
        assert!(x.0 == y.0 && value(&values, x) <= value(&values, y));
        for a in 0..4u8 {
            for s in 0..4u8 {
                for b in 0..4u8 {
                    for t in 0..4u8 {
                        let eight = distance(a, s) == distance(b, t) && s > t && a >= b;
                        if eight {
                            assert!(value(&values, (a, s)) > value(&values, (b, t)));
                        }
                    }
                }
            }
        }
        let all = logic.model(&[5, 6, 7, 8, 9]);
        assert!(all.is_some(), "5 to 9 can be had together");
    }
}
