//! What a user finds per document read: sum of V g over sum of V, V(i+1) = V(i) C(i).
//!
//! The gains g lie between 0 and 1 and rise with the grade; below rank k there is none.
//!
//! - Bounded: V is not negative, so no score is above 1.
//! - Monotonic: a gain more at rank k + 1 adds to the upper sum, and to the lower nothing if C does
//!   not rise with g or G (a blind user's C does not know of either).
//! - Convergent and top-weighted, for a blind user: V is positive, and falls strictly if C < 1.
//! - The same for a user who adapts, by a potential M(i, G) that bounds what is still to come: the
//!   upper sum's derivative by g(i) is V(i) (1 - E), E(l) = -C' N(l+1) + C E(l+1), which stays
//!   below 1 if -C' M <= (1 - C) / 2. Likewise for gain that moves up; the lower sum does not rise.
//! - Realizable: a top document first ends the reading, and scores 1.

use super::{Proof, Rule, cells, tree};
use crate::check::Lab;
use crate::check::prover::{Bound, Claim, ClaimLetter, mentions, number, replaced, with};
use crate::expression::Function;
use crate::expression::syntax::{Expr, Node, Op};
use crate::measure::Exact;
use crate::measure::Number;
use crate::measure::structure::Form;

pub(super) struct ReaderRule;

/// Rank u + 1 with the gain g; G = u + 1 - w, since no rank has more than 1.
const LETTERS: [ClaimLetter; 3] =
    [("u", Bound::Count), ("g", Bound::Share), ("w", Bound::Nonnegative)];
const HERE: [(&str, &str); 2] = [("i", "u + 1"), ("G", "u + 1 - w")];

impl Rule for ReaderRule {
    fn prove(&self, form: &Form, property: &str, lab: &Lab) -> Option<Proof> {
        let Form::Reader { continuation, ends, potential } = form else { return None };
        let c = tree(continuation)?;
        let blind = !mentions(&c, "g") && !mentions(&c, "G");
        // The lower sum knows of k if the reading ends there or C speaks of it.
        let free = !ends && !mentions(&c, "k");
        let not_negative = sign("C is not negative", &c, false)?;
        match property {
            "bounded" => Proof::resting_on(
                "gains of at most 1, weighted by a user who reads on with a probability",
                not_negative,
            ),
            "localized" => Proof::resting_on("the user sees no gain below rank k", not_negative),
            "complete" if *ends => Proof::resting_on(
                "the user reads at least one document and at most k",
                not_negative,
            ),
            "complete" if free => {
                // Whatever k, a ranking without gain is the same to this user.
                lab.probe().score(&[0.0], 1, lab.max_grade())?;
                Proof::resting_on(
                    "without any gain the user reads the same at every k, and that is a number",
                    not_negative,
                )
            }
            "monotonic" if free && blind => Proof::resting_on(
                "the user reads on whatever is found, so a gain more only adds",
                not_negative,
            ),
            "monotonic" if free => {
                let letters =
                    [&LETTERS[..], &[("e", Bound::Share), ("b", Bound::Nonnegative)]].concat();
                let less = with(&c, &[("i", "u + 1"), ("G", "u + 1 - w - b")])?;
                let more =
                    with(&c, &[("i", "u + 1"), ("G", "u + 1 - w"), ("g", "g + e * (1 - g)")])?;
                let falls = Claim::order(
                    "C does not rise with what is gained",
                    &letters,
                    less,
                    more,
                    false,
                );
                let claims = [vec![Some(falls)], not_negative].concat();
                let sooner = Proof::resting_on(
                    "the more is found the sooner the user stops: a gain more adds to what is found and not to what is read",
                    claims,
                );
                sooner.or_else(|| {
                    let (c, last) = down_to(&c)?;
                    cells::monotonic(c, last)
                })
            }
            "convergent" if free && blind => Proof::resting_on(
                "every rank is read with a probability above 0, whatever is found",
                sign("C is above 0", &c, true)?,
            ),
            "top-weighted" if free && blind => {
                let below_one = replaced(&tree("1 - x")?, &[("x", &c)]);
                let claims =
                    [sign("C is above 0", &c, true)?, sign("C is below 1", &below_one, true)?]
                        .concat();
                Proof::resting_on(
                    "each rank is read with a smaller probability than the one before, whatever is found",
                    claims,
                )
            }
            "convergent" | "top-weighted" if free => adaptive(&c, &tree(potential.as_ref()?)?),
            // Whoever knows k may stop at once for one k alone.
            "realizable" if !mentions(&c, "k") => {
                let at_once = Function::parse(continuation, &["i", "g", "G", "k"]).ok()?;
                let one = Exact::one;
                let stops = at_once.at(&[one(), one(), one(), one()])?.is_zero();
                stops.then(|| Proof::resting_on("a top document first ends the reading, and all that is read is of the top: 1, and no ranking has more", not_negative)).flatten()
            }
            _ => None,
        }
    }
}

