//! An inequality that is to hold for all values of its letters.

use std::collections::HashMap;

use super::{Prover, Symbol};
use crate::expression::syntax::{Expr, Node, Op, parse};

/// What a letter may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::check) enum Bound {
    /// A whole number that is not negative.
    Count,
    /// A number that is not negative.
    Nonnegative,
    /// A number above zero.
    Positive,
    /// A number from 0 to 1.
    Share,
}

/// A letter of a claim.
pub(in crate::check) type ClaimLetter = (&'static str, Bound);

/// That an expression is above zero, or not below it, whatever its letters are.
#[derive(Debug, Clone)]
pub(in crate::check) struct Claim {
    /// What it is for, in a few words.
    pub says: &'static str,
    /// The letters that the goal speaks of.
    pub letters: Vec<ClaimLetter>,
    /// The expression.
    pub goal: Node,
    /// Above zero, not only not below it.
    pub strict: bool,
}

impl Claim {
    /// That one expression is larger than another, or at least as large. Both speak of `names`,
    /// which stand for expressions of the letters, each with their own.
    pub(in crate::check) fn order(
        says: &'static str,
        letters: &[ClaimLetter],
        larger: Node,
        smaller: Node,
        strict: bool,
    ) -> Claim {
        let goal = match &smaller.expr {
            Expr::Number(0.0) => larger,
            _ => binary(Op::Subtract, larger, smaller),
        };
        Claim { says, letters: letters.to_vec(), goal, strict }
    }

    /// Whether it is certain.
    pub(in crate::check) fn holds(&self) -> bool {
        let shares = self.letters.iter().filter(|(_, bound)| *bound == Bound::Share);
        let shares: Vec<&str> = shares.map(|(name, _)| *name).collect();
        self.with_ends(&self.goal, &shares)
    }

    /// Whether a goal holds; the upper end of a share is a case of its own.
    fn with_ends(&self, goal: &Node, shares: &[&str]) -> bool {
        match shares {
            [first, others @ ..] => {
                let at_end = replaced(goal, &[(first, &number(1.0))]);
                self.with_ends(&at_end, others) && self.with_ends(goal, others)
            }
            [] => self.inside(goal),
        }
    }

    /// Whether a goal holds: a minimum of what holds, a maximum of which one does, or by algebra.
    fn inside(&self, goal: &Node) -> bool {
        match &goal.expr {
            Expr::Call(name, all) if name == "min" => all.iter().all(|part| self.inside(part)),
            Expr::Call(name, all) if name == "max" => {
                all.iter().any(|part| self.inside(part)) || self.by_algebra(goal)
            }
            // a - max(b, c) is the smaller of a - b and a - c; and a choice is one of the two.
            Expr::Binary(Op::Subtract, a, b) => match &b.expr {
                Expr::Call(name, all) if name == "max" || name == "if" && all.len() == 3 => {
                    let parts = if name == "if" { &all[1..] } else { &all[..] };
                    self.by_algebra(goal)
                        || parts.iter().all(|part| {
                            self.inside(&binary(Op::Subtract, (**a).clone(), part.clone()))
                        })
                }
                // min(a, c) - b is the smaller of a - b and c - b.
                _ => match &a.expr {
                    Expr::Call(name, all) if name == "min" => all.iter().all(|part| {
                        self.inside(&binary(Op::Subtract, part.clone(), (**b).clone()))
                    }),
                    _ => self.by_algebra(goal),
                },
            },
            // A truth is 0 or 1.
            Expr::Binary(op, ..) if op.compares() && !self.strict => true,
            Expr::Call(name, all) if name == "if" && all.len() == 3 => {
                self.by_algebra(goal) || all[1..].iter().all(|part| self.inside(part))
            }
            _ => self.by_algebra(goal),
        }
    }

    fn by_algebra(&self, goal: &Node) -> bool {
        let prover = Prover::new();
        let names: HashMap<&str, Symbol> = self
            .letters
            .iter()
            .map(|(name, bound)| {
                let symbol = match bound {
                    Bound::Count => prover.whole(name, 0),
                    Bound::Nonnegative => prover.nonnegative(name),
                    Bound::Positive => prover.positive_number(name),
                    Bound::Share => prover.share(name),
                };
                (*name, symbol)
            })
            .collect();
        prover.value(goal, &names).is_some_and(|value| {
            if self.strict { prover.is_positive(&value) } else { prover.is_nonnegative(&value) }
        })
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} 0", self.goal, if self.strict { ">" } else { ">=" })?;
        for (name, bound) in &self.letters {
            let range = match bound {
                Bound::Count => "0, 1, 2, ...",
                Bound::Nonnegative => "at least 0",
                Bound::Positive => "above 0",
                Bound::Share => "from 0 to 1",
            };
            write!(f, "; {name}: {range}")?;
        }
        Ok(())
    }
}

