//! The expression language: text to tree and back.
//!
//! It is total: there is no loop but a quantifier over the documents of a topic, so every
//! expression ends, at a cost of |D| to the power of the depth to which quantifiers are nested.
//!
//! ```text
//! sum(d in D where pos(d) <= k : gain(d) / log2(pos(d) + 1)) / R
//! if(a == 'R', 1, if(none(x in Rel where pos(x) > pos(d)), 1, 0))
//! ```

use std::fmt;

/// Something wrong in an expression, at a byte of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub at: usize,
    pub message: String,
}

impl Fault {
    pub(crate) fn new(at: usize, message: impl Into<String>) -> Fault {
        Fault { at, message: message.into() }
    }
}

type Parsed<T> = std::result::Result<T, Fault>;

/// A tree, and where its first token (for an operation its sign) stands.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub at: usize,
    pub expr: Expr,
}

/// Equal if they say the same, wherever they stand.
impl PartialEq for Node {
    fn eq(&self, other: &Node) -> bool {
        self.expr == other.expr
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Number(f64),
    Level(String),
    Name(String),
    Call(String, Vec<Node>),
    Negative(Box<Node>),
    Not(Box<Node>),
    Binary(Op, Box<Node>, Box<Node>),
    Over(Box<Quantifier>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantifier {
    pub kind: QuantifierKind,
    pub variable: String,
    pub set: String,
    pub set_at: usize,
    pub filter: Option<Node>,
    pub body: Option<Node>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuantifierKind {
    Count,
    Sum,
    Product,
    Exists,
    None,
    Min,
    Max,
}

const KINDS: [(&str, QuantifierKind); 7] = [
    ("count", QuantifierKind::Count),
    ("sum", QuantifierKind::Sum),
    ("product", QuantifierKind::Product),
    ("exists", QuantifierKind::Exists),
    ("none", QuantifierKind::None),
    ("min", QuantifierKind::Min),
    ("max", QuantifierKind::Max),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// Signs, with how tightly they bind; longer signs before their beginnings.
const OPS: [(&str, Op, u8); 13] = [
    ("or", Op::Or, 1),
    ("and", Op::And, 2),
    ("==", Op::Equal, 4),
    ("!=", Op::NotEqual, 4),
    ("<=", Op::LessEqual, 4),
    (">=", Op::GreaterEqual, 4),
    ("<", Op::Less, 4),
    (">", Op::Greater, 4),
    ("+", Op::Add, 5),
    ("-", Op::Subtract, 5),
    ("*", Op::Multiply, 6),
    ("/", Op::Divide, 6),
    ("^", Op::Power, 8),
];
const NOT: u8 = 3;
const NEGATIVE: u8 = 7;
const COMPARISON: u8 = 4;
const POWER: u8 = 8;

impl Op {
    fn entry(self) -> (&'static str, u8) {
        OPS.iter()
            .find(|(_, op, _)| *op == self)
            .map_or(("", 0), |(sign, _, binding)| (*sign, *binding))
    }

    pub(crate) fn sign(self) -> &'static str {
        self.entry().0
    }

    pub(crate) fn compares(self) -> bool {
        self.entry().1 == COMPARISON
    }
}

/// Whether an expression computes with a name, other than to compare it.
pub(crate) fn computes_with(node: &Node, name: &str) -> bool {
    let inside = |node: &Node| computes_with(node, name);
    match &node.expr {
        Expr::Number(_) | Expr::Level(_) => false,
        Expr::Name(n) => n == name,
        Expr::Call(_, parts) => parts.iter().any(inside),
        Expr::Negative(inner) | Expr::Not(inner) => inside(inner),
        Expr::Binary(op, a, b) if op.compares() => {
            // The name itself may stand on either side, but nothing made of it.
            [a, b].iter().any(|side| !matches!(&side.expr, Expr::Name(_)) && inside(side))
        }
        Expr::Binary(_, a, b) => inside(a) || inside(b),
        Expr::Over(q) => q.filter.iter().chain(&q.body).any(inside),
    }
}

/// Deeper brackets are refused: nobody writes them, and the stack is finite.
const DEEPEST: usize = 60;

/// Taller trees are refused for the same reason: whoever walks a tree calls itself once a level. A
/// sum is as tall as it has terms, whatever its brackets.
const TALLEST: usize = 4 * DEEPEST;

/// The tree of an expression.
pub(crate) fn parse(text: &str) -> Parsed<Node> {
    let mut parser = Parser { text, tokens: tokens(text)?, next: 0, depth: 0, height: 0 };
    let node = parser.expression(0)?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.expected("an operation or the end of the expression")),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenClass {
    Number,
    Level,
    Word,
    Sign,
}

#[derive(Debug, Clone, Copy)]
struct Token {
    class: TokenClass,
    start: usize,
    end: usize,
}

fn tokens(text: &str) -> Parsed<Vec<Token>> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut start = 0;
    let run = |from: usize, part: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|b| !part(*b)).map_or(bytes.len(), |n| from + n)
    };
    while let Some(first) = bytes.get(start) {
        let (class, end) = match first {
            b if b.is_ascii_whitespace() => {
                start += 1;
                continue;
            }
            b'0'..=b'9' | b'.' => (TokenClass::Number, number_end(bytes, start)),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                (TokenClass::Word, run(start, &|b| b.is_ascii_alphanumeric() || b == b'_'))
            }
            b'\'' => match bytes[start + 1..].iter().position(|b| *b == b'\'') {
                Some(n) => (TokenClass::Level, start + n + 2),
                None => {
                    return Err(Fault::new(start, "the level is not closed, expected another '"));
                }
            },
            b'<' | b'>' | b'=' | b'!' => {
                (TokenClass::Sign, start + 1 + usize::from(bytes.get(start + 1) == Some(&b'=')))
            }
            b'+' | b'-' | b'*' | b'/' | b'^' | b'(' | b')' | b',' | b':' => {
                (TokenClass::Sign, start + 1)
            }
            _ => {
                let found = text[start..].chars().next().unwrap_or(' ');
                return Err(Fault::new(
                    start,
                    format!("found \"{}\", which means nothing here", found.escape_debug()),
                ));
            }
        };
        all.push(Token { class, start, end });
        start = end;
    }
    Ok(all)
}

