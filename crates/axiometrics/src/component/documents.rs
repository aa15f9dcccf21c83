//! The average over documents as expressions: what each document adds, and the whole score.

use super::{Agg, PerDocument, ScoreSource};
use crate::expression::compile::{Compiler, Language};
use crate::expression::syntax::{self, Expr, Fault, Node, Op, Quantifier};

/// What each document adds to a formula that is a sum over documents, or a sum by something.
pub(super) fn of_formula(
    compiler: &mut Compiler<'_>,
    score: &Node,
) -> std::result::Result<Option<PerDocument>, Fault> {
    let (sum, norm) = match &score.expr {
        Expr::Binary(Op::Divide, sum, norm) => (&**sum, Some(&**norm)),
        _ => (score, None),
    };
    let Expr::Over(q) = &sum.expr else { return Ok(None) };
    let (syntax::QuantifierKind::Sum, Some(body)) = (q.kind, &q.body) else { return Ok(None) };
    let over = compiler.set(&q.set, q.set_at)?;
    let summand = compiler.number_of(&q.variable, &chosen(q.filter.as_ref(), body.clone()))?;
    let norm = norm.map(|node| compiler.number(node)).transpose()?;
    Ok(Some(PerDocument { over, summand, norm, agg: Agg::Sum, empty: None }))
}

/// The term of a document that passes the filter, and 0 for another.
pub(super) fn chosen(filter: Option<&Node>, term: Node) -> Node {
    let Some(filter) = filter else { return term };
    let zero = Node { at: 0, expr: Expr::Number(0.0) };
    Node { at: filter.at, expr: Expr::Call("if".to_string(), vec![filter.clone(), term, zero]) }
}

/// What a document of this set adds: the term, or its similarity. A similarity that the set settles
/// is put in as the number that it is.
pub(super) fn term_over(language: &Language, over: &str, term: Option<&Node>) -> Node {
    let mut node =
        term.cloned().unwrap_or_else(|| Node { at: 0, expr: Expr::Name("sim".to_string()) });
    if let Some(sim) = settled(language, over) {
        settle(&mut node, sim);
    }
    node
}

/// The similarity of a document of this set, if the set's own condition makes it a number:
/// `if(a == 'R', 1, y)` is 1 if all are R.
fn settled(language: &Language, over: &str) -> Option<f64> {
    let Expr::Call(name, parts) = &language.sim.as_ref()?.expr else { return None };
    let [
        Node { expr: Expr::Binary(Op::Equal, a, level), .. },
        Node { expr: Expr::Number(yes), .. },
        _,
    ] = parts.as_slice()
    else {
        return None;
    };
    let (_, condition) = language.sets.iter().find(|(set, _)| set == over)?;
    let Expr::Binary(Op::Equal, alpha, of_set) = &condition.expr else { return None };
    let same = name == "if"
        && matches!(&a.expr, Expr::Name(n) if n == "a")
        && matches!(&alpha.expr, Expr::Call(f, _) if f == "alpha");
    (same && level == of_set).then_some(*yes)
}

/// Puts a number in the place of the document's similarity; a quantifier has documents of its own.
fn settle(node: &mut Node, sim: f64) {
    match &mut node.expr {
        Expr::Name(name) if name == "sim" => node.expr = Expr::Number(sim),
        Expr::Call(_, parts) => parts.iter_mut().for_each(|part| settle(part, sim)),
        Expr::Negative(inner) | Expr::Not(inner) => settle(inner, sim),
        Expr::Binary(op, left, right) => {
            settle(left, sim);
            settle(right, sim);
            if *op == Op::Multiply && left.expr == Expr::Number(1.0) {
                *node = (**right).clone();
            }
        }
        Expr::Number(_) | Expr::Level(_) | Expr::Name(_) | Expr::Over(_) => {}
    }
}

/// What a sum over documents is divided by.
pub(super) fn divisor(agg: Agg, over: &str, norm: Option<&Node>) -> Option<Node> {
    match agg {
        Agg::Mean => Some(quantifier(syntax::QuantifierKind::Count, over, None, None)),
        _ => norm.cloned(),
    }
}

fn quantifier(
    kind: syntax::QuantifierKind,
    set: &str,
    filter: Option<Node>,
    body: Option<Node>,
) -> Node {
    let q = Quantifier {
        kind,
        variable: "d".to_string(),
        set: set.to_string(),
        set_at: 0,
        filter,
        body,
    };
    Node { at: 0, expr: Expr::Over(Box::new(q)) }
}

/// The score as one expression.
pub(super) fn whole_score(language: &Language, source: &ScoreSource) -> Node {
    match source {
        ScoreSource::Whole { score, .. } => score.clone(),
        ScoreSource::Average { over, filter, agg, term, norm, .. } => {
            let kind = match agg {
                Agg::Sum | Agg::Mean => syntax::QuantifierKind::Sum,
                Agg::Min => syntax::QuantifierKind::Min,
                Agg::Max => syntax::QuantifierKind::Max,
            };
            let term = term_over(language, over, term.as_ref());
            let sum = quantifier(kind, over, filter.clone(), Some(term));
            match divisor(*agg, over, norm.as_ref()) {
                Some(norm) => {
                    Node { at: 0, expr: Expr::Binary(Op::Divide, Box::new(sum), Box::new(norm)) }
                }
                None => sum,
            }
        }
    }
}
