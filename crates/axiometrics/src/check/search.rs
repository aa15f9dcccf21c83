//! Exhaustive search over small collections: every state is scored once, and all checks read the
//! same table.
//!
//! A ranking of d documents is a number whose digits are the levels of its gains, the top rank
//! first, so that numeric order is lexicographic order and a swap is two shifts. A metric never
//! sees the order of what it did not retrieve; so of all states that differ only there, one is
//! scored. (The registry's test compares this with the full ranking.)
//!
//! The same table holds the states of a few documents within a longer ranking, whose others stay.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::Arc;

use super::deep::Context;
use super::domain::Levels;
use super::states::{Buffer, Probe, clearly, decide, without_rounding};
use super::verdict::Arithmetic;
use super::witness::State;
use crate::measure::{Exact, Metric, Number, Score};
use crate::number::precisely;

/// The name of a state: d documents that vary, how many of them are seen, and their gains as
/// digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Id {
    pub d: u32,
    pub k: u32,
    pub code: usize,
}

/// Within so many useful documents, exact scores are cheap.
const CHEAP: usize = 20;
/// Within so many they can be had if floats do not tell them apart at all.
const CLIPPED: usize = 320;
/// After so many near ties that 77 digits do not decide, others are not tried.
const ENOUGH: u64 = 16;
/// So many of these are compared in any case, in each long ranking and for each check.
const FREE: u32 = 3;

/// The scores of all states of up to `docs` documents.
pub(super) struct StateTable {
    probe: Arc<Probe>,
    pub levels: Levels,
    pub docs: u32,
    /// What stands around the documents that vary; nothing in the tables of small collections.
    context: Context,
    /// How much exact arithmetic may still cost, if that is limited.
    purse: Option<Rc<Cell<usize>>>,
    /// The metric at the cutoffs of the table, where that is possible: by k.
    metrics: Vec<Option<Metric>>,
    /// By d, then (k, code); NaN is undefined.
    scores: Vec<Vec<f64>>,
    /// By the length of a tail, then its code: the same gains in descending order.
    sorted: Vec<Vec<usize>>,
    /// The same exactly, of those that were asked for; of long rankings to 77 digits, `None` if
    /// these do not tell.
    exact: RefCell<Vec<Vec<Option<Option<Exact>>>>>,
    exact_levels: Vec<Exact>,
    /// Where exact scores are computed, one after the other.
    desk: RefCell<Buffer<Exact>>,
}

impl StateTable {
    pub(super) fn new(probe: Arc<Probe>, levels: Levels, docs: u32) -> StateTable {
        StateTable::within(probe, levels, docs, Context::default(), None)
    }

    /// The states of up to `docs` documents within a longer ranking.
    pub(super) fn within(
        probe: Arc<Probe>,
        levels: Levels,
        docs: u32,
        context: Context,
        purse: Option<Rc<Cell<usize>>>,
    ) -> StateTable {
        let bits = levels.bits();
        let sorted = (0..=docs).map(|len| sorted_codes(len, bits)).collect();
        let exact_levels = levels.gains().iter().map(|g| Exact::decimal(*g)).collect();
        let above = context.before.len() as u32;
        let metrics = (1..=docs).map(|k| probe.at(above + k).map(Cow::into_owned)).collect();
        let mut table = StateTable {
            probe,
            levels,
            docs,
            context,
            purse,
            metrics,
            scores: Vec::new(),
            sorted,
            exact: RefCell::new(vec![Vec::new(); docs as usize]),
            exact_levels,
            desk: RefCell::new(Buffer::new()),
        };
        table.scores = (1..=docs).map(|d| table.score_all(d)).collect();
        table
    }