/// Digits with a point, and an exponent if one follows.
fn number_end(bytes: &[u8], start: usize) -> usize {
    let digits = |from: usize| {
        bytes[from..]
            .iter()
            .position(|b| !b.is_ascii_digit() && *b != b'.')
            .map_or(bytes.len(), |n| from + n)
    };
    let end = digits(start);
    if !matches!(bytes.get(end), Some(b'e' | b'E')) {
        return end;
    }
    let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
    match bytes.get(end + 1 + sign) {
        Some(b) if b.is_ascii_digit() => digits(end + 1 + sign),
        _ => end,
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    next: usize,
    depth: usize,
    /// How tall the tree that was parsed last is.
    height: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<(Token, &'t str)> {
        self.ahead(0)
    }

    fn ahead(&self, n: usize) -> Option<(Token, &'t str)> {
        self.tokens.get(self.next + n).map(|t| (*t, &self.text[t.start..t.end]))
    }

    fn is(&self, text: &str) -> bool {
        self.peek().is_some_and(|(_, found)| found == text)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.next += usize::from(found);
        found
    }

    fn at(&self) -> usize {
        self.peek().map_or(self.text.len(), |(t, _)| t.start)
    }

    fn expected(&self, what: &str) -> Fault {
        let found = self.peek().map_or("the end".to_string(), |(_, text)| format!("\"{text}\""));
        Fault::new(self.at(), format!("found {found}, expected {what}"))
    }

    fn require(&mut self, text: &str) -> Parsed<()> {
        if self.take(text) { Ok(()) } else { Err(self.expected(text)) }
    }

    fn expression(&mut self, binding: u8) -> Parsed<Node> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Fault::new(
                self.at(),
                format!("the expression is nested more than {DEEPEST} deep"),
            ));
        }
        let node = self.operations(binding);
        self.depth -= 1;
        node
    }

    fn operations(&mut self, binding: u8) -> Parsed<Node> {
        let at = self.at();
        let mut left = if self.take("-") {
            Node { at, expr: Expr::Negative(Box::new(self.expression(NEGATIVE)?)) }
        } else if self.take("not") {
            Node { at, expr: Expr::Not(Box::new(self.expression(NOT)?)) }
        } else {
            self.atom()?
        };
        let mut height = self.height;
        if matches!(left.expr, Expr::Negative(_) | Expr::Not(_)) {
            height += 1;
        }
        while let Some((token, text)) = self.peek() {
            let Some((_, op, tight)) =
                OPS.iter().find(|(sign, _, tight)| *sign == text && *tight > binding)
            else {
                break;
            };
            if op.compares() && matches!(left.expr, Expr::Binary(before, ..) if before.compares()) {
                return Err(Fault::new(token.start, "comparisons do not chain, expected and"));
            }
            self.next += 1;
            // A power binds to the right: 2^3^2 is 2^9.
            let right = self.expression(if *tight == POWER { NEGATIVE - 1 } else { *tight })?;
            height = 1 + height.max(self.height);
            if height > TALLEST {
                return Err(Fault::new(
                    token.start,
                    format!("the expression has more than {TALLEST} operations on one another"),
                ));
            }
            left =
                Node { at: token.start, expr: Expr::Binary(*op, Box::new(left), Box::new(right)) };
        }
        self.height = height;
        Ok(left)
    }

    fn atom(&mut self) -> Parsed<Node> {
        const WHAT: &str = "a number, a name, a level in quotes or (";
        let Some((token, text)) = self.peek() else { return Err(self.expected(WHAT)) };
        let at = token.start;
        if self.take("(") {
            let inner = self.expression(0)?;
            self.require(")")?;
            return Ok(inner);
        }
        if ["where", "in", "and", "or"].contains(&text) || token.class == TokenClass::Sign {
            return Err(self.expected(WHAT));
        }
        self.next += 1;
        self.height = 1;
        let expr = match token.class {
            TokenClass::Number => match text.parse::<f64>() {
                Ok(x) if x.is_finite() => Expr::Number(x),
                _ => return Err(Fault::new(at, format!("found \"{text}\", expected a number"))),
            },
            TokenClass::Level => Expr::Level(text[1..text.len() - 1].to_string()),
            _ if !self.is("(") => Expr::Name(text.to_string()),
            _ => match (KINDS.iter().find(|(word, _)| *word == text), self.ahead(2)) {
                (Some((_, kind)), Some((_, "in"))) => Expr::Over(Box::new(self.quantifier(*kind)?)),
                (Some((word, kind)), _)
                    if !matches!(kind, QuantifierKind::Min | QuantifierKind::Max) =>
                {
                    self.next += 1;
                    return Err(self.expected(&format!("a variable and in, as in {word}(x in D)")));
                }
                _ => Expr::Call(text.to_string(), self.arguments()?),
            },
        };
        Ok(Node { at, expr })
    }

    fn arguments(&mut self) -> Parsed<Vec<Node>> {
        self.require("(")?;
        let mut all = vec![self.expression(0)?];
        let mut tallest = self.height;
        while self.take(",") {
            all.push(self.expression(0)?);
            tallest = tallest.max(self.height);
        }
        self.require(")")?;
        self.height = tallest + 1;
        Ok(all)
    }

    fn word(&mut self, what: &str) -> Parsed<String> {
        match self.peek() {
            Some((Token { class: TokenClass::Word, .. }, text)) => {
                self.next += 1;
                Ok(text.to_string())
            }
            _ => Err(self.expected(what)),
        }
    }

    fn quantifier(&mut self, kind: QuantifierKind) -> Parsed<Quantifier> {
        self.require("(")?;
        let variable = self.word("a variable")?;
        self.require("in")?;
        let set_at = self.at();
        let set = self.word("the name of a set, such as D")?;
        self.height = 0;
        let filter = if self.take("where") { Some(self.expression(0)?) } else { None };
        let filter_height = self.height;
        let needs_body = matches!(
            kind,
            QuantifierKind::Sum
                | QuantifierKind::Product
                | QuantifierKind::Min
                | QuantifierKind::Max
        );
        let body = if needs_body {
            self.require(":")?;
            Some(self.expression(0)?)
        } else {
            None
        };
        self.require(")")?;
        self.height = 1 + self.height.max(filter_height);
        Ok(Quantifier { kind, variable, set, set_at, filter, body })
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self, 0)
    }
}

