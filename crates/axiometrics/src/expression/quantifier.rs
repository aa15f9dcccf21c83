//! Quantifiers, compiled: which part of one would be computed again for every document, and need
//! not be.

use super::compile::{Compiled, Compiler, Type};
use super::program::{Code, Field, KeyComparison, Over, Plan, ProgramStep};
use super::syntax::{Expr, Fault, Node, Op, Quantifier, QuantifierKind};

/// The cost of a score grows with the number of documents to this power at most.
const MOST_NESTED: usize = 4;

impl Compiler<'_> {
    pub(super) fn over(&mut self, q: &Quantifier, at: usize, code: &mut Code) -> Compiled<Type> {
        if let Some(extreme) = self.by_extreme(q, at) {
            self.typed(&extreme, Type::Truth, code)?;
            return Ok(Type::Truth);
        }
        let slot = self.scope.iter().map(|(_, slot)| slot + 1).max().unwrap_or(0);
        if slot >= MOST_NESTED {
            return Err(Fault::new(
                at,
                format!(
                    "quantifiers are nested more than {MOST_NESTED} deep, averaging over documents included, which would take for ever"
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
            Some(comparison) => Plan::Running(comparison),
            None if [&whole, &body].into_iter().flatten().all(|c| self.closed(c, slot)) => {
                Plan::Once
            }
            None => Plan::Always,
        };
        let filter = if matches!(plan, Plan::Running(..)) { rest } else { whole };
        self.program.overs.push(Over { kind: q.kind, set, slot, filter, body, plan });
        code.push(ProgramStep::Over(self.program.overs.len() - 1));
        Ok(if matches!(q.kind, QuantifierKind::Exists | QuantifierKind::None) {
            Type::Truth
        } else {
            Type::Number
        })
    }

    /// Whether code reads no document but that of this slot and of slots within.
    fn closed(&self, code: &Code, slot: usize) -> bool {
        code.iter().all(|step| match step {
            ProgramStep::Read(_, read) => *read >= slot,
            ProgramStep::Related(_, one, other) => *one >= slot && *other >= slot,
            ProgramStep::Over(i) => {
                let over = &self.program.overs[*i];
                let compared = matches!(over.plan, Plan::Running(with) if with.slot < slot);
                !compared
                    && [&over.filter, &over.body]
                        .into_iter()
                        .flatten()
                        .all(|c| self.closed(c, slot))
            }
            _ => true,
        })
    }

    /// Finds `pos(x) <= pos(d)` or its like in a filter whose rest, like the body, depends on x
    /// alone: the comparison, and the rest.
    fn split(&self, q: &Quantifier) -> (Option<KeyComparison>, Option<Node>) {
        let mut parts = parts_of(q);
        let found = parts
            .iter()
            .enumerate()
            .find_map(|(i, part)| Some((i, self.comparison_with_outer(part, &q.variable)?)));
        let Some((i, comparison)) = found else { return (None, None) };
        parts.remove(i);
        let free = |node: &Node| speaks_of_others(node, &q.variable);
        if parts.iter().any(|p| free(p)) || q.body.as_ref().is_some_and(free) {
            return (None, None);
        }
        // Totals look at documents that the comparison would leave out.
        let by_rank = comparison.key == Field::Pos && comparison.with == Field::Pos;
        let mut rest = parts.iter().copied().chain(&q.body);
        if !by_rank && !rest.all(has_a_value) {
            return (None, None);
        }
        (Some(comparison), all_of(&parts))
    }

    /// `exists(x in S where gain(x) > gain(d) and pos(x) < pos(d))` asks two things of pairs of
    /// documents. `max(x in S where pos(x) < pos(d) : gain(x)) > gain(d)` says the same and asks one,
    /// so that running totals answer it.
    fn by_extreme(&self, q: &Quantifier, at: usize) -> Option<Node> {
        if !matches!(q.kind, QuantifierKind::Exists | QuantifierKind::None) {
            return None;
        }
        let mut parts = parts_of(q);
        if !parts.iter().all(|part| has_a_value(part)) {
            return None;
        }
        let compared = |part: &Node| self.comparison_with_outer(part, &q.variable);
        if parts.iter().filter(|part| compared(part).is_some()).count() != 2 {
            return None;
        }
        // A gain is finite: over no document the extreme, which is infinite, compares as it must.
        let of_gains = |part: &&Node| {
            compared(part).is_some_and(|c| c.key == Field::Gain && c.with == Field::Gain)
        };
        let gains = parts.remove(parts.iter().position(of_gains)?);
        let Expr::Binary(op, left, right) = &gains.expr else { return None };
        let own_is_left = document_of(left).is_some_and(|(_, name)| name == q.variable);
        let own_is_greater = matches!(op, Op::Greater | Op::GreaterEqual) == own_is_left;
        let kind = if own_is_greater { QuantifierKind::Max } else { QuantifierKind::Min };
        let own = if own_is_left { left } else { right };
        let extreme =
            Quantifier { kind, filter: all_of(&parts), body: Some((**own).clone()), ..q.clone() };
        let extreme = Box::new(Node { at, expr: Expr::Over(Box::new(extreme)) });
        let (left, right) =
            if own_is_left { (extreme, right.clone()) } else { (left.clone(), extreme) };
        let exists = Node { at, expr: Expr::Binary(*op, left, right) };
        Some(match q.kind {
            QuantifierKind::None => Node { at, expr: Expr::Not(Box::new(exists)) },
            _ => exists,
        })
    }

    /// A comparison of this variable's document with one around it.
    fn comparison_with_outer(&self, node: &Node, variable: &str) -> Option<KeyComparison> {
        let Expr::Binary(op, left, right) = &node.expr else { return None };
        let (left, right) = (document_of(left)?, document_of(right)?);
        let mirrored = match op {
            Op::Less => Op::Greater,
            Op::LessEqual => Op::GreaterEqual,
            Op::Greater => Op::Less,
            Op::GreaterEqual => Op::LessEqual,
            _ => return None,
        };
        let (op, (key, _), (with, outer)) =
            if left.1 == variable { (*op, left, right) } else { (mirrored, right, left) };
        if outer == variable {
            return None;
        }
        Some(KeyComparison { key, op, with, slot: self.slot(outer, 0).ok()? })
    }
}

/// What is read of which document, if that is a number which every document has.
fn document_of(node: &Node) -> Option<(Field, &str)> {
    let Expr::Call(name, arguments) = &node.expr else { return None };
    let field = match name.as_str() {
        "pos" => Field::Pos,
        "gain" => Field::Gain,
        "ideal" => Field::Ideal,
        _ => return None,
    };
    match arguments.as_slice() {
        [Node { expr: Expr::Name(document), .. }] => Some((field, document)),
        _ => None,
    }
}

/// Whether an expression has a value for every document: it divides nothing and takes no logarithm,
/// power or exponential, which can be infinite.
fn has_a_value(node: &Node) -> bool {
    match &node.expr {
        Expr::Number(_) | Expr::Level(_) => true,
        Expr::Name(name) => name != "sim",
        Expr::Call(name, arguments) => {
            !["ln", "log2", "exp"].contains(&name.as_str()) && arguments.iter().all(has_a_value)
        }
        Expr::Negative(inner) | Expr::Not(inner) => has_a_value(inner),
        Expr::Binary(op, left, right) => {
            !matches!(op, Op::Divide | Op::Power) && has_a_value(left) && has_a_value(right)
        }
        Expr::Over(q) => q.filter.iter().chain(&q.body).all(has_a_value),
    }
}

/// The conditions that the filter of a quantifier joins by `and`.
fn parts_of(q: &Quantifier) -> Vec<&Node> {
    let mut parts = Vec::new();
    if let Some(filter) = &q.filter {
        conjuncts(filter, &mut parts);
    }
    parts
}

/// The condition that all of these hold; `None` of none.
fn all_of(parts: &[&Node]) -> Option<Node> {
    let and = |a: Node, b: &&Node| Node {
        at: b.at,
        expr: Expr::Binary(Op::And, Box::new(a), Box::new((*b).clone())),
    };
    let (first, others) = parts.split_first()?;
    Some(others.iter().fold((*first).clone(), and))
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
const OF_DOCUMENTS: [&str; 14] = [
    "alpha",
    "sigma",
    "pos",
    "gain",
    "ideal",
    "judged",
    "prefers",
    "ranks",
    "related",
    "together",
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

#[cfg(test)]
mod tests {
    use super::super::compile::{Compiler, Language};
    use super::super::machine::Machine;
    use super::super::measurement::Docs;
    use super::super::syntax::parse;
    use proptest::prelude::*;

    /// The value of a formula over these documents, and to which power of their number its cost
    /// grows.
    fn value(formula: &str, docs: &Docs<f64>) -> (f64, u32) {
        let language = Language::default();
        let mut compiler = Compiler::new(&language).ok().unwrap();
        let code = compiler.number(&parse(formula).unwrap()).unwrap();
        let program = compiler.program;
        let value = Machine::new(&program, docs, &[]).value(&code);
        (value, program.nesting(&code))
    }

    proptest! {
        /// Running totals against the same formula in words that hide the comparison, so that every
        /// pair of documents is looked at.
        #[test]
        fn comparisons_of_two_documents_need_no_look_at_all_pairs(
            documents in proptest::collection::vec((0..4u8, 0..9u8), 0..12),
        ) {
            let mut docs = Docs::new(3.0);
            for (gain, pos) in documents {
                // The last place stands for documents that were not retrieved.
                let pos = if pos == 8 { f64::INFINITY } else { f64::from(pos) };
                docs.push(f64::from(gain), f64::from(gain), 0.0, pos);
            }
            docs.rank_ideally();
            for sign in ["<", "<=", ">", ">="] {
                for [x, d] in [["pos", "pos"], ["ideal", "pos"], ["gain", "gain"], ["gain", "ideal"]] {
                    for outer in [
                        "sum(d in D : (1 + gain(d)) * _)",
                        "sum(d in D : if(gain(d) > 1, _, 2))",
                        "sum(d in D where pos(d) < 5 : 1 / (1 + abs(_)))",
                    ] {
                        for inner in [
                            "count(x in D where _)",
                            "sum(x in Rel where _ and pos(x) < 6 : 1 + ideal(x))",
                            "max(0, max(x in D where _ : gain(x)))",
                            "if(none(x in Ret where _), 1, 0)",
                            "if(exists(x in D where gain(x) > gain(d) and _), 3, 1)",
                            "if(none(x in D where gain(d) > gain(x) and _ and pos(x) < 6), 3, 1)",
                            "if(exists(x in Rel where _ and gain(x) >= gain(d)), 3, 1)",
                        ] {
                            let with = |hidden: &str| {
                                let condition = format!("{x}(x){hidden} {sign} {d}(d){hidden}");
                                outer.replace('_', &inner.replace('_', &condition))
                            };
                            let (fast, power) = value(&with(""), &docs);
                            let (plain, pairs) = value(&with(" * 1"), &docs);
                            prop_assert!((fast - plain).abs() < 1e-12, "{}: {fast}, {plain}", with(""));
                            prop_assert_eq!([power, pairs], [1, 2], "{}", with(""));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_more_than_one_comparison_decides_is_asked_of_all_pairs() {
        let mut docs = Docs::new(1.0);
        for (gain, pos) in [(1.0, 2.0), (0.0, 1.0), (1.0, 3.0)] {
            docs.push(gain, gain, 0.0, pos);
        }
        let both = "sum(d in D : count(x in D where pos(x) > pos(d) and gain(x) > gain(d)))";
        assert_eq!(value(both, &docs), (2.0, 2));
        // No document is above the highest gain: over none, the extreme exceeds nothing.
        let none =
            "sum(d in D : if(exists(x in D where pos(x) > pos(d) and gain(x) > gain(d)), 1, 0))";
        assert_eq!(value(none, &docs), (1.0, 1));
        // What the comparison shields is not looked at: 1/gain(x) has no value for the second.
        let shielded = "sum(d in D : count(x in D where gain(x) > gain(d) and 1 / gain(x) > 0))";
        assert_eq!(value(shielded, &docs), (2.0, 2));
    }
}
