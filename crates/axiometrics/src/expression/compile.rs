//! From trees to programs: names are resolved, types checked, and what would be computed again for
//! every document is found.

use super::measurement::Measurement;
use super::syntax::{Expr, Fault, Node, Op, Quantifier, QuantifierKind};

type Compiled<T> = std::result::Result<T, Fault>;

/// What an expression may speak of.
#[derive(Debug, Clone, Default)]
pub(crate) struct Language {
    pub alpha: Measurement,
    pub sigma: Measurement,
    /// The parameters, in the order of their values.
    pub params: Vec<String>,
    /// Named sets with the condition for `d`; each may use those before it.
    pub sets: Vec<(String, Node)>,
    /// The similarity of `d`.
    pub sim: Option<Node>,
    /// There is a second system, of which documents have a value too.
    pub two_systems: bool,
}

/// One step on a stack of numbers; a truth is 0 or 1, a level its number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    Constant(usize),
    Param(usize),
    Relevant,
    TopGrade,
    Read(Field, usize),
    Binary(Op),
    Negative,
    Not,
    Abs,
    Log2,
    Ln,
    Min,
    Max,
    JumpUnless(usize),
    Jump(usize),
    /// Leaves 0 or 1 according to the top of the stack: the end of `and` and `or`.
    Truth,
    Over(usize),
    /// Whether the assessor prefers the document of the first slot to that of the second.
    Prefers(usize, usize),
}

/// What is known of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Alpha,
    Sigma,
    Pos,
    Gain,
    Ideal,
    Judged,
    /// Of a second system.
    Other,
    OtherPos,
    /// The similarity by the first system and by the second.
    Sim,
    OtherSim,
}

pub(crate) type Code = Vec<Step>;

/// A quantifier, ready to run.
#[derive(Debug, Clone)]
pub(crate) struct Over {
    pub kind: QuantifierKind,
    pub set: usize,
    pub slot: usize,
    pub filter: Option<Code>,
    pub body: Option<Code>,
    pub plan: Plan,
}

/// How a quantifier is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Plan {
    /// For each document anew.
    Always,
    /// Once for the topic: nothing in it depends on the document at hand.
    Once,
    /// From running totals by position: all that depends on the document at hand is a comparison
    /// with its position. The comparison is not in the filter.
    Running(Op, usize),
}

impl Program {
    /// To the power of this the cost of a piece of code grows with the number of documents.
    pub(crate) fn nesting(&self, code: &Code) -> u32 {
        let over = |step: &Step| {
            let Step::Over(i) = step else { return 0 };
            let over = &self.overs[*i];
            let set = self.sets[over.set].as_ref();
            let inner = [set, over.filter.as_ref(), over.body.as_ref()];
            let inner = inner.into_iter().flatten().map(|code| self.nesting(code)).max();
            match over.plan {
                Plan::Always => 1 + inner.unwrap_or(0),
                Plan::Once | Plan::Running(..) => inner.unwrap_or(0).max(1),
            }
        };
        code.iter().map(over).max().unwrap_or(0)
    }
}

/// Everything that was compiled, sharing constants and quantifiers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    pub constants: Vec<f64>,
    pub overs: Vec<Over>,
    /// The conditions of sets; the first set is D, which has none.
    pub sets: Vec<Option<Code>>,
    /// How many variables can be alive at once.
    pub slots: usize,
    /// Some expression asks for places in the ideal ranking.
    pub reads_ideal: bool,
    /// Some expression asks what was judged, not only what is worth something.
    pub reads_judged: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Number,
    Truth,
    AlphaLevel,
    SigmaLevel,
}

impl Type {
    fn word(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Truth => "a condition",
            Type::AlphaLevel | Type::SigmaLevel => "a level",
        }
    }
}

/// Sets that every file has: the documents with a gain, and those that were retrieved.
const GIVEN: [(&str, &str); 2] = [("Rel", "gain(d) > 0"), ("Ret", "1 / pos(d) > 0")];
const MOST_NESTED: usize = 4;

pub(crate) struct Compiler<'l> {
    language: &'l Language,
    pub program: Program,
    /// Names of sets, in step with the program's.
    names: Vec<String>,
    scope: Vec<(String, usize)>,
}

