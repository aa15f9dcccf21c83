//! Claims as SMT-LIB, for a solver that knows nothing of this program.

use std::fmt::Write as _;

use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive};

use super::claim::{Bound, Claim};
use crate::expression::syntax::{Expr, Node, Op};
use crate::number::{Exact, Number};

/// Beyond these first values a whole number is any number.
const FIRST: u32 = 3;

impl Claim {
    /// The claim's negation, which no real numbers satisfy; `None` if the language has no words for
    /// it. Logarithms and powers are functions of which only what the proof uses is said: they are
    /// positive, and logarithms grow from 0 at 1, those to base two to 1 at 2.
    pub(in crate::check) fn smt(&self) -> Option<String> {
        let mut writer = Writer::default();
        let goal = writer.term(&self.goal)?;
        let mut text = format!("; {}\n; expected: unsat\n(set-logic ALL)\n", self.says);
        for (name, bound) in &self.letters {
            let _ = writeln!(text, "(declare-const {name} Real)");
            let range = match bound {
                Bound::Count => {
                    let first: Vec<String> =
                        (0..FIRST).map(|n| format!("(= {name} {n})")).collect();
                    format!("(or {} (>= {name} {FIRST}))", first.join(" "))
                }
                Bound::Nonnegative => format!("(>= {name} 0)"),
                Bound::Positive => format!("(> {name} 0)"),
                Bound::Share => format!("(and (>= {name} 0) (<= {name} 1))"),
            };
            let _ = writeln!(text, "(assert {range})");
        }
        for function in ["log2", "ln"] {
            if !writer.of(function).is_empty() {
                let _ = writeln!(text, "(declare-fun {function} (Real) Real)");
            }
        }
        if !writer.of("power").is_empty() {
            text.push_str("(declare-fun power (Real Real) Real)\n");
        }
        writer.facts(&mut text);
        let sign = if self.strict { "<=" } else { "<" };
        let _ = writeln!(text, "(assert ({sign} {goal} 0))\n(check-sat)");
        Some(text)
    }
}

/// Remembers which functions were applied to what.
#[derive(Default)]
struct Writer {
    applied: Vec<(&'static str, String)>,
}

impl Writer {
    fn of(&self, function: &str) -> Vec<&str> {
        self.applied.iter().filter(|(f, _)| *f == function).map(|(_, of)| of.as_str()).collect()
    }

    fn apply(&mut self, function: &'static str, of: String) -> String {
        let term = format!("({function} {of})");
        if !self.applied.iter().any(|(f, other)| *f == function && *other == of) {
            self.applied.push((function, of));
        }
        term
    }

    fn facts(&self, text: &mut String) {
        for function in ["log2", "ln"] {
            let all = self.of(function);
            for (at, a) in all.iter().enumerate() {
                let _ = writeln!(text, "(assert (=> (>= {a} 1) (>= ({function} {a}) 0)))");
                let _ = writeln!(text, "(assert (=> (> {a} 1) (> ({function} {a}) 0)))");
                if function == "log2" {
                    let _ = writeln!(text, "(assert (=> (>= {a} 2) (>= (log2 {a}) 1)))");
                }
                for b in &all[at + 1..] {
                    for (x, y) in [(a, b), (b, a)] {
                        let _ = writeln!(
                            text,
                            "(assert (=> (< 0 {x} {y}) (< ({function} {x}) ({function} {y}))))"
                        );
                    }
                }
            }
        }
        for of in self.of("power") {
            let _ = writeln!(text, "(assert (> (power {of}) 0))");
        }
    }

