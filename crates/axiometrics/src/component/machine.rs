//! Runs programs on the documents of a topic.

use std::cmp::Ordering;
use std::rc::Rc;

use super::compile::{Code, Field, Over, Plan, Program, Step};
use super::measurement::Docs;
use super::syntax::{Kind, Op};
use crate::measure::Number;

/// Positions, each with the total up to it.
type Totals<N> = Rc<Vec<(N, N)>>;

/// All that is known while one topic is scored; what does not depend on the document at hand is computed once.
pub(super) struct Machine<'a, N> {
    program: &'a Program,
    docs: &'a Docs<N>,
    params: &'a [N],
    constants: Vec<N>,
    sets: Vec<Option<Rc<[u32]>>>,
    slots: Vec<u32>,
    stack: Vec<N>,
    once: Vec<Option<N>>,
    running: Vec<Option<Totals<N>>>,
    /// Something was divided by zero.
    pub undefined: bool,
}

impl<'a, N: Number> Machine<'a, N> {
    pub(super) fn new(program: &'a Program, docs: &'a Docs<N>, params: &'a [N]) -> Machine<'a, N> {
        Machine {
            program,
            docs,
            params,
            constants: program.constants.iter().map(|x| constant(*x)).collect(),
            sets: vec![None; program.sets.len()],
            slots: vec![0; program.slots],
            stack: Vec::with_capacity(16),
            once: vec![None; program.overs.len()],
            running: vec![None; program.overs.len()],
            undefined: false,
        }
    }

    /// The value of code that speaks of the whole topic.
    pub(super) fn value(&mut self, code: &Code) -> N {
        self.run(code)
    }

    /// The value of code that speaks of one document.
    pub(super) fn value_of(&mut self, code: &Code, doc: u32) -> N {
        self.slots[0] = doc;
        self.run(code)
    }

    /// The documents of a set.
    pub(super) fn set(&mut self, set: usize) -> Rc<[u32]> {
        if let Some(members) = &self.sets[set] {
            return members.clone();
        }
        let program = self.program;
        let all = 0..self.docs.len() as u32;
        let members: Rc<[u32]> = match &program.sets[set] {
            None => all.collect(),
            Some(condition) => {
                let outer = self.slots[0];
                let members = all.filter(|doc| !self.value_of(condition, *doc).is_zero()).collect();
                self.slots[0] = outer;
                members
            }
        };
        self.sets[set] = Some(members.clone());
        members
    }

    fn run(&mut self, code: &Code) -> N {
        let mut next = 0;
        while let Some(step) = code.get(next) {
            next += 1;
            match *step {
                Step::Constant(i) => self.stack.push(self.constants[i].clone()),
                Step::Param(i) => self.stack.push(self.params[i].clone()),
                Step::Relevant => self.stack.push(N::count(self.docs.relevant())),
                Step::TopGrade => self.stack.push(self.docs.top_grade.clone()),
                Step::Read(field, slot) => {
                    let doc = self.slots[slot] as usize;
                    let column = match field {
                        Field::Alpha => &self.docs.alpha,
                        Field::Sigma => &self.docs.sigma,
                        Field::Pos => &self.docs.pos,
                        Field::Gain => &self.docs.gain,
                        Field::Ideal => &self.docs.ideal,
                    };
                    self.stack.push(column[doc].clone());
                }
                Step::Binary(op) => {
                    let (b, a) = (self.pop(), self.pop());
                    let value = self.binary(op, a, b);
                    self.stack.push(value);
                }
                Step::Negative => self.change(|x| -x),
                Step::Not => self.change(|x| truth(x.is_zero())),
                Step::Truth => self.change(|x| truth(!x.is_zero())),
                Step::Abs => self.change(|x| if x < N::zero() { -x } else { x }),
                Step::Log2 => self.change(log2),
                Step::Ln => self.change(N::ln),
                Step::Min => {
                    let (b, a) = (self.pop(), self.pop());
                    self.stack.push(a.min(b));
                }
                Step::Max => {
                    let (b, a) = (self.pop(), self.pop());
                    self.stack.push(a.max(b));
                }
                Step::JumpUnless(to) => {
                    if self.pop().is_zero() {
                        next = to;
                    }
                }
                Step::Jump(to) => next = to,
                Step::Over(i) => {
                    let value = self.over(i);
                    self.stack.push(value);
                }
            }
        }
        self.pop()
    }

    /// Compiled code never takes more than it put.
    fn pop(&mut self) -> N {
        self.stack.pop().unwrap_or_else(N::zero)
    }

    fn change(&mut self, f: impl FnOnce(N) -> N) {
        let x = self.pop();
        self.stack.push(f(x));
    }

    fn binary(&mut self, op: Op, a: N, b: N) -> N {
        match op {
            Op::Add => a + b,
            Op::Subtract => a - b,
            Op::Multiply => a * b,
            Op::Divide => {
                if b.is_zero() {
                    self.undefined = true;
                    return N::zero();
                }
                // A document that was not retrieved counts for nothing, exactly.
                if is_infinite(&b) { N::zero() } else { a / b }
            }
            Op::Power => power(a, &b),
            Op::Equal => truth(a == b),
            Op::NotEqual => truth(a != b),
            Op::Less => truth(a < b),
            Op::LessEqual => truth(a <= b),
            Op::Greater => truth(a > b),
            Op::GreaterEqual => truth(a >= b),
            // These are jumps.
            Op::And | Op::Or => N::zero(),
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
            Plan::Running(op, slot) => {
                let pos = self.docs.pos[self.slots[slot] as usize].clone();
                let totals = self.totals(i, op);
                let within = |key: &N| match op {
                    Op::Less => *key < pos,
                    Op::LessEqual => *key <= pos,
                    Op::Greater => *key > pos,
                    _ => *key >= pos,
                };
                let n = totals.partition_point(|(key, _)| within(key));
                let total = if n == 0 { start(over.kind) } else { totals[n - 1].1.clone() };
                finish(over.kind, total)
            }
        }
    }

    fn fold(&mut self, over: &Over) -> N {
        let outer = self.slots[over.slot];
        let mut total = start(over.kind);
        for doc in self.set(over.set).iter() {
            if let Some(value) = self.term(over, *doc) {
                total = join(over.kind, total, value);
            }
        }
        self.slots[over.slot] = outer;
        finish(over.kind, total)
    }

    /// What one document adds, where it passes the filter.
    fn term(&mut self, over: &Over, doc: u32) -> Option<N> {
        self.slots[over.slot] = doc;
        if let Some(filter) = &over.filter
            && self.run(filter).is_zero()
        {
            return None;
        }
        Some(over.body.as_ref().map_or_else(N::one, |body| self.run(body)))
    }

    /// Positions in the order of the comparison, each with the total up to it.
    fn totals(&mut self, i: usize, op: Op) -> Totals<N> {
        if let Some(totals) = &self.running[i] {
            return totals.clone();
        }
        let program = self.program;
        let over = &program.overs[i];
        let docs = self.docs;
        let mut members: Vec<u32> = self.set(over.set).to_vec();
        let by_pos = |a: &u32, b: &u32| docs.pos[*a as usize].partial_cmp(&docs.pos[*b as usize]).unwrap_or(Ordering::Equal);
        if matches!(op, Op::Less | Op::LessEqual) {
            members.sort_by(by_pos);
        } else {
            members.sort_by(|a, b| by_pos(b, a));
        }
        let outer = self.slots[over.slot];
        let mut totals = Vec::with_capacity(members.len());
        let mut total = start(over.kind);
        for doc in members {
            if let Some(value) = self.term(over, doc) {
                total = join(over.kind, total, value);
                totals.push((docs.pos[doc as usize].clone(), total.clone()));
            }
        }
        self.slots[over.slot] = outer;
        let totals = Rc::new(totals);
        self.running[i] = Some(totals.clone());
        totals
    }
}

/// A number of the text. Whole ones need no decimal reading.
fn constant<N: Number>(x: f64) -> N {
    if x.fract() == 0.0 && x.abs() < 1e15 { N::int(x as i64) } else { N::decimal(x) }
}

fn truth<N: Number>(holds: bool) -> N {
    if holds { N::one() } else { N::zero() }
}

fn is_infinite<N: Number>(x: &N) -> bool {
    x.to_f64().is_infinite()
}

fn log2<N: Number>(x: N) -> N {
    let float = x.to_f64();
    if float >= 1.0 && float.fract() == 0.0 && float <= f64::from(u32::MAX) { N::log2_int(float as u32) } else { N::approx(float.log2()) }
}

fn power<N: Number>(base: N, exponent: &N) -> N {
    let e = exponent.to_f64();
    if e == f64::INFINITY && base.to_f64().abs() < 1.0 {
        return N::zero();
    }
    if e.fract() == 0.0 && e.abs() <= 1024.0 {
        let whole = base.clone().powi(e.abs() as u32);
        return if e < 0.0 && !base.is_zero() { N::one() / whole } else { whole };
    }
    base.powf(e)
}

/// The value over no document.
fn start<N: Number>(kind: Kind) -> N {
    match kind {
        Kind::Product => N::one(),
        Kind::Min => N::approx(f64::INFINITY),
        Kind::Max => N::approx(f64::NEG_INFINITY),
        Kind::Count | Kind::Sum | Kind::Exists | Kind::None => N::zero(),
    }
}

fn join<N: Number>(kind: Kind, total: N, value: N) -> N {
    match kind {
        Kind::Product => total * value,
        Kind::Min => total.min(value),
        Kind::Max => total.max(value),
        Kind::Count | Kind::Sum | Kind::Exists | Kind::None => total + value,
    }
}

fn finish<N: Number>(kind: Kind, total: N) -> N {
    match kind {
        Kind::Exists => truth(!total.is_zero()),
        Kind::None => truth(total.is_zero()),
        _ => total,
    }
}
