//! One metric on the bench: its domain, its table of states, and its structure once verified.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::deep;
use super::domain::{self, Levels};
use super::landmarks::Landmarks;
use super::search::{SearchTally, StateTable};
use super::states::Probe;
use super::verdict::{Bounds, Verdict, disagreement};
use super::witness::{State, Witness};
use super::{CheckOptions, MOST_DOCS, StructureOutcome, proof, shape};
use crate::component::Component;
use crate::measure::Metric;
use crate::measure::structure::{Domain, Form, Gain, Shape};
use crate::number::{Number, precisely};

/// How many useful documents exact arithmetic may look at, in all, if rankings are long.
const PURSE: usize = 600;

/// All that the checks of one metric share.
pub struct Lab {
    max_docs: u32,
    seed: u64,
    probe: Arc<Probe>,
    domain: Domain,
    reach: Option<u32>,
    landmarks: OnceCell<Landmarks>,
    levels: Vec<Levels>,
    binary: Levels,
    tables: OnceCell<Vec<StateTable>>,
    deep: OnceCell<Vec<StateTable>>,
    declaration: RefCell<Option<StructureOutcome>>,
}

impl Lab {
    /// Puts a metric on the bench, or says why no check applies to it.
    pub fn new(metric: &Metric, options: &CheckOptions) -> Result<Lab, String> {
        let probe = Probe::new(metric)?;
        let domain = domain::of(metric, &probe);
        Ok(Lab {
            max_docs: options.max_docs.clamp(1, MOST_DOCS),
            seed: options.seed,
            domain,
            reach: options.reach,
            landmarks: OnceCell::new(),
            levels: domain::levels(metric, domain),
            binary: domain::binary(metric),
            probe: Arc::new(probe),
            tables: OnceCell::new(),
            deep: OnceCell::new(),
            declaration: RefCell::default(),
        })
    }

    /// The metric as typed.
    pub fn metric(&self) -> &Metric {
        self.probe.typed()
    }

    /// The gains that it is written over.
    pub fn domain(&self) -> Domain {
        self.domain
    }

    /// The highest gain of its witnesses.
    pub fn max_grade(&self) -> f64 {
        self.levels.last().unwrap_or(&self.binary).top()
    }

    /// What came of the structure that it declares.
    pub fn declaration(&self) -> StructureOutcome {
        let structure = self.metric().structure();
        let verify = || match (&structure.shape, &structure.form) {
            (Some(shape), _) => shape::verify(shape, &self.probe, &self.levels),
            (None, Some(form)) => shape::verify_form(form, &self.probe, &self.levels),
            (None, None) => StructureOutcome::Absent,
        };
        let verified = || match verify() {
            StructureOutcome::Refuted(_) if self.is_guessed() => StructureOutcome::Absent,
            found => found,
        };
        self.declaration.borrow_mut().get_or_insert_with(verified).clone()
    }

    /// Whether the structure is read off a file: our guess, not a claim of its author.
    fn is_guessed(&self) -> bool {
        Component::of(self.metric()).is_some()
    }

    /// Its shape, once verified: nothing else may prove anything.
    pub(super) fn shape(&self) -> Option<Shape> {
        let verified = matches!(self.declaration(), StructureOutcome::Verified(_));
        self.metric().structure().shape.filter(|_| verified)
    }

    /// Its form, once verified.
    pub(super) fn form(&self) -> Option<Form> {
        let verified = matches!(self.declaration(), StructureOutcome::Verified(_));
        self.metric().structure().form.clone().filter(|_| verified)
    }

    /// Why it has a property, if its form proves that.
    pub(super) fn proof(&self, property: &str) -> Option<String> {
        proof::prove(self, property).map(|proof| proof.rule)
    }

    /// Its shape, where in addition a better grade is a larger gain.
    pub(super) fn growing_shape(&self) -> Option<Shape> {
        self.shape().filter(|s| self.grows(s.gain))
    }

    /// Whether a better grade is a larger gain.
    pub(super) fn grows(&self, gain: Gain) -> bool {
        shape::gain_grows(gain, &self.levels)
    }

    /// The numbers that it speaks of, and how long rankings may be.
    pub(super) fn landmarks(&self) -> &Landmarks {
        self.landmarks.get_or_init(|| {
            let known = Landmarks::of(self.metric()).within(self.reach);
            known.with_turns(&self.probe, self.binary.top())
        })
    }

    pub(super) fn probe(&self) -> &Probe {
        &self.probe
    }

