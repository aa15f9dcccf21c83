//! Runs programs on the documents of a topic.
//!
//! What is asked of every document of a set is computed step by step for all of them together,
//! if the code has no jumps: one look at a step then serves hundreds of documents.

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::rc::Rc;

use super::measurement::Docs;
use super::program::{Code, Field, KeyComparison, Over, Plan, Program, ProgramStep};
use super::syntax::{Op, QuantifierKind};
use crate::number::Number;

/// What documents are compared by, in the order of the comparison, each with the total up to it.
type RunningTotals<N> = Rc<Vec<(N, N)>>;

/// All that is known while one topic is scored; what does not depend on the document at hand is
/// computed once.
pub(crate) struct Machine<'a, N: Clone> {
    program: &'a Program,
    docs: &'a Docs<N>,
    params: &'a [N],
    constants: Cow<'a, [N]>,
    relevant: Option<N>,
    sets: Vec<Option<Rc<[u32]>>>,
    slots: Vec<u32>,
    stack: Vec<N>,
    once: Vec<Option<N>>,
    running: Vec<Option<RunningTotals<N>>>,
    flags: Flags,
}

/// What was met on the way to a value.
#[derive(Default)]
struct Flags {
    undefined: bool,
    doubtful: bool,
}

/// Floats that are nearer to each other than this share of them may be equal but for rounding.
const NEAR: f64 = 1e-9;

impl<'a, N: Number> Machine<'a, N> {
    pub(crate) fn new(program: &'a Program, docs: &'a Docs<N>, params: &'a [N]) -> Machine<'a, N> {
        Machine {
            program,
            docs,
            params,
            constants: constants(program),
            relevant: None,
            sets: vec![None; program.sets.len()],
            slots: vec![0; program.slots],
            stack: Vec::with_capacity(16),
            once: vec![None; program.overs.len()],
            running: vec![None; program.overs.len()],
            flags: Flags::default(),
        }
    }

    /// True if something was divided by zero.
    pub(crate) fn undefined(&self) -> bool {
        self.flags.undefined
    }

    /// True if rounding may have decided a comparison, or hidden a division by zero: the value is
    /// to be computed exactly instead.
    pub(crate) fn doubtful(&self) -> bool {
        self.flags.doubtful
    }

    /// The value of code that speaks of the whole topic.
    pub(crate) fn value(&mut self, code: &Code) -> N {
        self.run(code)
    }

    /// The value of code that speaks of one document.
    pub(crate) fn value_of(&mut self, code: &Code, doc: u32) -> N {
        self.slots[0] = doc;
        self.run(code)
    }

    /// The documents of a set.
    pub(crate) fn set(&mut self, set: usize) -> Rc<[u32]> {
        if let Some(members) = &self.sets[set] {
            return members.clone();
        }
        let program = self.program;
        let all = 0..self.docs.len() as u32;
        let members: Rc<[u32]> = match &program.sets[set] {
            None => all.collect(),
            Some(condition) => {
                let outer = self.slots[0];
                let members = self.passing(condition, 0, all.collect()).into();
                self.slots[0] = outer;
                members
            }
        };
        self.sets[set] = Some(members.clone());
        members
    }

    fn run(&mut self, code: &[ProgramStep]) -> N {
        let mut next = 0;
        while let Some(step) = code.get(next) {
            next += 1;
            match *step {
                ProgramStep::Constant(i) => self.stack.push(self.constants[i].clone()),
                ProgramStep::Param(i) => self.stack.push(self.params[i].clone()),
                ProgramStep::Relevant => {
                    let count = || N::count(self.docs.relevant());
                    let relevant = self.relevant.get_or_insert_with(count).clone();
                    self.stack.push(relevant);
                }
                ProgramStep::TopGrade => self.stack.push(self.docs.top_grade.clone()),
                ProgramStep::Read(field, slot) => {
                    let value = self.column(field)[self.slots[slot] as usize].clone();
                    self.stack.push(value);
                }
                ProgramStep::Binary(_) | ProgramStep::Min | ProgramStep::Max => {
                    let (b, a) = (self.pop(), self.pop());
                    let value = binary(*step, a, b, &mut self.flags);
                    self.stack.push(value);
                }
                ProgramStep::Negative
                | ProgramStep::Not
                | ProgramStep::Truth
                | ProgramStep::Abs
                | ProgramStep::Log2
                | ProgramStep::Ln
                | ProgramStep::Exp => {
                    let value = unary(*step, self.pop());
                    self.stack.push(value);
                }
                ProgramStep::JumpUnless(to) => {
                    if self.pop().is_zero() {
                        next = to;
                    }
                }
                ProgramStep::Jump(to) => next = to,
                ProgramStep::Over(i) => {
                    let value = self.over(i);
                    self.stack.push(value);
                }
                ProgramStep::Related(relation, one, other) => {
                    let [one, other] = [one, other].map(|slot| self.slots[slot] as usize);
                    self.stack.push(N::count(u32::from(self.docs.stand(relation, one, other))));
                }
            }
        }
        self.pop()
    }

    /// Compiled code never takes more than it put.
    fn pop(&mut self) -> N {
        self.stack.pop().unwrap_or_else(N::zero)
    }

    fn column(&self, field: Field) -> &'a [N] {
        match field {
            Field::Alpha => &self.docs.alpha,
            Field::Sigma => &self.docs.sigma,
            Field::Pos => &self.docs.pos,
            Field::Gain => &self.docs.gain,
            Field::Ideal => &self.docs.ideal,
            Field::Judged => &self.docs.judged,
            Field::Other => &self.docs.second.sigma,
            Field::OtherPos => &self.docs.second.pos,
            Field::Sim => &self.docs.second.sims[0],
            Field::OtherSim => &self.docs.second.sims[1],
        }
    }

