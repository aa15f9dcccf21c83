//! One relevant document on top against n relevant ones after n irrelevant ones: the n are no worse.
//!
//! Both rankings retrieve 2 n + a documents of one collection, which has n + m relevant ones and
//! 2 n + a - 1 others, so a divisor of the collection alone is the same. The j-th of the n is at rank
//! n + j. Each way to show that the n together add at least t, what the one on top adds, rests on a
//! claim about a single document:
//!
//! - each adds at least t / n;
//! - the j-th adds at least t j / (2 n), and the sum of j / (2 n) is (n + 1) / 4: at least 1 from
//!   n = 3 on.

use super::rising::keeps_order;
use super::{Proof, tree, understood};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim, ClaimLetter, mentions, number, replaced, with};
use crate::expression::syntax::Node;
use crate::measure::structure::{Form, Rise};

/// The proof that n deep documents are no worse, and from which n on; of a metric without cutoff.
pub(in crate::check) fn many_deep(lab: &Lab) -> Option<(Proof, u64)> {
    let form = lab.form().filter(|_| lab.metric().args().cutoff().is_none())?;
    understood(&form, lab).then(|| of_form(&form, lab)).flatten()
}

fn of_form(form: &Form, lab: &Lab) -> Option<(Proof, u64)> {
    match form {
        Form::Count { value, .. } => Some((of_count(&tree(value)?)?, 1)),
        Form::Seen { term, rest, divisor, .. } => {
            Some((of_terms(&tree(term)?, &tree(rest)?, &tree(divisor)?)?, 3))
        }
        // All relevant documents have one grade: there is one line.
        Form::Thresholds { term, .. } => {
            Some((of_terms(&tree(term)?, &number(0.0), &tree("R")?)?, 3))
        }
        Form::Gathered { term, divisor, .. } => {
            Some((of_gathered(&tree(term)?, &tree(divisor)?)?, 3))
        }
        Form::Rising { of, rise } => {
            let (inner, from) = of_form(of, lab)?;
            let inner = match rise {
                Rise::ClippedLogit(_) => inner,
                Rise::Line { times, .. } => (*times > 0.0).then_some(inner)?,
                Rise::Ln(inside) => inner.and(keeps_order(of, inside, lab)?),
            };
            let rule = format!("a rising function, of a value of which: {}", inner.rule);
            Some((Proof { rule, ..inner }, from))
        }
        _ => None,
    }
}

