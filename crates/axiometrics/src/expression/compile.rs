//! From trees to programs: names are resolved, types checked, and what would be computed again for
//! every document is found.

use super::measurement::Measurement;
use super::program::{Code, DocumentRelation, Field, Program, ProgramStep};
use super::syntax::{Expr, Fault, Node, Op};
use crate::choice::Choice;

pub(super) type Compiled<T> = std::result::Result<T, Fault>;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
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

pub(crate) struct Compiler<'l> {
    language: &'l Language,
    pub program: Program,
    /// Names of sets, in step with the program's.
    names: Vec<String>,
    pub(super) scope: Vec<(String, usize)>,
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

    pub(super) fn typed(&mut self, node: &Node, wanted: Type, code: &mut Code) -> Compiled<()> {
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
                code.push(ProgramStep::Negative);
                Ok(Type::Number)
            }
            Expr::Not(inner) => {
                self.typed(inner, Type::Truth, code)?;
                code.push(ProgramStep::Not);
                Ok(Type::Truth)
            }
            Expr::Binary(op @ (Op::And | Op::Or), left, right) => {
                self.typed(left, Type::Truth, code)?;
                if *op == Op::Or {
                    code.push(ProgramStep::Not);
                }
                let jump = code.len();
                code.push(ProgramStep::JumpUnless(0));
                self.typed(right, Type::Truth, code)?;
                code.push(ProgramStep::Truth);
                let out = code.len() + 2;
                code.push(ProgramStep::Jump(out));
                code[jump] = ProgramStep::JumpUnless(code.len());
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
                code.push(ProgramStep::Binary(*op));
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
        code.push(ProgramStep::Constant(at));
    }

    pub(super) fn slot(&self, variable: &str, at: usize) -> Compiled<usize> {
        let found = self.scope.iter().rev().find(|(name, _)| name == variable);
        found
            .map(|(_, slot)| *slot)
            .ok_or_else(|| Fault::new(at, format!("no document \"{variable}\" here")))
    }

    fn name(&mut self, name: &str, at: usize, code: &mut Code) -> Compiled<Type> {
        if let Some(param) = self.language.params.iter().position(|p| p == name) {
            code.push(ProgramStep::Param(param));
            return Ok(Type::Number);
        }
        match (name, &self.language.sim) {
            ("R", _) => code.push(ProgramStep::Relevant),
            ("max_grade", _) => code.push(ProgramStep::TopGrade),
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
        code.push(ProgramStep::Read(field, self.slot(variable, at)?));
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
        if let Ok(relation) = DocumentRelation::from_name(name) {
            let [
                Node { expr: Expr::Name(one), at: first },
                Node { expr: Expr::Name(other), at: second },
            ] = arguments
            else {
                let message = format!("{name} takes two documents, as in {name}(x, d)");
                return Err(Fault::new(at, message));
            };
            let (one, other) = (self.slot(one, *first)?, self.slot(other, *second)?);
            code.push(ProgramStep::Related(relation, one, other));
            self.program.reads_judged |= relation.is_of_assessor();
            return Ok(Type::Truth);
        }
        let (count, step) = match name {
            "abs" => (1, ProgramStep::Abs),
            "log2" => (1, ProgramStep::Log2),
            "ln" => (1, ProgramStep::Ln),
            "exp" => (1, ProgramStep::Exp),
            "min" => (2, ProgramStep::Min),
            "max" => (2, ProgramStep::Max),
            "if" => {
                let [condition, yes, no] = arguments else {
                    return Err(Fault::new(
                        at,
                        "if takes a condition and two numbers: if(c, x, y)",
                    ));
                };
                self.typed(condition, Type::Truth, code)?;
                let unless = code.len();
                code.push(ProgramStep::JumpUnless(0));
                self.typed(yes, Type::Number, code)?;
                let jump = code.len();
                code.push(ProgramStep::Jump(0));
                code[unless] = ProgramStep::JumpUnless(code.len());
                self.typed(no, Type::Number, code)?;
                code[jump] = ProgramStep::Jump(code.len());
                return Ok(Type::Number);
            }
            _ => {
                return Err(Fault::new(
                    at,
                    format!(
                        "unknown function \"{name}\", expected alpha, sigma, pos, gain, ideal, judged, prefers, ranks, related, together, if, abs, log2, ln, exp, min, max or a quantifier"
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
        code.push(ProgramStep::Binary(op));
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
}