    fn term(&mut self, node: &Node) -> Option<String> {
        Some(match &node.expr {
            Expr::Number(x) => rational(&Exact::decimal(*x).rational()?),
            Expr::Name(name) => name.clone(),
            Expr::Negative(a) => format!("(- {})", self.term(a)?),
            Expr::Binary(Op::Power, base, exponent) => self.power(base, exponent)?,
            Expr::Binary(op, a, b) => {
                let sign = match op {
                    Op::Add => "+",
                    Op::Subtract => "-",
                    Op::Multiply => "*",
                    Op::Divide => "/",
                    _ => return Some(format!("(ite {} 1.0 0.0)", self.truth(node)?)),
                };
                format!("({sign} {} {})", self.term(a)?, self.term(b)?)
            }
            Expr::Call(name, all) => match (name.as_str(), all.as_slice()) {
                ("if", [condition, yes, no]) => {
                    format!(
                        "(ite {} {} {})",
                        self.truth(condition)?,
                        self.term(yes)?,
                        self.term(no)?
                    )
                }
                ("min" | "max", [first, rest @ ..]) => {
                    let sign = if name == "min" { "<=" } else { ">=" };
                    let mut best = self.term(first)?;
                    for other in rest {
                        let other = self.term(other)?;
                        best = format!("(ite ({sign} {best} {other}) {best} {other})");
                    }
                    best
                }
                ("abs", [a]) => {
                    let a = self.term(a)?;
                    format!("(ite (>= {a} 0) {a} (- {a}))")
                }
                ("log2", [a]) => {
                    let of = self.term(a)?;
                    self.apply("log2", of)
                }
                ("ln", [a]) => {
                    let of = self.term(a)?;
                    self.apply("ln", of)
                }
                _ => return None,
            },
            Expr::Not(_) => format!("(ite {} 1.0 0.0)", self.truth(node)?),
            Expr::Level(_) | Expr::Over(_) => return None,
        })
    }

    fn power(&mut self, base: &Node, exponent: &Node) -> Option<String> {
        let base = self.term(base)?;
        if let Expr::Number(e) = &exponent.expr
            && e.fract() == 0.0
            && (1.0..=8.0).contains(e)
        {
            return Some(match *e as usize {
                1 => base,
                times => format!("(* {})", vec![base; times].join(" ")),
            });
        }
        let exponent = self.term(exponent)?;
        Some(self.apply("power", format!("{base} {exponent}")))
    }

    fn truth(&mut self, node: &Node) -> Option<String> {
        Some(match &node.expr {
            Expr::Not(a) => format!("(not {})", self.truth(a)?),
            Expr::Binary(Op::And, a, b) => format!("(and {} {})", self.truth(a)?, self.truth(b)?),
            Expr::Binary(Op::Or, a, b) => format!("(or {} {})", self.truth(a)?, self.truth(b)?),
            Expr::Binary(op, a, b) if op.compares() => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                match op {
                    Op::Equal => format!("(= {a} {b})"),
                    Op::NotEqual => format!("(not (= {a} {b}))"),
                    _ => format!("({} {a} {b})", op.sign()),
                }
            }
            _ => format!("(not (= {} 0))", self.term(node)?),
        })
    }
}

/// A rational as SMT-LIB writes it.
fn rational(x: &BigRational) -> String {
    let (n, d) = (x.numer().abs(), x.denom());
    let size = if d.to_u32() == Some(1) { format!("{n}.0") } else { format!("(/ {n}.0 {d}.0)") };
    if x.is_negative() { format!("(- {size})") } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expression::syntax::parse;

    #[test]
    fn a_claim_is_written_by_its_negation() {
        let claim = Claim {
            says: "weights fall",
            letters: vec![("n", Bound::Count)],
            goal: parse("1/(n+1) - 1/(n+2)").unwrap(),
            strict: true,
        };
        assert_eq!(
            claim.smt().unwrap(),
            "; weights fall\n; expected: unsat\n(set-logic ALL)\n(declare-const n Real)\n\
             (assert (or (= n 0) (= n 1) (= n 2) (>= n 3)))\n\
             (assert (<= (- (/ 1.0 (+ n 1.0)) (/ 1.0 (+ n 2.0))) 0))\n(check-sat)\n"
        );
        let logs = Claim {
            says: "",
            letters: vec![("n", Bound::Count)],
            goal: parse("1/log2(n+2) - 0.5^n").unwrap(),
            strict: false,
        };
        let text = logs.smt().unwrap();
        assert!(text.contains("(assert (=> (> (+ n 2.0) 1) (> (log2 (+ n 2.0)) 0)))"), "{text}");
        assert!(text.contains("(assert (> (power (/ 1.0 2.0) n) 0))"), "{text}");
    }
}