/// A whole number that is not negative, for each of these names.
fn counts<const N: usize>(names: [&'static str; N]) -> [ClaimLetter; N] {
    names.map(|name| (name, Bound::Count))
}

/// n is u + 1.
fn of_count(value: &Node) -> Option<Proof> {
    let of = |h: &str| {
        with(value, &[("h", h), ("k", "2*u + 2 + a"), ("R", "u + 1 + m"), ("N", "2*u + 1 + a")])
    };
    let claim = Claim::order(
        "n relevant documents are worth no less than one",
        &counts(["u", "a", "m"]),
        of("u + 1")?,
        of("1")?,
        false,
    );
    Proof::resting_on(
        "as many documents are retrieved, and n relevant ones among them are worth no less than one, for every n",
        vec![Some(claim)],
    )
}

/// The first, the second and any other of n documents, with n, which is at least 3.
const CASES: [[&str; 2]; 3] = [["1", "z + 3"], ["2", "z + 3"], ["y + 3", "y + z + 3"]];

fn of_terms(term: &Node, rest: &Node, divisor: &Node) -> Option<Proof> {
    (!["h", "o"].iter().any(|name| mentions(divisor, name))).then_some(())?;
    let letters = counts(["y", "z", "a", "m"]);
    let order = |says, larger: Node, smaller: Node, strict| {
        Some(Claim::order(says, &letters, larger, smaller, strict))
    };
    let (mut even, mut rising) = (Vec::new(), Vec::new());
    for [j, n] in CASES {
        let all = [("R", format!("{n} + m")), ("N", format!("2*({n}) + a - 1"))];
        let at = |node: &Node, own: [(&'static str, String); 5]| {
            let own: Vec<(&str, &str)> =
                own.iter().chain(&all).map(|(name, text)| (*name, text.as_str())).collect();
            with(node, &own)
        };
        let deep = |node: &Node| {
            let above = [("i", format!("{n} + {j}")), ("r", format!("{j} - 1"))];
            let [i, r] = above;
            let others = ("n", n.to_string());
            at(node, [i, r, others, ("h", n.to_string()), ("o", format!("{n} + a"))])
        };
        let top = |node: &Node| {
            let [i, r, others] = [("i", "1"), ("r", "0"), ("n", "0")].map(|(x, y)| (x, y.into()));
            at(node, [i, r, others, ("h", "1".into()), ("o", format!("2*({n}) + a - 1"))])
        };
        let times = |factor: String, node: &Node| {
            Some(replaced(&tree(&format!("({factor}) * x"))?, &[("x", node)]))
        };
        let (here, first) = (deep(term)?, top(term)?);
        let shared = [
            order("nothing is lost by what is not seen", deep(rest)?, top(rest)?, false),
            order("the divisor is above zero", at_collection(divisor, &all)?, number(0.0), true),
        ];
        even.extend(shared.clone());
        even.push(order(
            "each adds at least 1/n of what the one on top adds",
            times(n.to_string(), &here)?,
            first.clone(),
            false,
        ));
        rising.extend(shared);
        rising.push(order(
            "the one on top adds nothing below zero",
            first.clone(),
            number(0.0),
            false,
        ));
        rising.push(order(
            "the j-th adds at least j/(2 n) of what the one on top adds",
            times(format!("2*({n})"), &here)?,
            times(j.to_string(), &first)?,
            false,
        ));
    }
    Proof::resting_on(
        "each of n documents adds at least 1/n of what one on top adds: together no less, for every n from 3 on",
        even,
    )
    .or_else(|| Proof::resting_on(RISING, rising))
}

const RISING: &str = "the j-th of n documents adds at least j/(2n) of what one on top adds, which makes (n+1)/4 together: no less for every n from 3 on";

/// A divisor of the collection alone.
fn at_collection(divisor: &Node, all: &[(&str, String); 2]) -> Option<Node> {
    let all = all.each_ref().map(|(name, text)| (*name, text.as_str()));
    with(divisor, &all)
}

/// Each relevant document has the gain p. The ideal ranking has n + x of them down to rank n + j.
fn of_gathered(term: &Node, divisor: &Node) -> Option<Proof> {
    (!mentions(term, "J")).then_some(())?;
    let mut letters: Vec<ClaimLetter> = counts(["x", "w", "z", "m"]).to_vec();
    letters.push(("p", Bound::Positive));
    let order = |says, larger: Node, smaller: Node, strict| {
        Some(Claim::order(says, &letters, larger, smaller, strict))
    };
    let first = with(term, &[("i", "1"), ("C", "1"), ("g", "p"), ("G", "p"), ("I", "p")])?;
    let mut claims =
        vec![order("the one on top adds nothing below zero", first.clone(), number(0.0), false)];
    // Fewer than j of the others are in the collection, or j.
    for [j, more] in [["(x + w + 1)", "x"], ["(x + 1)", "(x + 1)"]] {
        let n = format!("({j} + z)");
        let of = |text: &str| text.replace('j', j).replace('n', &n);
        let (rank, gathered) = (of("n + j"), of("p * j"));
        let ideal = format!("p * ({n} + {more})");
        let here =
            with(term, &[("i", &rank), ("C", j), ("g", "p"), ("G", &gathered), ("I", &ideal)])?;
        let product = |factor: &str, node: &Node| {
            Some(replaced(&tree(&format!("{} * q", of(factor)))?, &[("q", node)]))
        };
        claims.push(order(
            "the j-th adds at least j/(2 n) of what the one on top adds",
            product("2 * n", &here)?,
            product("j", &first)?,
            false,
        ));
        let (relevant, gains) = (format!("{n} + m"), format!("p * ({n} + m)"));
        let divisor = with(divisor, &[("R", &relevant), ("T", &gains)])?;
        claims.push(order("the divisor is above zero", divisor, number(0.0), true));
    }
    Proof::resting_on(RISING, claims)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(term: &str, rest: &str, divisor: &str) -> bool {
        let [term, rest, divisor] = [term, rest, divisor].map(|text| tree(text).unwrap());
        of_terms(&term, &rest, &divisor).is_some()
    }

    #[test]
    fn what_is_false_is_not_proved() {
        // Precisions, and the area under the curve.
        assert!(terms("(r + 1) / i", "0", "R"));
        assert!(terms("N - n", "(R - h) * (N - o) / 2", "R * N"));
        // Their sum is finite, or below the first: one on top wins.
        assert!(!terms("1 / i", "0", "R"));
        assert!(!terms("1 / i^2", "0", "1"));
        assert!(!terms("(r + 1) / i^2", "0", "R"));
        // A divisor that differs between the two.
        assert!(!terms("(r + 1) / i", "0", "h"));
        let gathered =
            |term: &str| of_gathered(&tree(term).unwrap(), &tree("R").unwrap()).is_some();
        assert!(gathered("(C + G) / (i + I)") && gathered("(C + 0.5 * G) / (i + 0.5 * I)"));
        assert!(!gathered("C / i^2") && !gathered("g / (i + I)"));
        let count = |value: &str| of_count(&tree(value).unwrap()).is_some();
        assert!(count("h / k") && count("h^2 / (k * R)") && !count("1 / h"));
    }
}