impl<'l> Compiler<'l> {
    /// Compiles the sets. A fault comes with the name of the set that it is in.
    pub(crate) fn new(
        language: &'l Language,
    ) -> std::result::Result<Compiler<'l>, (String, Fault)> {
        let program = Program { sets: vec![None], slots: 1, ..Program::default() };
        let mut compiler =
            Compiler { language, program, names: vec!["D".to_string()], scope: Vec::new() };
        let given =
            GIVEN.iter().filter(|(name, _)| !language.sets.iter().any(|(own, _)| own == name));
        let given = given.filter_map(|(name, text)| {
            super::syntax::parse(text).ok().map(|node| (name.to_string(), node))
        });
        for (name, condition) in given.chain(language.sets.iter().cloned()) {
            let code =
                compiler.truth_of_document(&condition).map_err(|fault| (name.clone(), fault))?;
            compiler.program.sets.push(Some(code));
            compiler.names.push(name);
        }
        Ok(compiler)
    }

    /// A number that depends on the topic alone.
    pub(crate) fn number(&mut self, node: &Node) -> Compiled<Code> {
        self.whole(node, Type::Number, None)
    }

    /// A condition that depends on the topic alone.
    pub(crate) fn condition(&mut self, node: &Node) -> Compiled<Code> {
        self.whole(node, Type::Truth, None)
    }

    /// A number that depends on a document `d`, which is in the first slot.
    pub(crate) fn number_of_document(&mut self, node: &Node) -> Compiled<Code> {
        self.number_of("d", node)
    }

    /// The same, if the document has another name.
    pub(crate) fn number_of(&mut self, variable: &str, node: &Node) -> Compiled<Code> {
        self.whole(node, Type::Number, Some(variable))
    }

    fn truth_of_document(&mut self, node: &Node) -> Compiled<Code> {
        self.whole(node, Type::Truth, Some("d"))
    }

    fn whole(&mut self, node: &Node, wanted: Type, variable: Option<&str>) -> Compiled<Code> {
        self.scope = variable.map(|v| (v.to_string(), 0)).into_iter().collect();
        let mut code = Code::new();
        self.typed(node, wanted, &mut code)?;
        Ok(code)
    }

    /// The number of a set.
    pub(crate) fn set(&self, name: &str, at: usize) -> Compiled<usize> {
        self.names.iter().position(|n| n == name).ok_or_else(|| {
            Fault::new(at, format!("no set \"{name}\", expected one of {}", self.names.join(", ")))
        })
    }

    fn typed(&mut self, node: &Node, wanted: Type, code: &mut Code) -> Compiled<()> {
        let found = self.emit(node, code)?;
        // A condition counts 0 or 1 if a number is wanted.
        if found == wanted || (found == Type::Truth && wanted == Type::Number) {
            return Ok(());
        }
        Err(Fault::new(node.at, format!("found {}, expected {}", found.word(), wanted.word())))
    }

    fn emit(&mut self, node: &Node, code: &mut Code) -> Compiled<Type> {
        match &node.expr {
            Expr::Number(x) => {
                self.constant(*x, code);
                Ok(Type::Number)
            }
            Expr::Level(level) => Err(Fault::new(
                node.at,
                format!("the level '{level}' can only be compared with an alpha or a sigma"),
            )),
            Expr::Name(name) => self.name(name, node.at, code),
            Expr::Call(name, arguments) => self.call(name, arguments, node.at, code),
            Expr::Negative(inner) => {
                self.typed(inner, Type::Number, code)?;
                code.push(Step::Negative);
                Ok(Type::Number)
            }
            Expr::Not(inner) => {
                self.typed(inner, Type::Truth, code)?;
                code.push(Step::Not);
                Ok(Type::Truth)
            }
            Expr::Binary(op @ (Op::And | Op::Or), left, right) => {
                self.typed(left, Type::Truth, code)?;
                if *op == Op::Or {
                    code.push(Step::Not);
                }
                let jump = code.len();
                code.push(Step::JumpUnless(0));
                self.typed(right, Type::Truth, code)?;
                code.push(Step::Truth);
                let out = code.len() + 2;
                code.push(Step::Jump(out));
                code[jump] = Step::JumpUnless(code.len());
                self.constant(if *op == Op::Or { 1.0 } else { 0.0 }, code);
                Ok(Type::Truth)
            }
            Expr::Binary(op, left, right) if op.compares() => {
                self.comparison(*op, left, right, node.at, code)
            }
            Expr::Binary(Op::Divide, _, right) if self.has_no_zero(right) => Err(Fault::new(
                right.at,
                "an interval scale has no true zero, so nothing can be divided by its values, only by their differences; with a true zero the scale is \"ratio\"",
            )),
            Expr::Binary(op, left, right) => {
                self.typed(left, Type::Number, code)?;
                self.typed(right, Type::Number, code)?;
                code.push(Step::Binary(*op));
                Ok(Type::Number)
            }
            Expr::Over(q) => self.over(q, node.at, code),
        }
    }

    /// Whether an expression is a value of an interval scale, as it is.
    fn has_no_zero(&self, node: &Node) -> bool {
        let measurement = match &node.expr {
            Expr::Name(name) if self.language.params.contains(name) => return false,
            Expr::Name(name) | Expr::Call(name, _) => match name.as_str() {
                "a" | "alpha" => &self.language.alpha,
                "s" | "sigma" => &self.language.sigma,
                _ => return false,
            },
            _ => return false,
        };
        measurement.scale == super::Scale::Interval
    }

    fn constant(&mut self, x: f64, code: &mut Code) {
        let known = self.program.constants.iter().position(|c| c.to_bits() == x.to_bits());
        let at = known.unwrap_or_else(|| {
            self.program.constants.push(x);
            self.program.constants.len() - 1
        });
        code.push(Step::Constant(at));
    }

    fn slot(&self, variable: &str, at: usize) -> Compiled<usize> {
        let found = self.scope.iter().rev().find(|(name, _)| name == variable);
        found
            .map(|(_, slot)| *slot)
            .ok_or_else(|| Fault::new(at, format!("no document \"{variable}\" here")))
    }

    fn name(&mut self, name: &str, at: usize, code: &mut Code) -> Compiled<Type> {
        if let Some(param) = self.language.params.iter().position(|p| p == name) {
            code.push(Step::Param(param));
            return Ok(Type::Number);
        }
        match (name, &self.language.sim) {
            ("R", _) => code.push(Step::Relevant),
            ("max_grade", _) => code.push(Step::TopGrade),
            ("a", _) => return self.read(Field::Alpha, "d", at, code),
            ("s", _) => return self.read(Field::Sigma, "d", at, code),
            ("sim", Some(sim)) => {
                let slot = self.slot("d", at)?;
                // The similarity sees its own document and nothing else of the expression around
                // it.
                let outer = std::mem::replace(&mut self.scope, vec![("d".to_string(), slot)]);
                let emitted = self
                    .typed(sim, Type::Number, code)
                    .map_err(|fault| Fault::new(at, format!("in sim: {}", fault.message)));
                self.scope = outer;
                emitted?;
            }
            _ if self.scope.iter().any(|(variable, _)| variable == name) => {
                return Err(Fault::new(
                    at,
                    format!(
                        "\"{name}\" is a document: ask for alpha({name}), sigma({name}), pos({name}), gain({name}) or ideal({name})"
                    ),
                ));
            }
            _ => {
                let mut known: Vec<&str> =
                    self.language.params.iter().map(String::as_str).collect();
                known.extend(["R", "max_grade"]);
                known.extend(
                    self.scope
                        .iter()
                        .any(|(v, _)| v == "d")
                        .then_some(["a", "s"])
                        .into_iter()
                        .flatten(),
                );
                known.extend(self.language.sim.is_some().then_some("sim"));
                return Err(Fault::new(
                    at,
                    format!("unknown name \"{name}\", expected one of {}", known.join(", ")),
                ));
            }
        }
        Ok(Type::Number)
    }

    fn read(&mut self, field: Field, variable: &str, at: usize, code: &mut Code) -> Compiled<Type> {
        code.push(Step::Read(field, self.slot(variable, at)?));
        Ok(match field {
            Field::Alpha if self.language.alpha.scale.has_levels() => Type::AlphaLevel,
            Field::Sigma if self.language.sigma.scale.has_levels() => Type::SigmaLevel,
            Field::Judged => Type::Truth,
            _ => Type::Number,
        })
    }

    fn call(
        &mut self,
        name: &str,
        arguments: &[Node],
        at: usize,
        code: &mut Code,
    ) -> Compiled<Type> {
        let field = match name {
            "alpha" => Some(Field::Alpha),
            "sigma" => Some(Field::Sigma),
            "pos" => Some(Field::Pos),
            "gain" => Some(Field::Gain),
            "ideal" => Some(Field::Ideal),
            "judged" => Some(Field::Judged),
            "other" if self.language.two_systems => Some(Field::Other),
            "other_pos" if self.language.two_systems => Some(Field::OtherPos),
            "sim" if self.language.two_systems => Some(Field::Sim),
            "other_sim" if self.language.two_systems => Some(Field::OtherSim),
            _ => None,
        };
        if let Some(field) = field {
            self.program.reads_ideal |= field == Field::Ideal;
            self.program.reads_judged |= field == Field::Judged;
            return match arguments {
                [Node { expr: Expr::Name(variable), at }] => self.read(field, variable, *at, code),
                _ => Err(Fault::new(at, format!("{name} takes one document, as in {name}(d)"))),
            };
        }
        if name == "prefers" {
            let [
                Node { expr: Expr::Name(one), at: first },
                Node { expr: Expr::Name(other), at: second },
            ] = arguments
            else {
                return Err(Fault::new(at, "prefers takes two documents, as in prefers(x, d)"));
            };
            code.push(Step::Prefers(self.slot(one, *first)?, self.slot(other, *second)?));
            self.program.reads_judged = true;
            return Ok(Type::Truth);
        }
        let (count, step) = match name {
            "abs" => (1, Step::Abs),
            "log2" => (1, Step::Log2),
            "ln" => (1, Step::Ln),
            "min" => (2, Step::Min),
            "max" => (2, Step::Max),
            "if" => {
                let [condition, yes, no] = arguments else {
                    return Err(Fault::new(
                        at,
                        "if takes a condition and two numbers: if(c, x, y)",
                    ));
                };
                self.typed(condition, Type::Truth, code)?;
                let unless = code.len();
                code.push(Step::JumpUnless(0));
                self.typed(yes, Type::Number, code)?;
                let jump = code.len();
                code.push(Step::Jump(0));
                code[unless] = Step::JumpUnless(code.len());
                self.typed(no, Type::Number, code)?;
                code[jump] = Step::Jump(code.len());
                return Ok(Type::Number);
            }
            _ => {
                return Err(Fault::new(
                    at,
                    format!(
                        "unknown function \"{name}\", expected alpha, sigma, pos, gain, ideal, judged, prefers, if, abs, log2, ln, min, max or a quantifier"
                    ),
                ));
            }
        };
        // min and max take two numbers or more.
        if arguments.len() < count || (count == 1 && arguments.len() > 1) {
            return Err(Fault::new(
                at,
                format!(
                    "{name} takes {}, found {}",
                    if count == 1 { "one number" } else { "two numbers or more" },
                    arguments.len()
                ),
            ));
        }
        for (i, argument) in arguments.iter().enumerate() {
            self.typed(argument, Type::Number, code)?;
            if count == 1 || i > 0 {
                code.push(step);
            }
        }
        Ok(Type::Number)
    }

    fn comparison(
        &mut self,
        op: Op,
        left: &Node,
        right: &Node,
        at: usize,
        code: &mut Code,
    ) -> Compiled<Type> {
        let (a, b) = match (&left.expr, &right.expr) {
            (Expr::Level(_), Expr::Level(_)) => {
                return Err(Fault::new(at, "two levels are compared with each other"));
            }
            (Expr::Level(level), _) => {
                let mut other = Code::new();
                let side = self.emit(right, &mut other)?;
                self.level(level, side, left.at, code)?;
                code.extend(other);
                (side, side)
            }
            (_, Expr::Level(level)) => {
                let side = self.emit(left, code)?;
                self.level(level, side, right.at, code)?;
                (side, side)
            }
            _ => (self.emit(left, code)?, self.emit(right, code)?),
        };
        let levels = |t: Type| matches!(t, Type::AlphaLevel | Type::SigmaLevel);
        let language = self.language;
        if a != b && !(levels(a) && levels(b) && language.alpha.levels == language.sigma.levels) {
            return Err(Fault::new(
                at,
                format!(
                    "{} is compared with {}{}",
                    a.word(),
                    b.word(),
                    if levels(a) && levels(b) { " of another scale" } else { "" }
                ),
            ));
        }
        let ordered = |t: Type| match t {
            Type::AlphaLevel => language.alpha.scale == super::Scale::RankedCategories,
            Type::SigmaLevel => language.sigma.scale == super::Scale::RankedCategories,
            Type::Number | Type::Truth => true,
        };
        let compares_order = !matches!(op, Op::Equal | Op::NotEqual);
        if compares_order && (!ordered(a) || !ordered(b)) {
            return Err(Fault::new(
                at,
                format!(
                    "categories of a nominal scale have no order: {} means nothing here, expected == or !=",
                    op.sign()
                ),
            ));
        }
        code.push(Step::Binary(op));
        Ok(Type::Truth)
    }

    fn level(&mut self, level: &str, side: Type, at: usize, code: &mut Code) -> Compiled<()> {
        let measurement = match side {
            Type::AlphaLevel => &self.language.alpha,
            Type::SigmaLevel => &self.language.sigma,
            _ => {
                return Err(Fault::new(
                    at,
                    format!("the level '{level}' is compared with {}", side.word()),
                ));
            }
        };
        let found = measurement.levels.iter().position(|l| l == level);
        let i = found.ok_or_else(|| {
            Fault::new(
                at,
                format!(
                    "no level '{level}', expected one of '{}'",
                    measurement.levels.join("', '")
                ),
            )
        })?;
        self.constant(i as f64, code);
        Ok(())
    }

    fn over(&mut self, q: &Quantifier, at: usize, code: &mut Code) -> Compiled<Type> {
        let slot = self.scope.iter().map(|(_, slot)| slot + 1).max().unwrap_or(0);
        if slot > MOST_NESTED {
            return Err(Fault::new(
                at,
                format!(
                    "quantifiers are nested more than {MOST_NESTED} deep, which would take for ever"
                ),
            ));
        }
        self.program.slots = self.program.slots.max(slot + 1);
        let set = self.set(&q.set, q.set_at)?;
        let (running, filter) = self.split(q);
        self.scope.push((q.variable.clone(), slot));
        let mut part = |node: Option<&Node>, wanted: Type| -> Compiled<Option<Code>> {
            let mut code = Code::new();
            node.map(|n| self.typed(n, wanted, &mut code)).transpose()?;
            Ok(node.map(|_| code))
        };
        // The whole filter is checked, whatever part of it is run.
        let whole = part(q.filter.as_ref(), Type::Truth);
        let rest = part(filter.as_ref(), Type::Truth);
        let body = part(q.body.as_ref(), Type::Number);
        self.scope.pop();
        let (whole, rest, body) = (whole?, rest?, body?);
        let plan = match running {
            Some((op, outer)) => Plan::Running(op, outer),
            None if [&whole, &body].into_iter().flatten().all(|c| self.closed(c, slot)) => {
                Plan::Once
            }
            None => Plan::Always,
        };
        let filter = if matches!(plan, Plan::Running(..)) { rest } else { whole };
        self.program.overs.push(Over { kind: q.kind, set, slot, filter, body, plan });
        code.push(Step::Over(self.program.overs.len() - 1));
        Ok(if matches!(q.kind, QuantifierKind::Exists | QuantifierKind::None) {
            Type::Truth
        } else {
            Type::Number
        })
    }

    /// Whether code reads no document but that of this slot and of slots within.
    fn closed(&self, code: &Code, slot: usize) -> bool {
        code.iter().all(|step| match step {
            Step::Read(_, read) => *read >= slot,
            Step::Prefers(one, other) => *one >= slot && *other >= slot,
            Step::Over(i) => {
                let over = &self.program.overs[*i];
                let compared = matches!(over.plan, Plan::Running(_, outer) if outer < slot);
                !compared
                    && [&over.filter, &over.body]
                        .into_iter()
                        .flatten()
                        .all(|c| self.closed(c, slot))
            }
            _ => true,
        })
    }

    /// Finds `pos(x) <= pos(d)` in a filter whose rest, like the body, depends on x alone: the
    /// comparison, the slot of d, and the rest.
    fn split(&self, q: &Quantifier) -> (Option<(Op, usize)>, Option<Node>) {
        let mut parts = Vec::new();
        if let Some(filter) = &q.filter {
            conjuncts(filter, &mut parts);
        }
        let found = parts
            .iter()
            .enumerate()
            .find_map(|(i, part)| Some((i, self.by_position(part, &q.variable)?)));
        let Some((i, (op, slot))) = found else { return (None, None) };
        parts.remove(i);
        let free = |node: &Node| speaks_of_others(node, &q.variable);
        if parts.iter().any(|p| free(p)) || q.body.as_ref().is_some_and(free) {
            return (None, None);
        }
        let and = |a: Node, b: &Node| Node {
            at: b.at,
            expr: Expr::Binary(Op::And, Box::new(a), Box::new(b.clone())),
        };
        let rest = parts
            .split_first()
            .map(|(first, others)| others.iter().fold((*first).clone(), |a, b| and(a, b)));
        (Some((op, slot)), rest)
    }

    fn by_position(&self, node: &Node, variable: &str) -> Option<(Op, usize)> {
        let Expr::Binary(op, left, right) = &node.expr else { return None };
        let of = |node: &Node| match &node.expr {
            Expr::Call(name, arguments) if name == "pos" => match arguments.as_slice() {
                [Node { expr: Expr::Name(v), .. }] => Some(v.clone()),
                _ => None,
            },
            _ => None,
        };
        let (a, b) = (of(left)?, of(right)?);
        let mirrored = match op {
            Op::Less => Op::Greater,
            Op::LessEqual => Op::GreaterEqual,
            Op::Greater => Op::Less,
            Op::GreaterEqual => Op::LessEqual,
            _ => return None,
        };
        let (op, outer) = if a == variable { (*op, b) } else { (mirrored, a) };
        if outer == variable {
            return None;
        }
        self.slot(&outer, 0).ok().map(|slot| (op, slot))
    }
}