    /// Relevant or not, which is all that constraints speak of.
    pub(super) fn binary(&self) -> Levels {
        self.binary
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// The scores of all small states, by sets of gains.
    pub(super) fn tables(&self) -> &[StateTable] {
        self.tables.get_or_init(|| {
            self.levels
                .iter()
                .map(|l| StateTable::new(self.probe.clone(), *l, self.max_docs))
                .collect()
        })
    }

    /// Looks for a case against a property in all small states. If there is none, the rule
    /// proves it, or the bounds are all that can be said.
    pub(super) fn search(
        &self,
        rule: Option<&str>,
        mut against: impl FnMut(&StateTable, &mut SearchTally) -> Option<Witness>,
    ) -> Verdict {
        let mut tally = SearchTally::new(rule.is_some());
        let small = self.tables().iter().find_map(|table| against(table, &mut tally));
        let case = small.or_else(|| self.search_deep(&mut tally, &mut against));
        self.settle(rule, case, &tally, || {
            let bounds = self.bounds(&tally);
            match (tally.cases, tally.undecided) {
                (0, 0) => Verdict::Vacuous(bounds),
                (_, 0) => Verdict::Searched(bounds),
                _ => Verdict::Undecided(bounds),
            }
        })
    }

    /// Looks for a case in longer rankings, and leaves out of them what it does not need.
    pub(super) fn search_deep(
        &self,
        tally: &mut SearchTally,
        against: &mut impl FnMut(&StateTable, &mut SearchTally) -> Option<Witness>,
    ) -> Option<Witness> {
        for table in self.deep() {
            let mut found = against(table, tally);
            tally.deepest = tally.deepest.max(table.context().len() as u32 + table.docs);
            let mut context = table.context().clone();
            while let Some(witness) = found {
                let purse = Rc::new(Cell::new(PURSE));
                let smaller = context.smaller().find_map(|smaller| {
                    let (probe, levels) = (self.probe.clone(), table.levels);
                    let purse = Some(purse.clone());
                    let table =
                        StateTable::within(probe, levels, table.docs, smaller.clone(), purse);
                    Some((smaller, against(&table, &mut SearchTally::default())?))
                });
                let Some((smaller, still)) = smaller else { return Some(witness) };
                (context, found) = (smaller, Some(still));
            }
        }
        None
    }

    /// The scores of states within longer rankings, by sets of gains, short ones first.
    fn deep(&self) -> &[StateTable] {
        self.deep.get_or_init(|| {
            let purse = Rc::new(Cell::new(PURSE));
            let mut all: Vec<StateTable> = Vec::new();
            for levels in &self.levels {
                let window = deep::window(levels).min(self.max_docs);
                for context in deep::contexts(levels, self.landmarks(), self.seed) {
                    let (probe, purse) = (self.probe.clone(), Some(purse.clone()));
                    all.push(StateTable::within(probe, *levels, window, context, purse));
                }
            }
            all.sort_by_key(|t| t.context().len());
            all
        })
    }

    /// Whether a score is such that something holds, without rounding if intervals tell.
    pub(super) fn certainly(&self, state: &State, holds: impl Fn(f64) -> bool) -> bool {
        let State { gains, k, score } = state;
        // Of several sets of gains, the one whose maximum gives this score.
        let gives = |top: &f64| self.probe.score(gains, *k, *top) == *score;
        let top = self.levels.iter().map(Levels::top).find(gives);
        let exact = || self.probe.exact(gains, *k, top.unwrap_or_else(|| self.max_grade()));
        let exact = precisely(|| exact().map(|x| x.to_f64())).flatten();
        state.score.is_some_and(&holds) && exact.is_none_or(holds)
    }

    /// What a rule and a search come to. A proof never replaces the search: a case that was decided
    /// without rounding shows that the declared structure is not that of the scores, and then
    /// nothing is proved from it. A case that rests on floats alone leaves the question open.
    pub(super) fn settle(
        &self,
        rule: Option<&str>,
        case: Option<Witness>,
        tally: &SearchTally,
        unproved: impl FnOnce() -> Verdict,
    ) -> Verdict {
        match (rule, case) {
            (None, Some(witness)) => Verdict::violated(witness),
            (Some(rule), Some(witness)) if tally.is_certain() => {
                let (rule, case) = (rule.to_string(), witness.text.clone());
                let found = match self.is_guessed() {
                    true => StructureOutcome::Absent,
                    false => StructureOutcome::Contradicted { rule, case },
                };
                *self.declaration.borrow_mut() = Some(found);
                Verdict::violated(witness)
            }
            (Some(rule), Some(witness)) => Verdict::Undecided(Bounds {
                note: Some(disagreement(rule, &witness.text)),
                ..self.bounds(tally)
            }),
            (Some(rule), None) => Verdict::Proved { rule: rule.to_string() },
            (None, None) => unproved(),
        }
    }

    /// How far a search over the tables went.
    pub(super) fn bounds(&self, tally: &SearchTally) -> Bounds {
        let gains: Vec<String> = self.levels.iter().map(Levels::describe).collect();
        Bounds {
            docs: self.max_docs,
            gains: gains.join(" and "),
            cases: tally.cases,
            skipped: tally.skipped,
            arithmetic: tally.arithmetic,
            note: match (tally.deepest, tally.doubts()) {
                (0, doubts) => doubts,
                (n, doubts) => {
                    let longer = format!("and in longer rankings, of up to {n} documents");
                    Some(doubts.map_or(longer.clone(), |doubts| format!("{longer}; {doubts}")))
                }
            },
        }
    }
}