    fn over(&mut self, i: usize) -> N {
        let program = self.program;
        let over = &program.overs[i];
        match over.plan {
            Plan::Always => self.fold(over),
            Plan::Once => {
                if let Some(value) = &self.once[i] {
                    return value.clone();
                }
                let value = self.fold(over);
                self.once[i] = Some(value.clone());
                value
            }
            Plan::Running(comparison) => {
                let totals = self.totals(i, comparison);
                let with = &self.column(comparison.with)[self.slots[comparison.slot] as usize];
                let n = place(&totals, comparison.op, with, totals.len());
                finish(
                    over.kind,
                    totals[..n].last().map_or_else(|| start(over.kind), |(_, total)| total.clone()),
                )
            }
        }
    }

    fn fold(&mut self, over: &Over) -> N {
        let outer = self.slots[over.slot];
        let docs = self.filtered(over);
        let total = match &over.body {
            _ if docs.is_empty() => start(over.kind),
            None => N::count(docs.len() as u32),
            Some(body) => {
                let values = self.each(body, over.slot, &docs);
                let flags = &mut self.flags;
                let mut add = |total, value| join(over.kind, total, value, flags);
                match values {
                    DocumentValues::Each(values) => values.into_iter().fold(start(over.kind), add),
                    DocumentValues::One(value) => {
                        docs.iter().fold(start(over.kind), |total, _| add(total, value.clone()))
                    }
                }
            }
        };
        self.slots[over.slot] = outer;
        finish(over.kind, total)
    }

    /// The documents that a quantifier looks at.
    fn filtered(&mut self, over: &Over) -> Vec<u32> {
        let members = self.set(over.set).to_vec();
        match &over.filter {
            Some(filter) => self.passing(filter, over.slot, members),
            None => members,
        }
    }