/// A number as an expression.
pub(in crate::check) fn number(x: f64) -> Node {
    Node { at: 0, expr: Expr::Number(x) }
}

fn binary(op: Op, a: Node, b: Node) -> Node {
    Node { at: 0, expr: Expr::Binary(op, Box::new(a), Box::new(b)) }
}

/// An expression with others in the places of some names.
pub(in crate::check) fn replaced(node: &Node, by: &[(&str, &Node)]) -> Node {
    let inner = |node: &Node| replaced(node, by);
    let expr = match &node.expr {
        Expr::Name(name) => match by.iter().find(|(other, _)| other == name) {
            Some((_, node)) => return (*node).clone(),
            None => node.expr.clone(),
        },
        Expr::Call(name, arguments) => {
            Expr::Call(name.clone(), arguments.iter().map(inner).collect())
        }
        Expr::Negative(a) => Expr::Negative(Box::new(inner(a))),
        Expr::Not(a) => Expr::Not(Box::new(inner(a))),
        Expr::Binary(op, a, b) => Expr::Binary(*op, Box::new(inner(a)), Box::new(inner(b))),
        Expr::Number(_) | Expr::Level(_) | Expr::Over(_) => node.expr.clone(),
    };
    Node { at: node.at, expr }
}

/// The expression with texts in the places of names: `with(t, &[("i", "r + n + 1")])`.
pub(in crate::check) fn with(node: &Node, by: &[(&str, &str)]) -> Option<Node> {
    let parsed: Vec<(&str, Node)> =
        by.iter().map(|(name, text)| Some((*name, parse(text).ok()?))).collect::<Option<_>>()?;
    let borrowed: Vec<(&str, &Node)> = parsed.iter().map(|(name, node)| (*name, node)).collect();
    Some(replaced(node, &borrowed))
}

/// Whether an expression speaks of a name.
pub(in crate::check) fn mentions(node: &Node, name: &str) -> bool {
    match &node.expr {
        Expr::Name(other) => other == name,
        Expr::Call(_, arguments) => arguments.iter().any(|a| mentions(a, name)),
        Expr::Negative(a) | Expr::Not(a) => mentions(a, name),
        Expr::Binary(_, a, b) => mentions(a, name) || mentions(b, name),
        Expr::Number(_) | Expr::Level(_) => false,
        Expr::Over(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(letters: &[ClaimLetter], goal: &str, strict: bool) -> bool {
        let goal = parse(goal).unwrap();
        Claim { says: "", letters: letters.to_vec(), goal, strict }.holds()
    }

    #[test]
    fn what_holds_and_what_does_not() {
        let n = &[("n", Bound::Count)][..];
        assert!(claim(n, "1/(n+1) - 1/(n+2)", true));
        assert!(!claim(n, "1/(n+1) - 1/2", false));
        assert!(claim(n, "n^2 - n", false), "whole numbers");
        assert!(!claim(&[("n", Bound::Nonnegative)], "n^2 - n", false));
        assert!(claim(n, "1/log2(n+2) - 1/log2(n+3)", true));
        assert!(!claim(n, "1/log2(n+3) - 1/log2(n+2)", false));
        assert!(!claim(n, "n", true) && claim(n, "n", false));
        assert!(claim(&[("p", Bound::Positive)], "p", true));
        assert!(!claim(n, "1/(n-3)", false), "may divide by zero");
    }

    #[test]
    fn shares_have_both_their_ends() {
        let g = &[("g", Bound::Share)][..];
        assert!(claim(g, "1 - g", false) && !claim(g, "1 - g", true));
        assert!(claim(g, "2 - g", true));
        assert!(!claim(g, "g", true) && claim(g, "g", false));
    }

    #[test]
    fn the_smaller_and_the_larger() {
        let both = &[("a", Bound::Count), ("b", Bound::Count)][..];
        assert!(claim(both, "max(0, 1 - a / min(a + 1, b + 1))", false));
        assert!(claim(both, "1 - max(0, 1 - a / min(a + 1, b + 1))", false));
        assert!(!claim(both, "max(0, a - b)", true));
        assert!(claim(both, "min(a + 1, b + 2) - 1", false));
        assert!(!claim(both, "min(a, b) - a", false));
    }
}
