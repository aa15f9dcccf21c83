//! Quantifiers, compiled: which part of one would be computed again for every document, and need
//! not be.

use super::compile::{Compiled, Compiler, Type};
use super::program::{Code, Over, Plan, Step};
use super::syntax::{Expr, Fault, Node, Op, Quantifier, QuantifierKind};

/// The cost of a score grows with the number of documents to this power at most.
const MOST_NESTED: usize = 4;

impl Compiler<'_> {
    pub(super) fn over(&mut self, q: &Quantifier, at: usize, code: &mut Code) -> Compiled<Type> {
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
            Step::Related(_, one, other) => *one >= slot && *other >= slot,
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