    fn score_all(&self, d: u32) -> Vec<f64> {
        let rankings = self.rankings(d);
        let top = self.levels.top();
        let above = self.context.before.len() as u32;
        let mut scores = vec![f64::NAN; rankings * d as usize];
        let mut buffer = Buffer::new();
        for code in self.codes(d) {
            buffer.fill(self.gains(Id { d, k: d, code }), self.probe.judged());
            for (k, metric) in (1..=d).zip(&self.metrics) {
                // The descending tail has the highest code of its kind: its score is filled in when
                // its turn comes.
                if self.representative(Id { d, k, code }).code == code
                    && let Some(score) = metric.as_ref().and_then(|m| {
                        let score = m.score(&buffer.view(above + k, &top));
                        let gains = || self.gains(Id { d, k, code }).collect();
                        self.probe.defined(score, above + k, gains)
                    })
                {
                    scores[(k as usize - 1) * rankings + code] = score;
                }
            }
        }
        for k in 1..=d {
            for code in 0..rankings {
                let from = self.representative(Id { d, k, code }).code;
                scores[(k as usize - 1) * rankings + code] =
                    scores[(k as usize - 1) * rankings + from];
            }
        }
        scores
    }

    /// All rankings of d documents have numbers below this.
    pub(super) fn rankings(&self, d: u32) -> usize {
        1 << (self.levels.bits() * d)
    }

    /// All states: by d, then k, then the gains.
    pub(super) fn states(&self) -> impl Iterator<Item = Id> + use<'_> {
        (1..=self.docs).flat_map(move |d| {
            (1..=d).flat_map(move |k| self.codes(d).map(move |code| Id { d, k, code }))
        })
    }

    /// The rankings of d documents as numbers. Of three gains, the digit 3 is none.
    pub(super) fn codes(&self, d: u32) -> impl Iterator<Item = usize> + use<'_> {
        let three = self.levels.gains().len() == 3;
        (0..self.rankings(d))
            .filter(move |code| !three || (0..d).all(|i| self.digit(d, *code, i) < 3))
    }

    /// Of the states that differ only in the order of what was not retrieved, the one with a
    /// descending tail.
    fn representative(&self, id: Id) -> Id {
        let tail_bits = self.levels.bits() * (id.d - id.k);
        let tail = id.code & ((1 << tail_bits) - 1);
        Id { code: id.code - tail + self.sorted[(id.d - id.k) as usize][tail], ..id }
    }

    /// The collection of a state: its gains in descending order.
    pub(super) fn collection(&self, id: Id) -> usize {
        self.sorted[id.d as usize][id.code]
    }

    /// The gains of the top k as a number.
    pub(super) fn prefix(&self, id: Id) -> usize {
        id.code >> (self.levels.bits() * (id.d - id.k))
    }

    /// The level of the document at position i, counted from 0.
    pub(super) fn level(&self, id: Id, i: u32) -> usize {
        self.digit(id.d, id.code, i)
    }

    fn digit(&self, d: u32, code: usize, i: u32) -> usize {
        let bits = self.levels.bits();
        code >> (bits * (d - 1 - i)) & ((1 << bits) - 1)
    }

    /// The state after two documents changed places.
    pub(super) fn swapped(&self, id: Id, i: u32, j: u32) -> Id {
        let shift = |i: u32| self.levels.bits() * (id.d - 1 - i);
        let both = self.level(id, i) ^ self.level(id, j);
        Id { code: id.code ^ (both << shift(i)) ^ (both << shift(j)), ..id }
    }

    /// The gains of the whole ranking.
    fn gains(&self, id: Id) -> impl Iterator<Item = f64> + use<'_> {
        let varying = (0..id.d).map(move |i| self.levels.gains()[self.level(id, i)]);
        self.context.before.iter().copied().chain(varying).chain(self.context.after.iter().copied())
    }

    /// Whether other documents stand around those that vary.
    pub(super) fn is_deep(&self) -> bool {
        self.context.len() > 0
    }

    /// What stands around the documents that vary.
    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// The rank of the i-th document that varies, counted from 0.
    pub(super) fn rank(&self, i: u32) -> u32 {
        self.context.before.len() as u32 + i + 1
    }

    /// Down to which rank a state is seen.
    pub(super) fn depth(&self, id: Id) -> u32 {
        self.context.before.len() as u32 + id.k
    }

    /// How many documents a state has.
    fn length(&self, id: Id) -> usize {
        self.context.len() + id.d as usize
    }

    /// Whether nothing in the collection is of any use.
    pub(super) fn is_useless(&self, id: Id) -> bool {
        id.code == 0 && self.context.is_useless()
    }

    /// Whether exact arithmetic on a state can be paid for.
    fn pays(&self) -> bool {
        let Some(purse) = &self.purse else { return true };
        let cost = self.context.useful() + self.context.len() / 8 + 1;
        let left = purse.get().checked_sub(cost);
        purse.set(left.unwrap_or(0));
        left.is_some()
    }

    /// The score, `None` if it is undefined.
    pub(super) fn score(&self, id: Id) -> Option<f64> {
        let score = self.scores[id.d as usize - 1][self.place(id)];
        (!score.is_nan()).then_some(score)
    }

    /// Whether a state has a score, without rounding if that can be had: a weight may be too small for
    /// a float, and a divisor is zero for it alone.
    pub(super) fn is_defined(&self, id: Id) -> bool {
        let id = self.representative(id);
        precisely(|| self.exact_score(id).map(|score| score.value().is_some()))
            .flatten()
            .unwrap_or_else(|| self.score(id).is_some())
    }

    /// Where a state stands among those of as many documents.
    fn place(&self, id: Id) -> usize {
        (id.k as usize - 1) * self.rankings(id.d) + id.code
    }

    /// The state for people.
    pub(super) fn state(&self, id: Id) -> State {
        State { gains: self.gains(id).collect(), k: self.depth(id), score: self.score(id) }
    }

    fn exact(&self, id: Id) -> Option<Exact> {
        let id = self.representative(id);
        let (d, place) = (id.d as usize, self.place(id));
        if let Some(Some(score)) = self.exact.borrow()[d - 1].get(place) {
            return score.clone();
        }
        let score = if self.is_deep() {
            precisely(|| self.exact_anew(id)).flatten()
        } else {
            self.exact_anew(id)
        };
        let known = &mut self.exact.borrow_mut()[d - 1];
        known.resize(self.scores[d - 1].len(), None);
        known[place] = Some(score.clone());
        score
    }

    /// A gain as a fraction, which is nearly always that of a level.
    fn exactly(&self, gain: f64) -> Exact {
        match self.levels.gains().iter().position(|level| *level == gain) {
            Some(level) => self.exact_levels[level].clone(),
            None => Exact::decimal(gain),
        }
    }

    fn exact_anew(&self, id: Id) -> Option<Exact> {
        self.exact_score(id)?.value()
    }

    fn exact_score(&self, id: Id) -> Option<Score<Exact>> {
        let mut buffer = self.desk.borrow_mut();
        buffer.fill(self.gains(id).map(|gain| self.exactly(gain)), self.probe.judged());
        let depth = self.depth(id);
        let view = buffer.view(depth, self.exact_levels.last()?);
        Some(self.metrics[id.k as usize - 1].as_ref()?.score_exact(&view))
    }
}