    /// Those of the documents for which a condition holds.
    fn passing(&mut self, condition: &Code, slot: usize, docs: Vec<u32>) -> Vec<u32> {
        match self.each(condition, slot, &docs) {
            DocumentValues::One(value) => {
                if value.is_zero() {
                    Vec::new()
                } else {
                    docs
                }
            }
            DocumentValues::Each(values) => docs
                .into_iter()
                .zip(values)
                .filter(|(_, value)| !value.is_zero())
                .map(|(doc, _)| doc)
                .collect(),
        }
    }

    /// The value of code for each of some documents, which take the slot in turn.
    fn each(&mut self, code: &Code, slot: usize, docs: &[u32]) -> DocumentValues<N> {
        // Steps that cannot be taken for all documents at once.
        let jumps = |step: &ProgramStep| {
            matches!(
                step,
                ProgramStep::Jump(_) | ProgramStep::JumpUnless(_) | ProgramStep::Related(..)
            )
        };
        if code.iter().any(jumps) || docs.is_empty() {
            return DocumentValues::Each(self.in_turn(slot, docs, |machine| machine.run(code)));
        }
        let mut stack: Vec<DocumentValues<N>> = Vec::with_capacity(4);
        for step in code {
            let value = match *step {
                ProgramStep::Read(field, of) if of == slot => {
                    let column = self.column(field);
                    DocumentValues::Each(
                        docs.iter().map(|doc| column[*doc as usize].clone()).collect(),
                    )
                }
                ProgramStep::Binary(_) | ProgramStep::Min | ProgramStep::Max => {
                    match (stack.pop(), stack.pop()) {
                        (Some(b), Some(a)) => {
                            a.with(b, |a, b| binary(*step, a, b, &mut self.flags))
                        }
                        _ => DocumentValues::One(N::zero()),
                    }
                }
                ProgramStep::Negative
                | ProgramStep::Not
                | ProgramStep::Truth
                | ProgramStep::Abs
                | ProgramStep::Log2
                | ProgramStep::Ln
                | ProgramStep::Exp => match stack.pop() {
                    Some(value) => value.map(|x| unary(*step, x)),
                    None => DocumentValues::One(N::zero()),
                },
                ProgramStep::Over(i) => self.over_each(i, slot, docs),
                _ => DocumentValues::One(self.run(&[*step])),
            };
            stack.push(value);
        }
        stack.pop().unwrap_or_else(|| DocumentValues::One(N::zero()))
    }

    /// A quantifier within the code for each of some documents.
    fn over_each(&mut self, i: usize, slot: usize, docs: &[u32]) -> DocumentValues<N> {
        let program = self.program;
        let over = &program.overs[i];
        match over.plan {
            Plan::Once => DocumentValues::One(self.over(i)),
            Plan::Running(comparison) if comparison.slot == slot => {
                let totals = self.totals(i, comparison);
                let with = self.column(comparison.with);
                // Documents mostly stand in the order of the ranking, so the next place is near the
                // last one.
                let mut near = 0;
                let one = |doc: &u32| {
                    near = place(&totals, comparison.op, &with[*doc as usize], near);
                    finish(
                        over.kind,
                        totals[..near]
                            .last()
                            .map_or_else(|| start(over.kind), |(_, total)| total.clone()),
                    )
                };
                DocumentValues::Each(docs.iter().map(one).collect())
            }
            _ => DocumentValues::Each(self.in_turn(slot, docs, |machine| machine.over(i))),
        }
    }

    fn in_turn(
        &mut self,
        slot: usize,
        docs: &[u32],
        mut value: impl FnMut(&mut Self) -> N,
    ) -> Vec<N> {
        let one = |doc: &u32| {
            self.slots[slot] = *doc;
            value(self)
        };
        docs.iter().map(one).collect()
    }

