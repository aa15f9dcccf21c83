//! Whether a metric can be computed from the documents with a gain alone.

use super::bounds::NameMeanings;
use super::documents::whole_score;
use super::{Component, Empty, ScoreSource};
use crate::expression::Scale;
use crate::expression::compile::Language;
use crate::expression::measurement::Measurement;
use crate::expression::syntax::{Expr, Node, Op, Quantifier, QuantifierKind};

/// True if documents without gain can change the score or the weight of a topic, so that the whole
/// ranking must be looked at.
pub(super) fn is_dense(file: &Component, names: &NameMeanings<'_>) -> bool {
    let look = Look { language: &file.language, names };
    look.language.alpha.scale == Scale::Partial
        || look.language.sigma.reads_scores()
        || file.program.reads_judged
        || file.average_source.weight.as_ref().is_some_and(|node| look.dense(node))
        || look.dense(&whole_score(&file.language, &file.source))
        || !look.settles_empty(&file.source)
}

struct Look<'l> {
    language: &'l Language,
    names: &'l NameMeanings<'l>,
}

impl Look<'_> {
    /// Whether the file's word on an empty set is the same with and without the documents that have
    /// no gain.
    fn settles_empty(&self, source: &ScoreSource) -> bool {
        match source {
            ScoreSource::Whole { .. } => true,
            ScoreSource::Average { over, norm, empty, .. } => {
                let gains_only = |node: &Node| matches!(&node.expr, Expr::Over(q) if q.kind == QuantifierKind::Sum && self.sees_gains_only(q));
                // A sum of nothing is 0, and over a norm that is a sum of nothing it is undefined.
                self.positive(over)
                    || (*empty == Empty::Zero && norm.is_none())
                    || (*empty == Empty::Undefined && norm.as_ref().is_some_and(gains_only))
            }
        }
    }

    fn dense(&self, node: &Node) -> bool {
        match &node.expr {
            Expr::Number(_) | Expr::Level(_) => false,
            Expr::Name(name) => {
                name == "sim" && self.language.sim.as_ref().is_some_and(|sim| self.dense(sim))
            }
            Expr::Call(_, arguments) => arguments.iter().any(|a| self.dense(a)),
            Expr::Negative(inner) | Expr::Not(inner) => self.dense(inner),
            Expr::Binary(_, left, right) => self.dense(left) || self.dense(right),
            Expr::Over(q) => {
                !self.sees_gains_only(q) || q.filter.iter().chain(&q.body).any(|n| self.dense(n))
            }
        }
    }

    fn sees_gains_only(&self, q: &Quantifier) -> bool {
        self.positive(&q.set)
            || (q.kind == QuantifierKind::Sum
                && q.filter.as_ref().is_none_or(|filter| self.has_a_value(filter))
                && self.names.set(&q.set).defined
                && q.body.as_ref().is_some_and(|b| self.vanishes(b, &q.variable)))
    }

    /// Whether an expression has a value for certain, so that leaving it out hides no division by
    /// zero.
    fn has_a_value(&self, node: &Node) -> bool {
        self.names.of(node).defined
    }

    /// Whether a set holds no document of the lowest alpha, whatever its position.
    fn positive(&self, set: &str) -> bool {
        match self.language.sets.iter().find(|(name, _)| name == set) {
            Some((_, condition)) => {
                excludes_lowest(condition, &self.language.alpha) && self.has_a_value(condition)
            }
            None => set == "Rel" && lowest_gain(&self.language.alpha) == 0.0,
        }
    }

    /// Whether a term is zero for a document without gain, and not undefined: 0/0 is no zero.
    fn vanishes(&self, node: &Node, variable: &str) -> bool {
        match &node.expr {
            Expr::Call(name, arguments) if name == "gain" => {
                lowest_gain(&self.language.alpha) == 0.0
                    && matches!(&arguments[0].expr, Expr::Name(v) if v == variable)
            }
            Expr::Negative(inner) => self.vanishes(inner, variable),
            Expr::Binary(Op::Multiply, left, right) => {
                (self.vanishes(left, variable) && self.has_a_value(right))
                    || (self.vanishes(right, variable) && self.has_a_value(left))
            }
            Expr::Binary(Op::Divide, left, right) => {
                let divisor = self.names.of(right);
                self.vanishes(left, variable) && divisor.defined && !divisor.holds(0.0)
            }
            _ => false,
        }
    }
}

fn lowest_gain(alpha: &Measurement) -> f64 {
    alpha.worth::<f64>(&alpha.lowest::<f64>())
}

/// `alpha(d) == 'R'` where R is not the lowest level, `gain(d) > 0`, or one of them and something
/// else.
fn excludes_lowest(condition: &Node, alpha: &Measurement) -> bool {
    let Expr::Binary(op, left, right) = &condition.expr else { return false };
    let call =
        |node: &Node, function: &str| matches!(&node.expr, Expr::Call(name, _) if name == function);
    match (op, &right.expr) {
        (Op::And, _) => excludes_lowest(left, alpha) || excludes_lowest(right, alpha),
        (Op::Equal | Op::GreaterEqual, Expr::Level(level)) => {
            call(left, "alpha") && alpha.levels.first().is_some_and(|lowest| lowest != level)
        }
        (Op::NotEqual | Op::Greater, Expr::Level(level)) => {
            call(left, "alpha") && alpha.levels.first() == Some(level)
        }
        (Op::Greater, Expr::Number(x)) => call(left, "gain") && *x >= lowest_gain(alpha),
        _ => false,
    }
}