/// For every code of this length, the code of the same digits in descending order.
fn sorted_codes(len: u32, bits: u32) -> Vec<usize> {
    // A digit more is put in its place among those before it, which are in order already. The lowest
    // digit ends up lowest, which is the last rank.
    let mask = (1usize << bits) - 1;
    let mut sorted = vec![0usize];
    for digits in 0..len {
        let with = |code: usize| {
            let (first, last) = (sorted[code >> bits], code & mask);
            let lower = |place: &u32| first >> (bits * place) & mask < last;
            let place = bits * (0..digits).take_while(lower).count() as u32;
            let below = first & ((1 << place) - 1);
            (first - below) << bits | last << place | below
        };
        sorted = (0..sorted.len() << bits).map(with).collect();
    }
    sorted
}

/// Rankings of so many documents can always be compared to 77 digits.
const SHORT: usize = 16;
/// Of longer ones, so many documents in all.
const PATIENCE: usize = 3000;

/// What a search has done so far.
#[derive(Debug, Default)]
pub(super) struct SearchTally {
    /// A rule says that there is no case: then near ties of long rankings are mostly left alone.
    proved: bool,
    pub cases: u64,
    pub skipped: u64,
    /// How many comparisons of short rankings not even 77 digits decide.
    pub undecided: u64,
    /// The documents of the long rankings that were compared to 77 digits.
    settled: usize,
    /// The table that was last looked at, by its address, and how many exact comparisons it still
    /// allows in any case.
    place: usize,
    free: u32,
    pub arithmetic: Arithmetic,
    /// How the last comparison was decided.
    pub last: Arithmetic,
    /// The last comparison rests on floats alone, far enough apart to be trusted.
    rounded: bool,
    /// Floats that are far apart decide, even against what is wanted.
    pub trusts_floats: bool,
    /// The most documents of a ranking beyond the tables of small collections.
    pub deepest: u32,
}