/// That an expression of i, g and G is not negative, or above zero; by parts if it is one thing up
/// to a rank and another from there on.
fn sign(says: &'static str, c: &Node, strict: bool) -> Option<Vec<Option<Claim>>> {
    let positive = |c: &Node, by: &[(&str, &str)], letters: &[ClaimLetter]| {
        Some(Claim::order(says, letters, with(c, by)?, number(0.0), strict))
    };
    if let Some((last, before, after)) = parted(c) {
        // What holds at every rank holds before that one.
        let anywhere = positive(before, &HERE, &LETTERS).filter(Claim::holds);
        // Before that rank i is so much less, from there on so much more.
        let (less, more) = (format!("{last} - s"), format!("{last} + u"));
        let upper = [("s", Bound::Positive), ("g", Bound::Share), ("w", Bound::Nonnegative)];
        return Some(vec![
            anywhere.or_else(|| {
                positive(before, &[("i", &less), ("G", &format!("{last} - s - w"))], &upper)
            }),
            positive(after, &[("i", &more), ("G", &format!("{last} + u - w"))], &LETTERS),
        ]);
    }
    Some(vec![positive(c, &HERE, &LETTERS)])
}

/// An expression that is one thing before a rank and another from there on.
fn parted(c: &Node) -> Option<(f64, &Node, &Node)> {
    let Expr::Call(name, parts) = &c.expr else { return None };
    let ("if", [condition, before, after]) = (name.as_str(), parts.as_slice()) else { return None };
    let Expr::Binary(Op::Less, left, right) = &condition.expr else { return None };
    let (Expr::Name(i), Expr::Number(last)) = (&left.expr, &right.expr) else { return None };
    (i == "i").then_some((*last, before, after))
}

/// What a user goes on by, and the last rank that is read, if there is one.
fn down_to(c: &Node) -> Option<(&Node, u32)> {
    let (last, before, after) = parted(c)?;
    (*after == number(0.0) && last.fract() == 0.0 && last >= 1.0).then_some((before, last as u32))
}

/// A user who tires the sooner the more was gained, by a potential.
fn adaptive(c: &Node, potential: &Node) -> Option<Proof> {
    let claim = |says, text: &str, parts: &[(&str, &Node)], strict| {
        let goal = replaced(&tree(text)?, parts);
        Some(Claim { says, letters: LETTERS.to_vec(), goal, strict })
    };
    (!mentions(c, "g")).then_some(())?;
    let here = with(c, &HERE)?;
    let still = with(potential, &HERE)?;
    let next = [("i", "u + 2"), ("G", "u + 1 - w + g")];
    let (here_next, still_next) = (with(c, &next)?, with(potential, &next)?);
    let slope = with(&derivative(c, "G")?, &HERE)?;
    Proof::resting_on(
        "the user tires by what was gained, but a gain more is worth more than what it takes from those still to come",
        vec![
            claim("C is above 0", "c", &[("c", &here)], true),
            claim("C is below 1", "1 - c", &[("c", &here)], true),
            claim("C falls with what was gained", "0 - d", &[("d", &slope)], false),
            claim("the potential is not negative", "p", &[("p", &still)], false),
            claim(
                "the potential bounds what is still to come",
                "p - (g + c * f)",
                &[("p", &still), ("c", &here_next), ("f", &still_next)],
                false,
            ),
            claim(
                "a gain takes at most half of what it is worth from later ones",
                "(1 - c) / 2 + d * p",
                &[("c", &here), ("d", &slope), ("p", &still)],
                false,
            ),
        ],
    )
}

/// The derivative of an expression by a name, if it has only sums, products, quotients and powers
/// with a fixed base or exponent.
pub(super) fn derivative(node: &Node, by: &str) -> Option<Node> {
    let rule = |text: &str, parts: &[(&str, &Node)]| Some(replaced(&tree(text)?, parts));
    match &node.expr {
        _ if !mentions(node, by) => Some(number(0.0)),
        Expr::Name(_) => Some(number(1.0)),
        Expr::Negative(a) => rule("0 - a", &[("a", &derivative(a, by)?)]),
        Expr::Binary(op, a, b) => {
            let (da, db) = (derivative(a, by)?, derivative(b, by)?);
            let parts = [("a", &**a), ("b", &**b), ("da", &da), ("db", &db)];
            match op {
                Op::Add => rule("da + db", &parts),
                Op::Subtract => rule("da - db", &parts),
                Op::Multiply => rule("da * b + a * db", &parts),
                Op::Divide => rule("(da * b - a * db) / b^2", &parts),
                Op::Power if !mentions(a, by) => rule("ln(a) * a^b * db", &parts),
                Op::Power => {
                    let Expr::Number(e) = &b.expr else { return None };
                    let (e, lower) = (number(*e), number(e - 1.0));
                    rule("e * a^l * da", &[("e", &e), ("l", &lower), ("a", a), ("da", &da)])
                }
                _ => None,
            }
        }
        _ => None,
    }
}