    /// The running totals of a quantifier.
    fn totals(&mut self, i: usize, comparison: KeyComparison) -> RunningTotals<N> {
        if let Some(totals) = &self.running[i] {
            return totals.clone();
        }
        let program = self.program;
        let over = &program.overs[i];
        let keys = self.column(comparison.key);
        let outer = self.slots[over.slot];
        let mut members = self.filtered(over);
        let by_key = |a: &u32, b: &u32| {
            keys[*a as usize].partial_cmp(&keys[*b as usize]).unwrap_or(Ordering::Equal)
        };
        if matches!(comparison.op, Op::Less | Op::LessEqual) {
            members.sort_by(by_key);
        } else {
            members.sort_by(|a, b| by_key(b, a));
        }
        let values = match &over.body {
            Some(body) => self.each(body, over.slot, &members),
            None => DocumentValues::One(N::one()),
        };
        self.slots[over.slot] = outer;
        let mut total: N = start(over.kind);
        let flags = &mut self.flags;
        let mut up_to = |doc: &u32, value: N| {
            total = join(over.kind, total.clone(), value, flags);
            (keys[*doc as usize].clone(), total.clone())
        };
        let totals = Rc::new(match values {
            DocumentValues::Each(values) => {
                members.iter().zip(values).map(|(doc, value)| up_to(doc, value)).collect::<Vec<_>>()
            }
            DocumentValues::One(value) => {
                members.iter().map(|doc| up_to(doc, value.clone())).collect()
            }
        });
        self.running[i] = Some(totals.clone());
        totals
    }
}

/// A value for every document at hand, or the same for all.
enum DocumentValues<N> {
    One(N),
    Each(Vec<N>),
}

impl<N: Number> DocumentValues<N> {
    fn map(self, f: impl Fn(N) -> N) -> DocumentValues<N> {
        match self {
            DocumentValues::One(x) => DocumentValues::One(f(x)),
            DocumentValues::Each(values) => {
                DocumentValues::Each(values.into_iter().map(f).collect())
            }
        }
    }

    fn with(self, other: DocumentValues<N>, mut f: impl FnMut(N, N) -> N) -> DocumentValues<N> {
        match (self, other) {
            (DocumentValues::One(a), DocumentValues::One(b)) => DocumentValues::One(f(a, b)),
            (DocumentValues::Each(a), DocumentValues::One(b)) => {
                DocumentValues::Each(a.into_iter().map(|a| f(a, b.clone())).collect())
            }
            (DocumentValues::One(a), DocumentValues::Each(b)) => {
                DocumentValues::Each(b.into_iter().map(|b| f(a.clone(), b)).collect())
            }
            (DocumentValues::Each(a), DocumentValues::Each(b)) => {
                DocumentValues::Each(a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect())
            }
        }
    }
}

/// How many keys compare so with this number, given a guess.
fn place<N: Number>(totals: &[(N, N)], op: Op, with: &N, near: usize) -> usize {
    let within = |(key, _): &(N, N)| match op {
        Op::Less => key < with,
        Op::LessEqual => key <= with,
        Op::Greater => key > with,
        _ => key >= with,
    };
    if totals[..near].last().is_some_and(|last| !within(last)) {
        return totals[..near].partition_point(within);
    }
    // Steps that double: the place is near, or it takes no longer than a search of all.
    let (mut from, mut step) = (near, 1);
    while totals.get(from + step - 1).is_some_and(within) {
        from += step;
        step *= 2;
    }
    from + totals[from..totals.len().min(from + step)].partition_point(within)
}

fn unary<N: Number>(step: ProgramStep, x: N) -> N {
    match step {
        ProgramStep::Negative => -x,
        ProgramStep::Not => truth(x.is_zero()),
        ProgramStep::Truth => truth(!x.is_zero()),
        ProgramStep::Abs if x < N::zero() => -x,
        ProgramStep::Log2 => x.log2(),
        ProgramStep::Ln => x.ln(),
        // As for powers: a document that was not retrieved counts for nothing, exactly.
        ProgramStep::Exp if x.to_f64() == f64::NEG_INFINITY => N::zero(),
        ProgramStep::Exp => x.exp(),
        _ => x,
    }
}