impl SearchTally {
    /// Of a search for what may be proved.
    pub(super) fn new(proved: bool) -> SearchTally {
        SearchTally { proved, ..SearchTally::default() }
    }

    /// Compares two scores: in floating point if that is safe, exactly if they are near.
    /// `None`, and one more skipped, if one is undefined.
    pub(super) fn compare(&mut self, table: &StateTable, a: Id, b: Id) -> Option<Ordering> {
        let (Some(x), Some(y)) = (table.score(a), table.score(b)) else {
            self.skipped += 1;
            return None;
        };
        self.cases += 1;
        if let Some(order) = self.clearly(x, y) {
            return Some(order);
        }
        if table.representative(a) == table.representative(b) {
            return Some(Ordering::Equal);
        }
        if !table.is_deep() {
            return Some(self.note(decide(&table.exact(a)?, &table.exact(b)?)));
        }
        // In a long ranking exact arithmetic can cost too much: then nothing is decided.
        if !self.affords(table, x == y) {
            self.cases -= 1;
            self.skipped += 1;
            return None;
        }
        self.settle(table.length(a), || (table.exact(a), table.exact(b)))
    }

    /// The order of two floats that are far enough apart to trust it.
    pub(super) fn clearly(&mut self, x: f64, y: f64) -> Option<Ordering> {
        let order = clearly(x, y);
        (self.last, self.rounded) = (Arithmetic::Exact, order.is_some());
        order
    }

    /// The same, where floats alone never speak against what is wanted: scores that do are compared
    /// without rounding. `None`, and one more undecided, if near ones cannot be told apart.
    pub(super) fn ask(
        &mut self,
        table: &StateTable,
        a: Id,
        b: Id,
        wanted: impl Fn(Ordering) -> bool,
    ) -> Option<Ordering> {
        let order = self.compare(table, a, b)?;
        if wanted(order) {
            return Some(order);
        }
        let [a, b] = [a, b].map(|id| table.representative(id));
        self.confirm(order, table.length(a), || (table.exact_anew(a), table.exact_anew(b)))
    }

    /// An order that speaks against what is wanted, decided without rounding. Floats that are far
    /// apart stand if intervals cannot tell; near ones decide nothing then.
    pub(super) fn confirm(
        &mut self,
        order: Ordering,
        length: usize,
        scores: impl FnOnce() -> (Option<Exact>, Option<Exact>),
    ) -> Option<Ordering> {
        if self.rounded {
            let known = without_rounding(scores);
            return Some(known.map_or(order, |known| self.note(known)));
        }
        if self.last != Arithmetic::Tolerance {
            return Some(order);
        }
        self.settle(length, scores)
    }

    /// Whether the last comparison was decided without rounding.
    pub(super) fn is_certain(&self) -> bool {
        !self.rounded && self.last != Arithmetic::Tolerance
    }

    /// Whether two scores of a long ranking can be computed exactly. A few cheap ones always can, so
    /// that the longest rankings are not skipped because shorter ones had many near ties; and so can
    /// a few that are the same float, as they are where a metric holds its values within bounds.
    fn affords(&mut self, table: &StateTable, same: bool) -> bool {
        let here = std::ptr::from_ref(table) as usize;
        if self.place != here {
            (self.place, self.free) = (here, if self.proved { 1 } else { FREE });
        }
        let most = if same { CLIPPED } else { CHEAP };
        if table.context.useful() <= most && self.free > 0 {
            self.free -= 1;
            return true;
        }
        !self.proved && table.pays() && table.pays()
    }