fn conjuncts<'n>(node: &'n Node, parts: &mut Vec<&'n Node>) {
    match &node.expr {
        Expr::Binary(Op::And, left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(node),
    }
}

/// The functions that take documents.
const OF_DOCUMENTS: [&str; 11] = [
    "alpha",
    "sigma",
    "pos",
    "gain",
    "ideal",
    "judged",
    "prefers",
    "other",
    "other_pos",
    "sim",
    "other_sim",
];

/// Whether a tree mentions a document other than the one that this variable names.
fn speaks_of_others(node: &Node, own: &str) -> bool {
    let mut bound = vec![own];
    mentions_free(node, &mut bound)
}

fn mentions_free<'n>(node: &'n Node, bound: &mut Vec<&'n str>) -> bool {
    match &node.expr {
        Expr::Number(_) | Expr::Level(_) => false,
        Expr::Name(name) => ["a", "s", "sim"].contains(&name.as_str()) && !bound.contains(&"d"),
        Expr::Call(name, arguments) if OF_DOCUMENTS.contains(&name.as_str()) => arguments
            .iter()
            .any(|a| !matches!(&a.expr, Expr::Name(v) if bound.contains(&v.as_str()))),
        Expr::Call(_, arguments) => arguments.iter().any(|a| mentions_free(a, bound)),
        Expr::Negative(inner) | Expr::Not(inner) => mentions_free(inner, bound),
        Expr::Binary(_, left, right) => mentions_free(left, bound) || mentions_free(right, bound),
        Expr::Over(q) => {
            bound.push(&q.variable);
            let found = q.filter.iter().chain(&q.body).any(|n| mentions_free(n, bound));
            bound.pop();
            found
        }
    }
}
