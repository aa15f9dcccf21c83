//! The form that the expressions of a file have, if it is one that the laboratory can reason about:
//! a sum over documents whose terms depend on their ranks.

use super::documents::whole_score;
use super::{Component, Empty};
use crate::expression::Function;
use crate::expression::syntax::{Expr, Node, Op, Quantifier, QuantifierKind, parse};
use crate::measure::structure::{Divisor, Form, Gain};

/// The form with these values of the parameters. It is compared with the scores before it proves
/// anything.
pub(super) fn of(component: &Component, params: &[f64]) -> Option<Form> {
    let score = whole_score(&component.language, &component.source);
    let (sum, norm) = match &score.expr {
        Expr::Binary(Op::Divide, sum, norm) => (&**sum, Some(&**norm)),
        _ => (&score, None),
    };
    let Expr::Over(q) = &sum.expr else { return None };
    let (QuantifierKind::Sum, Some(body)) = (q.kind, &q.body) else { return None };
    // What a score over no document is.
    let empty = component.per_document.as_ref().and_then(|p| p.empty);
    let agrees = match norm {
        Some(_) => empty.is_none_or(|e| e == Empty::Undefined),
        None => empty.is_none_or(|e| e == Empty::Zero),
    };
    let reader = TermReader { component, params, variable: &q.variable };
    (agrees && reader.stops_at_the_cutoff(q.filter.as_ref())?).then_some(())?;
    if q.set == "Rel" {
        return reader.over_relevant(q, body, norm);
    }
    // Otherwise a better grade is not a larger gain for certain.
    let gains = &component.alpha().gain;
    (q.set == "D" && (gains.is_empty() || *gains == [0.0, 1.0])).then_some(())?;
    reader.over_all(q, body, norm)
}

/// Reads terms of the documents that a variable stands for.
struct TermReader<'r> {
    component: &'r Component,
    params: &'r [f64],
    variable: &'r str,
}

impl TermReader<'_> {
    /// Whether documents are cut off at k; `None` for another condition.
    fn stops_at_the_cutoff(&self, filter: Option<&Node>) -> Option<bool> {
        let Some(filter) = filter else { return Some(true) };
        let cutoff = self.component.cutoff.as_deref()?;
        let Expr::Binary(Op::LessEqual, left, right) = &filter.expr else { return None };
        let at_k = self.reads(left, "pos") && right.expr == Expr::Name(cutoff.to_string());
        at_k.then_some(true)
    }

    /// A sum over the relevant documents, of their ranks and of how many stand above them.
    fn over_relevant(&self, q: &Quantifier, body: &Node, norm: Option<&Node>) -> Option<Form> {
        let term = self.numbers(body)?.to_string();
        let divisor = match norm.map(|norm| &norm.expr) {
            None => "1".to_string(),
            Some(Expr::Over(count))
                if count.kind == QuantifierKind::Count
                    && count.set == "Rel"
                    && count.filter.is_none() =>
            {
                "R".to_string()
            }
            Some(Expr::Name(name)) if name == "R" => "R".to_string(),
            Some(_) => return None,
        };
        self.fades(q, &term, &["i", "r"])?;
        if norm.is_none() && Function::parse(&term, &["i"]).is_ok() {
            let (gain, divisor) = (Gain::Threshold(1.0), Divisor::None);
            return Some(Form::Discounted { weight: term, gain, divisor });
        }
        Some(Form::seen(1.0, &term, &divisor))
    }

    /// A sum over all documents, of their gains times a weight.
    fn over_all(&self, q: &Quantifier, body: &Node, norm: Option<&Node>) -> Option<Form> {
        let divisor = match norm {
            None => Divisor::None,
            Some(norm) if ideal(norm) == body_and_filter(q) => Divisor::Ideal,
            Some(_) => return None,
        };
        let mut product = Product::default();
        product.add(body, true);
        let gains = product.remove(true, |node| self.reads(node, "gain"));
        let scaled = product.remove(false, |node| node.expr == Expr::Name("max_grade".to_string()));
        (gains == 1 && scaled <= 1).then_some(())?;
        let weight = self.numbers(&product.node()?)?.to_string();
        self.fades(q, &weight, &["i"])?;
        let gain = if scaled == 1 { Gain::Scaled } else { Gain::Grade };
        Some(Form::Discounted { weight, gain, divisor })
    }

    /// A term that no condition cuts off must be nothing for documents that were not retrieved.
    fn fades(&self, q: &Quantifier, term: &str, names: &[&str]) -> Option<()> {
        let term = Function::parse(term, names).ok()?;
        let far = [f64::INFINITY, 1.0];
        (q.filter.is_some() || term.at(&far[..names.len()]) == Some(0.0)).then_some(())
    }

    /// Whether a node is a field of the document.
    fn reads(&self, node: &Node, field: &str) -> bool {
        let of_document =
            |part: &Node| matches!(&part.expr, Expr::Name(name) if name == self.variable);
        matches!(&node.expr, Expr::Call(name, parts)
            if name == field && parts.len() == 1 && of_document(&parts[0]))
    }

    /// The same as an expression of the rank i and the r relevant documents above, with parameters
    /// in their places; `None` if it speaks of something else.
    fn numbers(&self, node: &Node) -> Option<Node> {
        if self.reads(node, "pos") {
            return parse("i").ok();
        }
        let inner = |part: &Node| self.numbers(part).map(Box::new);
        let expr = match &node.expr {
            Expr::Number(_) => node.expr.clone(),
            Expr::Name(name) => Expr::Number(self.parameter(name)?),
            Expr::Negative(part) => Expr::Negative(inner(part)?),
            Expr::Binary(op, a, b) => Expr::Binary(*op, inner(a)?, inner(b)?),
            Expr::Call(name, parts) if FUNCTIONS.contains(&name.as_str()) => {
                let parts = parts.iter().map(|part| self.numbers(part)).collect::<Option<_>>()?;
                Expr::Call(name.clone(), parts)
            }
            Expr::Over(count) => return self.relevant_down_to_here(count),
            _ => return None,
        };
        Some(Node { at: node.at, expr })
    }

    /// The value of a parameter. The cutoff has none: it is as large as one likes.
    fn parameter(&self, name: &str) -> Option<f64> {
        let language = &self.component.language;
        let at = language.params.iter().position(|other| other == name)?;
        let cutoff = self.component.cutoff.as_deref() == Some(name);
        self.params.get(at).copied().filter(|x| x.is_finite() && !cutoff)
    }

    /// `count(x in Rel where pos(x) <= pos(d))`, for a document that is relevant.
    fn relevant_down_to_here(&self, count: &Quantifier) -> Option<Node> {
        let Expr::Binary(Op::LessEqual, x, d) = &count.filter.as_ref()?.expr else { return None };
        let other = TermReader { variable: &count.variable, ..*self };
        let same = count.kind == QuantifierKind::Count
            && count.set == "Rel"
            && count.variable != self.variable
            && other.reads(x, "pos")
            && self.reads(d, "pos");
        same.then(|| parse("r + 1").ok()).flatten()
    }
}