#[inline]
fn binary<N: Number>(step: ProgramStep, a: N, b: N, flags: &mut Flags) -> N {
    let op = match step {
        ProgramStep::Binary(op) => op,
        ProgramStep::Min => return a.min(b),
        _ => return a.max(b),
    };
    match op {
        Op::Add => add(a, b, flags),
        Op::Subtract => {
            flags.doubtful |= is_nearly(&a, &b);
            a - b
        }
        Op::Multiply => a * b,
        Op::Divide => {
            if b.is_zero() {
                flags.undefined = true;
                return N::zero();
            }
            // A document that was not retrieved counts for nothing, exactly.
            if is_infinite(&b) { N::zero() } else { a / b }
        }
        Op::Power => power(a, &b),
        Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            flags.doubtful |= is_nearly(&a, &b);
            truth(match op {
                Op::Equal => a == b,
                Op::NotEqual => a != b,
                Op::Less => a < b,
                Op::LessEqual => a <= b,
                Op::Greater => a > b,
                _ => a >= b,
            })
        }
        // These are jumps.
        Op::And | Op::Or => N::zero(),
    }
}

fn truth<N: Number>(holds: bool) -> N {
    if holds { N::one() } else { N::zero() }
}

/// Whether two floats differ by so little that rounding may be all of it. Other numbers know when
/// they are equal.
fn is_nearly<N: Number>(a: &N, b: &N) -> bool {
    is_float::<N>() && nearly(a.to_f64(), b.to_f64())
}

fn is_float<N: Number>() -> bool {
    TypeId::of::<N>() == TypeId::of::<f64>()
}

fn nearly(a: f64, b: f64) -> bool {
    a != b && a.is_finite() && b.is_finite() && (a - b).abs() <= NEAR * a.abs()
}

/// A sum. What is left if floats cancel each other may be rounding and nothing else.
#[inline]
fn add<N: Number>(a: N, b: N, flags: &mut Flags) -> N {
    flags.doubtful |= is_float::<N>() && nearly(a.to_f64(), -b.to_f64());
    a + b
}

/// Constants as the numbers of a machine; floats are those already.
fn constants<N: Number>(program: &Program) -> Cow<'_, [N]> {
    match (&program.constants as &dyn Any).downcast_ref::<Vec<N>>() {
        Some(same) => Cow::Borrowed(same),
        None => program.constants.iter().map(|x| N::decimal(*x)).collect(),
    }
}

fn is_infinite<N: Number>(x: &N) -> bool {
    x.to_f64().is_infinite()
}

fn power<N: Number>(base: N, exponent: &N) -> N {
    let e = exponent.to_f64();
    if e == f64::INFINITY && base.to_f64().abs() < 1.0 {
        return N::zero();
    }
    base.power(exponent.clone())
}

/// The value over no document.
fn start<N: Number>(kind: QuantifierKind) -> N {
    match kind {
        QuantifierKind::Product => N::one(),
        QuantifierKind::Min => N::infinity(),
        QuantifierKind::Max => -N::infinity(),
        QuantifierKind::Count
        | QuantifierKind::Sum
        | QuantifierKind::Exists
        | QuantifierKind::None => N::zero(),
    }
}

fn join<N: Number>(kind: QuantifierKind, total: N, value: N, flags: &mut Flags) -> N {
    match kind {
        QuantifierKind::Product => total * value,
        QuantifierKind::Min => total.min(value),
        QuantifierKind::Max => total.max(value),
        QuantifierKind::Count
        | QuantifierKind::Sum
        | QuantifierKind::Exists
        | QuantifierKind::None => add(total, value, flags),
    }
}

fn finish<N: Number>(kind: QuantifierKind, total: N) -> N {
    match kind {
        QuantifierKind::Exists => truth(!total.is_zero()),
        QuantifierKind::None => truth(total.is_zero()),
        _ => total,
    }
}
