//! A function of named numbers, in the expression language without its documents.

use super::compile::{Compiler, Language};
use super::machine::Machine;
use super::measurement::{Docs, exactly};
use super::program::{Code, Program};
use super::syntax::{self, Expr, Fault, Node};
use crate::error::{Error, Result, pointed};
use crate::number::{Exact, Number};

/// A function, compiled.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    text: String,
    node: Node,
    program: Program,
    code: Code,
}

impl Function {
    /// Reads a function of these names. An error shows the place in the text.
    pub(crate) fn parse(text: &str, names: &[&str]) -> Result<Function> {
        Function::compile(text, names)
            .map_err(|fault| Function::fault(text, fault.at, 1, &fault.message))
    }

    fn compile(text: &str, names: &[&str]) -> std::result::Result<Function, Fault> {
        let node = syntax::parse(text)?;
        numbers_alone(&node, names)?;
        let language = Language {
            params: names.iter().map(ToString::to_string).collect(),
            ..Language::default()
        };
        let mut compiler = Compiler::new(&language).map_err(|(_, fault)| fault)?;
        let code = compiler.number(&node)?;
        // Without documents there is no set of them, nor one at hand.
        let program = Program { sets: Vec::new(), slots: 0, ..compiler.program };
        Ok(Function { text: text.to_string(), program, node, code })
    }

    fn fault(text: &str, at: usize, width: usize, message: &str) -> Error {
        let column = text.get(..at).map_or(at, |before| before.chars().count()) + 1;
        let (shown, blanks) = pointed(text, at);
        let carets = "^".repeat(width.min(shown.chars().count()).max(1));
        Error::usage(format!("column {column}: {message}\n  {shown}\n  {blanks}{carets}"))
    }

    /// An error that speaks of the whole function.
    pub(crate) fn refuse(&self, message: &str) -> Error {
        Function::fault(&self.text, 0, self.text.chars().count().max(1), message)
    }

    /// The text as it was given.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the function depends on a name.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        mentions(&self.node, name)
    }

    /// The value, for values of the names in their order; `None` if it divides by zero or is
    /// beyond all numbers.
    pub(crate) fn at<N: Number>(&self, values: &[N]) -> Option<N> {
        let docs = Docs::new(N::one());
        let mut machine = Machine::new(&self.program, &docs, values);
        let value = machine.value(&self.code);
        if machine.doubtful() {
            let exact: Vec<Exact> = values.iter().map(exactly).collect();
            return self.at(&exact).map(|value| N::decimal(value.to_f64()));
        }
        (!machine.undefined() && value.to_f64().is_finite()).then_some(value)
    }
}

/// The parts of a node.
fn parts(node: &Node) -> Vec<&Node> {
    match &node.expr {
        Expr::Number(_) | Expr::Level(_) | Expr::Name(_) => Vec::new(),
        Expr::Call(_, arguments) => arguments.iter().collect(),
        Expr::Negative(inner) | Expr::Not(inner) => vec![inner],
        Expr::Binary(_, left, right) => vec![left, right],
        Expr::Over(quantifier) => quantifier.filter.iter().chain(&quantifier.body).collect(),
    }
}

fn mentions(node: &Node, name: &str) -> bool {
    matches!(&node.expr, Expr::Name(found) if found == name)
        || parts(node).into_iter().any(|part| mentions(part, name))
}

/// Refuses what speaks of documents, which a function of numbers has none of.
fn numbers_alone(node: &Node, names: &[&str]) -> std::result::Result<(), Fault> {
    match &node.expr {
        Expr::Name(name) if !names.contains(&name.as_str()) => {
            return Err(Fault::new(
                node.at,
                format!("unknown name \"{name}\", expected one of {}", names.join(", ")),
            ));
        }
        Expr::Call(name, _) if !FUNCTIONS.contains(&name.as_str()) => {
            return Err(Fault::new(
                node.at,
                format!("unknown function \"{name}\", expected one of {}", FUNCTIONS.join(", ")),
            ));
        }
        Expr::Over(_) => {
            return Err(Fault::new(
                node.at,
                "there are no documents to go through here, expected a number or a name",
            ));
        }
        _ => {}
    }
    parts(node).into_iter().try_for_each(|part| numbers_alone(part, names))
}

const FUNCTIONS: [&str; 7] = ["if", "abs", "log2", "ln", "exp", "min", "max"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_its_names() {
        let f =
            Function::parse("if(i < k, (1 - 1/(i+1))^2, 0) * (1 - g)", &["i", "g", "k"]).unwrap();
        assert_eq!(f.at(&[1.0, 0.5, 3.0]), Some(0.125));
        assert_eq!(f.at(&[3.0, 0.5, 3.0]), Some(0.0));
        assert!(f.mentions("g") && !f.mentions("G"));
        assert_eq!(Function::parse("1 / i", &["i"]).unwrap().at(&[0.0]), None);
    }

    #[test]
    fn faults_show_the_place() {
        for (text, expected) in [
            (
                "0.8 *",
                "column 6: found the end, expected a number, a name, a level in quotes or (\n  0.8 *\n       ^",
            ),
            ("1 - R", "column 5: unknown name \"R\", expected one of i, g\n  1 - R\n      ^"),
            (
                "sqrt(i)",
                "column 1: unknown function \"sqrt\", expected one of if, abs, log2, ln, exp, min, max",
            ),
            ("sum(d in D : 1)", "column 1: there are no documents"),
            ("if(i, 1, 0)", "column 4: found a number, expected a condition"),
        ] {
            let error = Function::parse(text, &["i", "g"]).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