/// What a function of numbers may call.
const FUNCTIONS: [&str; 5] = ["if", "log2", "ln", "min", "max"];

/// The factors of a product, and what it is divided by.
#[derive(Default)]
struct Product {
    factors: Vec<(Node, bool)>,
}

impl Product {
    fn add(&mut self, node: &Node, above: bool) {
        match &node.expr {
            Expr::Binary(Op::Multiply, a, b) => {
                self.add(a, above);
                self.add(b, above);
            }
            Expr::Binary(Op::Divide, a, b) => {
                self.add(a, above);
                self.add(b, !above);
            }
            _ => self.factors.push((node.clone(), above)),
        }
    }

    /// Takes some factors out, above the line or below it, and says how many.
    fn remove(&mut self, above: bool, is: impl Fn(&Node) -> bool) -> usize {
        let before = self.factors.len();
        self.factors.retain(|(node, side)| *side != above || !is(node));
        before - self.factors.len()
    }

    /// What is left.
    fn node(self) -> Option<Node> {
        let one = parse("1").ok()?;
        Some(self.factors.into_iter().fold(one, |product, (factor, above)| {
            let op = if above { Op::Multiply } else { Op::Divide };
            Node { at: 0, expr: Expr::Binary(op, Box::new(product), Box::new(factor)) }
        }))
    }
}

/// A sum's terms and condition, the document called d and its rank pos(d).
fn body_and_filter(q: &Quantifier) -> Option<(Node, Option<Node>)> {
    let called = |node: &Node| renamed(node, &q.variable);
    Some((called(q.body.as_ref()?), q.filter.as_ref().map(called)))
}

/// The same of a sum in the ideal order, if it is one.
fn ideal(norm: &Node) -> Option<(Node, Option<Node>)> {
    let Expr::Over(q) = &norm.expr else { return None };
    (q.kind == QuantifierKind::Sum && q.set == "D").then_some(())?;
    let ranks = |node: &Node| !speaks_of(node, "pos");
    let (body, filter) = body_and_filter(q)?;
    (ranks(&body) && filter.as_ref().is_none_or(ranks)).then_some(())?;
    Some((in_ranks(&body), filter.as_ref().map(in_ranks)))
}

/// An expression with another one made of each of its parts.
fn mapped(node: &Node, change: &dyn Fn(&Expr) -> Option<Expr>) -> Node {
    let inner = |part: &Node| mapped(part, change);
    let expr = change(&node.expr).unwrap_or_else(|| match &node.expr {
        Expr::Negative(a) => Expr::Negative(Box::new(inner(a))),
        Expr::Not(a) => Expr::Not(Box::new(inner(a))),
        Expr::Binary(op, a, b) => Expr::Binary(*op, Box::new(inner(a)), Box::new(inner(b))),
        Expr::Call(name, parts) => Expr::Call(name.clone(), parts.iter().map(inner).collect()),
        other => other.clone(),
    });
    Node { at: node.at, expr }
}

fn renamed(node: &Node, variable: &str) -> Node {
    mapped(node, &|expr| match expr {
        Expr::Name(name) if name == variable => Some(Expr::Name("d".to_string())),
        _ => None,
    })
}

fn in_ranks(node: &Node) -> Node {
    mapped(node, &|expr| match expr {
        Expr::Call(name, parts) if name == "ideal" => {
            Some(Expr::Call("pos".to_string(), parts.clone()))
        }
        _ => None,
    })
}

fn speaks_of(node: &Node, field: &str) -> bool {
    match &node.expr {
        Expr::Call(name, parts) => name == field || parts.iter().any(|p| speaks_of(p, field)),
        Expr::Negative(a) | Expr::Not(a) => speaks_of(a, field),
        Expr::Binary(_, a, b) => speaks_of(a, field) || speaks_of(b, field),
        Expr::Over(_) => true,
        Expr::Number(_) | Expr::Level(_) | Expr::Name(_) => false,
    }
}