/// Writes a tree with the parentheses that it needs under an operation that binds this tightly.
fn write(f: &mut fmt::Formatter<'_>, node: &Node, outer: u8) -> fmt::Result {
    let own = match &node.expr {
        Expr::Binary(op, ..) => op.entry().1,
        Expr::Negative(_) => NEGATIVE,
        Expr::Not(_) => NOT,
        _ => u8::MAX,
    };
    if own < outer {
        f.write_str("(")?;
    }
    match &node.expr {
        Expr::Number(x) => write!(f, "{x}")?,
        Expr::Level(level) => write!(f, "'{level}'")?,
        Expr::Name(name) => f.write_str(name)?,
        Expr::Call(name, arguments) => {
            write!(f, "{name}(")?;
            for (i, argument) in arguments.iter().enumerate() {
                f.write_str(if i > 0 { ", " } else { "" })?;
                write(f, argument, 0)?;
            }
            f.write_str(")")?;
        }
        Expr::Negative(inner) => {
            f.write_str("-")?;
            write(f, inner, NEGATIVE)?;
        }
        Expr::Not(inner) => {
            f.write_str("not ")?;
            write(f, inner, NOT)?;
        }
        Expr::Binary(op, left, right) => {
            let (sign, binding) = op.entry();
            let power = *op == Op::Power;
            write(f, left, if power { u8::MAX } else { binding + u8::from(op.compares()) })?;
            f.write_str(&if power { sign.to_string() } else { format!(" {sign} ") })?;
            write(f, right, if power { NEGATIVE } else { binding + 1 })?;
        }
        Expr::Over(q) => {
            let word = KINDS.iter().find(|(_, kind)| *kind == q.kind).map_or("", |(word, _)| word);
            write!(f, "{word}({} in {}", q.variable, q.set)?;
            if let Some(filter) = &q.filter {
                f.write_str(" where ")?;
                write(f, filter, 0)?;
            }
            if let Some(body) = &q.body {
                f.write_str(" : ")?;
                write(f, body, 0)?;
            }
            f.write_str(")")?;
        }
    }
    if own < outer { f.write_str(")") } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn operations_bind_as_in_mathematics() {
        for (text, printed) in [
            ("1+2*3", "1 + 2 * 3"),
            ("(1+2)*3", "(1 + 2) * 3"),
            ("1-(2-3)", "1 - (2 - 3)"),
            ("1-2-3", "1 - 2 - 3"),
            ("2^3^2", "2^3^2"),
            ("(2^3)^2", "(2^3)^2"),
            ("-2^2", "-2^2"),
            ("(-2)^2", "(-2)^2"),
            ("2^-1", "2^-1"),
            ("not a == 1 and b < 2 or c > 3", "not a == 1 and b < 2 or c > 3"),
            ("min(1,2)", "min(1, 2)"),
            ("min(x in D where pos(x)<=3:gain(x))", "min(x in D where pos(x) <= 3 : gain(x))"),
            ("1e-5", "0.00001"),
        ] {
            let tree = parse(text).unwrap();
            assert_eq!(tree.to_string(), printed);
            assert_eq!(parse(printed).unwrap(), tree);
        }
    }

    #[test]
    fn faults_say_where() {
        for (text, at, message) in [
            ("1 +", 3, "found the end, expected a number"),
            ("1 + )", 4, "found \")\""),
            ("sum(x in D)", 10, "found \")\", expected :"),
            ("count(D)", 6, "expected a variable and in"),
            ("a = 1", 2, "expected an operation"),
            ("1 < 2 < 3", 6, "do not chain"),
            ("'R", 0, "not closed"),
            ("1 # 2", 2, "means nothing here"),
            ("1.2.3", 0, "expected a number"),
        ] {
            let fault = parse(text).unwrap_err();
            assert_eq!(fault.at, at, "{text}: {fault:?}");
            assert!(fault.message.contains(message), "{text}: {fault:?}");
        }
        assert!(parse(&"(".repeat(1000)).is_err());
        assert!(parse(&"-".repeat(100_000)).is_err());
    }

    /// Brackets that are not deep and sums that are not long make a tall tree together, which
    /// overflows the stack of whoever walks it.
    #[test]
    fn the_height_of_the_tree_is_limited() {
        let tower = |levels: usize, terms: usize| {
            (0..levels).fold("i".to_string(), |inner, _| format!("({inner}){}", "+1".repeat(terms)))
        };
        assert!(parse(&tower(50, 4)).is_ok());
        assert!(parse(&tower(1, TALLEST - 1)).is_ok());
        for (levels, terms) in [(52, 238), (50, 5), (1, TALLEST), (2, TALLEST / 2)] {
            let fault = parse(&tower(levels, terms)).unwrap_err();
            assert!(fault.message.contains("operations on one another"), "{fault:?}");
        }
        // A call and a quantifier are levels too.
        let mut nested = "i".to_string();
        for _ in 0..12 {
            nested = format!("max(0, sum(x in D : {nested}{})) ", "+1".repeat(20));
        }
        assert!(parse(&nested).is_err());
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[a-z0-9 ()<>=!'+*/^.,:-]{0,40}|.{0,20}") {
            if let Ok(tree) = parse(&text) {
                prop_assert_eq!(parse(&tree.to_string()).unwrap(), tree);
            }
        }
    }
}