    /// Compares the scores of two rankings of some length to 77 digits, unless much of that was done
    /// on long rankings before.
    pub(super) fn settle(
        &mut self,
        length: usize,
        scores: impl FnOnce() -> (Option<Exact>, Option<Exact>),
    ) -> Option<Ordering> {
        // One near tie that stays open leaves the verdict open; more of them say no more.
        if self.settled > PATIENCE || self.undecided >= ENOUGH {
            self.skipped += 1;
            return None;
        }
        let known = without_rounding(scores);
        if length > SHORT && known.is_none_or(|(_, arithmetic)| arithmetic != Arithmetic::Exact) {
            self.settled += length;
        }
        match known {
            Some(known) => Some(self.note(known)),
            // That a long ranking has a near tie says nothing of short ones.
            None if length > SHORT => {
                self.skipped += 1;
                None
            }
            None => {
                self.undecided += 1;
                None
            }
        }
    }

    /// Keeps in mind how a comparison was decided.
    pub(super) fn note(&mut self, (order, arithmetic): (Ordering, Arithmetic)) -> Ordering {
        (self.last, self.rounded) = (arithmetic, false);
        self.arithmetic = self.arithmetic.max(arithmetic);
        order
    }

    /// What to say of the comparisons that were not decided.
    pub(super) fn doubts(&self) -> Option<String> {
        (self.undecided > 0).then(|| match self.undecided {
            1 => "1 near tie not decided by 77 digits".to_string(),
            ENOUGH => format!("{ENOUGH} near ties not decided by 77 digits, others not tried"),
            n => format!("{n} near ties not decided by 77 digits"),
        })
    }

    /// What to add where the last comparison rests on the tolerance.
    pub(super) fn proviso(&self) -> &'static str {
        match self.last {
            Arithmetic::Exact | Arithmetic::Digits => "",
            Arithmetic::Tolerance => " (ties within 1e-12)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::domain;
    use crate::measure::Metric;

    #[test]
    fn digits_and_swaps_are_ranks() {
        let metric: Metric = "DCG@5".parse().unwrap();
        let probe = Probe::new(&metric).unwrap();
        let levels = domain::levels(&metric, crate::measure::structure::Domain::Graded)[1];
        let table = StateTable::new(Arc::new(probe), levels, 3);
        let id = Id { d: 3, k: 2, code: 0b11_00_01 };
        assert_eq!(table.state(id).gains, [1.0, 0.0, 0.25]);
        assert_eq!(table.state(table.swapped(id, 0, 2)).gains, [0.25, 0.0, 1.0]);
        assert_eq!(table.prefix(id), 0b11_00);
        assert_eq!(table.state(Id { code: table.collection(id), ..id }).gains, [1.0, 0.25, 0.0]);
        assert_eq!(table.score(id), Some(1.0));
    }

    #[test]
    fn codes_in_descending_order() {
        for (len, bits) in [(0, 1), (1, 2), (6, 1), (4, 2)] {
            for (code, sorted) in sorted_codes(len, bits).into_iter().enumerate() {
                let digits = |code: usize| -> Vec<usize> {
                    (0..len).rev().map(|i| code >> (bits * i) & ((1 << bits) - 1)).collect()
                };
                let mut descending = digits(code);
                descending.sort_by(|a, b| b.cmp(a));
                assert_eq!(digits(sorted), descending);
            }
            assert_eq!(sorted_codes(len, bits).len(), 1 << (bits * len));
        }
    }

    /// The symmetry that the table uses: with a cutoff, what lies below it may be shown or not.
    #[test]
    fn no_metric_sees_the_order_below_its_cutoff() {
        for metric in crate::check::all_metrics() {
            let Ok(probe) = Probe::new(&metric) else { continue };
            if matches!(
                metric.def().cutoff,
                crate::measure::Cutoff::Never | crate::measure::Cutoff::Param(_)
            ) {
                continue;
            }
            for code in 0..1u32 << 5 {
                let v: Vec<f64> = (0..5).map(|i| f64::from(code >> i & 1)).collect();
                for k in 1..=5 {
                    let at = probe.at(k).unwrap();
                    let mut buffer = Buffer::new();
                    buffer.fill(v.iter().copied(), probe.judged());
                    let full = at.score(&buffer.view(5, &1.0)).value();
                    assert_eq!(full, probe.score(&v, k, 1.0), "{metric} at {k} of {v:?}");
                }
            }
        }
    }
}
